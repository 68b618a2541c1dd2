package io.cadastre.datastore.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.interfaces.ECPrivateKey;
import java.util.Arrays;
import java.util.Base64;
import org.junit.jupiter.api.Test;

/// Each key in `keys/` was made by OpenSSL and is there in several forms.
class PemKeyTest {

    @Test
    void rsaKeyIsTheSameInItsOldAndItsNewForm() throws Exception {
        var old = PemKey.read(text("rsa.pkcs1.pem"));

        assertThat(old).isEqualTo(PemKey.read(text("rsa.pkcs8.pem")));
        assertThat(old.getAlgorithm()).isEqualTo("RSA");
    }

    @Test
    void ellipticCurveKeyIsTheSameInItsOldAndItsNewForm() throws Exception {
        var old = (ECPrivateKey) PemKey.read(text("ec.sec1.pem"));

        var modern = (ECPrivateKey) PemKey.read(text("ec.pkcs8.pem"));
        assertThat(old.getS()).isEqualTo(modern.getS());
        assertThat(old.getParams().getCurve()).isEqualTo(modern.getParams().getCurve());
    }

    @Test
    void parametersBeforeTheKeyArePassedOver() throws Exception {
        var pem = text("ec384.sec1.pem");

        var key = (ECPrivateKey) PemKey.read(pem);

        assertThat(pem).contains("EC PARAMETERS");
        assertThat(key.getS()).isEqualTo(((ECPrivateKey) PemKey.read(text("ec384.pkcs8.pem"))).getS());
    }

    @Test
    void edwardsCurveKeyIsRead() throws Exception {
        var key = PemKey.read(text("ed25519.pkcs8.pem"));

        assertThat(key.getAlgorithm()).isEqualTo("EdDSA");
    }

    @Test
    void encryptedKeyIsRefusedAsSuch() {
        assertThatThrownBy(() -> PemKey.read(text("rsa.encrypted.pem")))
                .isInstanceOf(InvalidKeyException.class)
                .hasMessageContaining("encrypted");
        assertThatThrownBy(() -> PemKey.read(text("rsa.encrypted.pkcs1.pem")))
                .isInstanceOf(InvalidKeyException.class)
                .hasMessageContaining("encrypted");
    }

    @Test
    void textWithoutAKeyIsRefused() {
        assertThatThrownBy(() -> PemKey.read("-----BEGIN CERTIFICATE-----\n"))
                .isInstanceOf(InvalidKeyException.class)
                .hasMessageContaining("no PEM private key");
    }

    @Test
    void keyThatIsCutShortIsRefusedAtEveryLength() throws Exception {
        var body = text("ec.sec1.pem").replaceAll("-----[^-]+-----|\\s", "");
        byte[] der = Base64.getDecoder().decode(body);

        for (int length = 0; length < der.length; length++) {
            var cut = Base64.getEncoder().encodeToString(Arrays.copyOf(der, length));
            var pem = "-----BEGIN EC PRIVATE KEY-----\n%s\n-----END EC PRIVATE KEY-----".formatted(cut);
            assertThatThrownBy(() -> PemKey.read(pem)).isInstanceOf(GeneralSecurityException.class);
        }
    }

    private static String text(String name) throws IOException {
        try (var stream = PemKeyTest.class.getResourceAsStream("keys/" + name)) {
            if (stream == null) {
                throw new AssertionError("no such key: " + name);
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
