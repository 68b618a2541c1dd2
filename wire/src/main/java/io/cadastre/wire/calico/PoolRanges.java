package io.cadastre.wire.calico;

import io.cadastre.datastore.Datastore;
import io.cadastre.engine.Holding;
import io.cadastre.engine.Holding.Level;
import io.cadastre.engine.Holding.State;

import java.util.List;
import java.util.stream.Stream;

/// The ranges of Calico's pools, also of those that give nothing at the moment.
public final class PoolRanges {

    private PoolRanges() {}

    public static List<Holding> fetch(Datastore store) {
        return Reader.readable(store.listAll(CalicoKeys.POOLS).documents()).stream()
                .flatMap(
                        entry ->
                                entry.content() instanceof PoolDocument document
                                        ? Stream.of(document.pool())
                                        : Stream.empty())
                .map(
                        pool ->
                                new Holding(
                                        pool.cidr().range(),
                                        Level.POOL,
                                        "IPPool(%s)".formatted(pool.name()),
                                        State.HELD))
                .toList();
    }
}
