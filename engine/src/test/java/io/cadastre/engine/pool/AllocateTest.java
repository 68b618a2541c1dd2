package io.cadastre.engine.pool;

import static io.cadastre.engine.pool.PoolBuilder.aPool;
import static io.cadastre.engine.pool.RequestBuilder.aPod;
import static io.cadastre.engine.pool.RequestBuilder.item;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.cadastre.address.Address;
import io.cadastre.address.RangeSet;
import io.cadastre.engine.Missing;
import io.cadastre.engine.NotReadException;
import io.cadastre.engine.pool.Nic.GatewayUse;
import io.cadastre.engine.pool.PodInfo.Life;
import io.cadastre.engine.pool.PoolAllocation.Allocated;
import io.cadastre.engine.pool.PoolChange.Bar;
import io.cadastre.engine.pool.PoolChange.Confirm;
import io.cadastre.engine.pool.PoolChange.Free;
import io.cadastre.engine.pool.PoolChange.PutEndpoint;
import io.cadastre.engine.pool.PoolChange.Take;
import io.cadastre.engine.pool.PoolReason.AlreadyServed;
import io.cadastre.engine.pool.PoolReason.Chose;
import io.cadastre.engine.pool.PoolReason.NotKeptForSuccessor;
import io.cadastre.engine.pool.PoolReason.Recorded;
import io.cadastre.engine.pool.PoolReason.Replaced;
import io.cadastre.engine.pool.PoolReason.RouteDropped;
import io.cadastre.engine.pool.PoolRefusal.DeadPod;
import io.cadastre.engine.pool.PoolRefusal.NoNicLeft;
import io.cadastre.engine.pool.PoolRefusal.NoUid;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Which address a pod gets.
class AllocateTest {

    private static final PodKey A = new PodKey("default", "a");

    private static PoolBuilder pool() {
        return aPool("p", "172.18.40.0/24", "172.18.40.40-172.18.40.44");
    }

    private static Address address(String text) {
        return Address.parse(text);
    }

    private static NicAddress taken(String text, int length, String pool) {
        return new NicAddress(address(text), length, pool, Optional.empty());
    }

    private static List<String> names(PodEndpoint endpoint) {
        return endpoint.nics().stream().map(Nic::name).toList();
    }

    @Test
    @DisplayName("C50: the lowest address is given, with the default route by the gateway")
    void lowestAddressIsGiven() {
        var cluster = PoolCluster.of(pool().gateway("172.18.40.1"));

        var decision = cluster.allocate(aPod("a", "u1").wanting("p"));

        var nic = new Nic(
                "eth0",
                Optional.of(new NicAddress(address("172.18.40.40"), 24, "p", Optional.of(address("172.18.40.1")))),
                Optional.empty(),
                Optional.of(GatewayUse.DEFAULT_ROUTE),
                List.of());
        assertThat(decision.outcome()).isEqualTo(new Allocated(List.of(nic)));
        assertThat(nic.allRoutes()).containsExactly(new PodRoute("0.0.0.0/0", "172.18.40.1"));
        assertThat(decision.changes())
                .containsExactly(
                        new Take(
                                "p",
                                address("172.18.40.40"),
                                new PoolRecord("default/a", "u1"),
                                new NicPlace("n1", "eth0")),
                        new PutEndpoint(
                                new PodEndpoint(A, "u1", "n1", List.of(nic), new TopController("v1", "Pod", "a"))));
        assertThat(decision.because()).contains(new Chose(address("172.18.40.40"), "p", "eth0"));
    }

    @Test
    @DisplayName("C51: what is reserved or excluded is passed over")
    void reservedAndExcludedAddressesArePassedOver() {
        var cluster = PoolCluster.of(pool().excluding("172.18.40.41")).reserving("172.18.40.40");

        var given = cluster.given(aPod("a", "u1").wanting("p"));

        assertThat(given).containsExactly("172.18.40.42/24");
        assertThat(IpText.count(cluster.pool("p").spec().effective())).isEqualTo(4);
    }

