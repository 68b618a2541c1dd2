import com.palantir.javaformat.java.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// Checks or applies the one layout of this project to every Java file below a folder.
///
/// A single-file launcher rather than a Maven plugin, because formatter plugins parse with Maven's own
/// JDK, which may be older than the language level of the sources.
///
/// What was once found well laid out is remembered by its digest in the build folder and not looked at
/// again: the formatter takes longer than the compiler.
class Format {

    static void main(String[] arguments) throws Exception {
        var mode = arguments[0];
        var root = Path.of(arguments[1]);
        var memory = root.resolve("target/tools/formatted");
        var known = Files.exists(memory) ? Set.copyOf(Files.readAllLines(memory)) : Set.<String>of();
        var sources = sources(root);
        var unknown = new ArrayList<String>();
        for (var source : sources) {
            if (!known.contains(digest(source))) {
                unknown.add(source.toString());
            }
        }
        int status = unknown.isEmpty() ? 0 : run(mode, unknown);
        if (status == 0 && mode.equals("check")) {
            var digests = new TreeSet<String>();
            for (var source : sources) {
                digests.add(digest(source));
            }
            Files.createDirectories(memory.getParent());
            Files.write(memory, digests);
        }
        if (status != 0) {
            System.err.println("The files listed above are not formatted; mvn -pl build-tools"
                    + " -Dformat.mode=apply process-sources does it.");
        }
        System.exit(status);
    }

    private static List<Path> sources(Path root) throws IOException {
        try (var files = Files.walk(root)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> !file.toString().contains("/target/"))
                    .sorted()
                    .toList();
        }
    }

    private static String digest(Path source) throws IOException {
        try {
            var sha = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(sha.digest(Files.readAllBytes(source)));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static int run(String mode, List<String> sources) throws Exception {
        var command = new ArrayList<String>(List.of("--palantir"));
        command.addAll(mode.equals("apply") ? List.of("--replace") : List.of("--dry-run", "--set-exit-if-changed"));
        command.addAll(sources);
        var formatter = new Main(new PrintWriter(System.out, true), new PrintWriter(System.err, true), System.in);
        return formatter.format(command.toArray(String[]::new));
    }
}
