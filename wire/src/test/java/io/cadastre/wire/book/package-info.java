/// Tests of this part of the wire.
@NullMarked
package io.cadastre.wire.book;

import org.jspecify.annotations.NullMarked;