    @Test
    @DisplayName("C52: once it is no longer reserved an address is given")
    void addressIsGivenOnceItIsNoLongerReserved() {
        var cluster = PoolCluster.of(aPool("p", "10.6.0.0/16", "10.6.168.131-10.6.168.133"))
                .reserving("10.6.168.131-10.6.168.132");

        var first = cluster.given(aPod("a", "u1").wanting("p"));
        var refusal = cluster.refusal(aPod("b", "u2").wanting("p"));
        var second = cluster.reserving().given(aPod("b", "u2").wanting("p"));

        assertThat(first).containsExactly("10.6.168.133/16");
        assertThat(refusal.sentence()).contains("all IP addresses used out");
        assertThat(second).containsExactly("10.6.168.131/16");
    }

    @Test
    void rangesAreUsedUpInTheirStoredOrder() {
        var cluster = PoolCluster.of(aPool("p", "10.6.0.0/16", "10.6.0.9", "10.6.0.1-10.6.0.2"));
        var given = new ArrayList<String>();

        for (int pod = 1; pod <= 3; pod++) {
            given.addAll(cluster.given(aPod("x" + pod, "u" + pod).wanting("p")));
        }

        assertThat(given).containsExactly("10.6.0.9/16", "10.6.0.1/16", "10.6.0.2/16");
    }

