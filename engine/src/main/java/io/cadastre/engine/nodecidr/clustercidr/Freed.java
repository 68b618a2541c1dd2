package io.cadastre.engine.nodecidr.clustercidr;

import io.cadastre.address.Prefix;
import java.util.List;

/// What a node no longer holds.
///
/// @param cidrs empty if it held nothing
/// @param clusterCidr the name of the one that they belonged to, which may be waiting for that; empty if
///     they belonged to none
public record Freed(String node, List<Prefix> cidrs, String clusterCidr) {
    public Freed {
        cidrs = List.copyOf(cidrs);
    }
}
