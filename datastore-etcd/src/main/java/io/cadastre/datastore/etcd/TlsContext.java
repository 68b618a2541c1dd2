package io.cadastre.datastore.etcd;

import io.cadastre.datastore.DatastoreException;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslProvider;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLException;

/// Makes a TLS context of the files that the settings name.
final class TlsContext {

    private TlsContext() {}

    /// By Java's own TLS, which needs no native library.
    static SslContext of(EtcdSettings.Tls tls) {
        var builder = GrpcSslContexts.configure(SslContextBuilder.forClient(), SslProvider.JDK);
        switch (tls.trust()) {
            case EtcdSettings.Trust.OfTheRuntime() -> {}
            case EtcdSettings.Trust.Authority(var file) -> builder.trustManager(certificates(file));
        }
        switch (tls.identity()) {
            case EtcdSettings.Identity.None() -> {}
            case EtcdSettings.Identity.Certificate(var certificate, var key) ->
                builder.keyManager(privateKey(key), certificates(certificate));
        }
        try {
            return builder.build();
        } catch (SSLException | IllegalArgumentException unusable) {
            throw new DatastoreException(
                    DatastoreException.Kind.FAILED,
                    "the certificates given for etcd cannot be used: %s".formatted(unusable.getMessage()),
                    unusable);
        }
    }

    private static X509Certificate[] certificates(Path file) {
        try {
            var found = CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(Files.readAllBytes(file)));
            if (found.isEmpty()) {
                throw new CertificateException("it holds no certificate");
            }
            return found.toArray(X509Certificate[]::new);
        } catch (IOException | CertificateException unreadable) {
            throw unusable("certificate", file, unreadable);
        }
    }

    private static PrivateKey privateKey(Path file) {
        try {
            return PemKey.read(Files.readString(file));
        } catch (IOException | GeneralSecurityException unreadable) {
            throw unusable("key", file, unreadable);
        }
    }

    private static DatastoreException unusable(String what, Path file, Exception cause) {
        return new DatastoreException(
                DatastoreException.Kind.FAILED,
                "the etcd %s file %s cannot be used: %s".formatted(what, file, cause.getMessage()),
                cause);
    }
}
