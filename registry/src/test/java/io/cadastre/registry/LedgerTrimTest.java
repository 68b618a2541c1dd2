package io.cadastre.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Address;
import io.cadastre.address.Prefix;
import io.cadastre.address.Range;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Journal;
import io.cadastre.datastore.memory.MemoryJournal;
import io.cadastre.engine.Holding;
import io.cadastre.registry.Ledger.Retention;
import io.cadastre.registry.Ledger.Verification;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Every ten seconds a pod gets 10.0.0.5 and gives it back nine seconds later; the block is held from the
/// start.
class LedgerTrimTest {

    private static final Instant NOON = Instant.parse("2026-05-01T12:00:00Z");
    private static final Address ADDRESS = Address.parse("10.0.0.5");
    private static final int PODS = 500;

    private final MemoryJournal journal = new MemoryJournal();
    private final Ledger ledger = new Ledger(journal);

    @Test
    void heldAddressIsKnownAfterTheCutWithItsBeginningAndItsReason() {
        write();
        var middle = NOON.plusSeconds(2505);
        var later = NOON.plusSeconds(4005);
        var before = ledger.holders(ADDRESS, later, Ledger.Writers.ALL_RECORDED);

        trim(new Retention.NotBefore(middle));

        assertThat(ledger.holders(ADDRESS, later, Ledger.Writers.ALL_RECORDED)).isEqualTo(before);
        assertThat(holders(middle)).containsExactly("node/a", "pod/250");
        assertThat(before.periods().getFirst().from()).isEqualTo(NOON);
        assertThat(ledger.trimmedUntil()).contains(NOON.plusSeconds(2500));
    }

    @Test
    void ofTimesBeforeTheCutOnlyWhatLastedIsKnown() {
        write();

        trim(new Retention.NotBefore(NOON.plusSeconds(2505)));

        assertThat(holders(NOON.plusSeconds(15))).containsExactly("node/a");
        assertThat(holders(NOON.minusSeconds(1))).isEmpty();
    }

    @Test
    void trimmedLedgerIsSoundAndItsLaterHashesAreAsBefore() {
        write();
        var last = journal.read(2 * PODS + 1, 1).getFirst();

        trim(new Retention.NotBefore(NOON.plusSeconds(2505)));
        trim(new Retention.NotBefore(NOON.plusSeconds(4005)));
        ledger.append(List.of(entry(NOON.plusSeconds(9000), 9000, held("pod/z"), List.of())));

        assertThat(ledger.verify(Ledger.Writers.ALL_RECORDED)).isInstanceOf(Verification.Sound.class);
        assertThat(journal.read(2 * PODS + 1, 1)).containsExactly(last);
        assertThat(holders(NOON.plusSeconds(9001))).containsExactly("node/a", "pod/z");
    }

    @Test
    void ledgerWhoseEntriesWereAllCutOffStillTellsHowFarItsStoreHadCome() {
        write();
        long before = ledger.lastRevision();

        trim(new Retention.NotBefore(NOON.plusSeconds(9000)));
        trim(new Retention.NotBefore(NOON.plusSeconds(9000)));

        assertThat(before).isEqualTo(2 * PODS + 1);
        assertThat(ledger.lastRevision()).isEqualTo(before);
        assertThat(ledger.newestRevision()).isEqualTo(before);
        assertThat(ledger.verify(Ledger.Writers.ALL_RECORDED)).isInstanceOf(Verification.Sound.class);
    }

    @Test
    void cutOfAnEarlierVersionWhichTellsOfNoRevisionIsSoundAndCanBeCutAgain() {
        write();
        var plan =
                ledger.planTrim(new Retention.NotBefore(NOON.plusSeconds(2505))).orElseThrow();
        ledger.trim(
                new Ledger.Trim(
                        plan.first(), plan.last(), plan.left(), plan.bytes(), plan.at(), 0, plan.open(), plan.hash()),
                NOON.plusSeconds(8000));

        var verification = ledger.verify(Ledger.Writers.ALL_RECORDED);
        trim(new Retention.NotBefore(NOON.plusSeconds(4005)));

        assertThat(verification).isInstanceOf(Verification.Sound.class);
        assertThat(ledger.verify()).isInstanceOf(Verification.Sound.class);
        assertThat(holders(NOON.plusSeconds(4005))).containsExactly("node/a", "pod/400");
    }

    @Test
    void sizeIsABoundToo() {
        write();
        var plan = ledger.planTrim(new Retention.Within(20_000)).orElseThrow();

        ledger.trim(plan, NOON.plusSeconds(8000));

        assertThat(plan.left()).isBetween(10L, 200L);
        assertThat(ledger.read(1, 1000)).hasSize((int) plan.left() + 2);
        assertThat(ledger.verify()).isInstanceOf(Verification.Sound.class);
    }

