package io.cadastre.wire.calico;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cadastre.address.Address;
import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.engine.Decision;
import io.cadastre.engine.block.AffinityClaim;
import io.cadastre.engine.block.AffinityRelease;
import io.cadastre.engine.block.AssignRequest.Ask;
import io.cadastre.engine.block.Assignment;
import io.cadastre.engine.block.BlockAffinities;
import io.cadastre.engine.block.BlockEngine;
import io.cadastre.engine.block.BlockReleases;
import io.cadastre.engine.block.ClaimRequest;
import io.cadastre.engine.block.Claimant;
import io.cadastre.engine.block.Emptiness;
import io.cadastre.engine.block.HandleRelease;
import io.cadastre.engine.block.IpamConfig;
import io.cadastre.engine.block.Owner;
import io.cadastre.engine.block.Pool.Standing;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/// A book that is fed by watches.
class CalicoVigilTest {

    private static final Duration AMPLE = Duration.ofSeconds(60);

    /// Short, but a rest: watches of a store that is away would otherwise keep every core from those who
    /// wait for a lock.
    private static final Duration REST = Duration.ofMillis(1);

    private final MemoryDatastore store = new MemoryDatastore();
    private final TrialStore trial = new TrialStore(store);
    private final AtomicReference<Instant> time = new AtomicReference<>(Office.NOW);
    private final CalicoVigil vigil =
            CalicoVigil.begin(
                    trial,
                    Owner.host("node-a"),
                    time::get,
                    _ -> LockSupport.parkNanos(REST.toNanos()));
    private final Office office = new Office(vigil.book());
    private final Office rival = Office.on(store);

    @BeforeEach
    void awaitSync() {
        Office.node(store, "node-a");
        Office.node(store, "node-b");
        Office.pool(store, "p", "10.0.0.0/29", 30);
        eventually(() -> vigil.inSync() && vigil.book().open().view().pools().size() == 1);
        eventually(() -> vigil.book().open().view().findNode("node-a").isPresent());
        trial.takeCalls();
    }

    @AfterEach
    void close() {
        vigil.close();
        store.close();
    }

    private static void eventually(Callable<Boolean> condition) {
        await().atMost(AMPLE).until(condition);
    }

    @Test
    void everyAddressIsOneCommitAndNoReading() {
        for (int pod = 0; pod < 8; pod++) {
            office.assign("node-a", "pod-" + pod);
        }

        assertThat(trial.takeCalls())
                .containsExactly(
                        "commit 3",
                        "commit 2",
                        "commit 2",
                        "commit 2",
                        "commit 3",
                        "commit 2",
                        "commit 2",
                        "commit 2");
    }

    @Test
    void aReleaseReadsTheHandleAndIsOneCommit() {
        office.assign("node-a", "one");
        trial.takeCalls();

        var release = office.releaseHandle("one");

        assertThat(release).isInstanceOf(HandleRelease.Done.class);
        assertThat(trial.takeCalls()).containsExactly("get /calico/ipam/v2/handle/one", "commit 2");
    }

    @Test
    void aHandleThatIsThereIsFoundByTheCommit() {
        var theirs = Claimant.of("one", Office.attributes("pod", "theirs"));
        var first =
                rival.assign(Office.request("node-b").by(theirs).ipv4(Ask.of(1)))
                        .addresses()
                        .getFirst();

        var second = office.assign("node-a", "one");

        assertThat(second).isNotEqualTo(first);
        assertThat(trial.takeCalls()).contains("get /calico/ipam/v2/handle/one");
        assertThat(office.releaseHandle("one"))
                .isInstanceOfSatisfying(
                        HandleRelease.Done.class,
                        done ->
                                assertThat(done.released())
                                        .containsExactlyInAnyOrder(first, second));
    }

    @Test
    void whoAsksForWhatHisHandleHasIsToldSo() {
        var address = office.assign("node-a", "one");

        var again =
                office.<Boolean>enact(
                        view -> {
                            if (view.findHandle("one").isPresent()) {
                                return new Decision<>(true, List.of(), List.of());
                            }
                            var request =
                                    Office.request("node-a").by(Claimant.of("one")).ipv4(Ask.of(1));
                            var decision = BlockEngine.assign(view, request);
                            return new Decision<>(false, decision.changes(), decision.because());
                        });

        assertThat(again).isTrue();
        assertThat(rival.releaseHandle("one").released()).containsExactly(address);
    }

