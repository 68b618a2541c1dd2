package io.cadastre.wire.spiderpool.objects;

import io.cadastre.engine.pool.PodKey;

/// Where Spiderpool's objects lie in a store.
public final class SpiderKeys {

    /// The `apiVersion` of all of them.
    public static final String API_VERSION = "spiderpool.spidernet.io/v2beta1";

    private static final String ALL = "/cadastre/apis/" + API_VERSION + "/";

    /// The keys of pools are this and the name.
    public static final String POOLS = ALL + "spiderippools/";

    /// The keys of reserved addresses are this and the name.
    public static final String RESERVED = ALL + "spiderreservedips/";

    /// The keys of subnets are this and the name.
    public static final String SUBNETS = ALL + "spidersubnets/";

    /// The keys of endpoints are this, the namespace, a slash and the name.
    public static final String ENDPOINTS = ALL + "spiderendpoints/";

    /// The keys of networks of Multus are this, the namespace, a slash and the name.
    public static final String MULTUS_CONFIGS = ALL + "spidermultusconfigs/";

    /// The keys of coordinators are this and the name.
    public static final String COORDINATORS = ALL + "spidercoordinators/";

    /// The key at which writers that change the addresses of pools and subnets meet.
    static final String MEETING = "/cadastre/spiderpool/pools";

    private SpiderKeys() {}

    public static String pool(String name) {
        return POOLS + name;
    }

    public static String subnet(String name) {
        return SUBNETS + name;
    }

    public static String reserved(String name) {
        return RESERVED + name;
    }

    public static String endpoint(PodKey key) {
        return ENDPOINTS + key;
    }
}
