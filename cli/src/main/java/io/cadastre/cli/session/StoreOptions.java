package io.cadastre.cli.session;

import io.cadastre.cli.command.UsageException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/// The options that select the store and the data directory.
public final class StoreOptions {

    @Option(
            names = "--datastore",
            paramLabel = "STORE",
            description = {
                "Datastore to use: embedded (a file in the data directory), etcdv3 (see"
                        + " ETCD_ENDPOINTS, ETCD_USERNAME, ETCD_PASSWORD, ETCD_CA_CERT_FILE,"
                        + " ETCD_CERT_FILE, ETCD_KEY_FILE) or kubernetes (see KUBECONFIG, --context"
                        + " and CALICO_API_GROUP).",
                "Default: $DATASTORE_TYPE, or embedded."
            })
    private @Nullable String datastore;

    @Option(
            names = {"-c", "--config"},
            paramLabel = "FILE",
            defaultValue = "",
            showDefaultValue = CommandLine.Help.Visibility.NEVER,
            description = "calicoctl configuration file that selects the datastore, instead of the"
                    + " environment. /etc/calico/calicoctl.cfg is read only if given here.")
    private String configFile = "";

    @Option(
            names = "--data-dir",
            paramLabel = "DIR",
            description = {
                "Directory of the embedded store and the ledger.",
                "Default: $XDG_STATE_HOME/cadastre, or ~/.local/state/cadastre."
            })
    private @Nullable String dataDirectory;

    @Option(
            names = "--context",
            paramLabel = "NAME",
            defaultValue = "",
            showDefaultValue = CommandLine.Help.Visibility.NEVER,
            description = "Context of the kubeconfig; default: its current context.")
    private String context = "";

    @Option(
            names = "--connect-timeout",
            paramLabel = "SECONDS",
            defaultValue = "10",
            description = "How long to wait for a connection to etcd; default ${DEFAULT-VALUE}.")
    private int connectSeconds = 10;

    /// The supported stores.
    public enum Kind {
        EMBEDDED("embedded"),
        ETCD("etcdv3"),
        KUBERNETES("kubernetes");

        private final String word;

        Kind(String word) {
            this.word = word;
        }
    }

    /// The context of the kubeconfig; empty for its current one.
    String context() {
        return context;
    }

    /// How long to wait for a connection to etcd.
    Duration connectLimit() {
        if (connectSeconds < 1) {
            throw new UsageException("--connect-timeout is %d; it must be 1 second or more".formatted(connectSeconds));
        }
        return Duration.ofSeconds(connectSeconds);
    }

    /// The settings of stores: from the configuration file if one is given, else from the environment.
    ///
    /// @throws UsageException if the file cannot be read
    Map<String, String> settings(Map<String, String> environment) {
        return configFile.isEmpty() ? environment : CalicoConfigFile.over(environment, configFile);
    }

    public Kind kind(Map<String, String> environment) {
        var source = "--datastore";
        var name = datastore;
        if (name == null) {
            source = "DATASTORE_TYPE";
            name = settings(environment).getOrDefault("DATASTORE_TYPE", "embedded");
        }
        for (var kind : Kind.values()) {
            if (kind.word.equals(name)) {
                return kind;
            }
        }
        throw new UsageException(
                "%s is '%s', which is not a store; use embedded, etcdv3 or kubernetes".formatted(source, name));
    }

    /// The options that another command needs to use the same store, as a shell reads them.
    public String repeated(Map<String, String> environment) {
        var words = new StringJoiner(" ");
        if (kind(environment) != Kind.EMBEDDED) {
            words.add("--datastore").add(kind(environment).word);
        }
        if (!configFile.isEmpty()) {
            words.add("--config")
                    .add(quoted(Path.of(configFile).toAbsolutePath().toString()));
        }
        if (dataDirectory != null) {
            words.add("--data-dir").add(quoted(dataDirectory(environment).toString()));
        }
        if (!context.isEmpty()) {
            words.add("--context").add(quoted(context));
        }
        return words.toString();
    }

    private static String quoted(String word) {
        return word.matches("[\\w@%+=:,./-]+") ? word : "'%s'".formatted(word.replace("'", "'\\''"));
    }

    /// Refuses the Kubernetes store for something that it does not support.
    public void refuseCluster(Map<String, String> environment, String what) {
        if (kind(environment) == Kind.KUBERNETES) {
            throw new UsageException(
                    "%s in a cluster by 'cadastre controller --allocate-node-cidrs'; use".formatted(what)
                            + " embedded or etcdv3");
        }
    }

    public Path dataDirectory(Map<String, String> environment) {
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
            throw new UsageException("HOME is not set, so there is no default data directory; set --data-dir");
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
            throw new UsageException("--data-dir '%s' is not a path: %s".formatted(text, invalid.getReason()));
        }
    }
}
