package io.cadastre.datastore.etcd;

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

/// A real etcd that is put back from a snapshot or emptied under a process that uses it.
class EtcdLineageTest {

    private static Commit create(EtcdDatastore store, String key) {
        return store.commit(List.of(new Write.Create(key, Bytes.ofUtf8(key))));
    }

    @Test
    void identityHasClusterTermAndRevisionAndSurvivesARestart(@TempDir Path directory) throws Exception {
        try (var etcd = EtcdProcess.start(directory);
                var store = EtcdDatastore.open(etcd.settings())) {
            create(store, "/a");
            var before = store.identity().orElseThrow();

            etcd.restart();
            store.get("/a");
            var after = store.identity().orElseThrow();

            assertThat(before.name()).matches("etcd cluster [0-9a-f]+");
            assertThat(before.revision()).isEqualTo(2);
            assertThat(after.name()).isEqualTo(before.name());
            assertThat(after.revision()).isEqualTo(before.revision());
            assertThat(after.term()).isGreaterThan(before.term());
        }
    }

    @Test
    void snapshotThatWasRestoredIsNoticedByTheNextCallAndServesNothing(@TempDir Path directory) throws Exception {
        try (var etcd = EtcdProcess.start(directory);
                var store = EtcdDatastore.open(etcd.settings())) {
            create(store, "/a");
            etcd.snapshot(directory.resolve("backup"));
            create(store, "/b");

            etcd.restore(directory.resolve("backup"));
            var commit = create(store, "/b");
            var read = catchThrowableOfType(DatastoreException.class, () -> store.get("/a"));

            assertThat(commit)
                    .isInstanceOfSatisfying(
                            Commit.Unknown.class,
                            unknown -> assertThat(unknown.reason()).contains("put back"));
            assertThat(read.kind()).isEqualTo(Kind.FOREIGN);
            assertThat(read).hasMessageContainingAll("term", "put back", "started again");
        }
    }

    @Test
    void emptiedDataDirectoryIsNoticedByTheNextRead(@TempDir Path directory) throws Exception {
        try (var etcd = EtcdProcess.start(directory);
                var store = EtcdDatastore.open(etcd.settings())) {
            create(store, "/a");
            var before = store.identity().orElseThrow();

            etcd.empty();
            var read = catchThrowableOfType(DatastoreException.class, () -> store.get("/a"));

            assertThat(read.kind()).isEqualTo(Kind.FOREIGN);
            assertThat(read)
                    .hasMessageContainingAll(
                            before.name() + " and has come to revision 1",
                            "knows %s at revision 2".formatted(before.name()));
        }
    }
}
