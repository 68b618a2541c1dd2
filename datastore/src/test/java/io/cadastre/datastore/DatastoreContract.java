package io.cadastre.datastore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.cadastre.datastore.DatastoreException.Kind;
import io.cadastre.datastore.Watch.Change;
import io.cadastre.datastore.Watch.Notice;

import org.assertj.core.api.AbstractComparableAssert;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/// What every store promises. A store passes by a subclass that says how it is opened, compacted and
/// stalled; each test method has data of its own.
///
/// Stores may begin at any revision, and revisions may have gaps: the suite only compares them.
public abstract class DatastoreContract {

    /// Long enough for any call that ends at all.
    protected static final Duration AMPLE = Duration.ofSeconds(60);

    /// Short enough to be waited for in a test.
    protected static final Duration SHORT = Duration.ofMillis(300);

    private final List<AutoCloseable> opened = new ArrayList<>();

    /// Opens a handle on the data of this test. All handles opened in one test see the same data.
    protected abstract Datastore open(Duration callLimit) throws Exception;

    /// Makes the store forget what was superseded at or before this revision.
    protected abstract void compact(long revision) throws Exception;

    /// Keeps the calls of all handles of this test from ending until the answer is closed.
    protected abstract AutoCloseable stall() throws Exception;

    /// Whether a commit is applied as a whole or not at all. If not, its writes are applied one after
    /// another, those before a conflict stay applied, and each is told by a notice of its own.
    protected boolean transactional() {
        return true;
    }

    @AfterEach
    void closeWhatWasOpened() throws Exception {
        for (var handle : opened.reversed()) {
            handle.close();
        }
    }

    // Creating, updating, deleting

    @Test
    void createdDocumentIsFoundAtTheRevisionOfItsCommit() throws Exception {
        var store = openStore();

        var commit = store.commit(List.of(create("a", "1")));

        assertThat(store.get("a")).contains(new Document("a", bytes("1"), revisionOf(commit)));
    }

    @Test
    void absentKeyHoldsNothing() throws Exception {
        var store = openStore();
        put(store, "a/b", "1");

        var found = store.get("a");

        assertThat(found).isEmpty();
    }

    @Test
    void creatingAKeyThatExistsIsAConflictAndChangesNothing() throws Exception {
        var store = openStore();
        var document = put(store, "a", "1");

        var commit = store.commit(List.of(create("a", "2")));

        assertThat(commit).isEqualTo(new Commit.Conflict(0, Commit.Kind.EXISTS));
        assertThat(store.get("a")).contains(document);
    }

    @Test
    void updateAtTheRevisionThatWasReadIsDoneAtAGreaterOne() throws Exception {
        var store = openStore();
        var before = put(store, "a", "1");

        var commit = store.commit(List.of(update(before, "2")));

        assertThat(revisionOf(commit)).isGreaterThan(before.revision());
        assertThat(store.get("a")).contains(new Document("a", bytes("2"), revisionOf(commit)));
    }

    @Test
    void staleUpdateIsAConflictAndChangesNothing() throws Exception {
        var store = openStore();
        var stale = put(store, "a", "1");
        var current = replace(store, stale, "2");

        var commit = store.commit(List.of(update(stale, "3")));

        assertThat(commit).isEqualTo(new Commit.Conflict(0, Commit.Kind.STALE));
        assertThat(store.get("a")).contains(current);
    }

    @Test
    void updateAtARevisionOfTheFutureIsAConflict() throws Exception {
        var store = openStore();
        var current = put(store, "a", "1");

        var commit =
                store.commit(List.of(new Write.Update("a", bytes("2"), current.revision() + 1000)));

        assertThat(commit).isEqualTo(new Commit.Conflict(0, Commit.Kind.STALE));
        assertThat(store.get("a")).contains(current);
    }

    @Test
    void updatingAnAbsentKeyIsAConflict() throws Exception {
        var store = openStore();

        var commit = store.commit(List.of(new Write.Update("a", bytes("1"), 1)));

        assertThat(commit).isEqualTo(new Commit.Conflict(0, Commit.Kind.ABSENT));
        assertThat(store.get("a")).isEmpty();
    }

