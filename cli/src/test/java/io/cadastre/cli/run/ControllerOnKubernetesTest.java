package io.cadastre.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cadastre.cli.RunningProcess;
import io.cadastre.cli.Shell;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.RoutedDatastore;
import io.cadastre.datastore.RoutedDatastore.Route;
import io.cadastre.datastore.Watch;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.kubernetes.ClusterIdentity;
import io.cadastre.datastore.kubernetes.KubeApiServer;
import io.cadastre.datastore.kubernetes.KubernetesDatastore;
import io.cadastre.datastore.kubernetes.KubernetesSettings;
import io.cadastre.datastore.kubernetes.KubernetesSettings.Access.Kubeconfig;
import io.cadastre.wire.calico.crd.ApiGroup;
import io.cadastre.wire.calico.crd.CalicoObjects;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.kubernetes.CoreKeys;
import io.cadastre.wire.kubernetes.CoreObjects;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Controllers as processes, on a real API server.
@Timeout(600)
class ControllerOnKubernetesTest {

    private static final Path ROLES = Path.of("../deploy/rbac.yaml");
    private static final Path DEFINITIONS = Path.of("../deploy/crds/crd.projectcalico.org-v1.yaml");
    private static final Path CLUSTER_CIDRS = Path.of("../deploy/crds/networking.x-k8s.io-v1.yaml");
    private static final String CALICO = "/apis/" + ApiGroup.CRD_V1.apiVersion() + "/";
    private static final List<String> KINDS = List.of("ippools", "ipamblocks", "blockaffinities", "ipamhandles");

    /// Has run out when a lease has: that takes 15 seconds from its last renewal, of which there is one every
    /// other second.
    private static final String SHORTER_THAN_A_LEASE = "12s";

    /// Of one node.
    private static final String ONE_NODE_CIDR = "--cluster-cidr=10.246.0.0/24";

    private static final Duration A_SECOND = Duration.ofSeconds(1);

    private static @Nullable KubeApiServer server;

    @TempDir
    Path home;

    @BeforeAll
    static void startServer(@TempDir Path folder) throws Exception {
        var started = KubeApiServer.start(folder);
        server = started;
        try (var definitions = Files.newInputStream(DEFINITIONS)) {
            started.install(definitions, KINDS.stream().map(CALICO::concat).toList());
        }
    }

    @AfterAll
    static void stopServer() {
        if (server != null) {
            server.close();
        }
    }

    @BeforeEach
    void forgetStoredObjects() {
        try (var client = server().client()) {
            KINDS.forEach(kind -> client.raw(CALICO + kind, "DELETE", null));
            client.pods().inAnyNamespace().withGracePeriod(0).delete();
            client.nodes().delete();
            client.v1().events().inNamespace("default").delete();
            client.leases()
                    .inNamespace("kube-system")
                    .withName("cadastre-controller")
                    .delete();
        }
    }

    private static KubeApiServer server() {
        return Objects.requireNonNull(server);
    }

    private static Datastore store() {
        var settings = server().settings();
        return RoutedDatastore.of(List.of(
                new Route(
                        "/calico/",
                        KubernetesDatastore.open(settings, new CalicoObjects(ApiGroup.CRD_V1), new Random(1))),
                new Route("/cadastre/", KubernetesDatastore.open(settings, new CoreObjects(), new Random(1)))));
    }

    /// An operator with a kubeconfig and a ledger.
    private Shell shellOf(String name) {
        return shellOf(name, server().settings());
    }

    private Shell shellOf(String name, KubernetesSettings settings) {
        var access = (Kubeconfig) settings.access();
        return Shell.at(home)
                .with("DATASTORE_TYPE", "kubernetes")
                .with("KUBECONFIG", access.file().toString())
                .with("XDG_STATE_HOME", home.resolve(name).toString());
    }

    private static String ran(Shell shell, String input, String... words) {
        var ended = shell.runPiping(input, words);
        assertThat(ended.exitCode()).as(ended.err()).isZero();
        return ended.out();
    }

    /// A cluster with one block of four addresses, of which one is used.
    private OneNodeCluster settle(Datastore store) {
        ran(shellOf("us"), """
            apiVersion: projectcalico.org/v3
            kind: IPPool
            metadata: {name: default}
            spec: {cidr: 10.244.0.0/30, blockSize: 30}
            """, "apply", "-f", "-");
        var cluster = new OneNodeCluster(store);
        cluster.addNode();
        cluster.report("living", cluster.give("living"));
        return cluster;
    }

