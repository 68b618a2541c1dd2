package io.cadastre.controller.spiderpool.webhook;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;

/// A private key, and the certificate of the public one.
///
/// It is never shown: its text is that of the certificate's subject.
record CertifiedKey(PrivateKey key, X509Certificate certificate) {

    Instant from() {
        return certificate.getNotBefore().toInstant();
    }

    Instant until() {
        return certificate.getNotAfter().toInstant();
    }

    /// How long it is still valid; negative if it is not.
    Duration left(Instant now) {
        return Duration.between(now, until());
    }

    @Override
    public String toString() {
        return "key of " + certificate.getSubjectX500Principal();
    }
}
