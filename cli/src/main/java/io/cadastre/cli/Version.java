package io.cadastre.cli;

import picocli.CommandLine.IVersionProvider;

/// The version in the manifest of the jar; classes that lie in a folder have none.
final class Version implements IVersionProvider {

    @Override
    public String[] getVersion() {
        return new String[] {sentence()};
    }

    static String sentence() {
        var version = Version.class.getPackage().getImplementationVersion();
        return "cadastre %s (Java %s)".formatted(version == null ? "development" : version, Runtime.version());
    }
}
