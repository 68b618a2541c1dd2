package io.cadastre.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cadastre.address.Address;
import io.cadastre.address.Family;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.etcd.EtcdDatastore;
import io.cadastre.datastore.etcd.EtcdProcess;
import io.cadastre.datastore.memory.MemoryJournal;
import io.cadastre.datastore.sqlite.SqliteDatastore;
import io.cadastre.datastore.sqlite.SqliteSettings;
import io.cadastre.engine.Decision;
import io.cadastre.engine.block.AssignRequest;
import io.cadastre.engine.block.Assignment;
import io.cadastre.engine.block.BlockChange;
import io.cadastre.engine.block.BlockEngine;
import io.cadastre.engine.block.BlockView;
import io.cadastre.engine.block.Claimant;
import io.cadastre.engine.block.Use;
import io.cadastre.registry.Ledger;
import io.cadastre.registry.Registrar;
import io.cadastre.registry.Request;
import io.cadastre.wire.calico.CalicoBook;
import io.cadastre.wire.calico.CalicoKeys;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Controllers as processes, on one store.
@Timeout(300)
class ControllerTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String LEASE =
            "/cadastre/apis/coordination.k8s.io/v1/leases/kube-system/cadastre-controller";

    private final List<RunningProcess> running = new ArrayList<>();

    @TempDir Path home;

    @AfterEach
    void stopProcesses() {
        running.forEach(RunningProcess::close);
    }

    private RunningProcess controller(Shell shell, String identity) throws IOException {
        var command =
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "io.cadastre.cli.Main",
                        "controller",
                        "--identity=" + identity,
                        "--leak-grace-period=1s",
                        "--listen=127.0.0.1:0");
        var process = RunningProcess.start(home, shell.environment(), command);
        running.add(process);
        return process;
    }

    private static void put(Datastore store, String key, String json) {
        var value = Bytes.ofUtf8(json);
        var write =
                store.get(key)
                        .<Write>map(former -> new Write.Update(key, value, former.revision()))
                        .orElseGet(() -> new Write.Create(key, value));
        assertThat(store.commit(List.of(write))).isInstanceOf(Commit.Done.class);
    }

    private static void settle(Shell shell, Datastore store) {
        var ended =
                shell.runPiping(
                        """
                        apiVersion: projectcalico.org/v3
                        kind: IPPool
                        metadata: {name: default}
                        spec: {cidr: 10.244.0.0/16, blockSize: 26}
                        ---
                        apiVersion: projectcalico.org/v3
                        kind: Node
                        metadata: {name: node-1}
                        spec: {orchRefs: [{orchestrator: k8s, nodeName: node-1}]}
                        """,
                        "apply",
                        "-f",
                        "-");
        assertThat(ended.exitCode()).as(ended.err()).isZero();
        put(
                store,
                "/cadastre/api/v1/nodes/node-1",
                "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"node-1\"}}");
    }

    /// Gives the pod an address as a plugin does.
    private static String give(Datastore store, String pod) {
        InstantSource clock = () -> Shell.NOON;
        var registrar =
                new Registrar<>(
                        new CalicoBook(store, clock),
                        new Ledger(new MemoryJournal()),
                        Registrar.Limits.DEFAULT,
                        clock,
                        new SplittableRandom(1),
                        _ -> {});
        var owner = new TreeMap<>(Map.of("namespace", "default", "pod", pod, "node", "node-1"));
        var request =
                AssignRequest.on("node-1", Use.WORKLOAD, Shell.NOON)
                        .by(Claimant.of("net." + pod, owner))
                        .ipv4(AssignRequest.Ask.of(1));
        registrar.enact(
                new Request<BlockView, BlockChange, Assignment>(
                        "give", (view, lost) -> BlockEngine.assign(view, request.after(lost))));
        return registrar
                .explain(
                        new Request<BlockView, BlockChange, String>(
                                "look",
                                view ->
                                        new Decision<>(
                                                view.blocks(Family.IPV4).stream()
                                                        .flatMap(
                                                                block ->
                                                                        block
                                                                                .addressesOf(
                                                                                        "net."
                                                                                                + pod)
                                                                                .stream())
                                                        .map(Address::toString)
                                                        .collect(Collectors.joining()),
                                                List.of(),
                                                List.of())))
                .outcome();
    }

    /// The pod reports its address.
    private static void report(Datastore store, String pod, String address) {
        put(
                store,
                "/cadastre/api/v1/pods/default/" + pod,
                """
                {"apiVersion":"v1","kind":"Pod","metadata":{"namespace":"default","name":"%s"},\
                "spec":{"nodeName":"node-1"},\
                "status":{"phase":"Running","podIP":"%s","podIPs":[{"ip":"%s"}]}}\
                """
                        .formatted(pod, address, address));
    }

    private static List<String> handles(Datastore store) {
        return store.listAll(CalicoKeys.HANDLES).documents().stream()
                .map(document -> document.key().substring(CalicoKeys.HANDLES.length()))
                .toList();
    }

    private static String lease(Datastore store) {
        return store.get(LEASE).map(document -> document.value().utf8()).orElse("");
    }

    private void aStoppedLeaderFreesNothingWhenItGoesOn(Shell shell, Datastore store)
            throws Exception {
        settle(shell, store);
        report(store, "living", give(store, "living"));
        var first = controller(shell, "a");
        first.awaitErr("a leads");
        var second = controller(shell, "b");
        second.awaitErr("waiting: a leads");
        give(store, "gone-1");
        await().atMost(PATIENCE).until(() -> handles(store).equals(List.of("net.living")));

        IntStream.range(2, 12).forEach(number -> give(store, "gone-" + number));
        first.suspend();
        second.awaitErr("b leads");
        await().atMost(PATIENCE).until(() -> handles(store).equals(List.of("net.living")));
        // Their addresses now go to pods that live.
        for (int number = 0; number < 10; number++) {
            report(store, "new-" + number, give(store, "new-" + number));
        }
        first.resume();
        first.awaitErr("a leads no more");
        first.awaitErr("waiting: b leads");
        var held = handles(store);
        second.terminate();
        var ended = second.end();
        await().atMost(PATIENCE).until(() -> lease(store).contains("\"holderIdentity\":\"a\""));
        give(store, "gone-12");
        await().atMost(PATIENCE).until(() -> !handles(store).contains("net.gone-12"));

        assertThat(held).hasSize(11);
        assertThat(handles(store)).isEqualTo(held);
        assertThat(ended.exitCode()).isIn(0, 143);
        assertThat(ended.err()).contains("cadastre: stopping");
    }

    @Test
    void onTheEmbeddedStoreAStoppedLeaderFreesNothingWhenItGoesOn() throws Exception {
        var shell = Shell.at(home);
        try (var store =
                SqliteDatastore.open(SqliteSettings.of(Office.storeIn(shell.dataDirectory())))) {
            aStoppedLeaderFreesNothingWhenItGoesOn(shell, store);
        }
    }

    @Test
    void onEtcdAStoppedLeaderFreesNothingWhenItGoesOn() throws Exception {
        try (var etcd = EtcdProcess.start(home);
                var store = EtcdDatastore.open(etcd.settings())) {
            var shell =
                    Shell.at(home)
                            .with("DATASTORE_TYPE", "etcdv3")
                            .with("ETCD_ENDPOINTS", etcd.endpoint().toString());

            aStoppedLeaderFreesNothingWhenItGoesOn(shell, store);
        }
    }

    @Test
    void interruptedItGivesUpItsLeaseAndEnds() throws Exception {
        var shell = Shell.at(home);
        var process = controller(shell, "a");
        process.awaitErr("a leads");
        process.awaitOut("controller a stands for election; its pages are on http://");

        process.interrupt();
        var ended = process.end();

        assertThat(ended.err()).contains("cadastre: stopping").contains("a leads no more");
        try (var store =
                SqliteDatastore.open(SqliteSettings.of(Office.storeIn(shell.dataDirectory())))) {
            assertThat(lease(store)).contains("\"holderIdentity\":\"\"");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "--leak-grace-period=soon, --leak-grace-period 'soon' is no duration; write it as 15m or"
                + " 90s",
        "--listen=9094, --listen '9094' is no address and port; write it as 127.0.0.1:9094",
        "--listen=127.0.0.1:99999, '--listen ''127.0.0.1:99999'' is no address and port; write it"
                + " as 127.0.0.1:9094'",
        "--lease-name=a/b, --lease-name 'a/b' is no name"
    })
    void whatMakesNoSenseIsWrongUsage(String option, String sentence) {
        var ended = Shell.at(home).run("controller", option);

        assertThat(ended.exitCode()).isEqualTo(2);
        assertThat(ended.err()).startsWith("cadastre: " + sentence + "\n");
    }

    @Test
    void aPlaceThatIsTakenIsAFailure() throws IOException {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var listen = "127.0.0.1:" + taken.getLocalPort();

            var ended = Shell.at(home).run("controller", "--listen=" + listen);

            assertThat(ended.exitCode()).isEqualTo(1);
            assertThat(ended.err())
                    .isEqualTo(
                            "cadastre: cannot listen on %s: Address already in use\n"
                                    .formatted(listen));
        }
    }
}
