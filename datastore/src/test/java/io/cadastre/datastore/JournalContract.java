package io.cadastre.datastore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cadastre.datastore.Journal.Draft;
import io.cadastre.datastore.Journal.Entry;
import io.cadastre.datastore.Journal.Query;
import io.cadastre.datastore.Journal.Span;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What every journal promises. A journal passes by a subclass that says how it is opened.
public abstract class JournalContract {

    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

    /// Opened before each test.
    @SuppressWarnings("NullAway.Init")
    private Journal journal;

    /// Opens the journal of this test, which is empty at first.
    protected abstract Journal open() throws Exception;

    @BeforeEach
    void openJournal() throws Exception {
        journal = open();
    }

    @AfterEach
    void closeJournal() {
        journal.close();
    }

    @Test
    void emptyJournalHasNoLastRecordAndNothingToRead() {
        var lasts = new ArrayList<Optional<Entry>>();

        journal.append(last -> {
            lasts.add(last);
            return List.of();
        });

        assertThat(lasts).containsExactly(Optional.empty());
        assertThat(journal.read(1, 10)).isEmpty();
    }

    @Test
    void recordsAreNumberedFromOneWithoutGaps() {
        append(aDraft("one"), aDraft("two"));
        append(aDraft("three"));

        var entries = journal.read(1, 10);

        assertThat(entries)
                .containsExactly(
                        new Entry(1, NOON, Bytes.ofUtf8("one")),
                        new Entry(2, NOON, Bytes.ofUtf8("two")),
                        new Entry(3, NOON, Bytes.ofUtf8("three")));
    }

    @Test
    void appendingReceivesTheLastRecord() {
        append(aDraft("one"), aDraft("two"));
        var lasts = new ArrayList<Optional<Entry>>();

        journal.append(last -> {
            lasts.add(last);
            return List.of(aDraft("three").draft());
        });

        assertThat(lasts).containsExactly(Optional.of(new Entry(2, NOON, Bytes.ofUtf8("two"))));
    }

