package io.cadastre.cloud.google;

import io.cadastre.cloud.google.ConfigFile.Variable;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// Where Google Compute Engine is, and on whose behalf it is asked.
///
/// @param projectId the project whose machines the nodes are, by its name or its number
/// @param apiEndpoint ends with a slash
/// @param secondaryRangeName the range of the subnetwork that added alias ranges belong to; empty for the subnetwork's
///     own
public record GoogleCloudConfig(String projectId, URI apiEndpoint, TokenUrl tokenUrl, String secondaryRangeName) {

    /// Where a token comes from.
    public sealed interface TokenUrl {

        /// Requests bear none.
        record Nowhere() implements TokenUrl {}

        /// A server that answers as the metadata server of a machine does.
        record At(URI url) implements TokenUrl {}

        /// A server that gives a token for a text, as those of Google's control planes do.
        record For(URI url, Secret body) implements TokenUrl {}
    }

    /// Where the API is unless the file says otherwise.
    static final URI API_ENDPOINT = URI.create("https://www.googleapis.com/compute/v1/");

    /// The metadata server of every machine in this cloud.
    public static final String METADATA_HOST = "metadata.google.internal";

    private static final String TOKEN_PATH = "/computeMetadata/v1/instance/service-accounts/default/token";

    /// The value of `token-url` that means that there is no token.
    private static final String NO_TOKEN = "nil";

    private static final int FILE_BYTES_MAX = 64 << 10;

    /// The keys that kube-controller-manager knows and that matter here.
    private static final Set<String> USED =
            Set.of("project-id", "local-zone", "api-endpoint", "token-url", "token-body", "secondary-range-name");

    /// The keys that kube-controller-manager knows and that concern what is not done here.
    private static final Set<String> WITHOUT_EFFECT = Set.of(
            "network-project-id",
            "network-name",
            "subnetwork-name",
            "node-tags",
            "node-instance-prefix",
            "regional",
            "multizone",
            "container-api-endpoint",
            "alpha-features");

    private static final Pattern PROJECT = Pattern.compile("[a-z0-9][a-z0-9.:-]{0,99}");
    private static final Pattern NUMBER = Pattern.compile("[0-9]+");
    private static final Pattern ZONE = Pattern.compile("[a-z0-9-]+-[a-z0-9]+");
    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9.:\\[\\]-]+");

    /// Reads a file.
    ///
    /// @param metadataHost the host, and the port if it is not 80, of the metadata server
    /// @throws CloudConfigException if it cannot be read or used
    public static GoogleCloudConfig read(Path file, String metadataHost) {
        try (var stream = Files.newInputStream(file)) {
            var bytes = stream.readNBytes(FILE_BYTES_MAX + 1);
            if (bytes.length > FILE_BYTES_MAX) {
                throw new CloudConfigException("%s has more than %d bytes".formatted(file, FILE_BYTES_MAX));
            }
            return parse(file.toString(), new String(bytes, StandardCharsets.UTF_8), metadataHost);
        } catch (IOException unreadable) {
            throw new CloudConfigException("cannot read %s: %s".formatted(file, unreadable));
        }
    }

    /// Reads the text of a file.
    static GoogleCloudConfig parse(String name, String text, String metadataHost) {
        if (!HOST.matcher(metadataHost).matches()) {
            throw new CloudConfigException("'%s' is not the host of a metadata server".formatted(metadataHost));
        }
        var variables = variables(ConfigFile.parse(name, text));
        find(variables, "local-zone").ifPresent(zone -> check(name, zone, ZONE, "a zone, such as us-central1-b"));
        var project = find(variables, "project-id")
                .orElseThrow(() -> new CloudConfigException(
                        "%s: the section [global] has no project-id, which names the project of the machines"
                                .formatted(name)));
        check(name, project, PROJECT, "the name or the number of a project");
        var endpoint = find(variables, "api-endpoint");
        var config = new GoogleCloudConfig(
                project.value(),
                endpoint.map(at -> withSlash(url(name, at))).orElse(API_ENDPOINT),
                find(variables, "token-url")
                        .map(at -> tokenUrl(name, at, find(variables, "token-body")))
                        .orElseGet(() -> new TokenUrl.At(URI.create("http://" + metadataHost + TOKEN_PATH))),
                find(variables, "secondary-range-name").map(Variable::value).orElse(""));
        endpoint.ifPresent(at -> checkSecrecy(name, at, config));
        return config;
    }

    private static Map<String, Variable> variables(ConfigFile file) {
        var variables = new LinkedHashMap<String, Variable>();
        for (var variable : file.variables()) {
            var key = variable.key();
            if (!USED.contains(key) && !WITHOUT_EFFECT.contains(key)) {
                throw CloudConfigException.at(file.name(), variable.line(), "the key %s is unknown".formatted(key));
            }
            var former = variables.putIfAbsent(key, variable);
            if (former != null && USED.contains(key)) {
                throw CloudConfigException.at(
                        file.name(),
                        variable.line(),
                        "the key %s stands in line %d already".formatted(key, former.line()));
            }
        }
        return variables;
    }

    private static Optional<Variable> find(Map<String, Variable> variables, String key) {
        return Optional.ofNullable(variables.get(key))
                .filter(variable -> !variable.value().isEmpty());
    }

    private static void check(String name, Variable variable, Pattern form, String words) {
        if (!form.matcher(variable.value()).matches()) {
            throw CloudConfigException.at(
                    name,
                    variable.line(),
                    "the value '%s' of %s is not %s".formatted(variable.value(), variable.key(), words));
        }
    }

    private static TokenUrl tokenUrl(String name, Variable variable, Optional<Variable> body) {
        if (variable.value().equals(NO_TOKEN)) {
            return new TokenUrl.Nowhere();
        }
        var url = url(name, variable);
        return body.<TokenUrl>map(text -> new TokenUrl.For(url, new Secret(text.value())))
                .orElseGet(() -> new TokenUrl.At(url));
    }

    private static URI url(String name, Variable variable) {
        try {
            var url = new URI(variable.value());
            boolean web = List.of("http", "https").contains(String.valueOf(url.getScheme()));
            if (web && url.getHost() != null && url.getUserInfo() == null && url.getFragment() == null) {
                return url;
            }
        } catch (URISyntaxException _) {
            // Reported below, as for other schemes.
        }
        throw CloudConfigException.at(
                name,
                variable.line(),
                "the value '%s' of %s is not a URL with http or https, and without a user or a fragment"
                        .formatted(variable.value(), variable.key()));
    }

    private static URI withSlash(URI url) {
        var text = url.toString();
        return text.endsWith("/") ? url : URI.create(text + "/");
    }

    /// A token that leaves this machine is encrypted.
    private static void checkSecrecy(String name, Variable endpoint, GoogleCloudConfig config) {
        var host = String.valueOf(config.apiEndpoint().getHost());
        boolean here = host.equals("localhost") || host.startsWith("127.") || host.equals("[::1]");
        boolean open = config.apiEndpoint().getScheme().equals("http") && !here;
        if (open && !(config.tokenUrl() instanceof TokenUrl.Nowhere)) {
            throw CloudConfigException.at(
                    name,
                    endpoint.line(),
                    "api-endpoint %s would get a token that others can read on the way; use https, or token-url = nil"
                            .formatted(endpoint.value()));
        }
    }

    /// Whether a machine of this project is one of the cluster. A project that is configured by its number cannot be
    /// compared with one that is named.
    boolean concerns(String project) {
        return projectId.equals(project) || NUMBER.matcher(projectId).matches();
    }
}