    @Test
    void whoReleasesAnAddressFindsItsHandle() {
        var address = rival.assign("node-a", "one");

        office.release(address);

        assertThat(store.get("/calico/ipam/v2/handle/one")).isEmpty();
    }

    @Test
    void aPoolThatIsDisabledGivesNothingNew() {
        office.assign("node-a", "one");
        var key = new CalicoKey.OfPool("p").text();
        var pool = store.get(key).orElseThrow().value().utf8();

        Office.put(store, key, pool.replace("\"blockSize\"", "\"disabled\":true,\"blockSize\""));
        eventually(
                () ->
                        vigil.book().open().view().pools().getFirst().standing()
                                == Standing.DISABLED);

        var refused = office.assign(Office.request("node-a").ipv4(Ask.of(1)));
        assertThat(refused).isInstanceOf(Assignment.Stopped.class);
    }

    @Test
    void whatOthersConfigureReserveAndDeleteIsNoticed() {
        rival.configure(IpamConfig.DEFAULT.withCooldownSeconds(7));
        Office.put(
                store,
                CalicoKeys.RESERVATIONS + "r",
                "{\"spec\":{\"reservedCIDRs\":[\"10.0.0.0/30\"]}}");
        var node = store.get(new CalicoKey.OfNode("node-a").text()).orElseThrow();
        store.commit(List.of(new Write.Delete(node.key(), node.revision())));

        eventually(() -> vigil.book().open().view().config().cooldownSeconds() == 7);
        eventually(
                () ->
                        vigil.book()
                                .open()
                                .view()
                                .reservations()
                                .contains(Address.parse("10.0.0.1")));
        eventually(() -> vigil.book().open().view().findNode("node-a").isEmpty());
    }

    @Test
    void aRefusalRestsOnWhatWasReadForIt() {
        for (int pod = 0; pod < 8; pod++) {
            office.assign("node-a", "pod-" + pod);
        }
        rival.releaseHandle("pod-3");

        // What is kept shows no free address.
        var address = office.assign("node-a", "late");

        assertThat(address.toString()).startsWith("10.0.0.");
        assertThat(Office.stored(store, CalicoKeys.HANDLES)).hasSize(8);
    }

    @Test
    void whatIsKnownOfABlockServesForTenSeconds() {
        office.assign("node-a", "one");
        trial.takeCalls();

        time.set(Office.NOW.plusSeconds(10));
        office.assign("node-a", "two");

        assertThat(trial.takeCalls()).hasSize(2).last().isEqualTo("commit 2");
    }

    @Test
    void blockThatWasFullIsNotReadAgainWhileAnotherHasRoom() {
        var first = office.assign("node-a", "pod-0");
        for (int pod = 1; pod < 5; pod++) {
            office.assign("node-a", "pod-" + pod);
        }
        time.set(Office.NOW.plusSeconds(20));
        trial.takeCalls();

        var late = office.assign("node-a", "late");

        assertThat(blockOf(late)).isNotEqualTo(blockOf(first));
        assertThat(trial.takeCalls())
                .containsExactly("get " + new CalicoKey.OfBlock(blockOf(late)).text(), "commit 2");
    }

    @Test
    void blockThatWasFullIsReadAgainBeforeAnotherIsClaimed() {
        for (int pod = 0; pod < 4; pod++) {
            office.assign("node-a", "pod-" + pod);
        }
        // After this the block is known to have been full, and no more.
        time.set(Office.NOW.plusSeconds(20));
        rival.releaseHandle("pod-3");

        office.assign("node-a", "late");

        assertThat(Office.stored(store, CalicoKeys.blocks(Family.IPV4))).hasSize(1);
    }

