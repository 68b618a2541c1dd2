package io.cadastre.wire.kubernetes;

import io.cadastre.address.Prefix;
import io.cadastre.address.Subdivision;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Document;
import io.cadastre.engine.Holding;
import io.cadastre.engine.nodecidr.NodeCidrChange;
import io.cadastre.engine.nodecidr.NodeCidrConfig;
import io.cadastre.engine.nodecidr.NodeCidrView;
import io.cadastre.engine.nodecidr.NodeEntry;
import io.cadastre.engine.nodecidr.RemoveRequest;
import io.cadastre.registry.Book;
import io.cadastre.registry.Page;
import io.cadastre.wire.book.WriteSet;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Stream;

/// Node objects in their Kubernetes form, and beside them the cursors, in any store.
public final class NodeBook implements Book<NodeCidrView, NodeCidrChange> {

    /// The keys of nodes are this and the node's name.
    public static final String NODES = CoreKeys.NODES;

    /// The key of the cursors, where all writers that give CIDRs meet.
    public static final String CURSORS = "/cadastre/node-cidr/cursors";

    private static final String CLUSTER = "cluster CIDR ";

    private final Datastore store;
    private final NodeCidrConfig config;
    private final InstantSource clock;
    private final Optional<Function<Datastore, List<Holding>>> neighbours;

    /// A book in this store, which no other dialect shares, for a cluster of this configuration.
    ///
    /// @param clock gives the time at which a node is created
    public NodeBook(Datastore store, NodeCidrConfig config, InstantSource clock) {
        this.store = store;
        this.config = config;
        this.clock = clock;
        this.neighbours = Optional.empty();
    }

    /// A book in this store for a cluster of this configuration.
    ///
    /// @param neighbours reads the ranges that other dialects in the store give addresses of
    public NodeBook(
            Datastore store,
            NodeCidrConfig config,
            InstantSource clock,
            Function<Datastore, List<Holding>> neighbours) {
        this.store = store;
        this.config = config;
        this.clock = clock;
        this.neighbours = Optional.of(neighbours);
    }

    /// The cluster CIDRs of which a node was ever given something, and the service ranges beside them.
    ///
    /// @throws io.cadastre.wire.json.UnreadableDocumentException if they cannot be read
    public static List<Holding> fetchRanges(Datastore store) {
        return store.get(CURSORS)
                .map(document -> CursorDocument.decode(CURSORS, document.value()))
                .map(NodeBook::ranges)
                .orElse(List.of());
    }

    private static List<Holding> ranges(CursorDocument document) {
        var clusters = document.cursors().cursors().stream()
                .map(cursor -> cursor.cluster().whole())
                .distinct()
                .map(whole -> range(whole, CLUSTER, Holding.State.HELD));
        var services =
                document.serviceRanges().stream().map(range -> range(range, "service range ", Holding.State.RESERVED));
        return Stream.concat(clusters, services).toList();
    }

    private static Holding range(Prefix range, String words, Holding.State state) {
        return new Holding(range.range(), Holding.Level.POOL, words + range, state);
    }

    /// A configuration for giving nodes what they hold already, of which the store may not know the cluster
    /// CIDR. Service ranges stay as they are stored.
    public static NodeCidrConfig configFor(Datastore store, List<Prefix> cidrs) {
        return new NodeCidrConfig(
                cidrs.stream().map(cidr -> new Subdivision(cidr, cidr.length())).toList(),
                store.get(CURSORS)
                        .map(document -> CursorDocument.decode(CURSORS, document.value()))
                        .map(CursorDocument::serviceRanges)
                        .orElse(List.of()));
    }

    /// What is kept from other dialects: cluster CIDRs of which a node holds something; what nodes hold
    /// outside of them, since they were adopted or their cursor is forgotten; and service ranges as long as a
    /// node holds anything.
    ///
    /// @throws io.cadastre.wire.json.UnreadableDocumentException if a node cannot be read
    public static List<Holding> inUse(Datastore store, List<Holding> ranges) {
        return inUse(fetchNodes(store), ranges);
    }

