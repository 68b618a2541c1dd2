package io.cadastre.controller.spiderpool.collection;

import io.cadastre.address.Address;
import io.cadastre.controller.ControllerContext;
import io.cadastre.controller.FailureReports;
import io.cadastre.datastore.CompactedException;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Document;
import io.cadastre.engine.pool.AddressPool;
import io.cadastre.engine.pool.PodEndpoint;
import io.cadastre.engine.pool.PodKey;
import io.cadastre.engine.pool.PoolRecord;
import io.cadastre.engine.pool.collect.CollectVerdict.Step;
import io.cadastre.engine.pool.collect.KnownEndpoint;
import io.cadastre.engine.pool.collect.KnownPod;
import io.cadastre.engine.pool.collect.PoolCollector;
import io.cadastre.wire.json.UnreadableDocumentException;
import io.cadastre.wire.kubernetes.CoreKeys;
import io.cadastre.wire.spiderpool.objects.SpiderKeys;
import io.cadastre.wire.spiderpool.objects.SpiderPoolDocument;
import io.cadastre.wire.spiderpool.settings.SpiderpoolSwitch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;

/// One look at all records of all pools. Pods, endpoints and pools are listed, not taken from a cache; what looks left
/// over is judged once more, by what the store has then.
final class PoolScan {

    /// How often a list is begun anew that the store compacts in between.
    private static final int LISTS_MAX = 5;

    private final ControllerContext context;
    private final PoolGcSettings settings;
    private final PoolReleases releases;
    private final PodTraces traces;
    private final FailureReports failures;
    private final BooleanSupplier stopped;

    /// @param stopped whether to go no further
    PoolScan(
            ControllerContext context,
            PoolGcSettings settings,
            PoolReleases releases,
            PodTraces traces,
            BooleanSupplier stopped) {
        this.context = context;
        this.settings = settings;
        this.releases = releases;
        this.traces = traces;
        this.failures = new FailureReports(context);
        this.stopped = stopped;
    }

    /// What was listed.
    ///
    /// @param machinePods the pods of each virtual machine
    /// @param unreadablePods those that are there and cannot be understood
    /// @param unreadableEndpoints likewise
    private record Listed(
            Map<PodKey, PodSighting> pods,
            Map<PodKey, List<PodSighting>> machinePods,
            Set<PodKey> unreadablePods,
            Map<PodKey, PodEndpoint> endpoints,
            Set<PodKey> unreadableEndpoints) {

        static Listed empty() {
            return new Listed(new HashMap<>(), new HashMap<>(), new HashSet<>(), new HashMap<>(), new HashSet<>());
        }

        List<PodSighting> ofMachine(PodKey machine) {
            return machinePods.getOrDefault(machine, List.of());
        }

        List<PodKey> namesOfMachine(PodKey machine) {
            return ofMachine(machine).stream().map(PodSighting::key).toList();
        }
    }

    /// Pools are listed first, then endpoints, then pods: what a pod wrote before it was created is not there.
    ///
    /// @param inhabited whether pods that are not found are known not to exist, given whether any was found
    void run(Inhabited inhabited) {
        var pools = pools(context.store());
        var recorded = new HashSet<PodKey>();
        pools.forEach(
                pool -> pool.records().values().forEach(record -> recorded.add(CollectionFacts.named(record.pod()))));
        var listed = list();
        if (!inhabited.known(
                !listed.pods().isEmpty() || !listed.unreadablePods().isEmpty())) {
            return;
        }
        var facts = releases.facts();
        for (var pool : pools) {
            for (var held : pool.records().entrySet()) {
                if (stopped.getAsBoolean()) {
                    return;
                }
                var key = CollectionFacts.named(held.getValue().pod());
                if (CollectionFacts.namesNoPod(key)) {
                    reportNameless(pool, held.getKey(), held.getValue());
                    continue;
                }
                var verdict = PoolCollector.judge(
                        held.getKey(),
                        held.getValue().podUid(),
                        pod(listed, facts, key, held.getValue().podUid()),
                        endpoint(listed, facts, key),
                        settings.rules(),
                        context.now());
                if (verdict.steps().contains(Step.TRACE)) {
                    Optional.ofNullable(listed.pods().get(key)).ifPresent(traces::suspect);
                }
                if (verdict.collects()) {
                    releases.collect(pool.name(), held.getKey(), held.getValue(), listed.namesOfMachine(key));
                }
            }
        }
        if (settings.has(SpiderpoolSwitch.CLEAN_OUTDATED_ENDPOINT)) {
            listed.endpoints().keySet().stream()
                    .filter(key -> !recorded.contains(key))
                    .sorted()
                    .takeWhile(_ -> !stopped.getAsBoolean())
                    .forEach(key -> releases.deleteOutdated(key, listed.namesOfMachine(key)));
        }
    }

