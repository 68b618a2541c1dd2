package io.cadastre.wire.calico;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.cadastre.address.Address;
import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.datastore.memory.MemoryJournal;
import io.cadastre.engine.Decision;
import io.cadastre.engine.Holding;
import io.cadastre.engine.block.Attempts;
import io.cadastre.engine.block.Block;
import io.cadastre.engine.block.BlockChange;
import io.cadastre.engine.block.BlockEngine;
import io.cadastre.engine.block.BlockRefusal;
import io.cadastre.engine.block.BlockView;
import io.cadastre.engine.block.Owner;
import io.cadastre.engine.block.assign.AffinityClaim;
import io.cadastre.engine.block.assign.AssignRequest;
import io.cadastre.engine.block.assign.AssignRequest.Ask;
import io.cadastre.engine.block.assign.Assignment;
import io.cadastre.engine.block.assign.ClaimRequest;
import io.cadastre.engine.block.assign.Requester;
import io.cadastre.engine.block.release.AffinityRelease;
import io.cadastre.engine.block.release.HandleRelease;
import io.cadastre.engine.block.release.Release;
import io.cadastre.engine.block.release.ReleaseCondition;
import io.cadastre.engine.block.release.ReleaseOption;
import io.cadastre.registry.Ledger;
import io.cadastre.registry.Registrar;
import io.cadastre.registry.Request;
import io.cadastre.registry.UnsettledException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Requests that are more than one commit takes, in every store.
abstract class PartsContract {

    private static final String BLOCKS = "/calico/ipam/v2/assignment/ipv4/block/";
    private static final int WRITES_MAX = Datastore.WRITES_MAX;
    private static final Owner NODE = Owner.host("node-a");

    private final Ledger ledger = new Ledger(new MemoryJournal());
    private Datastore store = new MemoryDatastore();
    private RecordingStore trial = new RecordingStore(store);

    /// The process is dead.
    private static final class Dead extends Error {

        private static final long serialVersionUID = 1;
    }

    /// An empty store.
    protected abstract Datastore open() throws Exception;

    @BeforeEach
    void openStore() throws Exception {
        store.close();
        store = open();
        trial = new RecordingStore(store);
        AllocatorProcess.node(store, "node-a");
    }

    @AfterEach
    void closeStore() {
        store.close();
    }

    // ---- addresses ----

    @Test
    void fourThousandAddressesAreGivenByOneCall() {
        AllocatorProcess.pool(store, "p", "10.244.0.0/16", 26);

        var assignment = registrar(trial).enact(assign("h", 4096));

        assertThat(assignment).isInstanceOf(Assignment.Done.class);
        assertThat(assignment.addresses()).hasSize(4096).doesNotHaveDuplicates();
        assertThat(held(NODE)).containsExactlyInAnyOrderElementsOf(assignment.addresses());
        assertThat(AllocatorProcess.stored(store, BLOCKS)).hasSize(64);
        assertThat(counted("h")).isEqualTo(4096);
        assertThat(grantedByLedger()).containsExactlyInAnyOrderElementsOf(assignment.addresses());
        assertThat(writesOfCommits()).hasSizeGreaterThan(1).allMatch(count -> count <= WRITES_MAX);
    }

    @Test
    void requestWithoutAHandleGetsItsAddressesOnceToo() {
        AllocatorProcess.pool(store, "p", "10.244.0.0/16", 28);

        var assignment = registrar(trial).enact(assign(2000));

        assertThat(assignment.addresses()).hasSize(2000).doesNotHaveDuplicates();
        assertThat(held(NODE)).containsExactlyInAnyOrderElementsOf(assignment.addresses());
        assertThat(grantedByLedger()).containsExactlyInAnyOrderElementsOf(assignment.addresses());
    }

    @Test
    void aShortfallNamesAllAddressesThatWereAskedFor() {
        AllocatorProcess.pool(store, "p", "10.0.0.0/21", 28);

        var assignment = registrar(trial).enact(assign("h", 2049));

        assertThat(assignment.addresses()).hasSize(2048);
        assertThat(assignment.share(Family.IPV4).orElseThrow().shortfall())
                .contains("Assigned 2048 out of 2049 requested IPv4 addresses; No IPs available in"
                        + " pools: [10.0.0.0/21]");
    }

