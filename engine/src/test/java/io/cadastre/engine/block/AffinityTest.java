package io.cadastre.engine.block;

import static io.cadastre.engine.block.BlockCluster.pool;
import static io.cadastre.engine.block.Fixtures.NOW;
import static io.cadastre.engine.block.Fixtures.address;
import static io.cadastre.engine.block.Fixtures.prefix;
import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Family;
import io.cadastre.engine.block.BlockChange.DropAffinity;
import io.cadastre.engine.block.BlockChange.DropBlock;
import io.cadastre.engine.block.BlockChange.PutAffinity;
import io.cadastre.engine.block.BlockChange.UpdateBlock;
import io.cadastre.engine.block.assign.AffinityClaim;
import io.cadastre.engine.block.assign.ClaimRequest;
import io.cadastre.engine.block.collect.BlockCollector;
import io.cadastre.engine.block.collect.CollectorSettings;
import io.cadastre.engine.block.collect.LeakTracker;
import io.cadastre.engine.block.collect.LiveOwners;
import io.cadastre.engine.block.release.AffinityRelease;
import io.cadastre.engine.block.release.BlockGiveUp;
import io.cadastre.engine.block.release.ReleaseCondition;
import io.cadastre.engine.block.release.ReleaseOption;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// Blocks leased and given up.
class AffinityTest {

    private static final Owner HOST_A = Owner.host("host-a");
    private static final Owner HOST_B = Owner.host("host-b");

    private static AffinityClaim claim(BlockCluster cluster, String cidr, Owner owner) {
        return cluster.enact(
                BlockEngine.claimAffinity(cluster.view(), new ClaimRequest(prefix(cidr), owner, cluster.now())));
    }

    @Test
    void prefixOutsideOrLargerThanItsPoolIsRefused() {
        var cluster = BlockCluster.with(pool("p", "10.0.0.0/24"));

        for (var cidr : List.of("20.0.0.0/24", "10.0.0.0/16")) {
            assertThat(((AffinityClaim.Refused) claim(cluster, cidr, HOST_A))
                            .refusal()
                            .sentence())
                    .isEqualTo("The requested CIDR (%s) is not within any configured pools.".formatted(cidr));
        }
        assertThat(cluster.blocks()).isEmpty();
    }

    @Test
    void releaseOfABlockIsWrittenInTheLegalOrder() {
        var cluster = BlockCluster.with(pool("p", "10.0.0.0/24"));
        cluster.assignAddress("host-a", "10.0.0.1", "h");
        claim(cluster, "10.0.0.64/26", HOST_A);

        var decision = BlockEngine.releaseHost(
                cluster.view(), HOST_A, ReleaseCondition.NOT_REQUIRED, Attempts.first(cluster.now()));
        cluster.enact(decision);

        assertThat(decision.changes())
                .extracting(Object::getClass)
                .containsExactly(
                        PutAffinity.class,
                        UpdateBlock.class,
                        DropAffinity.class,
                        PutAffinity.class,
                        DropBlock.class,
                        DropAffinity.class);
        assertThat(cluster.block("10.0.0.0/26").owner()).isEmpty();
        assertThat(cluster.block("10.0.0.0/26").claimedAt()).isEmpty();
        assertThat(cluster.blocks()).containsExactly("10.0.0.0/26");
    }

    /// Its owner gave up the announced block while the block was on its way into a store without
    /// transactions.
    @Test
    void emptyBlockWithoutAnAffinityIsGivenUpByItsOwnerAndByTheCollector() {
        var cluster = BlockCluster.with(pool("p", "10.0.0.0/24"));
        claim(cluster, "10.0.0.64/26", HOST_A);
        cluster.look(cluster.view().with(new DropAffinity(HOST_A, prefix("10.0.0.64/26"))));

        var asked = BlockEngine.releaseBlock(
                cluster.view(), prefix("10.0.0.64/26"), ReleaseCondition.REQUIRED, cluster.now());
        var collected = BlockEngine.cleanNode(cluster.view(), "host-a", Attempts.first(cluster.now()));

        assertThat(asked.changes()).extracting(Object::getClass).containsExactly(DropBlock.class);
        assertThat(collected.changes()).extracting(Object::getClass).containsExactly(DropBlock.class);
        assertThat(collected.outcome().released()).containsExactly(prefix("10.0.0.64/26"));
        assertThat(collected.because().getLast().sentence()).contains("its owner keeps no affinity to it");
    }

    /// Seed 50000649 of the simulation of blocks.
    @Test
    void hostThatIsGoneIsFoundByABlockToWhichItKeepsNoAffinity() {
        var cluster = BlockCluster.with(pool("p", "10.0.0.0/24"));
        var gone = Owner.host("gone");
        claim(cluster, "10.0.0.64/26", gone);
        cluster.look(cluster.view().with(new DropAffinity(gone, prefix("10.0.0.64/26"))));
        var nothingLives = new LiveOwners(
                Collections.emptySortedSet(),
                Map.of(),
                Collections.emptySortedSet(),
                new LiveOwners.Machines.None(),
                Collections.emptySortedSet());

        var plan = BlockCollector.plan(
                cluster.view(),
                nothingLives,
                LeakTracker.NOTHING_SEEN,
                CollectorSettings.DEFAULT,
                new BlockCollector.Scope.Everything(),
                cluster.now());

        assertThat(plan.deadNodes()).containsExactly("gone");
    }

