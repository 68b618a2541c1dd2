package io.cadastre.wire.calico.scenario;

import static io.cadastre.wire.calico.scenario.Words.address;
import static io.cadastre.wire.calico.scenario.Words.labels;
import static io.cadastre.wire.calico.scenario.Words.pool;
import static io.cadastre.wire.calico.scenario.Words.prefix;
import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.engine.block.AddressAttributes;
import io.cadastre.engine.block.Affinity;
import io.cadastre.engine.block.Attribute.Held;
import io.cadastre.engine.block.Block;
import io.cadastre.engine.block.BlockEngine;
import io.cadastre.engine.block.BlockQueries;
import io.cadastre.engine.block.BlockRefusal;
import io.cadastre.engine.block.HostReserve;
import io.cadastre.engine.block.IpamConfig;
import io.cadastre.engine.block.Owner;
import io.cadastre.engine.block.assign.AddressAssignment;
import io.cadastre.engine.block.assign.ClaimRequest;
import io.cadastre.engine.block.release.HandleRelease;
import io.cadastre.engine.block.release.Release;
import io.cadastre.engine.block.release.ReleaseOption;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// What becomes of one block from write to write.
public abstract class BlockScenarios extends ScenarioContract {

    private static final Owner NODE_A = Owner.host("node-a");

    /// node-a has the only block of a pool.
    private ScenarioCluster oneBlock(String cidr) {
        var cluster = cluster(pool("p", cidr, prefix(cidr).length()));
        cluster.enact(view -> BlockEngine.claimAffinity(view, new ClaimRequest(prefix(cidr), NODE_A, cluster.now())));
        return cluster;
    }

    /// node-a has this block, as another process left it.
    private ScenarioCluster oldBlock(Block block) {
        var cluster = cluster(pool("p", block.cidr().toString(), block.cidr().length()));
        return cluster.block(block).affinity(new Affinity(NODE_A, block.cidr(), Affinity.State.CONFIRMED));
    }

    private static int[] unallocated(ScenarioCluster cluster, String cidr) {
        return cluster.block(cidr).unallocated();
    }

    private static BlockRefusal refusal(Release release) {
        return ((Release.Stopped) release).refusal();
    }

    @Test
    @DisplayName("CAL-1: a fresh block is read as it was written")
    void freshBlockIsReadAsItWasWritten() {
        var cluster = oneBlock("10.0.0.0/26");

        var block = cluster.block("10.0.0.0/26");

        assertThat(block).isEqualTo(Block.fresh(prefix("10.0.0.0/26"), NODE_A, new HostReserve.None(), cluster.now()));
        assertThat(block.unallocated()).isEqualTo(IntStream.range(0, 64).toArray());
    }

    @Test
    @DisplayName("CAL-4: addresses of one request share an attribute and remember the number before")
    void addressesOfOneRequestShareAnAttribute() {
        var cluster = oneBlock("10.9.0.0/29");
        long before = cluster.block("10.9.0.0/29").sequence();

        var given = cluster.assign("node-a", 3, "h");

        var block = cluster.block("10.9.0.0/29");
        assertThat(given).containsExactly("10.9.0.0", "10.9.0.1", "10.9.0.2");
        assertThat(block.attributes()).containsExactly(Held.by("h", labels()));
        assertThat(block.unallocated()).containsExactly(3, 4, 5, 6, 7);
        assertThat(block.sequences()).isEqualTo(numbers(before, 0, 1, 2));
        assertThat(block.sequence()).isEqualTo(before + 1);
    }

    private static SortedMap<Integer, Long> numbers(long number, int... ordinals) {
        var numbers = new TreeMap<Integer, Long>();
        for (int ordinal : ordinals) {
            numbers.put(ordinal, number);
        }
        return numbers;
    }

    @Test
    @DisplayName("CAL-5: what was free longest is given first")
    void queueIsOldestFirst() {
        var cluster = oneBlock("10.9.0.0/29");
        cluster.assign("node-a", 3, "h");
        cluster.release(ReleaseOption.of("10.9.0.1"));
        cluster.release(ReleaseOption.of("10.9.0.0"));

        var given = cluster.assign("node-a", 6, "i");

        assertThat(given).containsExactly("10.9.0.3", "10.9.0.4", "10.9.0.5", "10.9.0.6", "10.9.0.7", "10.9.0.1");
        assertThat(unallocated(cluster, "10.9.0.0/29")).containsExactly(0);
    }

    @Test
    @DisplayName("CAL-6: what is freed together joins the queue in ascending order")
    void freedTogetherJoinsInAscendingOrder() {
        var cluster = oneBlock("10.9.0.0/29");
        cluster.assign("node-a", 3, "h");

        cluster.release(ReleaseOption.of("10.9.0.2"), ReleaseOption.of("10.9.0.0"), ReleaseOption.of("10.9.0.1"));

        assertThat(unallocated(cluster, "10.9.0.0/29")).containsExactly(3, 4, 5, 6, 7, 0, 1, 2);
    }