    /// How many addresses the leader takes for leaked. It shows them after its first sweep.
    private static int suspects(RunningProcess leader) throws IOException, InterruptedException {
        var count = Pattern.compile("ipam_allocations_gc_candidates\\{.*\"node-1\"} (\\d+)")
                .matcher(page(leader, "/metrics").body());
        return count.find() ? Integer.parseInt(count.group(1)) : 0;
    }

    private static HttpResponse<String> page(RunningProcess controller, String path)
            throws IOException, InterruptedException {
        var pages = Pattern.compile("metrics and health checks are on (\\S+)").matcher(controller.out());
        assertThat(pages.find()).isTrue();
        try (var client = HttpClient.newHttpClient()) {
            return client.send(
                    HttpRequest.newBuilder(URI.create(pages.group(1) + path)).build(), BodyHandlers.ofString());
        }
    }

    @Test
    void aStartAsksForEachPageOfNodesOnce() throws Exception {
        try (var store = store();
                var controllers = ControllerProcesses.in(home)) {
            settle(store);
            addNodes(store, 1_202);
            long before = listsOf("nodes");

            var controller = controllers.start(shellOf("a"), "a", "1h");
            controller.awaitErr("a leads");
            await().atMost(StoppedLeader.PATIENCE)
                    .until(() -> page(controller, "/readyz").statusCode() == 200);

            // The server gives 500 at a time.
            assertThat(listsOf("nodes") - before).isEqualTo(3);
        }
    }

    private static void addNodes(Datastore store, int count) {
        for (int first = 0; first < count; first += Datastore.WRITES_MAX) {
            var writes = IntStream.range(first, Math.min(count, first + Datastore.WRITES_MAX))
                    .<Write>mapToObj(number -> new Write.Create(CoreKeys.NODES + "more-" + number, Bytes.ofUtf8("{}")))
                    .toList();
            assertThat(store.commit(writes)).isInstanceOf(Commit.Done.class);
        }
    }

    /// How many lists of a kind the server was asked for since it began.
    private static long listsOf(String plural) {
        try (var client = server().client()) {
            return client.raw("/metrics")
                    .lines()
                    .filter(line -> line.startsWith("apiserver_request_total{"))
                    .filter(line -> line.contains("resource=\"%s\"".formatted(plural)))
                    .filter(line -> line.contains("verb=\"LIST\""))
                    .mapToLong(line -> Long.parseLong(line.replaceFirst(".* ", "")))
                    .sum();
        }
    }

    @Test
    void theRolesOfDeploySufficeForAControllerAndGiveItNoOtherLease() throws Exception {
        try (var store = store();
                var client = server().client();
                var own = KubernetesDatastore.open(
                        server().settingsOfUnprivilegedUser(), new CoreObjects(), new Random(1));
                var controllers = ControllerProcesses.in(home)) {
            var cluster = settle(store);
            leaveBlockBehind(store, "lost", "10.245.0.1");
            cluster.give("gone");
            grantRightsToUnprivilegedUser(client, Files.readString(ROLES));

            var controller = controllers.start(shellOf("a", server().settingsOfUnprivilegedUser()), "a", "1s");
            controller.awaitErr("a leads");
            await().atMost(StoppedLeader.PATIENCE).until(() -> cluster.handles().equals(List.of("net.living")));
            controller.awaitErr("released block 10.245.0.0/30");
            controller.terminate();
            var ended = controller.end();

            assertThat(ended.err()).doesNotContain("not allowed", "cannot", "was not compared");
            assertThat(home.resolve("a/cadastre/ledger.db.origin")).content().startsWith("store Kubernetes cluster ");
            assertThat(cluster.lease()).contains("\"holderIdentity\":\"\"");
            assertThat(own.get(OneNodeCluster.LEASE)).isPresent();
            assertThatThrownBy(() -> own.get(OneNodeCluster.LEASES + "kube-scheduler"))
                    .isInstanceOf(DatastoreException.class)
                    .hasMessageContaining("kube-scheduler");
        }
    }