    private static List<Holding> inUse(List<NodeEntry> nodes, List<Holding> ranges) {
        var held = nodes.stream().flatMap(NodeBook::ranges).toList();
        if (held.isEmpty()) {
            return List.of();
        }
        var clusters = ranges.stream()
                .filter(range -> range.holder().startsWith(CLUSTER))
                .filter(range -> anyOverlaps(held, range))
                .toList();
        var services = ranges.stream().filter(range -> !range.holder().startsWith(CLUSTER));
        var others = held.stream()
                .filter(cidr ->
                        clusters.stream().noneMatch(cluster -> cluster.range().contains(cidr.range())));
        return Stream.of(clusters.stream(), services, others)
                .flatMap(some -> some)
                .toList();
    }

    private static Stream<Holding> ranges(NodeEntry node) {
        return node.prefixes().stream().map(cidr -> range(cidr, "node/" + node.name() + " ", Holding.State.HELD));
    }

    private static boolean anyOverlaps(List<Holding> some, Holding range) {
        return some.stream().anyMatch(one -> one.range().overlaps(range.range()));
    }

    /// The nodes in a store, whatever their cluster's configuration.
    ///
    /// @throws io.cadastre.wire.json.UnreadableDocumentException if one of them cannot be read
    public static List<NodeEntry> fetchNodes(Datastore store) {
        return entries(store.listAll(NODES).documents());
    }

    /// The request to remove the node that has this name now; empty if there is none.
    ///
    /// @throws io.cadastre.wire.json.UnreadableDocumentException if it cannot be read
    public static Optional<RemoveRequest> findRemoval(Datastore store, String node) {
        return store.get(NODES + node).stream()
                .map(document -> entries(List.of(document)).getFirst())
                .map(entry -> new RemoveRequest(entry.name(), entry.uid()))
                .findFirst();
    }

    /// Reads the cursors and the nodes.
    ///
    /// @throws io.cadastre.wire.json.UnreadableDocumentException if one of them cannot be read
    @Override
    public Page<NodeCidrView, NodeCidrChange> open() {
        // The cursors first: a process that gives CIDRs after they were read rewrites them, so that saving
        // this page fails. If they were read after the nodes, an assignment between the two reads would be
        // missing from the nodes and yet cause no conflict.
        var cursors = store.get(CURSORS);
        var nodes = store.listAll(NODES).documents();
        var documents = new ArrayList<Document>(nodes);
        cursors.ifPresent(documents::add);
        var entries = entries(nodes);
        var stored = cursors.map(document -> CursorDocument.decode(CURSORS, document.value()))
                .orElseGet(CursorDocument::create);
        var view = NodeCidrView.of(config, entries, stored.cursors());
        var notes = WriteSet.over(documents, WriteSet.Order.DELETIONS_FIRST);
        var taken = neighbours.isEmpty() ? List.<Prefix>of() : taken(inUse(entries, ranges(stored)));
        if (neighbours.isEmpty() || taken.isEmpty()) {
            return new NodePage(store, clock, view, notes, Optional.empty());
        }
        var beside = neighbours.get().apply(store);
        BooleanSupplier current = () -> neighbours.get().apply(store).equals(beside);
        return new NodePage(
                store,
                clock,
                view.beside(beside, taken),
                notes,
                store.atomic() ? Optional.of(current) : Optional.empty());
    }

    /// The ranges of the configuration that an assignment takes from other dialects.
    ///
    /// @param kept those that are kept from them already
    private List<Prefix> taken(List<Holding> kept) {
        return Stream.concat(config.clusters().stream().map(Subdivision::whole), config.serviceRanges().stream())
                .filter(range -> kept.stream().noneMatch(known -> known.range().contains(range.range())))
                .toList();
    }

    private static List<NodeEntry> entries(List<Document> nodes) {
        return nodes.stream()
                .map(document -> NodeDocument.decode(
                                document.key(), document.key().substring(NODES.length()), document.value())
                        .entry())
                .toList();
    }
}
