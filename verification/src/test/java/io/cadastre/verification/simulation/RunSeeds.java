package io.cadastre.verification.simulation;

import io.cadastre.verification.simulation.runtime.Report;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;
import java.util.stream.LongStream;

/// The seeds of a test run: those that ever failed, and fresh ones that change with every commit, so that a
/// run can be repeated before it counts.
public final class RunSeeds {

    /// Hexadecimal digits of a commit that make a seed.
    private static final int DIGITS = 7;

    private RunSeeds() {}

    /// Runs them all. A seed whose history breaks the law ends this with its history.
    ///
    /// The first one runs alone. What the JVM does but once, it does under locks that all simulations share,
    /// and a simulated thread that waits for one of them waits for a thread of another simulation.
    public static List<Report> runAll(Dialect dialect, int freshCount, LongFunction<Report> simulation) {
        var _ = simulation.apply(0);
        return all(dialect, freshCount).parallelStream().map(simulation::apply).toList();
    }

    /// Those that ever failed, and fresh ones.
    static List<Long> all(Dialect dialect, int freshCount) {
        var seeds = new ArrayList<>(FailedSeeds.of(dialect));
        fresh(dialect, freshCount).forEach(seeds::add);
        return seeds.stream().distinct().toList();
    }

    /// Fresh seeds of this commit.
    static LongStream fresh(Dialect dialect, int count) {
        long first = first();
        System.out.printf("%s: %d seeds from %d%n", dialect, count, first);
        return LongStream.range(first, first + count);
    }

    /// Where there is no git, the day of the build has to do.
    private static long first() {
        return commit().map(commit -> Long.parseLong(commit.substring(0, DIGITS), 16))
                .orElseGet(() -> Long.parseLong(System.getProperty("cadastre.build.day")));
    }

    private static Optional<String> commit() {
        try {
            var git = new ProcessBuilder("git", "rev-parse", "HEAD")
                    .redirectErrorStream(true)
                    .start();
            var said = new String(git.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            return git.waitFor() == 0 ? Optional.of(said) : Optional.empty();
        } catch (IOException _) {
            // This machine has no git.
            return Optional.empty();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }
}
