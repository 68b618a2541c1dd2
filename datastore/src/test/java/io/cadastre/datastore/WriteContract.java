package io.cadastre.datastore;

import static io.cadastre.datastore.StoreWords.bytes;
import static io.cadastre.datastore.StoreWords.creation;
import static io.cadastre.datastore.StoreWords.delete;
import static io.cadastre.datastore.StoreWords.put;
import static io.cadastre.datastore.StoreWords.randomBytes;
import static io.cadastre.datastore.StoreWords.replace;
import static io.cadastre.datastore.StoreWords.revisionOf;
import static io.cadastre.datastore.StoreWords.update;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// What a store promises of the creating, updating and deleting of one document.
interface WriteContract extends TestedStore {

    @Test
    default void createdDocumentIsFoundAtTheRevisionOfItsCommit() throws Exception {
        var store = openStore();

        var commit = store.commit(List.of(creation("a", "1")));

        assertThat(store.get("a")).contains(new Document("a", bytes("1"), revisionOf(commit)));
    }

    @Test
    default void absentKeyHoldsNothing() throws Exception {
        var store = openStore();
        put(store, "a/b", "1");

        var found = store.get("a");

        assertThat(found).isEmpty();
    }

    @Test
    default void creatingAKeyThatExistsIsAConflictAndChangesNothing() throws Exception {
        var store = openStore();
        var document = put(store, "a", "1");

        var commit = store.commit(List.of(creation("a", "2")));

        assertThat(commit).isEqualTo(new Commit.Conflict(0, Commit.Kind.EXISTS));
        assertThat(store.get("a")).contains(document);
    }

    @Test
    default void updateAtTheRevisionThatWasReadIsDoneAtAGreaterOne() throws Exception {
        var store = openStore();
        var before = put(store, "a", "1");

        var commit = store.commit(List.of(update(before, "2")));

        assertThat(revisionOf(commit)).isGreaterThan(before.revision());
        assertThat(store.get("a")).contains(new Document("a", bytes("2"), revisionOf(commit)));
    }

    @Test
    default void staleUpdateIsAConflictAndChangesNothing() throws Exception {
        var store = openStore();
        var stale = put(store, "a", "1");
        var current = replace(store, stale, "2");

        var commit = store.commit(List.of(update(stale, "3")));

        assertThat(commit).isEqualTo(new Commit.Conflict(0, Commit.Kind.STALE));
        assertThat(store.get("a")).contains(current);
    }

    @Test
    default void updateAtARevisionOfTheFutureIsAConflict() throws Exception {
        var store = openStore();
        var current = put(store, "a", "1");

        var commit = store.commit(List.of(new Write.Update("a", bytes("2"), current.revision() + 1000)));

        assertThat(commit).isEqualTo(new Commit.Conflict(0, Commit.Kind.STALE));
        assertThat(store.get("a")).contains(current);
    }

    @Test
    default void updatingAnAbsentKeyIsAConflict() throws Exception {
        var store = openStore();

        var commit = store.commit(List.of(new Write.Update("a", bytes("1"), 1)));

        assertThat(commit).isEqualTo(new Commit.Conflict(0, Commit.Kind.ABSENT));
        assertThat(store.get("a")).isEmpty();
    }

    @Test
    default void believingInRevisionZeroDoesNotCreate() throws Exception {
        var store = openStore();

        var update = store.commit(List.of(new Write.Update("a", bytes("1"), 0)));
        var delete = store.commit(List.of(new Write.Delete("a", 0)));

        assertThat(update).isEqualTo(new Commit.Conflict(0, Commit.Kind.ABSENT));
        assertThat(delete).isEqualTo(new Commit.Conflict(0, Commit.Kind.ABSENT));
        assertThat(store.get("a")).isEmpty();
    }

    @Test
    default void deletedKeyIsAbsentAndMayBeCreatedAgainAtAGreaterRevision() throws Exception {
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
    default void staleDeleteIsAConflictAndChangesNothing() throws Exception {
        var store = openStore();
        var stale = put(store, "a", "1");
        var current = replace(store, stale, "2");

        var commit = store.commit(List.of(new Write.Delete("a", stale.revision())));

        assertThat(commit).isEqualTo(new Commit.Conflict(0, Commit.Kind.STALE));
        assertThat(store.get("a")).contains(current);
    }

    @Test
    default void deletingAnAbsentKeyIsAConflict() throws Exception {
        var store = openStore();

        var commit = store.commit(List.of(new Write.Delete("a", 1)));

        assertThat(commit).isEqualTo(new Commit.Conflict(0, Commit.Kind.ABSENT));
    }

    @Test
    default void revisionOfAnEarlierLifeOfAKeyIsStale() throws Exception {
        var store = openStore();
        var firstLife = put(store, "a", "1");
        delete(store, firstLife);
        var secondLife = put(store, "a", "1");

        var commit = store.commit(List.of(update(firstLife, "2")));

        assertThat(commit).isEqualTo(new Commit.Conflict(0, Commit.Kind.STALE));
        assertThat(store.get("a")).contains(secondLife);
    }

    @Test
    default void valueMayBeEmptyAndIsNotAbsence() throws Exception {
        var store = openStore();

        var document = put(store, "a", "");

        assertThat(store.get("a")).contains(document);
        assertThat(store.list("a", 10).documents()).containsExactly(document);
    }

    @Test
    default void valueOfTheGreatestSizeIsKeptByteForByte() throws Exception {
        var store = openStore();
        var value = randomBytes(Datastore.VALUE_BYTES_MAX);

        var commit = store.commit(List.of(new Write.Create("a", value)));

        var document = new Document("a", value, revisionOf(commit));
        assertThat(store.get("a").orElseThrow().equals(document)).isTrue();
        assertThat(store.list("a", 1).documents().equals(List.of(document))).isTrue();
    }

    @Test
    default void keyOfTheGreatestSizeIsTaken() throws Exception {
        var store = openStore();
        var key = "é".repeat(Datastore.KEY_BYTES_MAX / 2);

        var document = put(store, key, "1");

        assertThat(store.get(key)).contains(document);
        assertThat(store.list(key, 10).documents()).containsExactly(document);
    }

    @Test
    default void writesThatWereDoneAreFoundApplied() throws Exception {
        var store = openStore();
        var updated = put(store, "a", "1");
        var deleted = put(store, "b", "1");
        var writes = List.of(new Write.Delete("b", deleted.revision()), update(updated, "2"), creation("c", "1"));
        var done = (Commit.Done) store.commit(writes);

        var applied = store.findApplied(writes).orElseThrow();

        assertThat(applied.revisions().subList(1, 3)).isEqualTo(done.revisions().subList(1, 3));
    }

    @Test
    default void writesOfWhichOneWasNotDoneAreNotFoundApplied() throws Exception {
        var store = openStore();
        var document = put(store, "a", "1");

        var created = store.findApplied(List.of(creation("a", "1"), creation("b", "1")));
        var updated = store.findApplied(List.of(update(document, "2")));
        var updatedToTheSame = store.findApplied(List.of(update(document, "1")));
        var deleted = store.findApplied(List.of(new Write.Delete("a", document.revision())));

        assertThat(List.of(created, updated, updatedToTheSame, deleted)).containsOnly(Optional.empty());
    }
}
