package io.cadastre.engine.pool.collect;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Address;
import io.cadastre.address.Prefix;
import io.cadastre.address.Range;
import io.cadastre.address.RangeSet;
import io.cadastre.engine.Survey;
import io.cadastre.engine.pool.AddressPool;
import io.cadastre.engine.pool.AddressPool.Origin;
import io.cadastre.engine.pool.Nic;
import io.cadastre.engine.pool.NicAddress;
import io.cadastre.engine.pool.NicPlace;
import io.cadastre.engine.pool.PodEndpoint;
import io.cadastre.engine.pool.PodKey;
import io.cadastre.engine.pool.PoolAffinity;
import io.cadastre.engine.pool.PoolChange;
import io.cadastre.engine.pool.PoolFault;
import io.cadastre.engine.pool.PoolHoldings;
import io.cadastre.engine.pool.PoolRecord;
import io.cadastre.engine.pool.PoolSpec;
import io.cadastre.engine.pool.PoolSpec.Giving;
import io.cadastre.engine.pool.PoolSpec.Preference;
import io.cadastre.engine.pool.PoolView;
import io.cadastre.engine.pool.TopController;
import io.cadastre.engine.pool.collect.ObservedPod.Deletion;
import io.cadastre.engine.pool.collect.ObservedPod.End;
import io.cadastre.engine.pool.collect.ObservedPod.NodeHealth;
import io.cadastre.engine.pool.collect.ObservedPod.Phase;
import io.cadastre.engine.pool.collect.ObservedPod.Reported;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// What is written when records and endpoints are taken back.
class PoolCollectorTest {

    private static final Instant NOW = Instant.parse("2026-11-19T06:00:00Z");
    private static final PodKey KEY = new PodKey("ns1", "a");
    private static final Address FIRST = Address.parse("10.6.0.1");
    private static final Address SECOND = Address.parse("10.6.0.2");
    private static final PoolRecord OLD = new PoolRecord("ns1/a", "old");
    private static final KnownPod GONE = new KnownPod.Absent();

    private static AddressPool pool(Map<Address, PoolRecord> records, boolean terminating, String damage) {
        return new AddressPool(
                "p",
                new PoolSpec(
                        Prefix.parse("10.6.0.0/24"),
                        List.of(Range.parse("10.6.0.1-10.6.0.9")),
                        RangeSet.EMPTY,
                        Optional.empty(),
                        List.of(),
                        PoolAffinity.NONE,
                        Preference.NAMED,
                        Giving.ENABLED),
                Origin.MADE_BY_HAND,
                terminating,
                new TreeMap<>(records),
                damage);
    }

    private static AddressPool pool(Map<Address, PoolRecord> records) {
        return pool(records, false, "");
    }

    private static PodEndpoint endpoint(String uid, Address... addresses) {
        var nics = Arrays.stream(addresses)
                .map(address -> new Nic(
                        "eth0",
                        Optional.of(new NicAddress(address, 24, "p", Optional.empty())),
                        Optional.empty(),
                        Optional.empty(),
                        List.of()))
                .toList();
        return new PodEndpoint(KEY, uid, "n1", nics, new TopController("", "Deployment", "web"));
    }

    private static PoolView view(AddressPool pool, PodEndpoint... endpoints) {
        return PoolView.whole(List.of(pool), RangeSet.EMPTY, List.of(endpoints));
    }

    private static KnownPod living(String uid, Keeping keeping, Deletion deletion, Reported reported) {
        return new KnownPod.Present(new ObservedPod(
                KEY, uid, Phase.RUNNING, deletion, new End.Unknown(), reported, keeping, NodeHealth.READY, List.of()));
    }

    private static KnownPod living(String uid) {
        return living(uid, Keeping.NEVER, new Deletion.NotBegun(), Reported.OWN);
    }

    private static CollectRequest judging(PoolRecord record, KnownEndpoint endpoint, KnownPod pod) {
        return new CollectRequest("p", FIRST, KEY, record, endpoint, pod, CollectSettings.DEFAULT, NOW);
    }

    private static KnownEndpoint known(String uid) {
        return new KnownEndpoint.Present(uid, Keeping.NEVER);
    }

