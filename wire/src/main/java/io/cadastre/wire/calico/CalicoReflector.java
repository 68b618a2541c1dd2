package io.cadastre.wire.calico;

import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Watch;
import io.cadastre.engine.block.Owner;
import io.cadastre.registry.Pause;
import io.cadastre.registry.Reflector;
import io.cadastre.wire.calico.NodeCache.Subject;
import java.time.InstantSource;
import java.util.OptionalLong;
import java.util.stream.Stream;

/// Watches for one owner of blocks what its decisions depend on: the configuration, pools,
/// reservations, its node and its affinities.
///
/// Its book has all that at hand, and the owner's blocks as they were last seen, so that in the common
/// case an address costs one commit and no reading. While a watch is broken, pages read for
/// themselves.
public final class CalicoReflector implements AutoCloseable {

    private final Reflector reflector;
    private final NodeCache cache;
    private final CalicoBook book;

    private CalicoReflector(Datastore store, Owner owner, InstantSource clock, Pause pause) {
        this.cache = new NodeCache(owner, clock);
        this.book = new CalicoBook(store, clock, cache);
        this.reflector = Reflector.begin(
                store,
                pause,
                Stream.of(Subject.values())
                        .map(subject -> new Watcher(subject, owner, cache))
                        .toList());
    }

    /// Begins to watch, and does not wait until everything was read for the first time.
    public static CalicoReflector begin(Datastore store, Owner owner, InstantSource clock, Pause pause) {
        return new CalicoReflector(store, owner, clock, pause);
    }

    /// The book of which pages begin with what is watched.
    public CalicoBook book() {
        return book;
    }

    /// Whether everything that is watched is known now.
    public boolean inSync() {
        return cache.complete();
    }

    @Override
    public void close() {
        reflector.close();
    }

    /// Puts the watched documents of one subject into the cache.
    private record Watcher(Subject subject, Owner owner, NodeCache cache) implements Reflector.WatchHandler {

        @Override
        public String name() {
            return "calico-vigil-" + subject;
        }

        @Override
        public String prefix() {
            return subject.prefix(owner);
        }

        @Override
        public OptionalLong list(Datastore store) {
            var listing = store.listAll(prefix());
            cache.fill(subject, listing.revision(), listing.documents());
            return OptionalLong.of(listing.revision());
        }

        @Override
        public void change(Watch.Notice.Changed changed) {
            cache.change(subject, changed);
        }

        @Override
        public void lost() {
            cache.clear(subject);
        }
    }
}
