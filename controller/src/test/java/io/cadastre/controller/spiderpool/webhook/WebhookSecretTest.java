package io.cadastre.controller.spiderpool.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.address.Address;
import io.cadastre.controller.spiderpool.webhook.CertificateIssuer.ServerName;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.json.UnreadableDocumentException;
import io.cadastre.wire.spiderpool.settings.SpiderpoolSettings;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The keys that all processes share, and when they are renewed.
class WebhookSecretTest {

    private static final Instant NOW = Instant.parse("2026-11-15T08:20:11Z");
    private static final List<ServerName> NAMES = List.of(new ServerName.Dns("c.kube-system.svc"));
    private static final String KEY = "/cadastre/api/v1/secrets/kube-system/s";

    private final WebhookSecret fresh = WebhookSecret.create("c", NAMES, NOW);

    private static boolean vouches(CertifiedKey authority, CertifiedKey server) {
        try {
            server.certificate().verify(authority.certificate().getPublicKey());
            return true;
        } catch (GeneralSecurityException _) {
            return false;
        }
    }

    private static Instant after(int days) {
        return NOW.plus(Duration.ofDays(days));
    }

    // ---- renewal ----

    @Test
    void freshKeysStay() {
        assertThat(fresh.renewed("c", NAMES, NOW)).isEmpty();
        assertThat(fresh.renewed("c", NAMES, after(240))).isEmpty();
        assertThat(vouches(fresh.authorities().getFirst(), fresh.server())).isTrue();
    }

    @Test
    void certificateIsRenewedLongBeforeItExpiresAndTheAuthorityStays() {
        var renewed = fresh.renewed("c", NAMES, after(250)).orElseThrow();

        assertThat(renewed.authorities()).isEqualTo(fresh.authorities());
        assertThat(renewed.server()).isNotEqualTo(fresh.server());
        assertThat(renewed.server().until()).isEqualTo(after(250 + 365));
        assertThat(vouches(fresh.authorities().getFirst(), renewed.server())).isTrue();
    }

    @Test
    void certificateForOtherNamesIsRenewed() {
        var more = List.<ServerName>of(NAMES.getFirst(), new ServerName.Dns("other"));

        var renewed = fresh.renewed("c", more, NOW).orElseThrow();

        assertThat(renewed.renewed("c", more, NOW)).isEmpty();
        assertThat(renewed.renewed("c", NAMES, NOW)).isEmpty();
    }

    /// Else two processes with different settings would take each other's names away, again and again.
    @Test
    void namesOfAnotherProcessStayUntilTheCertificateExpires() {
        var others = List.<ServerName>of(new ServerName.Ip(Address.parse("fd00::1")), new ServerName.Dns("other"));

        var both = fresh.renewed("c", others, NOW).orElseThrow();

        assertThat(both.renewed("c", NAMES, NOW)).isEmpty();
        assertThat(both.renewed("c", others, NOW)).isEmpty();
        var later = both.renewed("c", others, after(300)).orElseThrow();
        assertThat(CertificateIssuer.serverNames(later.server().certificate())).isEqualTo(others);
    }

    @Test
    void newAuthorityIsTrustedForADayBeforeItSigns() {
        var day = 3650 - 729;
        var first = fresh.renewed("c", NAMES, after(day)).orElseThrow();
        var later = first.renewed("c", List.of(new ServerName.Dns("other")), after(day + 2))
                .orElseThrow();

        assertThat(first.authorities())
                .hasSize(2)
                .startsWith(fresh.authorities().getFirst());
        assertThat(vouches(first.authorities().getFirst(), first.server())).isTrue();
        assertThat(later.authorities()).isEqualTo(first.authorities());
        assertThat(vouches(first.authorities().getLast(), later.server())).isTrue();
    }

    @Test
    void authorityThatHasExpiredIsReplacedWithItsCertificates() {
        var renewed = fresh.renewed("c", NAMES, after(4000)).orElseThrow();

        assertThat(renewed.authorities()).hasSize(1).doesNotContainAnyElementsOf(fresh.authorities());
        assertThat(vouches(renewed.authorities().getFirst(), renewed.server())).isTrue();
    }

    // ---- the document ----

