package io.cadastre.wire.calico;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cadastre.address.Address;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.datastore.memory.MemoryJournal;
import io.cadastre.engine.Decision;
import io.cadastre.engine.Holding;
import io.cadastre.engine.block.AddressUse;
import io.cadastre.engine.block.Attempts;
import io.cadastre.engine.block.Block;
import io.cadastre.engine.block.BlockChange;
import io.cadastre.engine.block.BlockEngine;
import io.cadastre.engine.block.BlockView;
import io.cadastre.engine.block.Owner;
import io.cadastre.engine.block.assign.AssignRequest;
import io.cadastre.engine.block.assign.AssignRequest.Ask;
import io.cadastre.engine.block.assign.Assignment;
import io.cadastre.engine.block.assign.Requester;
import io.cadastre.engine.block.release.ReleaseCondition;
import io.cadastre.registry.Ledger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Calico's blocks where a store applies one write after another and may stop between any two.
class OneByOneTest {

    private static final String IPAM = "/calico/ipam/v2/";
    private static final int WRITES_MAX = 100;
    private static final List<String> HANDLES = List.of("one", "two", "three");

    private final Datastore store = new MemoryDatastore();

    private void prepare(Datastore somewhere) {
        AllocatorProcess.node(somewhere, "node-a");
        AllocatorProcess.node(somewhere, "node-b");
        AllocatorProcess.pool(somewhere, "pool", "10.9.0.0/30", 30);
    }

    @Test
    void anAddressIsWrittenInTheOrderOfCalico() {
        prepare(store);
        var trial = new OneByOneStore(store, WRITES_MAX);

        AllocatorProcess.on(trial).assign("node-a", "h");

        assertThat(trial.writes())
                .containsExactly(
                        "Create /calico/ipam/v2/host/node-a/ipv4/block/10.9.0.0-30",
                        "Create /calico/ipam/v2/assignment/ipv4/block/10.9.0.0-30",
                        "Update /calico/ipam/v2/host/node-a/ipv4/block/10.9.0.0-30",
                        "Create /calico/ipam/v2/handle/h",
                        "Update /calico/ipam/v2/assignment/ipv4/block/10.9.0.0-30");
    }

    /// A process that died wanted to give what it counts. If it goes meanwhile, that has to be noticed.
    @Test
    void aHandleThatCountsAnAddressAlreadyIsWrittenBeforeTheAddressIsGiven() {
        prepare(store);
        assertThatThrownBy(
                        () -> AllocatorProcess.on(new OneByOneStore(store, 4)).assign("node-a", "h"))
                .isInstanceOf(OneByOneStore.Dead.class);
        var trial = new OneByOneStore(store, WRITES_MAX);

        AllocatorProcess.on(trial).assign("node-a", "h");

        assertThat(trial.writes())
                .containsExactly(
                        "Update /calico/ipam/v2/handle/h", "Update /calico/ipam/v2/assignment/ipv4/block/10.9.0.0-30");
    }

    /// Seed 1794874023990 of the simulation of blocks, with pages that take few changes.
    @Test
    void aHandleThatCountsTooMuchElsewhereIsWrittenBeforeTheAddressIsGivenThatItCountsAlready() {
        prepare(store);
        assertThatThrownBy(
                        () -> AllocatorProcess.on(new OneByOneStore(store, 4)).assign("node-a", "h"))
                .isInstanceOf(OneByOneStore.Dead.class);
        AllocatorProcess.put(
                store,
                "/calico/ipam/v2/handle/h",
                "{\"block\":{\"10.9.0.0/30\":1,\"10.9.0.4/30\":1},\"deleted\":false}");
        var trial = new OneByOneStore(store, WRITES_MAX);

        AllocatorProcess.on(trial)
                .assign(AllocatorProcess.request("node-a")
                        .ipv4(Ask.of(1))
                        .by(Requester.of("h"))
                        .withMaxPerHandle(2));

        assertThat(trial.writes())
                .containsExactly(
                        "Update /calico/ipam/v2/handle/h",
                        "Update /calico/ipam/v2/assignment/ipv4/block/10.9.0.0-30",
                        "Update /calico/ipam/v2/handle/h");
    }

