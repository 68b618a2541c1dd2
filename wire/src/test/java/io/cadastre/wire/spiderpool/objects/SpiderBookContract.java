package io.cadastre.wire.spiderpool.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.address.Address;
import io.cadastre.address.RangeSet;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.engine.Survey;
import io.cadastre.engine.pool.ForcedReleaseRequest;
import io.cadastre.engine.pool.MissingPoolItem;
import io.cadastre.engine.pool.PodKey;
import io.cadastre.engine.pool.PodRoute;
import io.cadastre.engine.pool.PoolAllocation;
import io.cadastre.engine.pool.PoolChange;
import io.cadastre.engine.pool.PoolEngine;
import io.cadastre.engine.pool.PoolHoldings;
import io.cadastre.engine.pool.PoolNames;
import io.cadastre.engine.pool.PoolPreference;
import io.cadastre.engine.pool.PoolRecord;
import io.cadastre.engine.pool.PoolRecords;
import io.cadastre.engine.pool.PoolRelease;
import io.cadastre.engine.pool.PoolReleaseRequest;
import io.cadastre.engine.pool.PoolReleaseRequest.PodState;
import io.cadastre.engine.pool.PoolView;
import io.cadastre.engine.pool.RequestedRoutes;
import io.cadastre.registry.PageFullException;
import io.cadastre.wire.calico.RecordingStore;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.json.UnreadableDocumentException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What the book of pools promises in every store.
abstract class SpiderBookContract {

    private static final PodKey A = new PodKey("ns1", "a");
    private static final PodKey B = new PodKey("ns1", "b");
    private static final String UID_A = "23888f3c-d5f9-4b67-99a9-5b6485c958d7";
    private static final String UID_B = "cb16b291-7a8e-403a-8b0a-8c17ef018d4f";

    /// The number of agents that give addresses of one pool.
    private static final int RIVALS = 16;

    private Datastore store = new MemoryDatastore();

    /// An empty store.
    protected abstract Datastore open() throws Exception;

    @BeforeEach
    void openStore() throws Exception {
        store.close();
        store = open();
    }

    @AfterEach
    void closeStore() {
        store.close();
    }

    /// Stores a pool of which it is unknown what it gives.
    protected void putUnreadablePool(Datastore into, String name) {
        PoolProcess.put(into, SpiderKeys.pool(name), Bytes.ofUtf8("nonsense"));
    }

    private void putGolden(String scene, String name) {
        PoolProcess.putPool(
                store,
                name,
                SpiderpoolGolden.stored(scene, "spiderippools/" + name).json());
    }

    private String status(String key) {
        return Json.readObject(key, store.get(key).map(Document::value).orElseThrow())
                .path("status")
                .toString();
    }

    private static String golden(String scene, String object) {
        return SpiderpoolGolden.stored(scene, object).json().path("status").toString();
    }

    @Test
    @DisplayName("SR-01 to SR-05, SR-11: pods come and go, and every document is Spiderpool's")
    void documentsAreThoseOfSpiderpool() {
        putGolden("SR-01", "p4");
        putGolden("SR-01", "p6");
        var agency = PoolProcess.on(store);

        agency.allocate(PoolProcess.request(
                A,
                UID_A,
                new PoolPreference.Single(new PoolNames(List.of("p4"), List.of("p6"))),
                new RequestedRoutes.Listed(List.of(new PodRoute("10.99.0.0/16", "172.18.40.3")))));

        assertThat(status(SpiderKeys.pool("p4"))).isEqualTo(golden("SR-02", "spiderippools/p4"));
        assertThat(status(SpiderKeys.pool("p6"))).isEqualTo(golden("SR-02", "spiderippools/p6"));
        assertThat(status(SpiderKeys.endpoint(A))).isEqualTo(golden("SR-02", "namespaces/ns1/spiderendpoints/a"));

        agency.given(B, UID_B, "p4");

        assertThat(status(SpiderKeys.pool("p4"))).isEqualTo(golden("SR-03", "spiderippools/p4"));
        assertThat(status(SpiderKeys.endpoint(B))).isEqualTo(golden("SR-03", "namespaces/ns1/spiderendpoints/b"));

        agency.release(A, UID_A, new PodState.Alive());

        assertThat(status(SpiderKeys.pool("p4"))).isEqualTo(golden("SR-04", "spiderippools/p4"));

        agency.release(A, UID_A, new PodState.Leaving(UID_A));

        assertThat(status(SpiderKeys.pool("p4"))).isEqualTo(golden("SR-05", "spiderippools/p4"));
        assertThat(status(SpiderKeys.pool("p6"))).isEqualTo(golden("SR-05", "spiderippools/p6"));
        assertThat(store.get(SpiderKeys.endpoint(A))).isEmpty();

        agency.release(B, UID_B, new PodState.Leaving(UID_B));

        assertThat(status(SpiderKeys.pool("p4"))).isEqualTo(golden("SR-11", "spiderippools/p4"));
    }

