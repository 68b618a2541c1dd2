/// One prefix per node, the way the Kubernetes node IPAM controller does it.
@NullMarked
package io.cadastre.engine.nodecidr;

import org.jspecify.annotations.NullMarked;
