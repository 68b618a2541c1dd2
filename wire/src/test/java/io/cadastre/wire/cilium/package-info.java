/// Tests of the objects of Cilium on the wire.
@NullMarked
package io.cadastre.wire.cilium;

import org.jspecify.annotations.NullMarked;
