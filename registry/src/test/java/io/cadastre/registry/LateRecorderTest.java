package io.cadastre.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cadastre.datastore.DatastoreException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LateRecorderTest {

    private static final Instant NOON = Instant.parse("2026-05-01T12:00:00Z");

    private final FailingJournal journal = new FailingJournal();
    private final Ledger ledger = new Ledger(journal);
    private final List<String> complaints = Collections.synchronizedList(new ArrayList<>());
    private final LateRecorder recorder = new LateRecorder(ledger, complaints::add);

    @AfterEach
    void close() {
        recorder.close();
    }

    @Test
    void entryIsInTheLedgerAMomentLater() {
        recorder.append(List.of(entry(1)));

        await().untilAsserted(() -> assertThat(told()).containsExactly("1"));
    }

    @Test
    void entriesOfManyCallersAreThereOnceAndEachCallersInOrder() {
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int caller = 0; caller < 8; caller++) {
                int first = 1000 * caller;
                callers.execute(() ->
                        IntStream.range(first, first + 500).forEach(number -> recorder.append(List.of(entry(number)))));
            }
        }
        recorder.close();

        assertThat(told()).hasSize(8 * 500);
        for (int caller = 0; caller < 8; caller++) {
            int which = caller;
            assertThat(told().stream().map(Integer::valueOf).filter(one -> one / 1000 == which))
                    .hasSize(500)
                    .isSorted();
        }
    }

    @Test
    void owedEntriesAreWrittenOnClose() {
        recorder.append(List.of(entry(1), entry(2)));
        recorder.close();

        assertThat(told()).containsExactly("1", "2");
        assertThat(complaints).isEmpty();
    }

    @Test
    void whatComesAfterItIsClosedIsWrittenAtOnce() {
        recorder.close();
        recorder.append(List.of(entry(1)));

        assertThat(told()).containsExactly("1");
    }

    @Test
    void appendsFailUntilTheFailedLedgerIsWritten() {
        journal.fail(true);
        recorder.append(List.of(entry(1)));
        await().untilAsserted(() -> assertThat(complaints).isNotEmpty());
        assertThat(complaints.getFirst())
                .startsWith("the ledger cannot be written: ")
                .contains("no room left");

        assertThatThrownBy(() -> recorder.append(List.of(entry(2))))
                .isInstanceOf(DatastoreException.class)
                .hasMessageContaining("no room left");

        journal.fail(false);
        recorder.appendUnlessThere(List.of(entry(2)));
        assertThat(told()).containsExactly("1", "2");
    }

    @Test
    void ledgerThatCanBeWrittenAgainGetsTheOwedEntriesByItself() {
        journal.fail(true);
        recorder.append(List.of(entry(1)));
        await().untilAsserted(() -> assertThat(complaints).isNotEmpty());
        journal.fail(false);

        await().untilAsserted(() -> assertThat(told()).containsExactly("1"));
        recorder.append(List.of(entry(2)));
        await().untilAsserted(() -> assertThat(told()).containsExactly("1", "2"));
    }

    @Test
    void entriesWhoseAppendWasNotAnsweredAreThereOnce() {
        journal.loseAnswers(true);
        recorder.append(List.of(entry(1), entry(2)));
        recorder.append(List.of(entry(3)));
        await().untilAsserted(() -> assertThat(complaints).isNotEmpty());
        journal.loseAnswers(false);

        recorder.append(List.of(entry(4)));
        assertThat(told()).containsExactly("1", "2", "3", "4");
    }

    @Test
    void moreThanMayBeOwedIsWrittenByWhoBringsIt() {
        var many = IntStream.range(0, 700).mapToObj(LateRecorderTest::entry).toList();
        var more = IntStream.range(700, 1400).mapToObj(LateRecorderTest::entry).toList();
        recorder.append(many);
        recorder.append(more);

        assertThat(told()).hasSize(1400);
    }

    @Test
    void entriesThatCannotBeWrittenAtTheEndAreReported() {
        journal.fail(true);
        recorder.append(List.of(entry(1), entry(2)));
        recorder.close();

        assertThat(complaints.getLast())
                .startsWith("the last 2 decisions are not in the ledger")
                .contains("no room left");
    }

    @Test
    void entryThatCanNeverBeWrittenIsReportedAndHoldsNoOtherBack() {
        journal.refuseOver(1000);
        recorder.append(List.of(entry(1), entry("x".repeat(1000), 2), entry(3)));
        recorder.close();
        recorder.append(List.of(entry(4)));

        assertThat(told()).containsExactly("1", "3", "4");
        assertThat(complaints.getLast()).endsWith("is not in the ledger, which can never take it: too large");
    }

    private List<String> told() {
        var told = new ArrayList<String>();
        var page = ledger.read(1, 1000);
        while (!page.isEmpty()) {
            page.forEach(recorded -> told.add(recorded.entry().request()));
            page = ledger.read(told.size() + 1, 1000);
        }
        return told;
    }

    private static Ledger.Entry entry(int number) {
        return entry(String.valueOf(number), number);
    }

    private static Ledger.Entry entry(String request, int number) {
        return new Ledger.Entry(
                NOON.plusSeconds(number), request, Fact.text("done"), 1, number, List.of(), List.of(), List.of());
    }
}
