package io.cadastre.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cadastre.address.Address;
import io.cadastre.controller.collection.ClusterSource;
import io.cadastre.controller.collection.GarbageCollection;
import io.cadastre.controller.collection.LeakGrace;
import io.cadastre.controller.election.ElectionSettings;
import io.cadastre.controller.election.LeadershipLostException;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.datastore.memory.MemoryJournal;
import io.cadastre.engine.block.Attempts;
import io.cadastre.engine.block.BlockChange;
import io.cadastre.engine.block.BlockEngine;
import io.cadastre.engine.block.BlockView;
import io.cadastre.engine.block.assign.AddressAssignment;
import io.cadastre.engine.block.assign.AssignAddressRequest;
import io.cadastre.engine.block.assign.Requester;
import io.cadastre.registry.Ledger;
import io.cadastre.registry.Registrar;
import io.cadastre.registry.Request;
import io.cadastre.wire.calico.CalicoBook;
import io.cadastre.wire.calico.CalicoKey;
import io.cadastre.wire.calico.CalicoKeys;
import io.cadastre.wire.kubernetes.CoreKeys;
import io.cadastre.wire.kubernetes.NodeBook;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Controllers with all their threads, on one store in memory.
@Timeout(180)
class ControllerTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration GRACE = Duration.ofMillis(500);
    private static final Instant BEGINNING = Instant.parse("2026-01-02T03:04:05Z");

    private final long started = System.nanoTime();
    private final InstantSource clock = () -> BEGINNING.plusNanos(System.nanoTime() - started);
    private final MemoryDatastore store = new MemoryDatastore();
    private final List<Controller> running = new ArrayList<>();
    private final List<FreezableStore> stores = new ArrayList<>();
    private final List<String> reports = new CopyOnWriteArrayList<>();
    private final HttpClient client = HttpClient.newHttpClient();
    private final Registrar<BlockView, BlockChange> beside = registrar(store);

    private Registrar<BlockView, BlockChange> registrar(Datastore seen) {
        return new Registrar<>(
                new CalicoBook(seen, clock),
                new Ledger(new MemoryJournal()),
                Registrar.Limits.DEFAULT,
                clock,
                new SplittableRandom(2),
                _ -> {});
    }

    @BeforeEach
    void settle() {
        put(new CalicoKey.OfPool("default").text(), """
            {"kind":"IPPool","apiVersion":"projectcalico.org/v3","metadata":{"name":"default"},\
            "spec":{"cidr":"10.0.0.0/24","blockSize":30,"nodeSelector":"all()"}}\
            """);
        put(new CalicoKey.OfNode("node-1").text(), """
            {"kind":"Node","apiVersion":"projectcalico.org/v3","metadata":{"name":"node-1"},\
            "spec":{"orchRefs":[{"orchestrator":"k8s","nodeName":"node-1"}]}}\
            """);
        put(NodeBook.NODES + "node-1", "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"node-1\"}}");
        pod("living", "10.0.0.1");
        give("10.0.0.1", "living");
    }

    @AfterEach
    void stop() {
        stores.forEach(FreezableStore::thaw);
        running.forEach(Controller::close);
        client.close();
    }

    private void put(String key, String json) {
        var value = Bytes.ofUtf8(json);
        var write = store.get(key)
                .<Write>map(former -> new Write.Update(key, value, former.revision()))
                .orElseGet(() -> new Write.Create(key, value));
        assertThat(store.commit(List.of(write))).isInstanceOf(Commit.Done.class);
    }

    private void pod(String name, String address) {
        put("/cadastre/api/v1/pods/default/" + name, """
            {"apiVersion":"v1","kind":"Pod","metadata":{"namespace":"default","name":"%s"},\
            "spec":{"nodeName":"node-1"},\
            "status":{"phase":"Running","podIP":"%s","podIPs":[{"ip":"%s"}]}}\
            """.formatted(name, address, address));
    }

    private void give(String address, String pod) {
        var owner = new TreeMap<>(Map.of("namespace", "default", "pod", pod, "node", "node-1"));
        var request = AssignAddressRequest.of(
                Address.parse(address), "node-1", Requester.of("net." + pod, owner), clock.instant());
        var outcome = beside.enact(new Request<>("give", view -> BlockEngine.assignAddress(view, request)));
        assertThat(outcome).isInstanceOf(AddressAssignment.Assigned.class);
    }

    private void release(String pod) {
        beside.enact(new Request<>(
                "release", view -> BlockEngine.releaseByHandle(view, "net." + pod, Attempts.first(clock.instant()))));
    }

    private List<String> handles() {
        return store.listAll(CalicoKeys.HANDLES).documents().stream()
                .map(document -> document.key().substring(CalicoKeys.HANDLES.length()))
                .toList();
    }

    /// A controller, with its own view of the store, which is kept in `stores`.
    private Controller start(String identity) {
        return start(identity, ClusterSource.CALICO_AND_KUBERNETES);
    }

    private Controller start(String identity, ClusterSource source) {
        return start(identity, context -> List.of(new GarbageCollection(context, new LeakGrace.Fixed(GRACE), source)));
    }

    private Controller start(String identity, Function<ControllerContext, List<ControlLoop>> loopsWith) {
        var own = new FreezableStore(store);
        stores.add(own);
        var settings = new ControllerSettings(
                new ElectionSettings(
                        "kube-system",
                        "cadastre-controller",
                        identity,
                        Duration.ofSeconds(3),
                        Duration.ofSeconds(2),
                        Duration.ofMillis(100)),
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        var context = new ControllerContext(
                own,
                new Ledger(new MemoryJournal()),
                clock,
                System::nanoTime,
                new SplittableRandom(identity.hashCode()),
                Thread::sleep,
                sentence -> reports.add(identity + ": " + sentence));
        var controller = Controller.start(settings, context, loopsWith.apply(context));
        running.add(controller);
        return controller;
    }

    private HttpResponse<String> page(Controller controller, String path) {
        var uri = URI.create(
                "http://127.0.0.1:%d%s".formatted(controller.address().getPort(), path));
        try {
            return client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException | InterruptedException broken) {
            throw new AssertionError(broken);
        }
    }

    private boolean leads(Controller controller) {
        return page(controller, "/metrics").body().contains("\ncadastre_controller_leading 1\n");
    }

    @Test
    void whatALeakCostsIsTakenBackAndShown() {
        give("10.0.0.2", "gone");

        var controller = start("a");
        await().atMost(PATIENCE).until(() -> handles().equals(List.of("net.living")));
        await().atMost(PATIENCE)
                .until(() -> page(controller, "/metrics")
                        .body()
                        .contains("ipam_allocations_gc_reclamations{ippool=\"default\",node=\"node-1\"}" + " 1\n"));

        assertThat(page(controller, "/readyz?verbose").body())
                .isEqualTo("[+]ping ok\n[+]in-sync ok\n[+]garbage-collector ok\nreadyz check passed\n");
        assertThat(page(controller, "/livez?verbose").body())
                .isEqualTo("[+]ping ok\n[+]election ok\n[+]garbage-collector ok\nlivez check passed\n");
        assertThat(reports).contains("a: a leads", "a: released leaked 10.0.0.2");
    }

    @Test
    void nodesAndPodsAreListedOnceForAllThatNeedThem() {
        var calicosNode = store.get(new CalicoKey.OfNode("node-1").text()).orElseThrow();
        store.commit(List.of(new Write.Delete(calicosNode.key(), calicosNode.revision())));
        give("10.0.0.2", "gone");

        start("a", ClusterSource.KUBERNETES);
        await().atMost(PATIENCE).until(() -> handles().equals(List.of("net.living")));

        assertThat(stores.getFirst().listed())
                .filteredOn(prefix -> prefix.endsWith("/nodes/") || prefix.endsWith("/pods/"))
                .containsExactlyInAnyOrder(CoreKeys.NODES, CoreKeys.PODS);
        await().atMost(PATIENCE).until(() -> reports.contains("a: released leaked 10.0.0.2"));
    }

    @Test
    void aPodThatDiesLaterIsNoticed() {
        give("10.0.0.2", "web");
        pod("web", "10.0.0.2");
        var controller = start("a");
        await().atMost(PATIENCE).until(() -> leads(controller));

        store.get("/cadastre/api/v1/pods/default/web")
                .ifPresent(pod -> store.commit(List.of(new Write.Delete(pod.key(), pod.revision()))));

        await().atMost(PATIENCE).until(() -> handles().equals(List.of("net.living")));
    }

    @Test
    void whoWaitsIsReadyAndShowsNoFiguresOfAddresses() {
        var first = start("a");
        await().atMost(PATIENCE).until(() -> leads(first));

        var second = start("b");
        await().atMost(PATIENCE).until(() -> page(second, "/readyz").statusCode() == 200);

        assertThat(page(second, "/metrics").body()).doesNotContain("ipam_").contains("cadastre_controller_leading 0");
        await().atMost(PATIENCE).until(() -> reports.contains("b: waiting: a leads"));
        assertThat(stores.get(1).committed()).isEmpty();
    }

    @Test
    void whoIsClosedHandsOverAtOnce() {
        var first = start("a");
        await().atMost(PATIENCE).until(() -> leads(first));
        var second = start("b");
        await().atMost(PATIENCE).until(() -> reports.contains("b: waiting: a leads"));

        long begin = System.nanoTime();
        first.close();
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(20)).until(() -> leads(second));
        var took = Duration.ofNanos(System.nanoTime() - begin);

        assertThat(took).isLessThan(Duration.ofSeconds(3));
    }

    /// It is stopped at the worst moment: it may still write, and is about to.
    @Test
    void aLeaderThatIsStoppedBeforeItWritesFreesNoLiveAddressWhenItGoesOn() {
        give("10.0.0.2", "old");
        var first = start("a");
        stores.getFirst().freezeAtCommitUnder(CalicoKeys.BLOCKS);
        await().atMost(PATIENCE).until(() -> stores.getFirst().frozen());

        release("old");
        give("10.0.0.2", "new");
        pod("new", "10.0.0.2");
        var second = start("b");
        await().atMost(PATIENCE).until(() -> leads(second));
        stores.getFirst().thaw();
        await().atMost(PATIENCE).until(() -> reports.contains("a: a no longer leads"));
        await().atMost(PATIENCE).until(() -> reports.contains("a: waiting: b leads"));

        assertThat(handles()).containsExactly("net.living", "net.new");
        assertThat(stores.getFirst().committed()).noneMatch(key -> key.startsWith("/calico/"));
        assertThat(leads(first)).isFalse();
    }

    @Test
    void aLeaderThatWasStoppedAndGoesOnWritesNothing() {
        var first = start("a");
        await().atMost(PATIENCE).until(() -> leads(first));
        stores.getFirst().freeze();
        var second = start("b");
        await().atMost(PATIENCE).until(() -> leads(second));

        give("10.0.0.2", "gone");
        int before = stores.getFirst().committed().size();
        stores.getFirst().thaw();
        await().atMost(PATIENCE).until(() -> handles().equals(List.of("net.living")));
        await().atMost(PATIENCE).until(() -> reports.contains("a: waiting: b leads"));

        assertThat(stores.getFirst().committed()).hasSize(before);
        assertThat(reports).contains("b: released leaked 10.0.0.2");
    }

    @Test
    void aStoreWithoutPodsIsReportedOnce() {
        store.get("/cadastre/api/v1/pods/default/living")
                .ifPresent(pod -> store.commit(List.of(new Write.Delete(pod.key(), pod.revision()))));

        start("a");
        await().atMost(PATIENCE).until(() -> reports.stream().anyMatch(line -> line.contains("no pod was found")));

        assertThat(handles()).containsExactly("net.living");
    }

    @Test
    void twoLoopsShareEachListAndOneTerm() {
        var first = new PodCounter("first", "/counted/first");
        var second = new PodCounter("second", "/counted/second");

        var controller = start("a", _ -> List.of(first, second));
        await().atMost(PATIENCE).until(() -> leads(controller));
        await().atMost(PATIENCE).until(() -> page(controller, "/readyz").statusCode() == 200);
        await().atMost(PATIENCE).until(() -> !second.fences().isEmpty());

        assertThat(stores.getFirst().listed()).containsExactly(CoreKeys.PODS);
        assertThat(first.pods()).isEqualTo(second.pods()).hasSize(1);
        assertThat(page(controller, "/livez?verbose").body())
                .isEqualTo("[+]ping ok\n[+]election ok\n[+]first ok\n[+]second ok\nlivez check passed\n");
        assertThat(first.fences()).hasSize(1);
        assertThat(first.fences().getFirst()).isSameAs(second.fences().getFirst());
        controller.close();
        assertThatThrownBy(() -> first.fences().getFirst().commit(List.of()))
                .isInstanceOf(LeadershipLostException.class);
    }

    @Test
    void aNewLeaderWritesAtOnceAndListsNothingAnew() {
        var first = start("a", _ -> List.of(new PodCounter("pods", "/counted/by-a")));
        await().atMost(PATIENCE).until(() -> leads(first));
        var waiting = new PodCounter("pods", "/counted/by-b");
        var second = start("b", _ -> List.of(waiting));
        await().atMost(PATIENCE).until(() -> page(second, "/readyz").statusCode() == 200);
        pod("later", "10.0.0.2");
        await().atMost(PATIENCE).until(() -> waiting.pods().size() == 2);

        first.close();
        await().atMost(PATIENCE).until(() -> store.get("/counted/by-b").isPresent());

        assertThat(store.get("/counted/by-b").orElseThrow().value().utf8()).isEqualTo("2");
        assertThat(stores.get(1).listed()).containsExactly(CoreKeys.PODS);
    }
}
