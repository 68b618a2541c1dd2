package io.cadastre.verification.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.cadastre.datastore.kubernetes.KubernetesDatastore;
import io.cadastre.datastore.kubernetes.KubernetesSettings;
import io.cadastre.datastore.kubernetes.KubernetesSettings.Access;
import io.cadastre.datastore.kubernetes.KubernetesSettings.Rate;
import io.cadastre.wire.kubernetes.CoreObjects;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/// A real kube-apiserver on loopback over a real etcd, and what it counts.
final class ApiServerPeer implements AutoCloseable {

    private static final String TOKEN = "benchmark";
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(200);
    private static final int LOOKS_MAX = 1500;
    private static final JsonMapper JSON = new JsonMapper();

    private final BenchContext means;
    private final Path assets;
    private final Path directory;
    private final EtcdPeer etcd;
    private final Process process;
    private final String url;
    private final HttpClient http;

    private ApiServerPeer(
            BenchContext means,
            Path assets,
            Path directory,
            EtcdPeer etcd,
            Process process,
            String url,
            HttpClient http) {
        this.means = means;
        this.assets = assets;
        this.directory = directory;
        this.etcd = etcd;
        this.process = process;
        this.url = url;
        this.http = http;
    }

    /// @param assets the folder with the binaries
    static ApiServerPeer start(BenchContext means, Path assets)
            throws IOException, InterruptedException, GeneralSecurityException {
        var directory = Files.createTempDirectory("cadastre-bench-api");
        var etcd = EtcdPeer.start(means.pause());
        int port = EtcdPeer.freePort();
        Files.writeString(directory.resolve("tokens.csv"), TOKEN + ",admin,admin,system:masters\n");
        var process = launch(directory, assets, etcd.url(), port);
        var certificate = directory.resolve("certificates/apiserver.crt");
        for (int look = 0; look < LOOKS_MAX && !Files.exists(certificate); look++) {
            means.pause().pause(BETWEEN_LOOKS);
        }
        var url = "https://127.0.0.1:" + port;
        var http = HttpClient.newBuilder().sslContext(trusting(certificate)).build();
        var peer = new ApiServerPeer(means, assets, directory, etcd, process, url, http);
        peer.awaitReady();
        Files.writeString(peer.kubeconfig(), """
            apiVersion: v1
            kind: Config
            current-context: bench
            contexts: [{name: bench, context: {cluster: bench, user: bench}}]
            clusters:
            - name: bench
              cluster: {server: "%s", certificate-authority: %s}
            users: [{name: bench, user: {token: %s}}]
            """.formatted(url, certificate, TOKEN));
        return peer;
    }

