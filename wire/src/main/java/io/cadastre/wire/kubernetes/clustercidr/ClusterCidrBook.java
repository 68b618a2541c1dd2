package io.cadastre.wire.kubernetes.clustercidr;

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
import io.cadastre.wire.kubernetes.clustercidr.ClusterCidrStock.Ending;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/// The ClusterCIDRs of one API group as users write them, in any store.
///
/// @param neighbours reads the ranges that other dialects in the store give addresses of
public record ClusterCidrBook(Datastore store, ClusterCidrGroup group, Function<Datastore, List<Holding>> neighbours)
        implements Book<ClusterCidrStock, DocumentChange> {

    @Override
    public Page<ClusterCidrStock, DocumentChange> open() {
        var documents = store.listAll(group.keys()).documents();
        // A store without transactions is the API of Kubernetes, which knows of finalizers.
        var ending = store.atomic() ? Ending.BY_WRITER : Ending.BY_STORE;
        var stock = new ClusterCidrStock(documents, neighbours.apply(store), ending);
        return new ClusterCidrPage(this, stock, WriteSet.over(documents, WriteSet.Order.AS_NOTED));
    }

    /// One reading of the book. It takes the changes of one decision.
    private record ClusterCidrPage(ClusterCidrBook book, ClusterCidrStock view, WriteSet noted)
            implements Page<ClusterCidrStock, DocumentChange> {

        @Override
        public ClusterCidrPage with(List<DocumentChange> changes) {
            return new ClusterCidrPage(book, view, noted.with(changes));
        }

        /// A ClusterCIDR takes its ranges when it is created.
        @Override
        public Commit save(Consumer<PartialCommit> stopped, Recording recording) {
            var writes = noted.writes();
            boolean takes = writes.stream()
                    .anyMatch(write -> noted.findRead(write.key()).isEmpty());
            var store = book.store();
            return takes && store.atomic()
                    ? new RangeAnnouncement(store)
                            .save(writes, () -> book.neighbours().apply(store).equals(view.neighbours()), recording)
                    : Commits.save(store, writes, _ -> {}, recording);
        }

        /// The identity in each new object distinguishes our write from others.
        @Override
        public Optional<Commit.Done> findApplied() {
            return book.store().findApplied(noted.writes());
        }
    }
}
