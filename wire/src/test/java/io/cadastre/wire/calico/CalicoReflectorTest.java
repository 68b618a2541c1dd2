package io.cadastre.wire.calico;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cadastre.address.Address;
import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.engine.Decision;
import io.cadastre.engine.block.Attempts;
import io.cadastre.engine.block.BlockEngine;
import io.cadastre.engine.block.IpPool.Mode;
import io.cadastre.engine.block.IpamConfig;
import io.cadastre.engine.block.Owner;
import io.cadastre.engine.block.assign.AffinityClaim;
import io.cadastre.engine.block.assign.AssignRequest.Ask;
import io.cadastre.engine.block.assign.Assignment;
import io.cadastre.engine.block.assign.ClaimRequest;
import io.cadastre.engine.block.assign.Requester;
import io.cadastre.engine.block.release.AffinityRelease;
import io.cadastre.engine.block.release.HandleRelease;
import io.cadastre.engine.block.release.ReleaseCondition;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A book that is fed by watches.
class CalicoReflectorTest {

    private static final Duration AMPLE = Duration.ofSeconds(60);

    /// Short, but a rest: watches of a store that is away would otherwise keep every core from those who
    /// wait for a lock.
    private static final Duration REST = Duration.ofMillis(1);

    private final MemoryDatastore store = new MemoryDatastore();
    private final RecordingStore trial = new RecordingStore(store);
    private final AtomicReference<Instant> time = new AtomicReference<>(AllocatorProcess.NOW);
    private final CalicoReflector reflector =
            CalicoReflector.begin(trial, Owner.host("node-a"), time::get, _ -> LockSupport.parkNanos(REST.toNanos()));
    private final AllocatorProcess allocator = new AllocatorProcess(reflector.book());
    private final AllocatorProcess rival = AllocatorProcess.on(store);

    @BeforeEach
    void awaitSync() {
        AllocatorProcess.node(store, "node-a");
        AllocatorProcess.node(store, "node-b");
        AllocatorProcess.pool(store, "p", "10.0.0.0/29", 30);
        eventually(() ->
                reflector.inSync() && reflector.book().open().view().pools().size() == 1);
        eventually(() -> reflector.book().open().view().findNode("node-a").isPresent());
        trial.takeCalls();
    }

    @AfterEach
    void close() {
        reflector.close();
        store.close();
    }

    private static void eventually(Callable<Boolean> condition) {
        await().atMost(AMPLE).until(condition);
    }

    @Test
    void everyAddressIsOneCommitAndNoReading() {
        for (int pod = 0; pod < 8; pod++) {
            allocator.assign("node-a", "pod-" + pod);
        }

        assertThat(trial.takeCalls())
                .containsExactly(
                        "commit 3", "commit 2", "commit 2", "commit 2", "commit 3", "commit 2", "commit 2", "commit 2");
    }

    @Test
    void aReleaseReadsTheHandleAndIsOneCommit() {
        allocator.assign("node-a", "one");
        trial.takeCalls();

        var release = allocator.releaseHandle("one");

        assertThat(release).isInstanceOf(HandleRelease.Done.class);
        assertThat(trial.takeCalls()).containsExactly("get /calico/ipam/v2/handle/one", "commit 2");
    }

    @Test
    void aHandleThatIsThereIsFoundByTheCommit() {
        var theirs = Requester.of("one", AllocatorProcess.attributes("pod", "theirs"));
        var first = rival.assign(AllocatorProcess.request("node-b").by(theirs).ipv4(Ask.of(1)))
                .addresses()
                .getFirst();

        var second = allocator.assign("node-a", "one");

        assertThat(second).isNotEqualTo(first);
        assertThat(trial.takeCalls()).contains("get /calico/ipam/v2/handle/one");
        assertThat(allocator.releaseHandle("one"))
                .isInstanceOfSatisfying(
                        HandleRelease.Done.class,
                        done -> assertThat(done.released()).containsExactlyInAnyOrder(first, second));
    }

    @Test
    void requestLearnsThatItsHandleHasAddresses() {
        var address = allocator.assign("node-a", "one");

        var again = allocator.<Boolean>enact(view -> {
            if (view.findHandle("one").isPresent()) {
                return new Decision<>(true, List.of(), List.of());
            }
            var request =
                    AllocatorProcess.request("node-a").by(Requester.of("one")).ipv4(Ask.of(1));
            var decision = BlockEngine.assign(view, request);
            return new Decision<>(false, decision.changes(), decision.because());
        });

        assertThat(again).isTrue();
        assertThat(rival.releaseHandle("one").released()).containsExactly(address);
    }

