package io.cadastre.wire.calico.scenario;

import static io.cadastre.wire.calico.scenario.Words.address;
import static io.cadastre.wire.calico.scenario.Words.pool;
import static io.cadastre.wire.calico.scenario.Words.prefix;
import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Family;
import io.cadastre.engine.block.AddressUse;
import io.cadastre.engine.block.Affinity;
import io.cadastre.engine.block.Attribute;
import io.cadastre.engine.block.Block;
import io.cadastre.engine.block.BlockEngine;
import io.cadastre.engine.block.BlockReason.BlockRule;
import io.cadastre.engine.block.BlockReason.PassedOver;
import io.cadastre.engine.block.HostReserve;
import io.cadastre.engine.block.IpamConfig;
import io.cadastre.engine.block.Owner;
import io.cadastre.engine.block.assign.AssignRequest;
import io.cadastre.engine.block.assign.AssignRequest.Ask;
import io.cadastre.engine.block.assign.Assignment;
import io.cadastre.engine.block.assign.ClaimRequest;
import io.cadastre.engine.block.assign.EnsureRequest;
import io.cadastre.engine.block.assign.EnsuredBlocks;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Which blocks addresses are taken from.
public abstract class BlockChoiceScenarios extends ScenarioContract {

    private static final String V6 = "fd80:24e2:f998:72d6::/120";

    @Test
    @DisplayName("CAL-47: without a use nothing is given")
    void useMustBeStated() {
        var cluster = cluster(pool("p", "10.0.0.0/24"));

        var decision = cluster.explain(view -> BlockEngine.assign(
                view,
                AssignRequest.on("node-a", AddressUse.UNSTATED, ScenarioCluster.NOW)
                        .ipv4(Ask.of(1))));

        assertThat(refusal(decision.outcome())).isEqualTo("must specify the intended use when assigning an IP");
        assertThat(decision.changes()).isEmpty();
    }

    @Test
    @DisplayName("CAL-48: a node that is not there gets nothing and nothing is written")
    void missingNodeGetsNothing() {
        var cluster = cluster(pool("p", "10.0.0.0/24"));

        var decision = cluster.explain(
                view -> BlockEngine.assign(view, cluster.request("unknown").ipv4(Ask.of(1))));

        assertThat(refusal(decision.outcome())).isEqualTo("resource does not exist: Node(unknown) with error: <nil>");
        assertThat(decision.changes()).isEmpty();
    }

    @Test
    @DisplayName("CAL-49: blocks of a pool that was replaced are not used any more")
    void blocksOfARemovedPoolAreNotUsed() {
        var cluster = cluster(pool("old", "10.0.0.0/24"));
        cluster.assign("host-a", 1);
        cluster.pools(pool("new", "20.0.0.0/24"));

        var given = Stream.concat(cluster.assign("host-a", 2).stream(), cluster.assign("host-b", 2).stream())
                .toList();

        assertThat(given).hasSize(4).allMatch(text -> text.startsWith("20.0.0."));
        assertThat(cluster.affinities("host-a")).contains("10.0.0.0/26 confirmed");
    }

    @Test
    @DisplayName("CAL-50: where a host begins depends on its name")
    void startDependsOnTheName() {
        var cluster = cluster(pool("p", "10.0.0.0/24"));

        assertThat(cluster.assign("host-a", 1)).containsExactly("10.0.0.0");
        assertThat(cluster.assign("host-b", 1)).containsExactly("10.0.0.128");
    }

    @Test
    @DisplayName("CAL-51: a host fills its block before it claims the next")
    void blockIsFilledBeforeTheNextIsClaimed() {
        var cluster = cluster(pool("p", "10.0.0.0/24"));

        var given = cluster.assign("node-a", 65);

        assertThat(given.subList(0, 64))
                .allMatch(text -> prefix("10.0.0.128/26").contains(address(text)));
        assertThat(given.getLast()).isEqualTo("10.0.0.192");
    }

    @ParameterizedTest
    @DisplayName("CAL-53: an affine block that is all reserved is passed over")
    @CsvSource({"192.168.1.0/26, 192.168.1.0/26", "192.168.1.0/27, 192.168.1.32/27"})
    void reservedAffineBlockIsPassedOver(String one, String other) {
        var cluster = cluster(pool("p", "192.168.1.0/24"));
        for (var cidr : List.of("192.168.1.0/26", "192.168.1.64/26")) {
            cluster.enact(view -> BlockEngine.claimAffinity(
                    view, new ClaimRequest(prefix(cidr), Owner.host("node-a"), cluster.now())));
        }
        cluster.reserve(one, other);

        var decision = cluster.explain(
                view -> BlockEngine.assign(view, cluster.request("node-a").ipv4(Ask.of(1))));

        assertThat(decision.outcome().addresses()).containsExactly(address("192.168.1.64"));
        assertThat(decision.because()).contains(new PassedOver(prefix("192.168.1.0/26"), BlockRule.WHOLLY_RESERVED));
    }

