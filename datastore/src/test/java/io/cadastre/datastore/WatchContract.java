package io.cadastre.datastore;

import static io.cadastre.datastore.StoreWords.assertThatItFailed;
import static io.cadastre.datastore.StoreWords.assertThatKindOf;
import static io.cadastre.datastore.StoreWords.await;
import static io.cadastre.datastore.StoreWords.bytes;
import static io.cadastre.datastore.StoreWords.changed;
import static io.cadastre.datastore.StoreWords.creation;
import static io.cadastre.datastore.StoreWords.delete;
import static io.cadastre.datastore.StoreWords.put;
import static io.cadastre.datastore.StoreWords.replace;
import static io.cadastre.datastore.StoreWords.update;
import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.datastore.DatastoreException.Kind;
import io.cadastre.datastore.Watch.Change;
import io.cadastre.datastore.Watch.Notice;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// What a store promises of its watches.
interface WatchContract extends TestedStore {

    @Test
    default void watchTellsEveryChangeInOrder() throws Exception {
        var store = openStore();
        long after = store.list("", 1).revision();

        var created = put(store, "a", "1");
        var updated = replace(store, created, "2");
        long deletedAt = delete(store, updated);
        var again = put(store, "a", "3");

        try (var watch = store.watch("a", after)) {
            assertThat(watch.next(AMPLE)).isEqualTo(changed(created));
            assertThat(watch.next(AMPLE)).isEqualTo(changed(updated));
            assertThat(watch.next(AMPLE))
                    .isEqualTo(new Notice.Changed(deletedAt, List.of(new Change.Deleted("a", deletedAt))));
            assertThat(watch.next(AMPLE)).isEqualTo(changed(again));
            assertThat(watch.next(Duration.ZERO)).isEqualTo(new Notice.Quiet());
        }
    }

    @Test
    default void watchThatWaitsReceivesTheNextChange() throws Exception {
        var store = openStore();
        try (var watch = store.watch("a", store.list("", 1).revision());
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var notice = threads.submit(() -> watch.next(AMPLE));

            var document = put(store, "a", "1");

            assertThat(await(notice)).isEqualTo(changed(document));
        }
    }

    @Test
    default void watchReceivesTheWritesOfAnotherHandle() throws Exception {
        var store = openStore();
        var other = openStore();
        try (var watch = store.watch("a", store.list("", 1).revision());
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var notice = threads.submit(() -> watch.next(AMPLE));

            var document = put(other, "a", "1");

            assertThat(await(notice)).isEqualTo(changed(document));
        }
    }

    @Test
    default void watchReportsOnlyKeysUnderItsPrefix() throws Exception {
        var store = openStore();
        long after = store.list("", 1).revision();

        put(store, "a", "1");
        var inside = put(store, "a/1", "1");
        put(store, "a0", "1");
        put(store, "ab/1", "1");
        var insideToo = put(store, "a/2", "1");

        try (var watch = store.watch("a/", after)) {
            assertThat(watch.next(AMPLE)).isEqualTo(changed(inside));
            assertThat(watch.next(AMPLE)).isEqualTo(changed(insideToo));
            assertThat(watch.next(Duration.ZERO)).isEqualTo(new Notice.Quiet());
        }
    }

    @Test
    default void watchOfTheEmptyPrefixTellsEverything() throws Exception {
        var store = openStore();
        long after = store.list("", 1).revision();

        var first = put(store, "\u0001", "1");
        var second = put(store, "😀", "1");

        try (var watch = store.watch("", after)) {
            assertThat(watch.next(AMPLE)).isEqualTo(changed(first));
            assertThat(watch.next(AMPLE)).isEqualTo(changed(second));
        }
    }

    @Test
    default void commitIsDeliveredWholeOrInTheOrderOfItsWrites() throws Exception {
        var store = openStore();
        var updated = put(store, "p/b", "1");
        var deleted = put(store, "p/c", "1");
        long after = store.list("", 1).revision();

        var commit = store.commit(List.of(
                creation("p/a", "1"),
                update(updated, "2"),
                creation("elsewhere", "1"),
                new Write.Delete("p/c", deleted.revision())));
        replace(store, store.get("p/b").orElseThrow(), "3");

        try (var watch = store.watch("p/", after)) {
            var revisions = ((Commit.Done) commit).revisions();
            var changes = List.<Change>of(
                    new Change.Put(new Document("p/a", bytes("1"), revisions.get(0))),
                    new Change.Put(new Document("p/b", bytes("2"), revisions.get(1))),
                    new Change.Deleted("p/c", revisions.get(3)));
            if (transactional()) {
                var notice = (Notice.Changed) watch.next(AMPLE);
                assertThat(notice.revision()).isEqualTo(revisions.getFirst());
                assertThat(notice.changes()).containsExactlyInAnyOrderElementsOf(changes);
            } else {
                assertThat(List.of(watch.next(AMPLE), watch.next(AMPLE), watch.next(AMPLE)))
                        .containsExactly(
                                new Notice.Changed(revisions.get(0), changes.subList(0, 1)),
                                new Notice.Changed(revisions.get(1), changes.subList(1, 2)),
                                new Notice.Changed(revisions.get(3), changes.subList(2, 3)));
            }
        }
    }