    @Test
    void everyChangedByteOfTheCutIsFound() {
        write();
        trim(new Retention.NotBefore(NOON.plusSeconds(2505)));
        var cut = journal.read(1, 1).getFirst();

        for (int index = 0; index < cut.content().size(); index++) {
            var bytes = cut.content().toByteArray();
            bytes[index] ^= 1;

            assertThat(verifyWith(cut, Bytes.of(bytes))).as("byte %d", index).isInstanceOf(Verification.Broken.class);
        }
    }

    @Test
    void cutThatNoLaterEntryTellsOfIsFound() {
        write();
        trim(new Retention.NotBefore(NOON.plusSeconds(2505)));
        var cut = journal.read(1, 1).getFirst();
        var told = LedgerCodec.decode(cut.number(), cut.content()).entry();
        // Another account of what was held then, and its hash made to fit.
        var forged = new Ledger.Entry(told.at(), told.request(), told.outcome(), 1, 0, List.of(), List.of(), List.of());
        var content = LedgerCodec.encodeCut(cut.number(), forged, LedgerCodec.chained(cut));

        assertThat(verifyWith(cut, content)).isInstanceOf(Verification.Broken.class);
    }

    @Test
    void entryThatWasAppendedLateIsNotCutFromWhatItBelongsTo() {
        ledger.append(List.of(
                entry(NOON, 1, held("pod/a"), List.of()),
                entry(NOON.plusSeconds(1), 2, List.of(), held("pod/a")),
                entry(NOON.plusSeconds(2), 4, List.of(), held("pod/b")),
                entry(NOON.plusSeconds(3), 3, held("pod/b"), List.of()),
                entry(NOON.plusSeconds(4), 5, held("pod/c"), List.of())));

        var plan = ledger.planTrim(new Retention.NotBefore(NOON.plusSeconds(3))).orElseThrow();

        assertThat(plan.last()).isEqualTo(2);
    }

    @Test
    void nothingIsCutWhereACutWouldTakeAsMuch() {
        ledger.append(List.of(entry(NOON, 1, held("pod/a"), List.of())));

        assertThat(ledger.planTrim(new Retention.NotBefore(NOON.plusSeconds(9))))
                .isEmpty();
    }

    private Verification verifyWith(Journal.Entry changed, Bytes content) {
        var other = new MemoryJournal();
        var drafts = new ArrayList<Journal.Draft>();
        journal.look(look -> {
            look.scan(filed -> {
                var entry = filed.entry();
                if (entry != null) {
                    drafts.add(new Journal.Draft(
                            entry.at(),
                            entry.number() == changed.number() ? content : entry.content(),
                            filed.names(),
                            filed.spans()));
                }
            });
            return drafts;
        });
        // As many before it as there were, so that the numbers are the same.
        var first = journal.read(1, 1).getFirst();
        for (long number = 1; number < first.number(); number++) {
            other.append(_ -> List.of(new Journal.Draft(NOON, Bytes.of(new byte[0]), List.of(), List.of())));
        }
        other.append(_ -> drafts);
        other.cut(_ -> Optional.of(new Journal.Cut(first.number() - 1, List.of(), List.of())));
        return new Ledger(other).verify();
    }

    private void trim(Retention retention) {
        ledger.trim(ledger.planTrim(retention).orElseThrow(), NOON.plusSeconds(8000));
    }

    private void write() {
        var entries = new ArrayList<Ledger.Entry>();
        entries.add(entry(
                NOON,
                1,
                List.of(new Holding(
                        Prefix.parse("10.0.0.0/24").range(), Holding.Level.NODE, "node/a", Holding.State.HELD)),
                List.of()));
        for (int index = 0; index < PODS; index++) {
            var at = NOON.plusSeconds(10L * index);
            entries.add(entry(at, 2 * index + 2, held("pod/" + index), List.of()));
            entries.add(entry(at.plusSeconds(9), 2 * index + 3, List.of(), held("pod/" + index)));
        }
        ledger.append(entries);
    }

    private List<String> holders(Instant at) {
        return ledger.heldAt(ADDRESS, at).stream().map(Holding::holder).toList();
    }

    private static List<Holding> held(String holder) {
        return List.of(new Holding(Range.of(ADDRESS), Holding.Level.ENDPOINT, holder, Holding.State.HELD));
    }

    private static Ledger.Entry entry(Instant at, long revision, List<Holding> granted, List<Holding> returned) {
        return new Ledger.Entry(
                at, "ask", Fact.text("ok"), 1, revision, granted, returned, List.of(Fact.text("since")));
    }
}
