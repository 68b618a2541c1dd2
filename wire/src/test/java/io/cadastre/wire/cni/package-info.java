/// The protocol of CNI, tried against what the reference code does.
@NullMarked
package io.cadastre.wire.cni;

import org.jspecify.annotations.NullMarked;
