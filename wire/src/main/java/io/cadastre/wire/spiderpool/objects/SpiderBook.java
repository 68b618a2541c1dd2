package io.cadastre.wire.spiderpool.objects;

import io.cadastre.address.RangeSet;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Document;
import io.cadastre.engine.pool.PodKey;
import io.cadastre.engine.pool.PoolChange;
import io.cadastre.engine.pool.PoolChange.Confirm;
import io.cadastre.engine.pool.PoolView;
import io.cadastre.engine.pool.select.PoolRival;
import io.cadastre.registry.Book;
import io.cadastre.registry.Page;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Spiderpool's pools and endpoints in any store. Only what a decision needs is read.
public final class SpiderBook implements Book<PoolView, PoolChange> {

    /// More are not remembered: then some are assumed once more to have no endpoint, which costs a conflict.
    private static final int DOUBTED_MAX = 10_000;

    /// For so long after a conflict the reserved addresses are not read again.
    private static final Duration RESERVED_KEPT_MAX = Duration.ofSeconds(1);

    private final Datastore store;
    private final InstantSource clock;
    private final RivalPools rivals = new RivalPools();

    /// Pods that had an endpoint, or may have had, when it was assumed that they have none.
    private final Set<PodKey> doubted = ConcurrentHashMap.newKeySet();

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

    /// What an interrupted save has recorded in pools, until the batch is saved. Of one batch there are at most as
    /// many as it has addresses.
    private final Set<Confirm> recorded = ConcurrentHashMap.newKeySet();

    private volatile @Nullable ReservedAddresses reserved;

    /// The reserved addresses, for the next attempt of a batch.
    private record ReservedAddresses(RangeSet addresses, Instant until) {}

    @Override
    public void forget() {
        doubted.clear();
        saved();
    }

    /// The batch is saved, and the next one reads everything anew.
    void saved() {
        recorded.clear();
        reserved = null;
    }

    /// An interrupted save has recorded this.
    void note(Confirm record) {
        recorded.add(record);
    }

    /// Whether this process recorded it just now.
    boolean recorded(Confirm record) {
        return recorded.contains(record);
    }

    /// The next attempt decides on the same reserved addresses, until the first one that read them is too long ago.
    void keepReserved(RangeSet addresses, Instant read) {
        if (reserved == null) {
            reserved = new ReservedAddresses(addresses, read.plus(RESERVED_KEPT_MAX));
        }
    }

    /// Whether the endpoint of the pod has to be read.
    boolean doubts(PodKey key) {
        return doubted.contains(key);
    }

    void doubt(PodKey key) {
        if (doubted.size() >= DOUBTED_MAX) {
            doubted.clear();
        }
        doubted.add(key);
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
        var kept = reserved;
        if (kept != null && clock.instant().isBefore(kept.until())) {
            return kept.addresses();
        }
        reserved = null;
        return store.listAll(SpiderKeys.RESERVED).documents().stream()
                .map(document -> ReservedDocument.decode(
                                document.key().substring(SpiderKeys.RESERVED.length()), document.value())
                        .reserved())
                .reduce(RangeSet.EMPTY, RangeSet::union);
    }
}
