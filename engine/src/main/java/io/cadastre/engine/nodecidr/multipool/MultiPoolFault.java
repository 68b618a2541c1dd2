package io.cadastre.engine.nodecidr.multipool;

import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import java.util.Locale;

/// What is wrong with a pool, or with what a node has or needs, in the words of upstream.
public sealed interface MultiPoolFault {

    default String sentence() {
        return switch (this) {
            case MaskChanged(var pool, var family) ->
                "cannot change %s mask size in existing pool \"%s\"".formatted(family, pool);
            case FlagChanged(var pool, var flag) -> "cannot change %s in existing pool \"%s\"".formatted(flag, pool);
            case BadCidrs(var pool, var error) -> "pool \"%s\": %s".formatted(pool, error);
            case NoSuchPool(var pool) -> "pool \"%s\" requested for deletion doesn't exist".formatted(pool);
            case NotOfPool(var pool, var cidr) ->
                "unable to reuse from pool %s: cidr %s is not part of the requested pool".formatted(pool, cidr);
            case HeldByAnother(var pool, var cidr) ->
                "unable to reuse from pool %s: cidr %s has already been allocated".formatted(pool, cidr);
            case PoolFull(var pool) -> "unable to reuse from pool %s: pool empty".formatted(pool);
            case PoolGone(var pool, var cidr) ->
                "unable to find pool %s, prefix %s is still allocated to the node but is marked as orphan"
                        .formatted(pool, cidr);
            case PoolEmpty(var node, var pool, var family) ->
                "failed to allocate %s address for node \"%s\" from pool \"%s\": pool empty"
                        .formatted(family.toString().toLowerCase(Locale.ROOT), node, pool);
            case NotExisting(var pool) -> "cannot allocate from non-existing pool: " + pool;
        };
    }

    record MaskChanged(String pool, Family family) implements MultiPoolFault {}

    record FlagChanged(String pool, String flag) implements MultiPoolFault {}

    record BadCidrs(String pool, String error) implements MultiPoolFault {}

    record NoSuchPool(String pool) implements MultiPoolFault {}

    record NotOfPool(String pool, Prefix cidr) implements MultiPoolFault {}

    record HeldByAnother(String pool, Prefix cidr) implements MultiPoolFault {}

    record PoolFull(String pool) implements MultiPoolFault {}

    record PoolGone(String pool, Prefix cidr) implements MultiPoolFault {}

    record PoolEmpty(String node, String pool, Family family) implements MultiPoolFault {}

    record NotExisting(String pool) implements MultiPoolFault {}
}