    @Test
    default void watchResumesAfterTheLastDeliveredRevision() throws Exception {
        var store = openStore();
        long after = store.list("", 1).revision();
        var documents = new ArrayList<Document>();
        for (int index = 0; index < 6; index++) {
            documents.add(put(store, "a/" + index, "1"));
        }
        long told;
        try (var watch = store.watch("a/", after)) {
            watch.next(AMPLE);
            watch.next(AMPLE);
            told = ((Notice.Changed) watch.next(AMPLE)).revision();
        }

        try (var watch = store.watch("a/", told)) {
            assertThat(watch.next(AMPLE)).isEqualTo(changed(documents.get(3)));
            assertThat(watch.next(AMPLE)).isEqualTo(changed(documents.get(4)));
            assertThat(watch.next(AMPLE)).isEqualTo(changed(documents.get(5)));
        }
    }

    @Test
    default void watchOfABusyStoreTellsEachCommitOnceAndInOrder() throws Exception {
        var store = openStore();
        long after = store.list("", 1).revision();
        int writerCount = 8;
        int writesEach = 20;

        try (var watch = store.watch("w/", after);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var writers = new ArrayList<Future<?>>();
            for (int writer = 0; writer < writerCount; writer++) {
                var key = "w/" + writer;
                writers.add(threads.submit(() -> {
                    var document = put(store, key, "0");
                    for (int write = 1; write < writesEach; write++) {
                        document = replace(store, document, "" + write);
                    }
                    return document;
                }));
            }
            var notices = new ArrayList<Long>();
            var told = new ArrayList<Document>();
            while (told.size() < writerCount * writesEach) {
                switch (watch.next(AMPLE)) {
                    case Notice.Changed changed -> {
                        notices.add(changed.revision());
                        changed.changes().forEach(change -> told.add(((Change.Put) change).document()));
                    }
                    case Notice.Quiet quiet -> throw new AssertionError(quiet);
                    case Notice.Compacted compacted -> throw new AssertionError(compacted);
                }
            }
            await(writers);

            assertThat(notices).isSorted().doesNotHaveDuplicates();
            assertThat(told).extracting(Document::revision).isSorted();
            for (int writer = 0; writer < writerCount; writer++) {
                var key = "w/" + writer;
                assertThat(told)
                        .filteredOn(document -> document.key().equals(key))
                        .extracting(document -> document.value().utf8())
                        .isEqualTo(IntStream.range(0, writesEach)
                                .mapToObj(String::valueOf)
                                .toList());
            }
        }
    }

    @Test
    default void watchFromBeforeTheCompactionMustListAgain() throws Exception {
        var store = openStore();
        var first = put(store, "a", "1");
        var second = replace(store, first, "2");
        var third = replace(store, second, "3");
        var fourth = replace(store, third, "4");

        compact(fourth.revision());

        try (var watch = store.watch("a", first.revision())) {
            var notice = watch.next(AMPLE);
            var again = watch.next(AMPLE);
            assertThat(notice).isInstanceOf(Notice.Compacted.class);
            assertThat(((Notice.Compacted) notice).oldestRevision())
                    .isGreaterThan(first.revision())
                    .isLessThanOrEqualTo(fourth.revision());
            assertThat(again).isEqualTo(notice);
        }
    }

    @Test
    default void watchFromTheCompactedRevisionGoesOn() throws Exception {
        var store = openStore();
        var first = replace(store, put(store, "a", "1"), "2");

        compact(first.revision());
        var second = replace(store, first, "3");

        try (var watch = store.watch("a", first.revision())) {
            assertThat(watch.next(AMPLE)).isEqualTo(changed(second));
        }
    }

    @Test
    default void watchThatHasSeenEverythingOutlivesACompaction() throws Exception {
        var store = openStore();
        try (var watch = store.watch("a", store.list("", 1).revision())) {
            var first = put(store, "a", "1");
            watch.next(AMPLE);
            var second = replace(store, first, "2");
            watch.next(AMPLE);

            compact(second.revision());
            var third = replace(store, second, "3");

            assertThat(watch.next(AMPLE)).isEqualTo(changed(third));
        }
    }

    @Test
    default void closedWatchEndsTheWaitOnIt() throws Exception {
        var store = openStore();
        var watch = store.watch("a", store.list("", 1).revision());
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var notice = threads.submit(() -> watch.next(AMPLE));

            watch.close();

            assertThatItFailed(notice).isEqualTo(Kind.CLOSED);
            assertThatKindOf(() -> watch.next(Duration.ZERO)).isEqualTo(Kind.CLOSED);
        }
        assertThat(store.get("a")).isEmpty();
    }

    @Test
    default void closedStoreEndsTheWaitOnItsWatches() throws Exception {
        var store = openStore();
        var watch = store.watch("a", store.list("", 1).revision());
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var notice = threads.submit(() -> watch.next(AMPLE));

            store.close();

            assertThatItFailed(notice).isEqualTo(Kind.CLOSED);
        }
        watch.close();
    }
}
