package io.cadastre.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.datastore.memory.MemoryJournal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// How far the store had come, by the end of its ledger.
final class LedgerRevisionTest {

    private static final Instant NOON = Instant.parse("2026-01-31T12:00:00Z");

    @Test
    void entryOfAFutureTimeHidesNoRevisionThatCameAfterIt() {
        var ledger = new Ledger(new MemoryJournal());
        var entries = new ArrayList<Ledger.Entry>();
        entries.add(at(NOON.plusSeconds(86_400), 1));
        for (int revision = 2; revision <= 2_000; revision++) {
            entries.add(at(NOON, revision));
        }

        ledger.append(entries);

        assertThat(ledger.lastRevision()).isEqualTo(2_000);
    }

    private static Ledger.Entry at(Instant time, long revision) {
        return new Ledger.Entry(time, "grant", Fact.text("ok"), 1, revision, List.of(), List.of(), List.of());
    }
}
