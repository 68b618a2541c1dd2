package io.cadastre.datastore.kubernetes;

import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.DatastoreException.Kind;
import io.cadastre.datastore.kubernetes.KubernetesSettings.Access;
import io.fabric8.kubernetes.api.model.NamedAuthInfo;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.internal.KubeConfigUtils;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/// Settings as fabric8 takes them.
final class Configurations {

    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(10);

    private Configurations() {}

    static Config of(KubernetesSettings settings) {
        var config =
                switch (settings.access()) {
                    case Access.Kubeconfig(var file, var context) -> fromFile(file, context);
                    case Access.InCluster inCluster -> inCluster(inCluster);
                };
        // A request that is sent again after its answer was lost conflicts with itself, and the
        // reported conflict is not a real one. What may be sent again is decided here, not in the
        // client.
        config.setRequestRetryBackoffLimit(0);
        // TLS negotiates HTTP/2. In clear text the JDK would offer it with the first request, which servers that do not
        // know it may refuse.
        config.setHttp2Disable(!config.getMasterUrl().startsWith("https://"));
        config.setConnectionTimeout(
                (int) Math.min(CONNECT_LIMIT.toMillis(), settings.callLimit().toMillis()));
        config.setUserAgent("cadastre");
        return config;
    }

    /// @throws DatastoreException if a certificate or a key is unusable
    static LiveTransport transport(Config config, ProbeLimits limits) {
        try {
            return new LiveTransport(config.getMasterUrl(), new JdkTransports(config), limits);
        } catch (KubernetesClientException unusable) {
            throw new DatastoreException(
                    Kind.FAILED,
                    "the credentials for the Kubernetes API are unusable: %s".formatted(unusable.getMessage()),
                    unusable);
        }
    }

    private static Config inCluster(Access.InCluster access) {
        if (!Files.isRegularFile(access.authorityFile())) {
            throw new DatastoreException(
                    Kind.FAILED,
                    "the certificate of the Kubernetes authority, %s, is not a file".formatted(access.authorityFile()));
        }
        var config = Config.empty();
        config.setMasterUrl(access.server() + "/");
        config.setCaCertFile(access.authorityFile().toString());
        config.setOauthTokenProvider(new TokenFile(access.tokenFile())::current);
        return config;
    }

    private static Config fromFile(Path file, String context) {
        try {
            var read = KubeConfigUtils.parseConfig(file.toFile());
            var config = Config.empty();
            KubeConfigUtils.merge(config, context.isEmpty() ? null : context, read);
            var current = config.getCurrentContext();
            if (current == null || (!context.isEmpty() && !current.getName().equals(context))) {
                throw new DatastoreException(
                        Kind.FAILED,
                        "the Kubernetes configuration %s has no context %s"
                                .formatted(file, context.isEmpty() ? "that is current" : context));
            }
            var user = current.getContext().getUser();
            read.getUsers().stream()
                    .filter(named -> named.getName().equals(user))
                    .findFirst()
                    .flatMap(Configurations::tokenFile)
                    .map(name -> new TokenFile(file.toAbsolutePath().resolveSibling(name)))
                    .ifPresent(token -> config.setOauthTokenProvider(token::current));
            return config;
        } catch (KubernetesClientException unreadable) {
            throw new DatastoreException(
                    Kind.FAILED,
                    "the Kubernetes configuration %s is unusable: %s".formatted(file, unreadable.getMessage()),
                    unreadable);
        }
    }

    /// fabric8 passes over a token that is in a file of its own.
    private static Optional<String> tokenFile(NamedAuthInfo named) {
        return Optional.ofNullable(named.getUser().getTokenFile()).filter(name -> !name.isEmpty());
    }
}
