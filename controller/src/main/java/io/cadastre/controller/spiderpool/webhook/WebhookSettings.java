package io.cadastre.controller.spiderpool.webhook;

import io.cadastre.address.Family;
import io.cadastre.controller.spiderpool.webhook.CertificateIssuer.ServerName;
import io.cadastre.engine.pool.IpText;
import io.cadastre.wire.spiderpool.admission.SpiderAdmission.Deletion;
import io.cadastre.wire.spiderpool.objects.SpiderObjects.SubnetUse;
import io.cadastre.wire.spiderpool.settings.SpiderpoolSettings;
import io.cadastre.wire.spiderpool.settings.SpiderpoolSwitch;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// How the webhooks are served, and where the API server finds them.
///
/// @param listen where they are served
/// @param place where the API server finds them
/// @param namespace of the Secret, and of the Service
/// @param families those that are given at all
/// @param deletion whether an object in use may be deleted
/// @param subnets whether subnets control pools
public record WebhookSettings(
        InetSocketAddress listen,
        Place place,
        String namespace,
        List<Family> families,
        Deletion deletion,
        SubnetUse subnets) {

    /// As Spiderpool's controller names it.
    public static final String PORT_VARIABLE = "SPIDERPOOL_WEBHOOK_PORT";

    public static final int PORT = 5722;

    private static final int PORT_MAX = 65_535;

    public WebhookSettings {
        families = List.copyOf(families);
    }

    /// Where the API server finds a webhook.
    public sealed interface Place {

        /// By a Service of the namespace.
        ///
        /// @param port of the Service
        record Service(String name, int port) implements Place {}

        /// Directly, for an API server that cannot reach a Service.
        ///
        /// @param base `https`, host and port
        record Url(URI base) implements Place {

            public Url {
                if (!"https".equals(base.getScheme())
                        || base.getHost() == null
                        || !(base.getPath() == null || base.getPath().isEmpty())
                        || base.getQuery() != null
                        || base.getFragment() != null
                        || base.getUserInfo() != null) {
                    throw new IllegalArgumentException(
                            "'%s' is not an address of this form: https://HOST:PORT".formatted(base));
                }
            }
        }
    }

    /// With what Spiderpool's `conf.yml` says about the rules.
    public static WebhookSettings of(
            InetSocketAddress listen, Place place, String namespace, SpiderpoolSettings settings) {
        return new WebhookSettings(
                listen,
                place,
                namespace,
                settings.families(),
                settings.has(SpiderpoolSwitch.VALIDATE_DELETION) ? Deletion.WHEN_UNUSED : Deletion.AT_ANY_TIME,
                settings.has(SpiderpoolSwitch.SPIDER_SUBNET) ? SubnetUse.ON : SubnetUse.OFF);
    }

    /// The port that the environment names.
    ///
    /// @throws IllegalArgumentException if it is not one
    public static int port(Map<String, String> environment) {
        var text = environment.getOrDefault(PORT_VARIABLE, "");
        if (text.isEmpty()) {
            return PORT;
        }
        try {
            int port = Integer.parseInt(text);
            if (port >= 1 && port <= PORT_MAX) {
                return port;
            }
        } catch (NumberFormatException _) {
            // Reported below, like a number that is out of bounds.
        }
        throw new IllegalArgumentException(
                "%s is '%s', which is not a port from 1 to %d; set it to one, or unset it (default %d)"
                        .formatted(PORT_VARIABLE, text, PORT_MAX, PORT));
    }

    /// What the server is called in its certificate.
    String serverName() {
        return switch (place) {
            case Place.Service(var name, var _) -> "%s.%s.svc".formatted(name, namespace);
            case Place.Url(var base) -> base.getHost();
        };
    }

    /// What the API server calls it by when it checks the certificate.
    List<ServerName> serverNames() {
        return switch (place) {
            case Place.Service(var name, var _) ->
                Stream.of("%s.%s.svc", "%s.%s", "%s.%s.svc.cluster.local")
                        .<ServerName>map(form -> new ServerName.Dns(form.formatted(name, namespace)))
                        .toList();
            case Place.Url(var base) -> List.of(serverName(base.getHost()));
        };
    }

    private static ServerName serverName(String host) {
        var text = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
        return IpText.address(text).<ServerName>map(ServerName.Ip::new).orElseGet(() -> new ServerName.Dns(host));
    }
}
