package io.cadastre.verification.benchmarks;

import io.cadastre.address.PartIndex;
import io.cadastre.address.Prefix;
import io.cadastre.address.SparsePartIndex;
import io.cadastre.address.Subdivision;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/// W0: allocate and free on a /16, a /8 and a /64 that are 1 %, 50 % and 99 % full, and the fill of
/// 65,536 CIDRs from empty to full.
///
/// One operation is a pair: the next free part from the moving cursor is taken, and the part taken
/// [#HELD] pairs ago is given back, so that occupancy stays what it was. Everything is first filled by
/// chance with a fixed seed.
///
/// A /64 cannot be filled part by part. Ranges of 2^48 parts, chosen by chance, are used until the
/// share is reached, and a window of 2^20 or 2^22 parts in the middle is filled part by part to the
/// same share. The cursor stays in the window, where the holes are, since elsewhere it would meet no
/// border for years. `holes` is the worst case and has no bar: nothing is free but 65,536 lone parts
/// strewn over the /64, so that every change makes or removes a node of the tree.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class W0Benchmark {

    private static final int HELD = 4096;
    private static final long SEED = 42;

    /// A space of 2^16 or 2^24 parts, filled by chance.
    @State(Scope.Thread)
    public static class Dense {

        @Param({"1", "50", "99"})
        public int percent;

        @Param({"16", "8"})
        public int prefix;

        PartIndex index = new PartIndex(1);
        int[] held = {};
        int at;
        int cursor;

        @Setup(Level.Trial)
        public void prepare() {
            var random = new Random(SEED);
            index = new PartIndex(1 << (32 - prefix));
            int wanted = (int) ((long) index.size() * percent / 100);
            held = new int[Math.min(HELD, index.size() / 200)];
            fill(index, wanted - held.length, random);
            cursor = random.nextInt(index.size());
            for (int i = 0; i < held.length; i++) {
                held[i] = takeNext();
            }
        }

        int takeNext() {
            int part = index.nextFree(cursor);
            index.add(part);
            cursor = part + 1 == index.size() ? 0 : part + 1;
            return part;
        }
    }

    /// A space of 2^64 parts, filled by ranges, with a window that is filled by chance.
    @State(Scope.Thread)
    public static class Sparse {

        static final long WINDOW_FIRST = 0x7fff_1234_0000_0000L;
        static final int CHUNK_BITS = 48;

        @Param({"1", "50", "99"})
        public int percent;

        @Param({"20", "22"})
        public int windowBits;

        SparsePartIndex index = new SparsePartIndex(-1L);
        int windowSize;
        long[] held = {};
        int at;
        long cursor = WINDOW_FIRST;

        @Setup(Level.Trial)
        public void prepare() {
            var random = new Random(SEED);
            windowSize = 1 << windowBits;
            index = new SparsePartIndex(-1L);
            for (long chunk = 0; chunk < 1L << (64 - CHUNK_BITS); chunk++) {
                if (random.nextInt(100) < percent) {
                    index.addRange(chunk << CHUNK_BITS, ((chunk + 1) << CHUNK_BITS) - 1);
                }
            }
            index.removeRange(WINDOW_FIRST, WINDOW_FIRST + windowSize - 1);
            fillWindow(random);
            held = new long[HELD];
            for (int i = 0; i < HELD; i++) {
                held[i] = takeNext();
            }
        }

        private void fillWindow(Random random) {
            var window = new PartIndex(windowSize);
            fill(window, (int) ((long) windowSize * percent / 100) - HELD, random);
            for (int part = 0; part < windowSize; part++) {
                if (window.contains(part)) {
                    index.add(WINDOW_FIRST + part);
                }
            }
        }

        long takeNext() {
            long part = index.nextFree(cursor);
            if (part - WINDOW_FIRST >= windowSize) {
                part = index.nextFree(WINDOW_FIRST);
            }
            index.add(part);
            cursor = part + 1;
            return part;
        }
    }

    /// A space of 2^64 parts with nothing free but lone parts.
    @State(Scope.Thread)
    public static class Holes {

        static final int COUNT = 1 << 16;

        final SparsePartIndex index = new SparsePartIndex(-1L);
        final long[] held = new long[HELD];
        int at;
        long cursor;

        @Setup(Level.Trial)
        public void prepare() {
            var random = new Random(SEED);
            index.addRange(0, -1L);
            for (int i = 0; i < COUNT; i++) {
                index.remove(random.nextLong());
            }
            for (int i = 0; i < HELD; i++) {
                held[i] = takeNext();
            }
        }

        long takeNext() {
            long part = index.nextFree(cursor);
            index.add(part);
            cursor = part + 1;
            return part;
        }
    }

    @Benchmark
    public int dense(Dense state) {
        int part = state.takeNext();
        state.index.remove(state.held[state.at]);
        state.held[state.at] = part;
        state.at = state.at + 1 == state.held.length ? 0 : state.at + 1;
        return part;
    }

    @Benchmark
    public long sparse(Sparse state) {
        long part = state.takeNext();
        state.index.remove(state.held[state.at]);
        state.held[state.at] = part;
        state.at = (state.at + 1) % HELD;
        return part;
    }

    @Benchmark
    public long holes(Holes state) {
        long part = state.takeNext();
        state.index.remove(state.held[state.at]);
        state.held[state.at] = part;
        state.at = (state.at + 1) % HELD;
        return part;
    }

    @Benchmark
    @OperationsPerInvocation(65_536)
    public void fill65536(Blackhole sink) {
        var cidrs = new Subdivision(Prefix.parse("10.0.0.0/8"), 24);
        var index = new PartIndex((int) cidrs.lastOrdinal() + 1);
        int cursor = 0;
        while (!index.full()) {
            int part = index.nextFree(cursor);
            index.add(part);
            cursor = part + 1 == index.size() ? 0 : part + 1;
            sink.consume(cidrs.part(part));
        }
    }

    private static void fill(PartIndex index, int wanted, Random random) {
        while (index.count() < wanted) {
            index.add(random.nextInt(index.size()));
        }
    }
}
