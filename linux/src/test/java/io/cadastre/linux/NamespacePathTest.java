package io.cadastre.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Paths and names that lead to no namespace. No test needs to be root for that.
class NamespacePathTest {

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "..", "a/b", "../passwd", "nul\0"})
    void invalidNameIsRefused(String name) {
        assertThatIllegalArgumentException().isThrownBy(() -> Namespace.create(name));
    }

    @Test
    void regularFileIsRefusedInTheWordsOfTheReferencePlugins() throws IOException {
        var file = Files.createFile(folder.resolve("netns")).toString();
        var magic = NetworkNamespaces.run("stat", "-f", "-c", "%t", file).strip();

        var refused = catchThrowableOfType(LinuxException.class, () -> Namespace.open(file));

        assertThat(refused).hasMessage("unknown FS magic on \"%s\": %s", file, magic);
        assertThat(refused.errno()).isEqualTo(Errno.EINVAL);
    }

    @Test
    void missingPathIsRefusedInTheWordsOfTheReferencePlugins() {
        var path = folder.resolve("none").toString();

        var refused = catchThrowableOfType(LinuxException.class, () -> Namespace.open(path));

        assertThat(refused).hasMessage("failed to Statfs \"%s\": no such file or directory", path);
        assertThat(refused.errno()).isEqualTo(Errno.ENOENT);
    }

    @Test
    void pathWithQuotesIsQuotedAsGoDoes() {
        var refused = catchThrowableOfType(LinuxException.class, () -> Namespace.open("/no \"such\"\n\\path\u0001"));

        assertThat(refused)
                .hasMessage("failed to Statfs \"/no \\\"such\\\"\\n\\\\path\\x01\": no such file or" + " directory");
    }

    @Test
    void pathWithANulIsRefused() {
        var refused = catchThrowableOfType(LinuxException.class, () -> Namespace.open("/proc/self/ns/net\0x"));

        assertThat(refused.errno()).isEqualTo(Errno.EINVAL);
    }
}
