package io.cadastre.datastore.etcd;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;

/// Where one member of an etcd cluster listens for clients.
///
/// @param host a name, an IPv4 address, or an IPv6 address without brackets
public record EtcdEndpoint(Scheme scheme, String host, int port) {

    private static final int PORT_MAX = 65535;

    public EtcdEndpoint {
        if (host.isEmpty()) {
            throw new IllegalArgumentException("an etcd endpoint needs a host");
        }
        if (port < 1 || port > PORT_MAX) {
            throw new IllegalArgumentException(
                    "etcd endpoint %s has port %d; a port is 1 to %d".formatted(host, port, PORT_MAX));
        }
    }

    /// Reads `http://host:port` or `https://host:port`.
    public static EtcdEndpoint parse(String text) {
        if (text.contains("@")) {
            // The text is not repeated: it holds what may be a password.
            throw new IllegalArgumentException(
                    "an etcd endpoint must not hold a user; use ETCD_USERNAME and ETCD_PASSWORD");
        }
        var scheme = scheme(text);
        URI uri;
        try {
            uri = new URI(text);
        } catch (URISyntaxException notUri) {
            throw wrong(text, "it is not a URL");
        }
        if (uri.getHost() == null || uri.getPort() < 0) {
            throw wrong(text, "it needs a host and a port, as in http://10.0.0.1:2379");
        }
        var path = uri.getRawPath();
        boolean bare = path == null || path.isEmpty() || path.equals("/");
        if (!bare || uri.getRawQuery() != null || uri.getRawFragment() != null) {
            throw wrong(text, "nothing may follow the port");
        }
        var host = uri.getHost();
        boolean bracketed = host.startsWith("[");
        return new EtcdEndpoint(scheme, bracketed ? host.substring(1, host.length() - 1) : host, uri.getPort());
    }

    private static Scheme scheme(String text) {
        var lowerCase = text.toLowerCase(Locale.ROOT);
        if (lowerCase.startsWith("https://")) {
            return Scheme.HTTPS;
        }
        if (lowerCase.startsWith("http://")) {
            return Scheme.HTTP;
        }
        throw wrong(text, "it must begin with http:// or https://");
    }

    private static IllegalArgumentException wrong(String text, String rule) {
        return new IllegalArgumentException("bad etcd endpoint \"%s\": %s".formatted(text, rule));
    }

    /// As in `https://[::1]:2379`.
    @Override
    public String toString() {
        var pattern = host.contains(":") ? "%s://[%s]:%d" : "%s://%s:%d";
        return pattern.formatted(scheme.name().toLowerCase(Locale.ROOT), host, port);
    }

    /// Whether the connection is in the clear.
    public enum Scheme {
        HTTP,
        HTTPS
    }
}
