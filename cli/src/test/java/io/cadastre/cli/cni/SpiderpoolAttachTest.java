package io.cadastre.cli.cni;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cadastre.cli.RunningProcess;
import io.cadastre.cli.Shell;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.sqlite.SqliteDatastore;
import io.cadastre.datastore.sqlite.SqliteSettings;
import io.cadastre.wire.cni.CniResult;
import io.cadastre.wire.kubernetes.CoreKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The plugin linked as `spiderpool` under main plugins of others, beside an agent of Spiderpool's kind.
@Timeout(300)
class SpiderpoolAttachTest {

    private static final Path REFERENCE_PLUGINS = Path.of("/usr/lib/cni");
    private static final List<String> PODS = List.of("cart-0", "cart-1");

    @TempDir
    Path home;

    private final List<AutoCloseable> open = new ArrayList<>();

    @AutoClose
    private final TwoNamespaces namespaces = TwoNamespaces.open(PODS.getFirst(), PODS.getLast());

    private Path socket() {
        return home.resolve("spiderpool.sock");
    }

    private Path programs() {
        return home.resolve("bin");
    }

    private Shell shell() {
        return Shell.at(home)
                .with("CNI_PATH", programs() + ":" + REFERENCE_PLUGINS)
                .with("NETCONFPATH", home.resolve("net.d").toString());
    }