    /// A holder without a handle is not recognised again, so no write may fail once it has its address.
    @Test
    void anAffinityToABlockOfAnotherIsDroppedBeforeABlockIsClaimed() {
        prepare(store);
        AllocatorProcess.on(store).assign("node-b", "other");
        AllocatorProcess.pool(store, "second", "10.9.1.0/30", 30);
        var affinitiesOfOther = AllocatorProcess.stored(store, "/calico/ipam/v2/host/node-b/ipv4/block/")
                .keySet();
        var affinity = affinitiesOfOther.iterator().next().replace("node-b", "node-a");
        AllocatorProcess.put(store, affinity, "{\"state\":\"pending\",\"deleted\":false}");
        var trial = new OneByOneStore(store, WRITES_MAX);

        AllocatorProcess.on(trial).assign("node-a", "h");

        assertThat(trial.writes()).first().isEqualTo("Delete " + affinity);
    }

    /// Seed 1794924020393 of the simulation of blocks. The last of these writes may arrive when the block is
    /// another's: it must not create an affinity that is confirmed.
    @Test
    void anAffinityThatIsGivenUpAndClaimedByOneCommitIsNotDeletedInBetween() {
        prepare(store);
        assertThatThrownBy(
                        () -> AllocatorProcess.on(new OneByOneStore(store, 1)).assign("node-a", "h"))
                .isInstanceOf(OneByOneStore.Dead.class);
        var trial = new OneByOneStore(store, WRITES_MAX);

        AllocatorProcess.on(trial).enact(OneByOneTest::removeHostAndAssign);

        assertThat(trial.writes())
                .containsExactly(
                        "Create /calico/ipam/v2/assignment/ipv4/block/10.9.0.0-30",
                        "Update /calico/ipam/v2/host/node-a/ipv4/block/10.9.0.0-30",
                        "Create /calico/ipam/v2/handle/h",
                        "Update /calico/ipam/v2/assignment/ipv4/block/10.9.0.0-30");
    }

    /// What two requests of one commit come to.
    private static Decision<BlockChange, Assignment> removeHostAndAssign(BlockView view) {
        var removal = BlockEngine.removeHost(view, Owner.host("node-a"), Attempts.first(AllocatorProcess.NOW));
        var left = view;
        for (var change : removal.changes()) {
            left = left.with(change);
        }
        var request = AllocatorProcess.request("node-a").by(Requester.of("h")).ipv4(Ask.of(1));
        var assigned = BlockEngine.assign(left, request);
        return new Decision<>(
                assigned.outcome(),
                Stream.concat(removal.changes().stream(), assigned.changes().stream())
                        .toList(),
                List.of());
    }

    @Test
    void anAddressForARequestWithoutAHandleIsGivenLast() {
        prepare(store);
        var trial = new OneByOneStore(store, WRITES_MAX);

        AllocatorProcess.on(trial).assign(AllocatorProcess.request("node-a").ipv4(Ask.of(1)));

        assertThat(trial.writes())
                .containsExactly(
                        "Create /calico/ipam/v2/host/node-a/ipv4/block/10.9.0.0-30",
                        "Create /calico/ipam/v2/assignment/ipv4/block/10.9.0.0-30",
                        "Update /calico/ipam/v2/host/node-a/ipv4/block/10.9.0.0-30",
                        "Update /calico/ipam/v2/assignment/ipv4/block/10.9.0.0-30");
    }

    /// The first place that is tried is another's, and what was taken in a block of one's own is not left
    /// behind there.
    @Test
    void nothingIsLeftBehindForARequestWithoutAHandle() {
        prepare(store);
        AllocatorProcess.pool(store, "second", "10.9.0.4/30", 30);
        AllocatorProcess.on(store).assign("node-b", "theirs");
        var trial = new OneByOneStore(store, WRITES_MAX);

        var given = AllocatorProcess.on(trial)
                .assign(AllocatorProcess.request("node-a").ipv4(Ask.of(7)));

        assertThat(given.addresses()).doesNotHaveDuplicates().hasSize(7);
    }

