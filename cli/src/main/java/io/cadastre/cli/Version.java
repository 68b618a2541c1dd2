package io.cadastre.cli;

import picocli.CommandLine.IVersionProvider;

/// The version in the manifest of the jar; classes that lie in a folder have none.
final class Version implements IVersionProvider {

    @Override
    public String[] getVersion() {
        var version = Version.class.getPackage().getImplementationVersion();
        return new String[] {
            "cadastre %s (Java %s)"
                    .formatted(version == null ? "development" : version, Runtime.version())
        };
    }
}
