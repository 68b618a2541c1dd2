package io.cadastre.datastore.kubernetes;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cadastre.datastore.PeerProcess;
import io.cadastre.datastore.kubernetes.KubernetesSettings.Access;
import io.cadastre.datastore.kubernetes.KubernetesSettings.Rate;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

/// A real kube-apiserver over a real etcd, on loopback, with the kinds of [DocumentsMap].
///
/// Namespaces need not be made: what looks after them is off, and so is what would write on its own.
public final class KubeApiServer implements AutoCloseable {

    private static final Duration START_LIMIT = Duration.ofMinutes(5);

    /// A user who may do everything, and one who may do nothing.
    static final String ADMIN_TOKEN = "admin-token";

    static final String UNPRIVILEGED_TOKEN = "unprivileged-token";

    private final Path directory;
    private final int port;
    private final int etcdPort;
    private final List<String> command;
    private final List<String> etcdCommand;
    private PeerProcess etcd;
    private final AtomicInteger namespaces = new AtomicInteger();
    private PeerProcess process;

    private KubeApiServer(Path directory, Path binary, String... flags) throws IOException, NoSuchAlgorithmException {
        this.directory = directory;
        var ports = PeerProcess.freePorts(3);
        this.port = ports.get(0);
        this.etcdPort = ports.get(1);
        this.command = command(binary, flags);
        Files.writeString(directory.resolve("tokens.csv"), """
            %s,admin,admin,system:masters
            %s,unprivileged,unprivileged,strangers
            """.formatted(ADMIN_TOKEN, UNPRIVILEGED_TOKEN));
        writeSigningKey();
        this.etcdCommand = etcdCommand(ports.get(2));
        this.etcd = launch("etcd", etcdCommand);
        this.process = launch("kube-apiserver", command);
        kubeconfig(port, ADMIN_TOKEN);
    }

    /// Ends the test, as not run, where there is no kube-apiserver or no etcd.
    public static KubeApiServer start(Path directory, String... flags) throws IOException, NoSuchAlgorithmException {
        var binary = findBinary();
        assumeTrue(binary.isPresent(), "no kube-apiserver: KUBEBUILDER_ASSETS=$(testbed/kubernetes kube-apiserver)");
        assumeTrue(PeerProcess.onThePath("etcd") && PeerProcess.onThePath("etcdctl"), "no etcd on the PATH");
        var server = new KubeApiServer(directory, binary.get(), flags);
        try {
            server.awaitReady();
            server.installKinds();
            return server;
        } catch (RuntimeException | AssertionError failed) {
            server.close();
            throw failed;
        }
    }

    /// Settings for the user who may do everything.
    public KubernetesSettings settings() {
        return settingsAt(port, ADMIN_TOKEN);
    }

    public KubernetesSettings settingsOfUnprivilegedUser() {
        return settingsAt(port, UNPRIVILEGED_TOKEN);
    }

    /// Settings with a token that the server does not know.
    public KubernetesSettings settingsOfStranger() {
        return settingsAt(port, "unknown-token");
    }

    /// Settings for a way that leads here through another port.
    KubernetesSettings settingsThrough(int otherPort) {
        return settingsAt(otherPort, ADMIN_TOKEN);
    }

    KubernetesDatastore open(DocumentsMap map, Duration callLimit) {
        return KubernetesDatastore.open(settings().withCallLimit(callLimit), map, new Random(1));
    }

    /// A client that is not ours, to look at objects and to meddle.
    public KubernetesClient client() {
        var config =
                Config.fromKubeconfig(directory.resolve("kubeconfig-" + port).toFile());
        return new KubernetesClientBuilder().withConfig(config).build();
    }

    /// A namespace in which nothing is.
    String freshNamespace() {
        return "n" + namespaces.incrementAndGet();
    }

    int port() {
        return port;
    }

    /// Where its etcd answers.
    public int etcdPort() {
        return etcdPort;
    }

    /// As `kill -9`.
    void kill() {
        process.kill();
    }

    /// Starts it again on the same data and ports.
    void restart() throws IOException {
        kill();
        process = launch("kube-apiserver", command);
        awaitReady();
    }

    /// Stops the process where it is, until [#proceed()].
    void freeze() throws IOException {
        process.freeze();
    }

    void proceed() throws IOException {
        process.proceed();
    }

    /// Stops its etcd where it is, until [#proceedStore()]. The server goes on without it as well as it can.
    void freezeStore() throws IOException {
        etcd.freeze();
    }

    void proceedStore() throws IOException {
        etcd.proceed();
    }

    void compact(long revision) throws IOException {
        etcdctl("compact", Long.toString(revision));
    }

    /// Writes what its etcd has now into a file.
    public void snapshot(Path file) throws IOException {
        etcdctl("snapshot", "save", file.toString());
    }