    @Test
    void releasesAreWrittenInTheOrderOfCalico() {
        prepare(store);
        AllocatorProcess.on(store).assign("node-a", "h");
        var trial = new OneByOneStore(store, WRITES_MAX);

        AllocatorProcess.on(trial).releaseHandle("h");
        giveUp(AllocatorProcess.on(trial), "node-a");

        assertThat(trial.writes())
                .containsExactly(
                        "Update /calico/ipam/v2/assignment/ipv4/block/10.9.0.0-30",
                        "Delete /calico/ipam/v2/handle/h",
                        "Update /calico/ipam/v2/host/node-a/ipv4/block/10.9.0.0-30",
                        "Delete /calico/ipam/v2/assignment/ipv4/block/10.9.0.0-30",
                        "Delete /calico/ipam/v2/host/node-a/ipv4/block/10.9.0.0-30");
    }

    /// A process that died has announced it. Its owner may have claimed the block again since.
    @Test
    void aBlockIsAnnouncedToBeGivenUpEvenIfThatWasAnnouncedBefore() {
        prepare(store);
        AllocatorProcess.on(store).assign("node-a", "h");
        AllocatorProcess.on(store).releaseHandle("h");
        assertThatThrownBy(() -> giveUp(AllocatorProcess.on(new OneByOneStore(store, 1)), "node-a"))
                .isInstanceOf(OneByOneStore.Dead.class);
        var trial = new OneByOneStore(store, WRITES_MAX);

        giveUp(AllocatorProcess.on(trial), "node-a");

        assertThat(trial.writes())
                .containsExactly(
                        "Update /calico/ipam/v2/host/node-a/ipv4/block/10.9.0.0-30",
                        "Delete /calico/ipam/v2/assignment/ipv4/block/10.9.0.0-30",
                        "Delete /calico/ipam/v2/host/node-a/ipv4/block/10.9.0.0-30");
    }

    /// The only block is another's, as is found out half way; that leaves neither the announcement nor a
    /// count behind.
    @Test
    void aBlockThatARivalTookFirstIsLeftToTheRival() {
        prepare(store);
        var trial = new RecordingStore(new OneByOneStore(store, WRITES_MAX));
        var rival = new Address[1];
        // Announced; the second write is the block.
        trial.beforeNextCommit(() -> {});
        trial.beforeNextCommit(() -> rival[0] = AllocatorProcess.on(store).assign("node-b", "rival"));

        var mine = AllocatorProcess.on(trial).assign("node-a", "mine");

        assertThat(mine).isNotEqualTo(rival[0]);
        AllocatorProcess.on(store).releaseHandle("mine");
        AllocatorProcess.on(store).releaseHandle("rival");
        giveUp(AllocatorProcess.on(store), "node-a");
        giveUp(AllocatorProcess.on(store), "node-b");
        assertThat(AllocatorProcess.stored(store, IPAM)).isEmpty();
    }

    @Test
    void whatWasWrittenBeforeARivalCameIsInTheLedgerOnce() {
        prepare(store);
        var ledger = new Ledger(new MemoryJournal());
        var trial = new RecordingStore(new OneByOneStore(store, WRITES_MAX));
        // The affinity, the block, the affinity again and the handle; then the block was to give.
        for (int write = 1; write <= 4; write++) {
            trial.beforeNextCommit(() -> {});
        }
        trial.beforeNextCommit(() -> AllocatorProcess.on(store).assign("node-b", "rival"));

        AllocatorProcess.recordingIn(ledger, trial).assign("node-a", "mine");

        var entries = ledger.read(1, 10).stream().map(Ledger.Recorded::entry).toList();
        assertThat(entries)
                .extracting(
                        entry -> entry.granted().stream().map(Holding::holder).toList())
                .containsExactly(List.of("host:node-a"), List.of("handle/mine"));
        assertThat(entries.getFirst().outcome().words()).startsWith("4 of 5 writes were done, then one met");
    }

