package io.cadastre.wire.survey;

import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.engine.Holding;
import io.cadastre.engine.Holding.Level;
import io.cadastre.engine.Holding.State;
import io.cadastre.engine.Survey;
import io.cadastre.engine.Survey.Violation.TwoHolders;
import io.cadastre.engine.block.Block;
import io.cadastre.engine.block.BlockHoldings;
import io.cadastre.wire.json.UnreadableDocumentException;
import io.cadastre.wire.kubernetes.NodeBook;
import io.cadastre.wire.spiderpool.objects.SpiderKeys;
import io.cadastre.wire.spiderpool.objects.SpiderRanges;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// What is held twice in a store, whichever dialects hold it.
public final class StoreSurvey {

    private StoreSurvey() {}

    /// A sentence for each thing that is held twice: ranges of two dialects, pools of one, blocks and node
    /// CIDRs, addresses; and for each document that prevents an answer.
    ///
    /// @param blocks the blocks that can be read
    public static List<String> findings(Datastore store, Collection<Block> blocks) {
        var ranges = StoreRanges.fetchHeld(store);
        var findings = new ArrayList<String>();
        ranges.uncompared().forEach(one -> findings.add(one.sentence()));
        ranges.overlaps().forEach(overlap -> findings.add(overlap.sentence()));
        Stream.of(ranges.calico(), ranges.spiderpool()).forEach(pools -> findings.addAll(heldTwice(pools)));
        var parts = new ArrayList<Holding>();
        for (var block : blocks) {
            parts.add(new Holding(
                    block.cidr().range(),
                    Level.NODE,
                    "block %s of %s"
                            .formatted(
                                    block.cidr(),
                                    block.owner().map(Object::toString).orElse("no owner")),
                    State.HELD));
        }
        try {
            parts.addAll(holdings(store, blocks, ranges, Nodes.OF_KNOWN_CLUSTERS));
        } catch (UnreadableDocumentException unreadable) {
            findings.add(UnreadableRange.of(unreadable).sentence());
        }
        findings.addAll(heldTwice(parts));
        return findings;
    }

    /// What endpoints hold, and the CIDRs that nodes hold, in all dialects.
    ///
    /// @param blocks the blocks that can be read
    public static List<Holding> holdings(Datastore store, Collection<Block> blocks) {
        return holdings(store, blocks, StoreRanges.fetch(store), Nodes.ALL);
    }

    /// Whether nodes are read also if the store knows no cluster CIDR.
    private enum Nodes {
        ALL,
        OF_KNOWN_CLUSTERS
    }

    private static List<Holding> holdings(Datastore store, Collection<Block> blocks, StoreRanges ranges, Nodes wanted) {
        var holdings = new ArrayList<Holding>();
        for (var block : blocks) {
            BlockHoldings.gained(Optional.empty(), Optional.of(block)).stream()
                    .filter(holding -> holding.level() == Level.ENDPOINT)
                    .forEach(holdings::add);
        }
        if (!ranges.nodeCidr().isEmpty() || wanted == Nodes.ALL) {
            holdings.addAll(nodes(store));
        }
        if (store.hasPlace(SpiderKeys.pool("any")) && !ranges.spiderpool().isEmpty()) {
            SpiderRanges.fetchHoldings(store).stream()
                    .filter(holding -> holding.level() == Level.ENDPOINT)
                    .forEach(holdings::add);
        }
        return holdings;
    }

    /// None where node CIDRs have no place, or may not be read.
    private static List<Holding> nodes(Datastore store) {
        try {
            return store.hasPlace(NodeBook.CURSORS) ? readNodes(store) : List.of();
        } catch (DatastoreException failed) {
            if (failed.kind() == DatastoreException.Kind.DENIED) {
                return List.of();
            }
            throw failed;
        }
    }

    private static List<Holding> readNodes(Datastore store) {
        return NodeBook.fetchNodes(store).stream()
                .flatMap(node -> node.prefixes().stream()
                        .map(prefix -> new Holding(prefix.range(), Level.NODE, "node/" + node.name(), State.HELD)))
                .toList();
    }

    private static List<String> heldTwice(List<Holding> holdings) {
        return Survey.of(holdings).stream()
                .filter(TwoHolders.class::isInstance)
                .map(Survey.Violation::sentence)
                .toList();
    }
}
