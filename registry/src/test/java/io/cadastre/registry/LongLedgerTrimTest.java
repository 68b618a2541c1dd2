package io.cadastre.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.datastore.Journal;
import io.cadastre.registry.Ledger.Retention;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("it measures the memory of the process")
class LongLedgerTrimTest {

    private static final Instant NOON = Instant.parse("2026-05-01T12:00:00Z");

    @Test
    void longLedgerIsPlannedWithoutKeepingItsEntries() {
        var look = new LongLook(200_000);

        var plan = new LedgerTrim(new Retention.NotBefore(NOON.plusSeconds(150_000)))
                .plan(look)
                .orElseThrow();

        assertThat(plan.last()).isEqualTo(149_999);
        assertThat(plan.left()).isEqualTo(50_001);
        assertThat(plan.revision()).isEqualTo(149_999);
        assertThat(plan.at()).isEqualTo(NOON.plusSeconds(149_999));
        assertThat(look.bytesKept).isLessThan(12_000_000);
    }

    /// A journal in which an entry is made each second and none is kept.
    private static final class LongLook implements Journal.Look {

        private final int entries;

        /// How much more is in use at the end of a scan than at its beginning, at most.
        private long bytesKept;

        LongLook(int entries) {
            this.entries = entries;
        }

        @Override
        public void scan(Consumer<Journal.Filed> each) {
            long before = bytesInUse();
            for (long number = 1; number <= entries; number++) {
                var entry = new Ledger.Entry(
                        NOON.plusSeconds(number), "ask", Fact.text("ok"), 1, number, List.of(), List.of(), List.of());
                var content = LedgerCodec.encode(number, entry, LedgerCodec.genesis());
                var record = new Journal.Entry(number, entry.at(), content);
                each.accept(new Journal.Filed(number, record, List.of(), List.of()));
            }
            bytesKept = Math.max(bytesKept, bytesInUse() - before);
        }

        private static long bytesInUse() {
            System.gc();
            var runtime = Runtime.getRuntime();
            return runtime.totalMemory() - runtime.freeMemory();
        }

        @Override
        public List<Journal.Entry> find(Journal.Query query, long from, int limit) {
            throw new UnsupportedOperationException();
        }

        @Override
        public List<Journal.Entry> findBack(Journal.Query query, long to, int limit) {
            throw new UnsupportedOperationException();
        }

        @Override
        public List<Journal.Span> spansOverlapping(Journal.Span span) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long lastUntil(Instant at) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long lastNumber() {
            return entries;
        }
    }
}
