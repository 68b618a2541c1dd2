package io.cadastre.wire.survey;

import io.cadastre.address.Address;
import io.cadastre.address.Prefix;
import io.cadastre.datastore.Datastore;
import io.cadastre.engine.Holding;
import io.cadastre.engine.Holding.Level;
import io.cadastre.engine.Holding.State;
import io.cadastre.engine.Survey;
import io.cadastre.engine.Survey.Violation.TwoHolders;
import io.cadastre.engine.block.Block;
import io.cadastre.engine.block.BlockHoldings;
import io.cadastre.engine.nodecidr.NodeCidrHoldings;
import io.cadastre.wire.calico.BlockDocument;
import io.cadastre.wire.calico.CalicoDocument;
import io.cadastre.wire.calico.CalicoKey;
import io.cadastre.wire.calico.UnparsableEntryException;
import io.cadastre.wire.json.UnreadableDocumentException;
import io.cadastre.wire.kubernetes.NodeBook;
import io.cadastre.wire.spiderpool.objects.SpiderRanges;
import io.cadastre.wire.survey.StoreRanges.Law;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// The map of a whole store: what is held in it, and what is held twice, whichever dialects hold it.
public final class StoreSurvey {

    /// The largest block that a Calico pool can be divided into has this many bits of addresses.
    private static final int BLOCK_BITS_MAX = 12;

    private StoreSurvey() {}

    /// The holders of one address.
    ///
    /// @param holders widest first
    /// @param doubled a sentence for each overlap of two holders of one level
    /// @param unread a sentence for each document that cannot be read and may name a holder
    public record AddressHolders(List<Holding> holders, List<String> doubled, List<String> unread) {

        public AddressHolders {
            holders = List.copyOf(holders);
            doubled = List.copyOf(doubled);
            unread = List.copyOf(unread);
        }
    }

    /// The holders of an address in all dialects.
    ///
    /// Kubernetes can give every Node a CIDR that the pods of another dialect ignore. So Nodes count only
    /// where the store knows a cluster CIDR, or where no block and no record holds the address.
    ///
    /// @param beside holdings that are stored elsewhere
    public static AddressHolders holdersOf(Datastore store, Address address, Collection<Holding> beside) {
        var all = StoreRanges.fetch(store);
        var unread = new ArrayList<>(all.uncompared());
        var parts = new ArrayList<>(around(address, beside));
        parts.addAll(
                around(address, Law.CALICO.read(store, unread::add, List.of(), () -> blocksAround(store, address))));
        parts.addAll(around(address, spiderpool(store, all)));
        if (!all.nodeCidr().isEmpty() || parts.isEmpty()) {
            parts.addAll(around(address, Law.NODE_CIDR.read(store, unread::add, List.of(), () -> nodes(store))));
        }
        var ranges = all.around(address);
        return new AddressHolders(
                Stream.of(ranges.calico(), ranges.spiderpool(), ranges.nodeCidr(), ranges.cilium(), parts)
                        .flatMap(List::stream)
                        .sorted(Comparator.comparing(Holding::level))
                        .toList(),
                Stream.concat(
                                ranges.overlaps().stream().map(Overlap::sentence),
                                Stream.of(ranges.calico(), ranges.spiderpool(), ranges.cilium(), parts)
                                        .flatMap(some -> heldTwice(some).stream()))
                        .toList(),
                unread.stream().map(UnreadableRange::sentence).toList());
    }

    static List<Holding> around(Address address, Collection<Holding> holdings) {
        return holdings.stream()
                .filter(holding -> holding.range().contains(address))
                .toList();
    }

    /// What the blocks around the address hold, read by their keys: a store has many blocks, and an
    /// address lies in a few at most.
    private static List<Holding> blocksAround(Datastore store, Address address) {
        int bits = address.family().bits();
        return IntStream.rangeClosed(bits - BLOCK_BITS_MAX, bits)
                .mapToObj(length -> new CalicoKey.OfBlock(Prefix.containing(address, length)))
                .flatMap(key -> findBlock(store, key).stream())
                .flatMap(block -> BlockHoldings.of(block).stream())
                .toList();
    }

    private static Optional<Block> findBlock(Datastore store, CalicoKey key) {
        try {
            return store.get(key.text())
                    .map(stored -> CalicoDocument.decode(key, stored.value()))
                    .flatMap(content ->
                            content instanceof BlockDocument block ? Optional.of(block.block()) : Optional.empty());
        } catch (UnparsableEntryException unparsable) {
            throw new UnreadableDocumentException(key.text(), String.valueOf(unparsable.getMessage()));
        }
    }

    /// A sentence for each thing that is held twice: ranges of two dialects, pools of one, blocks and node
    /// CIDRs, addresses; and for each document that prevents an answer.
    ///
    /// @param blocks the blocks that can be read
    public static List<String> findings(Datastore store, Collection<Block> blocks) {
        var ranges = StoreRanges.fetchHeld(store);
        var findings = new ArrayList<String>();
        ranges.uncompared().forEach(one -> findings.add(one.sentence()));
        ranges.overlaps().forEach(overlap -> findings.add(overlap.sentence()));
        Stream.of(ranges.calico(), ranges.spiderpool(), ranges.cilium())
                .forEach(pools -> findings.addAll(heldTwice(pools)));
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
        parts.addAll(endpoints(blocks));
        if (!ranges.nodeCidr().isEmpty()) {
            parts.addAll(Law.NODE_CIDR.read(store, one -> findings.add(one.sentence()), List.of(), () -> nodes(store)));
        }
        parts.addAll(spiderpool(store, ranges));
        findings.addAll(heldTwice(parts));
        return findings;
    }

    /// What endpoints hold, and the CIDRs that nodes hold, in all dialects.
    ///
    /// @param blocks the blocks that can be read
    /// @throws UnreadableDocumentException if a node cannot be read
    public static List<Holding> holdings(Datastore store, Collection<Block> blocks) {
        var holdings = new ArrayList<>(endpoints(blocks));
        holdings.addAll(Law.NODE_CIDR.read(store, () -> nodes(store)));
        holdings.addAll(spiderpool(store, StoreRanges.fetch(store)));
        return holdings;
    }

    private static List<Holding> endpoints(Collection<Block> blocks) {
        return blocks.stream()
                .flatMap(block -> BlockHoldings.of(block).stream())
                .filter(holding -> holding.level() == Level.ENDPOINT)
                .toList();
    }

    /// What pods hold by the records of pools.
    private static List<Holding> spiderpool(Datastore store, StoreRanges ranges) {
        return ranges.spiderpool().isEmpty()
                ? List.of()
                : SpiderRanges.fetchHoldings(store).stream()
                        .filter(holding -> holding.level() == Level.ENDPOINT)
                        .toList();
    }

    private static List<Holding> nodes(Datastore store) {
        return NodeBook.fetchNodes(store).stream()
                .flatMap(node -> NodeCidrHoldings.of(node.name(), node.prefixes()).stream())
                .toList();
    }

    private static List<String> heldTwice(List<Holding> holdings) {
        return Survey.of(holdings).stream()
                .filter(TwoHolders.class::isInstance)
                .map(Survey.Violation::sentence)
                .toList();
    }
}
