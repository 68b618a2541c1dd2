package io.cadastre.wire.spiderpool.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.address.RangeSet;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Document;
import io.cadastre.engine.pool.select.PoolRival;
import io.cadastre.engine.pool.select.PoolRival.Precedence;
import io.cadastre.wire.json.FieldSelection;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.json.UnreadableDocumentException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Which pools have addresses that another pool has too.
///
/// All pools have to be read for that, so they are read once in a while, and at once when a pool is asked for that is
/// new or was changed since. So a new pool never gives what an older one has. If an older pool is enlarged over a
/// younger one and no webhook refuses it, processes that give addresses of the younger one notice it within
/// [#KEPT_MAX]; until then, the enlarged pool leaves what both have to the other.
///
/// Safe for use by any number of threads.
final class RivalPools {

    static final Duration KEPT_MAX = Duration.ofMinutes(1);

    /// Creation times are of whole seconds, and clocks differ a little: of pools that were created within this time
    /// of a look, another one may yet have come.
    private static final Duration CREATION_SLACK = Duration.ofSeconds(5);

    /// Others look again within [#KEPT_MAX]. What they decided just before is written or given up within as long again.
    private static final Duration SETTLED_AFTER = KEPT_MAX.multipliedBy(2);

    private static final FieldSelection LOOKED_AT =
            FieldSelection.of(List.of(List.of(Trees.METADATA, "creationTimestamp"), List.of(Trees.SPEC)));

    private volatile @Nullable Look last;

    /// All pools as they were at one time.
    ///
    /// @param since since when this process has known each pool as it is
    private record Look(Instant at, SortedMap<String, Extent> pools, SortedMap<String, Instant> since) {

        static Look of(Datastore store, Instant now, @Nullable Look former) {
            var pools = extents(store);
            var since = new TreeMap<String, Instant>();
            pools.forEach((name, extent) -> since.put(
                    name,
                    former != null && extent.equals(former.pools.get(name))
                            ? former.since.getOrDefault(name, now)
                            : now));
            return new Look(now, pools, since);
        }

        /// Whether all other processes know the pool as it is, too, and have ended what they began before.
        boolean settled(String name, Instant now) {
            return since.getOrDefault(name, now).plus(SETTLED_AFTER).isBefore(now);
        }

        boolean current(Extent asked, Instant now) {
            return now.isBefore(at.plus(KEPT_MAX))
                    && asked.equals(pools.get(asked.name()))
                    && asked.created().plus(CREATION_SLACK).isBefore(at);
        }
    }

    /// What a pool has, and since when there is the pool.
    private record Extent(String name, Instant created, RangeSet addresses) {

        static Extent of(String name, ObjectNode json) {
            var reader = new Fields(SpiderKeys.pool(name));
            return new Extent(
                    name,
                    created(reader.text(reader.object(json, Trees.METADATA), "creationTimestamp")),
                    PoolForm.read(reader, reader.object(json, Trees.SPEC))
                            .spec()
                            .effective());
        }

        /// A pool that does not say it was there before all others.
        private static Instant created(String text) {
            try {
                return text.isEmpty() ? Instant.EPOCH : Instant.parse(text);
            } catch (DateTimeParseException _) {
                return Instant.EPOCH;
            }
        }

        Optional<PoolRival> rival(Extent other) {
            if (name.equals(other.name) || addresses.intersect(other.addresses).empty()) {
                return Optional.empty();
            }
            int order = other.created.equals(created) ? other.name.compareTo(name) : other.created.compareTo(created);
            return Optional.of(new PoolRival(other.name, order < 0 ? Precedence.RIVAL_FIRST : Precedence.RIVAL_LAST));
        }
    }

    /// The rivals of a pool, in the order of their names.
    ///
    /// @param pool as it was read just now
    List<PoolRival> of(String name, SpiderPoolDocument pool, Datastore store, Instant now) {
        var asked = Extent.of(name, pool.json());
        var look = last;
        if (look == null || !look.current(asked, now)) {
            look = Look.of(store, now, look);
            last = look;
        }
        boolean settled = look.settled(name, now);
        return look.pools().values().stream()
                .flatMap(other -> asked.rival(other).stream())
                .map(rival -> settled ? rival : new PoolRival(rival.name(), Precedence.RIVAL_FIRST))
                .toList();
    }

    private static SortedMap<String, Extent> extents(Datastore store) {
        var extents = new TreeMap<String, Extent>();
        for (Document document : store.listAll(SpiderKeys.POOLS).documents()) {
            var name = document.key().substring(SpiderKeys.POOLS.length());
            try {
                extents.put(name, Extent.of(name, Json.readObject(document.key(), document.value(), LOOKED_AT)));
            } catch (UnreadableDocumentException _) {
                // It gives nothing.
            }
        }
        return extents;
    }
}