    @Test
    void believingInRevisionZeroDoesNotCreate() throws Exception {
        var store = openStore();

        var update = store.commit(List.of(new Write.Update("a", bytes("1"), 0)));
        var delete = store.commit(List.of(new Write.Delete("a", 0)));

        assertThat(update).isEqualTo(new Commit.Conflict(0, Commit.Kind.ABSENT));
        assertThat(delete).isEqualTo(new Commit.Conflict(0, Commit.Kind.ABSENT));
        assertThat(store.get("a")).isEmpty();
    }

    @Test
    void deletedKeyIsAbsentAndMayBeCreatedAgainAtAGreaterRevision() throws Exception {
        var store = openStore();
        var first = put(store, "a", "1");

        var deletion = store.commit(List.of(new Write.Delete("a", first.revision())));
        var foundBetween = store.get("a");
        var second = put(store, "a", "2");

        assertThat(revisionOf(deletion)).isGreaterThan(first.revision());
        assertThat(foundBetween).isEmpty();
        assertThat(second.revision()).isGreaterThan(revisionOf(deletion));
        assertThat(store.get("a")).contains(second);
    }

    @Test
    void staleDeleteIsAConflictAndChangesNothing() throws Exception {
        var store = openStore();
        var stale = put(store, "a", "1");
        var current = replace(store, stale, "2");

        var commit = store.commit(List.of(new Write.Delete("a", stale.revision())));

        assertThat(commit).isEqualTo(new Commit.Conflict(0, Commit.Kind.STALE));
        assertThat(store.get("a")).contains(current);
    }

    @Test
    void deletingAnAbsentKeyIsAConflict() throws Exception {
        var store = openStore();

        var commit = store.commit(List.of(new Write.Delete("a", 1)));

        assertThat(commit).isEqualTo(new Commit.Conflict(0, Commit.Kind.ABSENT));
    }

    @Test
    void revisionOfAnEarlierLifeOfAKeyIsStale() throws Exception {
        var store = openStore();
        var firstLife = put(store, "a", "1");
        delete(store, firstLife);
        var secondLife = put(store, "a", "1");

        var commit = store.commit(List.of(update(firstLife, "2")));

        assertThat(commit).isEqualTo(new Commit.Conflict(0, Commit.Kind.STALE));
        assertThat(store.get("a")).contains(secondLife);
    }

    @Test
    void valueMayBeEmptyAndIsNotAbsence() throws Exception {
        var store = openStore();

        var document = put(store, "a", "");

        assertThat(store.get("a")).contains(document);
        assertThat(store.list("a", 10).documents()).containsExactly(document);
    }

    @Test
    void valueOfTheGreatestSizeIsKeptByteForByte() throws Exception {
        var store = openStore();
        var value = randomBytes(Datastore.VALUE_BYTES_MAX);

        var commit = store.commit(List.of(new Write.Create("a", value)));

        var document = new Document("a", value, revisionOf(commit));
        assertThat(store.get("a").orElseThrow().equals(document)).isTrue();
        assertThat(store.list("a", 1).documents().equals(List.of(document))).isTrue();
    }

    @Test
    void keyOfTheGreatestSizeIsTaken() throws Exception {
        var store = openStore();
        var key = "é".repeat(Datastore.KEY_BYTES_MAX / 2);

        var document = put(store, key, "1");

        assertThat(store.get(key)).contains(document);
        assertThat(store.list(key, 10).documents()).containsExactly(document);
    }

    // Commits of several writes

    @Test
    void commitOfSeveralWritesDoesThemAll() throws Exception {
        var store = openStore();
        var updated = put(store, "b", "1");
        var deleted = put(store, "c", "1");

        var commit =
                store.commit(
                        List.of(
                                create("a", "1"),
                                update(updated, "2"),
                                new Write.Delete("c", deleted.revision())));

        assertThat(commit).isInstanceOf(Commit.Done.class);
        var revisions = ((Commit.Done) commit).revisions();
        assertThat(revisions).hasSize(3);
        assertThat(store.list("", 10).documents())
                .containsExactly(
                        new Document("a", bytes("1"), revisions.get(0)),
                        new Document("b", bytes("2"), revisions.get(1)));
    }

