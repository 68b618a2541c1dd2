package io.cadastre.verification.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.LongStream;

class BlockSimulationTest {

    private static final long SEEDS = 1000;

    private static final List<String> SAMPLES =
            List.of(
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

    @Test
    void noSeedBreaksTheLaw() {
        var reports = LongStream.rangeClosed(1, SEEDS).mapToObj(BlockSimulation::run).toList();

        assertThat(reports).hasSize((int) SEEDS);
        assertThat(reports.stream().mapToInt(Report::requests).sum()).isGreaterThan(25_000);
        assertThat(reports.stream().mapToInt(Report::faults).sum()).isGreaterThan(25_000);
    }

    @Test
    void oneSeedIsOneHistory() {
        for (long seed = 1; seed <= 25; seed++) {
            var once = BlockSimulation.run(seed);
            var again = BlockSimulation.run(seed);

            assertThat(again).isEqualTo(once);
        }
    }

    @Test
    void differentSeedsAreDifferentHistories() {
        var histories =
                LongStream.rangeClosed(1, 25).mapToObj(BlockSimulation::run).map(Report::history);

        assertThat(histories.distinct()).hasSize(25);
    }

    @Test
    void everyFaultStrikes() {
        var lines =
                LongStream.rangeClosed(1, 100)
                        .mapToObj(BlockSimulation::run)
                        .flatMap(report -> report.history().stream())
                        .toList();

        for (var fault : Fault.values()) {
            assertThat(lines).anyMatch(line -> line.endsWith("FAULT " + fault));
        }
    }

    @Test
    void everyVerbIsAskedAndMeetsItsEndings() {
        var unmet = new ArrayList<>(SAMPLES.stream().map(Pattern::compile).toList());

        for (long seed = 1; seed <= SEEDS && !unmet.isEmpty(); seed++) {
            var history = BlockSimulation.run(seed).history();
            unmet.removeIf(
                    sample -> history.stream().anyMatch(line -> sample.matcher(line).find()));
        }

        assertThat(unmet).isEmpty();
    }
}
