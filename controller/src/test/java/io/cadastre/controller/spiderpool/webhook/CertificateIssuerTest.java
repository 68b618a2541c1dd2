package io.cadastre.controller.spiderpool.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cadastre.address.Address;
import io.cadastre.controller.spiderpool.webhook.CertificateIssuer.ServerName;
import io.cadastre.datastore.PeerProcess;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertPathValidator;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Date;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Certificates as others read them.
class CertificateIssuerTest {

    private static final Instant FROM = Instant.parse("2026-11-15T08:20:11Z");
    private static final Instant UNTIL = Instant.parse("2027-11-15T08:20:11Z");
    private static final List<ServerName> NAMES = List.of(
            new ServerName.Dns("cadastre.kube-system.svc"),
            new ServerName.Ip(Address.parse("127.0.0.1")),
            new ServerName.Ip(Address.parse("200.1.2.3")),
            new ServerName.Ip(Address.parse("fd00::1")));

    private final CertifiedKey authority = CertificateIssuer.authority("authority", FROM, UNTIL);
    private final CertifiedKey server = CertificateIssuer.server(authority, "server", NAMES, FROM, UNTIL);

    private static void checkPath(CertifiedKey server, CertifiedKey authority, Instant at)
            throws GeneralSecurityException {
        var trusted = new PKIXParameters(Set.of(new TrustAnchor(authority.certificate(), null)));
        trusted.setRevocationEnabled(false);
        trusted.setDate(Date.from(at));
        var path = CertificateFactory.getInstance("X.509").generateCertPath(List.of(server.certificate()));
        var _ = CertPathValidator.getInstance("PKIX").validate(path, trusted);
    }

    @Test
    void certificateIsTrustedBecauseOfItsAuthorityAndOfNoOther() throws GeneralSecurityException {
        var other = CertificateIssuer.authority("authority", FROM, UNTIL);

        checkPath(server, authority, FROM.plusSeconds(1));
        assertThatThrownBy(() -> checkPath(server, other, FROM.plusSeconds(1)))
                .isInstanceOf(CertPathValidatorException.class);
        assertThatThrownBy(() -> checkPath(server, authority, UNTIL.plusSeconds(1)))
                .isInstanceOf(CertPathValidatorException.class);
        assertThat(other.certificate().getSerialNumber())
                .isNotEqualTo(authority.certificate().getSerialNumber());
    }

    @Test
    void certificateSaysWhoseItIsAndWhatItIsFor() throws GeneralSecurityException {
        X509Certificate certificate = server.certificate();

        assertThat(certificate.getVersion()).isEqualTo(3);
        assertThat(certificate.getSubjectX500Principal().getName()).isEqualTo("CN=server");
        assertThat(certificate.getIssuerX500Principal())
                .isEqualTo(authority.certificate().getSubjectX500Principal());
        assertThat(certificate.getNotBefore()).isEqualTo(Date.from(FROM));
        assertThat(certificate.getNotAfter()).isEqualTo(Date.from(UNTIL));
        assertThat(certificate.getBasicConstraints()).isEqualTo(-1);
        assertThat(certificate.getKeyUsage())
                .containsExactly(true, false, false, false, false, false, false, false, false);
        assertThat(certificate.getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.1");
        assertThat(certificate.getSubjectAlternativeNames().stream()
                        .map(name -> name.get(0) + " " + name.get(1))
                        .toList())
                .containsExactly("2 cadastre.kube-system.svc", "7 127.0.0.1", "7 200.1.2.3", "7 fd00:0:0:0:0:0:0:1");
        assertThat(certificate.getCriticalExtensionOIDs()).containsExactlyInAnyOrder("2.5.29.15", "2.5.29.19");
        assertThat(authority.certificate().getBasicConstraints()).isEqualTo(Integer.MAX_VALUE);
        assertThat(authority.certificate().getKeyUsage()[5]).isTrue();
        assertThat(authority.certificate().getKeyUsage()[0]).isFalse();
    }

    /// The year decides how a time is written.
    @ParameterizedTest
    @CsvSource({"2049-12-31T23:59:59Z", "2050-01-01T00:00:00Z", "2126-01-01T00:00:00Z"})
    void timesOfEachCenturyAreRead(Instant until) {
        assertThat(CertificateIssuer.authority("a", FROM, until).until()).isEqualTo(until);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 020100",
        "127, 02017f",
        "128, 02020080",
        "256, 02020100",
    })
    void numbersAreWrittenWithTheirSign(BigInteger number, String der) {
        assertThat(Der.integer(number)).isEqualTo(HexFormat.of().parseHex(der));
    }

    @ParameterizedTest
    @CsvSource({
        "1.2.840.10045.4.3.2, 06082a8648ce3d040302",
        "2.5.29.17, 0603551d11",
        "2.999.3, 0603883703",
        "1.3.6.1.4.1.311.21.20, 06092b0601040182371514"
    })
    void identifiersAreWrittenInGroupsOfSevenBits(String dotted, String der) {
        assertThat(HexFormat.of().formatHex(Der.identifier(dotted))).isEqualTo(der);
    }

    @ParameterizedTest
    @CsvSource({"127, 047f", "128, 048180", "255, 0481ff", "256, 04820100", "65536, 0483010000"})
    void lengthsAreWrittenInAsFewBytesAsTheyNeed(int length, String beginning) {
        assertThat(HexFormat.of().formatHex(Der.octets(new byte[length]))).startsWith(beginning);
    }

    @Test
    void opensslAcceptsTheCertificate(@TempDir Path folder) throws Exception {
        assumeTrue(PeerProcess.onThePath("openssl"), "no openssl on the PATH");
        var now = InstantSource.system().instant();
        var signer = CertificateIssuer.authority("authority", now.minusSeconds(60), now.plusSeconds(3600));
        var signed = CertificateIssuer.server(signer, "server", NAMES, now.minusSeconds(60), now.plusSeconds(3600));
        Files.writeString(folder.resolve("ca.pem"), pem(signer.certificate()));
        Files.writeString(folder.resolve("server.pem"), pem(signed.certificate()));

        var accepted = openssl(
                folder,
                "verify",
                "-x509_strict",
                "-purpose",
                "sslserver",
                "-verify_ip",
                "fd00::1",
                "-CAfile",
                "ca.pem",
                "server.pem");
        var refused = openssl(folder, "verify", "-verify_hostname", "other.example", "-CAfile", "ca.pem", "server.pem");

        assertThat(accepted).isEqualTo("server.pem: OK");
        assertThat(refused).contains("hostname mismatch");
    }

    private static String pem(X509Certificate certificate) throws GeneralSecurityException {
        return "-----BEGIN CERTIFICATE-----\n%s\n-----END CERTIFICATE-----\n"
                .formatted(Base64.getMimeEncoder().encodeToString(certificate.getEncoded()));
    }

    private static String openssl(Path folder, String... arguments) throws IOException, InterruptedException {
        var words = new ArrayList<>(List.of("openssl"));
        words.addAll(List.of(arguments));
        var process = new ProcessBuilder(words)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return said.strip();
    }
}
