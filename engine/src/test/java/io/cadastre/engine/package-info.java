/// Tests of what all laws share.
@NullMarked
package io.cadastre.engine;

import org.jspecify.annotations.NullMarked;
