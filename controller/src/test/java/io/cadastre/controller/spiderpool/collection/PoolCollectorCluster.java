package io.cadastre.controller.spiderpool.collection;

import io.cadastre.address.RangeSet;
import io.cadastre.controller.ControllerContext;
import io.cadastre.controller.ManualTime;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Watch;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.memory.MemoryJournal;
import io.cadastre.engine.pool.Labels;
import io.cadastre.engine.pool.Networks;
import io.cadastre.engine.pool.PodInfo;
import io.cadastre.engine.pool.PodInfo.Life;
import io.cadastre.engine.pool.PodKey;
import io.cadastre.engine.pool.PoolAllocateRequest;
import io.cadastre.engine.pool.PoolAllocation;
import io.cadastre.engine.pool.PoolChange;
import io.cadastre.engine.pool.PoolEngine;
import io.cadastre.engine.pool.PoolNames;
import io.cadastre.engine.pool.PoolPreference;
import io.cadastre.engine.pool.PoolPreferences;
import io.cadastre.engine.pool.PoolSettings;
import io.cadastre.engine.pool.PoolView;
import io.cadastre.engine.pool.RequestedRoutes;
import io.cadastre.engine.pool.TopController;
import io.cadastre.registry.Ledger;
import io.cadastre.registry.Registrar;
import io.cadastre.registry.Request;
import io.cadastre.wire.kubernetes.CoreKeys;
import io.cadastre.wire.pages.Metric;
import io.cadastre.wire.spiderpool.objects.SpiderBook;
import io.cadastre.wire.spiderpool.objects.SpiderKeys;
import io.cadastre.wire.spiderpool.objects.SpiderPoolDocument;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;

/// A cluster with a pool of four addresses in a store, and collection that happens when a test says so.
///
/// There is one node, `n1`, which is ready, and one pod that lives and has no address of the pool.
final class PoolCollectorCluster {

    static final String STATEFUL_SETS = "/cadastre/apis/apps/v1/statefulsets/";
    private static final String KUBEVIRT = "/cadastre/apis/kubevirt.io/v1/";

    private final Datastore store;
    private final ManualTime time = new ManualTime();
    private final List<String> reports = new ArrayList<>();
    private final Ledger ledger = new Ledger(new MemoryJournal());
    private final GcCounts counts = new GcCounts();
    private final Registrar<PoolView, PoolChange> beside;
    private PoolGcSettings settings = PoolGcSettings.DEFAULT;
    private PodTraces traces;
    private Optional<Watch> watch = Optional.empty();

    PoolCollectorCluster(Datastore store) {
        this.store = store;
        this.traces = new PodTraces(settings);
        this.beside = context(store).registrar(new SpiderBook(store, time));
        put(SpiderKeys.pool("p"), """
            {"apiVersion":"spiderpool.spidernet.io/v2beta1","kind":"SpiderIPPool","metadata":{"name":"p"},\
            "spec":{"subnet":"10.6.0.0/24","ips":["10.6.0.1-10.6.0.4"]},"status":{"totalIPCount":4}}\
            """);
        node("n1", "True");
        pod("kube-system", "dns", "u-dns").running("192.0.2.1").put();
    }

    private ControllerContext context(Datastore seen) {
        return new ControllerContext(seen, ledger, time, time, new SplittableRandom(1), _ -> {}, reports::add);
    }

    PoolCollectorCluster setting(String... namesAndValues) {
        var environment = new TreeMap<String, String>();
        for (int at = 0; at < namesAndValues.length; at += 2) {
            environment.put(namesAndValues[at], namesAndValues[at + 1]);
        }
        return with(PoolGcSettings.of(environment));
    }

    PoolCollectorCluster with(PoolGcSettings other) {
        settings = other;
        traces = new PodTraces(settings);
        return this;
    }

    void pass(Duration duration) {
        time.pass(duration);
    }

    List<String> reports() {
        return reports;
    }

    Ledger ledger() {
        return ledger;
    }

    double figure(String name) {
        return counts.metrics().stream()
                .filter(metric -> metric.name().equals(name))
                .map(Metric::samples)
                .map(samples -> samples.getFirst().value())
                .findFirst()
                .orElseThrow();
    }

