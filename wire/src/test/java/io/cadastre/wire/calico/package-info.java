/// Calico's documents and the book of blocks, tried.
@NullMarked
package io.cadastre.wire.calico;

import org.jspecify.annotations.NullMarked;
