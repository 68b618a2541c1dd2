package io.cadastre.wire.cilium;

import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.engine.Holding;
import io.cadastre.registry.Book;
import io.cadastre.registry.Commits;
import io.cadastre.registry.Page;
import io.cadastre.registry.PartialCommit;
import io.cadastre.registry.Recording;
import io.cadastre.wire.book.DocumentChange;
import io.cadastre.wire.book.RangeAnnouncement;
import io.cadastre.wire.book.WriteSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/// The objects of one kind of Cilium's as users write them, in any store.
///
/// @param neighbours reads the ranges that other dialects in the store give addresses of
public record CiliumBook(Datastore store, CiliumKind kind, Function<Datastore, List<Holding>> neighbours)
        implements Book<CiliumStock, DocumentChange> {

    @Override
    public Page<CiliumStock, DocumentChange> open() {
        var stock = stock();
        return new CiliumPage(this, stock, WriteSet.over(stock.documents(), WriteSet.Order.AS_NOTED));
    }

    private CiliumStock stock() {
        var keys = kind.traits().keys().getFirst();
        return new CiliumStock(store.listAll(keys).documents(), takesRanges() ? neighbours.apply(store) : List.of());
    }

    private boolean takesRanges() {
        return kind.equals(CiliumKinds.POOL);
    }

    /// One reading of the book. It takes the changes of one decision.
    private record CiliumPage(CiliumBook book, CiliumStock view, WriteSet noted)
            implements Page<CiliumStock, DocumentChange> {

        @Override
        public CiliumPage with(List<DocumentChange> changes) {
            return new CiliumPage(book, view, noted.with(changes));
        }

        /// A pool takes ranges whenever it is stored. Two pools are two keys, so they are compared once more when the
        /// ranges are announced.
        @Override
        public Commit save(Consumer<PartialCommit> stopped, Recording recording) {
            var writes = noted.writes();
            var store = book.store();
            boolean takes = book.takesRanges() && !writes.isEmpty();
            return takes && store.atomic()
                    ? new RangeAnnouncement(store)
                            .save(writes, () -> book.stock().equals(view), recording)
                    : Commits.save(store, writes, _ -> {}, recording);
        }

        /// The identity in each new object distinguishes our write from others.
        @Override
        public Optional<Commit.Done> findApplied() {
            return book.store().findApplied(noted.writes());
        }
    }
}
