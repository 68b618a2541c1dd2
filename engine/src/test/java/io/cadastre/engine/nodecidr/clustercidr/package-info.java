/// Tests of the law of ClusterCIDRs.
@NullMarked
package io.cadastre.engine.nodecidr.clustercidr;

import org.jspecify.annotations.NullMarked;
