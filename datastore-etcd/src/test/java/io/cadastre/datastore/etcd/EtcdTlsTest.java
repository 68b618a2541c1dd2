package io.cadastre.datastore.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.DatastoreException.Kind;
import io.cadastre.datastore.Write;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// An etcd that shows a certificate and asks for one.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EtcdTlsTest {

    private SignedCertificates certificates;
    private EtcdProcess etcd;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        EtcdProcess.assumeInstalled();
        certificates = SignedCertificates.make(Files.createDirectory(directory.resolve("keys")));
        etcd = EtcdProcess.startSecured(directory, certificates);
    }

    @AfterAll
    void stop() {
        if (etcd != null) {
            etcd.close();
        }
    }

    @Test
    void knownClientIsServed() {
        try (var store = open(Map.of())) {

            var commit = store.commit(List.of(new Write.Create("a", Bytes.ofUtf8("1"))));

            assertThat(commit).isInstanceOf(Commit.Done.class);
            assertThat(store.get("a").orElseThrow().value()).isEqualTo(Bytes.ofUtf8("1"));
        }
    }

    @Test
    void clientWithoutACertificateIsRefusedBeforeAnythingIsSent() {
        assertUnreachable(Map.of("ETCD_CERT_FILE", "", "ETCD_KEY_FILE", ""));
    }

    @Test
    void clientThatTheServerDoesNotKnowIsRefusedBeforeAnythingIsSent() {
        assertUnreachable(Map.of(
                "ETCD_CERT_FILE", file("stranger.crt"),
                "ETCD_KEY_FILE", file("stranger.key")));
    }

    @Test
    void serverThatTheClientDoesNotTrustIsRefused() {
        var failure = assertUnreachable(Map.of("ETCD_CA_CERT_FILE", file("stranger.crt")));

        assertThat(failure).hasMessageContaining("TLS failed");
    }

    @Test
    void serverOfAnotherNameIsRefused() {
        // The certificate is for 127.0.0.1 and localhost.
        var failure = assertUnreachable(Map.of("ETCD_ENDPOINTS", "https://127.0.0.2:" + etcd.clientPort()));

        assertThat(failure).hasMessageContaining("127.0.0.2");
    }

    @Test
    void plainHttpToASecuredServerIsRefused() {
        assertUnreachable(Map.of(
                "ETCD_ENDPOINTS", "http://127.0.0.1:" + etcd.clientPort(),
                "ETCD_CA_CERT_FILE", "",
                "ETCD_CERT_FILE", "",
                "ETCD_KEY_FILE", ""));
    }

    private DatastoreException assertUnreachable(Map<String, String> changes) {
        try (var store = open(changes)) {

            var writing = catchThrowableOfType(
                    DatastoreException.class, () -> store.commit(List.of(new Write.Create("b", Bytes.ofUtf8("1")))));

            assertThat(writing.kind()).isEqualTo(Kind.UNREACHABLE);
            assertThat(writing).hasMessageContaining("://127.0.0.");
            return writing;
        }
    }

    private EtcdDatastore open(Map<String, String> changes) {
        var environment = new HashMap<>(Map.of(
                "ETCD_ENDPOINTS", etcd.endpoint().toString(),
                "ETCD_CA_CERT_FILE", file("ca.crt"),
                "ETCD_CERT_FILE", file("client.crt"),
                "ETCD_KEY_FILE", file("client.key")));
        environment.putAll(changes);
        return EtcdDatastore.open(EtcdSettings.fromEnvironment(environment).withCallLimit(Duration.ofSeconds(60)));
    }

    private String file(String name) {
        return certificates.file(name).toString();
    }
}
