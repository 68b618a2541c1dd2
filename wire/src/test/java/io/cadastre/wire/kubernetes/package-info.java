/// Tests of this part of the wire.
@NullMarked
package io.cadastre.wire.kubernetes;

import org.jspecify.annotations.NullMarked;