    /// Starts it again on the same ports, over an etcd with the data of a snapshot.
    public void restore(Path snapshot) throws IOException {
        kill();
        etcd.kill();
        Files.move(
                directory.resolve("etcd"),
                Files.createTempDirectory(directory, "former").resolve("etcd"));
        var words = new ArrayList<>(List.of("snapshot", "restore", snapshot.toString()));
        words.addAll(etcdCommand.stream()
                .filter(word -> word.matches("--(name|data-dir|initial-.*)=.*"))
                .toList());
        etcdctl(words.toArray(String[]::new));
        etcd = launch("etcd", etcdCommand);
        restart();
    }

    private void etcdctl(String... arguments) throws IOException {
        var words = new ArrayList<>(List.of("etcdctl", "--endpoints=http://127.0.0.1:" + etcdPort));
        words.addAll(List.of(arguments));
        var builder = new ProcessBuilder(words);
        builder.environment().put("ETCDCTL_API", "3");
        PeerProcess.run(builder);
    }

    @Override
    public void close() {
        process.close();
        etcd.close();
    }

    private KubernetesSettings settingsAt(int serverPort, String token) {
        try {
            return KubernetesSettings.of(new Access.Kubeconfig(kubeconfig(serverPort, token), ""))
                    .withRate(new Rate(100_000, 100_000));
        } catch (IOException failed) {
            throw new AssertionError(failed);
        }
    }

    private Path kubeconfig(int serverPort, String token) throws IOException {
        var name = token.equals(ADMIN_TOKEN) ? "kubeconfig-" : "kubeconfig-of-%s-".formatted(token);
        return Files.writeString(directory.resolve(name + serverPort), """
            apiVersion: v1
            kind: Config
            current-context: test
            contexts: [{name: test, context: {cluster: test, user: test}}]
            clusters:
            - name: test
              cluster: {server: "https://127.0.0.1:%d", certificate-authority: certificates/apiserver.crt}
            users: [{name: test, user: {token: %s}}]
            """.formatted(serverPort, token));
    }

    private List<String> command(Path binary, String... flags) {
        var key = directory.resolve("service-accounts.key");
        var words = new ArrayList<>(List.of(
                binary.toString(),
                "--etcd-servers=http://127.0.0.1:" + etcdPort,
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
                "--disable-admission-plugins=ServiceAccount,NamespaceLifecycle"));
        words.addAll(List.of(flags));
        return words;
    }

    private List<String> etcdCommand(int peerPort) {
        var client = "http://127.0.0.1:" + etcdPort;
        var peer = "http://127.0.0.1:" + peerPort;
        return List.of(
                "etcd",
                "--name=one",
                "--unsafe-no-fsync",
                "--data-dir=" + directory.resolve("etcd"),
                "--listen-client-urls=" + client,
                "--advertise-client-urls=" + client,
                "--listen-peer-urls=" + peer,
                "--initial-advertise-peer-urls=" + peer,
                "--initial-cluster=one=" + peer);
    }

    private void writeSigningKey() throws IOException, NoSuchAlgorithmException {
        var generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        var pem = Base64.getMimeEncoder(64, new byte[] {'\n'})
                .encodeToString(generator.generateKeyPair().getPrivate().getEncoded());
        Files.writeString(
                directory.resolve("service-accounts.key"),
                "-----BEGIN PRIVATE KEY-----\n%s\n-----END PRIVATE KEY-----\n".formatted(pem));
    }

    private void awaitReady() {
        await().atMost(START_LIMIT).pollInterval(Duration.ofMillis(100)).until(() -> {
            if (!process.isAlive() || !etcd.isAlive()) {
                throw new AssertionError("ended: " + Files.readString(log("kube-apiserver")));
            }
            return ready();
        });
    }

    private boolean ready() {
        if (!Files.exists(directory.resolve("certificates/apiserver.crt"))) {
            return false;
        }
        try (var client = client()) {
            return "ok".equals(client.raw("/readyz"));
        } catch (RuntimeException notYet) {
            return false;
        }
    }

    private void installKinds() {
        install(
                KubeApiServer.class.getResourceAsStream("/documents.yaml"),
                List.of("/apis/cadastre.test/v1/documents", "/apis/cadastre.test/v1/notes"));
    }

    /// Creates what a file defines, and waits until these collections are served.
    public void install(InputStream definitions, List<String> collections) {
        try (var client = client()) {
            client.load(definitions).create();
            for (var collection : collections) {
                await().atMost(START_LIMIT)
                        .pollInterval(Duration.ofMillis(50))
                        .until(() -> client.raw(collection) != null);
            }
        }
    }

    private PeerProcess launch(String name, List<String> words) throws IOException {
        return PeerProcess.launch(new ProcessBuilder(words)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log(name).toFile())));
    }

    private Path log(String name) {
        return directory.resolve(name + ".log");
    }

    /// Only where the environment names it: these tests take minutes, and a first `mvn verify`
    /// needs no build of Kubernetes.
    private static Optional<Path> findBinary() {
        var assets = System.getenv().getOrDefault("KUBEBUILDER_ASSETS", "");
        return assets.isEmpty()
                ? Optional.empty()
                : Optional.of(Path.of(assets, "kube-apiserver")).filter(Files::isExecutable);
    }
}