    @Test
    @DisplayName("C06: a pool of more addresses than a long counts gives its first two")
    void hugePoolGivesItsFirstAddresses() {
        var cluster = PoolCluster.of(
                aPool("p", "fd12:3456:789a::/48", "fd12:3456:789a:baba::1-fd12:3456:789a:ffff:ffff:ffff:ffff:ffff")
                        .excluding("fd12:3456:789a:baba::1-fd12:3456:789a:baba::10"));
        var names = new PoolNames(List.of(), List.of("p"));

        var one = cluster.given(aPod("a", "u1").wanting(names));
        var two = cluster.given(aPod("b", "u2").wanting(names));

        assertThat(one).containsExactly("fd12:3456:789a:baba::11/48");
        assertThat(two).containsExactly("fd12:3456:789a:baba::12/48");
        assertThat(IpText.count(cluster.pool("p").spec().effective())).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void lastAddressOfTheFamilyCanBeGiven() {
        var cluster = PoolCluster.of(aPool("p", "255.255.255.0/24", "255.255.255.254-255.255.255.255")
                .excluding("255.255.255.254"));

        var given = cluster.given(aPod("a", "u1").wanting("p"));
        var refusal = cluster.refusal(aPod("b", "u2").wanting("p"));

        assertThat(given).containsExactly("255.255.255.255/24");
        assertThat(refusal.sentence()).contains("used out");
    }

    @Test
    @DisplayName("C53: a pod whose record is there and whose endpoint is not gets the same address")
    void recordWithoutAnEndpointIsTakenUp() {
        var cluster = PoolCluster.of(pool().holding("172.18.40.43", "default/a", "u1"));

        var decision = cluster.allocate(aPod("a", "u1").wanting("p"));

        assertThat(cluster.endpoint("default", "a").nics().getFirst().ipv4()).contains(taken("172.18.40.43", 24, "p"));
        assertThat(cluster.pool("p").records()).hasSize(1);
        assertThat(decision.changes())
                .containsExactly(
                        new Confirm("p", address("172.18.40.43"), new PoolRecord("default/a", "u1")),
                        new PutEndpoint(cluster.endpoint("default", "a")));
        assertThat(decision.changes())
                .allSatisfy(change -> assertThat(change.granted()).isEmpty());
        assertThat(decision.because()).contains(new Recorded(address("172.18.40.43"), "p"));
    }

    @Test
    void recordOfAnotherPodWithTheSameUidIsNotTakenUp() {
        var cluster = PoolCluster.of(pool().holding("172.18.40.40", "other/a", "u1"));

        var given = cluster.given(aPod("a", "u1").wanting("p"));

        assertThat(given).containsExactly("172.18.40.41/24");
    }

    @Test
    void ownRecordIsFoundInAPoolThatIsFull() {
        var cluster = PoolCluster.of(aPool("p", "10.6.0.0/16", "10.6.0.1").holding("10.6.0.1", "default/a", "u1"));

        var given = cluster.given(aPod("a", "u1").wanting("p"));

        assertThat(given).containsExactly("10.6.0.1/16");
    }

    @Test
    @DisplayName("C57: a pool has no more records than the limit")
    void poolHasNoMoreRecordsThanTheLimit() {
        var cluster = PoolCluster.of(pool().holding("172.18.40.40", "default/b", "u2"));
        var settings = new PoolSettings(PoolSettings.DEFAULT.families(), 1);

        var refusal = cluster.refusal(aPod("a", "u1").wanting("p").settings(settings));

        assertThat(refusal.sentence())
                .contains("all IP addresses used out, threshold of IP records(<=1) for IPPool p" + " exceeded");
    }

    @Test
    @DisplayName("C60: a pod that lacks an address for one interface takes none for the others")
    void allInterfacesOrNone() {
        var cluster =
                PoolCluster.of(aPool("a", "10.1.0.0/16", "10.1.0.1"), aPool("b", "10.2.0.0/16", "10.2.0.1-10.2.0.3"));
        var items = List.of(item("eth0", "a"), item("net1", "b"));

        var first = cluster.given(aPod("one", "u1").byPod(new PoolPreference.Several(items)));
        for (int attempt = 1; attempt <= 10; attempt++) {
            var refusal = cluster.refusal(aPod("two", "u2").byPod(new PoolPreference.Several(items)));
            assertThat(refusal.sentence()).contains("used out");
        }

        assertThat(first).containsExactly("10.1.0.1/16");
        assertThat(cluster.pool("a").records()).hasSize(1);
        assertThat(cluster.pool("b").records()).hasSize(1);
    }

    @Test
    void bothFamiliesOrNone() {
        var cluster = PoolCluster.of(pool(), aPool("six", "fd00::/64"));

        var refusal = cluster.refusal(aPod("a", "u1").wanting(new PoolNames(List.of("p"), List.of("six"))));

        assertThat(refusal.sentence())
                .contains("failed to allocate any IPv6 IP address to NIC eth0 from IPPools [six]");
        assertThat(cluster.pool("p").records()).isEmpty();
    }

    @Test
    @DisplayName("C61: a pool without a gateway gives no default route")
    void poolWithoutAGatewayGivesNoDefaultRoute() {
        var cluster = PoolCluster.of(pool());

        cluster.given(aPod("a", "u1").wanting("p"));

        var nic = cluster.endpoint("default", "a").nics().getFirst();
        assertThat(nic.allRoutes()).isEmpty();
        assertThat(nic.gatewayUse()).isEmpty();
    }

    @Test
    @DisplayName("C62: a clean gateway is reported and leads nowhere")
    void cleanGatewayMakesNoDefaultRoute() {
        var cluster = PoolCluster.of(pool().gateway("172.18.40.1"));
        var item = new PoolPreference.Item("eth0", new PoolNames(List.of("p"), List.of()), GatewayUse.CLEAN);

        cluster.given(aPod("a", "u1").wantingEach(item));

        var nic = cluster.endpoint("default", "a").nics().getFirst();
        assertThat(nic.ipv4().flatMap(NicAddress::gateway)).contains(address("172.18.40.1"));
        assertThat(nic.allRoutes()).isEmpty();
        assertThat(nic.gatewayUse()).contains(GatewayUse.CLEAN);
    }

    @Test
    void configurationSaysHowGatewaysAreUsedUnlessTheItemDoes() {
        var cluster = PoolCluster.of(pool().gateway("172.18.40.1"));

        cluster.given(aPod("a", "u1").wanting("p").cleanly());
        cluster.given(aPod("b", "u2").wantingEach(item("eth0", "p")).cleanly());

        assertThat(cluster.endpoint("default", "a").nics().getFirst().gatewayUse())
                .contains(GatewayUse.CLEAN);
        assertThat(cluster.endpoint("default", "b").nics().getFirst().gatewayUse())
                .contains(GatewayUse.DEFAULT_ROUTE);
    }

    @Test
    @DisplayName("C63: the pod's routes go to the interface that reaches their gateway")
    void routesOfThePodGoToTheInterfaceThatReachesTheGateway() {
        var cluster = PoolCluster.of(pool().route("10.7.0.0/16", "172.18.40.2"), aPool("q", "10.2.0.0/16", "10.2.0.1"));
        var mine = new PodRoute("10.0.0.0/16", "172.18.40.1");
        var other = new PodRoute("10.1.0.0/16", "10.2.0.9");
        var lost = new PodRoute("10.3.0.0/16", "10.9.0.1");

        var decision = cluster.allocate(aPod("a", "u1")
                .wantingEach(item("eth0", "p"), item("net1", "q"))
                .routes(new RequestedRoutes.Listed(List.of(mine, other, lost))));

        var nics = cluster.endpoint("default", "a").nics();
        assertThat(nics.get(0).routes()).containsExactly(new PodRoute("10.7.0.0/16", "172.18.40.2"), mine);
        assertThat(nics.get(1).routes()).containsExactly(other);
        assertThat(decision.because()).contains(new RouteDropped(lost));
    }

    @Test
    void routesThatCannotBeReadRefuseBeforeAnythingIsTaken() {
        var cluster = PoolCluster.of(pool());

        var refusal = cluster.refusal(
                aPod("a", "u1").wanting("p").routes(new RequestedRoutes.Broken("wrong input, no routes")));

        assertThat(refusal.sentence()).contains("wrong input, no routes");
    }

    @Test
    @DisplayName("C64: a new gateway is for new pods")
    void newGatewayIsForNewPods() {
        var cluster = PoolCluster.of(pool().gateway("172.18.40.1"));
        cluster.given(aPod("a", "u1").wanting("p"));
        var before = cluster.endpoint("default", "a");

        cluster.replacing(pool().gateway("172.18.40.2").holding("172.18.40.40", "default/a", "u1"));
        cluster.given(aPod("b", "u2").wanting("p"));
        cluster.given(aPod("a", "u1").wanting("p"));

        assertThat(cluster.endpoint("default", "b").nics().getFirst().allRoutes())
                .containsExactly(new PodRoute("0.0.0.0/0", "172.18.40.2"));
        assertThat(cluster.endpoint("default", "a")).isEqualTo(before);
    }

    @Test
    @DisplayName("C65: interfaces without names are claimed one after the other")
    void unnamedInterfacesAreClaimedInTheirOrder() {
        var cluster = PoolCluster.of(pool(), aPool("q", "10.2.0.0/16", "10.2.0.1"));
        var asker = aPod("a", "u1").wantingEach(item("", "p"), item("", "q"));

        var eth0 = cluster.given(asker);
        var after = names(cluster.endpoint("default", "a"));
        var net1 = cluster.given(asker.forNic("net1"));

        assertThat(eth0).containsExactly("172.18.40.40/24");
        assertThat(after).containsExactly("eth0", "");
        assertThat(net1).containsExactly("10.2.0.1/16");
        assertThat(names(cluster.endpoint("default", "a"))).containsExactly("eth0", "net1");
        assertThat(cluster.pool("q").records()).hasSize(1);
    }

    @Test
    void interfaceThatComesFirstAndIsNotEth0ClaimsTheNextOne() {
        var cluster = PoolCluster.of(pool(), aPool("q", "10.2.0.0/16", "10.2.0.1"));
        var asker = aPod("a", "u1").wantingEach(item("", "p"), item("", "q")).forNic("net1");

        var net1 = cluster.given(asker);

        assertThat(net1).containsExactly("10.2.0.1/16");
        assertThat(names(cluster.endpoint("default", "a"))).containsExactly("eth0", "net1");
    }

    @Test
    void oneInterfaceMoreThanThereAreItemsIsRefused() {
        var cluster = PoolCluster.of(pool());
        var asker = aPod("a", "u1").wantingEach(item("", "p"));
        cluster.given(asker);

        var refusal = cluster.refusal(asker.forNic("net1"));

        assertThat(refusal).isEqualTo(new NoNicLeft("net1", 1));
    }

    @Test
    @DisplayName("C66: all interfaces that are listed by name are served at once")
    void namedInterfacesAreServedAtOnce() {
        var cluster = PoolCluster.of(pool(), aPool("q", "10.2.0.0/16", "10.2.0.1-10.2.0.9"));
        var asker = aPod("a", "u1").wantingEach(item("eth0", "p"), item("net1", "q"));
        cluster.allocate(asker);

        var second = cluster.allocate(asker.forNic("net1"));

        assertThat(names(cluster.endpoint("default", "a"))).containsExactly("eth0", "net1");
        assertThat(second.changes()).isEmpty();
        assertThat(second.because()).containsExactly(new AlreadyServed(A, "net1"));
    }

    @Test
    void interfacesThatAskOneByOneAreAppended() {
        var cluster = PoolCluster.of(pool(), aPool("q", "10.2.0.0/16", "10.2.0.1"));
        cluster.given(aPod("a", "u1").wanting("p"));

        var net1 = cluster.given(aPod("a", "u1").wanting("q").forNic("net1"));

        assertThat(net1).containsExactly("10.2.0.1/16");
        assertThat(names(cluster.endpoint("default", "a"))).containsExactly("eth0", "net1");
    }

    @Test
    void poolGivesOneAddressToAPod() {
        var cluster = PoolCluster.of(pool());

        var refusal = cluster.refusal(aPod("a", "u1").wantingEach(item("eth0", "p"), item("net1", "p")));

        assertThat(refusal.sentence()).contains("wrong input", "another NIC has");
    }

    @Test
    void secondInterfaceIsServedByThePoolThatTheFirstLeft() {
        var cluster = PoolCluster.of(pool(), aPool("q", "10.2.0.0/16", "10.2.0.1"));
        cluster.given(aPod("a", "u1").wanting("p", "q"));

        var net1 = cluster.given(aPod("a", "u1").wanting("p", "q").forNic("net1"));

        assertThat(net1).containsExactly("10.2.0.1/16");
    }

    @Test
    @DisplayName("C68: a dead pod gets nothing")
    void deadPodGetsNothing() {
        var cluster = PoolCluster.of(pool());

        var refusal = cluster.refusal(aPod("a", "u1").wanting("p").being(Life.DEAD));

        assertThat(refusal).isEqualTo(new DeadPod(A));
        assertThat(refusal.sentence()).contains("dead Pod default/a");
    }

    @ParameterizedTest
    @CsvSource({
        "false,Running,Always,'',ALIVE",
        "true,Running,Always,'',DEAD",
        "false,Pending,Never,'',ALIVE",
        "false,Succeeded,Always,'',ALIVE",
        "false,Succeeded,OnFailure,'',DEAD",
        "false,Succeeded,Never,'',DEAD",
        "false,Failed,Never,'',DEAD",
        "false,Failed,OnFailure,'',ALIVE",
        "false,Failed,Always,Evicted,DEAD",
        "false,Failed,Always,'',ALIVE"
    })
    void lifeOfAPodFollowsFromItsPhase(boolean deleting, String phase, String restartPolicy, String reason, Life life) {
        assertThat(Life.of(deleting, phase, restartPolicy, reason)).isEqualTo(life);
    }

    @Test
    void podWithoutAUidGetsNothing() {
        var cluster = PoolCluster.of(pool());

        var refusal = cluster.refusal(aPod("a", "").wanting("p"));

        assertThat(refusal).isEqualTo(new NoUid(A));
    }

    @Test
    @DisplayName("C70: a sandbox that is made anew gets the same address")
    void askingTwiceIsAskingOnce() {
        var cluster = PoolCluster.of(pool());
        var first = cluster.given(aPod("a", "u1").wanting("p"));
        cluster.release(A, "eth0", "u1", new PoolReleaseRequest.PodState.Alive());

        var second = cluster.allocate(aPod("a", "u1").wanting("p"));

        assertThat(first).containsExactly("172.18.40.40/24");
        assertThat(second.changes()).isEmpty();
        assertThat(second.outcome())
                .isEqualTo(new Allocated(cluster.endpoint("default", "a").nics()));
    }

    @Test
    void servedPodIsAnsweredWhateverBecameOfItsPool() {
        var cluster = PoolCluster.of(pool());
        cluster.given(aPod("a", "u1").wanting("p"));
        cluster.replacing(pool().disabled().terminating().holding("172.18.40.40", "default/a", "u1"));

        var again = cluster.given(aPod("a", "u1").wanting("p"));

        assertThat(again).containsExactly("172.18.40.40/24");
    }

    @Test
    @DisplayName("C71: an endpoint of an earlier pod is replaced and its record stays")
    void endpointOfAnEarlierPodIsReplaced() {
        var cluster = PoolCluster.of(pool());
        cluster.given(aPod("a", "u1").wanting("p"));

        var decision = cluster.allocate(aPod("a", "u2").wanting("p"));

        assertThat(cluster.endpoint("default", "a").uid()).isEqualTo("u2");
        assertThat(cluster.pool("p").records())
                .containsEntry(address("172.18.40.40"), new PoolRecord("default/a", "u1"))
                .containsEntry(address("172.18.40.41"), new PoolRecord("default/a", "u2"));
        assertThat(decision.because()).contains(new Replaced(A, "u1"));
    }

    @Test
    @DisplayName("C78: a pod of a StatefulSet is served like any other, and the reason says so")
    void podOfAStatefulSetIsServedLikeAnyOther() {
        var cluster = PoolCluster.of(pool());
        var set = new TopController("apps/v1", "StatefulSet", "s");
        cluster.given(aPod("s-0", "u1").wanting("p").of(set));

        var decision = cluster.allocate(aPod("s-0", "u2").wanting("p").of(set));

        assertThat(cluster.endpoint("default", "s-0").uid()).isEqualTo("u2");
        assertThat(decision.because()).contains(new NotKeptForSuccessor(new PodKey("default", "s-0"), "StatefulSet"));
    }

    @Test
    void damagedPoolIsFollowedByTheNext() {
        var cluster = PoolCluster.of(pool().damaged("invalid character"), aPool("q", "10.2.0.0/16", "10.2.0.1"));

        var given = cluster.given(aPod("a", "u1").wanting("p", "q"));
        var refusal = cluster.refusal(aPod("b", "u2").wanting("p"));

        assertThat(given).containsExactly("10.2.0.1/16");
        assertThat(refusal.sentence()).endsWith("invalid character");
    }

    @Test
    void addressThatWasOfNoUseToThePodIsPassedOver() {
        var cluster = PoolCluster.of(pool());

        var given = cluster.given(aPod("a", "u1").wanting("p").shunning("172.18.40.40"));
        var other = cluster.given(aPod("b", "u2").wanting("p"));

        assertThat(given).containsExactly("172.18.40.41/24");
        assertThat(other).containsExactly("172.18.40.40/24");
    }

    @Test
    void poolOfAnUnansweredAttemptIsRewrittenWhenTheRequestIsRefused() {
        var cluster = PoolCluster.of(aPool("p", "172.18.40.0/24", "172.18.40.40"));
        var asker = aPod("a", "u1").wanting("p");
        var attempt = PoolEngine.allocate(cluster.view(), asker.request());
        cluster.given(aPod("b", "u2").wanting("p"));

        var again = PoolEngine.allocate(cluster.view(), asker.request(), List.of(attempt));

        assertThat(again.outcome()).isInstanceOf(PoolAllocation.Refused.class);
        assertThat(again.changes()).containsExactly(new Bar("p"));
        assertThat(cluster.view().with(new Bar("p"))).isEqualTo(cluster.view());
    }

    /// It has changed since it gave something, and its records may be unreadable: rewriting would remove them.
    @Test
    void poolThatGivesNothingAnyMoreIsNotRewritten() {
        var cluster = PoolCluster.of(pool());
        var asker = aPod("a", "u1").wanting("p");
        var attempt = PoolEngine.allocate(cluster.view(), asker.request());

        for (var changed : List.of(pool().damaged("invalid character"), pool().terminating())) {
            var again = PoolEngine.allocate(PoolCluster.of(changed).view(), asker.request(), List.of(attempt));

            assertThat(again.outcome()).isInstanceOf(PoolAllocation.Refused.class);
            assertThat(again.changes()).isEmpty();
        }
    }

    @Test
    void poolThatTheNextDecisionWritesIsNotRewrittenBesides() {
        var cluster = PoolCluster.of(pool());
        var asker = aPod("a", "u1").wanting("p");
        var attempt = PoolEngine.allocate(cluster.view(), asker.request());

        var again = PoolEngine.allocate(cluster.view(), asker.request(), List.of(attempt));

        assertThat(again).isEqualTo(attempt);
    }

    @Test
    void attemptThatWasAppliedIsAnsweredAndNothingIsRewritten() {
        var cluster = PoolCluster.of(pool());
        var asker = aPod("a", "u1").wanting("p");
        var attempt = cluster.allocate(asker);

        var again = PoolEngine.allocate(cluster.view(), asker.request(), List.of(attempt));

        assertThat(again.outcome()).isEqualTo(attempt.outcome());
        assertThat(again.changes()).isEmpty();
    }

    @Test
    void onlyNeededDocumentsAreRead() {
        var asker = aPod("a", "u1").wanting("p");
        var read = new ArrayList<String>();
        var view = PoolView.UNREAD;

        for (int reading = 1; reading <= 5; reading++) {
            try {
                PoolEngine.allocate(view, asker.request());
                read.add("decided");
            } catch (NotReadException notRead) {
                read.add(notRead.missing().sentence());
                view = switch (notRead.missing()) {
                    case MissingPoolItem.OfEndpoint(var key) -> view.withEndpoint(key, Optional.empty());
                    case MissingPoolItem.OfPool(var name) -> view.withPool(name, Optional.of(pool().build()));
                    case MissingPoolItem.OfReservations _ -> view.withReserved(RangeSet.EMPTY);
                    case MissingPoolItem.OfRivals(var name) -> view.withRivals(name, List.of());
                    default -> throw notRead;
                };
            }
        }

        assertThat(read)
                .containsExactly(
                        "the endpoint of pod default/a has not been read",
                        "the reserved addresses have not been listed",
                        "pool p has not been read",
                        "pools that overlap pool p have not been looked for",
                        "decided");
    }

    @Test
    void endpointThatIsNotExpectedNeedNotBeReadUnlessItIsKeptForASuccessor() {
        var plain = aPod("a", "u1").wanting("p").request().expectingNoEndpoint();
        var kept = aPod("s-0", "u1").wanting("p").keeping().request().expectingNoEndpoint();

        var missingOfPlain = missing(plain);
        var missingOfKept = missing(kept);

        assertThat(missingOfPlain).isEqualTo(new MissingPoolItem.OfUnexpectedEndpoint(A));
        assertThat(missingOfKept).isEqualTo(new MissingPoolItem.OfEndpoint(new PodKey("default", "s-0")));
    }

    private static Missing missing(PoolAllocateRequest request) {
        return catchThrowableOfType(NotReadException.class, () -> PoolEngine.allocate(PoolView.UNREAD, request))
                .missing();
    }

    /// It did not know the endpoint of the pod, and a pool is tried first that had no address when the endpoint was
    /// written.
    @Test
    void whatAnAttemptTookThatThePodDoesNotNeedIsTakenBack() {
        var cluster = PoolCluster.of(
                aPool("a", "10.1.0.0/16", "10.1.0.1").holding("10.1.0.1", "default/other", "u9"),
                aPool("b", "10.2.0.0/16", "10.2.0.1"));
        var asker = aPod("a", "u1").wanting("a", "b");
        cluster.given(asker);
        cluster.replacing(aPool("a", "10.1.0.0/16", "10.1.0.1"));
        var mistaken = PoolEngine.allocate(cluster.view().withEndpoint(A, Optional.empty()), asker.request());
        var take = (Take) mistaken.changes().getFirst();
        var half = cluster.view().with(take);

        var again = PoolEngine.allocate(half, asker.request(), List.of(mistaken));

        assertThat(take.pool()).isEqualTo("a");
        assertThat(again.outcome())
                .isEqualTo(new Allocated(cluster.endpoint("default", "a").nics()));
        assertThat(again.changes()).containsExactly(new Free("a", take.address(), take.record(), take.place()));
    }
}
