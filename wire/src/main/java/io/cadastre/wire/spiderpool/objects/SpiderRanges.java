package io.cadastre.wire.spiderpool.objects;

import io.cadastre.address.RangeSet;
import io.cadastre.datastore.Datastore;
import io.cadastre.engine.Holding;
import io.cadastre.engine.Holding.Level;
import io.cadastre.engine.Holding.State;
import io.cadastre.engine.pool.Pool;
import io.cadastre.engine.pool.PoolHoldings;
import io.cadastre.engine.pool.PoolView;
import io.cadastre.wire.json.UnreadableDocumentException;

import java.util.List;
import java.util.stream.Stream;

/// The ranges of Spiderpool's pools: the addresses that they give, and not the subnets around them, which
/// others may use too.
public final class SpiderRanges {

    private SpiderRanges() {}

    public static List<Holding> fetch(Datastore store) {
        return pools(store)
                .flatMap(pool -> of(pool.name(), pool.spec().effective()).stream())
                .toList();
    }

    static List<Holding> of(String pool, RangeSet addresses) {
        return addresses.ranges().stream()
                .map(
                        range ->
                                new Holding(
                                        range,
                                        Level.POOL,
                                        "SpiderIPPool(%s)".formatted(pool),
                                        State.HELD))
                .toList();
    }

    /// All that is held of all pools that can be read.
    public static List<Holding> fetchHoldings(Datastore store) {
        return PoolHoldings.of(
                PoolView.UNREAD.withAllPools(pools(store).toList()).withReserved(RangeSet.EMPTY));
    }

    private static Stream<Pool> pools(Datastore store) {
        return store.listAll(SpiderKeys.POOLS).documents().stream()
                .flatMap(
                        document -> {
                            try {
                                return Stream.of(
                                        PoolDocument.decode(
                                                        document.key()
                                                                .substring(
                                                                        SpiderKeys.POOLS.length()),
                                                        document.value())
                                                .pool());
                            } catch (UnreadableDocumentException _) {
                                return Stream.empty();
                            }
                        });
    }
}
