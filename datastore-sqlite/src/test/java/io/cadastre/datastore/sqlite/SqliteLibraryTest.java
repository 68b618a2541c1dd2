package io.cadastre.datastore.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The native library is unpacked once.
class SqliteLibraryTest {

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    @Test
    void killedProcessesLeaveOneLibraryAndNothingInTheTemporaryFolder() throws Exception {
        Files.createDirectory(directory.resolve("temporary"));

        openAndKill();
        var first = libraries();
        openAndKill();

        assertThat(first).hasSize(1);
        assertThat(libraries()).isEqualTo(first);
        assertThat(permissions(first.getFirst().resolveSibling("."))).isEqualTo("rwx------");
        assertThat(directory.resolve("temporary")).isEmptyDirectory();
    }

    @Test
    void libraryThatOthersCanWriteIsNotLoaded() throws Exception {
        Files.createDirectory(directory.resolve("temporary"));
        openAndKill();
        Files.setPosixFilePermissions(libraries().getFirst(), PosixFilePermissions.fromString("rw-rw-rw-"));

        openAndKill();

        assertThat(directory.resolve("temporary")).isNotEmptyDirectory();
    }

    private void openAndKill() throws IOException {
        try (var child = ChildJvm.start(
                LibraryUser.class,
                directory.resolve("store.db").toString(),
                directory.resolve("cache").toString(),
                directory.resolve("temporary").toString())) {
            assertThat(child.read()).isEqualTo("opened");
            child.kill();
        }
    }

    private List<Path> libraries() throws IOException {
        try (var files = Files.walk(directory.resolve("cache"))) {
            return files.filter(Files::isRegularFile).toList();
        }
    }

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }
}