    @Test
    void commitOfTheGreatestNumberOfWritesIsDone() throws Exception {
        var store = openStore();
        var writes =
                IntStream.range(0, Datastore.WRITES_MAX)
                        .<Write>mapToObj(index -> create("key-%03d".formatted(index), "1"))
                        .toList();

        var commit = store.commit(writes);

        assertThat(commit).isInstanceOf(Commit.Done.class);
        assertThat(((Commit.Done) commit).revisions()).hasSize(Datastore.WRITES_MAX);
        assertThat(store.listAll("").documents()).hasSize(Datastore.WRITES_MAX);
    }

    @Test
    void conflictNamesTheWriteThatMetItAndNothingAfterItIsApplied() throws Exception {
        var store = openStore();
        int writeCount = 4;
        for (int conflicting = 0; conflicting < writeCount; conflicting++) {
            var prefix = "case-" + conflicting + "/";
            put(store, prefix + conflicting, "already here");
            var writes =
                    IntStream.range(0, writeCount)
                            .<Write>mapToObj(index -> create(prefix + index, "new"))
                            .toList();

            var commit = store.commit(writes);

            assertThat(commit).isEqualTo(new Commit.Conflict(conflicting, Commit.Kind.EXISTS));
            var left = store.list(prefix, 10).documents();
            var conflictKey = prefix + conflicting;
            assertThat(keysOf(left)).noneMatch(key -> key.compareTo(conflictKey) > 0);
            if (transactional()) {
                assertThat(keysOf(left)).containsExactly(conflictKey);
            } else {
                assertThat(keysOf(left)).hasSize(conflicting + 1);
            }
        }
    }

    @Test
    void firstConflictOfSeveralIsTheOneTold() throws Exception {
        var store = openStore();
        var stale = put(store, "b", "1");
        replace(store, stale, "2");

        var commit =
                store.commit(
                        List.of(
                                create("a", "1"),
                                update(stale, "3"),
                                new Write.Delete("c", 1),
                                create("b2", "1")));

        assertThat(commit).isEqualTo(new Commit.Conflict(1, Commit.Kind.STALE));
    }

    // Listing

    @Test
    void listOfAnEmptyStoreIsEmptyAndHasNoNextPage() throws Exception {
        var store = openStore();

        var listing = store.list("", 10);

        assertThat(listing.documents()).isEmpty();
        assertThat(listing.next()).isEmpty();
    }

    @Test
    void listIsInTheOrderOfTheKeysUtf8Bytes() throws Exception {
        var store = openStore();
        // Java's own order would put U+1F600, written with surrogates, before U+FF5E.
        var ordered = List.of("A", "a", "a!", "a/", "a0", "aa", "z", "é", "～", "😀", "😀a");
        var shuffled = new ArrayList<>(ordered);
        Collections.shuffle(shuffled, new Random(7));
        for (var key : shuffled) {
            put(store, key, "1");
        }

        var listing = store.list("", 100);

        assertThat(keysOf(listing.documents())).isEqualTo(ordered);
    }

    @Test
    void prefixEndsWhereTheNextNameBegins() throws Exception {
        var store = openStore();
        for (var key : List.of("a", "a.", "a/", "a/1", "a/2/3", "a0", "ab", "ab/1", "b/1")) {
            put(store, key, "1");
        }

        assertThat(keysOf(store.list("a/", 10).documents())).containsExactly("a/", "a/1", "a/2/3");
        assertThat(keysOf(store.list("ab/", 10).documents())).containsExactly("ab/1");
        assertThat(keysOf(store.list("ab", 10).documents())).containsExactly("ab", "ab/1");
        assertThat(keysOf(store.list("c", 10).documents())).isEmpty();
    }

    @Test
    void prefixMayEndInTheLastCharacterThereIs() throws Exception {
        var store = openStore();
        var last = new String(Character.toChars(Character.MAX_CODE_POINT));
        put(store, last, "1");
        put(store, last + last, "1");
        put(store, "z", "1");

        var listing = store.list(last, 10);

        assertThat(keysOf(listing.documents())).containsExactly(last, last + last);
    }

    @Test
    void emptyPrefixListsTheWholeStore() throws Exception {
        var store = openStore();
        put(store, "\u0001", "1");
        put(store, "z", "1");

        var listing = store.list("", 10);

        assertThat(keysOf(listing.documents())).containsExactly("\u0001", "z");
    }