    @Test
    void aRefusalOfALaterPartTellsWhatWasGivenBefore() {
        AllocatorProcess.pool(store, "p", "10.0.0.0/16", 28);
        var request = request(2000).by(Requester.of("h")).withMaxBlocksPerHost(70);

        var assignment = registrar(trial).enact(assign(request));

        assertThat(assignment)
                .isInstanceOfSatisfying(
                        Assignment.Stopped.class,
                        stopped -> assertThat(stopped.refusal()).isEqualTo(new BlockRefusal.BlockLimit()));
        assertThat(assignment.addresses()).hasSize(70 * 16);
        assertThat(held(NODE)).containsExactlyInAnyOrderElementsOf(assignment.addresses());
    }

    @Test
    void aStoreThatFailsOnTheWayLeavesTheEarlierPartsAndTheyAreReported() {
        AllocatorProcess.pool(store, "p", "10.0.0.0/16", 28);
        failAtCommit(WRITES_MAX + 1);

        var assignment = registrar(trial).enact(assign("h", 2000));

        assertThat(assignment)
                .isInstanceOfSatisfying(
                        Assignment.Stopped.class,
                        stopped -> assertThat(stopped.refusal().sentence())
                                .contains("saved in part", "broken on purpose"));
        assertThat(assignment.addresses()).isNotEmpty();
        assertThat(held(NODE)).containsAll(assignment.addresses());
        assertThat(counted("h")).isGreaterThanOrEqualTo(held(NODE).size());
    }

    @Test
    void aProcessThatDiesOnTheWayLeavesWhatCanBeReleased() {
        AllocatorProcess.pool(store, "p", "10.0.0.0/16", 28);
        dieAtCommit(WRITES_MAX + 1);

        assertThatExceptionOfType(Dead.class).isThrownBy(() -> registrar(trial).enact(assign("h", 2000)));

        var held = held(NODE);
        assertThat(held).isNotEmpty().hasSizeLessThan(2000).doesNotHaveDuplicates();
        assertThat(counted("h")).isGreaterThanOrEqualTo(held.size());
        assertThat(grantedByLedger()).isNotEmpty().isSubsetOf(held);
        var release = registrar(store).enact(releaseHandle("h"));
        assertThat(release).isEqualTo(new HandleRelease.Done(release.released()));
        assertThat(release.released()).containsExactlyInAnyOrderElementsOf(held);
        assertThat(AllocatorProcess.stored(store, "/calico/ipam/v2/handle/")).isEmpty();
    }

    @Test
    void lostAnswersOnTheWayCostNoAddress() {
        AllocatorProcess.pool(store, "p", "10.0.0.0/16", 28);
        for (int lost = 1; lost <= 5; lost += 2) {
            atCommit(lost * WRITES_MAX / 4, trial::loseNextAnswer);
            var handle = "h" + lost;

            var assignment = registrar(trial).enact(assign(handle, 1200));

            assertThat(assignment).isInstanceOf(Assignment.Done.class);
            assertThat(heldBy(handle)).hasSize(1200).containsExactlyInAnyOrderElementsOf(assignment.addresses());
            assertThat(counted(handle)).isGreaterThanOrEqualTo(1200);
            assertThat(Set.copyOf(grantedByLedger()).containsAll(assignment.addresses()))
                    .isTrue();
        }
        assertThat(grantedByLedger()).hasSize(3 * 1200).doesNotHaveDuplicates();
    }

    @Test
    void requestsThatNeverArriveAreMadeAgain() {
        AllocatorProcess.pool(store, "p", "10.0.0.0/16", 28);
        for (int lost = 1; lost <= 5; lost += 2) {
            atCommit(lost * WRITES_MAX / 4, trial::loseNextRequest);
            var handle = "h" + lost;

            var assignment = registrar(trial).enact(assign(handle, 1200));

            assertThat(assignment).isInstanceOf(Assignment.Done.class);
            assertThat(heldBy(handle)).hasSize(1200).containsExactlyInAnyOrderElementsOf(assignment.addresses());
            assertThat(counted(handle)).isGreaterThanOrEqualTo(1200);
        }
        assertThat(grantedByLedger()).hasSize(3 * 1200).doesNotHaveDuplicates();
    }