    @Test
    void aBlockShowsThatItsWriteLandedAlthoughTheAnswerWasLost() {
        prepare(store);
        var ledger = new Ledger(new MemoryJournal());
        var trial = new RecordingStore(new OneByOneStore(store, WRITES_MAX));
        AllocatorProcess.on(trial).assign("node-a", "first");
        // The handle; then the block gives.
        trial.beforeNextCommit(() -> {});
        trial.beforeNextCommit(trial::loseNextAnswer);

        AllocatorProcess.recordingIn(ledger, trial).assign("node-a", "mine");

        assertThat(ledger.read(1, 10))
                .singleElement()
                .satisfies(recorded -> assertThat(recorded.entry().attempt()).isEqualTo(1));
    }

    /// The block has no owner and is taken for new, and the request to create it is lost. Its first address is
    /// the handle's all the same, from before.
    @Test
    void whatAHandleHeldBeforeIsNotTakenForTheWorkOfALostAttempt() {
        prepare(store);
        var before = AllocatorProcess.on(store).assign("node-a", "h");
        AllocatorProcess.on(store)
                .enact(view -> BlockEngine.releaseHost(
                        view,
                        Owner.host("node-a"),
                        ReleaseCondition.NOT_REQUIRED,
                        Attempts.first(AllocatorProcess.NOW)));
        var ledger = new Ledger(new MemoryJournal());
        var trial = new RecordingStore(store);
        trial.loseNextRequest();

        var further = AllocatorProcess.recordingIn(ledger, trial)
                .assign(AssignRequest.on("node-a", AddressUse.WORKLOAD, AllocatorProcess.NOW.plusSeconds(1))
                        .by(Requester.of("h"))
                        .ipv4(Ask.of(1)))
                .addresses();

        assertThat(further).hasSize(1).doesNotContain(before);
        assertThat(ledger.read(1, 10))
                .flatExtracting(recorded -> recorded.entry().granted())
                .filteredOn(holding -> holding.level() == Holding.Level.ENDPOINT)
                .extracting(holding -> holding.range().first())
                .containsExactlyElementsOf(further);
    }

    /// Wherever a process dies, another one can do the same with the same handles, no address is given
    /// twice, and in the end nothing is left.
    @Test
    void whereverAProcessDiesNothingIsDoubledOrLost() {
        int deaths = 0;
        for (boolean alive = false; !alive; deaths++) {
            var place = new MemoryDatastore();
            prepare(place);
            // Room for what the dead one had and for what is asked again.
            AllocatorProcess.pool(place, "second", "10.9.0.4/30", 30);
            int left = deaths;
            if (left < WRITES_MAX) {
                try {
                    live(AllocatorProcess.on(new OneByOneStore(place, left)));
                    alive = true;
                } catch (OneByOneStore.Dead _) {
                    alive = false;
                }
            }
            checkHandles(place, deaths);

            live(AllocatorProcess.on(new OneByOneStore(place, WRITES_MAX)));

            assertThat(AllocatorProcess.stored(place, IPAM))
                    .as("killed before write %d", deaths)
                    .isEmpty();
        }
        assertThat(deaths).isGreaterThan(15);
    }

    /// Whatever part of a stage is written when a process dies, another one can do the same, and in the end nothing is
    /// left. The order of the writes within their stages is drawn, so that each part of a stage comes up.
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void whateverPartOfAStageIsWrittenNothingIsDoubledOrLost(long seed) {
        int deaths = 0;
        for (boolean alive = false; !alive; deaths++) {
            var place = new MemoryDatastore();
            prepareDualStack(place);
            var dice = new Random(seed);
            try {
                liveInCompany(AllocatorProcess.on(
                        new OneByOneStore(place, deaths, stage -> Collections.shuffle(stage, dice))));
                alive = true;
            } catch (OneByOneStore.Dead _) {
                alive = false;
            }
            checkHandles(place, deaths);
            var last = new OneByOneStore(place, 10 * WRITES_MAX);

            liveInCompany(AllocatorProcess.on(last));

            assertThat(AllocatorProcess.stored(place, IPAM))
                    .as("seed %d, killed before write %d", seed, deaths)
                    .isEmpty();
            assertThat(last.stages()).isNotEmpty();
        }
        assertThat(deaths).isGreaterThan(20);
    }