    // ---- objects ----

    void put(String key, String json) {
        var value = Bytes.ofUtf8(json);
        done(store.get(key)
                .<Write>map(former -> new Write.Update(key, value, former.revision()))
                .orElseGet(() -> new Write.Create(key, value)));
    }

    void remove(String key) {
        done(new Write.Delete(key, store.get(key).orElseThrow().revision()));
    }

    private void done(Write write) {
        if (!(store.commit(List.of(write)) instanceof Commit.Done)) {
            throw new AssertionError("not written: " + write.key());
        }
    }

    void node(String name, String ready) {
        put(CoreKeys.NODES + name, """
            {"apiVersion":"v1","kind":"Node","metadata":{"name":"%s"},\
            "status":{"conditions":[{"type":"Ready","status":"%s"}]}}\
            """.formatted(name, ready));
    }

    void statefulSet(String name, int replicas) {
        put(STATEFUL_SETS + "ns1/" + name, """
            {"apiVersion":"apps/v1","kind":"StatefulSet","metadata":{"namespace":"ns1","name":"%s"},\
            "spec":{"replicas":%d}}\
            """.formatted(name, replicas));
    }

    /// A virtual machine of KubeVirt with its instance.
    ///
    /// @param deleted the time at which its deletion began; empty if it did not
    void machine(String name, String deleted) {
        var metadata = "\"namespace\":\"ns1\",\"name\":\"%s\"%s"
                .formatted(name, deleted.isEmpty() ? "" : ",\"deletionTimestamp\":\"%s\"".formatted(deleted));
        put(KUBEVIRT + "virtualmachines/ns1/" + name, """
            {"apiVersion":"kubevirt.io/v1","kind":"VirtualMachine","metadata":{%s}}\
            """.formatted(metadata));
        put(KUBEVIRT + "virtualmachineinstances/ns1/" + name, """
            {"apiVersion":"kubevirt.io/v1","kind":"VirtualMachineInstance","metadata":{%s,\
            "ownerReferences":[{"apiVersion":"kubevirt.io/v1","kind":"VirtualMachine","name":"%s","controller":true}]}}\
            """.formatted(metadata, name));
    }

    PodBuilder pod(String namespace, String name, String uid) {
        return new PodBuilder(this, namespace, name, uid);
    }

    void deletePod(String name) {
        remove(CoreKeys.PODS + "ns1/" + name);
    }

    /// A Pod in the words of a test.
    static final class PodBuilder {

        private final PoolCollectorCluster cluster;
        private final String namespace;
        private final String name;
        private final String metadata;
        private String more = "";
        private String status = "\"phase\":\"Pending\"";

        private PodBuilder(PoolCollectorCluster cluster, String namespace, String name, String uid) {
            this.cluster = cluster;
            this.namespace = namespace;
            this.name = name;
            this.metadata = "\"namespace\":\"%s\",\"name\":\"%s\",\"uid\":\"%s\"".formatted(namespace, name, uid);
        }

        PodBuilder running(String address) {
            status = "\"phase\":\"Running\"," + addresses(address);
            return this;
        }

        PodBuilder runningWithoutAddress() {
            status = "\"phase\":\"Running\"";
            return this;
        }

        PodBuilder succeeded(String address, String finished) {
            status =
                    "\"phase\":\"Succeeded\",%s,\"containerStatuses\":[{\"state\":{\"terminated\":{\"finishedAt\":\"%s\"}}}]"
                            .formatted(addresses(address), finished);
            return this;
        }

        private static String addresses(String address) {
            return "\"podIP\":\"%s\",\"podIPs\":[{\"ip\":\"%s\"}]".formatted(address, address);
        }

        PodBuilder terminatingSince(String timestamp, long graceSeconds) {
            more += ",\"deletionTimestamp\":\"%s\",\"deletionGracePeriodSeconds\":%d"
                    .formatted(timestamp, graceSeconds);
            return this;
        }

        PodBuilder ofStatefulSet(String set) {
            return of("apps/v1", "StatefulSet", set);
        }

        PodBuilder ofMachine(String machine) {
            return of("kubevirt.io/v1", "VirtualMachineInstance", machine);
        }