    @Test
    void poolGivesUpAllItsBlocksAndKeepsTheirAddresses() {
        var cluster = BlockCluster.with(pool("p", "10.0.0.0/24"), pool("q", "10.1.0.0/24"));
        cluster.assignAddress("host-a", "10.0.0.1", "h");
        claim(cluster, "10.0.0.64/26", HOST_B);
        claim(cluster, "10.1.0.0/26", HOST_B);

        cluster.enact(BlockEngine.releasePool(cluster.view(), prefix("10.0.0.0/24"), Attempts.first(cluster.now())));

        assertThat(cluster.blocks()).containsExactly("10.0.0.0/26", "10.1.0.0/26");
        assertThat(cluster.block("10.0.0.0/26").addressesOf("h")).containsExactly(address("10.0.0.1"));
        assertThat(cluster.view().affinities()).hasSize(1);
    }

    @Test
    void removedHostKeepsItsAddressesAndLosesItsRecord() {
        var cluster = BlockCluster.with(pool("p", "10.0.0.0/24"));
        cluster.assignAddress("host-a", "10.0.0.1", "h");
        var item = new BlockItem.OfHostRecord("host-a");
        cluster.look(cluster.view().with(item, item));

        cluster.enact(BlockEngine.removeHost(cluster.view(), HOST_A, Attempts.first(NOW)));

        assertThat(cluster.block("10.0.0.0/26").addressesOf("h")).hasSize(1);
        assertThat(cluster.affinities("host-a")).isEmpty();
        assertThat(cluster.view().hasHostRecord("host-a")).isFalse();
    }

    @Test
    void ownerThatCannotBeReadCannotGiveUp() {
        var cluster = BlockCluster.with(pool("p", "10.0.0.0/24"));
        var cidr = prefix("10.0.0.0/30");
        cluster.block(Block.stored(cidr)
                .owner(Owner.parse("strange"))
                .unallocated(0, 1, 2, 3)
                .build());

        var release = cluster.enact(BlockEngine.releaseBlock(cluster.view(), cidr, ReleaseCondition.REQUIRED, NOW));

        assertThat(((AffinityRelease.Stopped) release).refusal().sentence())
                .isEqualTo("could not parse affinity config");
    }

    @Test
    void utilizationCountsPoolsBlocksAndOrphans() {
        var cluster = BlockCluster.with(pool("p", "10.65.0.0/16"), pool("q", "10.67.0.0/24"));
        cluster.assign("host-a", 5, "h");
        cluster.assignAddress("host-a", "10.67.0.129", "h");
        cluster.assign("host-b", 1, "v");
        cluster.pools(pool("p", "10.65.0.0/16")).reserve("10.65.1.0/24");

        var used = BlockQueries.utilization(cluster.view(), List.of());
        var one = BlockQueries.utilization(cluster.view(), List.of("10.65.0.0/16"));

        assertThat(used).hasSize(2);
        assertThat(used.getFirst().total()).isEqualTo(new Utilization.Numbers(65536, 6, 256, 65536 - 256 - 6));
        assertThat(used.getFirst().blocks()).hasSize(2);
        assertThat(used.getLast().name()).isEqualTo("orphaned allocation blocks");
        assertThat(used.getLast().blocks())
                .containsExactly(new Utilization.OfBlock(
                        prefix("10.67.0.128/26"), "host:host-a", new Utilization.Numbers(64, 1, 0, 63)));
        assertThat(one).containsExactly(used.getFirst());
        assertThat(cluster.view().blocks(Family.IPV4)).hasSize(3);
    }

    @Test
    void attributesOfAnAddress() {
        var cluster = BlockCluster.with(pool("p", "10.0.0.0/24")).config(IpamConfig.DEFAULT.withCooldownSeconds(60));
        cluster.assignAddress("host-a", "10.0.0.1", "h");
        cluster.assignAddress("host-a", "10.0.0.2", "i");
        cluster.release(ReleaseOption.of("10.0.0.2"));

        assertThat(BlockQueries.attributesOf(cluster.view(), address("10.0.0.1"), cluster.now()))
                .isEqualTo(new AddressAttributes.Assigned(Attribute.Held.by("h", Fixtures.labels())));
        assertThat(sentence(cluster, "10.0.0.2")).isEqualTo("address 10.0.0.2 is in cooldown");
        assertThat(sentence(cluster, "10.0.0.3")).endsWith("with error: IP is unassigned");
        assertThat(sentence(cluster, "10.0.0.64"))
                .isEqualTo("resource does not exist: BlockKey(cidr=10.0.0.64/26) with error: <nil>");
        assertThat(sentence(cluster, "1.1.1.1")).endsWith("with error: No valid IPPool");
    }

    private static String sentence(BlockCluster cluster, String address) {
        var answer = BlockQueries.attributesOf(cluster.view(), Fixtures.address(address), cluster.now());
        return ((AddressAttributes.Refused) answer).refusal().sentence();
    }

    @Test
    @DisplayName("CAL-82: what was given up cannot be given up again")
    void whatWasGivenUpCannotBeGivenUpAgain() {
        var cluster = BlockCluster.with(pool("p", "10.1.0.0/16"));
        var draft = new Draft(cluster.view(), cluster.now());

        var second = BlockGiveUp.of(
                draft,
                Owner.virtual("host-a"),
                prefix("10.1.1.0/26"),
                ReleaseCondition.REQUIRED,
                BlockReason.GiveUpRule.ASKED_FOR);

        assertThat(second).hasValueSatisfying(refusal -> assertThat(refusal).isInstanceOf(BlockRefusal.NotThere.class));
    }
}
