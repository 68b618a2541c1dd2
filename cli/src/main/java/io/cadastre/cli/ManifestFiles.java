package io.cadastre.cli;

import picocli.CommandLine.Option;

import java.util.List;

/// Which files a command takes its resources from.
final class ManifestFiles {

    @Option(
            names = {"-f", "--filename"},
            paramLabel = "FILE",
            required = true,
            description = "YAML or JSON, one or several documents; - reads what is piped in.")
    private List<String> files = List.of();

    /// In the order in which they were named.
    List<String> names() {
        return List.copyOf(files);
    }
}
