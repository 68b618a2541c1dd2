package io.cadastre.controller.spiderpool.webhook;

import io.cadastre.address.Address;
import io.cadastre.engine.pool.IpText;
import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// Makes keys and certificates of X.509 (RFC 5280) for servers, and for the authority that vouches for them.
///
/// Keys are of the curve P-256; they and all signatures come from the JDK, which offers no way to write a certificate.
/// The serial number and the key identifier are taken from the digest of the public key, so that two certificates of
/// different keys never have the same.
final class CertificateIssuer {

    private static final String ECDSA_WITH_SHA256 = "1.2.840.10045.4.3.2";
    private static final String COMMON_NAME = "2.5.4.3";
    private static final String SUBJECT_KEY_IDENTIFIER = "2.5.29.14";
    private static final String KEY_USAGE = "2.5.29.15";
    private static final String SUBJECT_ALTERNATIVE_NAME = "2.5.29.17";
    private static final String BASIC_CONSTRAINTS = "2.5.29.19";
    private static final String AUTHORITY_KEY_IDENTIFIER = "2.5.29.35";
    private static final String EXTENDED_KEY_USAGE = "2.5.29.37";
    private static final String SERVER_AUTHENTICATION = "1.3.6.1.5.5.7.3.1";

    private static final int DIGITAL_SIGNATURE = 0x80;
    private static final int CERTIFICATES_AND_LISTS = 0x06;

    private static final int DNS_NAME = 2;
    private static final int IP_ADDRESS = 7;

    private static final int IDENTIFIER_BYTES = 20;
    private static final int SERIAL_BYTES = 16;
    private static final BigInteger VERSION_3 = BigInteger.TWO;

    private CertificateIssuer() {}

    /// Which name or address a server is known by.
    sealed interface ServerName {

        /// In a certificate.
        byte[] encoded();

        record Dns(String name) implements ServerName {
            @Override
            public byte[] encoded() {
                return Der.implicit(DNS_NAME, name.getBytes(StandardCharsets.US_ASCII));
            }
        }

        record Ip(Address address) implements ServerName {
            @Override
            public byte[] encoded() {
                // As many bytes as the family has; the number may have fewer, or one more for its sign.
                int length = address.family().bits() / Byte.SIZE;
                var number = address.number().toByteArray();
                var bytes = new byte[length];
                int count = Math.min(length, number.length);
                System.arraycopy(number, number.length - count, bytes, length - count, count);
                return Der.implicit(IP_ADDRESS, bytes);
            }
        }
    }

    /// The names that a server is known by, as far as they are of these kinds.
    static List<ServerName> serverNames(X509Certificate certificate) {
        try {
            var alternatives = certificate.getSubjectAlternativeNames();
            return alternatives == null
                    ? List.of()
                    : alternatives.stream()
                            .flatMap(name -> serverName(name.getFirst(), name.getLast()).stream())
                            .toList();
        } catch (CertificateParsingException _) {
            return List.of();
        }
    }

    private static Optional<ServerName> serverName(Object kind, Object name) {
        return switch (kind) {
            case Integer number when number == DNS_NAME -> Optional.of(new ServerName.Dns(String.valueOf(name)));
            case Integer number
            when number == IP_ADDRESS -> IpText.address(String.valueOf(name)).map(ServerName.Ip::new);
            default -> Optional.empty();
        };
    }

    /// An authority that vouches for itself.
    static CertifiedKey authority(String name, Instant from, Instant until) {
        try {
            var keys = keys();
            var subject = name(name + " " + serial(keys.getPublic()).toString(Character.MAX_RADIX));
            var extensions = List.of(
                    extension(BASIC_CONSTRAINTS, Importance.CRITICAL, Der.sequence(Der.yes())),
                    extension(KEY_USAGE, Importance.CRITICAL, Der.flags(CERTIFICATES_AND_LISTS)),
                    extension(SUBJECT_KEY_IDENTIFIER, Importance.PLAIN, Der.octets(identifier(keys.getPublic()))));
            return new CertifiedKey(
                    keys.getPrivate(),
                    signed(
                            keys.getPrivate(),
                            certificate(keys.getPublic(), subject, subject, from, until, extensions)));
        } catch (GeneralSecurityException failed) {
            throw new IllegalStateException("the JDK cannot make keys of P-256", failed);
        }
    }

