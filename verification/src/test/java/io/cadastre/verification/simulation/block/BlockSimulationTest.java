package io.cadastre.verification.simulation.block;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.engine.block.BlockChange;
import io.cadastre.engine.block.BlockView;
import io.cadastre.registry.Book;
import io.cadastre.verification.simulation.Dialect;
import io.cadastre.verification.simulation.RunSeeds;
import io.cadastre.verification.simulation.runtime.Fault;
import io.cadastre.verification.simulation.runtime.ProcessContext;
import io.cadastre.verification.simulation.runtime.Report;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class BlockSimulationTest {

    private static final int SEEDS = 250;

    /// Some endings are rare.
    private static final int SEEDS_FOR_SAMPLES_MAX = 2000;

    private static final int NARROW_SEEDS = 100;

    /// What is done with one block takes less.
    private static final int NARROW_CHANGES_MAX = 12;

    private static final List<String> SAMPLES = List.of(
            "assign \\d\\+\\d to '.*-> Done.*leases=\\[1",
            "assign \\d\\+\\d to '.*-> .*No IPs available in pools",
            "assign \\d\\+\\d to '.*-> .*strict affinity enabled",
            "assign \\d\\+\\d to '.*-> .*BlockLimit",
            "assign \\d\\+\\d to 'shared-capped' -> .*/(32|128)\\b",
            "assign [0-9a-f.:]{8,} to '.*-> Assigned",
            "assign [0-9a-f.:]{8,} to '.*-> Refused.*AlreadyAssigned",
            "release all of .*-> Done",
            "release all of .*-> Refused",
            "release \\{Address.*-> Done",
            "release \\{Address.*-> Stopped.*Conflict",
            "configure .*-> Configured",
            "claim .*-> Claimed\\[claimed=\\[\\w",
            "give up .*-> Done\\[released=\\[\\w",
            "give up .*-> Stopped.*BlockNotEmpty",
            "assign tunnel of .*-> Done.*leases=\\[1",
            "release all of vxlan-tunnel-addr-.*-> Done",
            "ensure a block -> Ensured\\[blocks=\\[\\w",
            "remove host -> Done\\[released=\\[\\w",
            "release pool .*-> Done\\[released=\\[\\w",
            "removed pool ",
            "release leaks -> LeakRelease\\[released=\\[\\w",
            "thaw ",
            "give up unused ",
            "is switched off",
            "clean node-");

    private static List<Report> reports = List.of();

    @BeforeAll
    static void runEverySeed() {
        reports = RunSeeds.runAll(Dialect.CALICO, SEEDS, BlockSimulation::run);
    }

    @Test
    void noSeedBreaksTheLaw() {
        assertThat(reports).hasSizeGreaterThan(SEEDS);
        assertThat(reports.stream().mapToInt(Report::requests).sum()).isGreaterThan(25 * SEEDS);
        assertThat(reports.stream().mapToInt(Report::faults).sum()).isGreaterThan(25 * SEEDS);
    }

    @Test
    void requestsThatAreSavedInPartsBreakNoLaw() {
        var cuts = new AtomicInteger();

        var narrow = RunSeeds.runAll(
                Dialect.CALICO,
                NARROW_SEEDS,
                seed -> BlockSimulation.run(seed, (store, books, context) -> narrow(books.open(store), context, cuts)));

        assertThat(narrow).hasSizeGreaterThan(NARROW_SEEDS);
        assertThat(cuts.get()).isGreaterThan(NARROW_SEEDS / 2);
    }

    private static BlockClient narrow(Book<BlockView, BlockChange> book, ProcessContext context, AtomicInteger cuts) {
        return BlockClients.on(new NarrowBook(book, NARROW_CHANGES_MAX, cuts), context);
    }

    @Test
    void oneSeedIsOneHistory() {
        for (var once : reports.subList(0, 25)) {
            assertThat(BlockSimulation.run(once.seed())).isEqualTo(once);
        }
    }

    @Test
    void differentSeedsAreDifferentHistories() {
        assertThat(reports.stream().map(Report::history)).doesNotHaveDuplicates();
    }

    @Test
    void everyFaultStrikes() {
        assertThat(Fault.values()).allMatch(fault -> reports.stream().anyMatch(report -> report.struck(fault)));
    }

    @Test
    void everyVerbIsAskedAndMeetsItsEndings() {
        var unmet = new ArrayList<>(SAMPLES.stream().map(Pattern::compile).toList());

        reports.forEach(report -> meet(unmet, report));
        for (long seed = 1; seed <= SEEDS_FOR_SAMPLES_MAX && !unmet.isEmpty(); seed++) {
            meet(unmet, BlockSimulation.run(seed));
        }

        assertThat(unmet).isEmpty();
    }

    private static void meet(List<Pattern> unmet, Report report) {
        unmet.removeIf(sample ->
                report.history().stream().anyMatch(line -> sample.matcher(line).find()));
    }
}