    @Test
    void aRivalBetweenTwoPartsCostsNoAddress() {
        AllocatorProcess.pool(store, "p", "10.0.0.0/16", 28);
        AllocatorProcess.node(store, "node-b");
        var rival = AllocatorProcess.on(store);
        for (int commit = 0; commit < 3; commit++) {
            var name = "rival-" + commit;
            trial.beforeNextCommit(() -> rival.assign("node-a", name));
        }

        var assignment = registrar(trial).enact(assign("h", 1500));

        assertThat(assignment.addresses()).hasSize(1500).doesNotHaveDuplicates();
        assertThat(heldBy("h")).containsExactlyInAnyOrderElementsOf(assignment.addresses());
        assertThat(held(NODE)).hasSize(1503);
        // Where it is written before the block, it may count an address in vain.
        assertThat(counted("h")).isGreaterThanOrEqualTo(1500);
    }

    @Test
    void moreAffinitiesThanOneCommitTakesAreSettledOnTheWayToAnAddress() {
        AllocatorProcess.pool(store, "p", "10.0.0.0/16", 28);
        AllocatorProcess.node(store, "node-b");
        registrar(store)
                .enact(assign(AllocatorProcess.request("node-b")
                        .ipv4(Ask.of(2 * WRITES_MAX * 16))
                        .withMaxBlocksPerHost(2 * WRITES_MAX)));
        for (var block : AllocatorProcess.stored(store, BLOCKS).keySet()) {
            var cidr = block.substring(BLOCKS.length());
            AllocatorProcess.put(
                    store,
                    "/calico/ipam/v2/host/node-a/ipv4/block/" + cidr,
                    "{\"state\":\"pending\",\"deleted\":false}");
        }

        var assignment = registrar(trial).enact(assign("h", 1));

        assertThat(assignment.addresses()).hasSize(1);
        assertThat(heldBy("h")).containsExactlyElementsOf(assignment.addresses());
        assertThat(AllocatorProcess.stored(store, "/calico/ipam/v2/host/node-a/ipv4/block/"))
                .hasSize(1);
    }

    @Test
    void decisionTooLargeForOneCommitIsExplainedWholly() {
        AllocatorProcess.pool(store, "p", "10.0.0.0/16", 28);

        var decision = registrar(trial).explain(assign("h", 2000));

        assertThat(decision.outcome().addresses()).hasSize(2000);
        assertThat(AllocatorProcess.stored(store, "/calico/ipam/")).isEmpty();
    }

    // ---- releases ----

    @Test
    void aHandleOfManyBlocksIsReleasedByOneCall() {
        AllocatorProcess.pool(store, "p", "10.0.0.0/16", 28);
        var given = registrar(store).enact(assign("h", 3000)).addresses();

        var release = registrar(trial).enact(releaseHandle("h"));

        assertThat(release).isInstanceOf(HandleRelease.Done.class);
        assertThat(release.released()).containsExactlyInAnyOrderElementsOf(given);
        assertThat(held(NODE)).isEmpty();
        assertThat(AllocatorProcess.stored(store, "/calico/ipam/v2/handle/")).isEmpty();
        assertThat(returnedByLedger()).containsExactlyInAnyOrderElementsOf(given);
    }

