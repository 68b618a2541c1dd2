package io.cadastre.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Address;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Journal;
import io.cadastre.datastore.memory.MemoryJournal;
import io.cadastre.engine.Holding;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A ledger of format 1, as an earlier program wrote it.
class OldLedgerTest {

    private final MemoryJournal journal = new MemoryJournal();
    private final Ledger ledger = new Ledger(journal);

    @BeforeEach
    void load() throws IOException {
        var drafts = new ArrayList<Journal.Draft>();
        try (InputStream in = OldLedgerTest.class.getResourceAsStream("ledger-format-1.txt")) {
            var lines = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .map(line -> line.split(" "))
                    .toList();
            for (var line : lines) {
                if (line[0].equals("record")) {
                    drafts.add(draft(line, lines));
                }
            }
        }
        journal.append(_ -> drafts);
    }

    @Test
    void oldEntriesAreSound() {
        assertThat(ledger.verify(Ledger.Writers.ALL_RECORDED))
                .isEqualTo(new Ledger.Verification.Sound(
                        6, "430df8a1bd8c83e0392a190a30a0c0f763e5354024c57d552d2cee455f874649"));
    }

    @Test
    void oldSentencesAreShownAsTheyWere() {
        var last = ledger.read(6, 1).getFirst().entry();

        assertThat(last.request()).isEqualTo("node-cidr add node-b");
        assertThat(last.outcome().words()).isEqualTo("Assigned[node=node-b, podCidrs=[10.244.0.0/24]]");
        assertThat(last.because())
                .extracting(Fact::words)
                .containsExactly("chose 10.244.0.0/24 of 10.244.0.0/16: the cursor stood at 10.244.0.0/24"
                        + " and 0 used blocks were skipped");
    }

    @Test
    void newEntriesGoOnWhereOldOnesEnd() {
        var address = Address.parse("10.10.0.161");
        var now = Instant.parse("2026-12-01T00:00:00Z");
        var former = ledger.heldAt(address, now).getLast();

        ledger.append(List.of(
                new Ledger.Entry(now, "release", Fact.text("done"), 1, 9, List.of(), List.of(former), List.of())));

        assertThat(former.holder()).isEqualTo("handle/h1");
        assertThat(ledger.heldAt(address, now))
                .extracting(Holding::level)
                .containsExactly(Holding.Level.POOL, Holding.Level.NODE);
        assertThat(ledger.verify()).isInstanceOf(Ledger.Verification.Sound.class);
    }

    @Test
    void blocksOfANodeAreFoundInOldEntries() {
        assertThat(ledger.periodsOfNode("node-a", Ledger.Writers.ALL_RECORDED).periods())
                .extracting(
                        period -> period.holding().range().prefixes().getFirst().toString())
                .containsExactly("10.10.0.160/28");
    }

    private static Journal.Draft draft(String[] record, List<String[]> lines) {
        return new Journal.Draft(
                Instant.ofEpochSecond(Long.parseLong(record[2]), Long.parseLong(record[3])),
                bytes(record[4]),
                lines.stream()
                        .filter(line -> line[0].equals("name") && line[1].equals(record[1]))
                        .map(line -> bytes(line[2]).utf8())
                        .toList(),
                lines.stream()
                        .filter(line -> line[0].equals("span") && line[1].equals(record[1]))
                        .map(line -> new Journal.Span(bytes(line[2]), bytes(line[3])))
                        .toList());
    }

    private static Bytes bytes(String hexadecimal) {
        return Bytes.of(HexFormat.of().parseHex(hexadecimal));
    }
}
