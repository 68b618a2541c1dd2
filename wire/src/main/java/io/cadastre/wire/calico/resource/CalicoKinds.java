package io.cadastre.wire.calico.resource;

import java.util.List;

/// The kinds of Calico's documents that users see. Keys, rules, `apply`, `get`, `delete` and the objects of the
/// Kubernetes API are read off this table: a new kind is one file and one line here.
public final class CalicoKinds {

    public static final CalicoKind POOL = new IpPoolKind();
    public static final CalicoKind RESERVATION = new ReservationKind();
    public static final CalicoKind CONFIGURATION = new ConfigurationKind();
    public static final CalicoKind NODE = new CalicoNodeKind();
    public static final CalicoKind CLUSTER = new ClusterInformationKind();
    public static final CalicoKind BLOCK = new BlockKind();

    public static final List<CalicoKind> ALL =
            List.of(POOL, RESERVATION, CONFIGURATION, NODE, CLUSTER, BLOCK, new AffinityKind(), new HandleKind());

    private CalicoKinds() {}
}
