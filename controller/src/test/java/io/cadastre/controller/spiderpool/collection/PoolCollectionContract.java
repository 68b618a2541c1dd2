package io.cadastre.controller.spiderpool.collection;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.ForwardingDatastore;
import io.cadastre.datastore.Listing;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.wire.kubernetes.CoreKeys;
import io.cadastre.wire.spiderpool.objects.SpiderKeys;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What pods leave behind is taken back, and nothing else, on every store.
///
/// The test's clock begins at 03:04:05.600 on 2 January 2026.
abstract class PoolCollectionContract {

    private static final String GATE_R = "SPIDERPOOL_GC_STATELESS_TERMINATING_POD_ON_READY_NODE_ENABLED";
    private static final String GATE_N = "SPIDERPOOL_GC_STATELESS_TERMINATING_POD_ON_NOT_READY_NODE_ENABLED";
    private static final String GATE_E = "SPIDERPOOL_GC_ENABLE_STATELESS_RUNNING_POD_ON_EMPTY_POD_STATUS_IPS";

    private PoolCollectorCluster cluster = new PoolCollectorCluster(new MemoryDatastore());
    private Datastore store = new MemoryDatastore();

    abstract Datastore emptyStore();

    @BeforeEach
    void begin() {
        store = emptyStore();
        cluster = new PoolCollectorCluster(store);
    }

    @AfterEach
    void end() {
        cluster.stopFollowing();
    }

    // ---- tracing ----

