package io.cadastre.engine.demand;

import io.cadastre.address.Family;

/// How many addresses of a pool are in use on a node.
public record PoolUse(String pool, int ipv4, int ipv6) {

    public int of(Family family) {
        return family == Family.IPV4 ? ipv4 : ipv6;
    }
}
