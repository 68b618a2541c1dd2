package io.cadastre.datastore.etcd;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.PeerProcess;
import io.cadastre.datastore.Write;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// A real etcd member on loopback, started and stopped by a test.
public final class EtcdProcess implements AutoCloseable {

    private static final Duration START_LIMIT = Duration.ofMinutes(2);
    private static final int STARTS_MAX = 3;
    private static final Pattern SERVING = Pattern.compile("serving (insecure )?client requests");

    private final Path directory;
    private final int clientPort;
    private final List<String> command;
    private PeerProcess process;

    private EtcdProcess(Path directory, int clientPort, List<String> command) throws IOException {
        this.directory = directory;
        this.clientPort = clientPort;
        this.command = command;
        this.process = launch();
    }

    /// Ends the test, as not run, where there is no etcd.
    static void assumeInstalled() {
        assumeTrue(PeerProcess.onThePath("etcd"), "no etcd on the PATH");
    }

    /// One member, in the clear. It does not sync its disk: tests end the process, not the machine, so
    /// nothing is lost.
    public static EtcdProcess start(Path directory, String... flags) throws IOException {
        return startDurable(
                directory,
                Stream.concat(Stream.of("--unsafe-no-fsync"), Stream.of(flags)).toArray(String[]::new));
    }

    /// One member, in the clear. It is started on other ports if someone else took one in between.
    static EtcdProcess startDurable(Path directory, String... flags) throws IOException {
        assumeInstalled();
        for (int attempt = 1; ; attempt++) {
            var home = Files.createDirectories(directory.resolve("etcd-" + attempt));
            var ports = PeerProcess.freePorts(2);
            var member = new EtcdProcess(
                    home, ports.get(0), command(home, "http", "one", ports, "one=" + peer(ports), flags));
            member.awaitServingOrEnd();
            if (attempt == STARTS_MAX || !member.lostItsPort()) {
                member.awaitServing();
                return member;
            }
        }
    }

    /// One member that shows a certificate and asks for one.
    static EtcdProcess startSecured(Path directory, SignedCertificates certificates) throws IOException {
        assumeInstalled();
        var ports = PeerProcess.freePorts(2);
        var flags = new String[] {
            "--cert-file=" + certificates.file("server.crt"),
            "--key-file=" + certificates.file("server.key"),
            "--trusted-ca-file=" + certificates.file("ca.crt"),
            "--client-cert-auth"
        };
        var member = new EtcdProcess(
                directory, ports.get(0), command(directory, "https", "one", ports, "one=" + peer(ports), flags));
        member.awaitServing();
        return member;
    }

    /// Three members of one cluster.
    static List<EtcdProcess> startCluster(Path directory) throws IOException {
        assumeInstalled();
        var ports = PeerProcess.freePorts(6);
        var names = List.of("one", "two", "three");
        var cluster = String.join(
                ",",
                IntStream.range(0, 3)
                        .mapToObj(index -> names.get(index) + "=" + peer(pair(ports, index)))
                        .toList());
        var members = new ArrayList<EtcdProcess>();
        for (int index = 0; index < 3; index++) {
            var home = Files.createDirectories(directory.resolve(names.get(index)));
            var own = pair(ports, index);
            members.add(new EtcdProcess(
                    home,
                    own.get(0),
                    command(
                            home,
                            "http",
                            names.get(index),
                            own,
                            cluster,
                            "--heartbeat-interval=50",
                            "--election-timeout=500")));
        }
        members.forEach(EtcdProcess::awaitServing);
        return members;
    }

    public EtcdEndpoint endpoint() {
        return command.contains("--client-cert-auth")
                ? EtcdEndpoint.parse("https://127.0.0.1:" + clientPort)
                : endpointAt(clientPort);
    }

    /// What listens on this port of loopback, in the clear.
    static EtcdEndpoint endpointAt(int port) {
        return EtcdEndpoint.parse("http://127.0.0.1:" + port);
    }

    int clientPort() {
        return clientPort;
    }

    public EtcdSettings settings() {
        return EtcdSettings.of(List.of(endpoint()));
    }