    @Test
    void theRolesOfDeploySufficeForNodeCidrsAndEvents() throws Exception {
        try (var store = store();
                var client = server().client();
                var controllers = ControllerProcesses.in(home)) {
            settle(store);
            grantRightsToUnprivilegedUser(client, Files.readString(ROLES));

            var controller = controllers.start(
                    shellOf("a", server().settingsOfUnprivilegedUser()),
                    "a",
                    "1h",
                    "--allocate-node-cidrs",
                    ONE_NODE_CIDR);
            await().atMost(StoppedLeader.PATIENCE)
                    .untilAsserted(() -> assertThat(cidrs(client, "node-1")).containsExactly("10.246.0.0/24"));
            addNodes(store, 1);
            await().atMost(StoppedLeader.PATIENCE)
                    .until(() -> client.v1().events().inNamespace("default").list().getItems().stream()
                            .anyMatch(event -> event.getReason().equals("CIDRNotAvailable") && event.getCount() > 1));

            assertThat(controller.err()).doesNotContain("not allow", "cannot");
        }
    }

    @Test
    void missingRightToPatchNodesIsReportedByNameAndVerbWhileOtherLoopsGoOnAndItIsTriedAgain() throws Exception {
        var rights = Files.readString(ROLES);
        var without = rights.replace("resources: [nodes]\n    verbs: [patch]", "resources: [nodes]\n    verbs: [get]");
        try (var store = store();
                var client = server().client();
                var controllers = ControllerProcesses.in(home)) {
            var cluster = settle(store);
            cluster.give("gone");
            assertThat(without).isNotEqualTo(rights);
            grantRightsToUnprivilegedUser(client, without);

            var controller = controllers.start(
                    shellOf("a", server().settingsOfUnprivilegedUser()),
                    "a",
                    "1s",
                    "--allocate-node-cidrs",
                    ONE_NODE_CIDR);
            controller.awaitErr("cannot give 10.246.0.0/24 to node node-1: ");
            controller.awaitErr("does not allow us to patch nodes node-1");
            await().atMost(StoppedLeader.PATIENCE).until(() -> cluster.handles().equals(List.of("net.living")));
            assertThat(cidrs(client, "node-1")).isEmpty();
            grantRightsToUnprivilegedUser(client, rights);

            await().atMost(StoppedLeader.PATIENCE)
                    .untilAsserted(() -> assertThat(cidrs(client, "node-1")).containsExactly("10.246.0.0/24"));
        }
    }

    @Test
    void missingDefinitionOfClusterCidrsIsNamedWithTheVerbWhileOtherLoopsGoOnAndNodesAreServedOnceItIsThere()
            throws Exception {
        try (var store = store();
                var client = server().client();
                var controllers = ControllerProcesses.in(home)) {
            var cluster = settle(store);
            cluster.give("gone");
            grantRightsToUnprivilegedUser(client, Files.readString(ROLES));

            var controller = controllers.start(
                    shellOf("a", server().settingsOfUnprivilegedUser()),
                    "a",
                    "1s",
                    "--allocate-node-cidrs",
                    "--cidr-allocator-type=MultiCIDRRangeAllocator",
                    ONE_NODE_CIDR);
            controller.awaitErr("refuses to list clustercidrs.networking.x-k8s.io: it does not know"
                    + " clustercidrs.networking.x-k8s.io in version v1");
            await().atMost(StoppedLeader.PATIENCE).until(() -> cluster.handles().equals(List.of("net.living")));
            assertThat(page(controller, "/readyz?verbose").body()).contains("not read yet: clustercidrs");
            assertThat(cidrs(client, "node-1")).isEmpty();
            installClusterCidrs();

            await().atMost(StoppedLeader.PATIENCE)
                    .untilAsserted(() -> assertThat(cidrs(client, "node-1")).containsExactly("10.246.0.0/24"));
        } finally {
            forgetClusterCidrs();
        }
    }

