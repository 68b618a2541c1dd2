package io.cadastre.engine.demand;

import io.cadastre.address.Prefix;

/// A CIDR of a node, and how many of its addresses are in use.
///
/// @param usable how many a pod may have at all
public record NodeCidr(Prefix cidr, long usable, long used) {

    public NodeCidr {
        if (used < 0 || used > usable) {
            throw new IllegalArgumentException("%d of %d addresses of %s".formatted(used, usable, cidr));
        }
    }

    long free() {
        return usable - used;
    }
}
