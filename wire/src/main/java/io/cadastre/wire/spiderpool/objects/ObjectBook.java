package io.cadastre.wire.spiderpool.objects;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Document;
import io.cadastre.engine.Holding;
import io.cadastre.registry.Book;
import io.cadastre.registry.Commits;
import io.cadastre.registry.Page;
import io.cadastre.registry.PartialCommit;
import io.cadastre.registry.Recording;
import io.cadastre.wire.book.DocumentChange;
import io.cadastre.wire.book.RangeAnnouncement;
import io.cadastre.wire.book.WriteSet;
import io.cadastre.wire.spiderpool.objects.ObjectView.Host;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/// Pools, subnets and reserved addresses as users write them, in any store.
///
/// Two pools that overlap are two keys, and nothing that Spiderpool stores is common to them. So a process
/// that writes a pool or a subnet also rewrites a key of ours, where the store has transactions and a place for it: of
/// two processes that decide on the same pools, one has to decide again.
public final class ObjectBook implements Book<ObjectView, DocumentChange> {

    private static final Bytes MET = Bytes.ofUtf8("{}");

    private final Datastore store;
    private final Function<Datastore, List<Holding>> neighbours;
    private final boolean alone;

    /// The key of the only object that is read; empty if all pools and reserved addresses are.
    private final String only;

    /// A book in a store that no other dialect shares.
    public ObjectBook(Datastore store) {
        this(store, _ -> List.of(), true, "");
    }

    /// A book of one object, whose rules look at no other.
    public static ObjectBook of(Datastore store, String key) {
        return new ObjectBook(store, _ -> List.of(), true, key);
    }

    /// @param neighbours reads the ranges that other dialects in the store give addresses of
    public ObjectBook(Datastore store, Function<Datastore, List<Holding>> neighbours) {
        this(store, neighbours, false, "");
    }

    private ObjectBook(Datastore store, Function<Datastore, List<Holding>> neighbours, boolean alone, String only) {
        this.store = store;
        this.neighbours = neighbours;
        this.alone = alone;
        this.only = only;
    }

    @Override
    public Page<ObjectView, DocumentChange> open() {
        if (!only.isEmpty()) {
            var documents = store.get(only).stream().toList();
            return new ObjectPage(
                    new ObjectView(documents, List.of(), Host.of(store)),
                    WriteSet.over(documents, WriteSet.Order.AS_NOTED));
        }
        // The meeting key first: a process that writes a pool after this read makes this page fail.
        var meeting = meets() ? store.get(SpiderKeys.MEETING) : Optional.<Document>empty();
        var documents = new ArrayList<>(store.listAll(SpiderKeys.POOLS).documents());
        documents.addAll(store.listAll(SpiderKeys.RESERVED).documents());
        documents.addAll(SpiderRanges.fetchSubnets(store));
        var view = new ObjectView(documents, neighbours.apply(store), Host.of(store));
        meeting.ifPresent(documents::add);
        return new ObjectPage(view, WriteSet.over(documents, WriteSet.Order.AS_NOTED));
    }

    private boolean meets() {
        return store.atomic() && store.hasPlace(SpiderKeys.MEETING);
    }

    private static boolean hasRanges(String key) {
        return key.startsWith(SpiderKeys.POOLS) || key.startsWith(SpiderKeys.SUBNETS);
    }

    /// One reading of the book. It takes the changes of one decision.
    private final class ObjectPage implements Page<ObjectView, DocumentChange> {

        private final ObjectView view;
        private final WriteSet noted;

        ObjectPage(ObjectView view, WriteSet noted) {
            this.view = view;
            this.noted = noted;
        }

        @Override
        public ObjectView view() {
            return view;
        }

        @Override
        public ObjectPage with(List<DocumentChange> changes) {
            var after = noted.with(changes);
            boolean pools = changes.stream().anyMatch(change -> hasRanges(change.key()));
            return new ObjectPage(view, pools && meets() ? after.put(SpiderKeys.MEETING, MET) : after);
        }

        @Override
        public Commit save(Consumer<PartialCommit> stopped, Recording recording) {
            var writes = noted.writes();
            return meets() && !alone && writes.stream().anyMatch(write -> hasRanges(write.key()))
                    ? new RangeAnnouncement(store)
                            .save(writes, () -> neighbours.apply(store).equals(view.neighbours()), recording)
                    : Commits.save(store, writes, _ -> {}, recording);
        }

        /// The identity in each new object distinguishes our write from others.
        @Override
        public Optional<Commit.Done> findApplied() {
            return store.findApplied(noted.writes());
        }
    }
}
