package io.cadastre.wire.book;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Write;
import io.cadastre.registry.PageFullException;
import java.util.List;
import org.junit.jupiter.api.Test;

class WriteSetTest {

    private static final Document READ = new Document("read", value("old"), 7);

    @Test
    void aKeyThatWasNotReadIsCreated() {
        var writes = over().put("new", value("1"));

        assertThat(writes.writes()).containsExactly(new Write.Create("new", value("1")));
        assertThat(writes.find("new")).contains(value("1"));
    }

    @Test
    void aKeyThatWasReadIsUpdatedAtItsRevision() {
        var writes = over(READ).put("read", value("1"));

        assertThat(writes.writes()).containsExactly(new Write.Update("read", value("1"), 7));
    }

    @Test
    void severalValuesOfOneKeyAreOneWriteOfTheLast() {
        var writes = over(READ)
                .put("read", value("1"))
                .put("new", value("2"))
                .put("read", value("3"))
                .put("new", value("4"));

        assertThat(writes.writes())
                .containsExactly(new Write.Update("read", value("3"), 7), new Write.Create("new", value("4")));
    }

    @Test
    void aCreationThatIsDeletedAgainVanishes() {
        var writes = over().put("new", value("1")).delete("new");

        assertThat(writes.writes()).isEmpty();
        assertThat(writes.find("new")).isEmpty();
    }

    @Test
    void aCreationThatVanishedMayComeBack() {
        var writes = over().put("new", value("1")).delete("new").put("new", value("2"));

        assertThat(writes.writes()).containsExactly(new Write.Create("new", value("2")));
    }

    @Test
    void anUpdateThatIsDeletedIsADeletion() {
        var writes = over(READ).put("read", value("1")).delete("read");

        assertThat(writes.writes()).containsExactly(new Write.Delete("read", 7));
        assertThat(writes.find("read")).isEmpty();
    }

    @Test
    void deletionsComeFirst() {
        var writes = over(READ).put("b", value("1")).put("a", value("2")).delete("read");

        assertThat(writes.writes()).extracting(Write::key).containsExactly("read", "b", "a");
    }

    @Test
    void deletionsKeepTheirPlaceWhereTheDecisionHasAnOrder() {
        var writes = WriteSet.over(List.of(READ), WriteSet.Order.AS_NOTED)
                .put("b", value("1"))
                .delete("read")
                .put("a", value("2"));

        assertThat(writes.writes()).extracting(Write::key).containsExactly("b", "read", "a");
    }

    @Test
    void aDocumentThatIsReadLaterIsComparedToo() {
        var writes = over().put("a", value("1")).reading(List.of(READ)).delete("read");

        assertThat(writes.writes()).containsExactly(new Write.Delete("read", 7), new Write.Create("a", value("1")));
    }

    @Test
    void changesOfASecondDecisionDoNotFit() {
        var noted = over(READ).with(List.of(new DocumentChange.Put("read", value("1"), "rewrite read")));

        assertThat(noted.with(List.of()).writes()).containsExactly(new Write.Update("read", value("1"), 7));
        assertThatExceptionOfType(PageFullException.class)
                .isThrownBy(() -> noted.with(List.of(new DocumentChange.Drop("read", "delete read"))))
                .withMessageContaining("one decision at a time");
    }

    @Test
    void aDeletedKeyIsNotCreatedAgainInTheSameCommit() {
        var writes = over(READ).delete("read");

        assertThatExceptionOfType(PageFullException.class)
                .isThrownBy(() -> writes.put("read", value("1")))
                .withMessage("read is deleted by this commit and cannot be created by it again");
    }

    @Test
    void whatDoesNotExistCannotBeDeleted() {
        var writes = over(READ).delete("read");

        assertThatIllegalStateException().isThrownBy(() -> writes.delete("read"));
        assertThatIllegalStateException().isThrownBy(() -> writes.delete("never"));
    }

    @Test
    void moreWritesThanACommitTakesDoNotFit() {
        var full = over();
        for (int i = 0; i < Datastore.WRITES_MAX; i++) {
            full = full.put("key-" + i, value("1"));
        }
        var last = full;

        assertThat(last.put("key-0", value("2")).writes()).hasSize(Datastore.WRITES_MAX);
        assertThatExceptionOfType(PageFullException.class)
                .isThrownBy(() -> last.put("one more", value("1")))
                .withMessage("129 writes do not fit into one commit of at most 128");
    }

    @Test
    void notingLeavesTheEarlierNotesAsTheyWere() {
        var before = over(READ).put("a", value("1"));

        before.put("b", value("2")).delete("a");

        assertThat(before.writes()).containsExactly(new Write.Create("a", value("1")));
        assertThat(before.find("read")).contains(value("old"));
    }

    private static WriteSet over(Document... read) {
        return WriteSet.over(List.of(read), WriteSet.Order.DELETIONS_FIRST);
    }

    private static Bytes value(String text) {
        return Bytes.ofUtf8(text);
    }
}
