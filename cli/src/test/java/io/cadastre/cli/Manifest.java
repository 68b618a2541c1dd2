package io.cadastre.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Files to apply.
public final class Manifest {

    private Manifest() {}

    public static String pool(String name, String spec) {
        return resource("IPPool", name, spec);
    }

    public static String node(String name) {
        return resource("Node", name, "{}");
    }

    public static String resource(String kind, String name, String spec) {
        return """
            ---
            apiVersion: projectcalico.org/v3
            kind: %s
            metadata: {name: %s}
            spec: %s
            """.formatted(kind, name, spec);
    }

    /// What the command says to these documents.
    public static Shell.Ended apply(Shell shell, Path folder, String... documents) throws IOException {
        var file = Files.writeString(folder.resolve("manifest.yaml"), String.join("", documents));
        return shell.run("apply", "-f", file.toString());
    }
}
