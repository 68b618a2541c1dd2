package io.cadastre.controller.collection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cadastre.address.Prefix;
import io.cadastre.engine.block.Attribute;
import io.cadastre.engine.block.Attribute.Held;
import io.cadastre.engine.block.Block;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class BlockUsageTest {

    private final BlockUsage usage = new BlockUsage();

    /// A block of four addresses, of which the first have these attributes.
    private static Block aBlock(Attribute... attributes) {
        var allocations = new int[] {Block.FREE, Block.FREE, Block.FREE, Block.FREE};
        for (int index = 0; index < attributes.length; index++) {
            allocations[index] = index;
        }
        return Block.stored(Prefix.parse("10.0.0.0/30"))
                .allocations(allocations)
                .attributes(List.of(attributes))
                .build();
    }

    private static Held on(String node) {
        return Held.by("net.pod", new TreeMap<>(Collections.singletonMap("node", node)));
    }

    @Test
    void addressesAreCountedByTheNodeThatHoldsThem() {
        var block = aBlock(on("node-1"), on("node-2"), on("node-1"), Held.by("tunnel", Collections.emptySortedMap()));

        usage.count(List.of(block));

        assertThat(usage.of(block))
                .containsOnly(Map.entry("node-1", 2L), Map.entry("node-2", 1L), Map.entry(BlockUsage.UNKNOWN_NODE, 1L));
    }

    @Test
    void whatCoolsOrHasNoHandleIsNotHeld() {
        var block = aBlock(
                new Attribute.Cooling(Instant.EPOCH),
                Held.by("", new TreeMap<>(Collections.singletonMap("node", "node-1"))));

        usage.count(List.of(block));

        assertThat(usage.of(block)).isEmpty();
    }

    @Test
    void aBlockThatChangedIsCountedAnewAndTheFormerIsForgotten() {
        var former = aBlock(on("node-1"));
        var changed = aBlock(on("node-1"), on("node-1"));
        usage.count(List.of(former));

        usage.count(List.of(changed));

        assertThat(usage.of(changed)).containsEntry("node-1", 2L);
        assertThatThrownBy(() -> usage.of(former)).isInstanceOf(IllegalStateException.class);
    }
}
