package io.cadastre.cli;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Option;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;

/// Which store, and where this machine keeps its part.
final class StoreOptions {

    @Option(
            names = "--datastore",
            paramLabel = "STORE",
            description = {
                "Where the state is: embedded (a file in the data directory) or etcdv3 (see"
                        + " ETCD_ENDPOINTS, ETCD_USERNAME, ETCD_PASSWORD, ETCD_CA_CERT_FILE,"
                        + " ETCD_CERT_FILE, ETCD_KEY_FILE).",
                "Default: $DATASTORE_TYPE, or embedded."
            })
    private @Nullable String datastore;

    @Option(
            names = "--data-dir",
            paramLabel = "DIR",
            description = {
                "Where the embedded store and the ledger are.",
                "Default: $XDG_STATE_HOME/cadastre, or ~/.local/state/cadastre."
            })
    private @Nullable String dataDirectory;

    /// The stores this version has.
    enum Kind {
        EMBEDDED,
        ETCD
    }

    Kind kind(Map<String, String> environment) {
        var source = "--datastore";
        var name = datastore;
        if (name == null) {
            source = "DATASTORE_TYPE";
            name = environment.getOrDefault("DATASTORE_TYPE", "embedded");
        }
        return switch (name) {
            case "embedded" -> Kind.EMBEDDED;
            case "etcdv3" -> Kind.ETCD;
            case "kubernetes" ->
                    throw new UsageException(
                            "%s is kubernetes, a store that this version does not have; use embedded or etcdv3"
                                    .formatted(source));
            default ->
                    throw new UsageException(
                            "%s is '%s', which is not a store; use embedded or etcdv3"
                                    .formatted(source, name));
        };
    }

    Path dataDirectory(Map<String, String> environment) {
        if (dataDirectory != null) {
            return path(dataDirectory);
        }
        // The XDG specification has relative paths ignored.
        var state = environment.getOrDefault("XDG_STATE_HOME", "");
        if (state.startsWith("/")) {
            return path(state).resolve("cadastre");
        }
        var home = environment.getOrDefault("HOME", "");
        if (!home.startsWith("/")) {
            throw new UsageException(
                    "HOME is not set, so there is no default data directory; say --data-dir");
        }
        return path(home).resolve(".local/state/cadastre");
    }

    private Path path(String text) {
        if (text.isBlank()) {
            throw new UsageException("--data-dir is empty");
        }
        try {
            return Path.of(text).toAbsolutePath().normalize();
        } catch (InvalidPathException invalid) {
            throw new UsageException(
                    "--data-dir '%s' is not a path: %s".formatted(text, invalid.getReason()));
        }
    }
}
