/// Tests of ClusterCIDRs on the wire.
@NullMarked
package io.cadastre.wire.kubernetes.clustercidr;

import org.jspecify.annotations.NullMarked;