    /// A server that the authority vouches for.
    ///
    /// @param names at least one
    static CertifiedKey server(
            CertifiedKey authority, String name, List<ServerName> names, Instant from, Instant until) {
        try {
            var keys = keys();
            var issuer = authority.certificate();
            var extensions = List.of(
                    extension(BASIC_CONSTRAINTS, Importance.CRITICAL, Der.sequence()),
                    extension(KEY_USAGE, Importance.CRITICAL, Der.flags(DIGITAL_SIGNATURE)),
                    extension(
                            EXTENDED_KEY_USAGE, Importance.PLAIN, Der.sequence(Der.identifier(SERVER_AUTHENTICATION))),
                    extension(SUBJECT_KEY_IDENTIFIER, Importance.PLAIN, Der.octets(identifier(keys.getPublic()))),
                    extension(
                            AUTHORITY_KEY_IDENTIFIER,
                            Importance.PLAIN,
                            Der.sequence(Der.implicit(0, identifier(issuer.getPublicKey())))),
                    extension(
                            SUBJECT_ALTERNATIVE_NAME,
                            Importance.PLAIN,
                            Der.sequence(names.stream().map(ServerName::encoded).toArray(byte[][]::new))));
            return new CertifiedKey(
                    keys.getPrivate(),
                    signed(
                            authority.key(),
                            certificate(
                                    keys.getPublic(),
                                    name(name),
                                    issuer.getSubjectX500Principal().getEncoded(),
                                    from,
                                    until,
                                    extensions)));
        } catch (GeneralSecurityException failed) {
            throw new IllegalStateException("the JDK cannot make keys of P-256", failed);
        }
    }

    private static KeyPair keys() throws GeneralSecurityException {
        var generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        return generator.generateKeyPair();
    }

    private static byte[] name(String commonName) {
        return Der.sequence(Der.set(Der.sequence(Der.identifier(COMMON_NAME), Der.text(commonName))));
    }

    private static byte[] digest(PublicKey key) throws GeneralSecurityException {
        return MessageDigest.getInstance("SHA-256").digest(key.getEncoded());
    }

    private static byte[] identifier(PublicKey key) throws GeneralSecurityException {
        return Arrays.copyOf(digest(key), IDENTIFIER_BYTES);
    }

    private static BigInteger serial(PublicKey key) throws GeneralSecurityException {
        return new BigInteger(1, Arrays.copyOf(digest(key), SERIAL_BYTES)).setBit(0);
    }

    /// Whether a reader that does not know an extension must refuse the certificate.
    private enum Importance {
        CRITICAL,
        PLAIN
    }

    private static byte[] extension(String identifier, Importance importance, byte[] value) {
        var parts = new ArrayList<>(List.of(Der.identifier(identifier)));
        if (importance == Importance.CRITICAL) {
            parts.add(Der.yes());
        }
        parts.add(Der.octets(value));
        return Der.sequence(parts.toArray(byte[][]::new));
    }

    private static byte[] certificate(
            PublicKey key, byte[] subject, byte[] issuer, Instant from, Instant until, List<byte[]> extensions)
            throws GeneralSecurityException {
        return Der.sequence(
                Der.explicit(0, Der.integer(VERSION_3)),
                Der.integer(serial(key)),
                Der.sequence(Der.identifier(ECDSA_WITH_SHA256)),
                issuer,
                Der.sequence(Der.time(from), Der.time(until)),
                subject,
                key.getEncoded(),
                Der.explicit(3, Der.sequence(extensions.toArray(byte[][]::new))));
    }

    private static X509Certificate signed(PrivateKey key, byte[] content) throws GeneralSecurityException {
        var signature = Signature.getInstance("SHA256withECDSA");
        signature.initSign(key);
        signature.update(content);
        var whole = Der.sequence(content, Der.sequence(Der.identifier(ECDSA_WITH_SHA256)), Der.bits(signature.sign()));
        return (X509Certificate)
                CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(whole));
    }
}
