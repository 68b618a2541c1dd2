package io.cadastre.datastore;

import static io.cadastre.datastore.StoreWords.bytes;
import static io.cadastre.datastore.StoreWords.creation;
import static io.cadastre.datastore.StoreWords.keysOf;
import static io.cadastre.datastore.StoreWords.put;
import static io.cadastre.datastore.StoreWords.replace;
import static io.cadastre.datastore.StoreWords.update;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// What a store promises of commits of several writes.
interface CommitContract extends TestedStore {

    @Test
    default void commitOfSeveralWritesDoesThemAll() throws Exception {
        var store = openStore();
        var updated = put(store, "b", "1");
        var deleted = put(store, "c", "1");

        var commit = store.commit(
                List.of(creation("a", "1"), update(updated, "2"), new Write.Delete("c", deleted.revision())));

        assertThat(commit).isInstanceOf(Commit.Done.class);
        var revisions = ((Commit.Done) commit).revisions();
        assertThat(revisions).hasSize(3);
        assertThat(store.list("", 10).documents())
                .containsExactly(
                        new Document("a", bytes("1"), revisions.get(0)),
                        new Document("b", bytes("2"), revisions.get(1)));
    }

    @Test
    default void commitOfTheGreatestNumberOfWritesIsDone() throws Exception {
        var store = openStore();
        var writes = IntStream.range(0, Datastore.WRITES_MAX)
                .<Write>mapToObj(index -> creation("key-%03d".formatted(index), "1"))
                .toList();

        var commit = store.commit(writes);

        assertThat(commit).isInstanceOf(Commit.Done.class);
        assertThat(((Commit.Done) commit).revisions()).hasSize(Datastore.WRITES_MAX);
        assertThat(store.listAll("").documents()).hasSize(Datastore.WRITES_MAX);
    }

    @Test
    default void conflictNamesTheWriteThatMetItAndNothingAfterItIsApplied() throws Exception {
        var store = openStore();
        int writeCount = 4;
        for (int conflicting = 0; conflicting < writeCount; conflicting++) {
            var prefix = "case-" + conflicting + "/";
            put(store, prefix + conflicting, "already here");
            var writes = IntStream.range(0, writeCount)
                    .<Write>mapToObj(index -> creation(prefix + index, "new"))
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
    default void firstConflictOfSeveralIsTheOneReported() throws Exception {
        var store = openStore();
        var stale = put(store, "b", "1");
        replace(store, stale, "2");

        var commit = store.commit(
                List.of(creation("a", "1"), update(stale, "3"), new Write.Delete("c", 1), creation("b2", "1")));

        assertThat(commit).isEqualTo(new Commit.Conflict(1, Commit.Kind.STALE));
    }

    @Test
    default void independentWritesAreEachDoneOrInConflict() throws Exception {
        var store = openStore();
        var stale = put(store, "c", "1");
        replace(store, stale, "2");
        var updated = put(store, "d", "1");
        put(store, "b", "already here");

        var commits = store.commitEach(List.of(
                creation("a", "1"),
                creation("b", "2"),
                update(stale, "3"),
                new Write.Delete("e", 1),
                update(updated, "2"),
                creation("f", "1")));

        assertThat(commits).hasSize(6);
        assertThat(List.of(commits.get(0), commits.get(4), commits.get(5))).hasOnlyElementsOfType(Commit.Done.class);
        assertThat(commits.subList(1, 4))
                .containsExactly(
                        new Commit.Conflict(0, Commit.Kind.EXISTS),
                        new Commit.Conflict(0, Commit.Kind.STALE),
                        new Commit.Conflict(0, Commit.Kind.ABSENT));
        assertThat(store.list("", 10).documents())
                .contains(new Document(
                        "d",
                        bytes("2"),
                        ((Commit.Done) commits.get(4)).revisions().getFirst()))
                .extracting(Document::key)
                .containsExactly("a", "b", "c", "d", "f");
    }

    @Test
    default void asManyIndependentWritesAreDoneAsACommitTakes() throws Exception {
        var store = openStore();
        var writes = IntStream.range(0, Datastore.WRITES_MAX)
                .<Write>mapToObj(index -> creation("key-%03d".formatted(index), "1"))
                .toList();

        var commits = store.commitEach(writes);

        assertThat(commits).hasSize(Datastore.WRITES_MAX).hasOnlyElementsOfType(Commit.Done.class);
        assertThat(store.listAll("").documents())
                .extracting(Document::revision)
                .containsExactlyElementsOf(commits.stream()
                        .map(commit -> ((Commit.Done) commit).revisions().getFirst())
                        .toList());
    }
}
