package io.cadastre.engine.block;

import static io.cadastre.engine.block.Fixtures.NOW;
import static io.cadastre.engine.block.Fixtures.address;
import static io.cadastre.engine.block.Fixtures.prefix;
import static io.cadastre.engine.block.World.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Family;
import io.cadastre.engine.block.BlockChange.DropAffinity;
import io.cadastre.engine.block.BlockChange.DropBlock;
import io.cadastre.engine.block.BlockChange.PutAffinity;
import io.cadastre.engine.block.BlockChange.UpdateBlock;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.util.Collections;
import java.util.List;
import java.util.Map;

/// Blocks leased and given up.
class AffinityTest {

    private static final Owner HOST_A = Owner.host("host-a");
    private static final Owner HOST_B = Owner.host("host-b");

    private static AffinityClaim claim(World world, String cidr, Owner owner) {
        return world.enact(
                BlockAffinities.claim(
                        world.view(), new ClaimRequest(prefix(cidr), owner, world.now())));
    }

    @Test
    void prefixOutsideOrLargerThanItsPoolIsRefused() {
        var world = World.with(pool("p", "10.0.0.0/24"));

        for (var cidr : List.of("20.0.0.0/24", "10.0.0.0/16")) {
            assertThat(((AffinityClaim.Refused) claim(world, cidr, HOST_A)).refusal().sentence())
                    .isEqualTo(
                            "The requested CIDR (%s) is not within any configured pools."
                                    .formatted(cidr));
        }
        assertThat(world.blocks()).isEmpty();
    }

    @Test
    void releaseOfABlockIsWrittenInTheLegalOrder() {
        var world = World.with(pool("p", "10.0.0.0/24"));
        world.assignAddress("host-a", "10.0.0.1", "h");
        claim(world, "10.0.0.64/26", HOST_A);

        var decision =
                BlockAffinities.releaseHost(
                        world.view(), HOST_A, Emptiness.NOT_REQUIRED, world.now());
        world.enact(decision);

        assertThat(decision.changes())
                .extracting(Object::getClass)
                .containsExactly(
                        PutAffinity.class,
                        UpdateBlock.class,
                        DropAffinity.class,
                        PutAffinity.class,
                        DropBlock.class,
                        DropAffinity.class);
        assertThat(world.block("10.0.0.0/26").owner()).isEmpty();
        assertThat(world.block("10.0.0.0/26").claimedAt()).isEmpty();
        assertThat(world.blocks()).containsExactly("10.0.0.0/26");
    }

    /// Its owner gave up what he had announced while the block was on its way into a store without
    /// transactions.
    @Test
    void emptyBlockWithoutAnAffinityIsGivenUpByItsOwnerAndByTheCollector() {
        var world = World.with(pool("p", "10.0.0.0/24"));
        claim(world, "10.0.0.64/26", HOST_A);
        world.look(world.view().with(new DropAffinity(HOST_A, prefix("10.0.0.64/26"))));

        var asked =
                BlockAffinities.releaseBlock(
                        world.view(), prefix("10.0.0.64/26"), Emptiness.REQUIRED, world.now());
        var collected = BlockCollector.cleanNode(world.view(), "host-a", world.now());

        assertThat(asked.changes()).extracting(Object::getClass).containsExactly(DropBlock.class);
        assertThat(collected.changes())
                .extracting(Object::getClass)
                .containsExactly(DropBlock.class);
        assertThat(collected.outcome().released()).containsExactly(prefix("10.0.0.64/26"));
        assertThat(collected.because().getLast().sentence())
                .contains("its owner keeps no affinity to it");
    }

    /// Seed 50000649 of the simulation of blocks.
    @Test
    void hostThatIsGoneIsFoundByABlockToWhichItKeepsNoAffinity() {
        var world = World.with(pool("p", "10.0.0.0/24"));
        var gone = Owner.host("gone");
        claim(world, "10.0.0.64/26", gone);
        world.look(world.view().with(new DropAffinity(gone, prefix("10.0.0.64/26"))));
        var nothingLives =
                new Population(
                        Collections.emptySortedSet(),
                        Map.of(),
                        Collections.emptySortedSet(),
                        new Population.Machines.None(),
                        Collections.emptySortedSet());

        var judgement =
                BlockCollector.judge(
                        world.view(),
                        nothingLives,
                        Tracker.NOTHING_SEEN,
                        CollectorSettings.DEFAULT,
                        new BlockCollector.Scope.Everything(),
                        world.now());

        assertThat(judgement.deadNodes()).containsExactly("gone");
    }

