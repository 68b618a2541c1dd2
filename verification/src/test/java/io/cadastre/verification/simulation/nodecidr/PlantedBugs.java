package io.cadastre.verification.simulation.nodecidr;

import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.engine.nodecidr.NodeCidrAssignment;
import io.cadastre.engine.nodecidr.NodeCidrChange;
import io.cadastre.engine.nodecidr.NodeCidrConfig;
import io.cadastre.engine.nodecidr.NodeCidrView;
import io.cadastre.engine.nodecidr.NodeEntry;
import io.cadastre.engine.nodecidr.Removal;
import io.cadastre.registry.Book;
import io.cadastre.registry.Page;
import io.cadastre.registry.PartialCommit;
import io.cadastre.registry.Recording;
import io.cadastre.verification.simulation.runtime.AlteredJournal;
import io.cadastre.verification.simulation.runtime.AlteredStore;
import io.cadastre.verification.simulation.runtime.ProcessContext;
import io.cadastre.wire.kubernetes.NodeBook;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// Offices with the mistakes that allocators are known for.
final class PlantedBugs {

    private PlantedBugs() {}

    /// Writes whatever is there: each condition is brought up to date just before the write.
    static NodeCidrClient writingBlindly(Datastore store, NodeCidrConfig config, ProcessContext context) {
        var blind = AlteredStore.blind(store);
        return NodeCidrClients.on(new NodeBook(blind, config, context.scheduler()), blind, context);
    }

    /// Edits the view that was read, and goes on with the edited one although it was never saved.
    static NodeCidrClient editingWhatWasRead(Datastore store, NodeCidrConfig config, ProcessContext context) {
        var book = new NodeBook(store, config, context.scheduler());
        return NodeCidrClients.on(new EditingBook(book), store, context);
    }

    /// Takes a lost answer for a failure and tells the caller that nothing was written.
    static NodeCidrClient takingLostForFailed(Datastore store, NodeCidrConfig config, ProcessContext context) {
        var certain = AlteredStore.certain(store);
        return NodeCidrClients.on(new NodeBook(certain, config, context.scheduler()), certain, context);
    }

    /// Releases by address: looks up what the node holds, and later deletes the node that holds that.
    static NodeCidrClient releasingWithoutIdentity(Datastore store, NodeCidrConfig config, ProcessContext context) {
        var book = new NodeBook(store, config, context.scheduler());
        var real = NodeCidrClients.on(book, store, context);
        return new NodeCidrClient() {
            @Override
            public NodeCidrAssignment add(String node) {
                return real.add(node);
            }

            @Override
            public Removal remove(String node) {
                var held = book.open().view().find(node).map(NodeEntry::podCidrs);
                if (held.isEmpty() || held.get().isEmpty()) {
                    return real.remove(node);
                }
                var holder = book.open().view().nodes().stream()
                        .filter(other -> other.podCidrs().equals(held.get()))
                        .findFirst();
                return real.remove(holder.map(NodeEntry::name).orElse(node));
            }
        };
    }

    /// Goes on as if nothing had happened when the ledger could not be written.
    static NodeCidrClient ignoringTheLedger(Datastore store, NodeCidrConfig config, ProcessContext context) {
        return NodeCidrClients.real(store, config, context.with(AlteredJournal.swallowing(context.journal())));
    }

    /// Writes into the ledger again when the answer was lost, without a look at what is there.
    static NodeCidrClient recordingTwice(Datastore store, NodeCidrConfig config, ProcessContext context) {
        return NodeCidrClients.real(store, config, context.with(AlteredJournal.insisting(context.journal())));
    }

    /// Opens an office for each question, and so forgets what the ledger did not take.
    static NodeCidrClient forgettingWhatItOwes(Datastore store, NodeCidrConfig config, ProcessContext context) {
        return new NodeCidrClient() {
            @Override
            public NodeCidrAssignment add(String node) {
                return NodeCidrClients.real(store, config, context).add(node);
            }

            @Override
            public Removal remove(String node) {
                return NodeCidrClients.real(store, config, context).remove(node);
            }
        };
    }

    private static final class EditingBook implements Book<NodeCidrView, NodeCidrChange> {

        private final Book<NodeCidrView, NodeCidrChange> book;
        private Optional<NodeCidrView> edited = Optional.empty();

        EditingBook(Book<NodeCidrView, NodeCidrChange> book) {
            this.book = book;
        }

        @Override
        public Page<NodeCidrView, NodeCidrChange> open() {
            var page = book.open();
            return edited.isPresent() ? new EditedPage(page, edited.get()) : new EditedPage(page, page.view());
        }

        private final class EditedPage implements Page<NodeCidrView, NodeCidrChange> {

            private final Page<NodeCidrView, NodeCidrChange> page;
            private final NodeCidrView view;

            EditedPage(Page<NodeCidrView, NodeCidrChange> page, NodeCidrView view) {
                this.page = page;
                this.view = view;
            }

            @Override
            public NodeCidrView view() {
                return view;
            }

            @Override
            public Page<NodeCidrView, NodeCidrChange> with(List<NodeCidrChange> changes) {
                var after = page.with(changes);
                edited = Optional.of(after.view());
                return new EditedPage(after, after.view());
            }

            @Override
            public Commit save(Consumer<PartialCommit> stopped, Recording recording) {
                var commit = page.save();
                if (commit instanceof Commit.Done) {
                    edited = Optional.empty();
                }
                return commit;
            }
        }
    }
}