    private static Process launch(Path directory, Path assets, String etcd, int port)
            throws IOException, GeneralSecurityException {
        var key = directory.resolve("service-accounts.key");
        var generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        var pem = Base64.getMimeEncoder(64, new byte[] {'\n'})
                .encodeToString(generator.generateKeyPair().getPrivate().getEncoded());
        Files.writeString(key, "-----BEGIN PRIVATE KEY-----\n%s\n-----END PRIVATE KEY-----\n".formatted(pem));
        return new ProcessBuilder(
                        assets.resolve("kube-apiserver").toString(),
                        "--etcd-servers=" + etcd,
                        "--bind-address=127.0.0.1",
                        "--advertise-address=127.0.0.1",
                        "--secure-port=" + port,
                        "--cert-dir=" + directory.resolve("certificates"),
                        "--service-cluster-ip-range=10.0.0.0/24",
                        "--service-account-issuer=https://127.0.0.1:" + port,
                        "--service-account-key-file=" + key,
                        "--service-account-signing-key-file=" + key,
                        "--token-auth-file=" + directory.resolve("tokens.csv"),
                        "--authorization-mode=RBAC",
                        "--endpoint-reconciler-type=none",
                        "--disable-admission-plugins=ServiceAccount,NamespaceLifecycle")
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("kube-apiserver.log").toFile())
                .start();
    }

    /// The certificate is the one that the server made for itself.
    private static SSLContext trusting(Path certificate) throws IOException, GeneralSecurityException {
        var keys = KeyStore.getInstance(KeyStore.getDefaultType());
        keys.load(null, null);
        try (InputStream read = Files.newInputStream(certificate)) {
            int number = 0;
            for (var each : CertificateFactory.getInstance("X.509").generateCertificates(read)) {
                keys.setCertificateEntry("server-" + number++, each);
            }
        }
        var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(keys);
        var context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }

    private void awaitReady() throws InterruptedException {
        for (int look = 0; look < LOOKS_MAX; look++) {
            try {
                if (request("/readyz").body().equals("ok")) {
                    return;
                }
            } catch (IOException _) {
                // It does not listen yet.
            }
            means.pause().pause(BETWEEN_LOOKS);
        }
        throw new IllegalStateException("kube-apiserver did not start; see %s/kube-apiserver.log".formatted(directory));
    }

    Path assets() {
        return assets;
    }

    Path directory() {
        return directory;
    }

    Path kubeconfig() {
        return directory.resolve("kubeconfig");
    }

    /// A client without a limit of its own.
    KubernetesDatastore open() {
        var settings = KubernetesSettings.of(new Access.Kubeconfig(kubeconfig(), ""))
                .withRate(new Rate(100_000, 100_000))
                .withCallLimit(Duration.ofSeconds(60));
        return KubernetesDatastore.open(settings, new CoreObjects(), means.dice());
    }

    private HttpRequest.Builder to(String path) {
        return HttpRequest.newBuilder(URI.create(url + path)).header("Authorization", "Bearer " + TOKEN);
    }

    private HttpResponse<String> request(String path) throws IOException, InterruptedException {
        return http.send(to(path).build(), BodyHandlers.ofString());
    }

    /// The object at this path, if there is one.
    Optional<JsonNode> find(String path) throws IOException, InterruptedException {
        var answer = request(path);
        return answer.statusCode() == 200 ? Optional.of(JSON.readTree(answer.body())) : Optional.empty();
    }

    void send(String method, String path, String mediaType, String body) {
        var request = to(path).header("Content-Type", mediaType)
                .method(method, BodyPublishers.ofString(body))
                .build();
        try {
            var answer = http.send(request, BodyHandlers.ofString());
            if (answer.statusCode() >= 300) {
                throw new IllegalStateException("%s %s: %s".formatted(method, path, answer.body()));
            }
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    /// Follows the metadata of Nodes from now on, a line for each change.
    InputStream watchNodes() throws IOException, InterruptedException {
        var now = find("/api/v1/nodes?limit=1")
                .orElseThrow()
                .at("/metadata/resourceVersion")
                .asText();
        var request = to("/api/v1/nodes?watch=1&timeoutSeconds=3600&resourceVersion=" + now)
                .header("Accept", "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1")
                .build();
        return http.send(request, BodyHandlers.ofInputStream()).body();
    }

    /// How many requests of this verb for Nodes it has answered.
    long nodeRequests(String verb) throws IOException, InterruptedException {
        return requests("nodes", verb);
    }

    /// How many requests of this verb for these objects it has answered.
    long requests(String resource, String verb) throws IOException, InterruptedException {
        var line = Pattern.compile("(?m)^apiserver_request_total\\{(.*)} (\\S+)$");
        return line.matcher(request("/metrics").body())
                .results()
                .filter(found -> found.group(1).contains("resource=\"%s\"".formatted(resource)))
                .filter(found -> found.group(1).contains("verb=\"%s\"".formatted(verb)))
                .mapToLong(found -> (long) Double.parseDouble(found.group(2)))
                .sum();
    }

    /// Installs the definitions of a file.
    void install(Path definitions) throws IOException {
        for (var document : Files.readString(definitions).split("\n---\n", -1)) {
            if (document.contains("kind: CustomResourceDefinition")) {
                send("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", "application/yaml", document);
            }
        }
    }

    /// Starts a process that talks to it.
    Process launch(String name, List<String> words) throws IOException {
        var builder = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve(name + ".log").toFile());
        builder.environment().put("KUBECONFIG", kubeconfig().toString());
        return builder.start();
    }

    @Override
    public void close() throws IOException {
        http.shutdownNow();
        process.destroyForcibly();
        process.onExit().join();
        etcd.close();
        try (var files = Files.walk(directory)) {
            files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
        }
    }
}