    @Test
    @DisplayName("C113: a record without a pod and an endpoint is freed")
    void recordWithoutPodAndEndpointIsFreed() {
        var view = view(pool(Map.of(FIRST, OLD, SECOND, new PoolRecord("ns2/a", "u2"))));

        var decision = PoolCollector.collect(view, judging(OLD, new KnownEndpoint.Absent(), GONE));

        assertThat(decision.changes()).containsExactly(new PoolChange.Free("p", FIRST, OLD, NicPlace.UNKNOWN));
        assertThat(decision.outcome()).isEqualTo(new PoolCollection.Collected(List.of(FIRST), List.of()));
        assertThat(decision.because()).containsExactly(new CollectReason(KEY, CollectRule.POD_AND_ENDPOINT_GONE));
        assertThat(Survey.of(PoolHoldings.of(view.with(decision.changes().getFirst()))))
                .isEmpty();
    }

    @Test
    @DisplayName("C118: a record without a pod goes with its endpoint")
    void recordWithoutPodGoesWithItsEndpoint() {
        var view = view(pool(Map.of(FIRST, OLD)), endpoint("old", FIRST));

        var decision = PoolCollector.collect(view, judging(OLD, known("old"), GONE));

        assertThat(decision.changes())
                .containsExactly(
                        new PoolChange.Free("p", FIRST, OLD, new NicPlace("n1", "eth0")),
                        new PoolChange.DropEndpoint(KEY));
    }

    @Test
    @DisplayName("C114: a record of another uid is freed, and what the live pod has is kept")
    void recordOfAnotherUidIsFreedAndTheLivePodKeepsItsOwn() {
        var own = new PoolRecord("ns1/a", "new");
        var view = view(pool(Map.of(FIRST, OLD, SECOND, own)), endpoint("new", SECOND));

        var decision = PoolCollector.collect(view, judging(OLD, known("new"), living("new")));
        var ofLiving = PoolCollector.collect(
                view,
                new CollectRequest("p", SECOND, KEY, own, known("new"), living("new"), CollectSettings.DEFAULT, NOW));

        assertThat(decision.changes()).containsExactly(new PoolChange.Free("p", FIRST, OLD, NicPlace.UNKNOWN));
        assertThat(ofLiving.changes()).isEmpty();
        assertThat(ofLiving.outcome()).isEqualTo(new PoolCollection.Left(List.of(CollectRule.ALIVE)));
    }

    @Test
    void livePodKeepsItsRecordIfOnlyTheEndpointIsOfAnEarlierPod() {
        var own = new PoolRecord("ns1/a", "new");
        var view = view(pool(Map.of(FIRST, own)), endpoint("old", FIRST));

        var decision = PoolCollector.collect(view, judging(own, known("old"), living("new")));

        assertThat(decision.changes()).containsExactly(new PoolChange.DropEndpoint(KEY));
    }

    @Test
    @DisplayName("C115: a pod of a StatefulSet that restarts inherits the record of its predecessor")
    void podThatRestartsInheritsTheRecord() {
        var view = view(pool(Map.of(FIRST, OLD)), endpoint("old", FIRST));
        var restarting = living("new", Keeping.VALID, new Deletion.NotBegun(), Reported.NONE);

        var decision =
                PoolCollector.collect(view, judging(OLD, new KnownEndpoint.Present("old", Keeping.VALID), restarting));

        assertThat(decision.changes()).isEmpty();
    }

    @Test
    void recordThatHasChangedSinceItWasReadIsKept() {
        var inherited = view(pool(Map.of(FIRST, new PoolRecord("ns1/a", "new"))), endpoint("new", FIRST));
        var freed = view(pool(Map.of()), endpoint("old", FIRST));

        for (var view : List.of(inherited, freed)) {
            var decision = PoolCollector.collect(view, judging(OLD, known("old"), GONE));

            assertThat(decision.changes()).isEmpty();
            assertThat(decision.outcome()).isEqualTo(new PoolCollection.Left(List.of(CollectRule.RECORD_CHANGED)));
        }
    }

    @Test
    void endpointThatWasWrittenSinceThePodWasLookedForIsKept() {
        var view = view(pool(Map.of(FIRST, OLD, SECOND, new PoolRecord("ns1/a", "new"))), endpoint("new", SECOND));

        var replaced = PoolCollector.collect(view, judging(OLD, known("old"), GONE));
        var created = PoolCollector.collect(view, judging(OLD, new KnownEndpoint.Absent(), GONE));

        assertThat(replaced.outcome()).isEqualTo(new PoolCollection.Left(List.of(CollectRule.ENDPOINT_CHANGED)));
        assertThat(created.outcome()).isEqualTo(new PoolCollection.Left(List.of(CollectRule.ENDPOINT_CHANGED)));
    }

