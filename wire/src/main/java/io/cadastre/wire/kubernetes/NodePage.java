package io.cadastre.wire.kubernetes;

import io.cadastre.address.Prefix;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.engine.Holding;
import io.cadastre.engine.nodecidr.NodeCidrChange;
import io.cadastre.engine.nodecidr.NodeCidrChange.GiveCidrs;
import io.cadastre.engine.nodecidr.NodeCidrChange.MoveCursors;
import io.cadastre.engine.nodecidr.NodeCidrChange.TakeBack;
import io.cadastre.engine.nodecidr.NodeCidrView;
import io.cadastre.registry.Commits;
import io.cadastre.registry.Page;
import io.cadastre.registry.PartialCommit;
import io.cadastre.registry.Recording;
import io.cadastre.wire.book.RangeAnnouncement;
import io.cadastre.wire.book.WriteSet;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/// One reading of the book of nodes.
///
/// @param ranges whether other dialects still hold the same ranges as when a cluster CIDR or a service
///     range was compared with them; empty where that need not be asked
record NodePage(
        Datastore store, InstantSource clock, NodeCidrView view, WriteSet noted, Optional<BooleanSupplier> ranges)
        implements Page<NodeCidrView, NodeCidrChange> {

    private static final String HOLDER = "node/";

    @Override
    public NodePage with(List<NodeCidrChange> changes) {
        var newView = view;
        var newNotes = noted;
        for (var change : changes) {
            newView = newView.with(change);
            newNotes = note(newNotes, newView, change);
        }
        return new NodePage(store, clock, newView, newNotes, ranges);
    }

    private WriteSet note(WriteSet notes, NodeCidrView after, NodeCidrChange change) {
        return switch (change) {
            case MoveCursors(var cursors) -> {
                var document = notes.find(NodeBook.CURSORS)
                        .map(value -> CursorDocument.decode(NodeBook.CURSORS, value))
                        .orElseGet(CursorDocument::create);
                yield notes.put(
                        NodeBook.CURSORS,
                        document.with(cursors, serviceRanges(document)).encode());
            }
            case GiveCidrs give -> notes.put(NodeBook.NODES + give.node(), given(notes, after, give));
            case TakeBack(var node, var _) -> notes.delete(NodeBook.NODES + node);
        };
    }

    /// Those of the configuration, and as long as a node holds anything those that are stored: a flag that
    /// is left out takes no address from the services that have one. What another contains is not named.
    private List<Prefix> serviceRanges(CursorDocument document) {
        var given = view.config().serviceRanges();
        var stored = document.serviceRanges();
        if (given.containsAll(stored)
                || view.nodes().stream().allMatch(node -> node.prefixes().isEmpty())) {
            return given;
        }
        var all = new LinkedHashSet<>(stored);
        all.addAll(given);
        return all.stream()
                .filter(range -> all.stream().noneMatch(other -> !other.equals(range) && other.contains(range)))
                .toList();
    }

    private Bytes given(WriteSet notes, NodeCidrView after, GiveCidrs give) {
        var key = NodeBook.NODES + give.node();
        var podCidrs = give.cidrs().stream().map(Prefix::toString).toList();
        return notes.find(key)
                .map(value -> NodeDocument.decode(key, give.node(), value).withPodCidrs(podCidrs))
                .orElseGet(() -> NodeDocument.create(after.find(give.node()).orElseThrow(), clock.instant()))
                .encode();
    }

    @Override
    public boolean shows(Holding holding) {
        if (!holding.holder().startsWith(HOLDER)) {
            return false;
        }
        var node = holding.holder().substring(HOLDER.length());
        var key = NodeBook.NODES + node;
        var read = prefixes(key, node, noted.findRead(key));
        return new GiveCidrs(node, read).granted().contains(holding);
    }

    @Override
    public Optional<Commit.Done> findApplied() {
        return store.findApplied(noted.writes());
    }

    @Override
    public Commit save(Consumer<PartialCommit> stopped, Recording recording) {
        return takesRanges()
                ? new RangeAnnouncement(store).save(noted.writes(), ranges.orElseThrow(), recording)
                : Commits.save(store, noted.writes(), done -> stopped.accept(partial(done)), recording);
    }

    private boolean takesRanges() {
        return ranges.isPresent()
                && noted.writes().stream().anyMatch(write -> write.key().equals(NodeBook.CURSORS));
    }

    private PartialCommit partial(Commits.Written done) {
        var granted = new ArrayList<Holding>();
        var returned = new ArrayList<Holding>();
        for (var write : done.writes()) {
            if (write.key().startsWith(NodeBook.NODES)) {
                var node = write.key().substring(NodeBook.NODES.length());
                var before = prefixes(write.key(), node, noted.findRead(write.key()));
                var after = prefixes(write.key(), node, noted.find(write.key()));
                if (!after.isEmpty() && !before.equals(after)) {
                    granted.addAll(new GiveCidrs(node, after).granted());
                }
                if (!before.isEmpty() && !before.equals(after)) {
                    returned.addAll(new TakeBack(node, before).returned());
                }
            }
        }
        return new PartialCommit(done.revision(), granted, returned, done.rest());
    }

    private static List<Prefix> prefixes(String key, String node, Optional<Bytes> value) {
        return value.map(bytes -> NodeDocument.decode(key, node, bytes).entry().prefixes())
                .orElse(List.of());
    }
}