    @Test
    void whoReleasesAnAddressFindsItsHandle() {
        var address = rival.assign("node-a", "one");

        allocator.release(address);

        assertThat(store.get("/calico/ipam/v2/handle/one")).isEmpty();
    }

    @Test
    void aPoolThatIsDisabledGivesNothingNew() {
        allocator.assign("node-a", "one");
        var key = new CalicoKey.OfPool("p").text();
        var pool = store.get(key).orElseThrow().value().utf8();

        AllocatorProcess.put(store, key, pool.replace("\"blockSize\"", "\"disabled\":true,\"blockSize\""));
        eventually(() -> reflector.book().open().view().pools().getFirst().standing() == Mode.DISABLED);

        var refused = allocator.assign(AllocatorProcess.request("node-a").ipv4(Ask.of(1)));
        assertThat(refused).isInstanceOf(Assignment.Stopped.class);
    }

    @Test
    void whatOthersConfigureReserveAndDeleteIsNoticed() {
        rival.configure(IpamConfig.DEFAULT.withCooldownSeconds(7));
        AllocatorProcess.put(store, CalicoKeys.RESERVATIONS + "r", "{\"spec\":{\"reservedCIDRs\":[\"10.0.0.0/30\"]}}");
        var node = store.get(new CalicoKey.OfNode("node-a").text()).orElseThrow();
        store.commit(List.of(new Write.Delete(node.key(), node.revision())));

        eventually(() -> reflector.book().open().view().config().cooldownSeconds() == 7);
        eventually(() -> reflector.book().open().view().reservations().contains(Address.parse("10.0.0.1")));
        eventually(() -> reflector.book().open().view().findNode("node-a").isEmpty());
    }

    @Test
    void aRefusalRestsOnWhatWasReadForIt() {
        for (int pod = 0; pod < 8; pod++) {
            allocator.assign("node-a", "pod-" + pod);
        }
        rival.releaseHandle("pod-3");

        // What is kept shows no free address.
        var address = allocator.assign("node-a", "late");

        assertThat(address.toString()).startsWith("10.0.0.");
        assertThat(AllocatorProcess.stored(store, CalicoKeys.HANDLES)).hasSize(8);
    }

    @Test
    void cachedBlockServesForTenSeconds() {
        allocator.assign("node-a", "one");
        trial.takeCalls();

        time.set(AllocatorProcess.NOW.plusSeconds(10));
        allocator.assign("node-a", "two");

        assertThat(trial.takeCalls()).hasSize(2).last().isEqualTo("commit 2");
    }

    @Test
    void blockThatWasFullIsNotReadAgainWhileAnotherHasRoom() {
        var first = allocator.assign("node-a", "pod-0");
        for (int pod = 1; pod < 5; pod++) {
            allocator.assign("node-a", "pod-" + pod);
        }
        time.set(AllocatorProcess.NOW.plusSeconds(20));
        trial.takeCalls();

        var late = allocator.assign("node-a", "late");

        assertThat(blockOf(late)).isNotEqualTo(blockOf(first));
        assertThat(trial.takeCalls()).containsExactly("get " + new CalicoKey.OfBlock(blockOf(late)).text(), "commit 2");
    }

    @Test
    void blockThatWasFullIsReadAgainBeforeAnotherIsClaimed() {
        for (int pod = 0; pod < 4; pod++) {
            allocator.assign("node-a", "pod-" + pod);
        }
        // After this the block is known to have been full, and no more.
        time.set(AllocatorProcess.NOW.plusSeconds(20));
        rival.releaseHandle("pod-3");

        allocator.assign("node-a", "late");

        assertThat(AllocatorProcess.stored(store, CalicoKeys.blocks(Family.IPV4)))
                .hasSize(1);
    }

    @Test
    void whatOthersDidToABlockCostsARetry() {
        var first = allocator.assign("node-a", "one");
        rival.assign("node-a", "two");
        trial.takeCalls();

        var third = allocator.assign("node-a", "three");

        assertThat(third).isEqualTo(first.plus(2));
        assertThat(trial.takeCalls())
                .containsExactly(
                        "commit 2",
                        "get " + new CalicoKey.OfHandle("three").text(),
                        "get " + new CalicoKey.OfBlock(blockOf(first)).text(),
                        "commit 2");
    }