    @Test
    void reservedAddressesAreNotGiven() {
        PoolProcess.pool(store, "p", "{\"subnet\":\"10.6.0.0/24\",\"ips\":[\"10.6.0.1-10.6.0.9\"]}");
        PoolProcess.object(store, SpiderKinds.RESERVED, "r", "{\"ips\":[\"10.6.0.1-10.6.0.3\"]}");
        PoolProcess.object(store, SpiderKinds.RESERVED, "s", "{\"ips\":[\"10.6.0.5\"]}");
        var agency = PoolProcess.on(store);

        var a = agency.given(A, "u1", "p");
        var b = agency.given(B, "u2", "p");

        assertThat(a).containsExactly("10.6.0.4/24");
        assertThat(b).containsExactly("10.6.0.6/24");
    }

    @Test
    void patternsAndDefaultPoolsAreFoundAndUnreadablePoolsPassedOver() {
        PoolProcess.pool(store, "p-1", "{\"subnet\":\"10.6.0.0/24\",\"ips\":[\"10.6.0.1\"],\"default\":true}");
        PoolProcess.pool(store, "p-2", "{\"subnet\":\"10.7.0.0/24\",\"ips\":[\"10.7.0.1\"]}");
        putUnreadablePool(store, "p-0");
        var agency = PoolProcess.on(store);

        var byDefault =
                agency.allocate(PoolProcess.request(A, "u1", new PoolPreference.Silent(), RequestedRoutes.NONE));
        var byPattern = agency.given(B, "u2", "p-*");

        assertThat(byDefault).isInstanceOf(PoolAllocation.Allocated.class);
        assertThat(byPattern).containsExactly("10.7.0.1/24");
    }

    @Test
    void lostAnswerGivesTheSameAddress() {
        PoolProcess.pool(store, "p", "{\"subnet\":\"10.6.0.0/24\",\"ips\":[\"10.6.0.1-10.6.0.9\"]}");
        var trial = new RecordingStore(store);
        var agency = PoolProcess.on(trial);
        trial.loseNextAnswer();

        var given = agency.given(A, "u1", "p");

        assertThat(given).containsExactly("10.6.0.1/24");
        assertThat(PoolProcess.pool(store, "p").pool().records()).hasSize(1);
    }

    @Test
    void lostRequestIsAskedAgain() {
        PoolProcess.pool(store, "p", "{\"subnet\":\"10.6.0.0/24\",\"ips\":[\"10.6.0.1-10.6.0.9\"]}");
        var trial = new RecordingStore(store);
        var agency = PoolProcess.on(trial);
        trial.loseNextRequest();

        var given = agency.given(A, "u1", "p");

        assertThat(given).containsExactly("10.6.0.1/24");
        assertThat(PoolProcess.pool(store, "p").pool().records()).hasSize(1);
    }

