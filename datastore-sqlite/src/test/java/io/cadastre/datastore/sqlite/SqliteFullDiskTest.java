package io.cadastre.datastore.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.DatastoreException.Kind;
import io.cadastre.datastore.Write;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A file system of four megabytes that fills up for real.
class SqliteFullDiskTest {

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    @BeforeEach
    void mountSmallFileSystem() throws Exception {
        assumeTrue("root".equals(System.getProperty("user.name")), "only root can mount");
        run("mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", directory.toString());
    }

    @AfterEach
    void unmount() throws Exception {
        if ("root".equals(System.getProperty("user.name"))) {
            run("umount", directory.toString());
        }
    }

    @Test
    void fullDiskIsReportedAsSuchLosesNothingAndIsOverWhenThereIsRoom() throws Exception {
        var ballast = directory.resolve("ballast");
        Files.write(ballast, new byte[2 << 20]);
        var committed = new ArrayList<String>();
        try (var store = SqliteDatastore.open(SqliteSettings.of(directory.resolve("store.db")))) {
            var refusal = catchThrowableOfType(DatastoreException.class, () -> fill(store, committed));
            Files.delete(ballast);
            var afterwards = store.commit(List.of(create("after")));

            assertThat(refusal.kind()).isEqualTo(Kind.FULL);
            assertThat(refusal).hasMessageContaining("has no room left");
            assertThat(committed).isNotEmpty();
            assertThat(committed).allMatch(key -> store.get(key).isPresent());
            assertThat(store.get("key-" + committed.size())).isEmpty();
            assertThat(afterwards).isInstanceOf(Commit.Done.class);
        }
    }

    @Test
    void openingOnAFullDiskIsReportedAsSuch() throws Exception {
        var file = directory.resolve("store.db");
        SqliteDatastore.open(SqliteSettings.of(file)).close();
        fillUp(directory.resolve("ballast"));

        var refusal =
                catchThrowableOfType(DatastoreException.class, () -> SqliteDatastore.open(SqliteSettings.of(file)));

        assertThat(refusal.kind()).isEqualTo(Kind.FULL);
        assertThat(refusal).hasMessageContaining(file + " has no room left");
    }

    /// Ends with the room.
    private static void fillUp(Path ballast) throws IOException {
        try (var out = Files.newOutputStream(ballast)) {
            for (int page = 0; page < 10_000; page++) {
                out.write(new byte[4096]);
            }
        } catch (IOException full) {
            assertThat(full).hasMessageContaining("No space left");
        }
    }

    /// Ends, as there is room for a few hundred.
    private static void fill(SqliteDatastore store, List<String> committed) {
        while (committed.size() < 10_000) {
            var key = "key-" + committed.size();
            store.commit(List.of(create(key)));
            committed.add(key);
        }
    }

    private static Write create(String key) {
        return new Write.Create(key, Bytes.of(new byte[4096]));
    }

    private static void run(String... command) throws Exception {
        var process = new ProcessBuilder(command).inheritIO().start();
        assertThat(process.waitFor()).as(String.join(" ", command)).isZero();
    }
}
