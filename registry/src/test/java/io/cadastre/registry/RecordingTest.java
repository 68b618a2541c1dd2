package io.cadastre.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.ForwardingDatastore;
import io.cadastre.datastore.Journal;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.registry.TicketLaw.Give;
import io.cadastre.registry.TicketLaw.TicketBook;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Where the store keeps the ledger, a decision and its entry are one transaction.
class RecordingTest {

    private static final Instant NOW = Instant.parse("2026-05-01T12:00:00Z");

    private final MemoryDatastore memory = new MemoryDatastore();
    private final Faulty store = new Faulty(memory);
    private final Ledger ledger = new Ledger(memory.journal().orElseThrow());

    @Test
    void entryIsWrittenWithTheCommitItTellsOf() {
        registrar(50).enact(TicketLaw.take("ada"));
        registrar(50).enact(TicketLaw.take("bob"));

        assertThat(store.alone).isZero();
        assertThat(ledger.read(1, 10))
                .extracting(
                        entry -> entry.entry().request(), entry -> entry.entry().revision())
                .containsExactly(tuple("take ada", 1L), tuple("take bob", 2L));
        assertThat(ledger.verify()).isInstanceOf(Ledger.Verification.Sound.class);
    }

    @Test
    void landedAttemptWhoseAnswerWasLostIsRecordedOnce() {
        store.faults.add(Fault.ANSWER_LOST);

        registrar(50).enact(TicketLaw.take("ada"));

        assertThat(granted()).containsExactly(1, 0);
    }

    @Test
    void attemptWhoseRequestWasLostIsRecordedOnce() {
        store.faults.add(Fault.REQUEST_LOST);

        registrar(50).enact(TicketLaw.take("ada"));

        assertThat(granted()).containsExactly(1);
    }

    @Test
    void conflictIsNotRecorded() {
        store.faults.add(Fault.CONFLICT);

        registrar(50).enact(TicketLaw.take("ada"));

        assertThat(granted()).containsExactly(1);
    }

    @Test
    void callerWhoseLastAnswerWasLostLearnsThatItMayBeDone() {
        store.faults.add(Fault.ANSWER_LOST);

        assertThatThrownBy(() -> registrar(1).enact(TicketLaw.take("ada")))
                .isInstanceOfSatisfying(
                        UnsettledException.class,
                        unsettled -> assertThat(unsettled.perhapsDone()).isTrue());

        assertThat(granted()).containsExactly(1);
    }

    @Test
    void storeThatCannotTakeTheEntriesCommitsNothing() {
        store.faults.add(Fault.REFUSED);

        assertThatThrownBy(() -> registrar(50).enact(TicketLaw.take("ada"))).isInstanceOf(DatastoreException.class);

        assertThat(memory.get(TicketLaw.KEY)).isEmpty();
        assertThat(granted()).isEmpty();
    }

    private List<Integer> granted() {
        return ledger.read(1, 10).stream()
                .map(entry -> entry.entry().granted().size())
                .toList();
    }

    private Registrar<List<String>, Give> registrar(int attemptsMax) {
        return new Registrar<>(
                new TicketBook(store, 100),
                ledger,
                new Registrar.Limits(attemptsMax, 64, 100, Duration.ofMillis(1)),
                InstantSource.fixed(NOW),
                new SplittableRandom(1),
                _ -> {});
    }

    private enum Fault {
        ANSWER_LOST,
        REQUEST_LOST,
        CONFLICT,
        REFUSED
    }

    /// The store in memory, with faults for its next commits.
    private static final class Faulty implements ForwardingDatastore {

        private final Datastore store;
        private final Queue<Fault> faults = new ArrayDeque<>();

        /// How many commits carried nothing.
        private int alone;

        Faulty(Datastore store) {
            this.store = store;
        }

        @Override
        public Commit commit(List<Write> writes, Records records) {
            return switch (faults.poll()) {
                case null -> store.commit(writes, records);
                case ANSWER_LOST -> {
                    store.commit(writes, records);
                    yield new Commit.Unknown("the answer was lost");
                }
                case REQUEST_LOST -> new Commit.Unknown("the request was lost");
                case CONFLICT -> new Commit.Conflict(0, Commit.Kind.STALE);
                case REFUSED -> throw new DatastoreException(DatastoreException.Kind.FULL, "no room left");
            };
        }

        @Override
        public Commit commit(List<Write> writes) {
            alone++;
            return store.commit(writes);
        }

        @Override
        public Optional<Journal> journal() {
            return store.journal();
        }

        @Override
        public Datastore store() {
            return store;
        }
    }
}
