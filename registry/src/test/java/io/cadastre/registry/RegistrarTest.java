package io.cadastre.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.cadastre.address.Address;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.ForwardingDatastore;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.datastore.memory.MemoryJournal;
import io.cadastre.engine.Decision;
import io.cadastre.engine.Holding;
import io.cadastre.registry.TicketLaw.Give;
import io.cadastre.registry.TicketLaw.TicketBook;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RegistrarTest {

    private static final Instant NOW = Instant.parse("2026-05-01T12:00:00Z");

    private final Ledger ledger = new Ledger(new MemoryJournal());
    private final Interceptor store = new Interceptor(new MemoryDatastore());
    private final List<Duration> pauses = new ArrayList<>();

    @Test
    void outcomeIsSavedAndRecordedWithItsReasons() {
        var registrar = registrar(Registrar.Limits.DEFAULT, 100);

        var outcome = registrar.enact(TicketLaw.take("ada"));

        assertThat(outcome).isEqualTo(Address.parse("10.0.0.0"));
        assertThat(store.get(TicketLaw.KEY))
                .hasValueSatisfying(it -> assertThat(it.value().utf8()).isEqualTo("ada"));
        var entry = ledger.read(1, 10).getFirst().entry();
        assertThat(entry.at()).isEqualTo(NOW);
        assertThat(entry.request()).isEqualTo("take ada");
        assertThat(entry.outcome()).isEqualTo(Fact.text("10.0.0.0"));
        assertThat(entry.attempt()).isEqualTo(1);
        assertThat(entry.revision())
                .isEqualTo(store.get(TicketLaw.KEY).orElseThrow().revision());
        assertThat(entry.because()).containsExactly(Fact.text("10.0.0.0 is next in line"));
    }

    @Test
    void askingTwiceIsAskingOnce() {
        var registrar = registrar(Registrar.Limits.DEFAULT, 100);
        registrar.enact(TicketLaw.take("ada"));

        var again = registrar.enact(TicketLaw.take("ada"));

        assertThat(again).isEqualTo(Address.parse("10.0.0.0"));
        assertThat(store.commits.get()).isEqualTo(1);
    }

    @Test
    void conflictIsDecidedAfreshOnANewReading() {
        var registrar = registrar(Registrar.Limits.DEFAULT, 100);
        store.beforeNextCommit(() -> rival().enact(TicketLaw.take("rival")));

        var outcome = registrar.enact(TicketLaw.take("ada"));

        assertThat(outcome).isEqualTo(Address.parse("10.0.0.1"));
        assertThat(ledger.of("ada", 1, 10).getFirst().entry().attempt()).isEqualTo(2);
        assertThat(pauses).hasSize(1);
    }

    @Test
    void listenerLearnsOfTheTurnOnceAndOfEachConflict() {
        var registrar = registrar(Registrar.Limits.DEFAULT, 100);
        store.beforeNextCommit(() -> rival().enact(TicketLaw.take("rival")));
        var heard = new ArrayList<String>();

        registrar.enact(TicketLaw.take("ada").reportedTo(new RequestListener() {
            @Override
            public void begun() {
                heard.add("begun");
            }

            @Override
            public void conflicted() {
                heard.add("conflicted");
            }
        }));

        assertThat(heard).containsExactly("begun", "conflicted");
    }

    @Test
    void whoMetRivalsStepsAsideBeforeTheNextRequestsTooAndForgetsThemAfterAWhile() {
        var registrar = registrar(Registrar.Limits.DEFAULT, 100);
        store.beforeNextCommit(() -> rival().enact(TicketLaw.take("rival")));
        registrar.enact(TicketLaw.take("ada"));
        pauses.clear();

        for (int index = 0; index < 5; index++) {
            registrar.enact(TicketLaw.take("later-" + index));
        }

        assertThat(pauses).hasSize(1).allMatch(it -> it.compareTo(Duration.ofMillis(1)) <= 0);
    }

    @Test
    void lostAnswerWithEffectIsFoundServedAndNotServedTwice() {
        var registrar = registrar(Registrar.Limits.DEFAULT, 100);
        store.answerNext(done -> new Commit.Unknown("cut off after " + done));

        var outcome = registrar.enact(TicketLaw.take("ada"));

        assertThat(outcome).isEqualTo(Address.parse("10.0.0.0"));
        assertThat(store.get(TicketLaw.KEY).orElseThrow().value().utf8()).isEqualTo("ada");
    }

    @Test
    void lawReceivesDecisionsWithoutAnAnswerAndNotOnesThatMetAConflict() {
        var registrar = registrar(Registrar.Limits.DEFAULT, 100);
        var told = new ArrayList<List<Address>>();
        store.beforeNextCommit(() -> rival().enact(TicketLaw.take("rival")));

        registrar.enact(new Request<List<String>, Give, Address>("take ada", (names, lost) -> {
            told.add(lost.stream().map(Decision::outcome).toList());
            if (told.size() == 2) {
                store.answerNext(done -> new Commit.Unknown("cut off " + done));
            }
            return TicketLaw.decide(names, "ada");
        }));

        assertThat(told).containsExactly(List.of(), List.of(), List.of(Address.parse("10.0.0.1")));
    }

    @Test
    void attemptsAreBoundedAndTheLastSetbackIsReported() {
        var registrar = registrar(new Registrar.Limits(3, 8, 8, Duration.ofMillis(5)), 100);
        store.lose("the line is dead");

        assertThatThrownBy(() -> registrar.enact(TicketLaw.take("ada")))
                .isInstanceOfSatisfying(
                        UnsettledException.class,
                        unsettled -> assertThat(unsettled.reason()).isEqualTo(UnsettledException.Reason.ATTEMPTS))
                .hasMessage("take ada: 3 attempts did not settle it; the answer to the last one was"
                        + " lost (the line is dead)");
        assertThat(store.commits.get()).isEqualTo(3);
        assertThat(pauses).hasSize(2).allMatch(it -> it.compareTo(Duration.ofMillis(5)) <= 0);
    }

    @Test
    void lostAnswerThatIsFoundServedIsInTheLedgerWithWhatItGave() {
        var registrar = registrar(Registrar.Limits.DEFAULT, 100);
        store.answerNext(done -> new Commit.Unknown("cut off after " + done));

        registrar.enact(TicketLaw.take("ada"));

        assertThat(ledger.heldAt(Address.parse("10.0.0.0"), NOW))
                .extracting(Holding::holder)
                .containsExactly("ada");
    }

    @Test
    void repeatedRefusalDoesNotProveThatTheAttemptBeforeItWasWritten() {
        var registrar = registrar(Registrar.Limits.DEFAULT, 100);
        store.loseNext("cut off");

        registrar.enact(new Request<List<String>, Give, String>(
                "take ada",
                (names, lost) -> new Decision<>(
                        "refused",
                        lost.isEmpty() ? List.of(new Give("ada", TicketLaw.ticket(0))) : List.of(),
                        List.of())));

        assertThat(ledger.read(1, 10))
                .singleElement()
                .satisfies(recorded -> assertThat(recorded.entry().granted()).isEmpty());
    }

    @Test
    void failureAfterALostAnswerSaysThatItMayBeDone() {
        var registrar = registrar(Registrar.Limits.DEFAULT, 100);
        store.answerNext(done -> new Commit.Unknown("cut off after " + done));
        store.failReadingAfterTheNextCommit();

        assertThatThrownBy(() -> registrar.enact(TicketLaw.take("ada")))
                .isInstanceOfSatisfying(
                        UnsettledException.class,
                        unsettled -> assertThat(unsettled.perhapsDone()).isTrue())
                .hasMessage(
                        "take ada: an attempt was written in part, or its answer was lost, so it may be done; then: the"
                                + " store is gone");
    }

    @Test
    void eachFailureOfSeveralRequestsIsReported() {
        var registrar = registrar(Registrar.Limits.DEFAULT, 100);
        var served = new ArrayList<String>();

        var failure = catchThrowable(() -> registrar.enactAll(
                List.of(broken("one"), TicketLaw.take("ada"), broken("two")),
                (request, _) -> served.add(request.words())));

        assertThat(failure).hasMessageContaining("one cannot be decided");
        assertThat(failure.getSuppressed())
                .singleElement()
                .satisfies(other -> assertThat(other).hasMessageContaining("two cannot be decided"));
        assertThat(served).containsExactly("take ada");
    }

    @Test
    void requestsThatFailTogetherAreReportedOnce() {
        var registrar = registrar(Registrar.Limits.DEFAULT, 100);
        store.failReadingAfterTheNextCommit();
        registrar.enact(TicketLaw.take("before"));

        var failure = catchThrowable(
                () -> registrar.enactAll(List.of(TicketLaw.take("one"), TicketLaw.take("two")), (_, _) -> {}));

        assertThat(failure).hasMessage("the store is gone").hasNoSuppressedExceptions();
    }

    private static Request<List<String>, Give, Address> broken(String name) {
        return new Request<>("take " + name, _ -> {
            throw new IllegalStateException(name + " cannot be decided");
        });
    }

    @Test
    void commitThatTheLedgerDidNotTakeIsReportedAndRecordedBeforeTheNext() {
        var journal = new FailingJournal();
        var recorded = new Ledger(journal);
        var registrar = registrar(recorded);
        journal.fail(true);

        assertThatThrownBy(() -> registrar.enact(TicketLaw.take("ada")))
                .isInstanceOf(UnrecordedException.class)
                .hasMessage("done at revision 1, but the ledger could not be written: no room left");
        assertThatThrownBy(() -> registrar.enact(TicketLaw.take("bob")))
                .isInstanceOf(UnsettledException.class)
                .hasMessage("not begun, since the ledger cannot be written: no room left");
        assertThat(store.commits.get()).isEqualTo(1);
        journal.fail(false);
        registrar.enact(TicketLaw.take("bob"));

        assertThat(recorded.read(1, 10))
                .extracting(entry -> entry.entry().request())
                .containsExactly("take ada", "take bob");
    }

    @Test
    void registrarWhoseEntriesAreWrittenLaterStopsWhenTheyCannotBe() {
        var journal = new FailingJournal();
        var recorded = new Ledger(journal);
        var complaints = new LinkedBlockingQueue<String>();
        try (var late = new LateRecorder(recorded, complaints::add)) {
            var registrar = registrar(late);
            journal.fail(true);
            registrar.enact(TicketLaw.take("ada"));
            Awaitility.await().until(() -> !complaints.isEmpty());

            assertThatThrownBy(() -> registrar.enact(TicketLaw.take("bob"))).isInstanceOf(UnrecordedException.class);
            assertThatThrownBy(() -> registrar.enact(TicketLaw.take("cyd")))
                    .isInstanceOf(UnsettledException.class)
                    .hasMessage("not begun, since the ledger cannot be written: no room left");
            assertThat(store.commits.get()).isEqualTo(2);
            journal.fail(false);
            registrar.enact(TicketLaw.take("cyd"));
        }
        assertThat(recorded.read(1, 10))
                .extracting(entry -> entry.entry().request())
                .containsExactly("take ada", "take bob", "take cyd");
    }

    @Test
    void entryWhoseAnswerWasLostIsNotWrittenAgain() {
        var journal = new FailingJournal();
        var recorded = new Ledger(journal);
        var registrar = registrar(recorded);
        journal.loseAnswers(true);
        assertThatThrownBy(() -> registrar.enact(TicketLaw.take("ada"))).isInstanceOf(UnrecordedException.class);
        journal.loseAnswers(false);

        registrar.enact(TicketLaw.take("bob"));

        assertThat(recorded.read(1, 10))
                .extracting(entry -> entry.entry().request())
                .containsExactly("take ada", "take bob");
        assertThat(recorded.verify()).isInstanceOf(Ledger.Verification.Sound.class);
    }

    @Test
    void whatASaveWroteThatStoppedHalfWayIsInTheLedgerOnce() {
        var stopping = new StoppingBook(new TicketBook(store, 100));
        var registrar = registrar(stopping, ledger);

        registrar.enact(TicketLaw.take("ada"));

        var entries = ledger.read(1, 10).stream().map(Ledger.Recorded::entry).toList();
        assertThat(entries).extracting(entry -> entry.granted().size()).containsExactly(1, 0);
        assertThat(entries.getFirst().request()).isEqualTo("take ada");
        assertThat(entries.getFirst().outcome().words()).isEqualTo("1 of 2 writes were done, then one met STALE");
        assertThat(entries.getFirst().revision()).isEqualTo(1);
    }

    @Test
    void workOfARivalIsNotTakenForTheRestOfASaveThatWasRefusedHalfWay() {
        var stopping = new StoppingBook(new TicketBook(store, 100));
        var registrar = registrar(stopping, ledger);

        registrar.enact(TicketLaw.take("ada"));

        assertThat(ledger.read(1, 10).getLast().entry().attempt()).isEqualTo(2);
    }

    @Test
    void whatASaveWroteThatStoppedHalfWayIsRecordedBeforeTheNextCommit() {
        var journal = new FailingJournal();
        var recorded = new Ledger(journal);
        var stopping = new StoppingBook(new TicketBook(store, 100));
        var registrar = registrar(stopping, recorded);
        journal.fail(true);
        assertThatThrownBy(() -> registrar.enact(TicketLaw.take("ada")))
                .isInstanceOfSatisfying(
                        UnsettledException.class,
                        unsettled -> assertThat(unsettled.perhapsDone()).isTrue())
                .hasMessageContaining("half done, and the ledger could not be written");
        journal.fail(false);

        registrar.enact(TicketLaw.take("bob"));

        assertThat(recorded.read(1, 10))
                .extracting(entry -> entry.entry().request())
                .containsExactly("take ada", "take bob");
        assertThat(recorded.of("ada", 1, 10)).hasSize(1);
    }

    @Test
    void requestsThatArriveDuringACommitBecomeOneCommit() throws Exception {
        var registrar = registrar(Registrar.Limits.DEFAULT, 100);
        var committing = new CountDownLatch(1);
        var proceed = new CountDownLatch(1);
        store.beforeNextCommit(() -> {
            committing.countDown();
            await(proceed);
        });

        List<Address> outcomes;
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var first = threads.submit(() -> registrar.enact(TicketLaw.take("first")));
            committing.await();
            var others = new ArrayList<Future<Address>>();
            for (int index = 0; index < 10; index++) {
                var name = "other-" + index;
                others.add(threads.submit(() -> registrar.enact(TicketLaw.take(name))));
            }
            while (registrar.waiting() < 10) {
                Thread.onSpinWait();
            }
            proceed.countDown();
            first.get();
            outcomes = new ArrayList<>();
            for (var other : others) {
                outcomes.add(other.get());
            }
        }

        assertThat(store.commits.get()).isEqualTo(2);
        assertThat(outcomes).doesNotHaveDuplicates().hasSize(10);
        assertThat(ledger.read(1, 100)).hasSize(11);
    }

    /// The engine of the first request waits until the others have arrived: what is read serves them too.
    @Test
    void requestsThatArriveWhileABatchIsDecidedBecomePartOfIt() throws Exception {
        var registrar = registrar(Registrar.Limits.DEFAULT, 100);
        var slow = new SlowTake("first");

        var outcomes = new ArrayList<Address>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var all = new ArrayList<Future<Address>>();
            all.add(threads.submit(() -> registrar.enact(slow.request())));
            slow.awaitTurn();
            for (int index = 0; index < 10; index++) {
                var name = "other-" + index;
                all.add(threads.submit(() -> registrar.enact(TicketLaw.take(name))));
            }
            while (registrar.waiting() < 10) {
                Thread.onSpinWait();
            }
            slow.proceed();
            for (var one : all) {
                outcomes.add(one.get());
            }
        }

        assertThat(store.commits.get()).isEqualTo(1);
        assertThat(outcomes).doesNotHaveDuplicates().hasSize(11);
        assertThat(ledger.read(1, 100)).hasSize(11);
    }

    /// The page of the batch was read before the request was made, and nothing would compare it.
    @Test
    @Timeout(60)
    void answerThatWritesNothingIsReadAfterItWasAskedFor() throws Exception {
        var registrar = registrar(Registrar.Limits.DEFAULT, 100);
        var slow = new SlowTake("first");
        var commitsBefore = new ArrayList<Integer>();
        var look = new Request<List<String>, Give, Integer>("look", names -> {
            commitsBefore.add(store.commits.get());
            return new Decision<>(names.size(), List.of(), List.of());
        });

        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var first = threads.submit(() -> registrar.enact(slow.request()));
            slow.awaitTurn();
            var looked = threads.submit(() -> registrar.enact(look));
            while (registrar.waiting() < 1) {
                Thread.onSpinWait();
            }
            slow.proceed();
            first.get();
            assertThat(looked.get()).isEqualTo(1);
        }

        assertThat(commitsBefore).endsWith(1);
    }

    /// What waits for a page of its own is not overtaken by what could join the batch.
    @Test
    @Timeout(60)
    void requestsAreDecidedInTheOrderInWhichTheyArrived() throws Exception {
        var registrar = registrar(Registrar.Limits.DEFAULT, 100);
        var slow = new SlowTake("first");
        var look = new Request<List<String>, Give, Integer>(
                "look", names -> new Decision<>(names.size(), List.of(), List.of()));

        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var _ = threads.submit(() -> registrar.enact(slow.request()));
            slow.awaitTurn();
            var looked = threads.submit(() -> registrar.enact(look));
            while (registrar.waiting() < 1) {
                Thread.onSpinWait();
            }
            var later = threads.submit(() -> registrar.enact(TicketLaw.take("later")));
            while (registrar.waiting() < 2) {
                Thread.onSpinWait();
            }
            slow.proceed();

            assertThat(looked.get()).isEqualTo(1);
            assertThat(later.get()).isEqualTo(Address.parse("10.0.0.1"));
        }
    }

    /// A request that joins a batch waits for it alone, so that it must end with it whatever happens.
    @Test
    @Timeout(60)
    void errorWhileABatchIsJoinedEndsAllThatJoined() throws Exception {
        var registrar = registrar(Registrar.Limits.DEFAULT, 100);
        var slow = new SlowTake("first");
        Request<List<String>, Give, Address> broken = new Request<>("broken", _ -> {
            throw new AssertionError("a bug");
        });

        var ends = new ArrayList<Future<Address>>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            ends.add(threads.submit(() -> registrar.enact(slow.request())));
            slow.awaitTurn();
            ends.add(threads.submit(() -> registrar.enact(TicketLaw.take("other"))));
            while (registrar.waiting() < 1) {
                Thread.onSpinWait();
            }
            ends.add(threads.submit(() -> registrar.enact(broken)));
            while (registrar.waiting() < 2) {
                Thread.onSpinWait();
            }
            slow.proceed();
        }

        assertThat(ends).allSatisfy(end -> assertThatThrownBy(end::get).hasRootCauseMessage("a bug"));
        assertThat(registrar.enact(TicketLaw.take("next"))).isEqualTo(Address.parse("10.0.0.0"));
    }

    @Test
    void requestsThatDoNotFitIntoOneCommitGoIntoTheNext() throws Exception {
        var registrar = registrar(Registrar.Limits.DEFAULT, 3);
        var outcomes = new ArrayList<Address>();

        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var all = new ArrayList<Future<Address>>();
            for (int index = 0; index < 20; index++) {
                var name = "name-" + index;
                all.add(threads.submit(() -> registrar.enact(TicketLaw.take(name))));
            }
            for (var one : all) {
                outcomes.add(one.get());
            }
        }

        assertThat(outcomes).doesNotHaveDuplicates().hasSize(20);
        assertThat(store.commits.get()).isGreaterThanOrEqualTo(7);
    }

    @Test
    void engineThatFailsFailsItsOwnRequestOnly() throws Exception {
        var registrar = registrar(Registrar.Limits.DEFAULT, 100);
        var committing = new CountDownLatch(1);
        var proceed = new CountDownLatch(1);
        store.beforeNextCommit(() -> {
            committing.countDown();
            await(proceed);
        });
        Request<List<String>, Give, Address> broken = new Request<>("broken", _ -> {
            throw new IllegalStateException("a bug");
        });

        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var first = threads.submit(() -> registrar.enact(TicketLaw.take("first")));
            committing.await();
            var bad = threads.submit(() -> registrar.enact(broken));
            var good = threads.submit(() -> registrar.enact(TicketLaw.take("good")));
            while (registrar.waiting() < 2) {
                Thread.onSpinWait();
            }
            proceed.countDown();

            assertThat(first.get()).isEqualTo(Address.parse("10.0.0.0"));
            assertThat(good.get()).isEqualTo(Address.parse("10.0.0.1"));
            assertThatThrownBy(bad::get).hasRootCauseMessage("a bug");
        }
    }

    @Test
    void requestThatNeverSettlesIsGivenUpAloneAndTheOthersOfItsBatchAreServed() throws Exception {
        var registrar = registrar(Registrar.Limits.DEFAULT, 100);
        store.refuse("cursed", new Commit.Conflict(0, Commit.Kind.STALE));

        var outcomes = together(registrar, 20, 13);

        assertThat(outcomes.get(13)).isInstanceOf(UnsettledException.class);
        outcomes.remove(13);
        assertThat(outcomes).doesNotHaveDuplicates().hasOnlyElementsOfType(Address.class);
    }

    @ParameterizedTest
    @MethodSource("refusalsOfOneDocument")
    void requestWhoseDocumentTheStoreRefusesFailsAlone(RuntimeException refusal) throws Exception {
        var registrar = registrar(Registrar.Limits.DEFAULT, 100);
        store.refuse("cursed", refusal);

        var outcomes = together(registrar, 20, 13);

        assertThat(outcomes.get(13)).isSameAs(refusal);
        outcomes.remove(13);
        assertThat(outcomes).doesNotHaveDuplicates().hasOnlyElementsOfType(Address.class);
    }

    static Stream<RuntimeException> refusalsOfOneDocument() {
        return Stream.of(
                new IllegalArgumentException("such a value is too long"),
                new DatastoreException(DatastoreException.Kind.FAILED, "422"),
                new DatastoreException(DatastoreException.Kind.DENIED, "403"),
                new DatastoreException(DatastoreException.Kind.NOT_INSTALLED, "404"));
    }

    /// What requests come to that are all decided in one batch, the first of a commit that is under way
    /// aside.
    private List<Object> together(Registrar<List<String>, Give> registrar, int count, int cursed) throws Exception {
        var committing = new CountDownLatch(1);
        var proceed = new CountDownLatch(1);
        store.beforeNextCommit(() -> {
            committing.countDown();
            await(proceed);
        });
        var outcomes = new ArrayList<Object>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var _ = threads.submit(() -> registrar.enact(TicketLaw.take("first")));
            committing.await();
            var answers = new ArrayList<Future<Address>>();
            for (int index = 0; index < count; index++) {
                var name = index == cursed ? "cursed" : "other-" + index;
                answers.add(threads.submit(() -> registrar.enact(TicketLaw.take(name))));
                while (registrar.waiting() <= index) {
                    Thread.onSpinWait();
                }
            }
            proceed.countDown();
            for (var answer : answers) {
                try {
                    outcomes.add(answer.get());
                } catch (ExecutionException failed) {
                    outcomes.add(failed.getCause());
                }
            }
        }
        return outcomes;
    }

    @Test
    void noMoreRequestsWaitThanMay() throws Exception {
        var registrar = registrar(new Registrar.Limits(1, 1, 1, Duration.ZERO), 100);
        var committing = new CountDownLatch(1);
        var proceed = new CountDownLatch(1);
        store.beforeNextCommit(() -> {
            committing.countDown();
            await(proceed);
        });

        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var first = threads.submit(() -> registrar.enact(TicketLaw.take("first")));
            committing.await();
            var second = threads.submit(() -> registrar.enact(TicketLaw.take("second")));
            while (registrar.waiting() < 1) {
                Thread.onSpinWait();
            }

            assertThatThrownBy(() -> registrar.enact(TicketLaw.take("third")))
                    .isInstanceOf(UnsettledException.class)
                    .hasMessage("take third: 1 requests are waiting already, and 1 are the most");
            proceed.countDown();
            assertThat(first.get()).isEqualTo(Address.parse("10.0.0.0"));
            assertThat(second.get()).isEqualTo(Address.parse("10.0.0.1"));
        }
    }

    @Test
    void explanationWritesNothing() {
        var registrar = registrar(Registrar.Limits.DEFAULT, 100);

        var decision = registrar.explain(TicketLaw.take("ada"));

        assertThat(decision.outcome()).isEqualTo(Address.parse("10.0.0.0"));
        assertThat(store.commits.get()).isZero();
        assertThat(ledger.read(1, 10)).isEmpty();
    }

    @Test
    void manyThreadsOfManyRegistrarsNeverGetOneTicketTwice() throws Exception {
        var registrars = List.of(rival(), rival(), registrar(Registrar.Limits.DEFAULT, 5));
        var outcomes = new ArrayList<Address>();

        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var all = new ArrayList<Future<Address>>();
            for (int index = 0; index < 300; index++) {
                var name = "name-" + index;
                var registrar = registrars.get(index % registrars.size());
                all.add(threads.submit(() -> registrar.enact(TicketLaw.take(name))));
            }
            for (var one : all) {
                outcomes.add(one.get());
            }
        }

        assertThat(outcomes).doesNotHaveDuplicates().hasSize(300);
        assertThat(ledger.verify()).isInstanceOf(Ledger.Verification.Sound.class);
    }

    // ---- what is more than one commit takes ----

    @Test
    void requestThatIsTooMuchForOneCommitIsSavedPartByPartAndEachPartIsInTheLedger() {
        var registrar = registrar(Registrar.Limits.DEFAULT, 3);
        var names = List.of("a", "b", "c", "d", "e", "f", "g");

        var tickets = registrar.enact(TicketLaw.takeAll(names));

        assertThat(tickets).hasSize(7).doesNotHaveDuplicates();
        assertThat(store.get(TicketLaw.KEY).orElseThrow().value().utf8().lines())
                .containsExactlyElementsOf(names);
        assertThat(store.commits.get()).isEqualTo(3);
        var told = ledger.read(1, 10).stream().map(Ledger.Recorded::entry).toList();
        assertThat(told)
                .extracting(entry -> entry.outcome().words())
                .containsExactly("saved a part, 3 of 7 changes", "saved a part, 3 of 4 changes", tickets.toString());
        assertThat(told.stream().flatMap(entry -> entry.granted().stream()))
                .extracting(holding -> holding.holder())
                .containsExactlyElementsOf(names);
    }

    @Test
    void aPartThatMeetsARivalIsDecidedAfresh() {
        var registrar = registrar(Registrar.Limits.DEFAULT, 3);
        store.beforeNextCommit(() -> rival().enact(TicketLaw.take("rival")));

        var tickets = registrar.enact(TicketLaw.takeAll(List.of("a", "b", "c", "d")));

        assertThat(tickets)
                .containsExactly(TicketLaw.ticket(1), TicketLaw.ticket(2), TicketLaw.ticket(3), TicketLaw.ticket(4));
    }

    @Test
    void aPartWhoseAnswerIsLostIsNotRecordedTwice() {
        var registrar = registrar(Registrar.Limits.DEFAULT, 3);
        store.answerNext(done -> new Commit.Unknown("cut off after " + done));
        var names = List.of("a", "b", "c", "d", "e");

        var tickets = registrar.enact(TicketLaw.takeAll(names));

        assertThat(tickets).hasSize(5).doesNotHaveDuplicates();
        assertThat(ledger.read(1, 10).stream().flatMap(recorded -> recorded.entry().granted().stream()))
                .extracting(holding -> holding.holder())
                .containsExactlyInAnyOrderElementsOf(names);
    }

    @Test
    void decisionWithoutSeamsThatIsTooMuchForOneCommitFailsAndNothingIsSaved() {
        var registrar = registrar(Registrar.Limits.DEFAULT, 3);
        var names = List.of("a", "b", "c", "d");

        assertThatExceptionOfType(PageFullException.class)
                .isThrownBy(() -> registrar.enact(new Request<List<String>, Give, List<Address>>("take all", view -> {
                    var whole = TicketLaw.decideAll(view, names);
                    return new Decision<>(whole.outcome(), whole.changes(), whole.because());
                })));
        assertThat(store.get(TicketLaw.KEY)).isEmpty();
    }

    @Test
    void failureAfterAPartComesToWhatWasSavedIfTheRequestCanSayWhat() {
        var registrar = registrar(Registrar.Limits.DEFAULT, 3);
        var request = TicketLaw.takeAll(List.of("a", "b", "c", "d"));
        failSecondCommit();

        var tickets = registrar.enact(request.stoppedAfter((parts, _) -> parts.stream()
                .flatMap(part -> part.changes().stream())
                .map(Give::address)
                .toList()));

        assertThat(tickets).containsExactly(TicketLaw.ticket(0), TicketLaw.ticket(1), TicketLaw.ticket(2));
    }

    @Test
    void failureAfterAPartOfARequestThatCannotSayWhatItIsGoodForIsPerhapsDone() {
        var registrar = registrar(Registrar.Limits.DEFAULT, 3);
        failSecondCommit();

        assertThatExceptionOfType(UnsettledException.class)
                .isThrownBy(() -> registrar.enact(TicketLaw.takeAll(List.of("a", "b", "c", "d"))))
                .withMessageContaining("it was saved in part")
                .matches(UnsettledException::perhapsDone);
    }

    private void failSecondCommit() {
        store.beforeNextCommit(() -> store.beforeNextCommit(() -> {
            throw new DatastoreException(DatastoreException.Kind.FAILED, "broken on purpose");
        }));
    }

    private Registrar<List<String>, Give> registrar(Recorder recorded) {
        return registrar(new TicketBook(store, 100), recorded);
    }

    private Registrar<List<String>, Give> registrar(Book<List<String>, Give> book, Recorder recorded) {
        return new Registrar<>(
                book,
                recorded,
                Registrar.Limits.DEFAULT,
                InstantSource.fixed(NOW),
                new SplittableRandom(1),
                pauses::add);
    }

    private Registrar<List<String>, Give> registrar(Registrar.Limits limits, int givesMax) {
        return new Registrar<>(
                new TicketBook(store, givesMax),
                ledger,
                limits,
                InstantSource.fixed(NOW),
                new SplittableRandom(1),
                pauses::add);
    }

    /// Another process on the same store.
    private Registrar<List<String>, Give> rival() {
        return new Registrar<>(
                new TicketBook(store, 100),
                ledger,
                new Registrar.Limits(1000, 64, 1000, Duration.ofMillis(1)),
                InstantSource.fixed(NOW),
                new SplittableRandom(2),
                Thread::sleep);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    /// A request for a ticket whose engine waits until it may go on.
    private static final class SlowTake {

        private final CountDownLatch deciding = new CountDownLatch(1);
        private final CountDownLatch proceed = new CountDownLatch(1);
        private final Request<List<String>, Give, Address> request;

        SlowTake(String name) {
            var plain = TicketLaw.take(name);
            this.request = new Request<>(plain.words(), (view, earlier) -> {
                deciding.countDown();
                await(proceed);
                return plain.law().decide(view, earlier);
            });
        }

        Request<List<String>, Give, Address> request() {
            return request;
        }

        void awaitTurn() throws InterruptedException {
            deciding.await();
        }

        void proceed() {
            proceed.countDown();
        }
    }

    /// A book whose first page is written and yet said to have been written by half.
    private static final class StoppingBook implements Book<List<String>, Give> {

        private final Book<List<String>, Give> book;
        private boolean stopped;

        StoppingBook(Book<List<String>, Give> book) {
            this.book = book;
        }

        @Override
        public Page<List<String>, Give> open() {
            var page = book.open();
            if (stopped) {
                return page;
            }
            stopped = true;
            return new StoppingPage(page, List.of());
        }
    }

    private record StoppingPage(Page<List<String>, Give> page, List<Give> gives) implements Page<List<String>, Give> {

        @Override
        public List<String> view() {
            return page.view();
        }

        @Override
        public Page<List<String>, Give> with(List<Give> changes) {
            return new StoppingPage(page.with(changes), changes);
        }

        @Override
        public Commit save(Consumer<PartialCommit> stopped, Recording recording) {
            var done = (Commit.Done) page.save();
            stopped.accept(new PartialCommit(
                    done.revisions().getFirst(),
                    gives.stream().flatMap(give -> give.granted().stream()).toList(),
                    List.of(),
                    PartialCommit.Rest.NOT_WRITTEN));
            return Commits.partial(1, 2, "met STALE");
        }

        /// A rival has written the rest in the same way.
        @Override
        public Optional<Commit.Done> findApplied() {
            return Optional.of(new Commit.Done(List.of(7L)));
        }
    }

    /// The store in memory, whose commits can be preceded by something and whose answers can be
    /// replaced.
    private static final class Interceptor implements ForwardingDatastore {

        private final Datastore store;
        private final AtomicInteger commits = new AtomicInteger();
        private Optional<Runnable> before = Optional.empty();
        private Function<Commit, Commit> answer = Function.identity();
        private String lost = "";
        private int losses;
        private Function<List<Write>, Optional<Commit>> refusal = _ -> Optional.empty();
        private boolean failsAfterCommit;

        Interceptor(Datastore store) {
            this.store = store;
        }

        void beforeNextCommit(Runnable action) {
            before = Optional.of(action);
        }

        void failReadingAfterTheNextCommit() {
            failsAfterCommit = true;
        }

        void answerNext(Function<Commit, Commit> replacement) {
            answer = replacement;
        }

        /// From now on a commit that writes this text ends so.
        void refuse(String text, Commit.Conflict conflict) {
            refusal = writes -> writes(writes, text) ? Optional.of(conflict) : Optional.empty();
        }

        /// From now on a commit that writes this text fails so.
        void refuse(String text, RuntimeException failure) {
            refusal = writes -> {
                if (writes(writes, text)) {
                    throw failure;
                }
                return Optional.empty();
            };
        }

        private static boolean writes(List<Write> writes, String text) {
            return writes.stream().anyMatch(write -> write.toString().contains(text));
        }

        /// The next request is lost.
        void loseNext(String reason) {
            lost = reason;
            losses = 1;
        }

        /// From now on every request is lost.
        void lose(String reason) {
            lost = reason;
            losses = Integer.MAX_VALUE;
        }

        @Override
        public Commit commit(List<Write> writes) {
            var action = before;
            before = Optional.empty();
            action.ifPresent(Runnable::run);
            commits.incrementAndGet();
            if (losses > 0) {
                losses--;
                return new Commit.Unknown(lost);
            }
            var commit = answer.apply(refusal.apply(writes).orElseGet(() -> store.commit(writes)));
            answer = Function.identity();
            return commit;
        }

        @Override
        public Optional<Document> get(String key) {
            if (failsAfterCommit && commits.get() > 0) {
                throw new DatastoreException(DatastoreException.Kind.UNREACHABLE, "the store is gone");
            }
            return store.get(key);
        }

        @Override
        public Datastore store() {
            return store;
        }
    }
}