    @Test
    void whatIsWrittenIsReadAgain() {
        var two = fresh.renewed("c", NAMES, after(3650 - 729)).orElseThrow();

        var read = WebhookSecret.read(KEY, two.document("kube-system", "s"));

        assertThat(read).isEqualTo(two);
        assertThat(read.authorityPem()).isEqualTo(two.authorityPem()).contains("-----BEGIN CERTIFICATE-----");
    }

    @Test
    void whatOthersWroteIntoTheSecretStays() {
        var json = Json.readObject(KEY, fresh.document("kube-system", "s"));
        ((ObjectNode) json.path("metadata")).putObject("labels").put("team", "x");
        ((ObjectNode) json.path("data")).put("more", "eA==");

        var written = Json.readObject(KEY, fresh.document(KEY, Json.write(json)));

        assertThat(written).isEqualTo(json);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        ca.crt  |                  | data[ca.crt] has 0 certificates and data[ca.key] 1 keys
        ca.key  | bm9uZQ==         | data[ca.crt] has 1 certificates and data[ca.key] 0 keys
        tls.key | ?                | data[tls.key] is not base64
        tls.crt | LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tTUlJQi0tLS0tRU5EIENFUlRJRklDQVRFLS0tLS0= | data[tls.crt] is not a certificate
        tls.key | LS0tLS1CRUdJTiBQUklWQVRFIEtFWS0tLS0tTUlJQi0tLS0tRU5EIFBSSVZBVEUgS0VZLS0tLS0= | data[tls.key] is not a private key of PKCS #8
        tls.crt | bm9uZQ==         | data[tls.crt] and data[tls.key] have not one certificate and one key
        """)
    void damagedSecretIsNamedWithItsFieldAndNothingOfIt(String field, String value, String fault) {
        var json = Json.readObject(KEY, fresh.document("kube-system", "s"));
        ((ObjectNode) json.path("data")).put(field, value == null ? "" : value);

        assertThatThrownBy(() -> WebhookSecret.read(KEY, Json.write(json)))
                .isInstanceOf(UnreadableDocumentException.class)
                .hasMessage("cannot read %s: %s".formatted(KEY, fault));
    }

    @Test
    void textsHaveNothingOfAPrivateKey() {
        var key = fresh.server().key().getEncoded();
        var texts = fresh + " " + fresh.server() + " " + fresh.authorities();

        assertThat(texts)
                .contains("key of CN=c")
                .doesNotContain(Base64.getEncoder().encodeToString(key))
                .doesNotContain(HexFormat.of().formatHex(key))
                .doesNotContain(fresh.server().key().toString());
    }

    // ---- sharing ----

    private static WebhookSettings settings() {
        return WebhookSettings.of(
                new InetSocketAddress(0),
                new WebhookSettings.Place.Service("c", 443),
                "kube-system",
                SpiderpoolSettings.of(Map.of()));
    }

    @Test
    void processesShareWhatTheFirstOneWroteAndWhatOneOfThemRenews() {
        var store = new MemoryDatastore();
        var now = new AtomicReference<>(NOW);
        var one = new WebhookKeys(store, settings(), now::get);
        var other = new WebhookKeys(store, settings(), now::get);

        one.refresh();
        other.refresh();
        assertThat(one.current()).isPresent().isEqualTo(other.current());
        now.set(after(300));
        other.refresh();
        assertThat(other.current()).isNotEqualTo(one.current());
        one.refresh();

        assertThat(one.current()).isEqualTo(other.current());
        assertThat(store.listAll("/cadastre/api/v1/secrets/").documents()).hasSize(1);
    }

    @Test
    void keysThatCannotBeReadAreNotReplaced() {
        var store = new MemoryDatastore();
        var key = "/cadastre/api/v1/secrets/kube-system/" + WebhookKeys.SECRET;
        var garbage = Bytes.ofUtf8("{\"data\":{}}");
        assertThat(store.commit(List.of(new Write.Create(key, garbage)))).isNotNull();
        var keys = new WebhookKeys(store, settings(), () -> NOW);

        assertThatThrownBy(keys::refresh)
                .isInstanceOf(UnreadableDocumentException.class)
                .hasMessageContaining(key);

        assertThat(keys.current()).isEmpty();
        assertThat(store.get(key).orElseThrow().value().utf8().getBytes(StandardCharsets.UTF_8))
                .isEqualTo(garbage.toByteArray());
    }
}
