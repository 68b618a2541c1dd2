package io.cadastre.controller.collection;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Prefix;
import io.cadastre.engine.block.Attribute;
import io.cadastre.engine.block.Attribute.Held;
import io.cadastre.engine.block.Block;
import io.cadastre.engine.block.Owner;
import io.cadastre.engine.block.collect.LiveOwners.Name;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StringPoolTest {

    private final StringPool texts = new StringPool();

    private static String copyOf(String text) {
        return String.valueOf(text.toCharArray());
    }

    private static Block aBlock(String pod) {
        return Block.stored(Prefix.parse("10.0.0.0/30"))
                .owner(Owner.host("node-1"))
                .claimedAt(Instant.parse("2026-11-15T10:00:00Z"))
                .allocations(0, 1, Block.FREE, 0)
                .unallocated(2)
                .attributes(List.of(
                        new Held(
                                "net.x",
                                new TreeMap<>(Map.of("pod", pod, "namespace", copyOf("shop"), "timestamp", "now")),
                                new TreeMap<>(Map.of("pod", "next"))),
                        new Attribute.Cooling(Instant.parse("2026-11-15T11:00:00Z"))))
                .sequence(7)
                .sequences(new TreeMap<>(Map.of(0, 3L, 1, 4L, 3, 6L)))
                .deleted(true)
                .build();
    }

    @Test
    void aBlockHasTheVeryTextsOfThePods() {
        var pod = texts.once(new Name("shop", "web-0"));

        var block = texts.once(aBlock(copyOf("web-0")));

        var owner = ((Held) block.attributes().getFirst()).owner();
        assertThat(owner.get("pod")).isSameAs(pod.name());
        assertThat(owner.get("namespace")).isSameAs(pod.namespace());
    }

    @Test
    void aPodHasTheVeryTextsOfTheBlocks() {
        var block = texts.once(aBlock(copyOf("web-0")));

        var pod = texts.once(new Name(copyOf("shop"), copyOf("web-0")));

        var owner = ((Held) block.attributes().getFirst()).owner();
        assertThat(pod.name()).isSameAs(owner.get("pod"));
        assertThat(pod.namespace()).isSameAs(owner.get("namespace"));
    }

    @Test
    void nothingElseOfABlockChanges() {
        var block = aBlock("web-0");

        assertThat(texts.once(block)).isEqualTo(block);
        assertThat(texts.once(block).sequences()).isEqualTo(block.sequences());
        assertThat(texts.once(block).claimedAt()).isEqualTo(block.claimedAt());
        assertThat(texts.once(block).deleted()).isTrue();
    }

    @Test
    void namesOfPodsThatAreGoneAreForgottenOnceTheyAreTheMost() {
        IntStream.range(0, 20_000).forEach(number -> texts.once("pod-" + number));
        var left = new Name(texts.once("shop"), texts.once("pod-1"));

        texts.tidy(List.of(left));

        assertThat(texts.size()).isEqualTo(2);
        assertThat(texts.once(copyOf("pod-1"))).isSameAs(left.name());
    }

    @Test
    void namesOfPodsThatAreThereStay() {
        var pods = IntStream.range(0, 20_000)
                .mapToObj(number -> texts.once(new Name("shop", "pod-" + number)))
                .toList();

        texts.tidy(pods);

        assertThat(texts.size()).isEqualTo(20_001);
    }
}
