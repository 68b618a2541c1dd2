/// Tests of this part of the wire.
@NullMarked
package io.cadastre.wire.json;

import org.jspecify.annotations.NullMarked;
