package io.cadastre.wire.cilium;

import io.cadastre.address.Prefix;
import java.util.List;

/// The CIDRs of one family that a pool has, and the length of those that nodes get.
public record PoolCidrs(List<Prefix> cidrs, int maskSize) {

    public PoolCidrs {
        cidrs = List.copyOf(cidrs);
    }
}