    @Test
    void rivalWhoTakesTheAddressFirstHasIt() {
        PoolProcess.pool(store, "p", "{\"subnet\":\"10.6.0.0/24\",\"ips\":[\"10.6.0.1-10.6.0.9\"]}");
        var trial = new RecordingStore(store);
        var rival = PoolProcess.on(store);
        trial.beforeNextCommit(() -> rival.given(B, "u2", "p"));

        var given = PoolProcess.on(trial).given(A, "u1", "p");

        assertThat(given).containsExactly("10.6.0.2/24");
    }

    /// A record that is found is used only if it is still there when that is written.
    @Test
    void recordThatIsTakenBackMeanwhileIsNotUsed() {
        PoolProcess.pool(store, "p", "{\"subnet\":\"10.6.0.0/24\",\"ips\":[\"10.6.0.1-10.6.0.9\"]}");
        var pool = PoolProcess.pool(store, "p");
        // The record without the endpoint that tells of it, as a stopped process left it.
        var left = new TreeMap<Address, PoolRecord>();
        left.put(Address.parse("10.6.0.5"), new PoolRecord("ns1/a", "u1"));
        replace(SpiderKeys.pool("p"), pool.encodeWith(PoolRecords.of(left)));
        var trial = new RecordingStore(store);
        trial.beforeNextCommit(() -> replace(SpiderKeys.pool("p"), pool.encodeWith(PoolRecords.NONE)));

        var given = PoolProcess.on(trial).given(A, "u1", "p");

        assertThat(given).containsExactly("10.6.0.1/24");
        assertThat(PoolProcess.pool(store, "p").pool().records()).hasSize(1);
    }

    /// What is left to be confirmed, or to be barred where a pool has records and where it has none.
    @ParameterizedTest
    @ValueSource(strings = {"confirm", "bar", "bar unused"})
    void writeThatArrivesAfterItsPoolWasConfirmedOrBarredIsAConflict(String change) {
        PoolProcess.pool(store, "p", "{\"subnet\":\"10.6.0.0/24\",\"ips\":[\"10.6.0.1-10.6.0.9\"]}");
        var record = new PoolRecord("ns1/a", "u1");
        var address = Address.parse("10.6.0.1");
        if (!change.equals("bar unused")) {
            PoolProcess.on(store).given(A, "u1", "p");
        }
        var records = PoolProcess.pool(store, "p").pool().records();
        for (int round = 1; round <= 3; round++) {
            var before = store.get(SpiderKeys.pool("p")).orElseThrow();
            var late = new Write.Update(
                    before.key(),
                    PoolProcess.pool(store, "p")
                            .encodeWith(PoolRecords.of(new TreeMap<>(Map.of(Address.parse("10.6.0.9"), record)))),
                    before.revision());

            var saved = new SpiderBook(store, InstantSource.fixed(PoolProcess.NOW))
                    .open()
                    .reading(new MissingPoolItem.OfPool("p"))
                    .with(List.of(
                            change.equals("confirm")
                                    ? new PoolChange.Confirm("p", address, record)
                                    : new PoolChange.Bar("p")))
                    .save();

            assertThat(saved).isInstanceOf(Commit.Done.class);
            assertThat(store.commit(List.of(late))).isInstanceOf(Commit.Conflict.class);
            assertThat(PoolProcess.pool(store, "p").pool().records()).isEqualTo(records);
        }
    }

    /// If the save stopped after the pool, the endpoint would have an address that the pool gives to others.
    @Test
    void endpointIsNotEmptiedAndFilledByOneCommit() {
        PoolProcess.pool(store, "p", "{\"subnet\":\"10.6.0.0/24\",\"ips\":[\"10.6.0.1-10.6.0.9\"]}");
        PoolProcess.on(store).given(A, "u1", "p");
        var page = new SpiderBook(store, InstantSource.fixed(PoolProcess.NOW))
                .open()
                .reading(new MissingPoolItem.OfPool("p"))
                .reading(new MissingPoolItem.OfEndpoint(A));
        var endpoint = page.view().findEndpoint(A).orElseThrow();

        var emptied = page.with(PoolEngine.forceRelease(page.view(), new ForcedReleaseRequest(A, "u1"))
                .changes());

        assertThat(emptied.view().findEndpoint(A).stream()
                        .allMatch(left -> left.nics().isEmpty()))
                .isTrue();
        assertThatThrownBy(() -> emptied.with(List.of(new PoolChange.PutEndpoint(endpoint))))
                .isInstanceOf(PageFullException.class)
                .hasMessageContaining("would be emptied and filled by one commit");
    }

