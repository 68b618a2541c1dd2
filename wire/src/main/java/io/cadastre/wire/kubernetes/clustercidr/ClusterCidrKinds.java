package io.cadastre.wire.kubernetes.clustercidr;

import java.util.List;
import java.util.stream.Stream;

/// The kinds of ClusterCIDRs, one of each API group, as `apply`, `get` and `delete` know them.
public final class ClusterCidrKinds {

    public static final List<ClusterCidrKind> ALL =
            Stream.of(ClusterCidrGroup.values()).map(ClusterCidrKind::new).toList();

    private ClusterCidrKinds() {}
}
