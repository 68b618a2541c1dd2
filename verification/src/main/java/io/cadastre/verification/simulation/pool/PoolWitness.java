package io.cadastre.verification.simulation.pool;

import io.cadastre.address.Address;
import io.cadastre.address.RangeSet;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Document;
import io.cadastre.engine.Survey;
import io.cadastre.engine.pool.AddressPool;
import io.cadastre.engine.pool.Nic;
import io.cadastre.engine.pool.PodEndpoint;
import io.cadastre.engine.pool.PodKey;
import io.cadastre.engine.pool.PoolAllocation;
import io.cadastre.engine.pool.PoolHoldings;
import io.cadastre.engine.pool.PoolRecord;
import io.cadastre.engine.pool.PoolRelease;
import io.cadastre.engine.pool.PoolView;
import io.cadastre.wire.spiderpool.objects.ReservedDocument;
import io.cadastre.wire.spiderpool.objects.SpiderEndpointDocument;
import io.cadastre.wire.spiderpool.objects.SpiderKeys;
import io.cadastre.wire.spiderpool.objects.SpiderPoolDocument;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// Sees every state of the pools and every answer to a caller, and fails when the two disagree.
///
/// The map of every state passes the survey, and nothing reserved is given. The answer about a pod that
/// only one caller asks about is true, and stays true until that caller asks again; after a question
/// without an answer nothing is promised. Where the store has transactions, an endpoint has only records of
/// its pod in every state, and all of them if one process asks about the pod; where several do, one that is
/// late may replace the endpoint of the pod's successor, as with Spiderpool. And a caller that is refused
/// there, or whose request failed, finds everything as it was.
final class PoolWitness {

    /// The prefix of the names of pods that all processes ask about.
    static final String SHARED = "shared-";

    private final Datastore store;
    private final boolean atomic;
    private final Map<PoolRecord, SortedSet<Address>> promised =
            new TreeMap<>(Comparator.comparing(PoolRecord::pod).thenComparing(PoolRecord::podUid));
    private PoolView state;
    private int states;

    PoolWitness(Datastore store, boolean atomic) {
        this.store = store;
        this.atomic = atomic;
        this.state = read();
        this.states = 1;
    }

    private PoolView read() {
        return PoolView.whole(
                store.listAll(SpiderKeys.POOLS).documents().stream()
                        .map(PoolWitness::pool)
                        .toList(),
                store.listAll(SpiderKeys.RESERVED).documents().stream()
                        .map(document -> ReservedDocument.decode(name(document, SpiderKeys.RESERVED), document.value())
                                .reserved())
                        .reduce(RangeSet.EMPTY, RangeSet::union),
                store.listAll(SpiderKeys.ENDPOINTS).documents().stream()
                        .map(PoolWitness::endpoint)
                        .toList());
    }

    private static AddressPool pool(Document document) {
        var decoded = SpiderPoolDocument.decode(name(document, SpiderKeys.POOLS), document.value());
        checkCount(decoded);
        return decoded.pool();
    }

    /// An unused pool that was barred has no count until it is written again.
    static void checkCount(SpiderPoolDocument decoded) {
        var count = decoded.json().at("/status/allocatedIPCount").toString();
        if (!(count.isEmpty() ? "0" : count)
                .equals(Integer.toString(decoded.pool().held().size()))) {
            throw new AssertionError("pool %s counts '%s' of %s"
                    .formatted(decoded.pool().name(), count, decoded.pool().records()));
        }
    }

    private static PodEndpoint endpoint(Document document) {
        var parts = name(document, SpiderKeys.ENDPOINTS).split("/", -1);
        return SpiderEndpointDocument.decode(new PodKey(parts[0], parts[1]), document.value())
                .endpoint();
    }

    private static String name(Document document, String keys) {
        return document.key().substring(keys.length());
    }

    /// A question under way.
    ///
    /// @param before what the pod had when it was asked
    record Question(PoolRecord pod, boolean exclusive, SortedSet<Address> before) {}

    int states() {
        return states;
    }

    PoolView state() {
        return state;
    }

    /// Looks at the store after it changed.
    void look() {
        state = read();
        states++;
        var violations = Survey.of(PoolHoldings.of(state));
        if (!violations.isEmpty()) {
            throw new AssertionError(
                    "the survey found: " + violations.getFirst().sentence());
        }
        if (atomic) {
            state.knownEndpoints().forEach(this::requireRecords);
        }
        promised.forEach((pod, addresses) -> require(pod, addresses, "was promised"));
        requireNothingReserved();
    }

    private void requireNothingReserved() {
        for (var pool : state.allPools()) {
            for (var held : pool.held().all()) {
                if (state.reservedAddresses().contains(held.address())) {
                    throw new AssertionError(held.address() + " is reserved and was given");
                }
            }
        }
    }

    private void requireRecords(PodEndpoint endpoint) {
        var pod = PoolRecord.of(endpoint.key(), endpoint.uid());
        var told = addresses(endpoint.nics());
        if (endpoint.key().name().startsWith(SHARED)) {
            requireAmong(pod, told, "has an endpoint with");
        } else {
            require(pod, told, "has an endpoint with");
        }
    }

    /// Where there are no transactions, what was begun and not finished may be left.
    private void require(PoolRecord pod, SortedSet<Address> addresses, String words) {
        requireAmong(pod, addresses, words);
        if (atomic && !held(pod).equals(addresses)) {
            throw new AssertionError("%s %s %s and holds %s".formatted(pod, words, addresses, held(pod)));
        }
    }

    private void requireAmong(PoolRecord pod, SortedSet<Address> addresses, String words) {
        if (!held(pod).containsAll(addresses)) {
            throw new AssertionError("%s %s %s and holds only %s".formatted(pod, words, addresses, held(pod)));
        }
    }

    private SortedSet<Address> held(PoolRecord pod) {
        var held = new TreeSet<Address>();
        for (var pool : state.allPools()) {
            pool.held().all().stream().filter(one -> one.record().equals(pod)).forEach(one -> held.add(one.address()));
        }
        return held;
    }

    private static SortedSet<Address> addresses(List<Nic> nics) {
        var addresses = new ArrayList<Address>();
        nics.forEach(nic -> nic.addresses().forEach(taken -> addresses.add(taken.address())));
        return new TreeSet<>(addresses);
    }

    /// Notes that a caller asks about a pod.
    ///
    /// @param exclusive whether no other caller ever asks about it, and nothing about it is under way
    Question ask(PoolRecord pod, boolean exclusive) {
        promised.remove(pod);
        return new Question(pod, exclusive, held(pod));
    }

    void told(Question question, PoolAllocation allocation) {
        switch (allocation) {
            case PoolAllocation.Allocated(var nics) -> promise(question, addresses(nics));
            case PoolAllocation.Refused _ -> promiseUnchanged(question);
        }
    }

    void told(Question question, PoolRelease release) {
        switch (release) {
            case PoolRelease.Released _, PoolRelease.Kept _ -> {
                if (atomic) {
                    promise(question, new TreeSet<>());
                }
            }
            case PoolRelease.Refused _ -> promiseUnchanged(question);
        }
    }

    /// A failure says that nothing was written.
    void toldFailed(Question question) {
        promiseUnchanged(question);
    }

    private void promiseUnchanged(Question question) {
        if (atomic) {
            promise(question, question.before());
        }
    }

    private void promise(Question question, SortedSet<Address> addresses) {
        if (question.exclusive()) {
            require(question.pod(), addresses, "got the answer");
            promised.put(question.pod(), addresses);
        }
    }
}
