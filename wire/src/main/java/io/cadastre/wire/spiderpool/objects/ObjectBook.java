package io.cadastre.wire.spiderpool.objects;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Write;
import io.cadastre.engine.Holding;
import io.cadastre.registry.Book;
import io.cadastre.registry.Commits;
import io.cadastre.registry.Page;
import io.cadastre.registry.PageFullException;
import io.cadastre.registry.PartialCommit;
import io.cadastre.registry.Recording;
import io.cadastre.wire.book.RangeAnnouncement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/// Pools and reserved addresses as people write them, in any store.
///
/// Two pools that overlap are two keys, and nothing that Spiderpool stores is common to them. So a process
/// that writes a pool also rewrites a key of ours, where the store has transactions and a place for it: of
/// two processes that decide on the same pools, one has to decide again.
public final class ObjectBook implements Book<ObjectView, ObjectChange> {

    private static final Bytes MET = Bytes.ofUtf8("{}");

    private final Datastore store;
    private final Function<Datastore, List<Holding>> neighbours;
    private final boolean alone;

    /// A book in a store that no other dialect shares.
    public ObjectBook(Datastore store) {
        this.store = store;
        this.neighbours = _ -> List.of();
        this.alone = true;
    }

    /// @param neighbours reads the ranges that other dialects in the store give addresses of
    public ObjectBook(Datastore store, Function<Datastore, List<Holding>> neighbours) {
        this.store = store;
        this.neighbours = neighbours;
        this.alone = false;
    }

    @Override
    public Page<ObjectView, ObjectChange> open() {
        // The meeting key first: a process that writes a pool after this read makes this page fail.
        var meeting = meets() ? store.get(SpiderKeys.MEETING) : Optional.<Document>empty();
        var documents = new ArrayList<>(store.listAll(SpiderKeys.POOLS).documents());
        documents.addAll(store.listAll(SpiderKeys.RESERVED).documents());
        return new ObjectPage(new ObjectView(documents, neighbours.apply(store)), meeting, List.of());
    }

    private boolean meets() {
        return store.atomic() && store.hasPlace(SpiderKeys.MEETING);
    }

    /// One reading of the book. It takes the changes of one decision.
    private final class ObjectPage implements Page<ObjectView, ObjectChange> {

        private final ObjectView view;
        private final Optional<Document> meeting;
        private final List<ObjectChange> noted;

        ObjectPage(ObjectView view, Optional<Document> meeting, List<ObjectChange> noted) {
            this.view = view;
            this.meeting = meeting;
            this.noted = noted;
        }

        @Override
        public ObjectView view() {
            return view;
        }

        @Override
        public ObjectPage with(List<ObjectChange> changes) {
            if (changes.isEmpty()) {
                return this;
            }
            if (!noted.isEmpty()) {
                throw new PageFullException("objects are written one decision at a time");
            }
            return new ObjectPage(view, meeting, changes);
        }

        @Override
        public Commit save() {
            return save(_ -> {}, Recording.none());
        }

        @Override
        public Commit save(Consumer<PartialCommit> stopped, Recording recording) {
            return meets() && writesPools() && !alone
                    ? new RangeAnnouncement(store)
                            .save(writes(), () -> neighbours.apply(store).equals(view.neighbours()), recording)
                    : Commits.save(store, writes(), _ -> {}, recording);
        }

        /// The identity in each new object distinguishes our write from others.
        @Override
        public Optional<Commit.Done> findApplied() {
            return store.findApplied(writes());
        }

        private boolean writesPools() {
            return noted.stream().anyMatch(change -> change.key().startsWith(SpiderKeys.POOLS));
        }

        private List<Write> writes() {
            var writes = new ArrayList<Write>();
            for (var change : noted) {
                writes.add(
                        switch (change) {
                            case ObjectChange.Create(var key, var content) -> new Write.Create(key, content);
                            case ObjectChange.Update(var seen, var content) ->
                                new Write.Update(seen.key(), content, seen.revision());
                            case ObjectChange.Drop(var seen) -> new Write.Delete(seen.key(), seen.revision());
                        });
            }
            if (meets() && writesPools()) {
                writes.add(meeting.<Write>map(met -> new Write.Update(SpiderKeys.MEETING, MET, met.revision()))
                        .orElseGet(() -> new Write.Create(SpiderKeys.MEETING, MET)));
            }
            return writes;
        }
    }
}
