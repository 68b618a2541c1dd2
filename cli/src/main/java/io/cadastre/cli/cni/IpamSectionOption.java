package io.cadastre.cli.cni;

import picocli.CommandLine.Option;

/// An ipam section that stands in for the one of a network's configuration.
final class IpamSectionOption {

    @Option(
            names = "--ipam",
            paramLabel = "JSON",
            defaultValue = "",
            description = "The ipam section of the network, instead of the one in --conf-dir.")
    private String section = "";

    String section() {
        return section;
    }
}
