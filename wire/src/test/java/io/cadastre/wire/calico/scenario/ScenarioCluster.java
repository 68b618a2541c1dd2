package io.cadastre.wire.calico.scenario;

import static io.cadastre.wire.calico.scenario.Words.address;
import static io.cadastre.wire.calico.scenario.Words.labels;
import static io.cadastre.wire.calico.scenario.Words.prefix;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.address.Family;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.memory.MemoryJournal;
import io.cadastre.engine.Decision;
import io.cadastre.engine.NotReadException;
import io.cadastre.engine.block.AddressUse;
import io.cadastre.engine.block.Affinity;
import io.cadastre.engine.block.Attempts;
import io.cadastre.engine.block.Block;
import io.cadastre.engine.block.BlockChange;
import io.cadastre.engine.block.BlockEngine;
import io.cadastre.engine.block.BlockItem;
import io.cadastre.engine.block.BlockListing;
import io.cadastre.engine.block.BlockSurvey;
import io.cadastre.engine.block.BlockView;
import io.cadastre.engine.block.IpPool;
import io.cadastre.engine.block.IpamConfig;
import io.cadastre.engine.block.Owner;
import io.cadastre.engine.block.assign.AddressAssignment;
import io.cadastre.engine.block.assign.AssignAddressRequest;
import io.cadastre.engine.block.assign.AssignRequest;
import io.cadastre.engine.block.assign.AssignRequest.Ask;
import io.cadastre.engine.block.assign.Assignment;
import io.cadastre.engine.block.assign.Requester;
import io.cadastre.engine.block.release.HandleRelease;
import io.cadastre.engine.block.release.Release;
import io.cadastre.engine.block.release.ReleaseOption;
import io.cadastre.registry.Ledger;
import io.cadastre.registry.Page;
import io.cadastre.registry.Registrar;
import io.cadastre.registry.Request;
import io.cadastre.wire.calico.CalicoBook;
import io.cadastre.wire.calico.CalicoKeys;
import io.cadastre.wire.calico.RecordingStore;
import io.cadastre.wire.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Function;

/// A small cluster in a store, and one process that gives its addresses. After whatever it does, what
/// is in the store is surveyed.
public final class ScenarioCluster {

    /// When the scenarios begin.
    static final Instant NOW = Instant.parse("2026-03-01T10:20:30.123456789Z");

    private final Datastore store;
    private final ClusterFixture scenery;
    private final RecordingStore trial;
    private final Registrar<BlockView, BlockChange> registrar;
    private Instant now = NOW;

    private ScenarioCluster(Datastore store, ClusterFixture scenery) {
        this.store = store;
        this.scenery = scenery;
        this.trial = new RecordingStore(store);
        this.registrar = new Registrar<>(
                new CalicoBook(trial, this::now),
                new Ledger(new MemoryJournal()),
                Registrar.Limits.DEFAULT,
                this::now,
                new Random(1),
                _ -> {});
    }

    /// The pools and no others, and four nodes.
    static ScenarioCluster of(Datastore store, ClusterFixture scenery, IpPool... pools) {
        var cluster = new ScenarioCluster(store, scenery);
        if (store.get(CalicoKeys.NODES + "node-a").isEmpty()) {
            for (var name : List.of("node-a", "node-b", "host-a", "host-b")) {
                scenery.node(store, name, labels());
            }
        }
        return cluster.pools(pools);
    }

    /// Another process at the same store.
    ScenarioCluster rival() {
        var rival = new ScenarioCluster(store, scenery);
        rival.now = now;
        return rival;
    }

    // ---- what an operator does ----

    /// There are these pools and no others.
    ScenarioCluster pools(IpPool... pools) {
        for (var former : store.listAll(CalicoKeys.POOLS).documents()) {
            scenery.noPool(store, former);
        }
        for (var pool : pools) {
            scenery.pool(store, pool);
        }
        return this;
    }

    ScenarioCluster node(String name, String... labels) {
        scenery.node(store, name, labels(labels));
        return this;
    }

    ScenarioCluster reserve(String... cidrs) {
        var json = resource("IPReservation", "reserved");
        var reserved = json.putObject("spec").putArray("reservedCIDRs");
        Arrays.stream(cidrs).forEach(reserved::add);
        put(CalicoKeys.RESERVATIONS + "reserved", Json.write(json));
        return this;
    }

    ScenarioCluster config(IpamConfig config) {
        write(new BlockChange.PutConfig(config));
        return this;
    }

    ScenarioCluster later(Duration duration) {
        now = now.plus(duration);
        return this;
    }

    Instant now() {
        return now;
    }

    // ---- what is there before ----

    ScenarioCluster block(Block block) {
        write(new BlockChange.CreateBlock(block));
        return this;
    }

    ScenarioCluster affinity(Affinity affinity) {
        write(new BlockChange.PutAffinity(affinity));
        return this;
    }

    /// Another program writes one document, and what it was before does not matter.
    void write(BlockChange change) {
        require(open().reading(change.item()).with(List.of(change)).save());
    }

    private Page<BlockView, BlockChange> open() {
        return new CalicoBook(store, this::now).open();
    }

    void put(String key, Bytes value) {
        put(store, key, value);
    }