    @ParameterizedTest
    @ValueSource(strings = {"Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "Job"})
    @DisplayName("C108: a pod whose DEL was lost is released when it is gone")
    void c108PodWhoseDelWasLostIsReleased(String kind) {
        cluster.pod("ns1", "a", "u1").running("10.6.0.1").put();
        cluster.give("a", "u1", kind);
        cluster.follow();

        cluster.deletePod("a");
        cluster.trace();
        var before = cluster.records();
        cluster.pass(Duration.ofSeconds(5));
        cluster.trace();

        assertThat(before).hasSize(1);
        assertThat(cluster.records()).isEmpty();
        assertThat(cluster.hasEndpoint("a")).isFalse();
        assertThat(cluster.figure(GcCounts.COLLECTED)).isEqualTo(1);
        assertThat(cluster.ledger().read(1, 10))
                .anySatisfy(entry -> assertThat(entry.entry().request()).isEqualTo("controller: release pod ns1/a"));
    }

    @Test
    @DisplayName("C105: the pod of the same name in another namespace keeps its record")
    void c105PodOfAnotherNamespaceKeepsItsRecord() {
        cluster.pod("ns1", "a", "u1").running("10.6.0.1").put();
        cluster.pod("ns2", "a", "u2").running("10.6.0.4").put();
        cluster.give("a", "u1", "Deployment");
        cluster.record("10.6.0.4", "ns2/a", "u2");
        cluster.follow();

        cluster.deletePod("a");
        cluster.trace();
        cluster.pass(Duration.ofSeconds(5));
        cluster.trace();
        cluster.scan();

        assertThat(cluster.records()).isEqualTo(Map.of("10.6.0.4", "u2"));
    }

    @Test
    @DisplayName("C109: a Job's pod is released when its grace period is over, while the Pod is still there")
    void c109JobPodIsReleasedAfterItsGracePeriod() {
        cluster.pod("ns1", "a", "u1").running("10.6.0.1").put();
        cluster.give("a", "u1", "Job");
        cluster.follow();
        cluster.pod("ns1", "a", "u1")
                .succeeded("10.6.0.1", "2026-01-02T03:04:05Z")
                .put();

        cluster.trace();
        cluster.pass(Duration.ofSeconds(29));
        cluster.trace();
        var early = cluster.records();
        cluster.pass(Duration.ofSeconds(1));
        cluster.trace();

        assertThat(early).hasSize(1);
        assertThat(cluster.records()).isEmpty();
        assertThat(cluster.hasEndpoint("a")).isFalse();
    }

    @Test
    void podOfAValidStatefulSetIsNotTraced() {
        cluster.statefulSet("web", 1);
        cluster.pod("ns1", "web-0", "u1")
                .running("10.6.0.1")
                .ofStatefulSet("web")
                .put();
        cluster.give("web-0", "u1", "StatefulSet");
        cluster.follow();

        cluster.deletePod("web-0");
        cluster.trace();
        cluster.pass(Duration.ofSeconds(60));
        cluster.trace();
        cluster.scan();

        assertThat(cluster.records()).hasSize(1);
        assertThat(cluster.hasEndpoint("web-0")).isTrue();
    }

    @Test
    @DisplayName("C122: a release that fails five times is left to the scan")
    void c122ReleaseThatFailsIsLeftToTheScan() {
        cluster.pod("ns1", "a", "u1").running("10.6.0.1").put();
        cluster.give("a", "u1", "Deployment");
        cluster.follow();
        cluster.deletePod("a");
        cluster.trace();
        cluster.pass(Duration.ofSeconds(5));

        for (int round = 1; round <= 7; round++) {
            cluster.trace(new BrokenEndpoints(store));
        }
        var tries = cluster.figure(GcCounts.FAILED);
        cluster.trace();
        var dropped = cluster.records();
        cluster.scan();

        assertThat(tries).isEqualTo(5);
        assertThat(dropped).hasSize(1);
        assertThat(cluster.records()).isEmpty();
    }

    /// A store that fails when a single endpoint is read.
    private record BrokenEndpoints(Datastore store) implements ForwardingDatastore {

        @Override
        public Optional<Document> get(String key) {
            if (key.startsWith(SpiderKeys.ENDPOINTS)) {
                throw new DatastoreException(DatastoreException.Kind.UNREACHABLE, "the store does not answer");
            }
            return store.get(key);
        }
    }

    // ---- scanning ----

    @ParameterizedTest(name = "{0}, {1}: {2}")
    @CsvSource(delimiter = '|', textBlock = """
        False | true  | freed
        False | false | kept
        """)
    @DisplayName("C110: a pod that is stuck on a node that is not ready is released as gate N says")
    void c110PodOnANodeThatIsNotReady(String ready, String gate, String result) {
        cluster.setting(GATE_N, gate, GATE_R, "true");
        cluster.node("n1", ready);
        stuck();

        cluster.scan();

        assertThat(cluster.records()).hasSize(result.equals("freed") ? 0 : 1);
    }

    /// A pod of a Deployment whose grace period was over at 03:04:05.
    private void stuck() {
        cluster.pod("ns1", "a", "u1").running("10.6.0.1").put();
        cluster.give("a", "u1", "Deployment");
        cluster.pod("ns1", "a", "u1")
                .running("10.6.0.1")
                .terminatingSince("2026-01-02T03:03:35Z", 30)
                .put();
    }

    @Test
    void podThatIsStuckKeepsItsAddressWhileItsGraceRuns() {
        stuck();
        cluster.pod("ns1", "a", "u1")
                .running("10.6.0.1")
                .terminatingSince("2026-01-02T03:03:36Z", 30)
                .put();

        cluster.scan();

        assertThat(cluster.records()).hasSize(1);
    }

    @Test
    @DisplayName("C111: with gate R closed, a pod that is stuck on a ready node keeps its address")
    void c111PodOnAReadyNodeKeepsItsAddress() {
        cluster.setting(GATE_R, "false");
        stuck();

        cluster.scan();

        assertThat(cluster.records()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({"false, 1", "true, 0"})
    @DisplayName("C112: a running pod that reports no address is released as gate E says")
    void c112RunningPodWithoutAddress(String gate, int records) {
        cluster.setting(GATE_E, gate);
        cluster.pod("ns1", "a", "u1").runningWithoutAddress().put();
        cluster.give("a", "u1", "Deployment");

        cluster.scan();

        assertThat(cluster.records()).hasSize(records);
        assertThat(cluster.hasEndpoint("a")).isEqualTo(records == 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ns1/dirty-pod", "dirty-pod", "/"})
    @DisplayName("C113: a record of a pod that does not exist is freed")
    void c113RecordOfNoPodIsFreed(String pod) {
        cluster.record("10.6.0.3", pod, "u9");

        cluster.scan();

        assertThat(cluster.records()).isEmpty();
        assertThat(cluster.figure(GcCounts.COLLECTED)).isEqualTo(1);
        assertThat(cluster.reports()).contains("released 10.6.0.3");
    }

    @Test
    void recordThatNamesNoPodIsReportedAndKept() {
        cluster.record("10.6.0.3", "ns1/dirty/pod", "u9");

        cluster.scan();

        assertThat(cluster.records()).isEqualTo(Map.of("10.6.0.3", "u9"));
        assertThat(cluster.reports())
                .contains(
                        "the record of 10.6.0.3 in pool p names no Pod: 'ns1/dirty/pod' is not a namespace and a name;"
                                + " release it with 'cadastre ipam release --ip 10.6.0.3 --force'");
    }

    @Test
    @DisplayName("C114: a record of another uid is freed, and the live pod keeps its own")
    void c114RecordOfAnotherUidIsFreed() {
        cluster.pod("ns1", "a", "u1").running("10.6.0.1").put();
        cluster.give("a", "u1", "Deployment");
        cluster.record("10.6.0.3", "ns1/a", "foreign");

        cluster.scan();

        assertThat(cluster.records()).isEqualTo(Map.of("10.6.0.1", "u1"));
        assertThat(cluster.hasEndpoint("a")).isTrue();
    }

    @Test
    @DisplayName("C115: a StatefulSet's pod that restarts keeps what its predecessor had")
    void c115RestartingPodKeepsTheRecord() {
        cluster.statefulSet("web", 1);
        cluster.pod("ns1", "web-0", "u1")
                .running("10.6.0.1")
                .ofStatefulSet("web")
                .put();
        cluster.give("web-0", "u1", "StatefulSet");
        cluster.pod("ns1", "web-0", "u2")
                .runningWithoutAddress()
                .ofStatefulSet("web")
                .put();

        cluster.scan();

        assertThat(cluster.records()).isEqualTo(Map.of("10.6.0.1", "u1"));
        assertThat(cluster.hasEndpoint("web-0")).isTrue();
    }

    @Test
    @DisplayName("C116: a StatefulSet that uses another network by now leaves nothing behind")
    void c116StatefulSetThatLeftThePool() {
        cluster.statefulSet("web", 1);
        cluster.pod("ns1", "web-0", "u1")
                .running("10.6.0.1")
                .ofStatefulSet("web")
                .put();
        cluster.give("web-0", "u1", "StatefulSet");
        cluster.pod("ns1", "web-0", "u2")
                .running("192.0.2.7")
                .ofStatefulSet("web")
                .put();

        cluster.scan();

        assertThat(cluster.records()).isEmpty();
        assertThat(cluster.hasEndpoint("web-0")).isFalse();
    }

    @Test
    @DisplayName("C117: a StatefulSet that shrinks gives back, and one that grows again keeps what is its own")
    void c117StatefulSetThatShrinks() {
        cluster.statefulSet("web", 2);
        for (int ordinal = 0; ordinal < 2; ordinal++) {
            cluster.pod("ns1", "web-" + ordinal, "u" + ordinal)
                    .running("10.6.0." + (ordinal + 1))
                    .ofStatefulSet("web")
                    .put();
            cluster.give("web-" + ordinal, "u" + ordinal, "StatefulSet");
        }
        cluster.deletePod("web-1");

        cluster.scan();
        var restarting = cluster.records();
        cluster.statefulSet("web", 1);
        cluster.scan();

        assertThat(restarting).hasSize(2);
        assertThat(cluster.records()).isEqualTo(Map.of("10.6.0.1", "u0"));
        assertThat(cluster.hasEndpoint("web-1")).isFalse();
    }

    @Test
    @DisplayName("C118: a record without a pod goes with its endpoint")
    void c118RecordAndEndpointOfNoPod() {
        cluster.give("a", "u1", "Deployment");

        cluster.scan();

        assertThat(cluster.records()).isEmpty();
        assertThat(cluster.hasEndpoint("a")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("C119: an endpoint without any record is deleted if the settings say so")
    void c119EndpointWithoutRecords(boolean deleted) {
        if (deleted) {
            cluster.with(PoolGcSettings.DEFAULT.deletingOutdatedEndpoints());
        }
        cluster.give("a", "u1", "Deployment");
        cluster.put(SpiderKeys.pool("p"), """
            {"apiVersion":"spiderpool.spidernet.io/v2beta1","kind":"SpiderIPPool","metadata":{"name":"p"},\
            "spec":{"subnet":"10.6.0.0/24","ips":["10.6.0.1-10.6.0.4"]},"status":{"totalIPCount":4}}\
            """);

        cluster.scan();

        assertThat(cluster.hasEndpoint("a")).isEqualTo(!deleted);
    }

    @Test
    void storeWithoutAnyPodIsLeftAlone() {
        cluster.record("10.6.0.3", "ns1/gone", "u9");
        cluster.remove(CoreKeys.PODS + "kube-system/dns");

        cluster.scan();

        assertThat(cluster.records()).hasSize(1);
    }

    @Test
    void podThatIsCreatedAfterTheListKeepsItsAddress() {
        cluster.record("10.6.0.3", "ns1/late", "u9");

        cluster.scan(new PodsAfterTheList(store, cluster));

        assertThat(cluster.records()).isEqualTo(Map.of("10.6.0.3", "u9"));
    }

    /// A store in which a pod is created as soon as pods were listed.
    private record PodsAfterTheList(Datastore store, PoolCollectorCluster cluster) implements ForwardingDatastore {

        @Override
        public Listing list(String prefix, int limit) {
            var listing = store.list(prefix, limit);
            if (prefix.equals(CoreKeys.PODS)) {
                cluster.pod("ns1", "late", "u9").running("10.6.0.3").put();
            }
            return listing;
        }

        @Override
        public Commit commit(List<Write> writes) {
            return store.commit(writes);
        }
    }

    @Test
    void podsAndEndpointsThatCannotBeReadKeepWhatTheyHave() {
        cluster.give("a", "u1", "Deployment");
        cluster.put(CoreKeys.PODS + "ns1/a", "{\"metadata\":{\"uid\":7}}");
        cluster.give("b", "u2", "Deployment");
        cluster.put(SpiderKeys.ENDPOINTS + "ns1/b", "{}");

        cluster.scan();

        assertThat(cluster.records()).isEqualTo(Map.of("10.6.0.1", "u1", "10.6.0.2", "u2"));
    }

    @Test
    @DisplayName("I5: when all pods are gone, one scan leaves no record")
    void i5OneScanLeavesNoRecord() {
        for (int number = 1; number <= 4; number++) {
            cluster.give("pod-" + number, "u" + number, number % 2 == 0 ? "StatefulSet" : "Deployment");
        }

        cluster.scan();

        assertThat(cluster.records()).isEmpty();
        assertThat(store.listAll(SpiderKeys.ENDPOINTS).documents()).isEmpty();
    }
}
