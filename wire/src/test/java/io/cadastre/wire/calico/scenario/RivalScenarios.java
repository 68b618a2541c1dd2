package io.cadastre.wire.calico.scenario;

import static io.cadastre.wire.calico.scenario.Words.pool;
import static io.cadastre.wire.calico.scenario.Words.prefix;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.cadastre.datastore.Commit;
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
import io.cadastre.engine.block.release.AffinityRelease;
import io.cadastre.engine.block.release.ReleaseCondition;
import io.cadastre.registry.UnsettledException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// Several processes at one store, which come in each other's way.
public abstract class RivalScenarios extends ScenarioContract {

    private static final Owner NODE_A = Owner.host("node-a");
    private static final String BLOCK = "10.0.0.128/26";

    private static Function<BlockView, Decision<BlockChange, Assignment>> address(ScenarioCluster cluster) {
        return view -> BlockEngine.assign(view, cluster.request("node-a").ipv4(Ask.of(1)));
    }

    private static Function<BlockView, Decision<BlockChange, AffinityRelease>> surrender(
            ScenarioCluster cluster, ReleaseCondition condition) {
        return view -> BlockEngine.releaseHost(view, NODE_A, condition, Attempts.first(cluster.now()));
    }

    private ScenarioCluster claimedByNodeA() {
        var cluster = cluster(pool("p", "10.0.0.0/24"));
        cluster.assign("node-a", 1, "h");
        cluster.releaseByHandle("h");
        return cluster;
    }

    private static void takeBack(ScenarioCluster cluster) {
        cluster.write(
                new BlockChange.PutAffinity(new Affinity(NODE_A, prefix(BLOCK), Affinity.State.PENDING_DELETION)));
    }

    @Test
    @DisplayName("CAL-90: a claim is not confirmed if its affinity is taken back meanwhile")
    void claimIsNotConfirmedIfItsAffinityIsTakenBackMeanwhile() {
        var cluster = cluster(pool("p", "10.0.0.0/24"));
        cluster.dieAfter(1, address(cluster));
        var claim = cluster.decided(address(cluster));
        takeBack(cluster);

        var commit = claim.save();

        assertThat(commit).isNotInstanceOf(Commit.Done.class);
        assertThat(cluster.affinities("node-a")).containsExactly(BLOCK + " pendingDeletion");
    }

    @Test
    @DisplayName("CAL-90: a lost claim of this kind is repeated, and then it is confirmed")
    void claimThatWasTakenBackIsMadeAgain() {
        var cluster = cluster(pool("p", "10.0.0.0/24"));
        cluster.dieAfter(1, address(cluster));
        cluster.trial().beforeNextCommit(() -> takeBack(cluster));

        var given = cluster.assign("node-a", 1);

        assertThat(given).containsExactly("10.0.0.128");
        assertThat(cluster.affinities("node-a")).containsExactly(BLOCK + " confirmed");
    }

    @Test
    @DisplayName("CAL-91: a block that is claimed again while it is given up stays")
    void blockThatIsClaimedAgainWhileItIsGivenUpStays() {
        var cluster = claimedByNodeA();
        var release = cluster.decided(surrender(cluster, ReleaseCondition.REQUIRED));
        var rival = cluster.rival().later(Duration.ofSeconds(1));
        rival.enact(surrender(rival, ReleaseCondition.REQUIRED));
        rival.assign("node-a", 1);
        var made = rival.block(BLOCK);

        var commit = release.save();

        assertThat(commit).isNotInstanceOf(Commit.Done.class);
        assertThat(cluster.block(BLOCK)).isEqualTo(made);
        assertThat(cluster.affinities("node-a")).containsExactly(BLOCK + " confirmed");
    }

