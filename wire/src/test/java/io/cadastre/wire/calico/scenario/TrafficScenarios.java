package io.cadastre.wire.calico.scenario;

import static io.cadastre.wire.calico.scenario.Words.pool;
import static io.cadastre.wire.calico.scenario.Words.prefix;
import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Family;
import io.cadastre.engine.Decision;
import io.cadastre.engine.block.Affinity;
import io.cadastre.engine.block.Attempts;
import io.cadastre.engine.block.BlockChange;
import io.cadastre.engine.block.BlockEngine;
import io.cadastre.engine.block.BlockView;
import io.cadastre.engine.block.IpamConfig;
import io.cadastre.engine.block.Owner;
import io.cadastre.engine.block.assign.AssignRequest.Ask;
import io.cadastre.engine.block.assign.Assignment;
import io.cadastre.engine.block.assign.Requester;
import io.cadastre.engine.block.release.ReleaseCondition;
import io.cadastre.engine.block.release.ReleaseOption;
import io.cadastre.wire.calico.CalicoKey;
import io.cadastre.wire.calico.CalicoKeys;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// What is written, in which order, and how often the store is asked. What Calico needs is the bound.
public abstract class TrafficScenarios extends ScenarioContract {

    private static final Owner NODE_A = Owner.host("node-a");
    private static final String CLAIM = "affinity pending, block created, affinity confirmed";
    private static final String GIVE = "handle written, block updated";

    /// The block is created empty, and gives the address in a write of its own.
    private static final String CLAIM_AND_GIVE_STEPS = "affinity of node-a, block, affinity of node-a, handle, block";

    /// The block is there already, and one write confirms it and gives the address.
    private static final String USE_AGAIN_STEPS = "affinity of node-a, handle, block, affinity of node-a";

    /// @param writes what is written, in order
    /// @param reads how often the store was read
    private record Traffic(String writes, int reads) {}

    /// @param steps whose documents a store without transactions is given, one after another. One with
    ///     transactions is given each of them once, together
    private static <O> Traffic traffic(
            ScenarioCluster cluster, String steps, Function<BlockView, Decision<BlockChange, O>> law) {
        var decision = cluster.explain(law);
        cluster.trial().takeReadings();
        cluster.trial().takeWritten();

        cluster.enact(law);

        int reads = cluster.trial().takeReadings();
        var written = cluster.trial().takeWritten().stream()
                .map(TrafficScenarios::kind)
                .toList();
        if (cluster.store().atomic()) {
            assertThat(written)
                    .containsOnlyOnceElementsOf(decision.changes().stream()
                            .map(TrafficScenarios::kind)
                            .distinct()
                            .toList());
        } else {
            assertThat(String.join(", ", written)).isEqualTo(steps);
        }
        return new Traffic(
                String.join(
                        ", ",
                        decision.changes().stream().map(TrafficScenarios::words).toList()),
                reads);
    }

    /// Whose document it is.
    private static String kind(String key) {
        return switch (CalicoKeys.parse(key).orElseThrow()) {
            case CalicoKey.OfAffinity(var owner, var _) -> "affinity of " + owner.name();
            case CalicoKey.OfBlock _ -> "block";
            case CalicoKey.OfHandle _ -> "handle";
            case CalicoKey other -> other.toString();
        };
    }

    private static String kind(BlockChange change) {
        return switch (change) {
            case BlockChange.PutAffinity(var affinity) ->
                "affinity of " + affinity.owner().name();
            case BlockChange.DropAffinity(var owner, var _) -> "affinity of " + owner.name();
            case BlockChange.PutBlock _, BlockChange.DropBlock _ -> "block";
            case BlockChange.PutHandle _, BlockChange.DropHandle _ -> "handle";
            case BlockChange.PutConfig _, BlockChange.DropHostRecord _ -> change.sentence();
        };
    }

    private static String words(BlockChange change) {
        return switch (change) {
            case BlockChange.PutAffinity(var affinity) ->
                "affinity " + affinity.state().word();
            case BlockChange.DropAffinity _ -> "affinity deleted";
            case BlockChange.CreateBlock _ -> "block created";
            case BlockChange.UpdateBlock _ -> "block updated";
            case BlockChange.DropBlock _ -> "block deleted";
            case BlockChange.PutHandle _ -> "handle written";
            case BlockChange.DropHandle _ -> "handle deleted";
            case BlockChange.PutConfig _, BlockChange.DropHostRecord _ -> change.sentence();
        };
    }

    private static Function<BlockView, Decision<BlockChange, Assignment>> address(
            ScenarioCluster cluster, String handle) {
        var request = cluster.request("node-a").ipv4(Ask.of(1)).by(Requester.of(handle));
        return view -> BlockEngine.assign(view, request);
    }

