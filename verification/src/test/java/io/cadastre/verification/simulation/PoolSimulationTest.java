package io.cadastre.verification.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.cadastre.address.RangeSet;
import io.cadastre.engine.Decision;
import io.cadastre.engine.pool.AllocateRequest;
import io.cadastre.engine.pool.Allocation;
import io.cadastre.engine.pool.Pool;
import io.cadastre.engine.pool.PoolChange;
import io.cadastre.engine.pool.PoolEngine;
import io.cadastre.engine.pool.PoolView;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.stream.LongStream;

class PoolSimulationTest {

    private static final long SEEDS = 400;

    private static List<Report> reports = List.of();

    /// A seed whose history breaks the law ends this with its history.
    ///
    /// The first one runs alone. What the JVM does but once, it does under locks that all simulations share,
    /// and a simulated thread that waits for one of them waits for somebody of another simulation.
    @BeforeAll
    static void runEverySeed() {
        PoolSimulation.run(0);
        reports =
                LongStream.rangeClosed(1, SEEDS).parallel().mapToObj(PoolSimulation::run).toList();
    }

    @Test
    void noSeedBreaksTheLaw() {
        assertThat(reports).hasSize((int) SEEDS);
        assertThat(reports.stream().mapToInt(Report::requests).sum()).isGreaterThan(10_000);
        assertThat(reports.stream().mapToInt(Report::faults).sum()).isGreaterThan(5_000);
    }

    @Test
    void oneSeedIsOneHistory() {
        for (long seed = 1; seed <= 20; seed++) {
            var once = PoolSimulation.run(seed);
            var again = PoolSimulation.run(seed);

            assertThat(again).isEqualTo(once);
        }
    }

    @Test
    void poolsRunOutAndAreUsedAgain() {
        var lines = reports.stream().flatMap(report -> report.history().stream()).toList();

        assertThat(lines).anyMatch(line -> line.contains("UsedOut"));
        assertThat(lines).anyMatch(line -> line.contains("Allocated"));
        assertThat(lines).anyMatch(line -> line.contains("Released[addresses=[1"));
    }

    @Test
    void lawThatDoesNotSeeRecordsIsFound() {
        assertFound((view, request) -> PoolEngine.allocate(withoutRecords(view), request));
    }

    @Test
    void lawThatGivesReservedAddressesIsFound() {
        assertFound(
                (view, request) ->
                        PoolEngine.allocate(
                                new PoolView(
                                        view.pools(),
                                        view.listed(),
                                        view.reserved().map(_ -> RangeSet.EMPTY),
                                        view.endpoints(),
                                        view.whole()),
                                request));
    }

    private static PoolView withoutRecords(PoolView view) {
        var pools = new TreeMap<String, Optional<Pool>>();
        view.pools()
                .forEach(
                        (name, pool) ->
                                pools.put(
                                        name,
                                        pool.map(
                                                known ->
                                                        new Pool(
                                                                name,
                                                                known.spec(),
                                                                known.origin(),
                                                                known.terminating(),
                                                                Collections.emptySortedMap(),
                                                                known.damage()))));
        return new PoolView(pools, view.listed(), view.reserved(), view.endpoints(), view.whole());
    }

    private static void assertFound(
            BiFunction<PoolView, AllocateRequest, Decision<PoolChange, Allocation>> law) {
        for (long seed = 1; seed <= SEEDS; seed++) {
            try {
                PoolSimulation.run(seed, (store, desk) -> PoolOffices.of(store, desk, law));
            } catch (SimulationFailure _) {
                return;
            }
        }
        fail("no seed found it");
    }
}
