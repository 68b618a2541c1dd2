package io.cadastre.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.cadastre.cli.RunningProcess;
import io.cadastre.cli.Shell;
import io.cadastre.datastore.kubernetes.KubeApiServer;
import io.cadastre.datastore.kubernetes.KubernetesSettings.Access.Kubeconfig;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.assertj.core.groups.Tuple;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// ClusterCIDRs and the controller that gives their blocks to Nodes, as a process, on a real API server.
@Timeout(600)
class ClusterCidrsOnKubernetesTest {

    private static final Path DEFINITION = Path.of("../deploy/crds/networking.x-k8s.io-v1.yaml");
    private static final String OBJECTS = "/apis/networking.x-k8s.io/v1/clustercidrs";
    private static final Duration AMPLE = Duration.ofMinutes(2);

    /// Nodes that may join before the controller has seen a deletion.
    private static final int JOINS_MAX = 50;

    private static @Nullable KubeApiServer server;

    @TempDir
    Path home;

    private @Nullable RunningProcess controller;
    private @Nullable KubernetesClient cluster;

    @BeforeAll
    static void startServer(@TempDir Path folder) throws Exception {
        var started = KubeApiServer.start(folder);
        server = started;
        try (var definition = Files.newInputStream(DEFINITION)) {
            started.install(definition, List.of(OBJECTS));
        }
    }

    @AfterAll
    static void stopServer() {
        if (server != null) {
            server.close();
        }
    }

    @BeforeEach
    void connect() {
        cluster = Objects.requireNonNull(server).client();
    }

    @AfterEach
    void stop() {
        if (controller != null) {
            controller.close();
        }
        cluster().nodes().delete();
        for (var item : cluster()
                .genericKubernetesResources("networking.x-k8s.io/v1", "ClusterCIDR")
                .list()
                .getItems()) {
            item.getMetadata().setFinalizers(List.of());
            var _ = cluster().resource(item).update();
        }
        cluster().raw(OBJECTS, "DELETE", null);
        cluster().leases().inNamespace("kube-system").delete();
        cluster().close();
    }

    private KubernetesClient cluster() {
        return Objects.requireNonNull(cluster);
    }

    private Shell shell() {
        var access = (Kubeconfig) Objects.requireNonNull(server).settings().access();
        return Shell.at(home)
                .with("DATASTORE_TYPE", "kubernetes")
                .with("KUBECONFIG", access.file().toString())
                .with("XDG_STATE_HOME", home.resolve("state").toString());
    }

    private void startController(String... flags) throws IOException {
        controller = RunningProcess.start(home, shell().environment(), command(flags));
    }