    private void replace(String key, Bytes value) {
        long revision = store.get(key).orElseThrow().revision();
        assertThat(store.commit(List.of(new Write.Update(key, value, revision))))
                .isInstanceOf(Commit.Done.class);
    }

    @Test
    @DisplayName("C58: sixteen agents, one pod after the other, use up a pool, and none of its addresses is doubled or"
            + " missing")
    void sixteenAgentsUseUpAPool() throws Exception {
        int each = 12;
        int addresses = RIVALS * each;
        PoolProcess.pool(
                store, "p", "{\"subnet\":\"10.6.0.0/16\",\"ips\":[\"10.6.1.1-10.6.1.%d\"]}".formatted(addresses));

        var given = atOnce(each, (agency, key) -> agency.given(key, "uid-" + key.name(), "p"));

        assertThat(new HashSet<>(given)).hasSize(addresses);
        assertThat(given).hasSize(addresses);
        var pool = PoolProcess.pool(store, "p");
        assertThat(pool.pool().records()).hasSize(addresses);
        assertThat(pool.json().at("/status/allocatedIPCount").toString()).isEqualTo(Integer.toString(addresses));
        assertThat(Survey.of(PoolHoldings.of(PoolView.whole(List.of(pool.pool()), RangeSet.EMPTY, List.of()))))
                .isEmpty();
        assertThat(PoolProcess.on(store).allocate(A, "one-more", "p")).isInstanceOf(PoolAllocation.Refused.class);

        atOnce(
                each,
                (agency, key) -> List.of(agency.release(key, "uid-" + key.name(), new PodState.Gone())
                        .toString()));

        assertThat(PoolProcess.pool(store, "p").json().at("/status").toString())
                .isEqualTo("{\"allocatedIPCount\":0,\"totalIPCount\":%d}".formatted(addresses));
        assertThat(store.listAll(SpiderKeys.ENDPOINTS).documents()).isEmpty();
    }

    /// What one agent does for one pod.
    @FunctionalInterface
    private interface Operation {
        List<String> of(PoolProcess agency, PodKey key);
    }

