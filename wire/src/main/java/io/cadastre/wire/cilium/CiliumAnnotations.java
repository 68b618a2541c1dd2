package io.cadastre.wire.cilium;

/// The annotations by which users steer Cilium's address management.
public final class CiliumAnnotations {

    /// On a pod or a namespace: the pool of both families.
    public static final String POOL = "ipam.cilium.io/ip-pool";

    /// On a pod or a namespace: the pool of IPv4.
    public static final String IPV4_POOL = "ipam.cilium.io/ipv4-pool";

    /// On a pod or a namespace: the pool of IPv6.
    public static final String IPV6_POOL = "ipam.cilium.io/ipv6-pool";

    /// On a pod or a namespace: without a pool that matches there is no address.
    public static final String REQUIRE_POOL_MATCH = "ipam.cilium.io/require-pool-match";

    /// On a pool: what its pods send is not masqueraded.
    public static final String SKIP_MASQUERADE = "ipam.cilium.io/skip-masquerade";

    /// On a CiliumNode: the operator gives it nothing.
    public static final String IGNORE = "ipam.cilium.io/ignore";

    private CiliumAnnotations() {}
}
