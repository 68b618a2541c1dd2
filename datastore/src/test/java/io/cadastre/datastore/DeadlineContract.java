package io.cadastre.datastore;

import static io.cadastre.datastore.StoreWords.assertThatItFailed;
import static io.cadastre.datastore.StoreWords.assertThatKindOf;
import static io.cadastre.datastore.StoreWords.await;
import static io.cadastre.datastore.StoreWords.bytes;
import static io.cadastre.datastore.StoreWords.creation;
import static io.cadastre.datastore.StoreWords.put;
import static io.cadastre.datastore.StoreWords.putMany;
import static io.cadastre.datastore.StoreWords.replace;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.cadastre.datastore.DatastoreException.Kind;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/// What a store promises while its calls cannot end.
interface DeadlineContract extends TestedStore {

    @Test
    default void readOfAStalledStoreEndsAtItsDeadline() throws Exception {
        var store = track(open(SHORT));
        putMany(store, "p/", 3);
        var cursor = store.list("p/", 1).next().orElseThrow();

        try (var _ = stall()) {
            assertThatKindOf(() -> store.get("p/0000")).isEqualTo(Kind.DEADLINE);
            assertThatKindOf(() -> store.list("p/", 1)).isEqualTo(Kind.DEADLINE);
            assertThatKindOf(() -> store.list(cursor, 1)).isEqualTo(Kind.DEADLINE);
        }
    }

    @Test
    default void commitToAStalledStoreEndsAtItsDeadlineWithATrueOutcome() throws Exception {
        var store = track(open(SHORT));
        put(store, "b", "1");
        Outcome outcome;

        try (var _ = stall()) {
            outcome = Outcome.of(store, List.of(creation("a/1", "1"), creation("a/2", "1")));
        }

        assertThat(outcome.told())
                .satisfiesAnyOf(
                        told -> assertThat(told).isInstanceOf(Commit.Unknown.class),
                        told -> assertThat(told)
                                .isInstanceOfSatisfying(
                                        DatastoreException.class,
                                        thrown -> assertThat(thrown.kind()).isEqualTo(Kind.DEADLINE)));
        outcome.checkTrue(openStore(), transactional());
    }

    @Test
    default void storeThatWasStalledServesAgain() throws Exception {
        var store = openStore();
        var document = put(store, "a", "1");

        stall().close();

        assertThat(store.get("a")).contains(document);
        assertThat(replace(store, document, "2").value()).isEqualTo(bytes("2"));
    }

    @Test
    default void callsOnAStalledStoreEndWhenItIsClosed() throws Exception {
        var store = track(open(Duration.ofSeconds(2)));
        put(store, "b", "1");
        var writes = List.<Write>of(creation("a/1", "1"), creation("a/2", "1"));
        Outcome outcome;

        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            try (var _ = stall()) {
                var reading = threads.submit(() -> store.get("a/1"));
                var writing = threads.submit(() -> Outcome.of(store, writes));
                threads.execute(store::close);

                // It may be answered yet: closing the last connection to a database can undo what
                // stalls
                // it.
                if (catchThrowable(() -> await(reading)) != null) {
                    assertThatItFailed(reading).isIn(Kind.CLOSED, Kind.DEADLINE);
                }
                outcome = await(writing);
                assertThat(outcome.told()).isNotInstanceOf(Commit.Done.class);
            }
        }

        outcome.checkTrue(openStore(), transactional());
    }
}
