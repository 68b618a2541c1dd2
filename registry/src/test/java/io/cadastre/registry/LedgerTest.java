package io.cadastre.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Address;
import io.cadastre.address.Prefix;
import io.cadastre.address.Range;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.ForwardingJournal;
import io.cadastre.datastore.Journal;
import io.cadastre.datastore.memory.MemoryJournal;
import io.cadastre.engine.HolderFacts;
import io.cadastre.engine.Holding;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LedgerTest {

    private static final Instant NOON = Instant.parse("2026-05-01T12:00:00Z");

    private final MemoryJournal journal = new MemoryJournal();
    private final Ledger ledger = new Ledger(journal);

    @Test
    void entryIsReadAsItWasWritten() {
        var entry = new Ledger.Entry(
                NOON.plusNanos(123_456_789),
                "assign ünïcode",
                Fact.text("Assigned[10.0.0.1]"),
                3,
                17,
                List.of(held("10.0.0.1/32", "pod/a"), held("fd00::/64", "node/b")),
                List.of(held("10.0.0.9/32", "pod/z")),
                List.of(Fact.text("passed over one"), Fact.text("took another")));

        ledger.append(List.of(entry));

        assertThat(ledger.read(1, 10)).containsExactly(new Ledger.Recorded(1, entry));
    }

    @Test
    void entriesAreFoundByRangeHolderAndTime() {
        ledger.append(List.of(
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
    void holderOfAnAddressAtATimeIsFound() {
        ledger.append(List.of(
                granting(NOON, "10.0.0.0/24", "node/a"),
                granting(NOON.plusSeconds(1), "10.0.0.5/32", "pod/x"),
                returning(NOON.plusSeconds(2), "10.0.0.5/32", "pod/x"),
                granting(NOON.plusSeconds(3), "10.0.0.5/32", "pod/y")));
        var address = Address.parse("10.0.0.5");

        assertThat(ledger.heldAt(address, NOON.minusSeconds(1))).isEmpty();
        assertThat(holders(ledger.heldAt(address, NOON))).containsExactly("node/a");
        assertThat(holders(ledger.heldAt(address, NOON.plusSeconds(1)))).containsExactly("node/a", "pod/x");
        assertThat(holders(ledger.heldAt(address, NOON.plusSeconds(2)))).containsExactly("node/a");
        assertThat(holders(ledger.heldAt(address, NOON.plusSeconds(9)))).containsExactly("node/a", "pod/y");
    }

    @Test
    void whoCommittedFirstCountsAndNotWhoAppendedFirst() {
        var removal = new Ledger.Entry(
                NOON, "return", Fact.text("ok"), 1, 11, List.of(), List.of(held("10.0.0.0/24", "node/a")), List.of());
        var grant = new Ledger.Entry(
                NOON, "grant", Fact.text("ok"), 1, 10, List.of(held("10.0.0.0/24", "node/a")), List.of(), List.of());

        ledger.append(List.of(removal, grant));

        assertThat(ledger.heldAt(Address.parse("10.0.0.5"), NOON)).isEmpty();
    }

    @Test
    void entryWithoutARevisionCountsFromWhereItWasAppended() {
        var grant = granting(NOON, "10.0.0.0/24", "node/a");
        var removal = new Ledger.Entry(
                NOON,
                "return",
                Fact.text("found done"),
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
        var both = List.of(granting(NOON, "10.0.0.0/24", "node/a"), granting(NOON, "10.0.1.0/24", "node/b"));
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

        assertThat(ledger.verify()).isInstanceOfSatisfying(Ledger.Verification.Sound.class, sound -> {
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
        ledger.append(List.of(
                granting(NOON, "10.0.0.0/24", "node/a"),
                granting(NOON, "10.0.1.0/24", "node/b"),
                granting(NOON, "10.0.2.0/24", "node/c")));
        var second = journal.read(2, 1).getFirst();

        for (int index = 0; index < second.content().size(); index++) {
            var bytes = second.content().toByteArray();
            bytes[index] ^= 1;
            var changed = new Journal.Entry(2, second.at(), Bytes.of(bytes));

            var verification = verify(filed -> with(filed, changed));

            assertThat(verification)
                    .as("byte %d", index)
                    .isInstanceOfSatisfying(
                            Ledger.Verification.Broken.class,
                            broken -> assertThat(broken.number()).isEqualTo(2));
        }
    }

    @Test
    void missingEntryIsFound() {
        ledger.append(List.of(
                granting(NOON, "10.0.0.0/24", "node/a"),
                granting(NOON, "10.0.1.0/24", "node/b"),
                granting(NOON, "10.0.2.0/24", "node/c")));

        var verification = verify(filed -> filed.number() == 2 ? Optional.empty() : Optional.of(filed));

        assertThat(verification).isEqualTo(new Ledger.Verification.Broken(2, "it is missing; the next one is 3"));
    }

    @Test
    void entryFiledUnderAnotherTimeIsFound() {
        ledger.append(List.of(granting(NOON, "10.0.0.0/24", "node/a")));
        var moved = new Journal.Entry(
                1, NOON.plusSeconds(1), journal.read(1, 1).getFirst().content());

        var verification = verify(filed -> with(filed, moved));

        assertThat(verification)
                .isEqualTo(new Ledger.Verification.Broken(1, "its time is filed as 2026-05-01T12:00:01Z"));
    }

    @Test
    void nameThatIsGoneIsFound() {
        ledger.append(List.of(granting(NOON, "10.0.0.0/24", "node/a")));

        var verification = verify(filed -> Optional.of(new Journal.Filed(1, filed.entry(), List.of(), filed.spans())));

        assertThat(verification)
                .isEqualTo(new Ledger.Verification.Broken(1, "it is not filed under a name that it tells of"));
    }

    @Test
    void nameThatTheEntryDoesNotTellOfIsFound() {
        ledger.append(List.of(granting(NOON, "10.0.0.0/24", "node/a")));

        var verification = verify(
                filed -> Optional.of(new Journal.Filed(1, filed.entry(), List.of("node/a", "node/b"), filed.spans())));

        assertThat(verification)
                .isEqualTo(new Ledger.Verification.Broken(1, "it is filed under a name that it does not tell of"));
    }

    @Test
    void rangeThatIsFiledOtherwiseIsFound() {
        ledger.append(List.of(granting(NOON, "10.0.0.0/24", "node/a")));

        var verification = verify(filed -> {
            var first = filed.spans().getFirst().first();
            return Optional.of(
                    new Journal.Filed(1, filed.entry(), filed.names(), List.of(new Journal.Span(first, first))));
        });

        assertThat(verification)
                .isEqualTo(new Ledger.Verification.Broken(1, "it is not filed under a range that it tells of"));
    }

    @Test
    void nameOfARecordThatIsMissingIsFound() {
        ledger.append(List.of(granting(NOON, "10.0.0.0/24", "node/a")));

        var verification = verify(filed -> Optional.of(new Journal.Filed(1, null, filed.names(), List.of())));

        assertThat(verification)
                .isEqualTo(new Ledger.Verification.Broken(1, "names or ranges are filed for it, and it is missing"));
    }

    @Test
    void entryOfAnySizeIsWrittenAndFound() {
        var longName = "pod/" + "ü".repeat(5000);
        var half = "pod/" + (char) 0xd800;
        var granted = new ArrayList<Holding>();
        for (int index = 0; index < 1000; index++) {
            var holder = index == 0 ? half : longName + index % 3;
            granted.add(held("10.0.%d.%d/32".formatted(index / 250, index % 250), holder));
        }
        var large = new Ledger.Entry(
                NOON,
                "assign ".repeat(200_000),
                Fact.of(granted),
                1,
                1,
                granted,
                List.of(),
                Collections.nCopies(100_000, Fact.text("passed over one")));

        ledger.append(List.of(large));
        ledger.appendUnlessThere(List.of(large));

        var told = ledger.read(1, 100).stream().map(Ledger.Recorded::entry).toList();
        assertThat(told).allMatch(entry -> entry.revision() == 1 && entry.at().equals(NOON));
        assertThat(told.stream().flatMap(entry -> entry.granted().stream())).hasSize(1000);
        assertThat(told.getFirst().because().getLast().words()).matches("and \\d+ more reasons");
        assertThat(told.stream()
                        .flatMap(entry -> entry.granted().stream())
                        .map(Holding::holder)
                        .distinct())
                .hasSize(4);
        assertThat(ledger.verify()).isInstanceOf(Ledger.Verification.Sound.class);
    }

    @Test
    void holderOfAnAddressIsFoundAlsoAfterManyHolders() {
        var entries = new ArrayList<Ledger.Entry>();
        entries.add(new Ledger.Entry(
                NOON,
                "grant a block and an address",
                Fact.text("ok"),
                1,
                1,
                List.of(held("10.0.0.0/24", "node/a"), held("10.0.0.5/32", "pod/first")),
                List.of(),
                List.of()));
        entries.add(returning(NOON, "10.0.0.5/32", "pod/first"));
        for (int index = 0; index < 2000; index++) {
            var at = NOON.plusSeconds(10L * index);
            entries.add(granting(at, "10.0.0.5/32", "pod/" + index));
            entries.add(returning(at.plusSeconds(9), "10.0.0.5/32", "pod/" + index));
        }
        ledger.append(entries);
        var address = Address.parse("10.0.0.5");

        assertThat(holders(ledger.heldAt(address, NOON.plusSeconds(7005)))).containsExactly("node/a", "pod/700");
        assertThat(holders(ledger.heldAt(address, NOON.plusSeconds(7009)))).containsExactly("node/a");
        assertThat(ledger.periodsOf(address, Ledger.Writers.ALL_RECORDED).periods())
                .hasSize(2002);
    }

    @Test
    void holderThatReturnsWithOtherFactsHasReturned() {
        var before = held("10.0.0.5/32", "pod/x");
        var after =
                new Holding(before.range(), before.level(), before.holder(), before.state(), HolderFacts.ofNode("n"));

        ledger.append(List.of(entry(NOON, 1, before, null), entry(NOON, 2, null, after)));

        assertThat(ledger.heldAt(Address.parse("10.0.0.5"), NOON)).isEmpty();
    }

    @Test
    void secondHolderIsDoubleWhereAllWritersAreRecorded() {
        ledger.append(
                List.of(granting(NOON, "10.0.0.5/32", "pod/x"), granting(NOON.plusSeconds(5), "10.0.0.5/32", "pod/y")));
        var address = Address.parse("10.0.0.5");

        var known = ledger.holders(address, NOON.plusSeconds(9), Ledger.Writers.ALL_RECORDED);
        var guessed = ledger.periodsOf(address, Ledger.Writers.OTHERS_TOO);

        assertThat(known.periods()).hasSize(2);
        assertThat(known.doubled()).hasSize(1);
        assertThat(ledger.verify(Ledger.Writers.ALL_RECORDED)).isInstanceOf(Ledger.Verification.Doubled.class);
        assertThat(guessed.doubled()).isEmpty();
        assertThat(guessed.periods().getFirst().end()).isEqualTo(new HoldingPeriod.End(NOON.plusSeconds(5), false));
    }

    private static Ledger.Entry entry(
            Instant at, long revision, @Nullable Holding granted, @Nullable Holding returned) {
        return new Ledger.Entry(
                at,
                "ask",
                Fact.text("ok"),
                1,
                revision,
                granted == null ? List.of() : List.of(granted),
                returned == null ? List.of() : List.of(returned),
                List.of());
    }

    private Ledger.Verification verify(Function<Journal.Filed, Optional<Journal.Filed>> tampering) {
        return new Ledger(new Tampered(journal, tampering)).verify();
    }

    private static Optional<Journal.Filed> with(Journal.Filed filed, Journal.Entry changed) {
        return Optional.of(
                filed.number() == changed.number()
                        ? new Journal.Filed(filed.number(), changed, filed.names(), filed.spans())
                        : filed);
    }

    private static Ledger.Entry granting(Instant at, String prefix, String holder) {
        return new Ledger.Entry(
                at, "grant", Fact.text("ok"), 1, 1, List.of(held(prefix, holder)), List.of(), List.of());
    }

    private static Ledger.Entry returning(Instant at, String prefix, String holder) {
        return new Ledger.Entry(
                at, "return", Fact.text("ok"), 1, 1, List.of(), List.of(held(prefix, holder)), List.of());
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

    /// A journal in which the record under a number was tampered with.
    private record Tampered(Journal journal, Function<Filed, Optional<Filed>> tampering) implements ForwardingJournal {

        @Override
        public <T> T look(Function<Look, T> work) {
            return journal.look(look -> work.apply(new TamperedLook(look, tampering)));
        }

        @Override
        public void close() {}
    }

    private record TamperedLook(Journal.Look look, Function<Journal.Filed, Optional<Journal.Filed>> tampering)
            implements Journal.Look {

        @Override
        public void scan(Consumer<Journal.Filed> each) {
            look.scan(filed -> tampering.apply(filed).ifPresent(each));
        }

        @Override
        public List<Journal.Entry> find(Journal.Query query, long from, int limit) {
            return look.find(query, from, limit);
        }

        @Override
        public List<Journal.Entry> findBack(Journal.Query query, long to, int limit) {
            return look.findBack(query, to, limit);
        }

        @Override
        public List<Journal.Span> spansOverlapping(Journal.Span span) {
            return look.spansOverlapping(span);
        }

        @Override
        public long lastNumber() {
            return look.lastNumber();
        }

        @Override
        public long lastUntil(Instant at) {
            return look.lastUntil(at);
        }
    }
}
