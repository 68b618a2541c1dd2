package io.cadastre.wire.spiderpool.objects;

import io.cadastre.address.RangeSet;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Document;
import io.cadastre.engine.pool.PoolChange;
import io.cadastre.engine.pool.PoolRival;
import io.cadastre.engine.pool.PoolView;
import io.cadastre.registry.Book;
import io.cadastre.registry.Page;
import java.time.InstantSource;
import java.util.List;

/// Spiderpool's pools and endpoints in any store. Only what a decision needs is read.
public final class SpiderBook implements Book<PoolView, PoolChange> {

    private final Datastore store;
    private final InstantSource clock;
    private final RivalPools rivals = new RivalPools();

    /// A book in this store.
    ///
    /// @param clock gives the time at which an endpoint is created
    public SpiderBook(Datastore store, InstantSource clock) {
        this.store = store;
        this.clock = clock;
    }

    @Override
    public Page<PoolView, PoolChange> open() {
        return SpiderPage.of(this);
    }

    Datastore store() {
        return store;
    }

    InstantSource clock() {
        return clock;
    }

    List<Document> fetchPools() {
        return store.listAll(SpiderKeys.POOLS).documents();
    }

    /// The pools that overlap one, which was read.
    List<PoolRival> fetchRivals(String name, SpiderPoolDocument pool) {
        return rivals.of(name, pool, store, clock.instant());
    }

    RangeSet fetchReserved() {
        return store.listAll(SpiderKeys.RESERVED).documents().stream()
                .map(document -> ReservedDocument.decode(
                                document.key().substring(SpiderKeys.RESERVED.length()), document.value())
                        .reserved())
                .reduce(RangeSet.EMPTY, RangeSet::union);
    }
}