    @BeforeEach
    void beginWithAnAgent() throws Exception {
        assumeTrue(
                Files.isExecutable(REFERENCE_PLUGINS.resolve("bridge")),
                "no reference plugins in " + REFERENCE_PLUGINS);
        var installed = shell().run(
                        "cni",
                        "install",
                        "--link=spiderpool",
                        "--bin-dir=" + programs(),
                        "--conf-dir=" + home.resolve("net.d"),
                        "--socket=" + home.resolve("agent.sock"),
                        "--spool=" + home.resolve("spool"));
        assertThat(installed.exitCode()).as(installed.err()).isZero();
        var process = RunningProcess.start(
                home,
                shell().environment(),
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "io.cadastre.cli.Main",
                        "up",
                        "--no-default-pool",
                        "--node=node-1",
                        "--socket=" + home.resolve("agent.sock"),
                        "--spool=" + home.resolve("spool")));
        open.add(process);
        process.awaitOut("Interrupt with Ctrl-C.");
    }

    @AfterEach
    void endProcesses() throws Exception {
        for (var one : open.reversed()) {
            one.close();
        }
    }

    @Test
    void podsReachEachOtherOverTheReferenceBridge() throws Exception {
        var bridge = namespaces.linkThatIsDeleted("cads");
        network("""
            {"type": "bridge", "bridge": "%s",
             "ipam": {"type": "spiderpool", "ipam_unix_socket_path": "%s"}}
            """.formatted(bridge, socket()));

        reachEachOtherAndLeave();
    }

    @Test
    void podsReachEachOtherOverReferenceMacvlanWithTheDialectOfOurOwnPlugin() throws Exception {
        network("""
            {"type": "macvlan", "master": "%s",
             "ipam": {"type": "cadastre-ipam", "dialect": "spiderpool", "ipam_unix_socket_path": "%s"}}
            """.formatted(namespaces.master("cadt"), socket()));

        reachEachOtherAndLeave();
    }

    @Test
    void a07PodOnMacvlanIsNotGivenAnAddressThatAnotherOneAnswersFor() throws Exception {
        network("""
            {"type": "macvlan", "master": "%s",
             "ipam": {"type": "spiderpool", "ipam_unix_socket_path": "%s"}}
            """.formatted(namespaces.master("cadt"), socket()));

        findConflict();
    }

    @Test
    void a07PodOnABridgeIsNotGivenAnAddressThatAnotherOneAnswersFor() throws Exception {
        var bridge = namespaces.linkThatIsDeleted("cads");
        network("""
            {"type": "bridge", "bridge": "%s",
             "ipam": {"type": "spiderpool", "ipam_unix_socket_path": "%s"}}
            """.formatted(bridge, socket()));

        findConflict();
    }

    private void findConflict() throws Exception {
        var peer = peer();
        var taken = address(cni("add", 0));
        peer.forget();

        var refused = cni("add", 1);

        assertThat(refused.exitCode()).isNotZero();
        assertThat(refused.err())
                .contains("ip conflict: pod's interface eth0 with an conflicting ip %s, %s is located at "
                        .formatted(taken, taken));
        assertThat(peer.calls()).endsWith("POST /v1/ipam/ip", "DELETE /v1/ipam/ips");
        assertThat(peer.held()).isEmpty();
    }

    @Test
    void missingAgentIsReportedAndPodsAreDetachedWhenItReturns() throws Exception {
        network("""
            {"type": "macvlan", "master": "%s",
             "ipam": {"type": "spiderpool", "ipam_unix_socket_path": "%s"}}
            """.formatted(namespaces.master("cadt"), socket()));

        var added = cni("add", 0);
        var removed = cni("del", 0);
        peer();
        var removedLater = cni("del", 0);

        assertThat(added.exitCode()).isNotZero();
        assertThat(added.err()).contains("unhealthy spiderpool-agent backend, failed to check: ");
        assertThat(removed.exitCode()).isNotZero();
        assertThat(removed.err()).contains("unhealthy spiderpool-agent backend, failed to check: ");
        assertThat(removedLater.exitCode()).as(removedLater.err()).isZero();
    }

    @Test
    void podsGetAddressesOfThePoolsInTheStore() throws Exception {
        var applied = shell().runPiping("""
            {apiVersion: spiderpool.spidernet.io/v2beta1, kind: SpiderIPPool,
             metadata: {name: shop}, spec: {subnet: 10.61.0.0/24, ips: [10.61.0.10-10.61.0.11]}}
            """, "apply", "-f", "-");
        assertThat(applied.exitCode()).as(applied.err()).isZero();
        for (int pod = 0; pod < PODS.size(); pod++) {
            register(pod);
        }
        network("""
            {"type": "macvlan", "master": "%s",
             "ipam": {"type": "spiderpool", "default_ipv4_ippool": ["shop"]}}
            """.formatted(namespaces.master("cadt")));

        var addresses = List.of(address(cni("add", 0)), address(cni("add", 1)));
        var reached = namespaces.firstReachesSecond(addresses.get(1));
        var kept = cni("del", 0);
        var heldMeanwhile = shell().run("get", "spiderippools").out();
        unregister(0);
        unregister(1);
        var removed = List.of(cni("del", 0), cni("del", 1), cni("del", 1));

        assertThat(addresses).containsExactly("10.61.0.10", "10.61.0.11");
        assertThat(reached).isTrue();
        assertThat(kept.exitCode()).as(kept.err()).isZero();
        assertThat(heldMeanwhile).containsPattern("shop +4 +10.61.0.0/24 +2 +2");
        assertThat(removed).allSatisfy(ended -> assertThat(ended.exitCode()).isZero());
        assertThat(shell().run("get", "spiderippools").out()).containsPattern("shop +4 +10.61.0.0/24 +0 +2");
        assertThat(shell().run("get", "spiderendpoints", "-o", "name").out()).isEmpty();
    }

    /// Has the store know a pod, as the Kubernetes API would.
    private void register(int pod) {
        var json = """
            {"kind":"Pod","apiVersion":"v1","metadata":{"name":"%s","namespace":"shop","uid":"uid-%d"},
             "spec":{"nodeName":"node-1"},"status":{"phase":"Running"}}
            """.formatted(PODS.get(pod), pod);
        commit(store -> new Write.Create(podKey(pod), Bytes.ofUtf8(json)));
    }

    private void unregister(int pod) {
        commit(store -> new Write.Delete(
                podKey(pod), store.get(podKey(pod)).orElseThrow().revision()));
    }

    private static String podKey(int pod) {
        return CoreKeys.PODS + "shop/" + PODS.get(pod);
    }

    private void commit(Function<Datastore, Write> write) {
        var file = shell().dataDirectory().resolve("store.db");
        try (var store = SqliteDatastore.open(SqliteSettings.of(file))) {
            assertThat(store.commit(List.of(write.apply(store)))).isInstanceOf(Commit.Done.class);
        }
    }

    private void reachEachOtherAndLeave() throws Exception {
        var peer = peer();

        var addresses = List.of(address(cni("add", 0)), address(cni("add", 1)));
        var reached = namespaces.firstReachesSecond(addresses.get(1));
        var held = peer.held();
        for (int time = 0; time < 2; time++) {
            for (int pod = 0; pod < PODS.size(); pod++) {
                var removed = cni("del", pod);
                assertThat(removed.exitCode()).as(removed.err()).isZero();
            }
        }

        assertThat(held).isEqualTo(Map.of(addresses.get(0), PODS.get(0), addresses.get(1), PODS.get(1)));
        assertThat(reached).isTrue();
        assertThat(peer.held()).isEmpty();
    }

    private PoolPeer peer() throws IOException {
        var peer = PoolPeer.at(socket());
        open.add(peer);
        return peer;
    }

    private void network(String plugin) throws IOException {
        Files.writeString(
                home.resolve("net.d").resolve("20-other.conflist"),
                "{\"cniVersion\": \"1.0.0\", \"name\": \"other\", \"plugins\": [%s]}".formatted(plugin));
    }

    private Shell.Ended cni(String verb, int pod) {
        return shell().with(
                        "CNI_ARGS",
                        "IgnoreUnknown=1;K8S_POD_NAMESPACE=shop;K8S_POD_NAME=%s;K8S_POD_UID=uid-%d"
                                .formatted(PODS.get(pod), pod))
                .run("cni", verb, "other", namespaces.paths().get(pod), "--cache-dir=" + home.resolve("cache"));
    }

    private static String address(Shell.Ended added) {
        assertThat(added.exitCode()).as(added.err()).isZero();
        return CniResult.parse(Bytes.ofUtf8(added.out()))
                .ips()
                .getFirst()
                .address()
                .ip()
                .toString();
    }
}
