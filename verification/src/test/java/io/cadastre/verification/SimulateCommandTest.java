package io.cadastre.verification;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.cli.ExitCode;
import io.cadastre.cli.Surroundings;

import org.junit.jupiter.api.Test;

import picocli.CommandLine;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.SplittableRandom;

class SimulateCommandTest {

    private static final String COUNTS =
            "\\d+ requests, \\d+ events, \\d+ faults, \\d+ states, all clean";

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void oneSeedPrintsTheSameBytesWheneverItIsRun() {
        run(Instant.EPOCH, "--seed", "7");
        var once = out.toByteArray();
        out.reset();

        int exitCode = run(Instant.EPOCH.plusSeconds(1_000_000), "--seed", "7");

        assertThat(exitCode).isEqualTo(ExitCode.DONE);
        assertThat(out.toByteArray()).isEqualTo(once);
        assertThat(text(out)).contains("proc-1").endsWith("clean\n");
    }

    @Test
    void oneSeedOfBlocksPrintsTheSameBytesWheneverItIsRun() {
        run(Instant.EPOCH, "--seed", "7", "--dialect", "calico");
        var once = out.toByteArray();
        out.reset();

        int exitCode =
                run(Instant.EPOCH.plusSeconds(1_000_000), "--seed", "7", "--dialect", "calico");

        assertThat(exitCode).isEqualTo(ExitCode.DONE);
        assertThat(out.toByteArray()).isEqualTo(once);
        assertThat(text(out)).contains("node-8").endsWith("clean\n");
    }

    @Test
    void manySeedsEndInALineOfCountsForEachDialect() {
        int exitCode = run(Instant.EPOCH, "--seeds", "5");

        assertThat(exitCode).isEqualTo(ExitCode.DONE);
        assertThat(text(out).lines().toList())
                .satisfiesExactly(
                        line -> assertThat(line).matches("node-cidr: 5 seeds: " + COUNTS),
                        line -> assertThat(line).matches("calico: 5 seeds: " + COUNTS),
                        line -> assertThat(line).matches("spiderpool: 5 seeds: " + COUNTS));
    }

    @Test
    void manySeedsOfOneDialectEndInOneLineOfCounts() {
        int exitCode = run(Instant.EPOCH, "--seeds", "5", "--dialect", "calico");

        assertThat(exitCode).isEqualTo(ExitCode.DONE);
        assertThat(text(out)).matches("calico: 5 seeds: " + COUNTS + "\n");
    }

    @Test
    void dialectThatNobodyKnowsIsWrongUsage() {
        assertThat(run(Instant.EPOCH, "--seed", "1", "--dialect", "dutch"))
                .isEqualTo(ExitCode.WRONG_USAGE);
        assertThat(text(out)).isEmpty();
    }

    @Test
    void oneOfTheTwoMustBeChosen() {
        assertThat(run(Instant.EPOCH)).isEqualTo(ExitCode.WRONG_USAGE);
        assertThat(run(Instant.EPOCH, "--seed", "1", "--seeds", "2"))
                .isEqualTo(ExitCode.WRONG_USAGE);
        assertThat(text(out)).isEmpty();
    }

    private int run(Instant now, String... arguments) {
        var surroundings =
                new Surroundings(
                        printing(out),
                        printing(err),
                        Map.of(),
                        InstantSource.fixed(now),
                        new SplittableRandom(now.getEpochSecond()),
                        false,
                        false);
        var command = new CommandLine(new SimulateCommand(surroundings));
        command.setErr(new PrintWriter(err, true, StandardCharsets.UTF_8));
        return command.execute(arguments);
    }

    private static PrintStream printing(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    private static String text(ByteArrayOutputStream bytes) {
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
