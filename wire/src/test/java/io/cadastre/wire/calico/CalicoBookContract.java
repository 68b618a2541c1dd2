package io.cadastre.wire.calico;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.cadastre.address.Address;
import io.cadastre.address.Prefix;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.engine.Decision;
import io.cadastre.engine.NotReadException;
import io.cadastre.engine.block.AddressUse;
import io.cadastre.engine.block.Attempts;
import io.cadastre.engine.block.BlockChange;
import io.cadastre.engine.block.BlockEngine;
import io.cadastre.engine.block.BlockView;
import io.cadastre.engine.block.IpamConfig;
import io.cadastre.engine.block.Owner;
import io.cadastre.engine.block.assign.AssignRequest;
import io.cadastre.engine.block.assign.AssignRequest.Ask;
import io.cadastre.engine.block.assign.Assignment;
import io.cadastre.engine.block.assign.ClaimRequest;
import io.cadastre.engine.block.assign.Requester;
import io.cadastre.engine.block.index.BlockGenerator;
import io.cadastre.engine.block.release.HandleRelease;
import io.cadastre.engine.block.release.Release;
import io.cadastre.engine.block.release.ReleaseCondition;
import io.cadastre.registry.Book;
import io.cadastre.registry.Page;
import io.cadastre.registry.PageFullException;
import java.math.BigInteger;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What the book of blocks promises in every store.
abstract class CalicoBookContract {

    private static final String BLOCKS4 = "/calico/ipam/v2/assignment/ipv4/block/";

    private Datastore store = new MemoryDatastore();
    private RecordingStore trial = new RecordingStore(store);

    /// An empty store.
    protected abstract Datastore open() throws Exception;

    @BeforeEach
    void openStore() throws Exception {
        store.close();
        store = open();
        trial = new RecordingStore(store);
        AllocatorProcess.node(store, "node-a");
        AllocatorProcess.node(store, "node-b");
    }

    @AfterEach
    void closeStore() {
        store.close();
    }

    private static CalicoBook book(Datastore store) {
        return new CalicoBook(store, InstantSource.fixed(AllocatorProcess.NOW));
    }

    // ---- what is left in the store ----

    @Test
    void elevenAddressesOnTwoNodesLeaveTheKeysAndDocumentsOfCalicoAndReleasingThemNothing() {
        AllocatorProcess.node(store, "node-1");
        AllocatorProcess.node(store, "node-2");
        AllocatorProcess.pool(store, "default", "10.244.0.0/16", 26);
        var allocator = AllocatorProcess.on(store);

        for (int pod = 0; pod < 10; pod++) {
            allocator.assign("node-1", "net.pod-" + pod);
        }
        allocator.assign("node-2", "net.other");

        var stored = AllocatorProcess.stored(store, "/calico/ipam/");
        var blocks = AllocatorProcess.stored(store, BLOCKS4);
        assertThat(stored).hasSize(2 + 2 + 11);
        assertThat(blocks).hasSize(2);
        assertThat(blocks.values())
                .filteredOn(block -> block.contains("host:node-1"))
                .singleElement()
                .extracting(Normal::text)
                .isEqualTo(blockOfTenPods(cidrOf(blocks.values(), "host:node-1")));
        assertThat(stored)
                .containsEntry(
                        "/calico/ipam/v2/handle/net.other",
                        "{\"block\":{\"%s\":1},\"deleted\":false}".formatted(cidrOf(blocks.values(), "host:node-2")))
                .containsEntry(
                        "/calico/ipam/v2/host/node-1/ipv4/block/"
                                + cidrOf(blocks.values(), "host:node-1").replace('/', '-'),
                        "{\"state\":\"confirmed\",\"deleted\":false}");

        for (int pod = 0; pod < 10; pod++) {
            allocator.releaseHandle("net.pod-" + pod);
        }
        allocator.releaseHandle("net.other");
        for (var node : List.of("node-1", "node-2")) {
            allocator.enact(view -> BlockEngine.releaseHost(
                    view, Owner.host(node), ReleaseCondition.REQUIRED, Attempts.first(AllocatorProcess.NOW)));
        }
        assertThat(AllocatorProcess.stored(store, "/calico/ipam/")).isEmpty();
    }

