package io.cadastre.datastore.kubernetes;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/// How to reach an API server, with which credentials, and how much to ask of it.
///
/// @param callLimit how long any call may take, with all its requests
/// @param writeLimit how long the server may work on a write before it gives up and writes nothing; half a second later
///     this client gives up as well. Zero: as long as the server allows itself
public record KubernetesSettings(Access access, Rate rate, Duration callLimit, Duration writeLimit) {

    public static final Duration CALL_LIMIT_DEFAULT = Duration.ofSeconds(10);

    /// Where a pod finds its own credentials.
    private static final Path SERVICE_ACCOUNT = Path.of("/var/run/secrets/kubernetes.io/serviceaccount");

    public KubernetesSettings {
        if (callLimit.isNegative() || callLimit.isZero()) {
            throw new IllegalArgumentException("the time limit of a call must be positive");
        }
        if (writeLimit.isNegative() || writeLimit.toNanosPart() != 0) {
            throw new IllegalArgumentException("the time limit of a write is a number of seconds, not " + writeLimit);
        }
    }

    public static KubernetesSettings of(Access access) {
        return new KubernetesSettings(access, Rate.DEFAULT, CALL_LIMIT_DEFAULT, Duration.ZERO);
    }

    /// Reads `KUBECONFIG`; without it, what a pod is given; without that, `.kube/config` in `HOME`. An
    /// empty variable is one that is not set. `CADASTRE_KUBERNETES_QPS` and `CADASTRE_KUBERNETES_BURST`
    /// bound the requests.
    ///
    /// @param context the context of the configuration file; empty for its current one
    /// @throws IllegalArgumentException if there is no way to any server; the message is one sentence
    public static KubernetesSettings fromEnvironment(Map<String, String> environment, String context) {
        return fromEnvironment(environment, context, SERVICE_ACCOUNT);
    }

    /// As [#fromEnvironment(Map, String)] where `KUBECONFIG`, a context or a pod says which server is meant;
    /// otherwise empty. What happens to be in `HOME` may be of any cluster, so by itself it says nothing.
    ///
    /// @throws IllegalArgumentException if the settings lead to no server
    public static Optional<KubernetesSettings> findMeant(Map<String, String> environment, String context) {
        return findMeant(environment, context, SERVICE_ACCOUNT);
    }

    static Optional<KubernetesSettings> findMeant(
            Map<String, String> environment, String context, Path serviceAccount) {
        var variables = new Variables(environment);
        boolean meant = variables.has("KUBECONFIG") || !context.isEmpty() || isPod(variables, serviceAccount);
        return meant ? Optional.of(fromEnvironment(environment, context, serviceAccount)) : Optional.empty();
    }

    private static boolean isPod(Variables variables, Path serviceAccount) {
        return variables.has("KUBERNETES_SERVICE_HOST") && Files.isRegularFile(serviceAccount.resolve("token"));
    }

    static KubernetesSettings fromEnvironment(Map<String, String> environment, String context, Path serviceAccount) {
        var variables = new Variables(environment);
        return of(access(variables, context, serviceAccount)).withRate(rate(variables));
    }

    public KubernetesSettings withCallLimit(Duration limit) {
        return new KubernetesSettings(access, rate, limit, writeLimit);
    }

    public KubernetesSettings withRate(Rate other) {
        return new KubernetesSettings(access, other, callLimit, writeLimit);
    }

    public KubernetesSettings withWriteLimit(Duration limit) {
        return new KubernetesSettings(access, rate, callLimit, limit);
    }

    private static Access access(Variables variables, String context, Path serviceAccount) {
        if (variables.has("KUBECONFIG")) {
            return kubeconfig(Path.of(variables.get("KUBECONFIG")), context);
        }
        if (context.isEmpty() && isPod(variables, serviceAccount)) {
            return new Access.InCluster(
                    server(variables), serviceAccount.resolve("token"), serviceAccount.resolve("ca.crt"));
        }
        var inHome = Path.of(variables.get("HOME"), ".kube", "config");
        if (Files.isRegularFile(inHome)) {
            return kubeconfig(inHome, context);
        }
        throw new IllegalArgumentException("no way to a Kubernetes API server: set KUBECONFIG to a configuration file");
    }

    private static Access kubeconfig(Path file, String context) {
        if (!Files.isRegularFile(file)) {
            throw new IllegalArgumentException("the Kubernetes configuration %s is not a file".formatted(file));
        }
        return new Access.Kubeconfig(file, context);
    }

    private static String server(Variables variables) {
        var host = variables.get("KUBERNETES_SERVICE_HOST");
        var port = variables.has("KUBERNETES_SERVICE_PORT") ? variables.get("KUBERNETES_SERVICE_PORT") : "443";
        return (host.contains(":") ? "https://[%s]:%s" : "https://%s:%s").formatted(host, port);
    }

    private static Rate rate(Variables variables) {
        return new Rate(
                variables.number("CADASTRE_KUBERNETES_QPS", Rate.DEFAULT.perSecond()),
                variables.number("CADASTRE_KUBERNETES_BURST", Rate.DEFAULT.burst()));
    }

    /// Where the server is and how to be known to it.
    public sealed interface Access {

        /// What a configuration file says, with credential plugins, tokens and certificates.
        ///
        /// @param context empty for the current context of the file
        record Kubeconfig(Path file, String context) implements Access {}

        /// What a pod is given. The token is read again for every request, since it is renewed.
        ///
        /// @param server as in `https://10.96.0.1:443`
        record InCluster(String server, Path tokenFile, Path authorityFile) implements Access {}
    }

    /// How many requests may be sent: `burst` at once, and `perSecond` as long as it lasts.
    public record Rate(int perSecond, int burst) {

        /// Above what an agent needs and below what hurts a server; the server's own priorities are the
        /// real guard.
        public static final Rate DEFAULT = new Rate(500, 1000);

        public Rate {
            if (perSecond < 1 || burst < 1) {
                throw new IllegalArgumentException(
                        "%d requests per second and %d at once: both are at least 1".formatted(perSecond, burst));
            }
        }
    }

    private record Variables(Map<String, String> environment) {

        boolean has(String name) {
            return !get(name).isEmpty();
        }

        String get(String name) {
            return environment.getOrDefault(name, "").strip();
        }

        int number(String name, int otherwise) {
            try {
                return has(name) ? Integer.parseInt(get(name)) : otherwise;
            } catch (NumberFormatException notANumber) {
                throw new IllegalArgumentException(
                        "%s is '%s', which is not a whole number".formatted(name, get(name)), notANumber);
            }
        }
    }
}
