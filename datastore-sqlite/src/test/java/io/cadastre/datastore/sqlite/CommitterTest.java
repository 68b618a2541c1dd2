package io.cadastre.datastore.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.DatastoreException.Kind;
import io.cadastre.datastore.Write;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CommitterTest {

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    @Test
    void errorEndsTheStoreAndAllCallersAreAnswered() throws Exception {
        var file = DatabaseFile.prepare(SqliteSettings.of(directory.resolve("store.db")));
        var standing = new StoreState();
        try (var committer = new Committer(file, standing, CommitterTest::fail)) {
            var overtaken = committer.commit(creation("a"));
            var refusal = catchThrowableOfType(DatastoreException.class, () -> committer.commit(creation("b")));

            assertThat(overtaken).isEqualTo(new Commit.Unknown("the committer ended"));
            assertThat(standing.isOpen()).isFalse();
            assertThat(refusal.kind()).isEqualTo(Kind.FAILED);
            assertThat(refusal).hasMessageContaining("the committer ended");
        }
    }

    private static void fail(long before, long newest, List<QueuedCommit> requests) {
        throw new AssertionError("planted to end the committer at %d, %d, %s".formatted(before, newest, requests));
    }

    private static QueuedCommit creation(String key) {
        return new QueuedCommit(List.of(new Write.Create(key, Bytes.ofUtf8("1"))));
    }
}
