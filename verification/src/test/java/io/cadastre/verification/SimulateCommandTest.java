package io.cadastre.verification;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.cli.command.CommandContext;
import io.cadastre.cli.command.ExitCode;
import io.cadastre.verification.simulation.Dialect;
import io.cadastre.verification.simulation.FailedSeeds;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class SimulateCommandTest {

    private static final String SEEDS = "seeds 4711 to 4715 and \\d+ that once failed: ";

    private static final String COUNTS =
            "\\d+ requests, \\d+ events, \\d+ faults, \\d+ states, (25|0) explanations, all clean";

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

        int exitCode = run(Instant.EPOCH.plusSeconds(1_000_000), "--seed", "7", "--dialect", "calico");

        assertThat(exitCode).isEqualTo(ExitCode.DONE);
        assertThat(out.toByteArray()).isEqualTo(once);
        assertThat(text(out)).contains("node-8").endsWith("clean\n");
    }

    @Test
    void manySeedsEndInALineOfCountsForEachDialect() {
        int exitCode = run(Instant.EPOCH, "--seeds", "5", "--first", "4711");

        assertThat(exitCode).isEqualTo(ExitCode.DONE);
        assertThat(text(out).lines().toList())
                .satisfiesExactly(
                        line -> assertThat(line).matches("node-cidr: " + SEEDS + COUNTS),
                        line -> assertThat(line).matches("calico: " + SEEDS + COUNTS),
                        line -> assertThat(line).matches("spiderpool: " + SEEDS + COUNTS),
                        line -> assertThat(line).matches("controller: " + SEEDS + COUNTS),
                        line -> assertThat(line).matches("node-ipam: " + SEEDS + COUNTS),
                        line -> assertThat(line).matches("ledger: " + SEEDS + COUNTS),
                        line -> assertThat(line).matches("host-local: " + SEEDS + COUNTS));
    }

    @Test
    void manySeedsOfOneDialectEndInOneLineOfCounts() {
        int exitCode = run(Instant.EPOCH, "--seeds", "5", "--first", "4711", "--dialect", "spiderpool");

        assertThat(exitCode).isEqualTo(ExitCode.DONE);
        assertThat(text(out)).matches("spiderpool: " + SEEDS + COUNTS + "\n");
    }

    @Test
    void manySeedsBeginWhereTheClockSaysAndHowToRunThemAgainIsPrinted() {
        run(Instant.ofEpochMilli(123_456_789), "--seeds", "1", "--dialect", "spiderpool");

        assertThat(text(out)).startsWith("spiderpool: seeds 123456789 to 123456789 and ");
        assertThat(text(err)).contains("--seeds 1 --first 123456789");
    }

    @Test
    void firstSeedWithoutManySeedsIsWrongUsage() {
        assertThat(run(Instant.EPOCH, "--seed", "1", "--first", "2")).isEqualTo(ExitCode.WRONG_USAGE);
        assertThat(run(Instant.EPOCH, "--first", "2")).isEqualTo(ExitCode.WRONG_USAGE);
        assertThat(text(out)).isEmpty();
    }

    @Test
    void progressIsReportedEveryFewSeconds() {
        var now = new AtomicLong();
        InstantSource slow = () -> Instant.ofEpochSecond(now.getAndIncrement());
        int seeds = 8 + FailedSeeds.of(Dialect.SPIDERPOOL).size();

        run(slow, "--seeds", "8", "--first", "1", "--dialect", "spiderpool");

        // A seed takes a second here.
        assertThat(text(err).lines().filter(line -> line.endsWith("seeds are clean")))
                .hasSize(seeds / 3)
                .allMatch(line -> line.endsWith("of %d seeds are clean".formatted(seeds)));
    }

    @Test
    void unknownDialectIsWrongUsage() {
        assertThat(run(Instant.EPOCH, "--seed", "1", "--dialect", "dutch")).isEqualTo(ExitCode.WRONG_USAGE);
        assertThat(text(out)).isEmpty();
    }

    @Test
    void oneOfTheTwoMustBeChosen() {
        assertThat(run(Instant.EPOCH)).isEqualTo(ExitCode.WRONG_USAGE);
        assertThat(run(Instant.EPOCH, "--seed", "1", "--seeds", "2")).isEqualTo(ExitCode.WRONG_USAGE);
        assertThat(text(out)).isEmpty();
    }

    private int run(Instant now, String... arguments) {
        return run(InstantSource.fixed(now), arguments);
    }

    private int run(InstantSource clock, String... arguments) {
        var context = new CommandContext(
                printing(out), printing(err), Map.of(), clock, new SplittableRandom(1), false, false);
        var command = new CommandLine(new SimulateCommand(context));
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
