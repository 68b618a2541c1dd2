package io.cadastre.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WarmUpFolderTest {

    @TempDir
    private Path parent;

    @Test
    void whatAKilledProcessLeftIsRemovedAndWhatAnotherUsesStays() throws Exception {
        var left = Files.createDirectories(parent.resolve("cadastre-warm-up123/cadastre"));
        Files.writeString(left.resolve("store.db"), "left");
        var foreign = Files.createDirectory(parent.resolve("other"));

        try (var first = WarmUpFolder.open(parent);
                var second = WarmUpFolder.open(parent)) {
            assertThat(left.getParent()).doesNotExist();
            assertThat(first.path()).isDirectory().isNotEqualTo(second.path());
            assertThat(second.path()).isDirectory();
        }

        try (var files = Files.list(parent)) {
            assertThat(files).containsExactly(foreign);
        }
    }
}
