package io.cadastre.controller.election;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cadastre.controller.ManualTime;
import io.cadastre.controller.election.LeaderElector.Leadership;
import io.cadastre.controller.election.LeaderElector.Leadership.Leading;
import io.cadastre.controller.election.LeaderElector.Leadership.Waiting;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.ForwardingDatastore;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.wire.json.UnreadableDocumentException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ElectionTest {

    private static final String KEY = "/cadastre/apis/coordination.k8s.io/v1/leases/kube-system/cadastre-controller";

    private final MemoryDatastore store = new MemoryDatastore();
    private final ManualTime time = new ManualTime();

    private ElectionSettings settings(String identity) {
        return ElectionSettings.of("kube-system", "cadastre-controller", identity);
    }

    private LeaderElector elector(String identity) {
        return elector(identity, store);
    }

    private LeaderElector elector(String identity, Datastore seen) {
        return new LeaderElector(seen, settings(identity), time, time);
    }

    private static LeaderTerm term(Leadership standing) {
        assertThat(standing).isInstanceOf(Leading.class);
        return ((Leading) standing).term();
    }

    private FencedDatastore fenced(LeaderTerm term, String identity) {
        return new FencedDatastore(store, term::valid, identity, term.othersEndedNanos());
    }

    private static List<Write> anything(String key) {
        return List.of(new Write.Create(key, Bytes.ofUtf8("{}")));
    }

    private void pass(long seconds) {
        time.pass(Duration.ofSeconds(seconds));
    }

    @Test
    void theFirstOneIsElectedAndWritesALeaseOfKubernetes() {
        var standing = elector("a").attempt();

        assertThat(term(standing).valid()).isTrue();
        assertThat(store.get(KEY).orElseThrow().value().utf8()).isEqualTo("""
            {"apiVersion":"coordination.k8s.io/v1","kind":"Lease",\
            "metadata":{"name":"cadastre-controller","namespace":"kube-system"},\
            "spec":{"holderIdentity":"a","leaseDurationSeconds":15,\
            "acquireTime":"2026-01-02T03:04:05.600000Z",\
            "renewTime":"2026-01-02T03:04:05.600000Z","leaseTransitions":0}}\
            """);
    }

    @Test
    void aSecondOneWaitsWhileTheFirstRenews() {
        var first = elector("a");
        var second = elector("b");
        var term = term(first.attempt());

        for (int turn = 0; turn < 30; turn++) {
            pass(2);
            assertThat(term(first.attempt())).isSameAs(term);
            assertThat(second.attempt()).isEqualTo(new Waiting("a"));
        }

        assertThat(term.valid()).isTrue();
        assertThat(store.get(KEY).orElseThrow().value().utf8())
                .contains("\"acquireTime\":\"2026-01-02T03:04:05.600000Z\"")
                .contains("\"renewTime\":\"2026-01-02T03:05:05.600000Z\"");
    }

    @Test
    void anotherTakesOverWhenTheLeaseDidNotChangeForItsDuration() {
        term(elector("a").attempt());
        var second = elector("b");
        second.attempt();

        pass(15);
        var early = second.attempt();
        time.pass(Duration.ofNanos(1));
        var late = second.attempt();

        assertThat(early).isEqualTo(new Waiting("a"));
        assertThat(term(late).valid()).isTrue();
        assertThat(store.get(KEY).orElseThrow().value().utf8())
                .contains("\"holderIdentity\":\"b\"")
                .contains("\"leaseTransitions\":1");
    }

    @Test
    void whatCountsIsHowLongTheLeaseWasObservedAndNotWhatItSays() {
        term(elector("a").attempt());
        pass(3600);
        var second = elector("b");

        var first = second.attempt();
        time.set(Instant.parse("2030-01-01T00:00:00Z"));
        var later = second.attempt();

        assertThat(first).isEqualTo(new Waiting("a"));
        assertThat(later).isEqualTo(new Waiting("a"));
    }

    @Test
    void aLongerLeaseOfAnotherIsRespected() {
        var patient = new ElectionSettings(
                "kube-system",
                "cadastre-controller",
                "a",
                Duration.ofSeconds(60),
                Duration.ofSeconds(40),
                Duration.ofSeconds(5));
        new LeaderElector(store, patient, time, time).attempt();
        var second = elector("b");
        second.attempt();

        pass(59);
        var early = second.attempt();
        pass(2);
        var late = second.attempt();

        assertThat(early).isEqualTo(new Waiting("a"));
        assertThat(late).isInstanceOf(Leading.class);
    }

    /// The old one stops writing five seconds before the new one can begin.
    @Test
    void aLeaderThatWasStoppedWritesNothingWhenItGoesOn() {
        var first = elector("a");
        var second = elector("b");
        var old = fenced(term(first.attempt()), "a");
        second.attempt();
        old.commit(anything("/before"));

        pass(16);
        var taken = fenced(term(second.attempt()), "b");
        taken.commit(anything("/after"));

        assertThatThrownBy(() -> old.commit(anything("/stale")))
                .isInstanceOf(LeadershipLostException.class)
                .hasMessage("a did not renew its lease in time and no longer writes");
        assertThat(first.attempt()).isEqualTo(new Waiting("b"));
        assertThat(store.get("/stale")).isEmpty();
        assertThat(old.get("/after")).isPresent();
    }

    @Test
    void aTermThatEndedNeverBeginsAgain() {
        var first = elector("a");
        var old = term(first.attempt());

        pass(10);
        var again = term(first.attempt());

        assertThat(again).isNotSameAs(old);
        assertThat(again.valid()).isTrue();
        assertThatThrownBy(() -> fenced(old, "a").commit(anything("/stale")))
                .isInstanceOf(LeadershipLostException.class);
    }

    @Test
    void aTermEndsWithItsDeadlineEvenIfNoOtherProcessTookOver() {
        var term = term(elector("a").attempt());

        time.pass(Duration.ofSeconds(10).minusNanos(1));
        boolean before = term.valid();
        time.pass(Duration.ofNanos(1));
        boolean after = term.valid();

        assertThat(before).isTrue();
        assertThat(after).isFalse();
    }

    /// The monotonic clock of Linux stands still while a machine is suspended.
    @Test
    void aMachineThatSleptEndsTheTerm() {
        var term = term(elector("a").attempt());

        time.sleep(Duration.ofSeconds(10));

        assertThat(term.valid()).isFalse();
    }

    @Test
    void whoResignsIsFollowedAtTheNextLook() {
        var first = elector("a");
        var second = elector("b");
        var old = fenced(term(first.attempt()), "a");
        second.attempt();
        pass(2);

        first.endTerm();
        first.vacate();
        var standing = second.attempt();

        assertThat(standing).isInstanceOf(Leading.class);
        assertThatThrownBy(() -> old.commit(anything("/stale"))).isInstanceOf(LeadershipLostException.class);
    }

    @Test
    void aVacantLeaseHasNoHolder() {
        var first = elector("a");
        first.attempt();
        pass(1);

        first.endTerm();
        first.vacate();

        assertThat(store.get(KEY).orElseThrow().value().utf8())
                .contains("\"holderIdentity\":\"\",\"leaseDurationSeconds\":1")
                .contains("\"leaseTransitions\":0");
    }

    @Test
    void whoDoesNotHoldTheOfficeVacatesNothing() {
        elector("a").attempt();
        var second = elector("b");
        second.attempt();
        var before = store.get(KEY);

        second.endTerm();
        second.vacate();

        assertThat(store.get(KEY)).isEqualTo(before);
    }

    @Test
    void twoOfTheSameNameAreTwo() {
        var first = elector("a");
        var second = elector("a");

        var elected = first.attempt();
        pass(2);
        var waiting = second.attempt();
        first.attempt();

        assertThat(elected).isInstanceOf(Leading.class);
        assertThat(waiting).isEqualTo(new Waiting("a"));
    }

    @Test
    void whatOthersWroteIntoTheLeaseStays() {
        store.commit(List.of(new Write.Create(KEY, Bytes.ofUtf8("""
            {"metadata":{"uid":"u1"},"spec":{"strategy":"OldestEmulationVersion"}}\
            """))));

        var standing = elector("a").attempt();

        assertThat(standing).isInstanceOf(Leading.class);
        assertThat(store.get(KEY).orElseThrow().value().utf8())
                .contains("\"uid\":\"u1\"")
                .contains("\"strategy\":\"OldestEmulationVersion\"")
                .contains("\"leaseTransitions\":1");
    }

    @Test
    void aLeaseThatCannotBeReadElectsNoLeader() {
        store.commit(List.of(new Write.Create(KEY, Bytes.ofUtf8("{\"spec\":{\"renewTime\":\"yesterday\"}}"))));

        assertThatThrownBy(() -> elector("a").attempt())
                .isInstanceOf(UnreadableDocumentException.class)
                .hasMessageContaining("renewTime is not a time");
    }

    @Test
    void aRenewalWhoseAnswerWasLostDoesNotEndTheTerm() {
        for (var moment : Moment.values()) {
            var lossy = new LossyStore(new MemoryDatastore());
            var first = elector("a", lossy);
            var term = term(first.attempt());
            pass(2);

            lossy.next = moment;
            var unsure = first.attempt();
            pass(2);
            var sure = first.attempt();

            assertThat(term(unsure)).isSameAs(term);
            assertThat(term(sure)).isSameAs(term);
            assertThat(term.valid()).isTrue();
        }
    }

    @Test
    void anElectionWhoseAnswerWasLostDoesNotCountYet() {
        var lossy = new LossyStore(store);
        var first = elector("a", lossy);

        lossy.next = Moment.AFTER;
        var unsure = first.attempt();
        var sure = first.attempt();

        assertThat(unsure).isEqualTo(new Waiting(""));
        assertThat(sure).isInstanceOf(Leading.class);
    }

    /// Many candidates, of which any may be stopped for any time between any two steps, and whose answers
    /// may be lost. A candidate that may write writes its name; no two may at the same moment.
    @Test
    void neverMayTwoWriteAtOnce() {
        for (int seed = 0; seed < 100; seed++) {
            var dice = new SplittableRandom(seed);
            var shared = new MemoryDatastore();
            var candidates = new ArrayList<LeaderElector>();
            var stores = new ArrayList<LossyStore>();
            for (int number = 0; number < 3; number++) {
                stores.add(new LossyStore(shared));
                // Two of them have the same name.
                candidates.add(elector(number == 0 ? "x" : "y", stores.get(number)));
            }
            var allTerms = new ArrayList<LeaderTerm>();
            int terms = 0;
            for (int step = 0; step < 200; step++) {
                time.pass(Duration.ofMillis(dice.nextInt(dice.nextInt(10) == 0 ? 20_000 : 1_500)));
                int number = dice.nextInt(candidates.size());
                if (dice.nextInt(8) == 0) {
                    stores.get(number).next = dice.nextBoolean() ? Moment.BEFORE : Moment.AFTER;
                }
                if (candidates.get(number).attempt() instanceof Leading(var term) && !allTerms.contains(term)) {
                    allTerms.add(term);
                    terms++;
                }
                assertThat(allTerms.stream().filter(LeaderTerm::valid).count())
                        .as("seed %d, step %d", seed, step)
                        .isLessThanOrEqualTo(1);
            }
            assertThat(terms).as("seed %d", seed).isPositive();
        }
    }

    private enum Moment {
        /// The commit is lost on its way there.
        BEFORE,
        /// The answer is lost on its way back.
        AFTER
    }

    /// Loses one answer on demand.
    private static final class LossyStore implements ForwardingDatastore {

        private final Datastore store;
        private @org.jspecify.annotations.Nullable Moment next;

        LossyStore(Datastore store) {
            this.store = store;
        }

        @Override
        public Datastore store() {
            return store;
        }

        @Override
        public Commit commit(List<Write> writes) {
            var moment = next;
            next = null;
            if (moment == Moment.BEFORE) {
                return new Commit.Unknown("lost on its way there");
            }
            var commit = store.commit(writes);
            return moment == Moment.AFTER ? new Commit.Unknown("lost on its way back") : commit;
        }

        @Override
        public void close() {}
    }

    private void deleteLease() {
        store.commit(List.of(new Write.Delete(KEY, store.get(KEY).orElseThrow().revision())));
    }

    private void takeHolderOutOfLease() {
        var lease = store.get(KEY).orElseThrow();
        var cleared = lease.value().utf8().replace("\"holderIdentity\":\"a\"", "\"holderIdentity\":\"\"");
        store.commit(List.of(new Write.Update(KEY, Bytes.ofUtf8(cleared), lease.revision())));
    }

    @Test
    void deletedLeaseIsTakenWhenItsHolderCannotLeadAnyMore() {
        var first = elector("a");
        var second = elector("b");
        var old = term(first.attempt());
        second.attempt();
        deleteLease();

        pass(1);
        var atOnce = second.attempt();
        boolean oldLed = old.valid();
        long seen = time.nanos();
        pass(15);
        var early = second.attempt();
        time.pass(Duration.ofNanos(1));
        var late = second.attempt();

        assertThat(oldLed).isTrue();
        assertThat(atOnce).isEqualTo(new Waiting(""));
        assertThat(early).isEqualTo(new Waiting(""));
        assertThat(old.valid()).isFalse();
        assertThat(term(late).othersEndedNanos())
                .isEqualTo(seen + Duration.ofSeconds(15).toNanos());
    }

    @Test
    void leaseWhoseHolderWasTakenOutIsTakenWhenThatCannotLeadAnyMore() {
        var first = elector("a");
        var old = term(first.attempt());
        takeHolderOutOfLease();
        var second = elector("b");

        pass(1);
        var atOnce = second.attempt();
        boolean oldLed = old.valid();
        long seen = time.nanos();
        pass(15);
        time.pass(Duration.ofNanos(1));
        var late = second.attempt();

        assertThat(oldLed).isTrue();
        assertThat(atOnce).isEqualTo(new Waiting(""));
        assertThat(term(late).othersEndedNanos())
                .isEqualTo(seen + Duration.ofSeconds(15).toNanos());
    }

    @Test
    void longerLeaseThatIsDeletedIsWaitedFor() {
        var patient = new ElectionSettings(
                "kube-system",
                "cadastre-controller",
                "a",
                Duration.ofSeconds(60),
                Duration.ofSeconds(40),
                Duration.ofSeconds(5));
        var old = term(new LeaderElector(store, patient, time, time).attempt());
        var second = elector("b");
        second.attempt();
        deleteLease();
        second.attempt();

        pass(39);

        assertThat(old.valid()).isTrue();
        assertThat(second.attempt()).isEqualTo(new Waiting(""));
    }

    @Test
    void holderOfALeaseThatIsDeletedOrClearedTakesItAgainAtItsNextLook() {
        var first = elector("a");
        var second = elector("b");
        var old = term(first.attempt());
        second.attempt();
        deleteLease();
        pass(2);
        second.attempt();
        var again = term(first.attempt());
        takeHolderOutOfLease();
        pass(2);
        second.attempt();

        assertThat(term(first.attempt()).valid()).isTrue();
        assertThat(old.valid()).isFalse();
        assertThat(again.valid()).isFalse();
        assertThat(second.attempt()).isEqualTo(new Waiting("a"));
    }

    /// It may have been taken and deleted while the elector did not look.
    @Test
    void ownLeaseThatVanishedAfterTheTermIsWaitedFor() {
        var first = elector("a");
        var second = elector("b");
        term(first.attempt());
        second.attempt();
        pass(16);
        term(second.attempt());
        deleteLease();

        assertThat(first.attempt()).isEqualTo(new Waiting(""));
    }

    @Test
    void termTellsByWhenTheLeaseOfTheLeaderBeforeHadExpired() {
        var first = elector("a");
        var second = elector("b");
        var _ = first.attempt();
        pass(3);
        long seen = time.nanos();
        var _ = second.attempt();
        pass(16);

        var term = term(second.attempt());

        assertThat(term.othersEndedNanos())
                .isEqualTo(seen + Duration.ofSeconds(15).toNanos());
    }

    @Test
    void termAfterALeaseThatWasLeftTellsWhenThatWasSeen() {
        var first = elector("a");
        var second = elector("b");
        var _ = first.attempt();
        first.endTerm();
        first.vacate();
        pass(3);
        second.observe();
        long seen = time.nanos();
        pass(3);

        assertThat(term(second.attempt()).othersEndedNanos()).isEqualTo(seen);
    }

    @Test
    void termAfterALeaseThatWasLeftAMomentAgoBeginsAfterIt() {
        var first = elector("a");
        var second = elector("b");
        var _ = first.attempt();
        second.observe();
        pass(3);
        first.endTerm();
        first.vacate();

        assertThat(term(second.attempt()).othersEndedNanos()).isEqualTo(time.nanos());
    }

    @Test
    void termWithoutALeaseBeforeTellsWhenThatWasSeen() {
        var first = elector("a");
        first.observe();
        long seen = time.nanos();
        pass(3);

        assertThat(term(first.attempt()).othersEndedNanos()).isEqualTo(seen);
    }
}