    @Test
    @DisplayName("CAL-9: a released address cools, and is free at the tail once it is cold")
    void releasedAddressCools() {
        var cluster = oneBlock("10.9.0.0/29").config(IpamConfig.DEFAULT.withCooldownSeconds(60));
        cluster.assign("node-a", 1, "h");
        cluster.release(ReleaseOption.of("10.9.0.0"));

        var attributes = cluster.see(view -> BlockQueries.attributesOf(view, address("10.9.0.0"), cluster.now()));
        var again = cluster.release(ReleaseOption.of("10.9.0.0"));
        var byName = cluster.assignAddress("node-a", "10.9.0.0", "i");
        var whileCooling = unallocated(cluster, "10.9.0.0/29");
        cluster.later(Duration.ofSeconds(61)).assign("node-a", 1, "j");

        assertThat(((AddressAttributes.Refused) attributes).refusal().sentence())
                .isEqualTo("address 10.9.0.0 is in cooldown");
        assertThat(again.unallocated()).containsExactly(address("10.9.0.0"));
        assertThat(((AddressAssignment.Refused) byName).refusal().sentence())
                .startsWith("resource already exists: 10.9.0.0");
        assertThat(whileCooling).containsExactly(1, 2, 3, 4, 5, 6, 7);
        assertThat(unallocated(cluster, "10.9.0.0/29")).containsExactly(2, 3, 4, 5, 6, 7, 0);
    }

    @Test
    @DisplayName("CAL-10: a reserved address is passed over and keeps its place")
    void reservedAddressKeepsItsPlace() {
        var cluster = oneBlock("10.9.0.0/29").reserve("10.9.0.0/31");

        var given = cluster.assign("node-a", 2);

        assertThat(given).containsExactly("10.9.0.2", "10.9.0.3");
        assertThat(unallocated(cluster, "10.9.0.0/29")).containsExactly(0, 1, 4, 5, 6, 7);
    }

    @Test
    @DisplayName("CAL-12: what an old migration wrote behind a handle does not count")
    void handleEndsAtTheCarriageReturn() {
        var cluster = oldBlock(Block.stored(prefix("10.9.0.0/30"))
                .owner(NODE_A)
                .allocations(0, Block.FREE, Block.FREE, Block.FREE)
                .unallocated(1, 2, 3)
                .attributes(List.of(Held.by("abc\r\neth0", labels())))
                .build());
        var held = cluster.block("10.9.0.0/30").addressesOf("abc");

        var release = cluster.release(ReleaseOption.of("10.9.0.0").withHandle("abc"));

        assertThat(held).containsExactly(address("10.9.0.0"));
        assertThat(release).isInstanceOf(Release.Done.class);
        assertThat(cluster.block("10.9.0.0/30").empty()).isTrue();
    }

    @Test
    @DisplayName("CAL-13: the sequence number is compared before anything else")
    void sequenceNumberIsComparedFirst() {
        var cluster = oneBlock("10.9.0.0/29");
        var free = ReleaseOption.of("10.9.0.0");

        var wrong = cluster.release(free.withSequence(7));
        var zero = cluster.release(free.withSequence(0));
        var none = cluster.release(free);

        assertThat(refusal(wrong).sentence()).isEqualTo("update conflict: 10.9.0.0");
        assertThat(zero.unallocated()).containsExactly(address("10.9.0.0"));
        assertThat(none.unallocated()).containsExactly(address("10.9.0.0"));
    }

    @Test
    @DisplayName("CAL-16: attributes that nothing points to vanish with the next write")
    void unreferencedAttributesVanish() {
        var cluster = oldBlock(Block.stored(prefix("10.9.0.0/30"))
                .owner(NODE_A)
                .allocations(2, Block.FREE, Block.FREE, Block.FREE)
                .unallocated(1, 2, 3)
                .attributes(List.of(
                        Held.by("", labels("a", "gone")),
                        Held.by("", labels("b", "gone")),
                        Held.by("", labels("c", "here"))))
                .build());

        cluster.assign("node-a", 1, "h");

        assertThat(cluster.block("10.9.0.0/30").attributes())
                .containsExactly(Held.by("", labels("c", "here")), Held.by("h", labels()));
    }

    @Test
    @DisplayName("CAL-73: a release on another sequence number or handle changes nothing")
    void releaseIsRefusedOnAnotherNumberOrHandle() {
        var cluster = oldBlock(Block.stored(prefix("192.168.0.0/30"))
                .owner(NODE_A)
                .unallocated(1, 0, 2, 3)
                .build());
        cluster.assign("node-a", 1, "real");
        var option = ReleaseOption.of("192.168.0.1");
        var before = cluster.block("192.168.0.0/30");

        var number = cluster.release(option.withSequence(1));
        var handle = cluster.release(option.withHandle("fakehandle"));
        var unchanged = cluster.block("192.168.0.0/30");
        var right = cluster.release(option.withSequence(0));

        assertThat(refusal(number)).isInstanceOf(BlockRefusal.Conflict.class);
        assertThat(refusal(handle)).isInstanceOf(BlockRefusal.Conflict.class);
        assertThat(unchanged).isEqualTo(before);
        assertThat(right.released()).containsExactly(option.withSequence(0));
        assertThat(cluster.releaseByHandle("real")).isInstanceOf(HandleRelease.Refused.class);
    }
}
