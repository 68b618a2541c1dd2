package io.cadastre.engine.demand;

import io.cadastre.address.Family;

/// How many addresses of a pool a node needs, those in use included.
public record PoolNeed(String pool, long ipv4, long ipv6) {

    public long of(Family family) {
        return family == Family.IPV4 ? ipv4 : ipv6;
    }
}
