package io.cadastre.engine.pool;

import io.cadastre.address.Family;
import java.util.List;
import java.util.stream.Stream;

/// What is set for a whole cluster.
///
/// @param families which are given at all, in the order in which they are
/// @param recordsMax how many records a pool may have
public record PoolSettings(List<Family> families, int recordsMax) {

    public static final PoolSettings DEFAULT = new PoolSettings(List.of(Family.IPV4, Family.IPV6), 5000);

    public PoolSettings {
        families = Stream.of(Family.values()).filter(families::contains).toList();
        if (recordsMax < 1) {
            throw new IllegalArgumentException("a pool has at least one record");
        }
    }
}