    @Test
    void listTellsARevisionThatCoversAllItShows() throws Exception {
        var store = openStore();
        put(store, "a", "1");
        var last = put(store, "b", "1");

        var listing = store.list("a", 10);

        assertThat(listing.revision()).isGreaterThanOrEqualTo(last.revision());
    }

    @Test
    void pagesFollowOneAnotherWithoutGapOrOverlap() throws Exception {
        var store = openStore();
        var keys = putMany(store, "p/", 25);
        put(store, "o", "before");
        put(store, "q", "after");

        var pages = new ArrayList<Integer>();
        var seen = new ArrayList<Document>();
        var page = store.list("p/", 10);
        pages.add(page.documents().size());
        seen.addAll(page.documents());
        while (page.next().isPresent()) {
            page = store.list(page.next().get(), 10);
            pages.add(page.documents().size());
            seen.addAll(page.documents());
        }

        assertThat(pages).containsExactly(10, 10, 5);
        assertThat(keysOf(seen)).isEqualTo(keys);
    }

    @Test
    void pageThatEndsWithTheLastDocumentHasNoNext() throws Exception {
        var store = openStore();
        putMany(store, "p/", 10);
        put(store, "q", "after");

        var page = store.list("p/", 10);

        assertThat(page.documents()).hasSize(10);
        assertThat(page.next()).isEmpty();
    }

    @Test
    void laterPagesShowTheStoreAsItWasAtTheFirst() throws Exception {
        var store = openStore();
        putMany(store, "p/", 6);
        var before = store.list("p/", 10).documents();

        var first = store.list("p/", 2);
        replace(store, before.get(0), "changed behind the cursor");
        var changed = replace(store, before.get(2), "changed once");
        replace(store, changed, "changed twice");
        delete(store, before.get(3));
        delete(store, before.get(5));
        put(store, "p/0003a", "created");
        put(store, "p/9999", "created at the end");
        var second = store.list(first.next().orElseThrow(), 2);
        put(store, before.get(3).key(), "created again");
        var third = store.list(second.next().orElseThrow(), 10);

        assertThat(first.documents()).isEqualTo(before.subList(0, 2));
        assertThat(second.documents()).isEqualTo(before.subList(2, 4));
        assertThat(third.documents()).isEqualTo(before.subList(4, 6));
        assertThat(List.of(first.revision(), second.revision(), third.revision()))
                .containsOnly(first.revision());
        assertThat(third.next()).isEmpty();
    }