    private static String cidrOf(Iterable<String> blocks, String owner) {
        for (var block : blocks) {
            if (block.contains(owner)) {
                return block.replaceAll(".*\"cidr\":\"([^\"]*)\".*", "$1");
            }
        }
        throw new AssertionError("no block of " + owner);
    }

    private static String blockOfTenPods(String cidr) {
        var allocations = new StringBuilder();
        var unallocated = new StringBuilder();
        var attributes = new StringBuilder();
        var numbers = new StringBuilder();
        for (int ordinal = 0; ordinal < 64; ordinal++) {
            allocations.append(ordinal == 0 ? "" : ",").append(ordinal < 10 ? ordinal : "null");
            if (ordinal >= 10) {
                unallocated.append(ordinal == 10 ? "" : ",").append(ordinal);
            } else {
                var comma = ordinal == 0 ? "" : ",";
                attributes.append("%s{\"handle_id\":\"net.pod-%d\"}".formatted(comma, ordinal));
                numbers.append("%s\"%d\":S+%d".formatted(comma, ordinal, ordinal));
            }
        }
        return "{\"cidr\":\"%s\",\"affinity\":\"host:node-1\",\"affinity_claim_time\":\"T\",\"allocations\":[%s],\"unallocated\":[%s],\"attributes\":[%s],\"sequenceNumber\":S+10,\"sequenceNumberForAllocation\":{%s},\"deleted\":false}"
                .formatted(cidr, allocations, unallocated, attributes, numbers);
    }

    @Test
    void foreignFieldsSurvive() {
        AllocatorProcess.pool(store, "p", "10.0.0.0/24", 26);
        var allocator = AllocatorProcess.on(store);
        var address = allocator.assign("node-a", "one");
        var block = new CalicoKey.OfBlock(Prefix.containing(address, 26)).text();
        var handle = new CalicoKey.OfHandle("one").text();
        for (var key : List.of(block, handle)) {
            var value = store.get(key).orElseThrow().value().utf8();
            AllocatorProcess.put(store, key, "{\"colour\":{\"b\":1.0,\"a\":[]}," + value.substring(1));
        }

        allocator.assign("node-a", "one");

        assertThat(AllocatorProcess.stored(store, "/calico/ipam/"))
                .hasEntrySatisfying(
                        block,
                        value -> assertThat(value)
                                .contains("\"allocations\":[0,0,")
                                .endsWith(",\"colour\":{\"b\":1.0,\"a\":[]}}"))
                .hasEntrySatisfying(
                        handle,
                        value -> assertThat(value).contains("/26\":2}").endsWith(",\"colour\":{\"b\":1.0,\"a\":[]}}"));
    }

    @Test
    void anEmptyBlockOfAnotherIsTakenInOneCommit() {
        AllocatorProcess.pool(store, "p", "10.0.0.0/26", 26);
        var allocator = AllocatorProcess.on(store);
        allocator.release(allocator.assign("node-b", "theirs"));
        var later = AssignRequest.on("node-a", AddressUse.WORKLOAD, AllocatorProcess.NOW.plusSeconds(61))
                .by(Requester.of("ours"))
                .ipv4(Ask.of(1));

        var assignment = AllocatorProcess.on(trial).assign(later);

        assertThat(assignment.addresses()).containsExactly(Address.parse("10.0.0.0"));
        // The first one finds out that the block is there.
        assertThat(trial.takeCalls())
                .filteredOn(call -> call.startsWith("commit"))
                .containsExactly("commit 3", "commit 4");
        assertThat(AllocatorProcess.stored(store, "/calico/ipam/v2/host/"))
                .containsOnlyKeys("/calico/ipam/v2/host/node-a/ipv4/block/10.0.0.0-26");
    }

