package io.cadastre.wire.cilium;

import io.cadastre.address.Prefix;
import java.util.List;

/// The CIDRs of a pool that a node has.
///
/// @param allowFirst whether the first address of a CIDR may be given
/// @param allowLast likewise the last
/// @param cidrs in the order of the document
public record AllocatedPool(String pool, boolean allowFirst, boolean allowLast, List<Prefix> cidrs) {

    public AllocatedPool {
        cidrs = List.copyOf(cidrs);
    }
}
