package io.cadastre.controller.spiderpool.collection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cadastre.controller.Controller;
import io.cadastre.controller.ControllerContext;
import io.cadastre.controller.ControllerSettings;
import io.cadastre.controller.collection.ClusterSource;
import io.cadastre.controller.election.ElectionSettings;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.ForwardingDatastore;
import io.cadastre.datastore.Listing;
import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.datastore.memory.MemoryJournal;
import io.cadastre.engine.pool.collect.CollectSettings;
import io.cadastre.engine.pool.collect.CollectSettings.Gate;
import io.cadastre.registry.Ledger;
import io.cadastre.wire.kubernetes.CoreKeys;
import io.cadastre.wire.spiderpool.objects.SpiderKeys;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The control loop with all its threads, on one store in memory.
@Timeout(180)
class PoolGarbageCollectionTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Instant BEGINNING = Instant.parse("2026-01-02T03:04:05Z");

    private final MemoryDatastore store = new MemoryDatastore();
    private final PoolCollectorCluster cluster = new PoolCollectorCluster(store);
    private final List<Controller> running = new ArrayList<>();
    private final List<String> reports = new CopyOnWriteArrayList<>();
    private final HttpClient client = HttpClient.newHttpClient();

    @AfterEach
    void stop() {
        running.forEach(Controller::close);
        client.close();
    }

    private Controller start(String identity, Datastore seen, Duration scanPeriod) {
        var settings = new PoolGcSettings(
                Gate.OPEN,
                CollectSettings.DEFAULT,
                PoolGcSettings.DEFAULT.features(),
                scanPeriod,
                Duration.ofMillis(50),
                3,
                100,
                100,
                5);
        long started = System.nanoTime();
        var context = new ControllerContext(
                seen,
                new Ledger(new MemoryJournal()),
                () -> BEGINNING.plusNanos(System.nanoTime() - started),
                System::nanoTime,
                new SplittableRandom(identity.hashCode()),
                Thread::sleep,
                sentence -> reports.add(identity + ": " + sentence));
        var controller = Controller.start(
                new ControllerSettings(
                        new ElectionSettings(
                                "kube-system",
                                "cadastre-controller",
                                identity,
                                Duration.ofSeconds(3),
                                Duration.ofSeconds(2),
                                Duration.ofMillis(100)),
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)),
                context,
                List.of(new PoolGarbageCollection(context, settings, ClusterSource.CALICO_AND_KUBERNETES)));
        running.add(controller);
        return controller;
    }

    private String page(Controller controller, String path) {
        var uri = URI.create(
                "http://127.0.0.1:%d%s".formatted(controller.address().getPort(), path));
        try {
            return client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                    .body();
        } catch (IOException | InterruptedException broken) {
            throw new AssertionError(broken);
        }
    }

    private boolean leads(Controller controller) {
        return page(controller, "/metrics").contains("\ncadastre_controller_leading 1\n");
    }

    @Test
    @DisplayName("C120: what was deleted while no controller ran is released by the first scan, and shown")
    void c120FirstScanReleasesWhatWasDeletedMeanwhile() {
        cluster.pod("ns1", "a", "u1").running("10.6.0.1").put();
        cluster.give("a", "u1", "Deployment");
        cluster.give("b", "u2", "Deployment");

        var controller = start("a", store, Duration.ofHours(1));
        await().atMost(PATIENCE).until(() -> cluster.records().equals(Map.of("10.6.0.1", "u1")));
        await().atMost(PATIENCE)
                .until(() -> page(controller, "/metrics").contains("spiderpool_ip_gc_counts_total 1\n"));

        assertThat(page(controller, "/metrics"))
                .contains("spiderpool_ip_gc_failure_counts_total 0\n")
                .contains("spiderpool_ipam_release_update_ippool_conflict_counts_total 0\n");
        assertThat(page(controller, "/readyz?verbose")).contains("[+]spiderpool-gc ok\n");
        assertThat(page(controller, "/livez?verbose")).contains("[+]spiderpool-gc ok\n");
    }

    @Test
    @DisplayName("C121: only the leader releases, and the next leader goes on")
    void c121OnlyTheLeaderReleases() {
        var first = start("a", store, Duration.ofSeconds(1));
        await().atMost(PATIENCE).until(() -> leads(first));
        var second = start("b", store, Duration.ofSeconds(1));
        cluster.pod("ns1", "a", "u1").running("10.6.0.1").put();
        cluster.give("a", "u1", "Deployment");

        cluster.deletePod("a");
        await().atMost(PATIENCE).until(() -> cluster.records().isEmpty());
        assertThat(reports).noneMatch(report -> report.startsWith("b: released"));
        assertThat(page(second, "/metrics")).doesNotContain("spiderpool_ip_gc_counts_total");

        cluster.give("c", "u3", "Deployment");
        first.close();
        running.remove(first);

        await().atMost(PATIENCE).until(() -> cluster.records().isEmpty());
        assertThat(reports).anyMatch(report -> report.startsWith("b: released 10.6.0.1"));
    }

    @Test
    void storeWithoutPoolsIsNotListed() {
        cluster.remove(SpiderKeys.pool("p"));
        var seen = new ListedPrefixes(store, new CopyOnWriteArrayList<>());

        var controller = start("a", seen, Duration.ofMillis(50));
        await().atMost(PATIENCE).until(() -> seen.prefixes().contains(SpiderKeys.POOLS));
        await().atMost(PATIENCE).until(() -> leads(controller));
        // Several looks of the worker are over.
        await().pollDelay(Duration.ofSeconds(2)).until(() -> true);

        assertThat(seen.prefixes()).filteredOn(CoreKeys.PODS::equals).hasSize(1);
        assertThat(seen.prefixes()).doesNotContain(SpiderKeys.ENDPOINTS);
        assertThat(seen.prefixes()).filteredOn(SpiderKeys.POOLS::equals).hasSize(1);
    }

    /// A store that notes what is listed.
    private record ListedPrefixes(Datastore store, List<String> prefixes) implements ForwardingDatastore {

        @Override
        public Listing list(String prefix, int limit) {
            prefixes.add(prefix);
            return store.list(prefix, limit);
        }

        @Override
        public Optional<Document> get(String key) {
            return store.get(key);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "SPIDERPOOL_GC_IP_ENABLED, yes, true or false",
        "SPIDERPOOL_GC_STATELESS_TERMINATING_POD_ON_READY_NODE_ENABLED, 2, true or false",
        "SPIDERPOOL_GC_STATELESS_TERMINATING_POD_ON_NOT_READY_NODE_ENABLED, on, true or false",
        "SPIDERPOOL_GC_ENABLE_STATELESS_RUNNING_POD_ON_EMPTY_POD_STATUS_IPS, tRUE, true or false",
        "SPIDERPOOL_GC_ADDITIONAL_GRACE_DELAY, -1, from 0 to",
        "SPIDERPOOL_GC_DEFAULT_INTERVAL_DURATION, 0, from 1 to",
        "SPIDERPOOL_GC_TRACE_POD_GAP_DURATION, 5s, from 1 to",
        "SPIDERPOOL_GC_IP_WORKER_NUM, 0, from 1 to",
        "SPIDERPOOL_GC_CHANNEL_BUFFER, many, from 1 to",
        "SPIDERPOOL_GC_MAX_PODENTRY_DB_CAP, 99999999999, from 1 to",
        "SPIDERPOOL_GC_SIGNAL_TIMEOUT_DURATION, 3s, from 0 to",
        "SPIDERPOOL_GC_HTTP_REQUEST_TIME_GAP, 1.5, from 0 to",
        "SPIDERPOOL_GC_PODENTRY_MAX_RETRIES, 0, from 1 to"
    })
    void variableThatIsNoValueIsAnError(String name, String value, String remedy) {
        var environment = Map.of(name, value);

        assertThatThrownBy(() -> PoolGcSettings.of(environment))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(name + " is '" + value + "', which is n")
                .hasMessageContaining(remedy)
                .hasMessageContaining("unset it (default");
    }

    @Test
    void variablesSetWhatTheyName() {
        var settings = PoolGcSettings.of(Map.of(
                "SPIDERPOOL_GC_STATELESS_TERMINATING_POD_ON_READY_NODE_ENABLED", "f",
                "SPIDERPOOL_GC_ENABLE_STATELESS_RUNNING_POD_ON_EMPTY_POD_STATUS_IPS", "1",
                "SPIDERPOOL_GC_ADDITIONAL_GRACE_DELAY", "7",
                "SPIDERPOOL_GC_DEFAULT_INTERVAL_DURATION", "60"));

        assertThat(settings.rules())
                .isEqualTo(new CollectSettings(Gate.CLOSED, Gate.OPEN, Gate.OPEN, Duration.ofSeconds(7)));
        assertThat(settings.scanPeriod()).isEqualTo(Duration.ofMinutes(1));
        assertThat(PoolGcSettings.DEFAULT.rules()).isEqualTo(CollectSettings.DEFAULT);
        assertThat(PoolGcSettings.DEFAULT.traceGap()).isEqualTo(Duration.ofSeconds(5));
    }
}
