package io.cadastre.engine.nodecidr.multipool;

import io.cadastre.address.Prefix;
import io.cadastre.engine.Because;

/// Why this law decided as it did.
public sealed interface MultiPoolReason extends Because {

    @Override
    default String sentence() {
        return switch (this) {
            case Chose(var pool, var cidr, var deficit) ->
                "chose %s of pool %s: %d addresses are missing".formatted(cidr, pool, deficit);
            case Sufficient(var pool, var usable, var needed) ->
                "the blocks of pool %s have %d addresses, and %d are needed".formatted(pool, usable, needed);
            case StillInUse(var node, var cidr) -> "CIDR %s from pool still in use by node %s".formatted(cidr, node);
            case CountedAgain(var node, var cidr) ->
                "CIDR %s from pool already in use by node %s, marking it as allocated".formatted(cidr, node);
            case GivenUp(var pool, var cidr) -> "the node gave %s of pool %s up".formatted(cidr, pool);
            case NotAllKnown(var node) -> "node %s waits: not all nodes are known yet".formatted(node);
        };
    }

    record Chose(String pool, Prefix cidr, long deficit) implements MultiPoolReason {}

    record Sufficient(String pool, long usable, long needed) implements MultiPoolReason {}

    record StillInUse(String node, Prefix cidr) implements MultiPoolReason {}

    record CountedAgain(String node, Prefix cidr) implements MultiPoolReason {}

    record GivenUp(String pool, Prefix cidr) implements MultiPoolReason {}

    record NotAllKnown(String node) implements MultiPoolReason {}
}
