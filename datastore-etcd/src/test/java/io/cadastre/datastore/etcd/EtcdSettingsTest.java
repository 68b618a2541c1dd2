package io.cadastre.datastore.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.etcd.EtcdEndpoint.Scheme;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EtcdSettingsTest {

    @Test
    void endpointsAreReadInTheirOrder() {
        var settings = from(Map.of("ETCD_ENDPOINTS", "http://10.0.0.1:2379, http://[fd00::1]:4001/"));

        assertThat(settings)
                .isEqualTo(EtcdSettings.of(List.of(
                        new EtcdEndpoint(Scheme.HTTP, "10.0.0.1", 2379),
                        new EtcdEndpoint(Scheme.HTTP, "fd00::1", 4001))));
    }

    @Test
    void endpointIsWrittenAsItIsRead() {
        for (var text : List.of("http://10.0.0.1:2379", "https://etcd-0.example:2379", "https://[::1]:1")) {
            assertThat(EtcdEndpoint.parse(text)).hasToString(text);
        }
    }

    @Test
    void domainIsReadForDiscovery() {
        var settings = from(Map.of("ETCD_DISCOVERY_SRV", "example.com", "ETCD_ENDPOINTS", ""));

        assertThat(settings.servers()).isEqualTo(new EtcdSettings.Servers.Discovered("example.com"));
    }

    @Test
    void userAndPasswordAreReadAndThePasswordIsNeverShown() {
        var settings = from(Map.of(
                "ETCD_ENDPOINTS", "http://10.0.0.1:2379",
                "ETCD_USERNAME", "alice",
                "ETCD_PASSWORD", "wonderland"));

        assertThat(settings.login()).isEqualTo(new EtcdSettings.Login.Password("alice", "wonderland"));
        assertThat(settings.toString()).contains("alice").doesNotContain("wonderland");
    }

    @Test
    void certificateFilesAreRead(@TempDir Path directory) throws IOException {
        var file = Files.writeString(directory.resolve("some.pem"), "some").toString();

        var settings = from(Map.of(
                "ETCD_ENDPOINTS", "https://10.0.0.1:2379",
                "ETCD_CA_CERT_FILE", file,
                "ETCD_CERT_FILE", file,
                "ETCD_KEY_FILE", file));

        assertThat(settings.tls())
                .isEqualTo(new EtcdSettings.Tls(
                        new EtcdSettings.Trust.Authority(Path.of(file)),
                        new EtcdSettings.Identity.Certificate(Path.of(file), Path.of(file))));
    }

    @Test
    void contradictionsAreRefusedInOneSentence(@TempDir Path directory) throws IOException {
        var file = Files.writeString(directory.resolve("some.pem"), "some").toString();
        var https = "https://10.0.0.1:2379";

        assertRefused(Map.of(), "set ETCD_ENDPOINTS");
        assertRefused(Map.of("ETCD_ENDPOINTS", " "), "set ETCD_ENDPOINTS");
        assertRefused(Map.of("ETCD_ENDPOINTS", https, "ETCD_DISCOVERY_SRV", "example.com"), "exclude each other");
        assertRefused(Map.of("ETCD_ENDPOINTS", "10.0.0.1:2379"), "\"10.0.0.1:2379\"", "http://");
        assertRefused(Map.of("ETCD_ENDPOINTS", "ftp://a:1"), "http:// or https://");
        assertRefused(Map.of("ETCD_ENDPOINTS", "http://a:1,"), "\"\"");
        assertRefused(Map.of("ETCD_ENDPOINTS", "http://10.0.0.1"), "host and a port");
        assertRefused(Map.of("ETCD_ENDPOINTS", "http://a:70000"), "70000");
        assertRefused(Map.of("ETCD_ENDPOINTS", "http://a:1/v3"), "nothing may follow");
        assertRefused(Map.of("ETCD_ENDPOINTS", "http://a b:1"), "not a URL");
        assertRefused(Map.of("ETCD_ENDPOINTS", "http://a:1,https://b:1"), "partly http://");
        assertRefused(Map.of("ETCD_ENDPOINTS", https, "ETCD_USERNAME", "a"), "without ETCD_PASSWORD");
        assertRefused(Map.of("ETCD_ENDPOINTS", https, "ETCD_PASSWORD", "a"), "without ETCD_USERNAME");
        assertRefused(Map.of("ETCD_ENDPOINTS", https, "ETCD_KEY_FILE", file), "without ETCD_CERT_FILE");
        assertRefused(Map.of("ETCD_ENDPOINTS", https, "ETCD_CERT_FILE", file), "without ETCD_KEY_FILE");
        assertRefused(
                Map.of("ETCD_ENDPOINTS", https, "ETCD_CA_CERT_FILE", file + "x"), "ETCD_CA_CERT_FILE", "not a file");
        assertRefused(Map.of("ETCD_ENDPOINTS", "http://a:1", "ETCD_CA_CERT_FILE", file), "certificate files");
    }

    @Test
    void passwordInAnEndpointIsRefusedAndNotRepeated() {
        assertThatThrownBy(() -> EtcdEndpoint.parse("http://alice:wonderland@a:1"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("ETCD_USERNAME")
                .hasMessageNotContaining("wonderland");
        assertThatThrownBy(() -> EtcdEndpoint.parse("alice:wonderland@a:1"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining("wonderland");
    }

    @Test
    void limitMustBePositive() {
        var settings = from(Map.of("ETCD_ENDPOINTS", "http://10.0.0.1:2379"));

        assertThatThrownBy(() -> settings.withCallLimit(Duration.ZERO)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void invalidCertificateFileIsRefusedWhenTheStoreIsOpened(@TempDir Path directory) throws IOException {
        var file = Files.writeString(directory.resolve("some.pem"), "some").toString();
        var settings = from(Map.of("ETCD_ENDPOINTS", "https://10.0.0.1:2379", "ETCD_CA_CERT_FILE", file));

        assertThatThrownBy(() -> EtcdDatastore.open(settings))
                .isInstanceOf(DatastoreException.class)
                .hasMessageContaining(file);
    }

    private static EtcdSettings from(Map<String, String> environment) {
        return EtcdSettings.fromEnvironment(environment);
    }

    private static void assertRefused(Map<String, String> environment, String... words) {
        assertThatThrownBy(() -> from(environment))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(words);
    }
}
