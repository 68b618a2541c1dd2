package io.cadastre.cli.run;

import io.cadastre.cli.command.CommandContext;
import io.cadastre.cli.command.UsageException;
import io.cadastre.cli.session.StoreOptions;
import io.cadastre.controller.spiderpool.webhook.SpiderWebhook;
import io.cadastre.controller.spiderpool.webhook.WebhookSettings;
import io.cadastre.controller.spiderpool.webhook.WebhookSettings.Place;
import io.cadastre.wire.kubernetes.NodeName;
import io.cadastre.wire.spiderpool.settings.SpiderpoolSettings;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;
import picocli.CommandLine.Option;

/// Whether and how a controller serves admission webhooks.
final class WebhookOptions {

    private static final int SERVICE_PORT = 443;

    @Option(
            names = "--webhook-service",
            paramLabel = "NAME",
            defaultValue = "",
            description = {
                "Serve admission webhooks for Spiderpool's objects, which the API server reaches by this Service in"
                        + " --lease-namespace, at its port 443.",
                "The controller keeps their keys in the Secret cadastre-spiderpool-webhook of that namespace, and"
                        + " writes the webhook configurations. Needs --datastore kubernetes."
            })
    private String service = "";

    @Option(
            names = "--webhook-url",
            paramLabel = "URL",
            defaultValue = "",
            description = "Instead of a Service: https://HOST:PORT as the API server reaches this process, for one that"
                    + " runs outside the cluster.")
    private String url = "";

    @Option(
            names = "--webhook-listen",
            paramLabel = "ADDRESS",
            defaultValue = "",
            description = "Address and port that serve the webhooks; without a host, all local addresses. Default: port"
                    + " $" + WebhookSettings.PORT_VARIABLE + ", or " + WebhookSettings.PORT
                    + ", of all local addresses.")
    private String listen = "";

    /// Empty if neither a Service nor a URL is given.
    ///
    /// @param namespace of the lease
    /// @throws UsageException if an option or a variable has a value that it cannot have
    Optional<WebhookSettings> find(
            SpiderpoolSettings settings, String namespace, StoreOptions store, CommandContext context) {
        if (service.isEmpty() && url.isEmpty()) {
            if (!listen.isEmpty()) {
                throw new UsageException(
                        "--webhook-listen without webhooks; give --webhook-service or --webhook-url too");
            }
            return Optional.empty();
        }
        if (!service.isEmpty() && !url.isEmpty()) {
            throw new UsageException(
                    "--webhook-service and --webhook-url exclude each other: the API server asks at one place");
        }
        var webhooks = WebhookSettings.of(listen(context), place(), namespace, settings);
        if (store.kind(context.environment()) != StoreOptions.Kind.KUBERNETES) {
            throw new UsageException("%s serves the API server of a cluster; give --datastore kubernetes"
                    .formatted(service.isEmpty() ? "--webhook-url" : "--webhook-service"));
        }
        return Optional.of(webhooks);
    }

    private InetSocketAddress listen(CommandContext context) {
        try {
            int port = WebhookSettings.port(context.environment());
            return listen.isEmpty() ? new InetSocketAddress(port) : ListenAddress.parse("--webhook-listen", listen);
        } catch (IllegalArgumentException invalid) {
            throw new UsageException(String.valueOf(invalid.getMessage()));
        }
    }

    private Place place() {
        if (!service.isEmpty()) {
            if (NodeName.fault(service).isPresent() || service.indexOf('.') >= 0) {
                throw new UsageException("--webhook-service '%s' is not the name of a Service".formatted(service));
            }
            return new Place.Service(service, SERVICE_PORT);
        }
        try {
            return new Place.Url(new URI(url));
        } catch (URISyntaxException _) {
            throw new UsageException(
                    "--webhook-url: '%s' is not an address of this form: https://HOST:PORT".formatted(url));
        } catch (IllegalArgumentException invalid) {
            throw new UsageException("--webhook-url: " + invalid.getMessage());
        }
    }

    /// Why the loop that was named does not run.
    static String missing() {
        return "%s needs --webhook-service or --webhook-url".formatted(SpiderWebhook.NAME);
    }
}