    @Test
    @DisplayName("CAL-55: without a handle there is no handle document")
    void noHandleNoDocument() {
        var cluster = cluster(pool("p", "10.0.0.0/24"));

        cluster.assign("node-a", 3);

        assertThat(cluster.view().handles()).isEmpty();
    }

    @Test
    @DisplayName("CAL-56: a handle counts what was given, not what was asked for")
    void handleCountsWhatWasGiven() {
        var cluster = cluster(pool("p", "10.0.0.0/24", 31));

        cluster.assign("node-a", 3, "h");

        assertThat(cluster.view().findHandle("h").orElseThrow().total(Family.IPV4))
                .isEqualTo(3);
    }

    @Test
    @DisplayName("CAL-57: without automatic blocks only claimed ones serve")
    void withoutAutomaticBlocksOnlyClaimedOnesServe() {
        var cluster = cluster(pool("p", "10.0.0.0/24"))
                .config(IpamConfig.DEFAULT.withStrictAffinity(true).withAutoAllocateBlocks(false));

        var before = cluster.assign(cluster.request("node-a").ipv4(Ask.of(1)));
        cluster.enact(view -> BlockEngine.claimAffinity(
                view, new ClaimRequest(prefix("10.0.0.0/26"), Owner.host("node-a"), cluster.now())));
        var after = cluster.assign(cluster.request("node-a").ipv4(Ask.of(65)));

        assertThat(refusal(before)).isEqualTo("failed to find or claim a block");
        assertThat(after.addresses()).hasSize(64);
        assertThat(((Assignment.Stopped) after).refusal().sentence()).isEqualTo("failed to find or claim a block");
    }

    @Test
    @DisplayName("CAL-59: a host can ask for a block without an address")
    void blockCanBeEnsured() {
        var cluster = cluster(pool("p1", "10.1.0.0/24"), pool("v6", V6));
        var windows = new HostReserve.Ends(3, 1, Attribute.WINDOWS_HANDLE, "windows host rsvd");
        var v4 = new EnsureRequest("node-a", Ask.of(0).reserving(windows), Ask.NOTHING, ScenarioCluster.NOW);
        var unknown = new EnsureRequest(
                "node-a",
                Ask.of(0).reserving(windows).from(List.of(prefix("10.7.0.0/24"))),
                Ask.NOTHING,
                ScenarioCluster.NOW);
        var v6 = new EnsureRequest(
                "node-a", Ask.NOTHING, Ask.of(0).reserving(windows).from(List.of(prefix(V6))), ScenarioCluster.NOW);

        var first = cluster.enact(view -> BlockEngine.ensureBlock(view, v4));
        var second = cluster.enact(view -> BlockEngine.ensureBlock(view, v4));
        var third = cluster.enact(view -> BlockEngine.ensureBlock(view, unknown));
        var fourth = cluster.enact(view -> BlockEngine.ensureBlock(view, v6));

        assertThat(first.blocks()).hasSize(1).allMatch(prefix("10.1.0.0/24")::contains);
        assertThat(second).isEqualTo(first);
        assertThat(((EnsuredBlocks.Refused) third).refusal().sentence())
                .isEqualTo("the given pool (10.7.0.0/24) does not exist, or is not enabled");
        assertThat(fourth.blocks()).hasSize(1).allMatch(prefix(V6)::contains);
        assertThat(cluster.block(first.blocks().getFirst().toString()).freeCount())
                .isEqualTo(60);
    }

    @Test
    @DisplayName("CAL-60: affine blocks serve in order, then a new one is claimed, up to the limit")
    void affineBlocksServeInOrder() {
        var reserve = new HostReserve.Ends(2, 1, "r", "n");
        var cluster = cluster(pool("p", "10.0.0.0/24", 30));
        for (var cidr : List.of("10.0.0.0/30", "10.0.0.4/30")) {
            var owner = Owner.host("node-a");
            cluster.block(Block.fresh(prefix(cidr), owner, reserve, ScenarioCluster.NOW));
            cluster.affinity(new Affinity(owner, prefix(cidr), Affinity.State.CONFIRMED));
        }
        var one = cluster.request("node-a").ipv4(Ask.of(1).reserving(reserve));

        var given = Stream.of(
                        cluster.assign(one),
                        cluster.assign(one),
                        cluster.assign(one),
                        cluster.assign(one.withMaxBlocksPerHost(3)))
                .map(ScenarioCluster::texts)
                .toList();

        assertThat(given.get(0)).containsExactly("10.0.0.2");
        assertThat(given.get(1)).containsExactly("10.0.0.6");
        assertThat(given.get(2)).hasSize(1);
        assertThat(given.get(3)).isEmpty();
        assertThat(cluster.affinities("node-a")).hasSize(3);
    }

    private static String refusal(Assignment assignment) {
        assertThat(assignment.shares()).allSatisfy(s -> assertThat(s.leases()).isEmpty());
        return ((Assignment.Stopped) assignment).refusal().sentence();
    }
}
