package io.cadastre.cli.resource;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.cli.Shell;
import io.cadastre.wire.book.ResourceKind;
import io.cadastre.wire.kubernetes.CoreKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The commands serve every kind of the tables, and main code lists the kinds nowhere else.
class KnownKindsTest {

    /// A file that names this many kinds is a list of them.
    private static final int LISTED_MIN = 3;

    @TempDir
    private Path home;

    private Shell shell = Shell.at(Path.of(""));

    @BeforeEach
    void openShell() {
        shell = Shell.at(home);
    }

    @Test
    void everyKindIsShownByItsPluralAndItsSingular() {
        assertThat(KnownKinds.ALL).isNotEmpty().allSatisfy(kind -> {
            var plural = shell.run("get", kind.traits().plural());
            var wide = shell.run("get", kind.word(), "-o", "wide");

            assertThat(plural.exitCode()).isZero();
            assertThat(plural.out()).startsWith("NAME");
            assertThat(wide.out()).contains(kind.traits().columns().getLast().heading());
        });
    }

    @Test
    void everyKindWithFieldsIsAppliedAndDeletedAndNoOther() {
        assertThat(KnownKinds.ALL).allSatisfy(kind -> {
            var manifest = "{apiVersion: %s, kind: %s, metadata: {name: default}, spec: {none: of its fields}}"
                    .formatted(kind.traits().apiVersion(), kind.word());

            var applied = shell.runPiping(manifest, "apply", "-f", "-");
            var deleted = shell.run("delete", kind.singular(), "no-such");

            if (kind.isWritten()) {
                assertThat(applied.err()).contains("none");
                assertThat(deleted.err()).doesNotContain("managed by the allocator");
            } else {
                assertThat(applied.err()).contains("which cannot be applied");
                assertThat(deleted.err()).contains(kind.traits().plural() + " are managed by the allocator");
            }
        });
    }

    @Test
    void theClusterIsShown() {
        shell.runPiping(
                "{apiVersion: projectcalico.org/v3, kind: ClusterInformation, metadata: {name: default},"
                        + " spec: {datastoreReady: true}}",
                "apply",
                "-f",
                "-");

        var shown = shell.run("get", "clusterinformations");

        assertThat(shown.out()).isEqualTo("NAME      READY\ndefault   true\n");
    }

    @Test
    void noMainFileListsTheKinds() throws IOException {
        var listing = new TreeMap<String, List<String>>();
        for (var module : List.of("wire", "cli", "agent", "controller", "datastore-kubernetes")) {
            try (var files = Files.walk(Path.of("..", module, "src", "main", "java"))) {
                for (var file :
                        files.filter(path -> path.toString().endsWith(".java")).toList()) {
                    var text = Files.readString(file);
                    var named = KnownKinds.ALL.stream()
                            // Headings of tables and attributes of pods have the same names.
                            .filter(kind -> !(kind instanceof CoreKind))
                            .filter(kind -> literals(kind).anyMatch(text::contains))
                            .map(ResourceKind::word)
                            .toList();
                    if (named.size() >= LISTED_MIN) {
                        listing.put(file.getFileName().toString(), named);
                    }
                }
            }
        }

        assertThat(listing).isEqualTo(Map.of());
    }

    private static Stream<String> literals(ResourceKind kind) {
        return Stream.of(kind.word(), kind.traits().plural(), kind.singular()).map("\"%s\""::formatted);
    }
}
