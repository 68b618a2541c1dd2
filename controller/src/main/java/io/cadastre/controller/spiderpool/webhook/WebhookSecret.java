package io.cadastre.controller.spiderpool.webhook;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.controller.spiderpool.webhook.CertificateIssuer.ServerName;
import io.cadastre.datastore.Bytes;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.json.UnreadableDocumentException;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// The keys and certificates of the webhooks, as the Secret has them that all processes share.
///
/// Nothing of a private key is ever part of a message: a fault names the field alone.
///
/// @param authorities whom the API server trusts, oldest first; at least one
/// @param server what is served
record WebhookSecret(List<CertifiedKey> authorities, CertifiedKey server) {

    private static final String AUTHORITY_CERTIFICATES = "ca.crt";
    private static final String AUTHORITY_KEYS = "ca.key";
    private static final String SERVER_CERTIFICATE = "tls.crt";
    private static final String SERVER_KEY = "tls.key";

    private static final String CERTIFICATE = "CERTIFICATE";
    private static final String PRIVATE_KEY = "PRIVATE KEY";
    private static final int LINE_CHARACTERS = 64;

    private static final Duration AUTHORITY_LIFE = Duration.ofDays(3650);
    private static final Duration SERVER_LIFE = Duration.ofDays(365);

    /// A new authority is made when the newest one has less than this left.
    private static final Duration AUTHORITY_RENEWAL = Duration.ofDays(730);

    /// A certificate is renewed when it has less than this left.
    private static final Duration SERVER_RENEWAL = Duration.ofDays(120);

    /// How long an authority is trusted before it signs, where there is another one that does.
    private static final Duration TRUSTED_FIRST = Duration.ofDays(1);

    /// The number of names that a certificate has at most, if one process does not need more.
    private static final int NAMES_MAX = 16;

    /// Clocks may differ by this much.
    private static final Duration CLOCK_SKEW = Duration.ofMinutes(10);

    WebhookSecret {
        authorities = List.copyOf(authorities);
    }

    // ---- making and renewing ----

    static WebhookSecret create(String name, List<ServerName> names, Instant now) {
        var authority = newAuthority(now);
        return new WebhookSecret(List.of(authority), newServer(authority, name, names, now));
    }

    /// This with what is due renewed; empty if nothing is.
    ///
    /// @param name that the server is called by in its certificate
    /// @param names that it is reached by
    Optional<WebhookSecret> renewed(String name, List<ServerName> names, Instant now) {
        var valid = authorities.stream()
                .filter(authority -> !authority.left(now).isNegative())
                .collect(Collectors.toCollection(ArrayList::new));
        if (valid.isEmpty() || valid.getLast().left(now).compareTo(AUTHORITY_RENEWAL) < 0) {
            valid.add(newAuthority(now));
        }
        boolean lasts = server.left(now).compareTo(SERVER_RENEWAL) > 0;
        boolean serves = lasts
                && reaches(names)
                && valid.stream().anyMatch(authority -> signed(server.certificate(), authority.certificate()));
        if (serves && valid.equals(authorities)) {
            return Optional.empty();
        }
        return Optional.of(new WebhookSecret(
                valid, serves ? server : newServer(signer(valid, now), name, lasts ? withNames(names) : names, now)));
    }

    /// The names, and those that the certificate has: another process, with other settings, may need them. Too many are
    /// forgotten, as all are when the certificate expires.
    private List<ServerName> withNames(List<ServerName> names) {
        var all = new LinkedHashSet<>(names);
        all.addAll(CertificateIssuer.serverNames(server.certificate()));
        return all.size() > NAMES_MAX ? names : List.copyOf(all);
    }

    /// The newest that has been trusted for a while, else the oldest.
    private static CertifiedKey signer(List<CertifiedKey> valid, Instant now) {
        return valid.reversed().stream()
                .filter(authority -> authority.from().plus(TRUSTED_FIRST).isBefore(now))
                .findFirst()
                .orElse(valid.getFirst());
    }

    private static CertifiedKey newAuthority(Instant now) {
        return CertificateIssuer.authority(
                "cadastre webhook authority", now.minus(CLOCK_SKEW), now.plus(AUTHORITY_LIFE));
    }

    private static CertifiedKey newServer(CertifiedKey authority, String name, List<ServerName> names, Instant now) {
        var until = now.plus(SERVER_LIFE);
        return CertificateIssuer.server(
                authority,
                name,
                names,
                now.minus(CLOCK_SKEW),
                until.isBefore(authority.until()) ? until : authority.until());
    }

    private static boolean signed(X509Certificate certificate, X509Certificate authority) {
        try {
            certificate.verify(authority.getPublicKey());
            return true;
        } catch (GeneralSecurityException _) {
            return false;
        }
    }

    /// Whether the certificate has all of these names.
    private boolean reaches(List<ServerName> names) {
        return CertificateIssuer.serverNames(server.certificate()).containsAll(names);
    }

