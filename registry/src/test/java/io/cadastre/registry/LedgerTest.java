package io.cadastre.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Address;
import io.cadastre.address.Prefix;
import io.cadastre.address.Range;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Journal;
import io.cadastre.datastore.memory.MemoryJournal;
import io.cadastre.engine.Holding;

import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

class LedgerTest {

    private static final Instant NOON = Instant.parse("2026-05-01T12:00:00Z");

    private final MemoryJournal journal = new MemoryJournal();
    private final Ledger ledger = new Ledger(journal);

    @Test
    void entryIsReadAsItWasWritten() {
        var entry =
                new Ledger.Entry(
                        NOON.plusNanos(123_456_789),
                        "assign ünïcode",
                        "Assigned[10.0.0.1]",
                        3,
                        17,
                        List.of(held("10.0.0.1/32", "pod/a"), held("fd00::/64", "node/b")),
                        List.of(held("10.0.0.9/32", "pod/z")),
                        List.of("passed over one", "took another"));

        ledger.append(List.of(entry));

        assertThat(ledger.read(1, 10)).containsExactly(new Ledger.Recorded(1, entry));
    }

    @Test
    void entriesAreFoundByRangeHolderAndTime() {
        ledger.append(
                List.of(
                        granting(NOON, "10.0.0.0/24", "node/a"),
                        granting(NOON.plusSeconds(10), "10.0.1.0/24", "node/b"),
                        granting(NOON.plusSeconds(20), "fd00::/64", "node/a")));

        assertThat(numbers(ledger.touching(range("10.0.0.7/32"), 1, 10))).containsExactly(1L);
        assertThat(numbers(ledger.touching(range("10.0.0.0/16"), 1, 10))).containsExactly(1L, 2L);
        assertThat(numbers(ledger.touching(range("10.0.0.0/16"), 2, 10))).containsExactly(2L);
        assertThat(numbers(ledger.touching(range("10.0.2.0/24"), 1, 10))).isEmpty();
        assertThat(numbers(ledger.of("node/a", 1, 10))).containsExactly(1L, 3L);
        assertThat(numbers(ledger.of("node/a", 1, 1))).containsExactly(1L);
        assertThat(numbers(ledger.between(NOON.plusSeconds(10), NOON.plusSeconds(20), 1, 10)))
                .containsExactly(2L);
    }

    @Test
    void holderOfAnAddressAtATimeIsTold() {
        ledger.append(
                List.of(
                        granting(NOON, "10.0.0.0/24", "node/a"),
                        granting(NOON.plusSeconds(1), "10.0.0.5/32", "pod/x"),
                        returning(NOON.plusSeconds(2), "10.0.0.5/32", "pod/x"),
                        granting(NOON.plusSeconds(3), "10.0.0.5/32", "pod/y")));
        var address = Address.parse("10.0.0.5");

        assertThat(ledger.heldAt(address, NOON.minusSeconds(1))).isEmpty();
        assertThat(holders(ledger.heldAt(address, NOON))).containsExactly("node/a");
        assertThat(holders(ledger.heldAt(address, NOON.plusSeconds(1))))
                .containsExactly("node/a", "pod/x");
        assertThat(holders(ledger.heldAt(address, NOON.plusSeconds(2)))).containsExactly("node/a");
        assertThat(holders(ledger.heldAt(address, NOON.plusSeconds(9))))
                .containsExactly("node/a", "pod/y");
    }

    @Test
    void whoCommittedFirstCountsAndNotWhoAppendedFirst() {
        var removal =
                new Ledger.Entry(
                        NOON,
                        "return",
                        "ok",
                        1,
                        11,
                        List.of(),
                        List.of(held("10.0.0.0/24", "node/a")),
                        List.of());
        var grant =
                new Ledger.Entry(
                        NOON,
                        "grant",
                        "ok",
                        1,
                        10,
                        List.of(held("10.0.0.0/24", "node/a")),
                        List.of(),
                        List.of());

        ledger.append(List.of(removal, grant));

        assertThat(ledger.heldAt(Address.parse("10.0.0.5"), NOON)).isEmpty();
    }

    @Test
    void entryWithoutARevisionCountsFromWhereItWasAppended() {
        var grant = granting(NOON, "10.0.0.0/24", "node/a");
        var removal =
                new Ledger.Entry(
                        NOON,
                        "return",
                        "found done",
                        2,
                        0,
                        List.of(),
                        List.of(held("10.0.0.0/24", "node/a")),
                        List.of());

        ledger.append(List.of(grant));
        ledger.append(List.of(removal));

        assertThat(ledger.heldAt(Address.parse("10.0.0.5"), NOON)).isEmpty();
    }

    @Test
    void entriesThatAreThereAreNotAppendedAgain() {
        var both =
                List.of(
                        granting(NOON, "10.0.0.0/24", "node/a"),
                        granting(NOON, "10.0.1.0/24", "node/b"));
        ledger.append(both);
        ledger.append(List.of(granting(NOON, "10.0.2.0/24", "node/c")));

        ledger.appendUnlessThere(both);
        ledger.appendUnlessThere(both.reversed());

        assertThat(ledger.read(1, 10))
                .extracting(recorded -> recorded.entry().granted().getFirst().holder())
                .containsExactly("node/a", "node/b", "node/c", "node/b", "node/a");
    }

