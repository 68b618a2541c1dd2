package io.cadastre.verification.simulation.pool;

import io.cadastre.address.Address;
import io.cadastre.address.RangeSet;
import io.cadastre.datastore.Datastore;
import io.cadastre.engine.Survey;
import io.cadastre.engine.pool.AddressPool;
import io.cadastre.engine.pool.PodKey;
import io.cadastre.engine.pool.PoolHoldings;
import io.cadastre.engine.pool.PoolRecord;
import io.cadastre.engine.pool.PoolRecords;
import io.cadastre.engine.pool.PoolView;
import io.cadastre.wire.spiderpool.objects.SpiderEndpointDocument;
import io.cadastre.wire.spiderpool.objects.SpiderKeys;
import io.cadastre.wire.spiderpool.objects.SpiderPoolDocument;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// Sees every state of the pools of a simulated cluster.
///
/// A pod that was told of addresses has them in the pools until its end begins. What a pod of a StatefulSet has stays
/// recorded under its name until the set is smaller, and the next pod of that name has the same. The map of
/// every state passes the survey, and every pool counts its records.
final class ClusterWitness {

    private final Datastore store;
    private final Map<PoolRecord, SortedSet<Address>> promised =
            new TreeMap<>(Comparator.comparing(PoolRecord::pod).thenComparing(PoolRecord::podUid));

    /// By the names of pods.
    private final Map<String, SortedSet<Address>> kept = new TreeMap<>();

    private int states;

    ClusterWitness(Datastore store) {
        this.store = store;
    }

    int states() {
        return states;
    }

    private List<AddressPool> pools() {
        return store.listAll(SpiderKeys.POOLS).documents().stream()
                .map(document -> {
                    var name = document.key().substring(SpiderKeys.POOLS.length());
                    var decoded = SpiderPoolDocument.decode(name, document.value());
                    PoolWitness.checkCount(decoded);
                    return decoded.pool();
                })
                .toList();
    }

    /// Looks at the store after it changed.
    void look() {
        states++;
        var pools = pools();
        var violations = Survey.of(PoolHoldings.of(PoolView.whole(pools, RangeSet.EMPTY, List.of())));
        if (!violations.isEmpty()) {
            throw new AssertionError(
                    "the survey found: " + violations.getFirst().sentence());
        }
        promised.forEach((pod, addresses) -> addresses.forEach(address -> require(
                find(pools, address).filter(pod::equals).isPresent(),
                "%s lives and has %s, and the pools record %s for it".formatted(pod, address, find(pools, address)))));
        kept.forEach((pod, addresses) -> addresses.forEach(address -> require(
                find(pools, address).map(PoolRecord::pod).filter(pod::equals).isPresent(),
                "%s keeps %s, and the pools record %s for it".formatted(pod, address, find(pools, address)))));
    }

    private static void require(boolean met, String sentence) {
        if (!met) {
            throw new AssertionError(sentence);
        }
    }

    private static Optional<PoolRecord> find(List<AddressPool> pools, Address address) {
        return pools.stream()
                .flatMap(pool -> pool.held().find(address).stream())
                .findFirst();
    }

    /// A pod was told of these.
    void promise(PoolRecord pod, List<Address> addresses) {
        promised.put(pod, new TreeSet<>(addresses));
        look();
    }

    /// The same for a pod whose addresses are kept.
    void promiseKept(PoolRecord pod, List<Address> addresses) {
        var before = kept.put(pod.pod(), new TreeSet<>(addresses));
        require(
                before == null || before.equals(new TreeSet<>(addresses)),
                "%s is given %s, and its predecessor had %s".formatted(pod, addresses, before));
        promise(pod, addresses);
    }

    /// Its end begins.
    void end(PoolRecord pod) {
        promised.remove(pod);
    }

    /// The StatefulSet does not have the pod any more.
    void abandon(String pod) {
        kept.remove(pod);
    }

    /// What is recorded although there is no pod that could have it.
    List<PoolRecords.Held> left() {
        return pools().stream().flatMap(pool -> pool.held().all().stream()).toList();
    }

    /// How many endpoints there are whose pools are there. Others may belong to a pool that is going to be restored.
    long endpoints() {
        var names = pools().stream().map(AddressPool::name).toList();
        return store.listAll(SpiderKeys.ENDPOINTS).documents().stream()
                .map(document -> {
                    var parts = document.key()
                            .substring(SpiderKeys.ENDPOINTS.length())
                            .split("/", -1);
                    return SpiderEndpointDocument.decode(new PodKey(parts[0], parts[1]), document.value());
                })
                .filter(endpoint -> endpoint.endpoint().nics().stream()
                        .flatMap(nic -> nic.addresses().stream())
                        .allMatch(taken -> names.contains(taken.pool())))
                .count();
    }
}