    @Test
    void manyAddressesOfManyHandlesAreReleasedByOneCall() {
        AllocatorProcess.pool(store, "p", "10.0.0.0/16", 25);
        var allocator = AllocatorProcess.on(store);
        var given = IntStream.range(0, 200)
                .mapToObj(index -> allocator.assign("node-a", "h" + index))
                .toList();
        var options = given.stream()
                .map(address -> ReleaseOption.of(address.toString()))
                .toList();

        var release = registrar(trial)
                .enact(new Request<BlockView, BlockChange, Release>(
                        "release",
                        (view, earlier) ->
                                BlockEngine.release(view, options, Attempts.after(earlier, AllocatorProcess.NOW))));

        assertThat(release).isInstanceOf(Release.Done.class);
        assertThat(release.unallocated()).isEmpty();
        assertThat(release.released()).containsExactlyInAnyOrderElementsOf(options);
        assertThat(held(NODE)).isEmpty();
        assertThat(AllocatorProcess.stored(store, "/calico/ipam/v2/handle/")).isEmpty();
        assertThat(returnedByLedger()).containsExactlyInAnyOrderElementsOf(given);
    }

    @Test
    void aReleaseThatIsInterruptedIsFinishedByAskingAgain() {
        AllocatorProcess.pool(store, "p", "10.0.0.0/16", 28);
        var given = registrar(store).enact(assign("h", 4500)).addresses();
        failAtCommit(WRITES_MAX + 1);

        assertThatExceptionOfType(UnsettledException.class)
                .isThrownBy(() -> registrar(trial).enact(releaseHandle("h")))
                .withMessageContaining("saved in part");
        var left = held(NODE);
        var release = registrar(store).enact(releaseHandle("h"));

        assertThat(left).isNotEmpty().hasSizeLessThan(given.size());
        assertThat(release.released()).containsExactlyInAnyOrderElementsOf(left);
        assertThat(AllocatorProcess.stored(store, "/calico/ipam/v2/handle/")).isEmpty();
    }

    // ---- blocks ----

    @Test
    void manyBlocksAreClaimedAndGivenUpByOneCallEach() {
        AllocatorProcess.pool(store, "p", "10.0.0.0/16", 28);
        var wanted = new ClaimRequest(Prefix.parse("10.0.0.0/20"), NODE, AllocatorProcess.NOW);
        var blocks = IntStream.range(0, 256)
                .mapToObj(index -> new Prefix(Address.parse("10.0.0.0").plus(16L * index), 28))
                .toList();

        var claim = registrar(trial)
                .enact(new Request<BlockView, BlockChange, AffinityClaim>(
                        "claim", view -> BlockEngine.claimAffinity(view, wanted)));
        var claimed = AllocatorProcess.stored(store, BLOCKS).size();
        var release = registrar(trial)
                .enact(new Request<BlockView, BlockChange, AffinityRelease>(
                        "give up",
                        (view, earlier) -> BlockEngine.releaseHost(
                                view, NODE, ReleaseCondition.REQUIRED, Attempts.after(earlier, AllocatorProcess.NOW))));

        assertThat(claim).isEqualTo(new AffinityClaim.Claimed(blocks, List.of()));
        assertThat(claimed).isEqualTo(256);
        assertThat(release.released()).containsExactlyInAnyOrderElementsOf(blocks);
        assertThat(AllocatorProcess.stored(store, "/calico/ipam/")).isEmpty();
    }

    @Test
    void allBlocksOfAPoolAndOfANodeThatIsGoneAreGivenUp() {
        AllocatorProcess.pool(store, "p", "10.0.0.0/16", 28);
        var wanted = new ClaimRequest(Prefix.parse("10.0.0.0/21"), NODE, AllocatorProcess.NOW);
        Request<BlockView, BlockChange, AffinityClaim> claim =
                new Request<>("claim", view -> BlockEngine.claimAffinity(view, wanted));
        registrar(store).enact(claim);

        var ofPool = registrar(trial)
                .enact(new Request<BlockView, BlockChange, AffinityRelease>(
                        "pool",
                        (view, earlier) -> BlockEngine.releasePool(
                                view, Prefix.parse("10.0.0.0/16"), Attempts.after(earlier, AllocatorProcess.NOW))));
        registrar(store).enact(claim);
        var ofNode = registrar(trial)
                .enact(new Request<BlockView, BlockChange, AffinityRelease>(
                        "node",
                        (view, earlier) ->
                                BlockEngine.cleanNode(view, "node-a", Attempts.after(earlier, AllocatorProcess.NOW))));

        assertThat(ofPool.released()).hasSize(128).doesNotHaveDuplicates();
        assertThat(ofNode.released()).hasSize(128).doesNotHaveDuplicates();
        assertThat(AllocatorProcess.stored(store, "/calico/ipam/")).isEmpty();
    }

