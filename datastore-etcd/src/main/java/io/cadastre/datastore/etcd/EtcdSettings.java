package io.cadastre.datastore.etcd;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// How to reach an etcd cluster, and with which login.
///
/// @param callLimit how long any call may take
public record EtcdSettings(Servers servers, Login login, Tls tls, Duration callLimit) {

    public static final Duration CALL_LIMIT_DEFAULT = Duration.ofSeconds(5);

    public EtcdSettings {
        if (callLimit.isNegative() || callLimit.isZero()) {
            throw new IllegalArgumentException("the time limit of a call must be positive");
        }
        if (servers instanceof Servers.Listed(var endpoints)) {
            boolean secure = endpoints.getFirst().scheme() == EtcdEndpoint.Scheme.HTTPS;
            if (!secure && !tls.equals(Tls.DEFAULT)) {
                throw new IllegalArgumentException(
                        "certificate files are given for etcd, but the endpoints are http://, not" + " https://");
            }
        }
    }

    /// Endpoints in clear text, without a login.
    public static EtcdSettings of(List<EtcdEndpoint> endpoints) {
        return new EtcdSettings(new Servers.Listed(endpoints), new Login.Anonymous(), Tls.DEFAULT, CALL_LIMIT_DEFAULT);
    }

    /// Reads the variables that Calico reads: `ETCD_ENDPOINTS` or `ETCD_DISCOVERY_SRV`,
    /// `ETCD_USERNAME`, `ETCD_PASSWORD`, `ETCD_KEY_FILE`, `ETCD_CERT_FILE`, `ETCD_CA_CERT_FILE`. An
    /// empty variable is one that is not set.
    ///
    /// @throws IllegalArgumentException if they contradict each other; the message is one sentence
    public static EtcdSettings fromEnvironment(Map<String, String> environment) {
        var variables = new Variables(environment);
        return new EtcdSettings(servers(variables), login(variables), tls(variables), CALL_LIMIT_DEFAULT);
    }

    public EtcdSettings withCallLimit(Duration limit) {
        return new EtcdSettings(servers, login, tls, limit);
    }

    public EtcdSettings withLogin(Login other) {
        return new EtcdSettings(servers, other, tls, callLimit);
    }

    private static Servers servers(Variables variables) {
        boolean listed = variables.has("ETCD_ENDPOINTS");
        boolean discovered = variables.has("ETCD_DISCOVERY_SRV");
        if (listed && discovered) {
            throw new IllegalArgumentException(
                    "ETCD_ENDPOINTS and ETCD_DISCOVERY_SRV exclude each other; set one of them");
        }
        if (discovered) {
            return new Servers.Discovered(variables.get("ETCD_DISCOVERY_SRV"));
        }
        if (!listed) {
            throw new IllegalArgumentException(
                    "no etcd endpoints: set ETCD_ENDPOINTS, as in http://10.0.0.1:2379, or" + " ETCD_DISCOVERY_SRV");
        }
        var endpoints = new ArrayList<EtcdEndpoint>();
        for (var text : variables.get("ETCD_ENDPOINTS").split(",", -1)) {
            endpoints.add(EtcdEndpoint.parse(text.strip()));
        }
        return new Servers.Listed(endpoints);
    }

    private static Login login(Variables variables) {
        boolean username = variables.has("ETCD_USERNAME");
        boolean password = variables.has("ETCD_PASSWORD");
        if (username && password) {
            return new Login.Password(variables.get("ETCD_USERNAME"), variables.get("ETCD_PASSWORD"));
        }
        if (username) {
            throw new IllegalArgumentException("ETCD_USERNAME is set without ETCD_PASSWORD");
        }
        if (password) {
            throw new IllegalArgumentException("ETCD_PASSWORD is set without ETCD_USERNAME");
        }
        return new Login.Anonymous();
    }

    private static Tls tls(Variables variables) {
        boolean key = variables.has("ETCD_KEY_FILE");
        boolean certificate = variables.has("ETCD_CERT_FILE");
        if (key && !certificate) {
            throw new IllegalArgumentException("ETCD_KEY_FILE is set without ETCD_CERT_FILE");
        }
        if (certificate && !key) {
            throw new IllegalArgumentException("ETCD_CERT_FILE is set without ETCD_KEY_FILE");
        }
        var trust = variables.has("ETCD_CA_CERT_FILE")
                ? new Trust.Authority(variables.file("ETCD_CA_CERT_FILE"))
                : new Trust.OfTheRuntime();
        var identity = key
                ? new Identity.Certificate(variables.file("ETCD_CERT_FILE"), variables.file("ETCD_KEY_FILE"))
                : new Identity.None();
        return new Tls(trust, identity);
    }

    /// Which members there are.
    public sealed interface Servers {

        /// These, all in the clear or all secured.
        record Listed(List<EtcdEndpoint> endpoints) implements Servers {
            public Listed {
                endpoints = List.copyOf(endpoints);
                if (endpoints.isEmpty()) {
                    throw new IllegalArgumentException("no etcd endpoints");
                }
                if (endpoints.stream().map(EtcdEndpoint::scheme).distinct().count() > 1) {
                    throw new IllegalArgumentException(
                            "etcd endpoints are partly http:// and partly https://; use one of" + " them");
                }
            }
        }

        /// Those that the DNS service records of a domain name.
        record Discovered(String domain) implements Servers {}
    }

    /// The login of calls.
    public sealed interface Login {

        record Anonymous() implements Login {}

        record Password(String username, String password) implements Login {

            /// Without the password.
            @Override
            public String toString() {
                return "Password[username=%s]".formatted(username);
            }
        }
    }

    /// Which certificates to trust and which to present, where endpoints are `https`.
    public record Tls(Trust trust, Identity identity) {
        public static final Tls DEFAULT = new Tls(new Trust.OfTheRuntime(), new Identity.None());
    }

    /// Whose signature makes a server's certificate good.
    public sealed interface Trust {

        /// Those the Java runtime trusts.
        record OfTheRuntime() implements Trust {}

        /// Those in a PEM file, and no others.
        record Authority(Path file) implements Trust {}
    }

    /// What to show a server that asks for a client certificate.
    public sealed interface Identity {

        record None() implements Identity {}

        /// A certificate (with its chain) and its private key, as PEM files.
        record Certificate(Path certificateFile, Path keyFile) implements Identity {}
    }

    private record Variables(Map<String, String> environment) {

        boolean has(String name) {
            return !get(name).isEmpty();
        }

        String get(String name) {
            return environment.getOrDefault(name, "").strip();
        }

        Path file(String name) {
            var file = Path.of(get(name));
            if (!Files.isRegularFile(file)) {
                throw new IllegalArgumentException("%s names %s, which is not a file".formatted(name, file));
            }
            if (!Files.isReadable(file)) {
                throw new IllegalArgumentException("%s names %s, which may not be read".formatted(name, file));
            }
            return file;
        }
    }
}