    /// Every agent serves its pods one after the other, all agents at once.
    private List<String> atOnce(int each, Operation operation) throws Exception {
        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            var tasks = IntStream.range(0, RIVALS)
                    .<Callable<List<String>>>mapToObj(rival -> () -> {
                        var agency = PoolProcess.asShippedOn(store, rival);
                        var all = new ArrayList<String>();
                        for (int pod = 0; pod < each; pod++) {
                            all.addAll(operation.of(agency, new PodKey("ns1", "pod-%d-%d".formatted(rival, pod))));
                        }
                        return all;
                    })
                    .toList();
            var all = new ArrayList<String>();
            for (var future : executor.invokeAll(tasks)) {
                all.addAll(future.get());
            }
            return all;
        }
    }

    /// As agents ship, with all pods of a node at once and no more attempts than a registrar makes.
    @Test
    @DisplayName("C58: 4 agents, 100 pods at once, a pool of 100")
    void poolThatJustSufficesIsUsedUpByPodsThatAskAtOnce() throws Exception {
        int agents = 4;
        int addresses = 100;
        PoolProcess.pool(store, "p", "{\"subnet\":\"10.6.0.0/16\",\"ips\":[\"10.6.1.1-10.6.1.100\"]}");
        var processes = IntStream.range(0, agents)
                .mapToObj(rival -> PoolProcess.asShippedOn(store, rival))
                .toList();

        var given = new ArrayList<String>();
        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            var tasks = IntStream.range(0, addresses)
                    .<Callable<List<String>>>mapToObj(pod ->
                            () -> processes.get(pod % agents).given(new PodKey("ns1", "pod-" + pod), "uid-" + pod, "p"))
                    .toList();
            for (var future : executor.invokeAll(tasks)) {
                given.addAll(future.get());
            }
        }

        assertThat(given).hasSize(addresses).doesNotHaveDuplicates();
        var pool = PoolProcess.pool(store, "p");
        assertThat(pool.pool().held().size()).isEqualTo(addresses);
        assertThat(pool.json().at("/status/allocatedIPCount").toString()).isEqualTo("100");
        assertThat(store.listAll(SpiderKeys.ENDPOINTS).documents()).hasSize(addresses);
    }

    @Test
    void endpointThatIsNotExpectedIsNotReadAndIsAnsweredAllTheSame() {
        PoolProcess.pool(store, "p", "{\"subnet\":\"10.6.0.0/24\",\"ips\":[\"10.6.0.1-10.6.0.2\"]}");
        PoolProcess.pool(store, "q", "{\"subnet\":\"10.7.0.0/24\",\"ips\":[\"10.7.0.1\"]}");
        var agency = PoolProcess.on(store);
        var trial = new RecordingStore(store);
        var unexpecting = PoolProcess.on(trial);

        var first = unexpecting.givenUnexpectedly(A, "u1", "p");
        int readings = trial.takeReadings();
        // It has one by now, of another pool than it would get today.
        agency.given(B, "u2", "q");
        var other = unexpecting.givenUnexpectedly(B, "u2", "p");
        var again = unexpecting.givenUnexpectedly(A, "u1", "p");

        assertThat(first).containsExactly("10.6.0.1/24");
        // The pool, the reserved addresses, and once a minute the pools that overlap it.
        assertThat(readings).isEqualTo(3);
        assertThat(other).containsExactly("10.7.0.1/24");
        assertThat(again).isEqualTo(first);
        assertThat(PoolProcess.pool(store, "p").pool().held().size()).isEqualTo(1);
    }

    /// The pool is used up, and the pod has an address of it.
    @Test
    void podThatIsNotExpectedToHaveAnEndpointIsNotRefusedWhatItHas() {
        PoolProcess.pool(store, "p", "{\"subnet\":\"10.6.0.0/24\",\"ips\":[\"10.6.0.1\"]}");
        PoolProcess.pool(store, "q", "{\"subnet\":\"10.7.0.0/24\",\"ips\":[\"10.7.0.1\"]}");
        var agency = PoolProcess.on(store);
        agency.given(A, "u1", "p");
        agency.given(B, "u2", "q");

        var given = agency.givenUnexpectedly(B, "u2", "p");

        assertThat(given).containsExactly("10.7.0.1/24");
    }

    @Test
    @DisplayName("C59: pods that ask one agent at once do not get into each other's way")
    void podsOfOneAgentAreServedTogether() throws Exception {
        PoolProcess.pool(store, "p", "{\"subnet\":\"10.6.0.0/24\",\"ips\":[\"10.6.0.1-10.6.0.10\"]}");
        var trial = new RecordingStore(store);
        var agency = PoolProcess.on(trial);
        List<Callable<List<String>>> pods = IntStream.range(0, 10)
                .<Callable<List<String>>>mapToObj(
                        pod -> () -> agency.given(new PodKey("ns1", "x" + pod), "u" + pod, "p"))
                .toList();

        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var future : executor.invokeAll(pods)) {
                assertThat(future.get()).hasSize(1);
            }
        }

        assertThat(PoolProcess.pool(store, "p").pool().records()).hasSize(10);
        long rewritings = trial.takeWritten().stream()
                .filter(key -> key.equals(SpiderKeys.pool("p")))
                .count();
        // Each that met a conflict would have been one more than there are pods.
        assertThat(rewritings).isLessThanOrEqualTo(10);
    }

    @Test
    void poolThatEndsGoesWithItsLastAddress() {
        PoolProcess.pool(store, "p", "{\"subnet\":\"10.6.0.0/24\",\"ips\":[\"10.6.0.1-10.6.0.9\"]}");
        var agency = PoolProcess.on(store);
        agency.given(A, "u1", "p");
        var page = new ObjectBook(store).open();
        page.with(SpiderObjects.remove(page.view(), SpiderKinds.POOL, "p", PoolProcess.NOW)
                        .changes())
                .save();

        var refused = agency.allocate(B, "u2", "p");
        var released = agency.release(A, "u1", new PodState.Gone());

        assertThat(((PoolAllocation.Refused) refused).refusal().sentence()).contains("terminating IPPool p");
        assertThat(((PoolRelease.Released) released).addresses()).hasSize(1);
        assertThat(store.get(SpiderKeys.pool("p"))).isEmpty();
    }

    /// As it comes to be where no webhook is asked.
    private void putOverlapping(String name, String ips) {
        PoolProcess.put(store, SpiderKeys.pool(name), Bytes.ofUtf8("""
            {"apiVersion":"spiderpool.spidernet.io/v2beta1","kind":"SpiderIPPool",\
            "metadata":{"creationTimestamp":"2026-11-15T08:00:00Z","name":"%s","finalizers":["spiderpool.spidernet.io"]},\
            "spec":{"ipVersion":4,"ips":["%s"],"subnet":"10.6.0.0/24"}}\
            """.formatted(name, ips)));
    }

    private List<String> given(PoolProcess process, int pod, String pool) {
        return process.given(new PodKey("ns1", pool + pod), "u-" + pool + pod, pool);
    }

    private String refusal(PoolProcess process, String pod, String pool) {
        return ((PoolAllocation.Refused) process.allocate(new PodKey("ns1", pod), "u-" + pod, pool))
                .refusal()
                .sentence();
    }

    @Test
    @DisplayName("I1: the later of two overlapping pools leaves what both have to the earlier one")
    void laterOfTwoOverlappingPoolsLeavesWhatBothHave() {
        putOverlapping("first", "10.6.0.1-10.6.0.3");
        putOverlapping("second", "10.6.0.2-10.6.0.5");
        var now = new AtomicReference<>(PoolProcess.NOW);
        var process = PoolProcess.at(store, now::get);

        assertThat(given(process, 1, "second")).containsExactly("10.6.0.4/24");
        assertThat(given(process, 1, "first")).containsExactly("10.6.0.1/24");
        assertThat(given(process, 2, "second")).containsExactly("10.6.0.5/24");
        assertThat(refusal(process, "soon", "first")).contains("IPPool second has too");
        now.set(PoolProcess.NOW.plusSeconds(121));
        assertThat(refusal(process, "late", "second"))
                .contains("all IP addresses used out, but for those that IPPool first has too");
        assertThat(given(process, 2, "first")).containsExactly("10.6.0.2/24");
        assertThat(given(process, 3, "first")).containsExactly("10.6.0.3/24");
        assertThat(refusal(process, "last", "first"))
                .contains("all IP addresses used out")
                .doesNotContain("has too");
    }

    @Test
    @DisplayName("I1: an address that a pod has of a later pool is not given by an earlier one that gets it too")
    void addressThatAPodHasOfALaterPoolIsNotGiven() {
        putOverlapping("first", "10.6.0.1");
        putOverlapping("second", "10.6.0.2-10.6.0.3");
        var now = new AtomicReference<>(PoolProcess.NOW);
        var process = PoolProcess.at(store, now::get);
        assertThat(given(process, 1, "second")).containsExactly("10.6.0.2/24");
        var enlarged = Json.readObject(
                "first", store.get(SpiderKeys.pool("first")).orElseThrow().value());
        ((ObjectNode) enlarged.path("spec")).putArray("ips").add("10.6.0.1-10.6.0.3");
        var stored = store.get(SpiderKeys.pool("first")).orElseThrow();
        assertThat(store.commit(List.of(new Write.Update(stored.key(), Json.write(enlarged), stored.revision()))))
                .isInstanceOf(Commit.Done.class);

        assertThat(given(process, 1, "first")).containsExactly("10.6.0.1/24");
        assertThat(refusal(process, "soon", "first")).contains("IPPool second has too");
        now.set(PoolProcess.NOW.plusSeconds(121));
        assertThat(given(process, 2, "first")).containsExactly("10.6.0.3/24");
        assertThat(refusal(process, "late", "first")).contains("IPPool second has too");
        assertThat(refusal(process, "last", "second")).contains("IPPool first has too");
    }

    @Test
    void whatLaterRequestsLackIsReadInTheSameRoundTrip() {
        PoolProcess.put(store, SpiderKeys.endpoint(B), Bytes.ofUtf8("""
            {"apiVersion":"spiderpool.spidernet.io/v2beta1","kind":"SpiderEndpoint",\
            "metadata":{"name":"b","namespace":"ns1"},\
            "status":{"current":{"ips":[{"interface":"eth0","ipv4":"nonsense"}],"node":"n1","uid":"u"},\
            "ownerControllerName":"b","ownerControllerType":"Pod"}}\
            """));
        var trial = new RecordingStore(store);
        var page = new SpiderBook(trial, InstantSource.system()).open();

        var read = page.reading(
                List.of(new MissingPoolItem.OfEndpoint(A)),
                List.of(new MissingPoolItem.OfPool("p"), new MissingPoolItem.OfEndpoint(B)));

        assertThat(read.view().findEndpoint(A)).isEmpty();
        assertThat(read.view().findPool("p")).isEmpty();
        assertThat(trial.takeReadings()).isEqualTo(1);
        // One that cannot be read fails the request that lacks it.
        assertThatExceptionOfType(UnreadableDocumentException.class)
                .isThrownBy(() -> read.reading(List.of(new MissingPoolItem.OfEndpoint(B)), List.of()));
    }

    /// An endpoint that one commit creates and deletes would not be written, and a rival's not be noticed.
    @Test
    void endpointDoesNotComeAndGoInOneCommit() {
        PoolProcess.pool(store, "p", "{\"subnet\":\"10.6.0.0/24\",\"ips\":[\"10.6.0.1-10.6.0.9\"]}");
        var request = PoolProcess.request(
                A, "u1", new PoolPreference.Single(new PoolNames(List.of("p"), List.of())), RequestedRoutes.NONE);
        var page = new SpiderBook(store, InstantSource.fixed(PoolProcess.NOW)).open();
        for (var missing : List.of(
                new MissingPoolItem.OfEndpoint(A),
                new MissingPoolItem.OfPool("p"),
                new MissingPoolItem.OfReservations(),
                new MissingPoolItem.OfRivals("p"))) {
            page = page.reading(missing);
        }
        var added = page.with(PoolEngine.allocate(page.view(), request).changes());
        var release = PoolEngine.release(added.view(), new PoolReleaseRequest(A, "eth0", "u1", new PodState.Gone()));

        assertThatExceptionOfType(PageFullException.class)
                .isThrownBy(() -> added.with(release.changes()))
                .withMessageContaining("ns1/a");
    }

    @Test
    void endpointOfAnEarlierPodIsReplacedInOneCommit() {
        PoolProcess.pool(store, "p", "{\"subnet\":\"10.6.0.0/24\",\"ips\":[\"10.6.0.1-10.6.0.9\"]}");
        var agency = PoolProcess.on(store);
        agency.given(A, "u1", "p");

        var given = agency.given(A, "u2", "p");

        assertThat(given).containsExactly("10.6.0.2/24");
        var json = Json.readObject(
                "a", store.get(SpiderKeys.endpoint(A)).map(Document::value).orElseThrow());
        assertThat(json.at("/status/current/uid").asText()).isEqualTo("u2");
        assertThat(json.at("/metadata/ownerReferences/0/uid").asText()).isEqualTo("u2");
    }
}
