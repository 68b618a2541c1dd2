package io.cadastre.datastore;

import static io.cadastre.datastore.StoreWords.assertThatKindOf;
import static io.cadastre.datastore.StoreWords.bytes;
import static io.cadastre.datastore.StoreWords.creation;
import static io.cadastre.datastore.StoreWords.put;
import static io.cadastre.datastore.StoreWords.putMany;
import static io.cadastre.datastore.StoreWords.replace;
import static io.cadastre.datastore.StoreWords.update;
import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.datastore.DatastoreException.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// What handles on the same data promise, and what closing one does.
interface HandleContract extends TestedStore {

    @Test
    default void handlesOnTheSameDataSeeEachOther() throws Exception {
        var one = openStore();
        var other = openStore();

        var created = put(one, "a", "1");
        var updated = replace(other, created, "2");

        assertThat(one.get("a")).contains(updated);
        assertThat(one.commit(List.of(update(created, "3")))).isEqualTo(new Commit.Conflict(0, Commit.Kind.STALE));
    }

    @Test
    default void closingOneHandleLeavesTheOthersOpen() throws Exception {
        var one = openStore();
        var other = openStore();

        one.close();

        assertThat(put(other, "a", "1").value()).isEqualTo(bytes("1"));
    }

    @Test
    default void closedStoreRefusesEveryCallAndStaysClosed() throws Exception {
        var store = openStore();
        putMany(store, "p/", 3);
        var cursor = store.list("p/", 1).next().orElseThrow();

        store.close();
        store.close();

        assertThatKindOf(() -> store.get("a")).isEqualTo(Kind.CLOSED);
        assertThatKindOf(() -> store.list("a", 1)).isEqualTo(Kind.CLOSED);
        assertThatKindOf(() -> store.list(cursor, 1)).isEqualTo(Kind.CLOSED);
        assertThatKindOf(() -> store.watch("a", 0).next(Duration.ZERO)).isEqualTo(Kind.CLOSED);
        assertThatKindOf(() -> store.commit(List.of(creation("a", "1")))).isEqualTo(Kind.CLOSED);
    }

    @Test
    default void callsUnderWayWhenTheStoreIsClosedEndWithATrueOutcome() throws Exception {
        var store = openStore();
        var other = openStore();
        long after = other.list("", 1).revision();
        int writerCount = 16;
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var outcomes = new ArrayList<Future<List<Outcome>>>();
            for (int writer = 0; writer < writerCount; writer++) {
                var prefix = "w/" + writer + "/";
                outcomes.add(threads.submit(() -> writeUntilClosed(store, prefix)));
            }
            try (var watch = other.watch("w/", after)) {
                watch.next(AMPLE);
            }

            store.close();

            for (var outcome : outcomes) {
                for (var told : outcome.get(AMPLE.toSeconds(), TimeUnit.SECONDS)) {
                    told.checkTrue(other, transactional());
                }
            }
        }
    }

    /// Ends: the test closes the store.
    private static List<Outcome> writeUntilClosed(Datastore store, String prefix) {
        var outcomes = new ArrayList<Outcome>();
        do {
            int number = outcomes.size();
            outcomes.add(Outcome.of(
                    store, List.of(creation(prefix + number + "/1", "1"), creation(prefix + number + "/2", "1"))));
        } while (outcomes.getLast().told() instanceof Commit.Done);
        return outcomes;
    }
}