    // ---- how often it is asked ----

    @Test
    void theFirstAddressIsOneCommitAndNoListOfBlocks() {
        AllocatorProcess.pool(store, "p", "10.0.0.0/16", 26);

        AllocatorProcess.on(trial).assign("node-a", "one");

        assertThat(trial.takeCalls())
                .containsExactlyInAnyOrder(
                        "get /calico/ipam/v2/config",
                        "get /calico/resources/v3/projectcalico.org/nodes/node-a",
                        "list /calico/resources/v3/projectcalico.org/ippools/",
                        "list /calico/resources/v3/projectcalico.org/ipreservations/",
                        "list /calico/ipam/v2/host/node-a/ipv4/block/",
                        "get /calico/ipam/v2/handle/one",
                        "commit 3");
    }

    @Test
    void aBookThatKeepsNothingReadsAgainForTheNextAddress() {
        AllocatorProcess.pool(store, "p", "10.0.0.0/16", 26);
        var allocator = AllocatorProcess.on(trial);
        allocator.assign("node-a", "one");
        trial.takeCalls();

        allocator.assign("node-a", "two");

        assertThat(trial.takeCalls()).hasSize(8).contains("commit 2");
    }

    @Test
    void afterThreeCollisionsAllBlocksAreListedOnce() {
        AllocatorProcess.pool(store, "p", "10.0.0.0/24", 28);
        var rival = AllocatorProcess.on(store);
        // All but the last two places that node-a would try.
        var order = placesOf("node-a", 16);
        order.subList(0, 14).forEach(cidr -> claim(rival, cidr, "node-b"));

        var address = AllocatorProcess.on(trial).assign("node-a", "one");

        assertThat(order.get(14).contains(address)).isTrue();
        assertThat(trial.takeCalls())
                .filteredOn(call -> call.startsWith("commit") || call.contains("assignment"))
                .containsExactly(
                        "commit 3",
                        "get " + new CalicoKey.OfBlock(order.get(0)).text(),
                        "commit 3",
                        "get " + new CalicoKey.OfBlock(order.get(1)).text(),
                        "commit 3",
                        "list " + BLOCKS4,
                        "commit 3");
    }

    @Test
    void whoFindsPlacesTakenDoesNotStepAside() {
        AllocatorProcess.pool(store, "p", "10.0.0.0/24", 28);
        placesOf("node-a", 3).forEach(cidr -> claim(AllocatorProcess.on(store), cidr, "node-b"));
        var pauses = new ArrayList<Duration>();

        AllocatorProcess.pausing(pauses::add, trial).assign("node-a", "one");

        assertThat(pauses).isEmpty();
    }

    @Test
    void whoFindsABlockChangedStepsAside() {
        AllocatorProcess.pool(store, "p", "10.0.0.0/24", 28);
        AllocatorProcess.on(store).assign("node-a", "zero");
        var rival = AllocatorProcess.on(store);
        trial.beforeNextCommit(() -> rival.assign("node-a", "rival"));
        var pauses = new ArrayList<Duration>();

        AllocatorProcess.pausing(pauses::add, trial).assign("node-a", "one");

        assertThat(pauses).hasSize(1);
    }

    /// A request that is answered without a write gets what was read for it; but the others of its
    /// commit must not try in vain what they have found taken.
    @Test
    void aPlaceThatWasFoundTakenIsNotTriedAgainBecauseEverythingIsReadAnew() {
        AllocatorProcess.pool(store, "p", "10.0.0.0/24", 28);
        claim(AllocatorProcess.on(store), placesOf("node-a", 1).getFirst(), "node-b");
        var book = book(trial);
        decided(book, AllocatorProcess.request("node-a").ipv4(Ask.of(1))).save();

        var page = decided(
                decided(
                        book.open(),
                        view -> BlockEngine.releaseByHandle(view, "none", Attempts.first(AllocatorProcess.NOW))),
                view -> BlockEngine.assign(
                        view, AllocatorProcess.request("node-a").ipv4(Ask.of(1))));

        assertThat(page.save()).isInstanceOf(Commit.Done.class);
    }

