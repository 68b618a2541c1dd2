package io.cadastre.wire.spiderpool.objects;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/// What a SpiderMultusConfig configures: the plugin, and the section of the spec that says how.
public enum MultusType {
    MACVLAN("macvlan", "macvlan"),
    IPVLAN("ipvlan", "ipvlan"),
    VLAN("vlan", "vlan"),
    SRIOV("sriov", "sriov"),
    OVS("ovs", "ovs"),
    IB_SRIOV("ib-sriov", "ibsriov"),
    IPOIB("ipoib", "ipoib"),

    /// A configuration as it is written, in `customCNI`.
    CUSTOM("custom", "customCNI");

    private final String word;
    private final String section;

    MultusType(String word, String section) {
        this.word = word;
        this.section = section;
    }

    /// As `cniType` names it, and the plugin too.
    public String word() {
        return word;
    }

    /// The field of the spec.
    public String section() {
        return section;
    }

    /// The type of that word; without one, a custom one.
    public static Optional<MultusType> find(String word) {
        return word.isEmpty()
                ? Optional.of(CUSTOM)
                : Arrays.stream(values()).filter(type -> type.word.equals(word)).findFirst();
    }

    static String words() {
        return Arrays.stream(values()).map(MultusType::word).collect(Collectors.joining("\", \"", "\"", "\""));
    }
}
