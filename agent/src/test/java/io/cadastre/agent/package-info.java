/// Tests.
@NullMarked
package io.cadastre.agent;

import org.jspecify.annotations.NullMarked;
