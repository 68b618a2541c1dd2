package io.cadastre.wire.spiderpool.settings;

/// A key of `conf.yml` that is on or off. Where the file does not have it, it is as Spiderpool's chart sets it.
public enum SpiderpoolSwitch {
    IPV4("enableIPv4", true),
    IPV6("enableIPv6", true),
    STATEFUL_SET("enableStatefulSet", true),
    KUBEVIRT_STATIC_IP("enableKubevirtStaticIP", true),
    SPIDER_SUBNET("enableSpiderSubnet", true),
    AUTO_POOL("enableAutoPoolForApplication", true),
    CONFLICT_DETECTION("enableIPConflictDetection", false),
    GATEWAY_DETECTION("enableGatewayDetection", false),
    CLEAN_OUTDATED_ENDPOINT("enableCleanOutdatedEndpoint", false),
    VALIDATE_DELETION("enableValidatingResourcesDeletedWebhook", false);

    private final String key;
    private final boolean initial;

    SpiderpoolSwitch(String key, boolean initial) {
        this.key = key;
        this.initial = initial;
    }

    /// Its name in the file.
    public String key() {
        return key;
    }

    boolean initial() {
        return initial;
    }
}