    @Test
    void poolGivesUpAllItsBlocksAndKeepsTheirAddresses() {
        var world = World.with(pool("p", "10.0.0.0/24"), pool("q", "10.1.0.0/24"));
        world.assignAddress("host-a", "10.0.0.1", "h");
        claim(world, "10.0.0.64/26", HOST_B);
        claim(world, "10.1.0.0/26", HOST_B);

        world.enact(BlockAffinities.releasePool(world.view(), prefix("10.0.0.0/24"), world.now()));

        assertThat(world.blocks()).containsExactly("10.0.0.0/26", "10.1.0.0/26");
        assertThat(world.block("10.0.0.0/26").addressesOf("h"))
                .containsExactly(address("10.0.0.1"));
        assertThat(world.view().affinities()).hasSize(1);
    }

    @Test
    void removedHostKeepsItsAddressesAndLosesItsRecord() {
        var world = World.with(pool("p", "10.0.0.0/24"));
        world.assignAddress("host-a", "10.0.0.1", "h");
        world.look(world.view().knowingHostRecord("host-a"));

        world.enact(BlockAffinities.removeHost(world.view(), HOST_A, NOW));

        assertThat(world.block("10.0.0.0/26").addressesOf("h")).hasSize(1);
        assertThat(world.affinities("host-a")).isEmpty();
        assertThat(world.view().hasHostRecord("host-a")).isFalse();
    }

    @Test
    void ownerThatCannotBeReadCannotGiveUp() {
        var world = World.with(pool("p", "10.0.0.0/24"));
        var cidr = prefix("10.0.0.0/30");
        world.block(
                Block.stored(cidr).owner(Owner.parse("strange")).unallocated(0, 1, 2, 3).build());

        var release =
                world.enact(
                        BlockAffinities.releaseBlock(world.view(), cidr, Emptiness.REQUIRED, NOW));

        assertThat(((AffinityRelease.Stopped) release).refusal().sentence())
                .isEqualTo("could not parse affinity config");
    }

    @Test
    void utilizationCountsPoolsBlocksAndOrphans() {
        var world = World.with(pool("p", "10.65.0.0/16"), pool("q", "10.67.0.0/24"));
        world.assign("host-a", 5, "h");
        world.assignAddress("host-a", "10.67.0.129", "h");
        world.assign("host-b", 1, "v");
        world.pools(pool("p", "10.65.0.0/16")).reserve("10.65.1.0/24");

        var used = BlockQueries.utilization(world.view(), List.of());
        var one = BlockQueries.utilization(world.view(), List.of("10.65.0.0/16"));

        assertThat(used).hasSize(2);
        assertThat(used.getFirst().total())
                .isEqualTo(new Utilization.Numbers(65536, 6, 256, 65536 - 256 - 6));
        assertThat(used.getFirst().blocks()).hasSize(2);
        assertThat(used.getLast().name()).isEqualTo("orphaned allocation blocks");
        assertThat(used.getLast().blocks())
                .containsExactly(
                        new Utilization.OfBlock(
                                prefix("10.67.0.128/26"),
                                "host:host-a",
                                new Utilization.Numbers(64, 1, 0, 63)));
        assertThat(one).containsExactly(used.getFirst());
        assertThat(world.view().blocks(Family.IPV4)).hasSize(3);
    }

    @Test
    void attributesOfAnAddress() {
        var world =
                World.with(pool("p", "10.0.0.0/24"))
                        .config(IpamConfig.DEFAULT.withCooldownSeconds(60));
        world.assignAddress("host-a", "10.0.0.1", "h");
        world.assignAddress("host-a", "10.0.0.2", "i");
        world.release(ReleaseOption.of("10.0.0.2"));

        assertThat(BlockQueries.attributesOf(world.view(), address("10.0.0.1"), world.now()))
                .isEqualTo(
                        new AddressAttributes.Assigned(Attribute.Held.by("h", Fixtures.labels())));
        assertThat(sentence(world, "10.0.0.2")).isEqualTo("address 10.0.0.2 is in cooldown");
        assertThat(sentence(world, "10.0.0.3")).endsWith("with error: IP is unassigned");
        assertThat(sentence(world, "10.0.0.64"))
                .isEqualTo(
                        "resource does not exist: BlockKey(cidr=10.0.0.64/26) with error: <nil>");
        assertThat(sentence(world, "1.1.1.1")).endsWith("with error: No valid IPPool");
    }

    private static String sentence(World world, String address) {
        var answer =
                BlockQueries.attributesOf(world.view(), Fixtures.address(address), world.now());
        return ((AddressAttributes.Refused) answer).refusal().sentence();
    }

    @Test
    @DisplayName("CAL-82: what was given up cannot be given up again")
    void whatWasGivenUpCannotBeGivenUpAgain() {
        var world = World.with(pool("p", "10.1.0.0/16"));
        var draft = new Draft(world.view(), world.now());

        var second =
                Surrender.of(
                        draft,
                        Owner.virtual("host-a"),
                        prefix("10.1.1.0/26"),
                        Emptiness.REQUIRED,
                        BlockReason.GiveUpRule.ASKED_FOR);

        assertThat(second)
                .hasValueSatisfying(
                        refusal -> assertThat(refusal).isInstanceOf(BlockRefusal.NotThere.class));
    }
}
