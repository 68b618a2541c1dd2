package io.cadastre.verification.benchmarks;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// How long the operations of one measurement took.
final class Figures {

    private final long[] nanos;
    private final long wallNanos;

    /// @param nanos of each operation
    /// @param wallNanos of all together
    Figures(long[] nanos, long wallNanos) {
        this.nanos = nanos.clone();
        this.wallNanos = wallNanos;
        Arrays.sort(this.nanos);
    }

    /// Of operations that were done one after another, with pauses that do not count.
    static Figures alone(long[] nanos) {
        return new Figures(nanos, Arrays.stream(nanos).sum());
    }

    /// Of several measurements, one after the other.
    static Figures joined(List<Figures> parts) {
        return new Figures(
                parts.stream().flatMapToLong(part -> Arrays.stream(part.nanos)).toArray(),
                parts.stream().mapToLong(part -> part.wallNanos).sum());
    }

    /// The same operations, when something had to be done after the last of them.
    Figures until(long moreNanos) {
        return new Figures(nanos, wallNanos + moreNanos);
    }

    int count() {
        return nanos.length;
    }

    double seconds() {
        return wallNanos / 1e9;
    }

    double perSecond() {
        return nanos.length / seconds();
    }

    /// Milliseconds that this part of the operations did not exceed.
    double millis(double part) {
        int index = (int) Math.ceil(part * nanos.length) - 1;
        return nanos[Math.max(0, index)] / 1e6;
    }

    String words() {
        return String.format(Locale.ROOT, "%.0f/s, p50 %.2f ms, p99 %.2f ms", perSecond(), millis(0.5), millis(0.99));
    }
}