    @Test
    void missingRightToListClusterCidrsIsNamedWithTheVerbWhileOtherLoopsGoOnAndItIsTriedAgain() throws Exception {
        var rights = Files.readString(ROLES);
        var without = rights.replace("resources: [clustercidrs]", "resources: [others]");
        try (var store = store();
                var client = server().client();
                var controllers = ControllerProcesses.in(home)) {
            var cluster = settle(store);
            cluster.give("gone");
            assertThat(without).isNotEqualTo(rights);
            grantRightsToUnprivilegedUser(client, without);
            installClusterCidrs();

            var controller = controllers.start(
                    shellOf("a", server().settingsOfUnprivilegedUser()),
                    "a",
                    "1s",
                    "--allocate-node-cidrs",
                    "--cidr-allocator-type=MultiCIDRRangeAllocator",
                    ONE_NODE_CIDR);
            controller.awaitErr("does not allow us to list clustercidrs");
            await().atMost(StoppedLeader.PATIENCE).until(() -> cluster.handles().equals(List.of("net.living")));
            assertThat(cidrs(client, "node-1")).isEmpty();
            grantRightsToUnprivilegedUser(client, rights);

            await().atMost(StoppedLeader.PATIENCE)
                    .untilAsserted(() -> assertThat(cidrs(client, "node-1")).containsExactly("10.246.0.0/24"));
        } finally {
            forgetClusterCidrs();
        }
    }

    private static void installClusterCidrs() throws IOException {
        try (var definition = Files.newInputStream(CLUSTER_CIDRS)) {
            server().install(definition, List.of("/apis/networking.x-k8s.io/v1/clustercidrs"));
        }
    }

    /// Also the definition.
    private static void forgetClusterCidrs() throws IOException {
        try (var client = server().client();
                var definition = Files.newInputStream(CLUSTER_CIDRS)) {
            for (var item : client.genericKubernetesResources("networking.x-k8s.io/v1", "ClusterCIDR")
                    .list()
                    .getItems()) {
                item.getMetadata().setFinalizers(List.of());
                var _ = client.resource(item).update();
            }
            client.load(definition).withTimeout(1, TimeUnit.MINUTES).delete();
        }
    }

    @Test
    void rightToPatchTheStatusOfNodesIsInARoleThatIsNotBound() throws Exception {
        var roles = Files.readString(ROLES);

        assertThat(roles.split("nodes/status", -1)).hasSize(2);
        assertThat(roles).contains("metadata: {name: cadastre-controller-cloud}");
        assertThat(roles).doesNotContain("kind: ClusterRole, name: cadastre-controller-cloud}");
    }

    private static List<String> cidrs(KubernetesClient client, String node) {
        return client.nodes().withName(node).require().getSpec().getPodCIDRs();
    }

    @Test
    void userWithoutTheRightToIdentifyTheClusterIsWarnedAndTheLedgerContinues() throws Exception {
        var rights = Files.readString(ROLES);
        var withoutNamespace = rights.replace("resourceNames: [kube-system]", "resourceNames: [x]")
                .replace("[namespaces]\n    verbs: [get, list, watch]", "[namespaces]\n    verbs: [get]");
        var unprivileged = server().settingsOfUnprivilegedUser();
        var origin = home.resolve("a/cadastre/ledger.db.origin");
        try (var store = store();
                var client = server().client()) {
            var cluster = settle(store);
            var address = cluster.give("gone");
            grantRightsToUnprivilegedUser(client, withoutNamespace);
            await().atMost(StoppedLeader.PATIENCE)
                    .until(() ->
                            ClusterIdentity.fetch(unprivileged, new Random(1)).isEmpty());
            Files.createDirectories(origin.getParent());
            Files.writeString(origin, "store Kubernetes cluster x\nterm 0\nrevisions-before 7000000000\n");

            var released = shellOf("a", unprivileged).run("ipam", "release", "--ip=" + address);

            assertThat(released.exitCode()).as(released.err()).isZero();
            assertThat(released.err()).contains("ledger.db was not compared with the store", "namespace kube-system");
            assertThat(ran(shellOf("a"), "", "history", "--decisions", "-o", "json"))
                    .containsPattern("\"revision\" : 70000[0-9]{5}\\b");
        }
    }

    private static void grantRightsToUnprivilegedUser(KubernetesClient client, String rights) {
        var granted = rights.replace(
                "{kind: ServiceAccount, name: cadastre-controller, namespace:" + " kube-system}",
                "{kind: User, name: unprivileged, apiGroup: rbac.authorization.k8s.io}");
        client.load(new ByteArrayInputStream(granted.getBytes(StandardCharsets.UTF_8)))
                .serverSideApply();
    }

