package io.cadastre.datastore;

import static io.cadastre.datastore.StoreWords.await;
import static io.cadastre.datastore.StoreWords.creation;
import static io.cadastre.datastore.StoreWords.delete;
import static io.cadastre.datastore.StoreWords.keysOf;
import static io.cadastre.datastore.StoreWords.put;
import static io.cadastre.datastore.StoreWords.putMany;
import static io.cadastre.datastore.StoreWords.replace;
import static io.cadastre.datastore.StoreWords.update;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cadastre.datastore.DatastoreException.Kind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// What a store promises of its lists and their pages.
interface ListContract extends TestedStore {

    @Test
    default void listOfAnEmptyStoreIsEmptyAndHasNoNextPage() throws Exception {
        var store = openStore();

        var listing = store.list("", 10);

        assertThat(listing.documents()).isEmpty();
        assertThat(listing.next()).isEmpty();
    }

    @Test
    default void manyKeysAreReadTogetherWithoutThoseThatHoldNothing() throws Exception {
        var store = openStore();
        var keys = IntStream.range(0, 200).mapToObj("many/%03d"::formatted).toList();
        for (int index = 0; index < keys.size(); index += 2) {
            put(store, keys.get(index), "value " + index);
        }

        var found = store.getAll(keys);

        assertThat(found).hasSize(100);
        found.forEach((key, document) -> assertThat(store.get(key)).contains(document));
        assertThat(store.getAll(List.of())).isEmpty();
    }

    @Test
    default void listIsInTheOrderOfTheKeysUtf8Bytes() throws Exception {
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
    default void prefixEndsWhereTheNextNameBegins() throws Exception {
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
    default void prefixMayEndInTheLastCharacterThereIs() throws Exception {
        var store = openStore();
        var last = new String(Character.toChars(Character.MAX_CODE_POINT));
        put(store, last, "1");
        put(store, last + last, "1");
        put(store, "z", "1");

        var listing = store.list(last, 10);

        assertThat(keysOf(listing.documents())).containsExactly(last, last + last);
    }

    @Test
    default void emptyPrefixListsTheWholeStore() throws Exception {
        var store = openStore();
        put(store, "\u0001", "1");
        put(store, "z", "1");

        var listing = store.list("", 10);

        assertThat(keysOf(listing.documents())).containsExactly("\u0001", "z");
    }

    @Test
    default void listTellsARevisionThatCoversAllItShows() throws Exception {
        var store = openStore();
        put(store, "a", "1");
        var last = put(store, "b", "1");

        var listing = store.list("a", 10);

        assertThat(listing.revision()).isGreaterThanOrEqualTo(last.revision());
    }

    @Test
    default void pagesFollowOneAnotherWithoutGapOrOverlap() throws Exception {
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
    default void pageThatEndsWithTheLastDocumentHasNoNext() throws Exception {
        var store = openStore();
        putMany(store, "p/", 10);
        put(store, "q", "after");

        var page = store.list("p/", 10);

        assertThat(page.documents()).hasSize(10);
        assertThat(page.next()).isEmpty();
    }

    @Test
    default void laterPagesShowTheStoreAsItWasAtTheFirst() throws Exception {
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
    default void pagingStaysAtOneRevisionWhileWritersGoOn() throws Exception {
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
    default void listAllGivesEveryPageAtOneRevision() throws Exception {
        var store = openStore();
        putSeveralPages(store);

        var listing = store.listAll("p/");

        assertThat(keysOf(listing.documents()))
                .isEqualTo(
                        IntStream.range(0, 1200).mapToObj("p/%04d"::formatted).toList());
        assertThat(listing.next()).isEmpty();
    }

    private static void putSeveralPages(Datastore store) {
        for (int commit = 0; commit < 10; commit++) {
            int base = commit * 120;
            store.commit(IntStream.range(base, base + 120)
                    .<Write>mapToObj(index -> creation("p/%04d".formatted(index), "1"))
                    .toList());
        }
    }

    @Test
    default void scanGivesEveryDocumentUnderThePrefixOnceAtOneRevision() throws Exception {
        var store = openStore();
        putSeveralPages(store);
        put(store, "q", "1");
        var listing = store.listAll("p/");
        var scanned = new ArrayList<Document>();
        var fresh = new AtomicInteger();

        long revision = store.scan("p/", page -> {
            // What is written meanwhile belongs to no page.
            put(store, "p/new" + fresh.incrementAndGet(), "1");
            scanned.addAll(page);
        });

        assertThat(scanned).containsExactlyInAnyOrderElementsOf(listing.documents());
        assertThat(revision).isGreaterThanOrEqualTo(listing.revision());
        assertThat(fresh.get()).isGreaterThan(1);
        try (var watch = store.watch("p/", revision)) {
            assertThat(watch.next(AMPLE))
                    .isInstanceOfSatisfying(
                            Watch.Notice.Changed.class,
                            changed -> assertThat(changed.changes())
                                    .extracting(Watch.Change::key)
                                    .containsExactly("p/new1"));
        }
    }

    @Test
    default void scanWhoseRevisionIsCompactedHalfWayIsRefusedAsSuch() throws Exception {
        var store = openStore();
        putSeveralPages(store);

        assertThatThrownBy(() -> store.scan("p/", _ -> {
                    put(store, "q/1", "1");
                    forgetUpTo(put(store, "q/2", "1"));
                }))
                .isInstanceOf(CompactedException.class);
    }

    private void forgetUpTo(Document newest) {
        try {
            compact(newest.revision());
        } catch (Exception failed) {
            throw new AssertionError(failed);
        }
    }

    @Test
    default void pageAtACompactedRevisionIsRefusedAsSuch() throws Exception {
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
    default void revisionThatWasCompactedToIsStillListed() throws Exception {
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
    default void compactingChangesNothingThatIsCurrent() throws Exception {
        var store = openStore();
        var kept = replace(store, put(store, "a", "1"), "2");
        delete(store, put(store, "b", "1"));

        compact(store.list("", 1).revision());

        assertThat(store.list("", 10).documents()).containsExactly(kept);
        assertThat(store.get("a")).contains(kept);
        assertThat(store.commit(List.of(update(kept, "3")))).isInstanceOf(Commit.Done.class);
    }
}
