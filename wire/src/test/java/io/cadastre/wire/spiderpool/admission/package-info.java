/// Tests of reviews.
@NullMarked
package io.cadastre.wire.spiderpool.admission;

import org.jspecify.annotations.NullMarked;
