package io.cadastre.wire.calico.scenario;

import static io.cadastre.wire.calico.scenario.Words.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Family;
import io.cadastre.engine.Decision;
import io.cadastre.engine.block.AssignAddressRequest;
import io.cadastre.engine.block.AssignRequest.Ask;
import io.cadastre.engine.block.BlockAffinities;
import io.cadastre.engine.block.BlockChange;
import io.cadastre.engine.block.BlockEngine;
import io.cadastre.engine.block.BlockReleases;
import io.cadastre.engine.block.BlockSurvey;
import io.cadastre.engine.block.BlockView;
import io.cadastre.engine.block.Claimant;
import io.cadastre.engine.block.Emptiness;
import io.cadastre.engine.block.Owner;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.function.Function;

/// Somebody else works on the same documents, and writes them one after another as Calico does.
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
        var world = world(pool("p", "10.0.0.0/24", 29), pool("q", "10.1.0.0/26", 28));
        var neighbour = world.rival();
        var random = new Random(96);

        for (int number = 0; number < operations(); number++) {
            world.later(Duration.ofSeconds(1));
            neighbour.later(Duration.ofSeconds(1));
            if (random.nextBoolean()) {
                settle(world, random);
            } else {
                neighbour.enactOneByOne(anything(neighbour, random));
            }
        }

        var view = world.view();
        assertThat(BlockSurvey.of(view)).isEmpty();
        assertThat(view.blocks(Family.IPV4))
                .hasSizeGreaterThan(3)
                .allMatch(block -> block.faults(world.now()).isEmpty());
        for (var handle : view.handles()) {
            for (var counted : handle.counts().entrySet()) {
                assertThat(view.findBlock(counted.getKey()).orElseThrow().ordinalsOf(handle.id()))
                        .as(handle.id())
                        .hasSize(counted.getValue());
            }
        }
    }

    private static void settle(World world, Random random) {
        var law = anything(world, random);
        world.settle((view, _) -> law.apply(view));
    }

    @SuppressWarnings("unchecked")
    private static Function<BlockView, Decision<BlockChange, Object>> anything(
            World world, Random random) {
        var host = HOSTS.get(random.nextInt(HOSTS.size()));
        var handle = "h" + random.nextInt(HANDLES);
        var now = world.now();
        int count = 1 + random.nextInt(3);
        Function<BlockView, ? extends Decision<BlockChange, ?>> law =
                switch (random.nextInt(10)) {
                    case 0, 1, 2, 3 ->
                            view ->
                                    BlockEngine.assign(
                                            view,
                                            world.request(host)
                                                    .ipv4(Ask.of(count))
                                                    .by(Claimant.of(handle)));
                    case 4 -> {
                        var address = Words.address("10.0.0.0").plus(random.nextInt(256));
                        yield view ->
                                BlockEngine.assignAddress(
                                        view,
                                        AssignAddressRequest.of(
                                                address, host, Claimant.of(handle), now));
                    }
                    case 5 -> {
                        var emptiness =
                                random.nextInt(4) == 0
                                        ? Emptiness.NOT_REQUIRED
                                        : Emptiness.REQUIRED;
                        yield view ->
                                BlockAffinities.releaseHost(view, Owner.host(host), emptiness, now);
                    }
                    default -> view -> BlockReleases.releaseByHandle(view, handle, now);
                };
        return view -> (Decision<BlockChange, Object>) law.apply(view);
    }
}
