package io.cadastre.wire.calico;

import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Watch;
import io.cadastre.engine.block.Owner;
import io.cadastre.registry.Pause;
import io.cadastre.registry.Vigil;
import io.cadastre.wire.calico.Shelves.Subject;

import java.time.InstantSource;
import java.util.OptionalLong;
import java.util.stream.Stream;

/// Watches for one owner of blocks what its decisions depend on: the configuration, pools,
/// reservations, its node and its affinities.
///
/// Its book has all that at hand, and the owner's blocks as they were last seen, so that in the common
/// case an address costs one commit and no reading. While a watch is broken, pages read for
/// themselves.
public final class CalicoVigil implements AutoCloseable {

    private final Vigil vigil;
    private final Shelves shelves;
    private final CalicoBook book;

    private CalicoVigil(Datastore store, Owner owner, InstantSource clock, Pause pause) {
        this.shelves = new Shelves(owner, clock);
        this.book = new CalicoBook(store, clock, shelves);
        this.vigil =
                Vigil.begin(
                        store,
                        pause,
                        Stream.of(Subject.values())
                                .map(subject -> new Watcher(subject, owner, shelves))
                                .toList());
    }

    /// Begins to watch, and does not wait until everything was read for the first time.
    public static CalicoVigil begin(
            Datastore store, Owner owner, InstantSource clock, Pause pause) {
        return new CalicoVigil(store, owner, clock, pause);
    }

    /// The book of which pages begin with what is watched.
    public CalicoBook book() {
        return book;
    }

    /// Whether everything that is watched is known now.
    public boolean inSync() {
        return shelves.complete();
    }

    @Override
    public void close() {
        vigil.close();
    }

    /// Puts what is told of one subject onto its shelf.
    private record Watcher(Subject subject, Owner owner, Shelves shelves) implements Vigil.Keeper {

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
            shelves.fill(subject, listing.revision(), listing.documents());
            return OptionalLong.of(listing.revision());
        }

        @Override
        public void change(Watch.Notice.Changed changed) {
            shelves.change(subject, changed);
        }

        @Override
        public void lost() {
            shelves.clear(subject);
        }
    }
}
