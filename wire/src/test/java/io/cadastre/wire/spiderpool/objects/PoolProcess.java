package io.cadastre.wire.spiderpool.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.address.Family;
import io.cadastre.address.RangeSet;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.memory.MemoryJournal;
import io.cadastre.engine.pool.ForcedReleaseRequest;
import io.cadastre.engine.pool.Labels;
import io.cadastre.engine.pool.Networks;
import io.cadastre.engine.pool.NicAddress;
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
import io.cadastre.engine.pool.PoolRelease;
import io.cadastre.engine.pool.PoolReleaseRequest;
import io.cadastre.engine.pool.PoolReleaseRequest.PodState;
import io.cadastre.engine.pool.PoolSettings;
import io.cadastre.engine.pool.PoolView;
import io.cadastre.engine.pool.RequestedRoutes;
import io.cadastre.engine.pool.TopController;
import io.cadastre.registry.Ledger;
import io.cadastre.registry.Pause;
import io.cadastre.registry.Registrar;
import io.cadastre.registry.Request;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.spiderpool.objects.SpiderObjects.Given;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;

/// One process that gives addresses of pools: a registrar over a book.
final class PoolProcess {

    static final Instant NOW = Instant.parse("2026-11-15T08:20:13Z");

    private final Registrar<PoolView, PoolChange> registrar;
    private final Ledger ledger;

    private PoolProcess(Datastore store, long seed, Pause pause, InstantSource clock) {
        this.ledger = new Ledger(new MemoryJournal());
        this.registrar = new Registrar<>(
                new SpiderBook(store, clock),
                ledger,
                Registrar.Limits.DEFAULT,
                InstantSource.fixed(NOW),
                new SplittableRandom(seed),
                pause);
    }

    static PoolProcess on(Datastore store) {
        return at(store, InstantSource.fixed(NOW));
    }

    /// A process whose book has this clock.
    static PoolProcess at(Datastore store, InstantSource clock) {
        return new PoolProcess(store, 1, _ -> {}, clock);
    }

    /// One that pauses after a conflict, as an agent does.
    static PoolProcess asShippedOn(Datastore store, long seed) {
        return new PoolProcess(store, seed, Thread::sleep, InstantSource.fixed(NOW));
    }

    Ledger ledger() {
        return ledger;
    }

    static PoolAllocateRequest request(PodKey key, String uid, PoolPreference preference, RequestedRoutes routes) {
        return new PoolAllocateRequest(
                new PodInfo(key, uid, "n1", Life.ALIVE, Labels.NONE, new TopController("v1", "Pod", key.name())),
                "eth0",
                new PoolPreferences(
                        preference,
                        PoolPreferences.NONE.namespace(),
                        PoolPreferences.NONE.configured(),
                        PoolPreferences.NONE.gatewayUse()),
                routes,
                Networks.unknown("kube-system"),
                PoolSettings.DEFAULT,
                RangeSet.EMPTY);
    }

    PoolAllocation allocate(PoolAllocateRequest request) {
        return registrar.enact(new Request<PoolView, PoolChange, PoolAllocation>(
                "add", (view, earlier) -> PoolEngine.allocate(view, request, earlier)));
    }

    PoolAllocation allocate(PodKey key, String uid, String... pools) {
        return allocate(request(
                key, uid, new PoolPreference.Single(new PoolNames(List.of(pools), List.of())), RequestedRoutes.NONE));
    }

    /// The addresses that the pod has now, which is taken for one that has none yet.
    List<String> givenUnexpectedly(PodKey key, String uid, String... pools) {
        var preference = new PoolPreference.Single(new PoolNames(List.of(pools), List.of()));
        return addresses(
                allocate(request(key, uid, preference, RequestedRoutes.NONE).expectingNoEndpoint()));
    }

    /// The addresses that the pod has now.
    List<String> given(PodKey key, String uid, String... pools) {
        return addresses(allocate(key, uid, pools));
    }

    private static List<String> addresses(PoolAllocation allocation) {
        return switch (allocation) {
            case PoolAllocation.Allocated(var nics) ->
                nics.stream()
                        .flatMap(nic -> nic.addresses().stream())
                        .map(NicAddress::text)
                        .toList();
            case PoolAllocation.Refused(var refusal) -> throw new AssertionError(refusal.sentence());
        };
    }

    PoolRelease release(PodKey key, String uid, PodState standing) {
        var request = new PoolReleaseRequest(key, "eth0", uid, standing);
        return registrar.enact(new Request<>("del", view -> PoolEngine.release(view, request)));
    }

    PoolRelease forceRelease(PodKey key, String uid) {
        var request = new ForcedReleaseRequest(key, uid);
        return registrar.enact(new Request<>("force", view -> PoolEngine.forceRelease(view, request)));
    }

    static void pool(Datastore store, String name, String spec) {
        object(store, SpiderKinds.POOL, name, spec);
    }

    static void object(Datastore store, SpiderKind kind, String name, String spec) {
        var json = Json.emptyObject();
        json.putObject("metadata").put("name", name);
        json.set("spec", Json.readObject("spec", Bytes.ofUtf8(spec)));
        var given = new Given(kind, json, new UUID(0, 1), NOW, List.of(Family.IPV4, Family.IPV6));
        var page = new ObjectBook(store).open();
        var decision = SpiderObjects.apply(page.view(), given);
        if (decision.outcome() instanceof ObjectOutcome.Refused
                || !(page.with(decision.changes()).save() instanceof Commit.Done)) {
            throw new AssertionError(decision.outcome());
        }
        var counting = new ObjectBook(store).open();
        counting.with(SpiderObjects.count(counting.view(), kind, name).changes())
                .save();
    }

    static void put(Datastore store, String key, Bytes value) {
        commit(store, new Write.Create(key, value));
    }

    /// Stores a pool as it is, with its status.
    static void putPool(Datastore store, String name, ObjectNode json) {
        var created = json.deepCopy();
        created.remove("status");
        put(store, SpiderKeys.pool(name), Json.write(created));
        var stored = store.get(SpiderKeys.pool(name)).orElseThrow();
        var counted = Json.readObject(name, stored.value());
        counted.set("status", json.path("status"));
        commit(store, new Write.Update(stored.key(), Json.write(counted), stored.revision()));
    }

    private static void commit(Datastore store, Write write) {
        if (!(store.commit(List.of(write)) instanceof Commit.Done)) {
            throw new AssertionError(write);
        }
    }

    static SpiderPoolDocument pool(Datastore store, String name) {
        return SpiderPoolDocument.decode(
                name, store.get(SpiderKeys.pool(name)).map(Document::value).orElseThrow());
    }
}