    @Test
    void aBlockThatWasTakenAwayIsClaimedAgain() {
        var first = allocator.assign("node-a", "one");
        rival.enact(view -> BlockEngine.releaseByHandle(view, "one", Attempts.first(AllocatorProcess.NOW)));
        rival.enact(view -> BlockEngine.releaseHost(
                view, Owner.host("node-a"), ReleaseCondition.REQUIRED, Attempts.first(AllocatorProcess.NOW)));

        var again = allocator.assign("node-a", "two");

        assertThat(again).isEqualTo(first);
        assertThat(AllocatorProcess.stored(store, "/calico/ipam/")).hasSize(3);
    }

    @Test
    void aLostAnswerIsResolvedAndNothingIsGivenTwice() {
        var first = allocator.assign("node-a", "one");
        trial.loseNextAnswer();

        var second = allocator.assign("node-a", "two");
        trial.loseNextRequest();
        var third = allocator.assign("node-a", "three");

        assertThat(List.of(first, second, third)).doesNotHaveDuplicates();
        assertThat(AllocatorProcess.stored(store, CalicoKeys.HANDLES)).hasSize(3);
    }

    @Test
    void severalAddressesOfOneRequestAreOneCommit() {
        var assignment = allocator.assign(
                AllocatorProcess.request("node-a").by(Requester.of("many")).ipv4(Ask.of(6)));

        assertThat(assignment.addresses()).hasSize(6);
        assertThat(trial.takeCalls()).containsExactly("commit 5");
    }

    @Test
    void forgottenBlocksAreReadAgain() {
        allocator.assign("node-a", "one");
        trial.takeCalls();

        reflector.book().forget();
        allocator.assign("node-a", "two");

        assertThat(trial.takeCalls())
                .hasSize(3)
                .contains("list /calico/ipam/v2/host/node-a/ipv4/block/")
                .last()
                .isEqualTo("commit 2");
    }

    @Test
    void aWatchThatWasCompactedBeginsAgain() {
        store.compact(store.listAll("").revision());
        AllocatorProcess.pool(store, "q", "10.1.0.0/24", 26);

        eventually(() -> reflector.book().open().view().pools().size() == 2);
    }

    private static Prefix blockOf(Address address) {
        return Prefix.containing(address, 30);
    }

    // ---- what is refused in part ----

    @Test
    void anAddressThatAnotherGaveAMomentAgoIsNotSaidToBeUnallocatedAmongOthers() {
        var ours = allocator.assign("node-a", "one");
        var theirs = rival.assign("node-a", "two");

        var release = allocator.release(ours, theirs);

        assertThat(release.unallocated()).isEmpty();
        assertThat(AllocatorProcess.stored(store, CalicoKeys.HANDLES)).isEmpty();
    }

    @Test
    void aBlockThatAnotherEmptiedAMomentAgoIsGivenUpWithTheOthers() {
        var first = allocator.assign("node-a", "one");
        for (int pod = 0; pod < 4; pod++) {
            allocator.assign("node-a", "pod-" + pod);
        }
        allocator.releaseHandle("pod-3");
        rival.releaseHandle("one");
        rival.releaseHandle("pod-0");
        rival.releaseHandle("pod-1");
        rival.releaseHandle("pod-2");

        var release = allocator.enact(view -> BlockEngine.releaseHost(
                view, Owner.host("node-a"), ReleaseCondition.REQUIRED, Attempts.first(AllocatorProcess.NOW)));

        assertThat(release).isInstanceOf(AffinityRelease.Done.class);
        assertThat(release.released()).hasSize(2).contains(blockOf(first));
    }

    @Test
    void aBlockThatAnotherGaveUpAMomentAgoIsClaimedWithTheOthers() {
        allocator.assign("node-a", "one");
        rival.releaseHandle("one");
        rival.enact(view -> BlockEngine.releaseHost(
                view, Owner.host("node-a"), ReleaseCondition.REQUIRED, Attempts.first(AllocatorProcess.NOW)));

        var claim = allocator.enact(view -> BlockEngine.claimAffinity(
                view, new ClaimRequest(Prefix.parse("10.0.0.0/29"), Owner.host("node-b"), AllocatorProcess.NOW)));

        assertThat(claim)
                .isEqualTo(new AffinityClaim.Claimed(
                        List.of(Prefix.parse("10.0.0.0/30"), Prefix.parse("10.0.0.4/30")), List.of()));
    }
}
