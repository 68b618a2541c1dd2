package io.cadastre.cli.resource;

import java.util.List;
import picocli.CommandLine.Option;

/// Which files a command takes its resources from.
final class ManifestFiles {

    @Option(
            names = {"-f", "--filename"},
            paramLabel = "FILE",
            required = true,
            description = "YAML or JSON file with one or more documents; - reads standard input.")
    private List<String> files = List.of();

    /// In the order in which they were named.
    List<String> names() {
        return List.copyOf(files);
    }
}
