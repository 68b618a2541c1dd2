package io.cadastre.verification.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The mistakes in `verification/mutants` can still be planted. Whether the simulation finds them is tried by
/// `verification/mutants/run`, which takes longer.
class MutantsTest {

    private static final Path MUTANTS = Product.root().resolve("verification/mutants");

    static List<Path> patches() throws IOException {
        try (Stream<Path> files = Files.list(MUTANTS)) {
            return files.filter(file -> file.toString().endsWith(".patch"))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("patches")
    void everyPartOfAPatchIsInItsFile(Path patch) throws IOException {
        var file = "";
        var hunk = new StringBuilder();
        int hunks = 0;
        for (var line : Files.readString(patch).lines().toList()) {
            if (line.startsWith("--- a/") || line.startsWith("@@")) {
                requirePart(file, hunk);
            }
            if (line.startsWith("--- a/")) {
                file = line.substring("--- a/".length());
            } else if (line.startsWith("@@")) {
                hunks++;
            } else if (hunks > 0 && (line.startsWith(" ") || line.startsWith("-"))) {
                hunk.append(line.substring(1)).append('\n');
            } else if (hunks > 0 && line.isEmpty()) {
                hunk.append('\n');
            }
        }
        requirePart(file, hunk);
        assertThat(hunks).as("changes in %s", patch).isPositive();
    }

    private static void requirePart(String file, StringBuilder hunk) throws IOException {
        if (!hunk.isEmpty()) {
            assertThat(Files.readString(Product.root().resolve(file))).contains(hunk);
            hunk.setLength(0);
        }
    }
}
