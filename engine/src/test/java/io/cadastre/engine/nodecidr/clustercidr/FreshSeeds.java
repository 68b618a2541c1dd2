package io.cadastre.engine.nodecidr.clustercidr;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.stream.LongStream;

/// Seeds that change with every commit, so that a run can be repeated before it counts.
final class FreshSeeds {

    /// Hexadecimal digits of a commit that make a seed.
    private static final int DIGITS = 7;

    private FreshSeeds() {}

    static LongStream of(String test, int count) {
        long first = first();
        System.out.printf("%s: %d seeds from %d%n", test, count, first);
        return LongStream.range(first, first + count);
    }

    /// Where there is no git, the seeds are always the same.
    private static long first() {
        try {
            var git = new ProcessBuilder("git", "rev-parse", "HEAD")
                    .redirectErrorStream(true)
                    .start();
            var commit = new String(git.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            return git.waitFor() == 0 ? Long.parseLong(commit.substring(0, DIGITS), 16) : 1;
        } catch (IOException _) {
            return 1;
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }
}
