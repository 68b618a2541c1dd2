package io.cadastre.wire.calico.scenario;

import static io.cadastre.wire.calico.scenario.Words.pool;
import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Family;
import io.cadastre.engine.Decision;
import io.cadastre.engine.block.Attempts;
import io.cadastre.engine.block.BlockChange;
import io.cadastre.engine.block.BlockEngine;
import io.cadastre.engine.block.BlockSurvey;
import io.cadastre.engine.block.BlockView;
import io.cadastre.engine.block.Owner;
import io.cadastre.engine.block.assign.AssignAddressRequest;
import io.cadastre.engine.block.assign.AssignRequest.Ask;
import io.cadastre.engine.block.assign.Requester;
import io.cadastre.engine.block.release.ReleaseCondition;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// Another program works on the same documents, and writes them one after another as Calico does.
public abstract class NeighbourScenarios extends ScenarioContract {

    private static final List<String> HOSTS = List.of("node-a", "node-b", "host-a");
    private static final int HANDLES = 40;

    /// How many operations there are.
    protected int operations() {
        return 1000;
    }

    @Test
    @DisplayName("CAL-96: operations by turns leave nothing that a check would find")
    void operationsByTurnsLeaveNothingThatACheckWouldFind() {
        var cluster = cluster(pool("p", "10.0.0.0/24", 29), pool("q", "10.1.0.0/26", 28));
        var neighbour = cluster.rival();
        var random = new Random(96);

        for (int number = 0; number < operations(); number++) {
            cluster.later(Duration.ofSeconds(1));
            neighbour.later(Duration.ofSeconds(1));
            if (random.nextBoolean()) {
                settle(cluster, random);
            } else {
                neighbour.enactOneByOne(anything(neighbour, random));
            }
        }

        var view = cluster.view();
        assertThat(BlockSurvey.of(view)).isEmpty();
        assertThat(view.blocks(Family.IPV4))
                .hasSizeGreaterThan(3)
                .allMatch(block -> block.faults(cluster.now()).isEmpty());
        for (var handle : view.handles()) {
            for (var counted : handle.counts().entrySet()) {
                assertThat(view.findBlock(counted.getKey()).orElseThrow().ordinalsOf(handle.id()))
                        .as(handle.id())
                        .hasSize(counted.getValue());
            }
        }
    }

    private static void settle(ScenarioCluster cluster, Random random) {
        var law = anything(cluster, random);
        cluster.settle((view, _) -> law.apply(view));
    }

    @SuppressWarnings("unchecked")
    private static Function<BlockView, Decision<BlockChange, Object>> anything(ScenarioCluster cluster, Random random) {
        var host = HOSTS.get(random.nextInt(HOSTS.size()));
        var handle = "h" + random.nextInt(HANDLES);
        var now = cluster.now();
        int count = 1 + random.nextInt(3);
        Function<BlockView, ? extends Decision<BlockChange, ?>> law =
                switch (random.nextInt(10)) {
                    case 0, 1, 2, 3 ->
                        view -> BlockEngine.assign(
                                view, cluster.request(host).ipv4(Ask.of(count)).by(Requester.of(handle)));
                    case 4 -> {
                        var address = Words.address("10.0.0.0").plus(random.nextInt(256));
                        yield view -> BlockEngine.assignAddress(
                                view, AssignAddressRequest.of(address, host, Requester.of(handle), now));
                    }
                    case 5 -> {
                        var condition =
                                random.nextInt(4) == 0 ? ReleaseCondition.NOT_REQUIRED : ReleaseCondition.REQUIRED;
                        yield view -> BlockEngine.releaseHost(view, Owner.host(host), condition, Attempts.first(now));
                    }
                    default -> view -> BlockEngine.releaseByHandle(view, handle, Attempts.first(now));
                };
        return view -> (Decision<BlockChange, Object>) law.apply(view);
    }
}