    private static List<Prefix> placesOf(String host, int count) {
        var generator = BlockGenerator.of(host, Prefix.parse("10.0.0.0/24"), 28, AllocatorProcess.NOW);
        var places = new ArrayList<Prefix>();
        for (int index = 0; index < count; index++) {
            places.add(generator.block(BigInteger.valueOf(index)));
        }
        return places;
    }

    private static void claim(AllocatorProcess allocator, Prefix cidr, String host) {
        allocator.enact(view ->
                BlockEngine.claimAffinity(view, new ClaimRequest(cidr, Owner.host(host), AllocatorProcess.NOW)));
    }

    @Test
    void aConflictMakesOnlyWhatWasToBeWrittenBeReadAgain() {
        AllocatorProcess.pool(store, "p", "10.0.0.0/24", 26);
        var rival = AllocatorProcess.on(store);
        var taken = rival.assign("node-a", "before");
        var block = new CalicoKey.OfBlock(Prefix.containing(taken, 26)).text();
        trial.beforeNextCommit(() -> rival.assign("node-a", "rival"));

        var address = AllocatorProcess.on(trial).assign("node-a", "ours");

        var calls = trial.takeCalls();
        assertThat(calls.subList(calls.indexOf("commit 2") + 1, calls.size()))
                .containsExactly("get " + new CalicoKey.OfHandle("ours").text(), "get " + block, "commit 2");
        assertThat(address).isEqualTo(taken.plus(2));
    }

    @Test
    void whoFindsManyDocumentsChangedLearnsOfAllInOneLook() {
        AllocatorProcess.pool(store, "p", "10.0.0.0/26", 30);
        var rival = AllocatorProcess.on(store);
        for (int block = 0; block < 12; block++) {
            for (var handle : List.of("ours", "theirs")) {
                rival.assign("node-a", handle);
                rival.assign("node-a", handle);
            }
        }
        trial.beforeNextCommit(() -> rival.releaseHandle("theirs"));

        var release = AllocatorProcess.on(trial).releaseHandle("ours");

        assertThat(release.released()).hasSize(24);
        assertThat(trial.takeCalls())
                .filteredOn(call -> call.startsWith("commit"))
                .hasSize(2);
    }

    // ---- several readings at once ----

    @Test
    void releasingHundredsOfHandlesTakesAHandfulOfReadings() {
        AllocatorProcess.pool(store, "p", "10.0.0.0/20", 26);
        var addresses = new ArrayList<Object>();
        for (int pod = 0; pod < 300; pod++) {
            addresses.add(AllocatorProcess.on(store).assign("node-a", "pod-" + pod));
        }
        trial.takeReadings();

        var release = AllocatorProcess.on(trial).release(addresses.toArray());

        assertThat(release).isInstanceOf(Release.Done.class);
        assertThat(release.unallocated()).isEmpty();
        assertThat(AllocatorProcess.stored(store, CalicoKeys.HANDLES)).isEmpty();
        assertThat(trial.takeReadings()).isLessThan(60);
    }

    // ---- what is explained ----

    @Test
    void explainedBlockIsNotOneThatAnotherHas() {
        AllocatorProcess.pool(store, "p", "10.0.0.0/24", 28);
        placesOf("node-a", 5).forEach(cidr -> claim(AllocatorProcess.on(store), cidr, "node-b"));
        var before = AllocatorProcess.stored(store, "");

        var explained = AllocatorProcess.on(trial)
                .explain(AllocatorProcess.request("node-a").ipv4(Ask.of(1)));

        assertThat(AllocatorProcess.stored(store, "")).isEqualTo(before);
        assertThat(trial.takeWritten()).isEmpty();
        assertThat(AllocatorProcess.on(store)
                        .assign(AllocatorProcess.request("node-a").ipv4(Ask.of(1))))
                .isEqualTo(explained.outcome());
    }

