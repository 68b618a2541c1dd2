import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;

/// Checks or applies the one layout of this project to every Java file below a folder.
///
/// A single-file launcher rather than a Maven plugin, because formatter plugins parse with Maven's own
/// JDK, which may be older than the language level of the sources.
class Format {

    private static final String TOOL = "google-java-format";

    static void main(String[] arguments) throws IOException {
        var mode = arguments[0];
        var root = Path.of(arguments[1]);
        var command = new ArrayList<String>(List.of("--aosp", "--skip-javadoc-formatting"));
        command.addAll(
                mode.equals("apply")
                        ? List.of("--replace")
                        : List.of("--dry-run", "--set-exit-if-changed"));
        try (var files = Files.walk(root)) {
            files.map(Path::toString)
                    .filter(file -> file.endsWith(".java") && !file.contains("/target/"))
                    .sorted()
                    .forEach(command::add);
        }
        var status =
                ToolProvider.findFirst(TOOL)
                        .orElseThrow(
                                () -> new IllegalStateException(TOOL + " is not on the class path"))
                        .run(
                                new PrintWriter(System.out, true),
                                new PrintWriter(System.err, true),
                                command.toArray(String[]::new));
        if (status != 0) {
            System.err.println(
                    "The files listed above are not formatted; mvn -N -Dformat.mode=apply"
                            + " process-sources does it.");
        }
        System.exit(status);
    }
}