    /// The document holds this now, whatever it was.
    static void put(Datastore store, String key, Bytes value) {
        var former = store.get(key);
        Write write = former.isPresent()
                ? new Write.Update(key, value, former.get().revision())
                : new Write.Create(key, value);
        require(store.commit(List.of(write)));
    }

    static void require(Commit commit) {
        if (!(commit instanceof Commit.Done)) {
            throw new AssertionError(commit);
        }
    }

    static ObjectNode resource(String kind, String name) {
        var json = Json.emptyObject().put("kind", kind).put("apiVersion", "projectcalico.org/v3");
        json.putObject("metadata").put("name", name);
        return json;
    }

    // ---- what is asked of the process ----

    /// Decides and writes, and gives the outcome.
    <O> O enact(Function<BlockView, Decision<BlockChange, O>> law) {
        return enact((view, _) -> law.apply(view));
    }

    <O> O enact(Request.Law<BlockView, BlockChange, O> law) {
        var outcome = settle(law);
        assertThat(BlockSurvey.of(view())).isEmpty();
        return outcome;
    }

    /// Decides and writes, without checking the invariants: others may be writing.
    <O> O settle(Request.Law<BlockView, BlockChange, O> law) {
        return registrar.enact(new Request<>("a scenario", law));
    }

    /// Lists all blocks, decides, and writes one document after another, as Calico does.
    <O> void enactOneByOne(Function<BlockView, Decision<BlockChange, O>> law) {
        var decision = explain(view -> {
            assertThat(view.blocks(Family.IPV4)).doesNotHaveDuplicates();
            return law.apply(view);
        });
        decision.changes().forEach(this::write);
    }

    /// Decides and writes nothing.
    <O> Decision<BlockChange, O> explain(Function<BlockView, Decision<BlockChange, O>> law) {
        return registrar.explain(new Request<>("a scenario", law));
    }

    /// Looks and writes nothing.
    <O> O see(Function<BlockView, O> look) {
        return explain(view -> new Decision<>(look.apply(view), List.of(), List.of()))
                .outcome();
    }

    /// Decides, writes the first changes only, and dies.
    void dieAfter(int writes, Function<BlockView, ? extends Decision<BlockChange, ?>> law) {
        var page = decided(law, writes);
        require(page.save());
        assertThat(BlockSurvey.of(view())).isEmpty();
    }

    /// Decides and has not written yet.
    Page<BlockView, BlockChange> decided(Function<BlockView, ? extends Decision<BlockChange, ?>> law) {
        return decided(law, Integer.MAX_VALUE);
    }

    private Page<BlockView, BlockChange> decided(
            Function<BlockView, ? extends Decision<BlockChange, ?>> law, int writes) {
        var page = open();
        // Ends: each round reads something that was lacking.
        while (true) {
            try {
                return page.with(
                        law.apply(page.view()).changes().stream().limit(writes).toList());
            } catch (NotReadException notRead) {
                page = page.reading(notRead.missing());
            }
        }
    }

    AssignRequest request(String host) {
        return AssignRequest.on(host, AddressUse.WORKLOAD, now);
    }

    Assignment assign(AssignRequest request) {
        return enact((view, lost) -> BlockEngine.assign(view, request.after(lost)));
    }

    /// Asks for IPv4 addresses and gives their texts.
    List<String> assign(String host, int count) {
        return texts(assign(request(host).ipv4(Ask.of(count))));
    }

    List<String> assign(String host, int count, String handle) {
        return texts(assign(request(host).ipv4(Ask.of(count)).by(Requester.of(handle))));
    }

    static List<String> texts(Assignment assignment) {
        return assignment.addresses().stream().map(Object::toString).toList();
    }

    AddressAssignment assignAddress(String host, String address, String handle) {
        return assignAddress(AssignAddressRequest.of(address(address), host, Requester.of(handle), now));
    }

    AddressAssignment assignAddress(AssignAddressRequest request) {
        return enact((view, lost) -> BlockEngine.assignAddress(view, request.after(lost)));
    }

    Release release(ReleaseOption... options) {
        return enact((view, lost) -> BlockEngine.release(view, List.of(options), Attempts.after(lost, now)));
    }

    HandleRelease releaseByHandle(String handle) {
        return enact((view, lost) -> BlockEngine.releaseByHandle(view, handle, Attempts.after(lost, now)));
    }

    // ---- what is in the store ----

    /// The store as the process sees it.
    RecordingStore trial() {
        return trial;
    }

    Datastore store() {
        return store;
    }

    /// Everything but the nodes.
    BlockView view() {
        var page = open();
        for (var missing : List.of(
                new BlockItem.OfConfig(),
                new BlockListing.OfPools(),
                new BlockListing.OfReservations(),
                new BlockListing.OfAllAffinities(),
                new BlockListing.OfHandles(),
                new BlockListing.OfBlocks(Family.IPV4),
                new BlockListing.OfBlocks(Family.IPV6))) {
            page = page.reading(missing);
        }
        return page.view();
    }

    Block block(String cidr) {
        return view().findBlock(prefix(cidr)).orElseThrow();
    }

    List<String> blocks() {
        return view().blocks(Family.IPV4).stream()
                .map(block -> block.cidr().toString())
                .toList();
    }

    List<String> affinities(String host) {
        return view().affinitiesOf(Owner.host(host), Family.IPV4).stream()
                .map(affinity -> affinity.cidr() + " " + affinity.state().word())
                .toList();
    }
}