    // ---- rivals and lost answers ----

    @Test
    void ofTwoWhoDecidedOnTheSamePlaceOneIsRefused() {
        AllocatorProcess.pool(store, "p", "10.0.0.0/24", 26);
        var one = decided(book(store), AllocatorProcess.request("node-a").ipv4(Ask.of(1)));
        var other = decided(book(store), AllocatorProcess.request("node-a").ipv4(Ask.of(1)));

        var first = one.save();
        var second = other.save();

        assertThat(first).isInstanceOf(Commit.Done.class);
        assertThat(second).isInstanceOf(Commit.Conflict.class);
    }

    @Test
    void aPlaceThatWasTriedIsWrittenOrLookedAt() {
        AllocatorProcess.pool(store, "p", "10.0.0.0/24", 26);
        var request = AllocatorProcess.request("node-a").by(Requester.of("h")).ipv4(Ask.of(1));
        var claimed = decided(
                decided(book(store), request),
                view -> BlockEngine.releaseByHandle(view, "h", Attempts.first(AllocatorProcess.NOW)));

        assertThatExceptionOfType(PageFullException.class)
                .isThrownBy(() -> decided(
                        claimed,
                        view -> BlockEngine.releaseHost(
                                view,
                                Owner.host("node-a"),
                                ReleaseCondition.REQUIRED,
                                Attempts.first(AllocatorProcess.NOW))))
                .withMessageContaining("would come and go without a look at it");
    }

    @Test
    void manyAtOnceGetDifferentAddresses() throws Exception {
        AllocatorProcess.pool(store, "p", "10.0.0.0/22", 28);
        int processes = 4;
        int each = 20;

        var given = new ArrayList<Address>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var results = new ArrayList<Future<List<Address>>>();
            for (int process = 0; process < processes; process++) {
                var name = "process-" + process;
                var host = process % 2 == 0 ? "node-a" : "node-b";
                results.add(threads.submit(() -> assignMany(host, name, each)));
            }
            for (var result : results) {
                given.addAll(result.get());
            }
        }

