package io.cadastre.verification.simulation.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.cadastre.address.RangeSet;
import io.cadastre.engine.pool.AddressPool;
import io.cadastre.engine.pool.PoolEngine;
import io.cadastre.engine.pool.PoolView;
import io.cadastre.verification.simulation.Dialect;
import io.cadastre.verification.simulation.RunSeeds;
import io.cadastre.verification.simulation.runtime.Report;
import io.cadastre.verification.simulation.runtime.SimulationFailure;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class PoolSimulationTest {

    private static final int SEEDS = 120;

    private static final int SEEDS_TO_FIND_MAX = 400;

    private static List<Report> reports = List.of();

    @BeforeAll
    static void runEverySeed() {
        reports = RunSeeds.runAll(Dialect.SPIDERPOOL, SEEDS, PoolSimulation::run);
    }

    @Test
    void noSeedBreaksTheLaw() {
        assertThat(reports).hasSizeGreaterThanOrEqualTo(SEEDS);
        assertThat(reports.stream().mapToInt(Report::requests).sum()).isGreaterThan(25 * SEEDS);
        assertThat(reports.stream().mapToInt(Report::faults).sum()).isGreaterThan(12 * SEEDS);
    }

    @Test
    void oneSeedIsOneHistory() {
        for (var once : reports.subList(0, 15)) {
            assertThat(PoolSimulation.run(once.seed())).isEqualTo(once);
        }
    }

    @Test
    void poolsRunOutAndAreUsedAgain() {
        var lines =
                reports.stream().flatMap(report -> report.history().stream()).toList();

        assertThat(lines).anyMatch(line -> line.contains("UsedOut"));
        assertThat(lines).anyMatch(line -> line.contains("Allocated"));
        assertThat(lines).anyMatch(line -> line.contains("Released[addresses=[1"));
    }

    @Test
    void lawThatDoesNotSeeRecordsIsFound() {
        assertFound((view, request, earlier) -> PoolEngine.allocate(withoutRecords(view), request, earlier));
    }

    @Test
    void lawThatGivesReservedAddressesIsFound() {
        assertFound((view, request, earlier) -> PoolEngine.allocate(
                new PoolView(
                        view.pools(),
                        view.listed(),
                        view.reserved().map(_ -> RangeSet.EMPTY),
                        view.endpoints(),
                        view.whole(),
                        view.rivals()),
                request,
                earlier));
    }

    private static PoolView withoutRecords(PoolView view) {
        var pools = new TreeMap<String, Optional<AddressPool>>();
        view.pools()
                .forEach((name, pool) -> pools.put(
                        name,
                        pool.map(known -> new AddressPool(
                                name,
                                known.spec(),
                                known.origin(),
                                known.terminating(),
                                Collections.emptySortedMap(),
                                known.damage()))));
        return new PoolView(pools, view.listed(), view.reserved(), view.endpoints(), view.whole(), view.rivals());
    }

    private static void assertFound(PoolClients.Giving law) {
        for (long seed = 1; seed <= SEEDS_TO_FIND_MAX; seed++) {
            try {
                PoolSimulation.run(seed, (store, client) -> PoolClients.of(store, client, law));
            } catch (SimulationFailure _) {
                return;
            }
        }
        fail("no seed found it");
    }
}
