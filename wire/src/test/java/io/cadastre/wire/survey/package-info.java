@NullMarked
package io.cadastre.wire.survey;

import org.jspecify.annotations.NullMarked;
