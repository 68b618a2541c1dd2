package io.cadastre.controller.spiderpool.webhook;

import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/// Gives each new connection the key that is current then. Without one, no connection comes about.
final class ServedKey extends X509ExtendedKeyManager {

    private static final String TYPE = "EC";

    private final Supplier<Optional<CertifiedKey>> current;

    private ServedKey(Supplier<Optional<CertifiedKey>> current) {
        this.current = current;
    }

    static SSLContext context(Supplier<Optional<CertifiedKey>> current) {
        try {
            var context = SSLContext.getInstance("TLS");
            context.init(new KeyManager[] {new ServedKey(current)}, null, null);
            return context;
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("the JDK has no TLS", impossible);
        }
    }

    /// The serial number names the key: a renewal between two calls of one handshake must not mix two keys.
    private static String alias(CertifiedKey key) {
        return key.certificate().getSerialNumber().toString();
    }

    private Optional<CertifiedKey> find(String alias) {
        return current.get().filter(key -> alias(key).equals(alias));
    }

    @Override
    public @Nullable String chooseEngineServerAlias(String type, Principal @Nullable [] issuers, SSLEngine engine) {
        return type.equals(TYPE) ? current.get().map(ServedKey::alias).orElse(null) : null;
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(String alias) {
        return find(alias).map(key -> new X509Certificate[] {key.certificate()}).orElse(null);
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(String alias) {
        return find(alias).map(CertifiedKey::key).orElse(null);
    }

    @Override
    public String @Nullable [] getServerAliases(String type, Principal @Nullable [] issuers) {
        return null;
    }

    @Override
    public @Nullable String chooseServerAlias(String type, Principal @Nullable [] issuers, Socket socket) {
        return null;
    }

    @Override
    public String @Nullable [] getClientAliases(String type, Principal @Nullable [] issuers) {
        return null;
    }

    @Override
    public @Nullable String chooseClientAlias(String[] types, Principal @Nullable [] issuers, Socket socket) {
        return null;
    }
}
