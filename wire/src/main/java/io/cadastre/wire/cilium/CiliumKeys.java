package io.cadastre.wire.cilium;

/// Where the objects of Cilium lie in a store.
public final class CiliumKeys {

    static final String GROUP = "cilium.io";
    static final String NODE_VERSION = "v2";
    static final String POOL_VERSION = "v2alpha1";

    private static final String ALL = "/cadastre/apis/" + GROUP + "/";

    /// The keys of nodes are this and the name.
    public static final String NODES = ALL + NODE_VERSION + "/ciliumnodes/";

    /// The keys of pools are this and the name.
    public static final String POOLS = ALL + POOL_VERSION + "/ciliumpodippools/";

    private CiliumKeys() {}

    public static String node(String name) {
        return NODES + name;
    }

    public static String pool(String name) {
        return POOLS + name;
    }
}