    @Test
    @DisplayName("CAL-91: a lost release of this kind looks again and finds the block in use")
    void lostReleaseFindsTheBlockInUse() {
        var cluster = claimedByNodeA();
        var rival = cluster.rival();
        cluster.trial().beforeNextCommit(() -> {
            rival.enact(surrender(rival, ReleaseCondition.REQUIRED));
            rival.assign("node-a", 1);
        });

        var release = cluster.enact(surrender(cluster, ReleaseCondition.REQUIRED));

        assertThat(((AffinityRelease.Stopped) release).refusal().sentence())
                .isEqualTo("block '10.0.0.128/26' is not empty");
        assertThat(cluster.affinities("node-a")).containsExactly(BLOCK + " confirmed");
    }

    @Test
    @DisplayName("CAL-92: a block keeps the address that is taken while it is given up")
    void blockKeepsTheAddressThatWasTakenWhileItWasGivenUp() {
        var cluster = claimedByNodeA();
        var rival = cluster.rival();
        cluster.trial().beforeNextCommit(() -> rival.assign("node-a", 1, "late"));

        var release = cluster.enact(surrender(cluster, ReleaseCondition.NOT_REQUIRED));

        assertThat(release).isEqualTo(new AffinityRelease.Done(List.of(prefix(BLOCK))));
        assertThat(cluster.block(BLOCK).owner()).isEmpty();
        assertThat(cluster.block(BLOCK).addressesOf("late")).hasSize(1);
        assertThat(cluster.affinities("node-a")).isEmpty();
    }

    @Test
    @DisplayName("CAL-93: processes of one host that ask at the same time get different addresses")
    void processesOfOneHostGetDifferentAddresses() throws Exception {
        var cluster = cluster(pool("p", "10.0.0.0/25"));
        var given = new ArrayList<String>();

        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var answers = new ArrayList<Future<Assignment>>();
            for (int process = 0; process < 4; process++) {
                var rival = cluster.rival();
                var request = rival.request("node-a").ipv4(Ask.of(1));
                answers.add(threads.submit(
                        () -> rival.settle((view, lost) -> BlockEngine.assign(view, request.after(lost)))));
            }
            for (var answer : answers) {
                given.addAll(ScenarioCluster.texts(answer.get()));
            }
        }

        assertThat(given).doesNotHaveDuplicates().hasSize(4);
        assertThat(cluster.affinities("node-a")).isNotEmpty().allMatch(text -> text.endsWith(" confirmed"));
        assertThat(cluster.affinities("node-a")).hasSameSizeAs(cluster.blocks());
    }

    @Test
    @DisplayName("CAL-94: an empty block that is used again before it is taken is not taken")
    void emptyBlockThatIsUsedAgainIsNotTaken() {
        var cluster = emptyBlockOfNodeB();
        var rival = cluster.rival();
        cluster.trial().beforeNextCommit(() -> rival.assign("node-b", 1, "again"));

        var assignment = cluster.assign(cluster.request("node-a").ipv4(Ask.of(1)));

        assertThat(assignment).isInstanceOf(Assignment.Done.class);
        assertThat(assignment.addresses()).isEmpty();
        assertThat(cluster.affinities("node-a")).isEmpty();
        assertThat(cluster.affinities("node-b")).containsExactly("10.0.0.0/26 confirmed");
    }

    @Test
    @DisplayName("CAL-94: lost answers while a block is taken are reported")
    void lostAnswersWhileABlockIsTakenAreReported() {
        var cluster = emptyBlockOfNodeB();
        cluster.trial().loseAllRequests();

        assertThatExceptionOfType(UnsettledException.class).isThrownBy(() -> cluster.assign("node-a", 1));
        assertThat(cluster.affinities("node-a")).isEmpty();
        assertThat(cluster.affinities("node-b")).containsExactly("10.0.0.0/26 confirmed");
    }

    private ScenarioCluster emptyBlockOfNodeB() {
        var cluster = cluster(pool("p", "10.0.0.0/26"));
        cluster.assign("node-b", 1, "h");
        cluster.releaseByHandle("h");
        return cluster.config(IpamConfig.DEFAULT.withStrictAffinity(true)).later(Duration.ofSeconds(61));
    }
}