        assertThat(given).doesNotHaveDuplicates().hasSize(processes * each);
        assertThat(AllocatorProcess.stored(store, CalicoKeys.HANDLES)).hasSize(processes * each);
        assertThat(heldIn(AllocatorProcess.stored(store, BLOCKS4).values())).isEqualTo(processes * each);
    }

    private List<Address> assignMany(String host, String name, int count) {
        var allocator = AllocatorProcess.on(store);
        var addresses = new ArrayList<Address>();
        for (int index = 0; index < count; index++) {
            addresses.add(allocator.assign(host, name + "-" + index));
        }
        return addresses;
    }

    private static int heldIn(Iterable<String> blocks) {
        int held = 0;
        for (var block : blocks) {
            held += block.split("handle_id", -1).length - 1;
        }
        return held;
    }

    @Test
    void aCommitWhoseAnswerWasLostIsRecognised() {
        AllocatorProcess.pool(store, "p", "10.0.0.0/24", 26);
        trial.loseNextAnswer();

        var address = AllocatorProcess.on(trial).assign("node-a", "one");

        assertThat(heldIn(AllocatorProcess.stored(store, BLOCKS4).values())).isEqualTo(1);
        assertThat(trial.takeCalls())
                .filteredOn(call -> call.startsWith("commit"))
                .hasSize(1);
        assertThat(AllocatorProcess.on(store).releaseHandle("one")).isEqualTo(new HandleRelease.Done(List.of(address)));
    }

    @Test
    void aCommitThatWasLostIsTriedAgain() {
        AllocatorProcess.pool(store, "p", "10.0.0.0/24", 26);
        trial.loseNextRequest();

        AllocatorProcess.on(trial).assign("node-a", "one");

        assertThat(heldIn(AllocatorProcess.stored(store, BLOCKS4).values())).isEqualTo(1);
        assertThat(trial.takeCalls())
                .filteredOn(call -> call.startsWith("commit"))
                .hasSize(2);
    }

    @Test
    void aLostCommitThatARivalThenOverwroteIsRecognisedByItsHandle() {
        AllocatorProcess.pool(store, "p", "10.0.0.0/24", 26);
        var allocator = AllocatorProcess.on(trial);
        var before = allocator.assign("node-a", "before");
        trial.loseNextAnswer();
        var wanted = AllocatorProcess.request("node-a").by(Requester.of("one")).ipv4(Ask.of(1));
        var page = decided(book(trial), wanted);

        var lost = page.save();
        AllocatorProcess.on(store).assign("node-a", "rival");

        assertThat(lost).isInstanceOf(Commit.Unknown.class);
        assertThat(page.findApplied()).isEmpty();
        assertThat(AllocatorProcess.stored(store, BLOCKS4)).hasSize(1);
        assertThat(AllocatorProcess.on(store).assign("node-a", "last")).isEqualTo(before.plus(3));
    }

    @Test
    void aCommitThatArrivesWhileTheNextAttemptReadsIsReportedExactly() {
        AllocatorProcess.pool(store, "p", "10.0.0.0/24", 31);
        var allocator = AllocatorProcess.on(trial);
        int arrivals = 0;
        for (int reading = 1; reading <= 16; reading++) {
            var handle = "late-" + reading;
            trial.holdNextRequest(reading);

            var told = allocator.assign(severalBlocks().by(Requester.of(handle)));

            arrivals += trial.arrived() ? 1 : 0;
            trial.arrive();
            assertThat(addressesOf(handle)).as(handle).isEqualTo(Set.copyOf(told.addresses()));
            assertThat(told.addresses()).hasSize(3);
        }
        assertThat(arrivals).isGreaterThan(8);
    }

    /// The block that the late commit creates is looked for before or after it arrives, and the next
    /// attempt has no reason to write it.
    @Test
    void aCommitThatArrivesWhileTheNextAttemptLooksElsewhereIsReportedExactly() {
        AllocatorProcess.pool(store, "q", "10.200.0.0/24", 28);
        var allocator = AllocatorProcess.on(trial);
        for (int reading = 1; reading <= 16; reading++) {
            var host = "node-" + reading;
            var pool = "p-" + reading;
            AllocatorProcess.node(store, host);
            AllocatorProcess.pool(store, pool, "10.%d.0.0/26".formatted(reading), 26);
            trial.holdNextRequest(reading);
            trial.beforeNextCommit(() -> AllocatorProcess.disable(store, pool));

            var told = allocator.assign(host, "h-" + reading);

            trial.arrive();
            assertThat(addressesOf("h-" + reading)).as(host).isEqualTo(Set.of(told));
        }
    }

    private static AssignRequest severalBlocks() {
        return AllocatorProcess.request("node-a").ipv4(Ask.of(3)).withMaxBlocksPerHost(100);
    }

    private Set<Address> addressesOf(String handle) {
        var addresses = new HashSet<Address>();
        for (var entry : new CalicoReader(store).list(BLOCKS4)) {
            if (entry.content() instanceof BlockDocument document) {
                addresses.addAll(document.block().addressesOf(handle));
            }
        }
        return addresses;
    }

    @Test
    void aRequestThatIsRefusedAfterALostAnswerCannotBeServedAnyMore() {
        AllocatorProcess.pool(store, "p", "10.0.0.0/24", 26);
        var allocator = AllocatorProcess.on(trial);
        allocator.assign("node-a", "first");
        trial.holdNextRequest(100);
        trial.beforeNextCommit(() -> AllocatorProcess.disable(store, "p"));

        var told = allocator.assign(
                AllocatorProcess.request("node-a").by(Requester.of("h")).ipv4(Ask.of(1)));

        trial.arrive();
        assertThat(told).isInstanceOf(Assignment.Stopped.class);
        assertThat(addressesOf("h")).isEmpty();
        assertThat(store.get("/calico/ipam/v2/handle/h")).isEmpty();
    }

    /// Both want to write the very same bytes, and one of them does.
    @Test
    void requestWithoutAHandleCannotRecogniseItsCommit() {
        AllocatorProcess.pool(store, "p", "10.0.0.0/24", 26);
        AllocatorProcess.on(store).assign("node-a", "before");
        var nameless = AllocatorProcess.request("node-a").ipv4(Ask.of(1));
        var ours = decided(book(trial), nameless);
        var theirs = decided(book(store), nameless);
        trial.loseNextRequest();

        var saved = theirs.save();
        var lost = ours.save();

        assertThat(saved).isInstanceOf(Commit.Done.class);
        assertThat(lost).isInstanceOf(Commit.Unknown.class);
        assertThat(ours.findApplied()).isEmpty();
    }

    // ---- what cannot be read ----

    @Test
    void whatCannotBeReadIsPassedOverInListsAndAnErrorByItself() {
        AllocatorProcess.pool(store, "p", "10.0.0.0/24", 26);
        AllocatorProcess.put(store, CalicoKeys.POOLS + "a-broken", "{");
        AllocatorProcess.put(store, CalicoKeys.RESERVATIONS + "broken", "[]");
        AllocatorProcess.put(store, "/calico/ipam/v2/host/node-a/ipv4/block/nonsense", "{}");
        var allocator = AllocatorProcess.on(store);

        allocator.assign("node-a", "one");

        AllocatorProcess.put(store, CalicoKeys.CONFIG, "{\"strict_affinity\":\"yes\"}");
        assertThatExceptionOfType(UnparsableEntryException.class)
                .isThrownBy(() -> allocator.assign("node-a", "two"))
                .withMessage("failed to parse datastore entry key=/calico/ipam/v2/config;"
                        + " value={\"strict_affinity\":\"yes\"}: its strict_affinity is not"
                        + " true or false");
    }

    @Test
    void anUnreadableBlockCountsAsOwned() {
        AllocatorProcess.pool(store, "p", "10.0.0.0/24", 28);
        var first = placesOf("node-a", 2);
        AllocatorProcess.put(store, new CalicoKey.OfBlock(first.get(0)).text(), "{\"cidr\":");

        var address = AllocatorProcess.on(store).assign("node-a", "one");

        assertThat(first.get(1).contains(address)).isTrue();
        assertThat(store.get(new CalicoKey.OfBlock(first.get(0)).text())
                        .orElseThrow()
                        .value())
                .hasToString("{\"cidr\":");
    }

    @Test
    void theConfigurationIsWrittenWithWhatOthersWroteThere() {
        AllocatorProcess.put(store, CalicoKeys.CONFIG, "{\"auto_allocate_blocks\":true,\"theirs\":1}");

        AllocatorProcess.on(store)
                .configure(IpamConfig.DEFAULT
                        .withPersistence(IpamConfig.Persistence.UNSET)
                        .withCooldownSeconds(30));

        assertThat(store.get(CalicoKeys.CONFIG).orElseThrow().value())
                .hasToString("{\"auto_allocate_blocks\":true,\"ipCooldownSeconds\":30,\"theirs\":1}");
    }

    /// A page on which a request was decided.
    private static Page<BlockView, BlockChange> decided(Book<BlockView, BlockChange> book, AssignRequest request) {
        return decided(book.open(), view -> {
            var decision = BlockEngine.assign(view, request);
            assertThat(decision.outcome()).isInstanceOf(Assignment.Done.class);
            return decision;
        });
    }

    private static Page<BlockView, BlockChange> decided(
            Page<BlockView, BlockChange> begun, Function<BlockView, ? extends Decision<BlockChange, ?>> law) {
        var page = begun;
        // Ends: each round reads something that was lacking.
        while (true) {
            try {
                return page.with(law.apply(page.view()).changes());
            } catch (NotReadException notRead) {
                page = page.reading(notRead.missing());
            }
        }
    }
}