    private void reportNameless(AddressPool pool, Address address, PoolRecord record) {
        failures.report(
                "%s of %s".formatted(address, pool.name()),
                "cannot collect %s of pool %s: it is recorded for '%s', which is not NAMESPACE/NAME; if no pod uses it, run 'cadastre ipam release --ip %s --force'"
                        .formatted(address, pool.name(), record.pod(), address));
    }

    /// Decides whether pods that are not found are known not to exist.
    @FunctionalInterface
    interface Inhabited {
        boolean known(boolean podsFound);
    }

    /// The pools that can be read. Of the others nothing is released.
    private List<AddressPool> pools(Datastore store) {
        var pools = new ArrayList<AddressPool>();
        for (var document : store.listAll(SpiderKeys.POOLS).documents()) {
            var name = document.key().substring(SpiderKeys.POOLS.length());
            try {
                pools.add(SpiderPoolDocument.decode(name, document.value()).pool());
                failures.forget(name);
            } catch (UnreadableDocumentException unreadable) {
                failures.report(
                        name, "cannot collect addresses of pool %s: %s".formatted(name, unreadable.getMessage()));
            }
        }
        return pools;
    }

    private Listed list() {
        for (int attempt = 1; ; attempt++) {
            var listed = Listed.empty();
            try {
                context.store().scan(SpiderKeys.ENDPOINTS, page -> page.forEach(found -> addEndpoint(listed, found)));
                context.store()
                        .scan(
                                CoreKeys.PODS,
                                page -> page.forEach(found -> {
                                    traces.note(found);
                                    addPod(listed, found);
                                }));
                return listed;
            } catch (CompactedException compacted) {
                if (attempt == LISTS_MAX) {
                    throw compacted;
                }
            }
        }
    }

    private static void addEndpoint(Listed listed, Document document) {
        var key = CollectionFacts.named(document.key().substring(SpiderKeys.ENDPOINTS.length()));
        try {
            listed.endpoints().put(key, CollectionFacts.decode(key, document));
        } catch (UnreadableDocumentException _) {
            listed.unreadableEndpoints().add(key);
        }
    }

    private static void addPod(Listed listed, Document document) {
        PodSighting.key(document.key()).ifPresent(key -> {
            try {
                var pod = PodSighting.read(key, document);
                listed.pods().put(key, pod);
                pod.machine()
                        .ifPresent(machine -> listed.machinePods()
                                .computeIfAbsent(machine, _ -> new ArrayList<>())
                                .add(pod));
            } catch (UnreadableDocumentException _) {
                listed.unreadablePods().add(key);
            }
        });
    }

    private static KnownPod pod(Listed listed, CollectionFacts facts, PodKey key, String uid) {
        if (listed.unreadablePods().contains(key)) {
            return new KnownPod.Unclear("the Pod cannot be read");
        }
        var pod = listed.pods().get(key);
        return pod == null
                ? CollectionFacts.machinePod(
                        uid, listed.ofMachine(key).stream().map(facts::known).toList())
                : facts.known(pod);
    }

    private static KnownEndpoint endpoint(Listed listed, CollectionFacts facts, PodKey key) {
        if (listed.unreadableEndpoints().contains(key)) {
            return new KnownEndpoint.Unreadable();
        }
        var endpoint = listed.endpoints().get(key);
        return endpoint == null ? new KnownEndpoint.Absent() : facts.known(endpoint);
    }
}