    @Test
    void poolThatIsBeingDeletedGoesWithItsLastRecord() {
        var view = view(pool(Map.of(FIRST, OLD), true, ""));

        var decision = PoolCollector.collect(view, judging(OLD, new KnownEndpoint.Absent(), GONE));

        assertThat(decision.changes())
                .containsExactly(new PoolChange.Free("p", FIRST, OLD, NicPlace.UNKNOWN), new PoolChange.DropPool("p"));
    }

    @Test
    void poolThatCannotBeReadKeepsItsRecords() {
        var view = view(pool(Map.of(FIRST, OLD), false, "its ips cannot be read"));

        var decision = PoolCollector.collect(view, judging(OLD, new KnownEndpoint.Absent(), GONE));

        assertThat(decision.changes()).isEmpty();
        assertThat(decision.outcome()).isInstanceOf(PoolCollection.Prevented.class);
    }

    // ---- what was traced ----

    @Test
    void releaseThatADamagedPoolPreventsTellsItsReasons() {
        var view = view(pool(Map.of(), false, "its gateway is no address"), endpoint("old", FIRST));

        var decision = PoolCollector.releaseTraced(view, traced("old", known("old"), GONE));

        assertThat(decision.outcome()).isInstanceOf(PoolCollection.Prevented.class);
        assertThat(decision.changes()).isEmpty();
        assertThat(decision.because())
                .containsExactly(
                        new CollectReason(KEY, CollectRule.GRACE_OVER),
                        new PoolFault("p", PoolFault.Rule.DAMAGED, "its gateway is no address"));
    }

    private static TracedReleaseRequest traced(String uid, KnownEndpoint endpoint, KnownPod pod) {
        return new TracedReleaseRequest(KEY, uid, endpoint, pod, CollectSettings.DEFAULT, NOW);
    }

    private static KnownPod leaving(Instant timestamp, Keeping keeping) {
        return living("old", keeping, new Deletion.Begun(timestamp, Duration.ofSeconds(30)), Reported.OWN);
    }

    @Test
    @DisplayName("C108: a pod whose DEL was lost gives back all of its endpoint")
    void podWhoseDelWasLostGivesBackAll() {
        var view = view(pool(Map.of(FIRST, OLD, SECOND, OLD)), endpoint("old", FIRST, SECOND));

        var decision = PoolCollector.releaseTraced(view, traced("old", known("old"), GONE));

        assertThat(decision.outcome()).isEqualTo(new PoolCollection.Collected(List.of(FIRST, SECOND), List.of(KEY)));
    }

    @Test
    void podThatIsStuckGivesBackOnlyWhenItsGraceIsOver() {
        var view = view(pool(Map.of(FIRST, OLD)), endpoint("old", FIRST));

        var early = PoolCollector.releaseTraced(
                view, traced("old", known("old"), leaving(NOW.minusSeconds(30), Keeping.NEVER)));
        var late = PoolCollector.releaseTraced(
                view, traced("old", known("old"), leaving(NOW.minusSeconds(31), Keeping.NEVER)));

        assertThat(early.changes()).isEmpty();
        assertThat(late.outcome()).isEqualTo(new PoolCollection.Collected(List.of(FIRST), List.of(KEY)));
    }

    @Test
    void livePodIsNeverReleasedByAnOldTrace() {
        var view = view(pool(Map.of(FIRST, OLD)), endpoint("old", FIRST));

        var alive = PoolCollector.releaseTraced(view, traced("old", known("old"), living("old")));
        var returns =
                PoolCollector.releaseTraced(view, traced("old", new KnownEndpoint.Present("old", Keeping.VALID), GONE));
        var inherited = PoolCollector.releaseTraced(
                view,
                traced("old", known("old"), living("new", Keeping.INVALID, new Deletion.NotBegun(), Reported.NONE)));
        var unclear = PoolCollector.releaseTraced(
                view, traced("old", known("old"), new KnownPod.Unclear("its node cannot be read")));

        for (var decision : List.of(alive, returns, inherited, unclear)) {
            assertThat(decision.changes()).isEmpty();
        }
    }

    /// Its owner may be a StatefulSet that creates the pod again.
    @Test
    void endpointWhoseOwnerCannotBeReadIsNotReleased() {
        var view = view(pool(Map.of(FIRST, OLD)), endpoint("old", FIRST));

        var decision = PoolCollector.releaseTraced(view, traced("old", new KnownEndpoint.Unreadable(), GONE));

        assertThat(decision.outcome()).isEqualTo(new PoolCollection.Left(List.of(CollectRule.ENDPOINT_UNREADABLE)));
        assertThat(decision.changes()).isEmpty();
    }