    private static Traffic surrender(ScenarioCluster cluster) {
        return traffic(
                cluster,
                "affinity of node-a, block, affinity of node-a",
                view -> BlockEngine.releaseHost(
                        view, NODE_A, ReleaseCondition.NOT_REQUIRED, Attempts.first(cluster.now())));
    }

    private static Traffic releaseByHandle(ScenarioCluster cluster) {
        return traffic(
                cluster,
                "block, handle",
                view -> BlockEngine.releaseByHandle(view, "h", Attempts.first(cluster.now())));
    }

    private ScenarioCluster holding() {
        var cluster = cluster(pool("p", "10.0.0.0/24"));
        cluster.assign("node-a", 1, "h");
        return cluster;
    }

    @Test
    @DisplayName("CAL-131: the first address of a host, and the next")
    void firstAddressAndTheNext() {
        var cluster = cluster(pool("p", "10.0.0.0/24"));

        var first = traffic(cluster, CLAIM_AND_GIVE_STEPS, address(cluster, "h"));
        var next = traffic(cluster, "handle, block", address(cluster, "i"));

        assertThat(first.writes()).isEqualTo(CLAIM + ", " + GIVE);
        assertThat(first.reads()).isLessThanOrEqualTo(4);
        assertThat(next.writes()).isEqualTo(GIVE);
        assertThat(next.reads()).isLessThanOrEqualTo(5);
    }

    @Test
    @DisplayName("CAL-131: an address given back by its handle")
    void addressGivenBackByItsHandle() {
        var cluster = holding();

        var traffic = releaseByHandle(cluster);

        assertThat(traffic.writes()).isEqualTo("block updated, handle deleted");
        assertThat(traffic.reads()).isLessThanOrEqualTo(4);
    }

    @Test
    @DisplayName("CAL-131: an address given back by its name")
    void addressGivenBackByItsName() {
        var cluster = holding();
        var options = List.of(ReleaseOption.of("10.0.0.128"));

        var traffic = traffic(
                cluster, "block, handle", view -> BlockEngine.release(view, options, Attempts.first(cluster.now())));

        assertThat(traffic.writes()).isEqualTo("block updated, handle deleted");
        assertThat(traffic.reads()).isLessThanOrEqualTo(4);
    }

    @Test
    @DisplayName("CAL-131: a host gives up a block in use, whose last address then goes with it")
    void blockInUseIsGivenUp() {
        var cluster = holding();

        var surrender = surrender(cluster);
        var last = releaseByHandle(cluster);

        assertThat(surrender.writes()).isEqualTo("affinity pendingDeletion, block updated, affinity deleted");
        assertThat(last.writes()).isEqualTo("block deleted, handle deleted");
    }

    @Test
    @DisplayName("CAL-131: a host gives up an empty block")
    void emptyBlockIsGivenUp() {
        var cluster = holding();
        cluster.releaseByHandle("h");

        var surrender = surrender(cluster);

        assertThat(surrender.writes()).isEqualTo("affinity pendingDeletion, block deleted, affinity deleted");
    }

    @Test
    @DisplayName("CAL-131: a block that was about to be given up is used again")
    void blockThatWasAboutToGoIsUsedAgain() {
        var cluster = holding();
        cluster.affinity(new Affinity(NODE_A, prefix("10.0.0.128/26"), Affinity.State.PENDING_DELETION));

        var traffic = traffic(cluster, USE_AGAIN_STEPS, address(cluster, "i"));

        assertThat(traffic.writes()).isEqualTo("affinity pending, block updated, affinity confirmed, " + GIVE);
    }

    @Test
    @DisplayName("CAL-131: an empty block of another is taken")
    void emptyBlockOfAnotherIsTaken() {
        var cluster = cluster(pool("p", "10.0.0.0/26"));
        cluster.assign("node-b", 1, "h");
        cluster.releaseByHandle("h");
        cluster.config(IpamConfig.DEFAULT.withStrictAffinity(true)).later(Duration.ofSeconds(61));
        var address = address(cluster, "i");

        var traffic = traffic(
                cluster,
                "affinity of node-b, affinity of node-a, handle, block, affinity of" + " node-b, affinity of node-a",
                view -> address.apply(listed(view)));

        assertThat(traffic.writes())
                .isEqualTo("affinity pendingDeletion, block deleted, affinity deleted, " + CLAIM + ", " + GIVE);
        assertThat(traffic.reads()).isLessThanOrEqualTo(9);
    }

    /// A process that has not listed the blocks tries first to create one that is there.
    private static BlockView listed(BlockView view) {
        assertThat(view.blocks(Family.IPV4)).hasSize(1);
        return view;
    }
}
