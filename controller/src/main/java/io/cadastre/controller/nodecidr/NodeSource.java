package io.cadastre.controller.nodecidr;

import io.cadastre.controller.ControllerContext;
import io.cadastre.controller.watch.KindHandler;
import io.cadastre.datastore.CompactedException;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Watch;
import io.cadastre.wire.json.UnreadableDocumentException;
import io.cadastre.wire.kubernetes.CoreKeys;
import io.cadastre.wire.kubernetes.NodeObject;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;

/// Reads the Nodes for a control loop: as the watch lists and shows them, and past the watch and its delays for a new
/// leader.
///
/// @param <N> what the loop reads of a Node
public final class NodeSource<N> implements KindHandler {

    private static final Duration RETRY = Duration.ofSeconds(1);

    private final ControllerContext context;
    private final Function<Document, N> decoder;
    private final Listener<N> listener;

    /// What the list that is under way has brought so far.
    private final Listing listing = new Listing();

    /// What a loop does with the Nodes that the watch shows.
    public interface Listener<N> {

        /// A list begins.
        default void listing() {}

        /// These were all Nodes.
        void listed(NodeList<N> list);

        void changed(N node);

        /// It was changed, or is new, and cannot be read.
        void unreadable(String name, long revision);

        void deleted(String name, long revision);

        /// Changes are not shown any more, until a new list begins. What is known stays known; that list corrects it.
        default void lost() {}
    }

    /// @param decoder throws [UnreadableDocumentException] if the document is not a Node
    public NodeSource(ControllerContext context, Function<Document, N> decoder, Listener<N> listener) {
        this.context = context;
        this.decoder = decoder;
        this.listener = listener;
    }

    @Override
    public String kind() {
        return "nodes";
    }

    @Override
    public String prefix() {
        return CoreKeys.NODES;
    }

    @Override
    public void begin() {
        listing.clear();
        listener.listing();
    }

    @Override
    public void fill(List<Document> documents) {
        listing.read(documents);
    }

    @Override
    public void complete(long revision) {
        listener.listed(listing.at(revision));
        listing.clear();
    }

    @Override
    public void change(Watch.Notice.Changed notice) {
        for (var change : notice.changes()) {
            switch (change) {
                case Watch.Change.Put(var document) ->
                    read(document)
                            .ifPresentOrElse(
                                    listener::changed,
                                    () -> listener.unreadable(NodeObject.name(document.key()), document.revision()));
                case Watch.Change.Deleted(var key, var revision) -> listener.deleted(NodeObject.name(key), revision);
            }
        }
    }

    @Override
    public void lost() {
        listener.lost();
    }

    /// Hands over all Nodes that a store has, unless they are not wanted any more.
    public void list(Datastore store, BooleanSupplier wanted, Consumer<NodeList<N>> taker) throws InterruptedException {
        // Ends: when the list is complete, or not wanted any more.
        while (wanted.getAsBoolean()) {
            var found = new Listing();
            try {
                long revision = store.scan(CoreKeys.NODES, found::read);
                taker.accept(found.at(revision));
                return;
            } catch (CompactedException _) {
                // The list took too long, and begins again.
            } catch (DatastoreException failed) {
                context.reports().accept("cannot list the Nodes: " + failed.getMessage());
                context.pause().pause(RETRY);
            }
        }
    }

    /// The Node of this name, as a store has it.
    ///
    /// @throws DatastoreException also if there is one that cannot be read: it may have any CIDRs
    public Optional<N> find(Datastore store, String name) {
        try {
            return store.get(NodeObject.key(name)).map(decoder);
        } catch (UnreadableDocumentException unreadable) {
            throw new DatastoreException(
                    DatastoreException.Kind.FAILED, "cannot read a Node: " + unreadable.getMessage(), unreadable);
        }
    }

    /// A list that is under way.
    private final class Listing {

        private final Map<String, N> nodes = new HashMap<>();
        private final Map<String, Long> unreadable = new HashMap<>();

        void read(List<Document> page) {
            for (var document : page) {
                var name = NodeObject.name(document.key());
                NodeSource.this
                        .read(document)
                        .ifPresentOrElse(
                                node -> nodes.put(name, node), () -> unreadable.put(name, document.revision()));
            }
        }

        NodeList<N> at(long revision) {
            return new NodeList<>(nodes, unreadable, revision);
        }

        void clear() {
            nodes.clear();
            unreadable.clear();
        }
    }

    private Optional<N> read(Document document) {
        try {
            return Optional.of(decoder.apply(document));
        } catch (UnreadableDocumentException unreadable) {
            context.reports().accept("cannot read a Node: " + unreadable.getMessage());
            return Optional.empty();
        }
    }
}
