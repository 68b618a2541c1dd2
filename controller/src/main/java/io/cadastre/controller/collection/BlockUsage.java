package io.cadastre.controller.collection;

import io.cadastre.engine.block.Attribute;
import io.cadastre.engine.block.Attribute.Held;
import io.cadastre.engine.block.Block;
import java.util.Collection;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;

/// How many addresses of each block are held, by node. Used by one thread.
///
/// A block is a value, and from one look to the next most of them are the very same ones. Those are not
/// counted again: to read what a quarter of a million addresses say about their holders takes longer than
/// all the rest of the figures.
final class BlockUsage {

    static final String UNKNOWN_NODE = "unknown_node";

    private IdentityHashMap<Block, Map<String, Long>> counted = new IdentityHashMap<>();

    /// Counts these, and forgets others.
    void count(Collection<Block> blocks) {
        var latest = new IdentityHashMap<Block, Map<String, Long>>(blocks.size());
        for (var block : blocks) {
            var known = counted.get(block);
            latest.put(block, known == null ? held(block) : known);
        }
        counted = latest;
    }

    private static Map<String, Long> held(Block block) {
        var counts = new HashMap<String, Long>();
        for (int ordinal = 0; ordinal < block.size(); ordinal++) {
            node(block, ordinal).ifPresent(node -> counts.merge(node, 1L, Long::sum));
        }
        return Map.copyOf(counts);
    }

    /// The node of an address; empty if the address is not held by a handle.
    static Optional<String> node(Block block, int ordinal) {
        return block.attribute(ordinal).flatMap(BlockUsage::node);
    }

    private static Optional<String> node(Attribute attribute) {
        if (!(attribute instanceof Held held) || held.handle().isEmpty()) {
            return Optional.empty();
        }
        var node = held.owner().getOrDefault("node", "");
        return Optional.of(node.isEmpty() ? UNKNOWN_NODE : node);
    }

    /// How many addresses of a block that was counted are held on each node.
    ///
    /// @throws IllegalStateException if it was not counted
    Map<String, Long> of(Block block) {
        var held = counted.get(block);
        if (held == null) {
            throw new IllegalStateException(block + " was not counted");
        }
        return held;
    }
}
