package io.cadastre.cli.session;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.cli.command.UsageException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Map;

/// A calicoctl configuration file: one document of kind `CalicoAPIConfig`. Each setting has an equivalent
/// environment variable.
final class CalicoConfigFile {

    private static final String KIND = "CalicoAPIConfig";
    private static final String VERSION = "projectcalico.org/v3";

    private static final Map<String, String> VARIABLES = Map.of(
            "datastoreType", "DATASTORE_TYPE",
            "etcdEndpoints", "ETCD_ENDPOINTS",
            "etcdDiscoverySrv", "ETCD_DISCOVERY_SRV",
            "etcdUsername", "ETCD_USERNAME",
            "etcdPassword", "ETCD_PASSWORD",
            "etcdKeyFile", "ETCD_KEY_FILE",
            "etcdCertFile", "ETCD_CERT_FILE",
            "etcdCACertFile", "ETCD_CA_CERT_FILE",
            "kubeconfig", "KUBECONFIG",
            "k8sAPIEndpoint", "K8S_API_ENDPOINT");

    private CalicoConfigFile() {}

    /// The environment with the settings of the file.
    ///
    /// @throws UsageException if the file cannot be read, or has an unknown setting
    static Map<String, String> over(Map<String, String> environment, String file) {
        var documents = Manifests.read(file, InputStream.nullInputStream());
        var json = documents.getFirst();
        if (documents.size() > 1
                || !json.path("kind").asText().equals(KIND)
                || !json.path("apiVersion").asText().equals(VERSION)) {
            throw new UsageException(
                    "%s is not one document of kind %s and apiVersion %s".formatted(file, KIND, VERSION));
        }
        var settings = new HashMap<>(environment);
        if (json.path("spec") instanceof ObjectNode spec) {
            for (var field : spec.properties()) {
                var variable = VARIABLES.get(field.getKey());
                if (variable == null) {
                    throw new UsageException(
                            "%s has field '%s', which is not supported".formatted(file, field.getKey()));
                }
                settings.put(variable, field.getValue().asText());
            }
        }
        return settings;
    }
}
