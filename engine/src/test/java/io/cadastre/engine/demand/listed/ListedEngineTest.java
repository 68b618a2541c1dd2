package io.cadastre.engine.demand.listed;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Address;
import io.cadastre.address.Family;
import io.cadastre.address.Range;
import io.cadastre.engine.Decision;
import io.cadastre.engine.Holding;
import io.cadastre.engine.Survey;
import io.cadastre.engine.demand.listed.ListedChange.Assign;
import io.cadastre.engine.demand.listed.ListedEngine.OwnUse;
import io.cadastre.engine.demand.listed.ListedOutcome.Given;
import io.cadastre.engine.demand.listed.ListedOutcome.Refused;
import io.cadastre.engine.demand.listed.ListedView.Source;
import java.util.ArrayList;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ListedEngineTest {

    private static final Address A = Address.parse("10.0.0.1");
    private static final Address B = Address.parse("10.0.0.2");
    private static final Address SIX = Address.parse("fd00::1");

    private final TreeMap<Address, ListedAddress> listed = new TreeMap<>();

    private ListedEngineTest list(Address address, String owner) {
        listed.put(address, new ListedAddress(owner, "eni-1"));
        return this;
    }

    private ListedView of(Source source) {
        return ListedView.of(source, listed);
    }

    private static ListedView after(ListedView view, Decision<ListedChange, ListedOutcome> decision) {
        var after = view;
        for (var change : decision.changes()) {
            after = after.with(change);
        }
        return after;
    }

    private static String refusal(Decision<ListedChange, ListedOutcome> decision) {
        assertThat(decision.changes()).isEmpty();
        return ((Refused) decision.outcome()).fault().sentence();
    }

    @ParameterizedTest
    @CsvSource({"10,8,ROUTER,10", "0,8,ROUTER,8", "0,0,ROUTER_AND_HEALTH,2", "0,0,ROUTER,1"})
    void ci25AnAgentStartsWithAFewAddresses(int min, int pre, OwnUse use, int required) {
        assertThat(ListedEngine.required(min, pre, use)).isEqualTo(required);
    }

    @Test
    void ci26WhatIsUsedHasItsOwnerAndItsInterface() {
        var view = list(A, "").list(B, "").of(Source.CRD);

        var used = after(view, ListedEngine.next(view, "default/web-0", Family.IPV4));

        assertThat(used.used()).containsOnlyKeys(A).containsEntry(A, new ListedAddress("default/web-0", "eni-1"));
    }

    @Test
    void ci27AnAddressThatLeavesTheListStaysWithItsPodAndIsNotGivenAgain() {
        var view = list(A, "").of(Source.CRD);
        var used = after(view, ListedEngine.next(view, "default/web-0", Family.IPV4));

        var unlisted = used.withListed(new TreeMap<>());
        var freed = after(unlisted, ListedEngine.free(unlisted, A));

        assertThat(unlisted.used()).containsOnlyKeys(A);
        assertThat(freed.used()).isEmpty();
        assertThat(ListedEngine.next(freed, "default/web-1", Family.IPV4).outcome())
                .isInstanceOf(Refused.class);
    }

    @Test
    void ci28AnAddressWithAnOwnerIsForThatPodAlone() {
        var view = list(A, "default/db-0").list(B, "").of(Source.CRD);

        var other = ListedEngine.next(view, "default/web-0", Family.IPV4);
        var owner = ListedEngine.next(view, "default/db-0", Family.IPV4);
        var again = ListedEngine.next(after(view, owner), "default/db-0", Family.IPV4);

        assertThat(((Given) other.outcome()).address()).isEqualTo(B);
        assertThat(((Given) owner.outcome()).address()).isEqualTo(A);
        assertThat(again.outcome()).isEqualTo(owner.outcome());
        assertThat(again.changes()).isEmpty();
    }

    /// Upstream gives it twice (W14).
    @Test
    void ci28AnAddressThatAnotherPodHasIsNotGivenToItsOwner() {
        var before = list(A, "").of(Source.CRD);
        var used = after(before, ListedEngine.next(before, "default/web-0", Family.IPV4));

        var view = used.withListed(
                list(A, "default/db-0").list(B, "").of(Source.CRD).listed());

        assertThat(((Given) ListedEngine.next(view, "default/db-0", Family.IPV4).outcome()).address())
                .isEqualTo(B);
    }

    @Test
    void ci28InACloudAnAddressWithAnOwnerIsGivenToNoPod() {
        var view = list(A, "default/db-0").of(Source.CLOUD);

        assertThat(ListedEngine.next(view, "default/db-0", Family.IPV4).outcome())
                .isInstanceOf(Refused.class);
    }

    @Test
    void ci29WithoutAFreeAddressTheErrorTellsWhoAddsOne() {
        assertThat(refusal(ListedEngine.next(of(Source.CRD), "a/b", Family.IPV4)))
                .isEqualTo("no IPs currently available on the node, allocation will be retried once IPs are added to"
                        + " CiliumNode spec.ipam.pool");
        assertThat(refusal(ListedEngine.next(list(SIX, "").of(Source.CLOUD), "a/b", Family.IPV4)))
                .isEqualTo("no IPs currently available on the node, allocation will be retried once Cilium Operator"
                        + " allocates more IPs");
    }

    @Test
    void ci30AnAddressThatIsAboutToBeReleasedIsNotGiven() {
        var leaving = new TreeSet<Address>();
        leaving.add(A);
        var view = list(A, "").of(Source.CLOUD).withLeaving(leaving);

        assertThat(ListedEngine.next(view, "a/b", Family.IPV4).outcome()).isInstanceOf(Refused.class);
        assertThat(refusal(ListedEngine.take(view, A, "a/b")))
                .isEqualTo("IP not available, marked or ready for release");
    }

    @Test
    void anAddressThatIsAskedForIsGivenOrTheErrorSaysWhyNot() {
        var empty = of(Source.CRD);
        var view = list(A, "").of(Source.CRD);
        var used = after(view, ListedEngine.take(view, A, "a/b"));

        assertThat(refusal(ListedEngine.take(used, A, "a/c"))).isEqualTo("IP already in use");
        assertThat(refusal(ListedEngine.take(view, B, "a/c"))).isEqualTo("IP 10.0.0.2 is not available");
        assertThat(refusal(ListedEngine.take(empty, A, "a/c"))).isEqualTo("No IPs available");
        assertThat(refusal(ListedEngine.take(view.absent(), A, "a/c")))
                .isEqualTo("CiliumNode for own node is not available");
        assertThat(refusal(ListedEngine.free(view, B))).isEqualTo("IP 10.0.0.2 is not allocated");
    }

    @Test
    void withoutItsObjectANodeGivesNothingAndPodsKeepWhatTheyHave() {
        var view = list(A, "").list(B, "").of(Source.CRD);
        var used = after(view, ListedEngine.next(view, "a/b", Family.IPV4)).absent();

        assertThat(used.used()).containsOnlyKeys(A);
        assertThat(refusal(ListedEngine.next(used, "a/c", Family.IPV4)))
                .isEqualTo("CiliumNode for own node is not available");
    }

    @Test
    void anAddressOfACloudNeedsItsInterface() {
        var view = list(A, "").of(Source.CLOUD).withInterfaces(new TreeSet<>());

        assertThat(refusal(ListedEngine.take(view, A, "a/b")))
                .isEqualTo("failed to associate IP 10.0.0.1 inside CiliumNode: unable to find ENI eni-1");
    }

    @Test
    void theSurveyAcceptsTheMapAfterEachChange() {
        for (long seed = 1; seed <= 200; seed++) {
            var random = new Random(seed);
            var view = ListedView.of(Source.CRD, new TreeMap<>());
            for (int step = 0; step < 100; step++) {
                var address = Address.ipv4(0x0a000000 + random.nextInt(6));
                var owner = "ns/p" + random.nextInt(4);
                var more = new TreeMap<>(view.listed());
                switch (random.nextInt(5)) {
                    case 0 -> {
                        more.put(address, new ListedAddress(random.nextBoolean() ? owner : "", "eni-1"));
                        view = view.withListed(more);
                    }
                    case 1 -> {
                        more.remove(address);
                        view = view.withListed(more);
                    }
                    case 2 -> view = after(view, ListedEngine.free(view, address));
                    case 3 -> view = after(view, ListedEngine.take(view, address, owner));
                    default -> {
                        var decision = ListedEngine.next(view, owner, Family.IPV4);
                        for (var change : decision.changes()) {
                            assertThat(view.used()).as("seed %d", seed).doesNotContainKey(((Assign) change).address());
                        }
                        view = after(view, decision);
                    }
                }
                var holdings = new ArrayList<>(ListedHoldings.of("n1", view));
                holdings.add(new Holding(Range.parse("10.0.0.0/8"), Holding.Level.POOL, "all", Holding.State.HELD));

                assertThat(Survey.of(holdings))
                        .as("seed %d, step %d", seed, step)
                        .isEmpty();
            }
        }
    }
}