    @Test
    void pagingStaysAtOneRevisionWhileWritersGoOn() throws Exception {
        var store = openStore();
        putMany(store, "p/", 40);
        var before = store.list("p/", 100).documents();

        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var writers = new ArrayList<Future<?>>();
            var page = store.list("p/", 4);
            for (var document : before) {
                writers.add(threads.submit(() -> replace(store, document, "changed")));
            }
            var seen = new ArrayList<>(page.documents());
            while (page.next().isPresent()) {
                page = store.list(page.next().get(), 4);
                seen.addAll(page.documents());
            }
            await(writers);

            assertThat(seen).isEqualTo(before);
        }
        assertThat(store.list("p/", 100).documents())
                .extracting(document -> document.value().utf8())
                .containsOnly("changed");
    }

    @Test
    void listAllGivesEveryPageAtOneRevision() throws Exception {
        var store = openStore();
        for (int commit = 0; commit < 10; commit++) {
            int base = commit * 120;
            store.commit(
                    IntStream.range(base, base + 120)
                            .<Write>mapToObj(index -> create("p/%04d".formatted(index), "1"))
                            .toList());
        }

        var listing = store.listAll("p/");

        assertThat(keysOf(listing.documents()))
                .isEqualTo(IntStream.range(0, 1200).mapToObj("p/%04d"::formatted).toList());
        assertThat(listing.next()).isEmpty();
    }

    @Test
    void pageAtACompactedRevisionIsRefusedAsSuch() throws Exception {
        var store = openStore();
        putMany(store, "p/", 4);
        var first = store.list("p/", 2);
        put(store, "q/1", "1");
        var last = put(store, "q/2", "1");

        compact(last.revision());

        assertThatThrownBy(() -> store.list(first.next().orElseThrow(), 2))
                .isInstanceOf(CompactedException.class)
                .extracting(thrown -> ((DatastoreException) thrown).kind())
                .isEqualTo(Kind.COMPACTED);
    }

    @Test
    void revisionThatWasCompactedToIsStillListed() throws Exception {
        var store = openStore();
        var documents = new ArrayList<Document>();
        for (var key : List.of("p/1", "p/2", "p/3")) {
            documents.add(replace(store, put(store, key, "1"), "2"));
        }
        var first = store.list("p/", 1);

        compact(first.revision());
        replace(store, documents.get(1), "3");
        delete(store, documents.get(2));
        var second = store.list(first.next().orElseThrow(), 10);

        assertThat(second.documents()).isEqualTo(documents.subList(1, 3));
    }

    @Test
    void compactingChangesNothingThatIsCurrent() throws Exception {
        var store = openStore();
        var kept = replace(store, put(store, "a", "1"), "2");
        delete(store, put(store, "b", "1"));

        compact(store.list("", 1).revision());

        assertThat(store.list("", 10).documents()).containsExactly(kept);
        assertThat(store.get("a")).contains(kept);
        assertThat(store.commit(List.of(update(kept, "3")))).isInstanceOf(Commit.Done.class);
    }

    // Watching

    @Test
    void watchTellsEveryChangeInOrder() throws Exception {
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
                    .isEqualTo(
                            new Notice.Changed(
                                    deletedAt, List.of(new Change.Deleted("a", deletedAt))));
            assertThat(watch.next(AMPLE)).isEqualTo(changed(again));
            assertThat(watch.next(Duration.ZERO)).isEqualTo(new Notice.Quiet());
        }
    }

    @Test
    void watchThatWaitsIsToldWhenSomethingHappens() throws Exception {
        var store = openStore();
        try (var watch = store.watch("a", store.list("", 1).revision());
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var notice = threads.submit(() -> watch.next(AMPLE));

            var document = put(store, "a", "1");

            assertThat(await(notice)).isEqualTo(changed(document));
        }
    }

    @Test
    void watchIsToldWhatAnotherHandleWrote() throws Exception {
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
    void watchTellsOnlyWhatIsUnderItsPrefix() throws Exception {
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
    void watchOfTheEmptyPrefixTellsEverything() throws Exception {
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
    void commitIsToldWholeOrInTheOrderOfItsWrites() throws Exception {
        var store = openStore();
        var updated = put(store, "p/b", "1");
        var deleted = put(store, "p/c", "1");
        long after = store.list("", 1).revision();

        var commit =
                store.commit(
                        List.of(
                                create("p/a", "1"),
                                update(updated, "2"),
                                create("elsewhere", "1"),
                                new Write.Delete("p/c", deleted.revision())));
        replace(store, store.get("p/b").orElseThrow(), "3");

        try (var watch = store.watch("p/", after)) {
            var revisions = ((Commit.Done) commit).revisions();
            var changes =
                    List.<Change>of(
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
    void watchResumesAfterTheLastRevisionThatWasTold() throws Exception {
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
    void watchOfABusyStoreTellsEachCommitOnceAndInOrder() throws Exception {
        var store = openStore();
        long after = store.list("", 1).revision();
        int writerCount = 8;
        int writesEach = 20;

        try (var watch = store.watch("w/", after);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var writers = new ArrayList<Future<?>>();
            for (int writer = 0; writer < writerCount; writer++) {
                var key = "w/" + writer;
                writers.add(
                        threads.submit(
                                () -> {
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
                        changed.changes()
                                .forEach(change -> told.add(((Change.Put) change).document()));
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
                        .isEqualTo(
                                IntStream.range(0, writesEach).mapToObj(String::valueOf).toList());
            }
        }
    }

    @Test
    void watchFromBeforeTheCompactionIsToldToListAgain() throws Exception {
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
    void watchFromTheCompactedRevisionGoesOn() throws Exception {
        var store = openStore();
        var first = replace(store, put(store, "a", "1"), "2");

        compact(first.revision());
        var second = replace(store, first, "3");

        try (var watch = store.watch("a", first.revision())) {
            assertThat(watch.next(AMPLE)).isEqualTo(changed(second));
        }
    }

    @Test
    void watchThatHasSeenEverythingOutlivesACompaction() throws Exception {
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
    void closedWatchEndsTheWaitOnIt() throws Exception {
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
    void closedStoreEndsTheWaitOnItsWatches() throws Exception {
        var store = openStore();
        var watch = store.watch("a", store.list("", 1).revision());
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var notice = threads.submit(() -> watch.next(AMPLE));

            store.close();

            assertThatItFailed(notice).isEqualTo(Kind.CLOSED);
        }
        watch.close();
    }

    // Handles

    @Test
    void handlesOnTheSameDataSeeEachOther() throws Exception {
        var one = openStore();
        var other = openStore();

        var created = put(one, "a", "1");
        var updated = replace(other, created, "2");

        assertThat(one.get("a")).contains(updated);
        assertThat(one.commit(List.of(update(created, "3"))))
                .isEqualTo(new Commit.Conflict(0, Commit.Kind.STALE));
    }

    @Test
    void closingOneHandleLeavesTheOthersOpen() throws Exception {
        var one = openStore();
        var other = openStore();

        one.close();

        assertThat(put(other, "a", "1").value()).isEqualTo(bytes("1"));
    }

    @Test
    void closedStoreRefusesEveryCallAndStaysClosed() throws Exception {
        var store = openStore();
        putMany(store, "p/", 3);
        var cursor = store.list("p/", 1).next().orElseThrow();

        store.close();
        store.close();

        assertThatKindOf(() -> store.get("a")).isEqualTo(Kind.CLOSED);
        assertThatKindOf(() -> store.list("a", 1)).isEqualTo(Kind.CLOSED);
        assertThatKindOf(() -> store.list(cursor, 1)).isEqualTo(Kind.CLOSED);
        assertThatKindOf(() -> store.watch("a", 0).next(Duration.ZERO)).isEqualTo(Kind.CLOSED);
        assertThatKindOf(() -> store.commit(List.of(create("a", "1")))).isEqualTo(Kind.CLOSED);
    }

    @Test
    void callsUnderWayWhenTheStoreIsClosedEndAndSayOnlyWhatIsTrue() throws Exception {
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
                    checkTrue(other, told);
                }
            }
        }
    }

    // Deadlines

    @Test
    void readOfAStalledStoreEndsAtItsDeadline() throws Exception {
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
    void commitToAStalledStoreEndsAtItsDeadlineAndSaysOnlyWhatIsTrue() throws Exception {
        var store = track(open(SHORT));
        put(store, "b", "1");
        Outcome outcome;

        try (var _ = stall()) {
            outcome = outcomeOf(store, List.of(create("a/1", "1"), create("a/2", "1")));
        }

        assertThat(outcome.told())
                .satisfiesAnyOf(
                        told -> assertThat(told).isInstanceOf(Commit.Unknown.class),
                        told ->
                                assertThat(told)
                                        .isInstanceOfSatisfying(
                                                DatastoreException.class,
                                                thrown ->
                                                        assertThat(thrown.kind())
                                                                .isEqualTo(Kind.DEADLINE)));
        checkTrue(openStore(), outcome);
    }

    @Test
    void storeThatWasStalledServesAgain() throws Exception {
        var store = openStore();
        var document = put(store, "a", "1");

        stall().close();

        assertThat(store.get("a")).contains(document);
        assertThat(replace(store, document, "2").value()).isEqualTo(bytes("2"));
    }

    @Test
    void callsOnAStalledStoreEndWhenItIsClosed() throws Exception {
        var store = track(open(Duration.ofSeconds(2)));
        put(store, "b", "1");
        var writes = List.<Write>of(create("a/1", "1"), create("a/2", "1"));
        Outcome outcome;

        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            try (var _ = stall()) {
                var reading = threads.submit(() -> store.get("a/1"));
                var writing = threads.submit(() -> outcomeOf(store, writes));
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

        checkTrue(openStore(), outcome);
    }

    // Refused arguments

    @Test
    void badArgumentsAreRefusedAndNothingIsWritten() throws Exception {
        var store = openStore();
        var longKey = "k".repeat(Datastore.KEY_BYTES_MAX - 1) + "é";
        var halfCharacter = "a" + Character.MIN_HIGH_SURROGATE;
        var longValue = randomBytes(Datastore.VALUE_BYTES_MAX + 1);
        var tooMany =
                IntStream.rangeClosed(0, Datastore.WRITES_MAX)
                        .<Write>mapToObj(index -> create("key-" + index, "1"))
                        .toList();

        assertRefused(() -> store.get(""), "key is empty");
        assertRefused(() -> store.get(longKey), "1025 bytes", "1024");
        assertRefused(() -> store.get(halfCharacter), "half a character");
        assertRefused(() -> store.list(longKey, 1), "prefix", "1024");
        assertRefused(() -> store.list("a", 0), "limit 0", "1000");
        assertRefused(() -> store.list("a", Datastore.PAGE_DOCUMENTS_MAX + 1), "limit 1001");
        assertRefused(() -> store.list(new Listing.Cursor("a/", "b", 1), 1), "'b'", "prefix 'a/'");
        assertRefused(() -> store.watch(longKey, 0), "prefix", "1024");
        assertRefused(() -> store.watch("a", -1), "revision -1");
        assertRefused(() -> store.commit(List.of()), "commit of 0 writes");
        assertRefused(() -> store.commit(tooMany), "commit of 129 writes", "128");
        assertRefused(
                () -> store.commit(List.of(create("a", "1"), create("", "1"))), "key is empty");
        assertRefused(
                () -> store.commit(List.of(create("a", "1"), create(longKey, "1"))), "1025 bytes");
        assertRefused(
                () -> store.commit(List.of(new Write.Create("a", longValue))),
                "'a'",
                "1048577 bytes",
                "1048576");
        assertRefused(
                () -> store.commit(List.of(create("a", "1"), create("b", "1"), create("a", "2"))),
                "'a' is written twice");
        assertRefused(() -> store.commit(List.of(new Write.Delete("a", -1))), "revision -1");

        assertThat(store.list("", 10).documents()).isEmpty();
    }

    // Rivals

    @Test
    void sixtyFourWritersOfOneKeyLoseNoUpdate() throws Exception {
        var store = openStore();
        put(store, "counter", "0");
        int writerCount = 64;
        int incrementsEach = 2;

        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var writers = new ArrayList<Future<?>>();
            for (int writer = 0; writer < writerCount; writer++) {
                writers.add(
                        threads.submit(
                                () -> {
                                    for (int count = 0; count < incrementsEach; count++) {
                                        increment(store, "counter");
                                    }
                                    return null;
                                }));
            }
            await(writers);
        }

        assertThat(store.get("counter").orElseThrow().value())
                .isEqualTo(bytes("" + writerCount * incrementsEach));
    }

    @Test
    void sixtyFourWritersOfSixtyFourKeysDoNotMeet() throws Exception {
        var store = openStore();
        int writerCount = 64;
        int updatesEach = 8;

        var writers = new ArrayList<Future<List<Long>>>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int writer = 0; writer < writerCount; writer++) {
                var key = "key-" + writer;
                writers.add(
                        threads.submit(
                                () -> {
                                    var document = put(store, key, "0");
                                    var revisions = new ArrayList<>(List.of(document.revision()));
                                    for (int update = 1; update <= updatesEach; update++) {
                                        document = replace(store, document, "" + update);
                                        revisions.add(document.revision());
                                    }
                                    return revisions;
                                }));
            }
        }

        // Writers may share a revision with each other, but each meets its own in order.
        for (var writer : writers) {
            assertThat(await(writer)).isSorted().doesNotHaveDuplicates();
        }
        assertThat(store.listAll("key-").documents())
                .hasSize(writerCount)
                .extracting(document -> document.value().utf8())
                .containsOnly("" + updatesEach);
    }

    // Words of the suite

    /// What a commit was told to have done: a [Commit], or the exception it ended in.
    public record Outcome(List<Write> writes, Object told) {}

    protected static Outcome outcomeOf(Datastore store, List<Write> writes) {
        try {
            return new Outcome(writes, store.commit(writes));
        } catch (DatastoreException failure) {
            return new Outcome(writes, failure);
        }
    }

    /// Checks what was told of a commit that creates keys against what is there.
    protected void checkTrue(Datastore store, Outcome outcome) {
        var present =
                outcome.writes().stream().map(write -> store.get(write.key()).isPresent()).toList();
        switch (outcome.told()) {
            case Commit.Done _ -> assertThat(present).containsOnly(true);
            case Commit.Unknown _ -> {
                if (transactional()) {
                    assertThat(present).containsOnly(present.getFirst());
                } else {
                    // Writes are applied in their order, so none is missing before one that is
                    // there.
                    assertThat(present).isSortedAccordingTo(Comparator.reverseOrder());
                }
            }
            // A commit that ended in an exception has no effect later either: its keys are free.
            case DatastoreException _ ->
                    assertThat(store.commit(outcome.writes())).isInstanceOf(Commit.Done.class);
            default -> throw new AssertionError(outcome);
        }
    }

    protected Datastore openStore() throws Exception {
        return track(open(AMPLE));
    }

    protected <T extends AutoCloseable> T track(T handle) {
        opened.add(handle);
        return handle;
    }

    protected static Bytes bytes(String text) {
        return Bytes.ofUtf8(text);
    }

    protected static Write create(String key, String value) {
        return new Write.Create(key, bytes(value));
    }

    protected static Write update(Document document, String value) {
        return new Write.Update(document.key(), bytes(value), document.revision());
    }

    protected static Document put(Datastore store, String key, String value) {
        return new Document(
                key, bytes(value), revisionOf(store.commit(List.of(create(key, value)))));
    }

    protected static Document replace(Datastore store, Document document, String value) {
        long revision = revisionOf(store.commit(List.of(update(document, value))));
        return new Document(document.key(), bytes(value), revision);
    }

    protected static long delete(Datastore store, Document document) {
        return revisionOf(
                store.commit(List.of(new Write.Delete(document.key(), document.revision()))));
    }

    protected static List<String> putMany(Datastore store, String prefix, int count) {
        var keys =
                IntStream.range(0, count)
                        .mapToObj(index -> prefix + "%04d".formatted(index))
                        .toList();
        keys.forEach(key -> put(store, key, "value of " + key));
        return keys;
    }

    protected static long revisionOf(Commit commit) {
        assertThat(commit).isInstanceOf(Commit.Done.class);
        return ((Commit.Done) commit).revisions().getLast();
    }

    protected static Notice changed(Document document) {
        return new Notice.Changed(document.revision(), List.of(new Change.Put(document)));
    }

    protected static <T> T await(Future<T> future) throws Exception {
        return future.get(AMPLE.toSeconds(), TimeUnit.SECONDS);
    }

    private static void await(List<Future<?>> futures) throws Exception {
        for (var future : futures) {
            await(future);
        }
    }

    private static List<String> keysOf(List<Document> documents) {
        return documents.stream().map(Document::key).toList();
    }

    private static Bytes randomBytes(int size) {
        var bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return Bytes.of(bytes);
    }

    /// Ends: whenever one of the writers that meet at the key is refused, another one was served.
    private static void increment(Datastore store, String key) {
        Commit commit;
        do {
            var document = store.get(key).orElseThrow();
            int count = Integer.parseInt(document.value().utf8());
            commit = store.commit(List.of(update(document, "" + (count + 1))));
        } while (commit instanceof Commit.Conflict);
        assertThat(commit).isInstanceOf(Commit.Done.class);
    }

    /// Ends: the test closes the store.
    private static List<Outcome> writeUntilClosed(Datastore store, String prefix) {
        var outcomes = new ArrayList<Outcome>();
        do {
            int number = outcomes.size();
            outcomes.add(
                    outcomeOf(
                            store,
                            List.of(
                                    create(prefix + number + "/1", "1"),
                                    create(prefix + number + "/2", "1"))));
        } while (outcomes.getLast().told() instanceof Commit.Done);
        return outcomes;
    }

    private static void assertRefused(Callable<?> call, String... words) {
        var thrown = catchThrowable(call::call);
        assertThat(thrown)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(words);
    }

    private static AbstractComparableAssert<?, Kind> assertThatKindOf(Callable<?> call) {
        return assertThat(kindOf(catchThrowable(call::call)));
    }

    private static AbstractComparableAssert<?, Kind> assertThatItFailed(Future<?> future) {
        var thrown = catchThrowable(() -> await(future));
        assertThat(thrown).isInstanceOf(ExecutionException.class);
        return assertThat(kindOf(thrown.getCause()));
    }

    private static Kind kindOf(@Nullable Throwable thrown) {
        if (thrown instanceof DatastoreException failure) {
            return failure.kind();
        }
        throw new AssertionError("expected a DatastoreException and saw " + thrown, thrown);
    }
}
