@NullMarked
package io.cadastre.wire.spiderpool.multus;

import org.jspecify.annotations.NullMarked;