    @Test
    void nothingIsAppendedWhenTheFunctionThrows() {
        append(aDraft("one"));

        assertThatThrownBy(() -> journal.append(_ -> {
                    throw new IllegalStateException("on purpose");
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("on purpose");

        append(aDraft("two"));
        assertThat(contentsOf(journal.read(1, 10))).containsExactly("one", "two");
    }

    @Test
    void recordKeepsItsTimeToTheNanosecondAndItsContentToTheByte() {
        var at = Instant.parse("1969-12-31T23:59:59.999999999Z");
        var content = new byte[Journal.CONTENT_BYTES_MAX];
        new Random(1).nextBytes(content);

        append(new Draft(at, Bytes.of(content), List.of(), List.of()));

        assertThat(journal.read(1, 1).equals(List.of(new Entry(1, at, Bytes.of(content)))))
                .isTrue();
    }

    @Test
    void readingGoesOnFromANumber() {
        append(aDraft("one"), aDraft("two"), aDraft("three"), aDraft("four"));

        assertThat(contentsOf(journal.read(2, 2))).containsExactly("two", "three");
        assertThat(contentsOf(journal.read(4, 2))).containsExactly("four");
        assertThat(journal.read(5, 2)).isEmpty();
    }

    @Test
    void recordIsFoundByEachOfItsNames() {
        append(
                aDraft("one").named("pod/a", "node/x").draft(),
                aDraft("two").named("pod/b", "node/x").draft(),
                aDraft("three").named("pod/a").draft());

        assertThat(numbersOf(journal.find(new Query.Named("node/x"), 1, 10))).containsExactly(1L, 2L);
        assertThat(numbersOf(journal.find(new Query.Named("pod/a"), 1, 10))).containsExactly(1L, 3L);
        assertThat(numbersOf(journal.find(new Query.Named("pod/a"), 2, 10))).containsExactly(3L);
        assertThat(numbersOf(journal.find(new Query.Named("pod/a"), 1, 1))).containsExactly(1L);
        assertThat(journal.find(new Query.Named("pod"), 1, 10)).isEmpty();
    }

    @Test
    void nameGivenTwiceIsOneName() {
        append(aDraft("one").named("a", "a").draft());

        assertThat(numbersOf(journal.find(new Query.Named("a"), 1, 10))).containsExactly(1L);
    }

    @Test
    void recordIsFoundByTimeWithItsBeginAndWithoutItsEnd() {
        append(
                aDraft("one").at(NOON).draft(),
                aDraft("two").at(NOON.plusNanos(1)).draft(),
                aDraft("three").at(NOON.minusSeconds(1)).draft(),
                aDraft("four").at(NOON.plusSeconds(1)).draft());

        assertThat(numbersOf(journal.find(new Query.Between(NOON, NOON.plusSeconds(1)), 1, 10)))
                .containsExactly(1L, 2L);
        assertThat(numbersOf(journal.find(new Query.Between(NOON.minusSeconds(1), NOON.plusNanos(1)), 1, 10)))
                .containsExactly(1L, 3L);
        assertThat(journal.find(new Query.Between(NOON, NOON), 1, 10)).isEmpty();
    }

    @Test
    void recordIsFoundBySpansThatOverlap() {
        append(
                aDraft("one").over(10, 19).draft(),
                aDraft("two").over(20, 20).draft(),
                aDraft("three").over(0, 255).draft(),
                aDraft("four").over(5, 5).over(30, 39).draft());

        assertThat(overlapping(20, 20)).containsExactly(2L, 3L);
        assertThat(overlapping(19, 20)).containsExactly(1L, 2L, 3L);
        assertThat(overlapping(5, 35)).containsExactly(1L, 2L, 3L, 4L);
        assertThat(overlapping(40, 50)).containsExactly(3L);
        assertThat(overlapping(0, 4)).containsExactly(3L);
    }

    @Test
    void endsOfSpansAreComparedUnsigned() {
        append(
                aDraft("one").over(0x7f, 0x80).draft(),
                aDraft("two").over(0xff, 0xff).draft());

        assertThat(overlapping(0x80, 0xff)).containsExactly(1L, 2L);
        assertThat(overlapping(0x81, 0xfe)).isEmpty();
        assertThat(overlapping(0x00, 0x7f)).containsExactly(1L);
    }

    @Test
    void spansAreFoundAsALookThroughAllOfThemWouldFind() {
        var random = new Random(20260301);
        var spans = new ArrayList<int[]>();
        for (int index = 0; index < 300; index++) {
            int first = random.nextInt(1 << 16);
            int width = random.nextInt(1 << random.nextInt(1, 16));
            spans.add(new int[] {first, Math.min(first + width, (1 << 16) - 1)});
        }
        append(spans.stream()
                .map(span -> aDraft("x").over(span[0], span[1]).draft())
                .toArray(Draft[]::new));

        for (int turn = 0; turn < 100; turn++) {
            int first = random.nextInt(1 << 16);
            int last = Math.min(first + random.nextInt(500), (1 << 16) - 1);
            var expected = IntStream.range(0, spans.size())
                    .filter(index -> spans.get(index)[0] <= last && spans.get(index)[1] >= first)
                    .mapToObj(index -> index + 1L)
                    .toList();

            assertThat(overlapping(first, last)).as("%d to %d", first, last).isEqualTo(expected);
        }
    }

    @Test
    void findingGoesOnFromANumber() {
        append(IntStream.range(0, 30)
                .mapToObj(index -> aDraft("" + index).over(index % 3, index % 3).draft())
                .toArray(Draft[]::new));

        var page = journal.find(new Query.Overlapping(span(1, 1)), 10, 4);

        assertThat(numbersOf(page)).containsExactly(11L, 14L, 17L, 20L);
    }

    @Test
    void recordsAreFoundBackwards() {
        append(
                aDraft("one").named("a").over(10, 19).draft(),
                aDraft("two").named("a", "b").over(15, 15).draft(),
                aDraft("three").at(NOON.plusSeconds(1)).over(10, 19).draft(),
                aDraft("four").named("a").over(40, 49).draft());

        assertThat(back(new Query.Named("a"), 4, 10)).containsExactly(4L, 2L, 1L);
        assertThat(back(new Query.Named("a"), 3, 1)).containsExactly(2L);
        assertThat(back(new Query.Spanning(span(10, 19)), 4, 10)).containsExactly(3L, 1L);
        assertThat(back(new Query.Spanning(span(10, 18)), 4, 10)).isEmpty();
        assertThat(back(new Query.Overlapping(span(15, 40)), 4, 3)).containsExactly(4L, 3L, 2L);
        assertThat(back(new Query.Between(NOON, NOON.plusNanos(1)), 4, 10)).containsExactly(4L, 2L, 1L);
    }

    @Test
    void recordIsFoundByExactlyItsSpan() {
        append(
                aDraft("one").over(10, 19).draft(),
                aDraft("two").over(10, 10).draft(),
                aDraft("three").over(10, 19).draft());

        var found = journal.find(new Query.Spanning(span(10, 19)), 1, 10);

        assertThat(numbersOf(found)).containsExactly(1L, 3L);
        assertThat(numbersOf(journal.find(new Query.Spanning(span(10, 19)), 2, 10)))
                .containsExactly(3L);
        assertThat(numbersOf(journal.look(look -> look.find(new Query.Spanning(span(10, 10)), 1, 10))))
                .containsExactly(2L);
    }

    @Test
    void eachSpanThatOverlapsIsFoundOnce() {
        append(
                aDraft("one").over(10, 19).draft(),
                aDraft("two").over(15, 15).draft(),
                aDraft("three").over(10, 19).over(12, 15).over(12, 14).draft(),
                aDraft("four").over(0, 255).over(16, 16).draft());

        assertThat(journal.<List<Span>>look(look -> look.spansOverlapping(span(15, 15))))
                .containsExactlyInAnyOrder(span(10, 19), span(15, 15), span(12, 15), span(0, 255));
    }

    @Test
    void lastRecordUntilATimeIsTheLatestAndNotTheLastAppended() {
        append(
                aDraft("one").at(NOON).draft(),
                aDraft("two").at(NOON.plusSeconds(2)).draft(),
                aDraft("three").at(NOON.plusSeconds(1)).draft(),
                aDraft("four").at(NOON.plusSeconds(1)).draft());

        assertThat(lastUntil(NOON.minusNanos(1))).isZero();
        assertThat(lastUntil(NOON)).isEqualTo(1);
        assertThat(lastUntil(NOON.plusSeconds(1))).isEqualTo(4);
        assertThat(lastUntil(NOON.plusSeconds(9))).isEqualTo(2);
    }

    @Test
    void scanPassesEveryRecordWithAllItIsFiledUnder() {
        append(
                aDraft("one").named("b", "a", "b").over(10, 19).over(3, 3).draft(),
                aDraft("two").draft());

        var filed = scan();

        assertThat(filed).hasSize(2);
        assertThat(filed.getFirst().entry()).isEqualTo(journal.read(1, 1).getFirst());
        assertThat(filed.getFirst().names()).containsExactlyInAnyOrder("a", "b");
        assertThat(filed.getFirst().spans()).containsExactlyInAnyOrder(span(10, 19), span(3, 3));
        assertThat(filed.getLast())
                .isEqualTo(new Journal.Filed(2, journal.read(2, 1).getFirst(), List.of(), List.of()));
    }

    @Test
    void cutReplacesTheOldestRecordsAndAppends() {
        append(
                aDraft("one").named("a").over(1, 1).draft(),
                aDraft("two").named("a").over(2, 2).draft(),
                aDraft("three").named("a").over(3, 3).draft(),
                aDraft("four").named("a").over(4, 4).draft());

        journal.cut(_ -> Optional.of(new Journal.Cut(
                3,
                List.of(aDraft("sum").named("s").over(1, 3).draft()),
                List.of(aDraft("five").named("a").draft()))));
        append(aDraft("six"));

        assertThat(numbersOf(journal.read(1, 10))).containsExactly(3L, 4L, 5L, 6L);
        assertThat(contentsOf(journal.read(1, 10))).containsExactly("sum", "four", "five", "six");
        assertThat(numbersOf(journal.find(new Query.Named("a"), 1, 10))).containsExactly(4L, 5L);
        assertThat(overlapping(1, 4)).containsExactly(3L, 4L);
        assertThat(scan()).extracting(Journal.Filed::number).containsExactly(3L, 4L, 5L, 6L);
    }

    @Test
    void cutThatIsNotDecidedOrNotAllowedChangesNothing() {
        append(aDraft("one"), aDraft("two"));
        var draft = aDraft("sum").draft();

        journal.cut(_ -> Optional.empty());
        assertRefused(() -> cut(new Journal.Cut(3, List.of(draft), List.of())));
        assertRefused(() -> cut(new Journal.Cut(0, List.of(), List.of())));
        assertRefused(() -> cut(new Journal.Cut(1, List.of(draft, draft), List.of())));
        assertRefused(() -> cut(new Journal.Cut(2, List.of(), List.of())));

        assertThat(contentsOf(journal.read(1, 10))).containsExactly("one", "two");
    }

    private void cut(Journal.Cut cut) {
        journal.cut(_ -> Optional.of(cut));
    }

    private List<Long> back(Query query, long to, int limit) {
        return numbersOf(journal.look(look -> look.findBack(query, to, limit)));
    }

    @Test
    void lastNumberIsThatOfTheLastAppendedWhateverItsTime() {
        long none = journal.<Long>look(Journal.Look::lastNumber);
        append(
                aDraft("one").at(NOON).draft(),
                aDraft("two").at(NOON.plusSeconds(2)).draft(),
                aDraft("three").at(NOON.plusSeconds(1)).draft());

        assertThat(none).isZero();
        assertThat(journal.<Long>look(Journal.Look::lastNumber)).isEqualTo(3);
    }

    private long lastUntil(Instant at) {
        return journal.<Long>look(look -> look.lastUntil(at));
    }

    private List<Journal.Filed> scan() {
        return journal.look(look -> {
            var all = new ArrayList<Journal.Filed>();
            look.scan(all::add);
            return all;
        });
    }

    @Test
    void writersDoNotCutInBetweenTheLastRecordAndTheNext() throws Exception {
        int writerCount = 16;
        int recordsEach = 5;

        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var writers = new ArrayList<Future<?>>();
            for (int writer = 0; writer < writerCount; writer++) {
                writers.add(threads.submit(() -> {
                    for (int record = 0; record < recordsEach; record++) {
                        journal.append(JournalContract::successor);
                    }
                }));
            }
            for (var writer : writers) {
                writer.get(60, TimeUnit.SECONDS);
            }
        }

        var entries = journal.read(1, 1000);
        assertThat(entries).hasSize(writerCount * recordsEach);
        assertThat(numbersOf(entries))
                .isEqualTo(LongStream.rangeClosed(1, entries.size()).boxed().toList());
        assertThat(contentsOf(entries))
                .isEqualTo(IntStream.range(0, writerCount * recordsEach)
                        .mapToObj(number -> "after " + number)
                        .toList());
    }

    @Test
    void badArgumentsAreRefusedAndNothingIsAppended() {
        append(aDraft("one").over(1, 1).draft());
        var longSpan = new Span(Bytes.ofUtf8("abc"), Bytes.ofUtf8("abd"));
        var unevenSpan = new Span(Bytes.ofUtf8("abc"), Bytes.ofUtf8("abcd"));
        var draft = aDraft("two").draft();

        assertRefused(() -> journal.read(0, 1));
        assertRefused(() -> journal.read(1, 0));
        assertRefused(() -> journal.read(1, Journal.PAGE_RECORDS_MAX + 1));
        assertRefused(() -> journal.find(new Query.Named(""), 1, 1));
        assertRefused(() -> journal.find(new Query.Overlapping(span(2, 1)), 1, 1));
        assertRefused(() -> journal.find(new Query.Between(NOON, NOON.minusNanos(1)), 1, 1));
        assertRefused(() -> append(draft, aDraft("x").named("").draft()));
        assertRefused(() -> append(draft, aDraft("x").over(2, 1).draft()));
        assertRefused(() -> append(draft, new Draft(NOON, Bytes.ofUtf8("x"), List.of(), List.of(longSpan))));
        assertRefused(() -> append(draft, new Draft(NOON, Bytes.ofUtf8("x"), List.of(), List.of(unevenSpan))));
        assertRefused(() -> append(
                draft, new Draft(NOON, Bytes.of(new byte[Journal.CONTENT_BYTES_MAX + 1]), List.of(), List.of())));

        assertThat(contentsOf(journal.read(1, 10))).containsExactly("one");
    }

    @Test
    void closedJournalRefusesEveryCall() {
        journal.close();
        journal.close();

        assertClosed(() -> journal.read(1, 1));
        assertClosed(() -> journal.find(new Query.Named("a"), 1, 1));
        assertClosed(() -> append(aDraft("one")));
        assertClosed(() -> scan());
        assertClosed(() -> journal.cut(_ -> Optional.empty()));
    }

    private static List<Draft> successor(Optional<Entry> last) {
        return List.of(aDraft("after " + last.map(Entry::number).orElse(0L)).draft());
    }

    private void append(Draft... drafts) {
        journal.append(_ -> List.of(drafts));
    }

    private void append(Fixture... fixtures) {
        append(List.of(fixtures).stream().map(Fixture::draft).toArray(Draft[]::new));
    }

    private List<Long> overlapping(int first, int last) {
        return numbersOf(journal.find(new Query.Overlapping(span(first, last)), 1, 1000));
    }

    private static List<Long> numbersOf(List<Entry> entries) {
        return entries.stream().map(Entry::number).toList();
    }

    private static List<String> contentsOf(List<Entry> entries) {
        return entries.stream().map(entry -> entry.content().utf8()).toList();
    }

    private static Span span(int first, int last) {
        return new Span(end(first), end(last));
    }

    private static Bytes end(int place) {
        return Bytes.of(new byte[] {(byte) (place >> 8), (byte) place});
    }

    private static void assertRefused(ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class);
    }

    private static void assertClosed(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        DatastoreException.class,
                        failure -> assertThat(failure.kind()).isEqualTo(DatastoreException.Kind.CLOSED));
    }

    private static Fixture aDraft(String content) {
        return new Fixture(new Draft(NOON, Bytes.ofUtf8(content), List.of(), List.of()));
    }

    /// A draft in the making.
    private record Fixture(Draft draft) {

        Fixture at(Instant at) {
            return new Fixture(new Draft(at, draft.content(), draft.names(), draft.spans()));
        }

        Fixture named(String... names) {
            return new Fixture(new Draft(draft.at(), draft.content(), List.of(names), draft.spans()));
        }

        Fixture over(int first, int last) {
            var spans = new ArrayList<>(draft.spans());
            spans.add(span(first, last));
            return new Fixture(new Draft(draft.at(), draft.content(), draft.names(), spans));
        }
    }
}