    private static List<String> command(String... flags) {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                "io.cadastre.cli.Main",
                "controller",
                "--controllers=nodeipam",
                "--allocate-node-cidrs",
                "--cidr-allocator-type=MultiCIDRRangeAllocator",
                "--listen=127.0.0.1:0"));
        command.addAll(List.of(flags));
        return command;
    }

    private void apply(String name, int hostBits, String ipv4, String... pool) {
        var selector = pool.length == 0
                ? ""
                : ", nodeSelector: {nodeSelectorTerms: [{matchExpressions: [{key: pool, operator: In, values: [%s]}]}]}"
                        .formatted(String.join(", ", pool));
        var ended = shell().runPiping("""
            apiVersion: networking.x-k8s.io/v1
            kind: ClusterCIDR
            metadata: {name: %s}
            spec: {perNodeHostBits: %d, ipv4: %s%s}
            """.formatted(name, hostBits, ipv4, selector), "apply", "-f", "-");
        assertThat(ended.exitCode()).as(ended.err()).isZero();
        await().atMost(AMPLE).until(() -> controller == null || finalizers(name).size() == 1);
    }

    private List<String> finalizers(String name) {
        return cluster()
                .genericKubernetesResources("networking.x-k8s.io/v1", "ClusterCIDR")
                .withName(name)
                .get()
                .getMetadata()
                .getFinalizers();
    }

    private boolean exists(String name) {
        return cluster()
                        .genericKubernetesResources("networking.x-k8s.io/v1", "ClusterCIDR")
                        .withName(name)
                        .get()
                != null;
    }

    private void join(String node, String pool) {
        cluster()
                .resource(new NodeBuilder()
                        .withNewMetadata()
                        .withName(node)
                        .withLabels(pool.isEmpty() ? Map.of() : Map.of("pool", pool))
                        .endMetadata()
                        .build())
                .create();
    }

    private List<String> cidrs(String node) {
        return cluster().nodes().withName(node).get().getSpec().getPodCIDRs();
    }

    private void awaitCidrs(String node, String... cidrs) {
        await(node).atMost(AMPLE).untilAsserted(() -> assertThat(cidrs(node)).containsExactly(cidrs));
    }

    private void awaitEvent(String node, String reason) {
        await(reason)
                .atMost(AMPLE)
                .untilAsserted(() -> assertThat(events(node)).contains(tuple(reason, "multiCIDRRangeAllocator")));
    }

    /// The reasons of a Node's events, with the components that sent them.
    private List<Tuple> events(String node) {
        return cluster().v1().events().inNamespace("default").list().getItems().stream()
                .filter(event -> event.getInvolvedObject().getName().equals(node))
                .map(event -> tuple(event.getReason(), event.getSource().getComponent()))
                .toList();
    }

    /// Nodes join one after another until one gets no CIDR. Those before it have theirs from a ClusterCIDR whose
    /// deletion the controller had not seen yet: Nodes and ClusterCIDRs are watched apart.
    private List<String> joinUntilRefused(String pool) {
        var served = new ArrayList<>(List.of("web-1"));
        for (int number = 2; number <= JOINS_MAX; number++) {
            var node = "web-" + number;
            join(node, pool);
            await(node).atMost(AMPLE).until(() -> !cidrs(node).isEmpty() || isRefused(node));
            if (cidrs(node).isEmpty()) {
                return served;
            }
            served.add(node);
        }
        throw new AssertionError("none of %d Nodes was refused: %s".formatted(JOINS_MAX, served));
    }

    private boolean isRefused(String node) {
        return events(node).contains(tuple("CIDRNotAvailable", "multiCIDRRangeAllocator"));
    }

    @Test
    void mc07OverlappingClusterCidrsNeverGiveOverlappingBlocks() throws IOException {
        startController();
        apply("big", 8, "10.20.0.0/16", "big");
        apply("small", 4, "10.20.0.0/24", "small");

        join("small-1", "small");
        awaitCidrs("small-1", "10.20.0.0/28");
        join("big-1", "big");
        awaitCidrs("big-1", "10.20.1.0/24");
        join("small-2", "small");
        awaitCidrs("small-2", "10.20.0.16/28");
        join("big-2", "big");
        awaitCidrs("big-2", "10.20.2.0/24");
    }

    @Test
    void mc08NodeWithoutABlockGetsOneWhenTheOtherIsGone() throws IOException {
        startController();
        apply("big", 8, "10.20.0.0/16", "big");
        apply("small", 4, "10.20.0.0/24", "small");
        join("big-1", "big");
        awaitCidrs("big-1", "10.20.0.0/24");
        join("small-1", "small");
        awaitEvent("small-1", "CIDRNotAvailable");

        cluster().nodes().withName("big-1").delete();

        awaitCidrs("small-1", "10.20.0.0/28");
    }

    @Test
    void nc43ClusterCidrInUseIsKeptUntilItsLastNodeIsGone() throws IOException {
        startController();
        apply("web", 8, "10.20.0.0/16", "web");
        join("web-1", "web");
        awaitCidrs("web-1", "10.20.0.0/24");

        cluster()
                .genericKubernetesResources("networking.x-k8s.io/v1", "ClusterCIDR")
                .withName("web")
                .delete();
        var served = joinUntilRefused("web");

        assertThat(exists("web")).isTrue();
        served.forEach(node -> cluster().nodes().withName(node).delete());
        await().atMost(AMPLE).until(() -> !exists("web"));
    }

    @Test
    void nc44BlockOfARelabelledNodeIsFreeWhenTheNodeIsGone() throws IOException {
        startController();
        apply("one", 8, "10.20.0.0/24", "one");
        join("one-1", "one");
        awaitCidrs("one-1", "10.20.0.0/24");
        cluster()
                .nodes()
                .withName("one-1")
                .edit(node -> new NodeBuilder(node)
                        .editMetadata()
                        .addToLabels("pool", "other")
                        .endMetadata()
                        .build());

        cluster().nodes().withName("one-1").delete();
        join("one-2", "one");

        awaitCidrs("one-2", "10.20.0.0/24");
    }

    @Test
    void nc45NodeThatFitsNoClusterCidrKeepsNoOtherWaiting() throws IOException {
        cluster()
                .resource(new NodeBuilder()
                        .withNewMetadata()
                        .withName("foreign")
                        .endMetadata()
                        .withNewSpec()
                        .withPodCIDR("172.16.0.0/24")
                        .withPodCIDRs("172.16.0.0/24")
                        .endSpec()
                        .build())
                .create();
        startController();
        apply("all", 8, "10.20.0.0/16");

        join("new", "");

        awaitCidrs("new", "10.20.0.0/24");
        await().atMost(AMPLE)
                .untilAsserted(
                        () -> assertThat(Objects.requireNonNull(controller).err())
                                .contains("could not occupy cidrs: [172.16.0.0/24], No matching ClusterCIDRs found"));
    }

    @Test
    void flagsBecomeTheDefaultClusterCidrAndServiceRangesAreLeftFree() throws IOException {
        startController("--cluster-cidr=10.30.0.0/16", "--service-cluster-ip-range=10.30.0.0/23");
        await().atMost(AMPLE).until(() -> exists("default-cluster-cidr"));

        join("first", "");

        awaitCidrs("first", "10.30.2.0/24");
        assertThat(finalizers("default-cluster-cidr")).containsExactly("networking.x-k8s.io/cluster-cidr-finalizer");
    }
}