    @Test
    void addressesOfBothFamiliesAreWrittenStageByStage() {
        prepareDualStack(store);
        var trial = new OneByOneStore(store, WRITES_MAX);

        AllocatorProcess.on(trial).enact(OneByOneTest::assignToThree);

        // The affinities of two blocks, the blocks, the affinities again, three handles, and the blocks again.
        assertThat(trial.stages()).containsExactly(2, 2, 2, 3, 2);
        assertThat(trial.writes().subList(6, 9))
                .containsExactly(
                        "Create /calico/ipam/v2/handle/one",
                        "Create /calico/ipam/v2/handle/two",
                        "Create /calico/ipam/v2/handle/three");
    }

    private void prepareDualStack(Datastore somewhere) {
        prepare(somewhere);
        AllocatorProcess.pool(somewhere, "second", "10.9.0.4/30", 30);
        AllocatorProcess.pool(somewhere, "third", "fd00::/124", 126);
    }

    /// What three requests of one commit come to.
    private static Decision<BlockChange, List<Address>> assignToThree(BlockView view) {
        var changes = new ArrayList<BlockChange>();
        var known = view;
        var given = new ArrayList<Address>();
        for (var handle : HANDLES) {
            var request = AllocatorProcess.request("node-a")
                    .by(Requester.of(handle))
                    .ipv4(Ask.of(1))
                    .ipv6(Ask.of(1));
            var decision = BlockEngine.assign(known, request);
            for (var change : decision.changes()) {
                known = known.with(change);
            }
            changes.addAll(decision.changes());
            given.addAll(decision.outcome().addresses());
        }
        return new Decision<>(List.copyOf(given), changes, List.of());
    }

    /// Addresses of both families for three handles, by one commit, and back.
    private static void liveInCompany(AllocatorProcess allocator) {
        var given = allocator.enact(OneByOneTest::assignToThree);
        assertThat(given).doesNotHaveDuplicates().hasSizeGreaterThanOrEqualTo(HANDLES.size());
        HANDLES.forEach(allocator::releaseHandle);
        giveUp(allocator, "node-a");
    }

    /// Three addresses on two nodes, and back.
    private static void live(AllocatorProcess allocator) {
        var one = allocator.assign("node-a", "one");
        var two = allocator.assign("node-a", "two");
        var borrowed = allocator.assign("node-b", "three");
        assertThat(Stream.of(one, two, borrowed).distinct()).hasSize(3);
        HANDLES.forEach(allocator::releaseHandle);
        giveUp(allocator, "node-a");
        giveUp(allocator, "node-b");
    }

    private static void giveUp(AllocatorProcess allocator, String host) {
        allocator.enact(view -> BlockEngine.releaseHost(
                view, Owner.host(host), ReleaseCondition.REQUIRED, Attempts.first(AllocatorProcess.NOW)));
    }

    /// A handle counts at least what the blocks hold for it.
    private static void checkHandles(Datastore place, int deaths) {
        Map<String, Integer> counted = new HashMap<>();
        for (var entry : new CalicoReader(place).list(CalicoKeys.HANDLES)) {
            var handle = ((HandleDocument) entry.content()).handle();
            handle.counts().forEach((cidr, count) -> counted.put(handle.id() + cidr, count));
        }
        for (var entry : new CalicoReader(place).list(CalicoKeys.BLOCKS)) {
            var block = ((BlockDocument) entry.content()).block();
            for (var handle : HANDLES) {
                assertThat(counted.getOrDefault(handle + block.cidr(), 0))
                        .as("%s, killed before write %d", handle, deaths)
                        .isGreaterThanOrEqualTo(held(block, handle));
            }
        }
    }

    private static int held(Block block, String handle) {
        return block.ordinalsOf(handle).length;
    }
}