    @Test
    void endpointOfAnotherPodIsLeftToTheScan() {
        var view = view(pool(Map.of(FIRST, OLD)), endpoint("new", FIRST));

        var other = PoolCollector.releaseTraced(view, traced("old", known("new"), GONE));
        var none = PoolCollector.releaseTraced(
                view(pool(Map.of(FIRST, OLD))), traced("old", new KnownEndpoint.Absent(), GONE));

        assertThat(other.outcome()).isEqualTo(new PoolCollection.Left(List.of(CollectRule.ENDPOINT_CHANGED)));
        assertThat(none.outcome()).isEqualTo(new PoolCollection.Left(List.of(CollectRule.ENDPOINT_GONE)));
    }

    @Test
    void emptiedEndpointGoesWithItsPod() {
        var view = view(pool(Map.of()), endpoint("old"));

        var decision = PoolCollector.releaseTraced(view, traced("old", known("old"), GONE));

        assertThat(decision.changes()).containsExactly(new PoolChange.DropEndpoint(KEY));
    }

    // ---- endpoints without records ----

    @Test
    @DisplayName("C119: an endpoint without any record is deleted, if its pools exist and its pod is not alive")
    void endpointWithoutRecordsIsDeleted() {
        var outdated = view(pool(Map.of()), endpoint("old", FIRST));
        var recorded = view(pool(Map.of(SECOND, new PoolRecord("ns1/a", "older"))), endpoint("old", FIRST));
        var lost = PoolView.whole(List.of(), RangeSet.EMPTY, List.of(endpoint("old", FIRST)));

        assertThat(PoolCollector.deleteOutdated(outdated, KEY, "old", GONE).changes())
                .containsExactly(new PoolChange.DropEndpoint(KEY));
        assertThat(PoolCollector.deleteOutdated(outdated, KEY, "old", living("old"))
                        .changes())
                .isEmpty();
        assertThat(PoolCollector.deleteOutdated(outdated, KEY, "other", GONE).changes())
                .isEmpty();
        assertThat(PoolCollector.deleteOutdated(recorded, KEY, "old", GONE).outcome())
                .isEqualTo(new PoolCollection.Left(List.of(CollectRule.ENDPOINT_WITH_RECORDS)));
        assertThat(PoolCollector.deleteOutdated(lost, KEY, "old", GONE).outcome())
                .isEqualTo(new PoolCollection.Left(List.of(CollectRule.ENDPOINT_OF_LOST_POOL)));
    }

    // ---- by force ----

    @Test
    void forceReleasesAllOfAnEndpointThatHasTheAddress() {
        var view = view(pool(Map.of(FIRST, OLD, SECOND, OLD)), endpoint("old", FIRST, SECOND));

        var decision = PoolCollector.force(view, "p", FIRST, KEY, OLD);

        assertThat(decision.outcome()).isEqualTo(new PoolCollection.Collected(List.of(FIRST, SECOND), List.of()));
        assertThat(decision.changes().getFirst())
                .isEqualTo(new PoolChange.PutEndpoint(
                        new PodEndpoint(KEY, "old", "n1", List.of(), new TopController("", "Deployment", "web"))));
    }

    @Test
    void forceLeavesNoEndpointOfAnotherUidThatHasTheAddress() {
        var view = view(pool(Map.of(FIRST, OLD)), endpoint("new", FIRST));

        var decision = PoolCollector.force(view, "p", FIRST, KEY, OLD);

        assertThat(decision.outcome()).isEqualTo(new PoolCollection.Collected(List.of(FIRST), List.of()));
        assertThat(decision.changes()).hasSize(2);
    }

    @Test
    void forceReleasesOnlyTheRecordThatWasMeant() {
        var other = view(pool(Map.of(FIRST, new PoolRecord("ns1/a", "new"))));
        var unnamed = new PoolRecord("dirty", "u9");
        var leaked = view(pool(Map.of(FIRST, unnamed)));

        assertThat(PoolCollector.force(other, "p", FIRST, KEY, OLD).outcome())
                .isEqualTo(new PoolCollection.Left(List.of(CollectRule.RECORD_CHANGED)));
        assertThat(PoolCollector.force(leaked, "p", FIRST, new PodKey("", "dirty"), unnamed)
                        .changes())
                .containsExactly(new PoolChange.Free("p", FIRST, unnamed, NicPlace.UNKNOWN));
    }
}
