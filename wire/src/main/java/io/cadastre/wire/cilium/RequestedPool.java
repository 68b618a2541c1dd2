package io.cadastre.wire.cilium;

/// How many addresses of a pool a node needs in all, those in use included.
public record RequestedPool(String pool, int ipv4Addresses, int ipv6Addresses) {

    public RequestedPool {
        if (ipv4Addresses < 0 || ipv6Addresses < 0) {
            throw new IllegalArgumentException(
                    "pool %s: %d and %d addresses are not a need".formatted(pool, ipv4Addresses, ipv6Addresses));
        }
    }
}
