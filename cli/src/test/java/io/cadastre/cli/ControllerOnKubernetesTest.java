package io.cadastre.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.RoutedDatastore;
import io.cadastre.datastore.RoutedDatastore.Route;
import io.cadastre.datastore.Watch;
import io.cadastre.datastore.kubernetes.KubeApiServer;
import io.cadastre.datastore.kubernetes.KubernetesDatastore;
import io.cadastre.datastore.kubernetes.KubernetesSettings.Access.Kubeconfig;
import io.cadastre.wire.calico.crd.ApiGroup;
import io.cadastre.wire.calico.crd.CalicoObjects;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.kubernetes.CoreObjects;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.regex.Pattern;

/// Controllers as processes, on a real API server.
@Timeout(600)
class ControllerOnKubernetesTest {

    private static final Path DEFINITIONS = Path.of("../deploy/crds/crd.projectcalico.org-v1.yaml");
    private static final String CALICO = "/apis/" + ApiGroup.CRD_V1.apiVersion() + "/";
    private static final List<String> KINDS =
            List.of("ippools", "ipamblocks", "blockaffinities", "ipamhandles");

    /// Has run out when a lease has: that takes 15 seconds from its last renewal, of which there is one every
    /// other second.
    private static final String SHORTER_THAN_A_LEASE = "12s";

    private static final Duration A_SECOND = Duration.ofSeconds(1);

    private static @Nullable KubeApiServer server;

    @TempDir Path home;

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
    void forgetWhatIsThere() {
        try (var client = server().client()) {
            KINDS.forEach(kind -> client.raw(CALICO + kind, "DELETE", null));
            client.pods().inAnyNamespace().withGracePeriod(0).delete();
            client.nodes().delete();
            client.leases().inNamespace("kube-system").withName("cadastre-controller").delete();
        }
    }

    private static KubeApiServer server() {
        return Objects.requireNonNull(server);
    }

    private static Datastore store() {
        var settings = server().settings();
        return RoutedDatastore.of(
                List.of(
                        new Route(
                                "/calico/",
                                KubernetesDatastore.open(
                                        settings,
                                        new CalicoObjects(ApiGroup.CRD_V1),
                                        new Random(1))),
                        new Route(
                                "/cadastre/",
                                KubernetesDatastore.open(
                                        settings, new CoreObjects(), new Random(1)))));
    }

    /// Somebody with a kubeconfig, and with a ledger of his own.
    private Shell shellOf(String name) {
        var access = (Kubeconfig) server().settings().access();
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
    private Village settle(Datastore store) {
        ran(
                shellOf("us"),
                """
                apiVersion: projectcalico.org/v3
                kind: IPPool
                metadata: {name: default}
                spec: {cidr: 10.244.0.0/30, blockSize: 30}
                """,
                "apply",
                "-f",
                "-");
        var village = new Village(store);
        village.addNode();
        village.report("living", village.give("living"));
        return village;
    }

    /// How many addresses the leader takes for leaked. He shows them once he has looked.
    private static int suspects(RunningProcess leader) throws IOException, InterruptedException {
        var pages = Pattern.compile("its pages are on (\\S+)").matcher(leader.out());
        assertThat(pages.find()).isTrue();
        try (var client = HttpClient.newHttpClient()) {
            var shown =
                    client.send(
                                    HttpRequest.newBuilder(URI.create(pages.group(1) + "/metrics"))
                                            .build(),
                                    BodyHandlers.ofString())
                            .body();
            var count =
                    Pattern.compile("ipam_allocations_gc_candidates\\{.*\"node-1\"} (\\d+)")
                            .matcher(shown);
            return count.find() ? Integer.parseInt(count.group(1)) : 0;
        }
    }

    @Test
    void aStoppedLeaderWritesNothingWhenItGoesOn() throws Exception {
        try (var store = store();
                var controllers = ControllerProcesses.in(home)) {
            var village = settle(store);
            var first = controllers.start(shellOf("a"), "a", SHORTER_THAN_A_LEASE);
            first.awaitErr("a leads");
            var second = controllers.start(shellOf("b"), "b", "1h");
            second.awaitErr("waiting: a leads");
            var addressOfRisen = village.give("risen");
            var addressOfTestator = village.give("testator");
            village.give("gone");
            await().atMost(StoppedLeader.PATIENCE).until(() -> suspects(first) == 3);
            first.suspend();
            second.awaitErr("b leads");
            // Of three addresses that it was about to free, two are used again.
            village.report("risen", addressOfRisen);
            ran(shellOf("us"), "", "ipam", "release-handle", Village.handle("testator"));
            var addressOfHeir = village.give("heir");
            village.report("heir", addressOfHeir);
            var before = village.records();

            first.resume();
            first.awaitErr("a leads no more");
            first.awaitErr("waiting: b leads");
            // Whoever ends has brought to an end what was under way.
            first.terminate();
            first.end();

            assertThat(addressOfHeir).isEqualTo(addressOfTestator);
            assertThat(village.records()).isEqualTo(before);
            assertThat(village.handles())
                    .containsExactlyInAnyOrder("net.gone", "net.heir", "net.living", "net.risen");
            assertThat(ran(shellOf("a"), "", "ledger", "verify")).startsWith("0 entries are sound");
            assertThat(village.lease())
                    .contains("\"holderIdentity\":\"b\"", "\"leaseTransitions\":1");
        }
    }

    @Test
    void aLeaderThatIsToldToEndHandsOverWithoutLettingItsLeaseRunOut() throws Exception {
        try (var store = store();
                var controllers = ControllerProcesses.in(home)) {
            var village = settle(store);
            var first = controllers.start(shellOf("a"), "a", "1s");
            first.awaitErr("a leads");
            var second = controllers.start(shellOf("b"), "b", "1s");
            second.awaitErr("waiting: a leads");
            var watch =
                    store.watch(Village.LEASES, store.get(Village.LEASE).orElseThrow().revision());

            first.terminate();
            var ended = first.end();
            second.awaitErr("b leads");

            var holders = holdersUntil("b", watch);
            village.give("gone");
            await().atMost(StoppedLeader.PATIENCE)
                    .until(() -> village.handles().equals(List.of("net.living")));
            assertThat(holders).endsWith("", "b");
            assertThat(ended.exitCode()).isIn(0, 143);
            assertThat(ended.err()).contains("a leads no more");
        }
    }

    /// All who had the lease since the watch began, until somebody has it.
    private static List<String> holdersUntil(String last, Watch watch) {
        var holders = new ArrayList<String>();
        try (watch) {
            await().atMost(StoppedLeader.PATIENCE)
                    .until(
                            () -> {
                                if (watch.next(A_SECOND) instanceof Watch.Notice.Changed changed) {
                                    changed.changes().forEach(change -> note(change, holders));
                                }
                                return holders.contains(last);
                            });
        }
        return holders;
    }

    private static void note(Watch.Change change, List<String> holders) {
        if (change instanceof Watch.Change.Put(var document)
                && document.key().equals(Village.LEASE)) {
            var json = Json.readObject(document.key(), document.value());
            var reader = new Fields(document.key());
            holders.add(reader.text(reader.object(json, "spec"), "holderIdentity"));
        }
    }
}