    /// A store in which there is nothing.
    public Datastore openEmpty() {
        var store = EtcdDatastore.open(settings().withCallLimit(Duration.ofSeconds(30)));
        var deletions = new ArrayList<Write>();
        for (var document : store.listAll("").documents()) {
            deletions.add(new Write.Delete(document.key(), document.revision()));
        }
        for (int from = 0; from < deletions.size(); from += Datastore.WRITES_MAX) {
            int to = Math.min(deletions.size(), from + Datastore.WRITES_MAX);
            store.commit(deletions.subList(from, to));
        }
        return store;
    }

    /// As `kill -9`.
    void kill() {
        process.kill();
    }

    /// Starts it again on the same data and ports.
    public void restart() throws IOException {
        kill();
        process = launch();
        awaitServing();
    }

    /// Writes what it has now into a file.
    public void snapshot(Path file) throws IOException {
        etcdctl("snapshot", "save", file.toString());
    }

    /// Starts it again on the same ports, with the data of a snapshot.
    public void restore(Path snapshot) throws IOException {
        kill();
        moveDataAway();
        var words = new ArrayList<String>();
        words.addAll(List.of("etcdctl", "snapshot", "restore", snapshot.toString()));
        words.addAll(command.stream()
                .filter(word -> word.matches("--(name|data-dir|initial-.*)=.*"))
                .toList());
        var builder = new ProcessBuilder(words);
        builder.environment().put("ETCDCTL_API", "3");
        PeerProcess.run(builder);
        restart();
    }

    /// Starts it again on the same ports, without any data.
    public void empty() throws IOException {
        kill();
        moveDataAway();
        restart();
    }

    private void moveDataAway() throws IOException {
        Files.move(
                directory.resolve("data"),
                Files.createTempDirectory(directory, "former").resolve("data"));
    }

    /// Stops the process where it is, until [#proceed()].
    void freeze() throws IOException {
        process.freeze();
    }

    void proceed() throws IOException {
        process.proceed();
    }

    /// What etcdctl prints.
    public String etcdctl(String... arguments) throws IOException {
        var words = new ArrayList<String>();
        words.add("etcdctl");
        words.add("--endpoints=" + endpoint());
        // It waits for 2 s and 5 s otherwise, which is little on a busy machine.
        words.add("--dial-timeout=60s");
        words.add("--command-timeout=60s");
        words.addAll(List.of(arguments));
        var builder = new ProcessBuilder(words);
        builder.environment().put("ETCDCTL_API", "3");
        return PeerProcess.run(builder);
    }

    /// Forgets all keys. Their history stays.
    void wipe() throws IOException {
        etcdctl("del", "", "--from-key=true");
    }

    @Override
    public void close() {
        kill();
    }

    private Path log() {
        return directory.resolve("etcd.log");
    }

    private PeerProcess launch() throws IOException {
        var builder = new ProcessBuilder(command).redirectOutput(log().toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("ETCD_"));
        return PeerProcess.launch(builder);
    }

    private void awaitServing() {
        awaitServingOrEnd();
        if (!process.isAlive()) {
            throw new AssertionError("etcd ended: " + told());
        }
    }

    private void awaitServingOrEnd() {
        await().atMost(START_LIMIT)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> !process.isAlive() || SERVING.matcher(told()).find());
    }

    private boolean lostItsPort() {
        return !process.isAlive() && told().contains("address already in use");
    }

    private String told() {
        try {
            return Files.readString(log());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static List<String> command(
            Path home, String scheme, String name, List<Integer> ports, String cluster, String... flags) {
        var client = scheme + "://127.0.0.1:" + ports.get(0);
        var words = new ArrayList<>(List.of(
                "etcd",
                "--name=" + name,
                "--data-dir=" + home.resolve("data"),
                "--listen-client-urls=" + client,
                "--advertise-client-urls=" + client,
                "--listen-peer-urls=" + peer(ports),
                "--initial-advertise-peer-urls=" + peer(ports),
                "--initial-cluster=" + cluster));
        words.addAll(List.of(flags));
        return words;
    }

    private static List<Integer> pair(List<Integer> ports, int index) {
        return ports.subList(2 * index, 2 * index + 2);
    }

    private static String peer(List<Integer> ports) {
        return "http://127.0.0.1:" + ports.get(1);
    }
}
