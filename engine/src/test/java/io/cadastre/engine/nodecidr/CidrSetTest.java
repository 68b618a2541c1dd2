package io.cadastre.engine.nodecidr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.JsonNode;
import io.cadastre.address.Prefix;
import io.cadastre.address.Subdivision;
import io.cadastre.engine.nodecidr.CidrSet.Next;
import io.cadastre.engine.nodecidr.CidrSet.Reach;
import java.util.HashSet;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class CidrSetTest {

    static Stream<Arguments> indexToBlock() {
        return CidrSetVectors.of("indexToBlock");
    }

    static Stream<Arguments> cidrToRange() {
        return CidrSetVectors.of("cidrToRange");
    }

    static Stream<Arguments> sequences() {
        return CidrSetVectors.of("sequences");
    }

    @Test
    void everyIdFromOneToFortySevenIsAmongTheVectors() {
        var expected = new TreeSet<String>();
        IntStream.rangeClosed(1, 47).forEach(i -> expected.add("CS-%02d".formatted(i)));

        var found = new TreeSet<String>();
        Stream.of(indexToBlock(), cidrToRange(), sequences())
                .flatMap(vectors -> vectors)
                .forEach(vector -> found.add((String) vector.get()[0]));

        assertThat(found).isEqualTo(expected);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("indexToBlock")
    void indexGivesBlock(String id, JsonNode vector) {
        var cluster = CidrSetVectors.cluster(vector);
        if (vector.has("error")) {
            assertThatIllegalArgumentException()
                    .as(id)
                    .isThrownBy(() -> CidrSet.empty(cluster))
                    .withMessage(vector.get("error").textValue());
            return;
        }

        var set = CidrSet.empty(cluster);

        assertThat(set.blockCount()).as(id).isEqualTo(vector.get("maxCIDRs").intValue());
        for (var expected : vector.get("blocks")) {
            int index = expected.get("index").intValue();
            assertThat(set.block(index))
                    .as(id)
                    .hasToString(expected.get("block").textValue());
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cidrToRange")
    void cidrGivesRange(String id, JsonNode vector) {
        var set = CidrSet.empty(CidrSetVectors.cluster(vector));

        var reach = set.reach(Prefix.parse(vector.get("cidr").textValue()));

        switch (reach) {
            case Reach.Blocks blocks ->
                assertThat(blocks)
                        .as(id)
                        .isEqualTo(new Reach.Blocks(
                                vector.get("begin").intValue(),
                                vector.get("end").intValue()));
            case Reach.Outside outside ->
                assertThat(outside.sentence())
                        .as(id)
                        .isEqualTo(vector.path("error").textValue());
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("sequences")
    void sequenceOfSteps(String id, JsonNode vector) {
        var set = CidrSet.empty(CidrSetVectors.cluster(vector));
        int allocations = 0;
        int releases = 0;
        assertThat(set.blockCount()).as(id).isEqualTo(vector.get("maxCIDRs").intValue());

        for (var step : vector.get("steps")) {
            switch (step.get("op").textValue()) {
                case "next" -> {
                    set = next(set, step);
                    allocations += step.has("block") ? 1 : 0;
                }
                case "occupy" -> {
                    var marked = set.occupy(blocks(set, step));
                    set = marked.after();
                    allocations += marked.flipped();
                }
                case "release" -> {
                    var marked = set.release(blocks(set, step));
                    set = marked.after();
                    releases += marked.flipped();
                }
                default -> throw new AssertionError("no such step: " + step);
            }
            assertThat(set.usedCount())
                    .as("%s", step)
                    .isEqualTo(step.get("allocated").intValue());
            assertThat(set.cursor()).as("%s", step).isEqualTo(step.get("cursor").intValue());
        }

        var last = vector.get("final");
        assertThat(allocations).isEqualTo(last.get("allocations").intValue());
        assertThat(releases).isEqualTo(last.get("releases").intValue());
        assertThat((double) set.usedCount() / set.blockCount())
                .isEqualTo(last.get("usage").doubleValue());
    }

    private static CidrSet next(CidrSet set, JsonNode step) {
        return switch (set.next()) {
            case Next.Took(var _, var block, var tries, var after) -> {
                assertThat(block).hasToString(step.path("block").textValue());
                assertThat(tries).isEqualTo(step.get("tries").intValue());
                yield after;
            }
            case Next.NoneRemaining none -> {
                assertThat(none.sentence()).isEqualTo(step.path("error").textValue());
                yield set;
            }
        };
    }

    private static Reach.Blocks blocks(CidrSet set, JsonNode step) {
        return (Reach.Blocks) set.reach(Prefix.parse(step.get("cidr").textValue()));
    }

    @Test
    void aStepLeavesTheSetItWasTakenOnAsItWas() {
        var set = CidrSet.empty(new Subdivision(Prefix.parse("10.0.0.0/22"), 24));

        var took = (Next.Took) set.next();
        var occupied = set.occupy(new Reach.Blocks(1, 2)).after();
        var released = occupied.release(new Reach.Blocks(1, 1)).after();

        assertThat(set.usedCount()).isZero();
        assertThat(set.cursor()).isZero();
        assertThat(took.after().usedCount()).isEqualTo(1);
        assertThat(occupied.usedCount()).isEqualTo(2);
        assertThat(released.usedCount()).isEqualTo(1);
    }

    @Test
    void anIpv4ClusterOfMoreThan2To24BlocksIsRefused() {
        var cluster = new Subdivision(Prefix.parse("0.0.0.0/7"), 32);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> CidrSet.empty(cluster))
                .withMessage("0.0.0.0/7 has more than 2^24 node CIDRs of /32");
    }

    @Test
    void aCursorOutsideOfTheSetIsRefused() {
        var set = CidrSet.empty(new Subdivision(Prefix.parse("10.0.0.0/22"), 24));

        assertThatIllegalArgumentException().isThrownBy(() -> set.at(4));
        assertThatIllegalArgumentException().isThrownBy(() -> set.at(-1));
    }

    @Test
    void aTwinThatWalksBlockByBlockAgrees() {
        for (long seed = 1; seed <= 300; seed++) {
            var random = new Random(seed);
            int clusterLength = 16 + random.nextInt(6);
            int nodeMask = clusterLength + random.nextInt(9);
            var cluster = new Subdivision(
                    Prefix.containing(Prefix.parse("10.244.0.0/16").address(), clusterLength), nodeMask);
            var set = CidrSet.empty(cluster);
            var twin = new SlowCidrSet(cluster);
            for (int step = 0; step < 60; step++) {
                set = sameStep("seed " + seed, set, twin, random);
            }
        }
    }

    private static CidrSet sameStep(String seed, CidrSet set, SlowCidrSet twin, Random random) {
        int length = set.cluster().whole().length() + random.nextInt(16);
        var cidr =
                Prefix.containing(set.cluster().whole().address().plus(random.nextInt(1 << 11)), Math.min(32, length));
        CidrSet after;
        if (random.nextInt(3) > 0) {
            after = switch (set.next()) {
                case Next.Took(var _, var block, var tries, var taken) -> {
                    assertThat(twin.next()).as(seed).contains(block);
                    assertThat(tries).as(seed).isEqualTo(twin.tries());
                    yield taken;
                }
                case Next.NoneRemaining _ -> {
                    assertThat(twin.next()).as(seed).isEmpty();
                    yield set;
                }
            };
        } else if (!(set.reach(cidr) instanceof Reach.Blocks blocks)) {
            assertThat(set.cluster().whole().overlaps(cidr)).as(seed).isFalse();
            after = set;
        } else if (random.nextBoolean()) {
            twin.occupy(cidr);
            after = set.occupy(blocks).after();
        } else {
            twin.release(cidr);
            after = set.release(blocks).after();
        }
        assertThat(after.cursor()).as(seed).isEqualTo(twin.cursor());
        var used = new HashSet<Integer>();
        IntStream.range(0, after.blockCount()).filter(after::uses).forEach(used::add);
        assertThat(used).as(seed).isEqualTo(twin.used());
        assertThat(after.usedCount()).as(seed).isEqualTo(used.size());
        return after;
    }
}
