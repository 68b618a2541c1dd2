package io.cadastre.wire.calico;

import io.cadastre.address.Address;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.memory.MemoryJournal;
import io.cadastre.engine.Decision;
import io.cadastre.engine.block.AddressUse;
import io.cadastre.engine.block.Attempts;
import io.cadastre.engine.block.BlockChange;
import io.cadastre.engine.block.BlockEngine;
import io.cadastre.engine.block.BlockSettings;
import io.cadastre.engine.block.BlockView;
import io.cadastre.engine.block.Configuration;
import io.cadastre.engine.block.IpamConfig;
import io.cadastre.engine.block.assign.AssignRequest;
import io.cadastre.engine.block.assign.AssignRequest.Ask;
import io.cadastre.engine.block.assign.Assignment;
import io.cadastre.engine.block.assign.Requester;
import io.cadastre.engine.block.release.HandleRelease;
import io.cadastre.engine.block.release.Release;
import io.cadastre.engine.block.release.ReleaseOption;
import io.cadastre.registry.Book;
import io.cadastre.registry.Ledger;
import io.cadastre.registry.Pause;
import io.cadastre.registry.Registrar;
import io.cadastre.registry.Request;
import io.cadastre.wire.calico.resource.CalicoKinds;
import io.cadastre.wire.json.Json;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

/// One process that gives addresses: a registrar over a book.
final class AllocatorProcess {

    static final Instant NOW = Instant.parse("2026-11-15T08:07:08.572648602Z");

    private final Registrar<BlockView, BlockChange> registrar;

    AllocatorProcess(Book<BlockView, BlockChange> book) {
        this(book, new Ledger(new MemoryJournal()));
    }

    private AllocatorProcess(Book<BlockView, BlockChange> book, Ledger ledger) {
        this(book, ledger, _ -> {});
    }

    private AllocatorProcess(Book<BlockView, BlockChange> book, Ledger ledger, Pause pause) {
        this(book, ledger, pause, 1);
    }

    private AllocatorProcess(Book<BlockView, BlockChange> book, Ledger ledger, Pause pause, int seed) {
        registrar = new Registrar<>(
                book, ledger, Registrar.Limits.DEFAULT, InstantSource.fixed(NOW), new Random(seed), pause);
    }

    static AllocatorProcess on(Datastore store) {
        return new AllocatorProcess(new CalicoBook(store, InstantSource.fixed(NOW)));
    }

    /// One that says how long it steps aside.
    static AllocatorProcess pausing(Pause pause, Datastore store) {
        return new AllocatorProcess(
                new CalicoBook(store, InstantSource.fixed(NOW)), new Ledger(new MemoryJournal()), pause);
    }

    /// One among rivals, which steps aside as a process does.
    static AllocatorProcess amongRivals(Book<BlockView, BlockChange> book, int seed) {
        return new AllocatorProcess(book, new Ledger(new MemoryJournal()), Thread::sleep, seed);
    }

    static AllocatorProcess recordingIn(Ledger ledger, Datastore store) {
        return new AllocatorProcess(new CalicoBook(store, InstantSource.fixed(NOW)), ledger);
    }

    // ---- what is asked of it ----

    <O> O enact(Function<BlockView, Decision<BlockChange, O>> law) {
        return registrar.enact(new Request<>("a trial", law));
    }

    /// How many requests wait for their turn.
    int waiting() {
        return registrar.waiting();
    }

    Assignment assign(AssignRequest request) {
        return registrar.enact(new Request<>("assign", (view, lost) -> BlockEngine.assign(view, request.after(lost))));
    }

    /// One IPv4 address for a handle.
    Address assign(String host, String handle) {
        var assignment = assign(request(host).by(Requester.of(handle)).ipv4(Ask.of(1)));
        if (assignment.addresses().size() != 1) {
            throw new AssertionError(assignment);
        }
        return assignment.addresses().getFirst();
    }

    /// What would be assigned. Nothing is.
    Decision<BlockChange, Assignment> explain(AssignRequest request) {
        return registrar.explain(
                new Request<>("assign", (view, lost) -> BlockEngine.assign(view, request.after(lost))));
    }

    static AssignRequest request(String host) {
        return AssignRequest.on(host, AddressUse.WORKLOAD, NOW);
    }

    Release release(Object... addresses) {
        var options = Arrays.stream(addresses)
                .map(address -> ReleaseOption.of(address.toString()))
                .toList();
        return registrar.enact(new Request<>(
                "release", (view, lost) -> BlockEngine.release(view, options, Attempts.after(lost, NOW))));
    }

    HandleRelease releaseHandle(String handle) {
        return registrar.enact(new Request<>(
                "release", (view, lost) -> BlockEngine.releaseByHandle(view, handle, Attempts.after(lost, NOW))));
    }

    void configure(IpamConfig config) {
        var configuration = enact(view -> BlockSettings.configure(view, config));
        if (!(configuration instanceof Configuration.Configured)) {
            throw new AssertionError(configuration);
        }
    }

    static SortedMap<String, String> attributes(String... pairs) {
        var map = new TreeMap<String, String>();
        for (int index = 0; index < pairs.length; index += 2) {
            map.put(pairs[index], pairs[index + 1]);
        }
        return map;
    }

    // ---- what is in the store ----

    static void node(Datastore store, String name) {
        var key = new CalicoKey.OfNode(name);
        var node = CalicoKinds.NODE.create(name, Json.emptyObject(), UUID.randomUUID(), NOW);
        put(store, key, CalicoDocument.decode(key, Json.write(node)));
    }

    static void pool(Datastore store, String name, String cidr, int blockLength, String... uses) {
        var given = Json.emptyObject();
        var spec = given.putObject("spec").put("cidr", cidr).put("blockSize", blockLength);
        var allowed = spec.putArray("allowedUses");
        Arrays.stream(uses).forEach(allowed::add);
        put(store, new CalicoKey.OfPool(name), IpPoolDocument.create(name, given, UUID.randomUUID(), NOW));
    }

    /// From now on the pool gives nothing.
    static void disable(Datastore store, String pool) {
        var key = new CalicoKey.OfPool(pool).text();
        var json = store.get(key).orElseThrow().value().utf8();
        put(store, key, json.replace("\"spec\":{", "\"spec\":{\"disabled\":true,"));
    }

    private static void put(Datastore store, CalicoKey key, CalicoDocument document) {
        put(store, key.text(), document.encode().utf8());
    }

    /// Writes the key, whatever it holds.
    static void put(Datastore store, String key, String value) {
        var former = store.get(key);
        Write write = former.isPresent()
                ? new Write.Update(key, Bytes.ofUtf8(value), former.get().revision())
                : new Write.Create(key, Bytes.ofUtf8(value));
        if (!(store.commit(List.of(write)) instanceof Commit.Done)) {
            throw new AssertionError(key);
        }
    }

    /// All that is under a prefix, by key.
    static SortedMap<String, String> stored(Datastore store, String prefix) {
        return store.listAll(prefix).documents().stream()
                .collect(Collectors.toMap(
                        Document::key, document -> document.value().utf8(), (one, _) -> one, TreeMap::new));
    }
}