    @Test
    void whatOthersDidToABlockCostsARetry() {
        var first = office.assign("node-a", "one");
        rival.assign("node-a", "two");
        trial.takeCalls();

        var third = office.assign("node-a", "three");

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
        var first = office.assign("node-a", "one");
        rival.enact(view -> BlockReleases.releaseByHandle(view, "one", Office.NOW));
        rival.enact(
                view ->
                        BlockAffinities.releaseHost(
                                view, Owner.host("node-a"), Emptiness.REQUIRED, Office.NOW));

        var again = office.assign("node-a", "two");

        assertThat(again).isEqualTo(first);
        assertThat(Office.stored(store, "/calico/ipam/")).hasSize(3);
    }

    @Test
    void aLostAnswerIsResolvedAndNothingIsGivenTwice() {
        var first = office.assign("node-a", "one");
        trial.loseNextAnswer();

        var second = office.assign("node-a", "two");
        trial.loseNextRequest();
        var third = office.assign("node-a", "three");

        assertThat(List.of(first, second, third)).doesNotHaveDuplicates();
        assertThat(Office.stored(store, CalicoKeys.HANDLES)).hasSize(3);
    }

    @Test
    void severalAddressesOfOneRequestAreOneCommit() {
        var assignment =
                office.assign(Office.request("node-a").by(Claimant.of("many")).ipv4(Ask.of(6)));

        assertThat(assignment.addresses()).hasSize(6);
        assertThat(trial.takeCalls()).containsExactly("commit 5");
    }

    @Test
    void whatIsRefreshedIsReadAgain() {
        office.assign("node-a", "one");
        trial.takeCalls();

        vigil.book().forget();
        office.assign("node-a", "two");

        assertThat(trial.takeCalls())
                .hasSize(3)
                .contains("list /calico/ipam/v2/host/node-a/ipv4/block/")
                .last()
                .isEqualTo("commit 2");
    }

    @Test
    void aWatchThatWasCompactedBeginsAgain() {
        store.compact(store.listAll("").revision());
        Office.pool(store, "q", "10.1.0.0/24", 26);

        eventually(() -> vigil.book().open().view().pools().size() == 2);
    }

    private static Prefix blockOf(Address address) {
        return Prefix.containing(address, 30);
    }

    // ---- what is refused in part ----

    @Test
    void anAddressThatAnotherGaveAMomentAgoIsNotSaidToBeUnallocatedAmongOthers() {
        var ours = office.assign("node-a", "one");
        var theirs = rival.assign("node-a", "two");

        var release = office.release(ours, theirs);

        assertThat(release.unallocated()).isEmpty();
        assertThat(Office.stored(store, CalicoKeys.HANDLES)).isEmpty();
    }

    @Test
    void aBlockThatAnotherEmptiedAMomentAgoIsGivenUpWithTheOthers() {
        var first = office.assign("node-a", "one");
        for (int pod = 0; pod < 4; pod++) {
            office.assign("node-a", "pod-" + pod);
        }
        office.releaseHandle("pod-3");
        rival.releaseHandle("one");
        rival.releaseHandle("pod-0");
        rival.releaseHandle("pod-1");
        rival.releaseHandle("pod-2");

        var release =
                office.enact(
                        view ->
                                BlockAffinities.releaseHost(
                                        view,
                                        Owner.host("node-a"),
                                        Emptiness.REQUIRED,
                                        Office.NOW));

        assertThat(release).isInstanceOf(AffinityRelease.Done.class);
        assertThat(release.released()).hasSize(2).contains(blockOf(first));
    }

    @Test
    void aBlockThatAnotherGaveUpAMomentAgoIsClaimedWithTheOthers() {
        office.assign("node-a", "one");
        rival.releaseHandle("one");
        rival.enact(
                view ->
                        BlockAffinities.releaseHost(
                                view, Owner.host("node-a"), Emptiness.REQUIRED, Office.NOW));

        var claim =
                office.enact(
                        view ->
                                BlockAffinities.claim(
                                        view,
                                        new ClaimRequest(
                                                Prefix.parse("10.0.0.0/29"),
                                                Owner.host("node-b"),
                                                Office.NOW)));

        assertThat(claim)
                .isEqualTo(
                        new AffinityClaim.Claimed(
                                List.of(Prefix.parse("10.0.0.0/30"), Prefix.parse("10.0.0.4/30")),
                                List.of()));
    }
}