        private PodBuilder of(String version, String kind, String owner) {
            more += ",\"ownerReferences\":[{\"apiVersion\":\"%s\",\"kind\":\"%s\",\"name\":\"%s\",\"controller\":true}]"
                    .formatted(version, kind, owner);
            return this;
        }

        void put() {
            cluster.put(
                    CoreKeys.PODS + namespace + "/" + name,
                    "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{%s%s},\"spec\":{\"nodeName\":\"n1\"},\"status\":{%s}}"
                            .formatted(metadata, more, status));
        }
    }

    // ---- what agents do ----

    /// Gives the pod an address of the pool.
    String give(String name, String uid, String ownerKind) {
        var key = new PodKey("ns1", name);
        var request = new PoolAllocateRequest(
                new PodInfo(key, uid, "n1", Life.ALIVE, Labels.NONE, new TopController("apps/v1", ownerKind, "web")),
                "eth0",
                new PoolPreferences(
                        new PoolPreference.Single(new PoolNames(List.of("p"), List.of())),
                        PoolPreferences.NONE.namespace(),
                        PoolPreferences.NONE.configured(),
                        PoolPreferences.NONE.gatewayUse()),
                RequestedRoutes.NONE,
                Networks.unknown("kube-system"),
                PoolSettings.DEFAULT,
                RangeSet.EMPTY);
        PoolAllocation allocation =
                beside.enact(new Request<>("give", (PoolView view) -> PoolEngine.allocate(view, request)));
        return switch (allocation) {
            case PoolAllocation.Allocated(var nics) ->
                nics.getFirst().addresses().getFirst().address().toString();
            case PoolAllocation.Refused(var refusal) -> throw new AssertionError(refusal.sentence());
        };
    }

    /// Writes a record that no agent would write.
    void record(String address, String pod, String uid) {
        var stored = pool().json();
        var before = stored.path("status").path("allocatedIPs").asText("{}");
        var records = before.equals("{}") ? "" : before.substring(1, before.length() - 1) + ",";
        stored.withObject("/status")
                .put(
                        "allocatedIPs",
                        "{%s\"%s\":{\"pod\":\"%s\",\"podUid\":\"%s\"}}".formatted(records, address, pod, uid));
        put(SpiderKeys.pool("p"), stored.toString());
    }

    private SpiderPoolDocument pool() {
        return SpiderPoolDocument.decode(
                "p", store.get(SpiderKeys.pool("p")).map(Document::value).orElseThrow());
    }

    /// The addresses that are recorded, with the uid that has them.
    Map<String, String> records() {
        var records = new TreeMap<String, String>();
        pool().pool().records().forEach((address, record) -> records.put(address.toString(), record.podUid()));
        return records;
    }

    boolean hasEndpoint(String name) {
        return store.get(SpiderKeys.endpoint(new PodKey("ns1", name))).isPresent();
    }

    // ---- collection ----

    void scan() {
        scan(store);
    }

    /// @param seen what the collector sees of the store
    void scan(Datastore seen) {
        var context = context(seen);
        new PoolScan(context, settings, releases(context), traces, () -> false).run(podsFound -> podsFound);
    }

    /// From now on the pods that the store has and that change are known.
    void follow() {
        traces.follow();
        var listed = store.listAll(CoreKeys.PODS);
        traces.begin();
        traces.fill(listed.documents());
        traces.complete(listed.revision());
        watch = Optional.of(store.watch(CoreKeys.PODS, listed.revision()));
    }

    void stopFollowing() {
        watch.ifPresent(Watch::close);
    }

    /// One round of tracing, after all that the watch reports.
    void trace() {
        trace(store);
    }

    /// @param seen what the collector sees of the store
    void trace(Datastore seen) {
        // Ends: nothing changes meanwhile.
        while (watch.orElseThrow().next(Duration.ofMillis(200)) instanceof Watch.Notice.Changed changed) {
            traces.change(changed);
        }
        var context = context(seen);
        new PoolTracing(context, settings, releases(context), traces, () -> false).run();
    }

    private PoolReleases releases(ControllerContext context) {
        return new PoolReleases(context, settings, counts);
    }
}