    /// A node that is gone by now had an address, and its block is still its own.
    private void leaveBlockBehind(Datastore store, String node, String address) {
        var key = CoreKeys.NODES + node;
        assertThat(store.commit(List.of(new Write.Create(key, Bytes.ofUtf8("{}")))))
                .isInstanceOf(Commit.Done.class);
        var us = shellOf("us");
        ran(us, """
            apiVersion: projectcalico.org/v3
            kind: IPPool
            metadata: {name: other}
            spec: {cidr: 10.245.0.0/30, blockSize: 30}
            """, "apply", "-f", "-");
        ran(us, "", "ipam", "assign", "--node=" + node, "--handle=brief", "--ip=" + address);
        ran(us, "", "ipam", "release", "--ip=" + address);
        var stored = store.get(key).orElseThrow();
        assertThat(store.commit(List.of(new Write.Delete(key, stored.revision()))))
                .isInstanceOf(Commit.Done.class);
    }

    @Test
    void aStoppedLeaderWritesNothingWhenItResumes() throws Exception {
        try (var store = store();
                var controllers = ControllerProcesses.in(home)) {
            var cluster = settle(store);
            var first = controllers.start(shellOf("a"), "a", SHORTER_THAN_A_LEASE);
            first.awaitErr("a leads");
            var second = controllers.start(shellOf("b"), "b", "1h");
            second.awaitErr("waiting: a leads");
            var addressOfRisen = cluster.give("risen");
            var addressOfTestator = cluster.give("testator");
            cluster.give("gone");
            await().atMost(StoppedLeader.PATIENCE).until(() -> suspects(first) == 3);
            first.suspend();
            second.awaitErr("b leads");
            // Of three addresses that it was about to free, two are used again.
            cluster.report("risen", addressOfRisen);
            ran(shellOf("us"), "", "ipam", "release-handle", OneNodeCluster.handle("testator"));
            var addressOfHeir = cluster.give("heir");
            cluster.report("heir", addressOfHeir);
            var before = cluster.records();

            first.resume();
            first.awaitErr("a no longer leads");
            first.awaitErr("waiting: b leads");
            // A process that ends has finished what was under way.
            first.terminate();
            first.end();

            assertThat(addressOfHeir).isEqualTo(addressOfTestator);
            assertThat(cluster.records()).isEqualTo(before);
            assertThat(cluster.handles()).containsExactlyInAnyOrder("net.gone", "net.heir", "net.living", "net.risen");
            assertThat(ran(shellOf("a"), "", "history", "-o", "json", "--limit", "1000"))
                    .contains("observed block")
                    .doesNotContainPattern("\"request\": ?\"(?!observed block)");
            assertThat(cluster.lease()).contains("\"holderIdentity\":\"b\"", "\"leaseTransitions\":1");
        }
    }

    @Test
    void aLeaderThatIsAskedToStopHandsOverBeforeItsLeaseExpires() throws Exception {
        try (var store = store();
                var controllers = ControllerProcesses.in(home)) {
            var cluster = settle(store);
            var first = controllers.start(shellOf("a"), "a", "1s");
            first.awaitErr("a leads");
            var second = controllers.start(shellOf("b"), "b", "1s");
            second.awaitErr("waiting: a leads");
            var watch = store.watch(
                    OneNodeCluster.LEASES,
                    store.get(OneNodeCluster.LEASE).orElseThrow().revision());

            first.terminate();
            var ended = first.end();
            second.awaitErr("b leads");

            var holders = holdersUntil("b", watch);
            cluster.give("gone");
            await().atMost(StoppedLeader.PATIENCE).until(() -> cluster.handles().equals(List.of("net.living")));
            assertThat(holders).endsWith("", "b");
            assertThat(ended.exitCode()).isIn(0, 143);
            assertThat(ended.err()).contains("a no longer leads");
        }
    }

    /// All holders of the lease since the watch began, up to the given one.
    private static List<String> holdersUntil(String last, Watch watch) {
        var holders = new ArrayList<String>();
        try (watch) {
            await().atMost(StoppedLeader.PATIENCE).until(() -> {
                if (watch.next(A_SECOND) instanceof Watch.Notice.Changed changed) {
                    changed.changes().forEach(change -> note(change, holders));
                }
                return holders.contains(last);
            });
        }
        return holders;
    }

    private static void note(Watch.Change change, List<String> holders) {
        if (change instanceof Watch.Change.Put(var document) && document.key().equals(OneNodeCluster.LEASE)) {
            var json = Json.readObject(document.key(), document.value());
            var reader = new Fields(document.key());
            holders.add(reader.text(reader.object(json, "spec"), "holderIdentity"));
        }
    }
}
