package io.cadastre.wire.cilium;

import java.util.List;

/// The kinds of Cilium's objects. Rules, `apply`, `get` and `delete` are read off this table.
public final class CiliumKinds {

    public static final CiliumKind NODE = new CiliumNodeKind();
    public static final CiliumKind POOL = new PodIpPoolKind();

    public static final List<CiliumKind> ALL = List.of(NODE, POOL);

    private CiliumKinds() {}
}