    @Test
    void soundLedgerIsFoundSound() {
        ledger.append(List.of(granting(NOON, "10.0.0.0/24", "node/a")));
        ledger.append(List.of(granting(NOON, "10.0.1.0/24", "node/b")));

        assertThat(ledger.verify())
                .isInstanceOfSatisfying(
                        Ledger.Verification.Sound.class,
                        sound -> {
                            assertThat(sound.entries()).isEqualTo(2);
                            assertThat(sound.head()).matches("[0-9a-f]{64}");
                        });
    }

    @Test
    void emptyLedgerIsSound() {
        assertThat(ledger.verify()).isEqualTo(new Ledger.Verification.Sound(0, "0".repeat(64)));
    }

    @Test
    void everyChangedByteIsFound() {
        ledger.append(
                List.of(
                        granting(NOON, "10.0.0.0/24", "node/a"),
                        granting(NOON, "10.0.1.0/24", "node/b"),
                        granting(NOON, "10.0.2.0/24", "node/c")));
        var second = journal.read(2, 1).getFirst();

        for (int index = 0; index < second.content().size(); index++) {
            var bytes = second.content().toByteArray();
            bytes[index] ^= 1;
            var changed = new Journal.Entry(2, second.at(), Bytes.of(bytes));

            var verification = new Ledger(new Tampered(journal, changed)).verify();

            assertThat(verification)
                    .as("byte %d", index)
                    .isInstanceOfSatisfying(
                            Ledger.Verification.Broken.class,
                            broken -> assertThat(broken.number()).isEqualTo(2));
        }
    }

    @Test
    void missingEntryIsFound() {
        ledger.append(
                List.of(
                        granting(NOON, "10.0.0.0/24", "node/a"),
                        granting(NOON, "10.0.1.0/24", "node/b"),
                        granting(NOON, "10.0.2.0/24", "node/c")));

        var verification = new Ledger(new Without(journal, 2)).verify();

        assertThat(verification)
                .isEqualTo(new Ledger.Verification.Broken(2, "it is missing; the next one is 3"));
    }

    @Test
    void entryFiledUnderAnotherTimeIsFound() {
        ledger.append(List.of(granting(NOON, "10.0.0.0/24", "node/a")));
        var moved =
                new Journal.Entry(1, NOON.plusSeconds(1), journal.read(1, 1).getFirst().content());

        var verification = new Ledger(new Tampered(journal, moved)).verify();

        assertThat(verification)
                .isEqualTo(
                        new Ledger.Verification.Broken(
                                1, "its time is filed as 2026-05-01T12:00:01Z"));
    }

    private static Ledger.Entry granting(Instant at, String prefix, String holder) {
        return new Ledger.Entry(
                at, "grant", "ok", 1, 1, List.of(held(prefix, holder)), List.of(), List.of());
    }

    private static Ledger.Entry returning(Instant at, String prefix, String holder) {
        return new Ledger.Entry(
                at, "return", "ok", 1, 1, List.of(), List.of(held(prefix, holder)), List.of());
    }

    private static Holding held(String prefix, String holder) {
        var level = holder.startsWith("pod") ? Holding.Level.ENDPOINT : Holding.Level.NODE;
        return new Holding(range(prefix), level, holder, Holding.State.HELD);
    }

    private static Range range(String prefix) {
        return Prefix.parse(prefix).range();
    }

    private static List<Long> numbers(List<Ledger.Recorded> entries) {
        return entries.stream().map(Ledger.Recorded::number).toList();
    }

    private static List<String> holders(List<Holding> holdings) {
        return holdings.stream().map(Holding::holder).toList();
    }

    /// A journal in which somebody has changed a record.
    private record Tampered(Journal journal, Journal.Entry changed) implements Journal {

        @Override
        public void append(Function<Optional<Entry>, List<Draft>> next) {
            journal.append(next);
        }

        @Override
        public List<Entry> read(long from, int limit) {
            var entries = new ArrayList<>(journal.read(from, limit));
            entries.replaceAll(entry -> entry.number() == changed.number() ? changed : entry);
            return entries;
        }

        @Override
        public List<Entry> find(Query query, long from, int limit) {
            return journal.find(query, from, limit);
        }

        @Override
        public void close() {}
    }

    /// A journal from which somebody has removed a record.
    private record Without(Journal journal, long number) implements Journal {

        @Override
        public void append(Function<Optional<Entry>, List<Draft>> next) {
            journal.append(next);
        }

        @Override
        public List<Entry> read(long from, int limit) {
            return journal.read(from, limit).stream()
                    .filter(entry -> entry.number() != number)
                    .toList();
        }

        @Override
        public List<Entry> find(Query query, long from, int limit) {
            return journal.find(query, from, limit);
        }

        @Override
        public void close() {}
    }
}