    // ---- what is asked ----

    private Registrar<BlockView, BlockChange> registrar(Datastore over) {
        return new Registrar<>(
                new CalicoBook(over, InstantSource.fixed(AllocatorProcess.NOW)),
                ledger,
                Registrar.Limits.DEFAULT,
                InstantSource.fixed(AllocatorProcess.NOW),
                new Random(1),
                _ -> {});
    }

    private static AssignRequest request(int count) {
        return AllocatorProcess.request("node-a").ipv4(Ask.of(count)).withMaxBlocksPerHost(1000);
    }

    private static Request<BlockView, BlockChange, Assignment> assign(String handle, int count) {
        return assign(request(count).by(Requester.of(handle)));
    }

    private static Request<BlockView, BlockChange, Assignment> assign(int count) {
        return assign(request(count));
    }

    private static Request<BlockView, BlockChange, Assignment> assign(AssignRequest request) {
        return new Request<BlockView, BlockChange, Assignment>(
                        "assign", (view, earlier) -> BlockEngine.assign(view, request.after(earlier)))
                .stoppedAfter(request::stoppedAfter);
    }

    private static Request<BlockView, BlockChange, HandleRelease> releaseHandle(String handle) {
        return new Request<>(
                "release",
                (view, earlier) ->
                        BlockEngine.releaseByHandle(view, handle, Attempts.after(earlier, AllocatorProcess.NOW)));
    }

    // ---- what goes wrong ----

    /// Where writes are committed one by one, about as many writes are done before it.
    private void atCommit(int writes, Runnable fault) {
        int commits = store.atomic() ? Math.ceilDiv(writes, WRITES_MAX) : writes + WRITES_MAX;
        for (int commit = 1; commit < commits; commit++) {
            trial.beforeNextCommit(() -> {});
        }
        trial.beforeNextCommit(fault);
    }

    private void failAtCommit(int writes) {
        atCommit(writes, trial::breakDown);
    }

    private void dieAtCommit(int writes) {
        atCommit(writes, () -> {
            throw new Dead();
        });
    }

    // ---- what is there ----

    private List<Integer> writesOfCommits() {
        return trial.takeCalls().stream()
                .filter(call -> call.startsWith("commit "))
                .map(call -> Integer.valueOf(call.substring("commit ".length())))
                .toList();
    }

    private List<Block> blocks() {
        return look(view -> view.blocks(Family.IPV4));
    }

    private <O> O look(Function<BlockView, O> question) {
        return registrar(store)
                .explain(new Request<BlockView, BlockChange, O>(
                        "look", view -> new Decision<>(question.apply(view), List.of(), List.of())))
                .outcome();
    }

    private List<Address> held(Owner owner) {
        var addresses = new ArrayList<Address>();
        for (var block : blocks()) {
            assertThat(block.owner()).contains(owner);
            assertThat(block.faults(AllocatorProcess.NOW)).isEmpty();
            for (int ordinal = 0; ordinal < block.size(); ordinal++) {
                if (block.attribute(ordinal).isPresent()) {
                    addresses.add(block.address(ordinal));
                }
            }
        }
        return addresses;
    }

    private List<Address> heldBy(String handle) {
        return blocks().stream()
                .flatMap(block -> block.addressesOf(handle).stream())
                .toList();
    }

    private int counted(String handle) {
        return look(view -> view.findHandle(handle).orElseThrow().total(Family.IPV4));
    }

    private List<Address> grantedByLedger() {
        return endpoints(true);
    }

    private List<Address> returnedByLedger() {
        return endpoints(false);
    }

    private List<Address> endpoints(boolean granted) {
        return ledger.read(1, 1000).stream()
                .flatMap(recorded ->
                        (granted ? recorded.entry().granted() : recorded.entry().returned()).stream())
                .filter(holding -> holding.level() == Holding.Level.ENDPOINT)
                .map(holding -> holding.range().first())
                .toList();
    }
}