    /// Whom the API server is to trust.
    String authorityPem() {
        return authorities.stream()
                .map(authority -> pem(CERTIFICATE, encoded(authority.certificate())))
                .collect(Collectors.joining());
    }

    // ---- the document ----

    /// The document that is created for it.
    Bytes document(String namespace, String name) {
        var json = Json.emptyObject();
        json.put("apiVersion", "v1").put("kind", "Secret");
        json.putObject("metadata").put("name", name).put("namespace", namespace);
        json.put("type", "Opaque");
        return writtenInto(json);
    }

    /// The stored document with this in it.
    Bytes document(String key, Bytes stored) {
        return writtenInto(Json.readObject(key, stored));
    }

    private Bytes writtenInto(ObjectNode json) {
        var data = json.get("data") instanceof ObjectNode present ? present : json.putObject("data");
        put(data, AUTHORITY_CERTIFICATES, authorityPem());
        put(
                data,
                AUTHORITY_KEYS,
                authorities.stream()
                        .map(authority -> pem(PRIVATE_KEY, authority.key().getEncoded()))
                        .collect(Collectors.joining()));
        put(data, SERVER_CERTIFICATE, pem(CERTIFICATE, encoded(server.certificate())));
        put(data, SERVER_KEY, pem(PRIVATE_KEY, server.key().getEncoded()));
        return Json.write(json);
    }

    private static void put(ObjectNode data, String name, String pem) {
        data.put(name, Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.US_ASCII)));
    }

    /// Reads the Secret.
    ///
    /// @throws UnreadableDocumentException if it has no keys and certificates that fit each other
    static WebhookSecret read(String key, Bytes document) {
        var reader = new Fields(key);
        var data = reader.object(Json.readObject(key, document), "data");
        var certificates = certificates(key, data, AUTHORITY_CERTIFICATES);
        var keys = keys(key, data, AUTHORITY_KEYS);
        if (certificates.isEmpty() || certificates.size() != keys.size()) {
            throw new UnreadableDocumentException(
                    key,
                    "data[%s] has %d certificates and data[%s] %d keys"
                            .formatted(AUTHORITY_CERTIFICATES, certificates.size(), AUTHORITY_KEYS, keys.size()));
        }
        var authorities = new ArrayList<CertifiedKey>();
        for (int index = 0; index < keys.size(); index++) {
            authorities.add(new CertifiedKey(keys.get(index), certificates.get(index)));
        }
        var served = certificates(key, data, SERVER_CERTIFICATE);
        var servedKey = keys(key, data, SERVER_KEY);
        if (served.size() != 1 || servedKey.size() != 1) {
            throw new UnreadableDocumentException(
                    key,
                    "data[%s] and data[%s] have not one certificate and one key"
                            .formatted(SERVER_CERTIFICATE, SERVER_KEY));
        }
        return new WebhookSecret(authorities, new CertifiedKey(servedKey.getFirst(), served.getFirst()));
    }

    private static List<X509Certificate> certificates(String key, ObjectNode data, String name) {
        var certificates = new ArrayList<X509Certificate>();
        for (var encoded : decoded(key, data, name, CERTIFICATE)) {
            try {
                certificates.add((X509Certificate)
                        CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(encoded)));
            } catch (GeneralSecurityException _) {
                throw new UnreadableDocumentException(key, "data[%s] is not a certificate".formatted(name));
            }
        }
        return certificates;
    }

    private static List<PrivateKey> keys(String key, ObjectNode data, String name) {
        var keys = new ArrayList<PrivateKey>();
        for (var encoded : decoded(key, data, name, PRIVATE_KEY)) {
            try {
                keys.add(KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(encoded)));
            } catch (GeneralSecurityException _) {
                throw new UnreadableDocumentException(key, "data[%s] is not a private key of PKCS #8".formatted(name));
            }
        }
        return keys;
    }

    private static List<byte[]> decoded(String key, ObjectNode data, String name, String label) {
        var found = new ArrayList<byte[]>();
        try {
            var pem = new String(Base64.getDecoder().decode(data.path(name).asText("")), StandardCharsets.US_ASCII);
            var blocks = Pattern.compile("-----BEGIN %1$s-----([^-]*)-----END %1$s-----".formatted(label))
                    .matcher(pem);
            // Ends: each match begins after the one before.
            while (blocks.find()) {
                found.add(Base64.getMimeDecoder().decode(blocks.group(1)));
            }
            return found;
        } catch (IllegalArgumentException _) {
            throw new UnreadableDocumentException(key, "data[%s] is not base64".formatted(name));
        }
    }

    private static String pem(String label, byte[] encoded) {
        return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
                .formatted(
                        label,
                        Base64.getMimeEncoder(LINE_CHARACTERS, new byte[] {'\n'})
                                .encodeToString(encoded),
                        label);
    }

    private static byte[] encoded(X509Certificate certificate) {
        try {
            return certificate.getEncoded();
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("a certificate that was read cannot be written", impossible);
        }
    }

    @Override
    public String toString() {
        return "keys of " + server.certificate().getSubjectX500Principal();
    }
}
