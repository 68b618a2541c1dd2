package io.cadastre.wire.calico;

import io.cadastre.wire.json.GoStruct;

/// The fields of what Calico keeps in JSON, as its Go structs name them.
public final class CalicoStructs {

    static final GoStruct BLOCK = GoStruct.of(
                    "cidr",
                    "affinity*",
                    "affinity_claim_time*",
                    "allocations",
                    "unallocated",
                    "sequenceNumber",
                    "sequenceNumberForAllocation",
                    "deleted",
                    "hostAffinity*")
            .with("attributes", GoStruct.of("handle_id*", "secondary", "alternateOwnerAttrs", "releasedAt*"));

    static final GoStruct AFFINITY = GoStruct.of("state", "deleted");

    static final GoStruct HANDLE = GoStruct.of("block", "deleted");

    static final GoStruct CONFIG = GoStruct.of(
            "strict_affinity",
            "auto_allocate_blocks",
            "maxBlocksPerHost",
            "kubeVirtVMAddressPersistence*",
            "ipCooldownSeconds");

    /// A record of old releases, of which only the presence counts.
    static final GoStruct NOTHING = GoStruct.of();

    public static final GoStruct POOL = GoStruct.KUBERNETES_OBJECT
            .with(
                    "spec",
                    GoStruct.of(
                            "cidr",
                            "vxlanMode",
                            "ipipMode",
                            "natOutgoing",
                            "disabled",
                            "disableBGPExport",
                            "blockSize",
                            "nodeSelector",
                            "namespaceSelector",
                            "allowedUses",
                            "assignmentMode*"))
            .with(
                    "status*",
                    GoStruct.of()
                            .with(
                                    "conditions",
                                    GoStruct.of(
                                            "type",
                                            "status",
                                            "observedGeneration",
                                            "lastTransitionTime",
                                            "reason",
                                            "message")));

    public static final GoStruct RESERVATION = GoStruct.KUBERNETES_OBJECT.with("spec", GoStruct.of("reservedCIDRs"));

    public static final GoStruct CONFIGURATION = GoStruct.KUBERNETES_OBJECT.with(
            "spec",
            GoStruct.of(
                    "strictAffinity",
                    "maxBlocksPerHost",
                    "autoAllocateBlocks",
                    "kubeVirtVMAddressPersistence*",
                    "ipCooldownSeconds"));

    public static final GoStruct CLUSTER = GoStruct.KUBERNETES_OBJECT.with(
            "spec", GoStruct.of("clusterGUID", "clusterType", "calicoVersion", "datastoreReady*", "variant"));

    public static final GoStruct NODE = GoStruct.KUBERNETES_OBJECT
            .with(
                    "spec",
                    GoStruct.of(
                                    "ipv4VXLANTunnelAddr",
                                    "vxlanTunnelMACAddr",
                                    "ipv6VXLANTunnelAddr",
                                    "vxlanTunnelMACAddrV6")
                            .with(
                                    "bgp*",
                                    GoStruct.of(
                                            "asNumber*",
                                            "ipv4Address",
                                            "ipv6Address",
                                            "ipv4IPIPTunnelAddr",
                                            "routeReflectorClusterID"))
                            .with("orchRefs", GoStruct.of("nodeName", "orchestrator"))
                            .with("wireguard*", GoStruct.of("interfaceIPv4Address", "interfaceIPv6Address"))
                            .with("addresses", GoStruct.of("address", "type"))
                            .with("interfaces", GoStruct.of("name", "addresses")))
            .with("status", GoStruct.of("wireguardPublicKey", "wireguardPublicKeyV6", "podCIDRs"));

    public static final GoStruct ENDPOINT = GoStruct.KUBERNETES_OBJECT.with(
            "spec",
            GoStruct.of(
                            "orchestrator",
                            "workload",
                            "node",
                            "containerID",
                            "pod",
                            "endpoint",
                            "serviceAccountName",
                            "ipNetworks",
                            "ipv4Gateway",
                            "ipv6Gateway",
                            "profiles",
                            "interfaceName",
                            "mac",
                            "allowSpoofedSourcePrefixes",
                            "qosControls*")
                    .with("ipNATs", GoStruct.of("internalIP", "externalIP"))
                    .with("ports", GoStruct.of("name", "protocol", "port", "hostPort", "hostIP")));

    private CalicoStructs() {}

    /// What the key holds.
    static GoStruct of(CalicoKey key) {
        return switch (key) {
            case CalicoKey.OfBlock _ -> BLOCK;
            case CalicoKey.OfAffinity _ -> AFFINITY;
            case CalicoKey.OfHandle _ -> HANDLE;
            case CalicoKey.OfConfig _ -> CONFIG;
            case CalicoKey.OfHostRecord _ -> NOTHING;
            case CalicoKey.OfPool _ -> POOL;
            case CalicoKey.OfReservation _ -> RESERVATION;
            case CalicoKey.OfNode _ -> NODE;
            case CalicoKey.OfClusterInformation _ -> CLUSTER;
        };
    }
}
