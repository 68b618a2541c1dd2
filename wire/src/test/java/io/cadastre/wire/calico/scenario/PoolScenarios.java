package io.cadastre.wire.calico.scenario;

import static io.cadastre.wire.calico.scenario.Words.labels;
import static io.cadastre.wire.calico.scenario.Words.pool;
import static io.cadastre.wire.calico.scenario.Words.prefix;
import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.engine.Decision;
import io.cadastre.engine.block.AddressUse;
import io.cadastre.engine.block.Attribute;
import io.cadastre.engine.block.BlockChange;
import io.cadastre.engine.block.BlockEngine;
import io.cadastre.engine.block.BlockReason.PassedOverPool;
import io.cadastre.engine.block.BlockReason.PoolRule;
import io.cadastre.engine.block.BlockReason.TookPool;
import io.cadastre.engine.block.HostReserve;
import io.cadastre.engine.block.IpPool;
import io.cadastre.engine.block.Owner;
import io.cadastre.engine.block.assign.AssignRequest;
import io.cadastre.engine.block.assign.AssignRequest.Ask;
import io.cadastre.engine.block.assign.Assignment;
import io.cadastre.wire.calico.CalicoKeys;
import io.cadastre.wire.json.Json;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Which pools serve a request.
public abstract class PoolScenarios extends ScenarioContract {

    private static Decision<BlockChange, Assignment> choose(
            ScenarioCluster cluster, List<Prefix> requested, AddressUse use, SortedMap<String, String> namespace) {
        cluster.node("h", "foo", "bar");
        var ask = Ask.of(1).from(requested);
        var request = AssignRequest.on("h", use, cluster.now()).withNamespaceLabels(namespace);
        var pools = cluster.view().pools();
        var family = pools.isEmpty() ? Family.IPV4 : pools.getFirst().family();
        return cluster.explain(
                view -> BlockEngine.assign(view, family == Family.IPV4 ? request.ipv4(ask) : request.ipv6(ask)));
    }

    private static Decision<BlockChange, Assignment> choose(ScenarioCluster cluster, String... requested) {
        return choose(cluster, Arrays.stream(requested).map(Prefix::parse).toList(), AddressUse.WORKLOAD, labels());
    }

    /// The pools that may serve, in the order in which they do.
    private static List<String> names(Decision<BlockChange, Assignment> decision) {
        var names = new ArrayList<String>();
        for (var because : decision.because()) {
            if (because instanceof TookPool took) {
                names.add(took.pool());
            }
        }
        assertThat(decision.outcome().addresses()).hasSize(1);
        return names;
    }

    private static String refusal(Decision<BlockChange, Assignment> decision) {
        assertThat(decision.changes()).isEmpty();
        return ((Assignment.Stopped) decision.outcome()).refusal().sentence();
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.%d.0.0/24", "5001:0:0:%d::/64"})
    @DisplayName("CAL-17 to CAL-24: requested, disabled and selecting pools, in both families")
    void requestedDisabledAndSelectingPools(String pattern) {
        var cidr1 = pattern.formatted(1);
        var cidr2 = pattern.formatted(2);
        var pool1 = pool("pool1", cidr1);
        var pool2 = pool("pool2", cidr2);
        var bar1 = pool1.withNodeSelector("foo == 'bar'");
        var notBar1 = pool1.withNodeSelector("foo != 'bar'");
        var notBar2 = pool2.withNodeSelector("foo != 'bar'");
        var off1 = pool1.withStanding(IpPool.Mode.DISABLED);

        assertThat(names(choose(cluster(pool2, pool1)))).containsExactly("pool1", "pool2");
        assertThat(names(choose(cluster(pool1, pool2), cidr1))).containsExactly("pool1");
        assertThat(names(choose(cluster(bar1, notBar2)))).containsExactly("pool1");
        assertThat(names(choose(cluster(notBar1, pool2)))).containsExactly("pool2");
        assertThat(names(choose(cluster(notBar1, pool2), cidr1))).containsExactly("pool1");
        assertThat(names(choose(cluster(off1, pool2)))).containsExactly("pool2");
        assertThat(refusal(choose(cluster(off1, pool2), cidr1)))
                .isEqualTo("the given pool (%s) does not exist, or is not enabled".formatted(prefix(cidr1)));
        assertThat(refusal(choose(cluster(off1, notBar2)))).isEqualTo("no configured Calico pools for node h");
        assertThat(names(choose(cluster(off1, notBar2), cidr2))).containsExactly("pool2");
    }

    /// A pool for some namespaces cannot be one for tunnels.
    private static IpPool poolOf(String name, String cidr, String namespaceSelector) {
        return pool(name, cidr).withNamespaceSelector(namespaceSelector).withAllowedUses(List.of(AddressUse.WORKLOAD));
    }

    @Test
    @DisplayName("CAL-26, CAL-27: namespace and node must both be selected")
    void namespaceAndNodeMustBothBeSelected() {
        var production = poolOf("prod", "10.1.0.0/24", "environment == 'production'");
        var development = poolOf("dev", "10.2.0.0/24", "environment == 'development'");
        var none = pool("none", "10.3.0.0/24");
        var both = production.withNodeSelector("foo != 'bar'");
        var two = poolOf("two", "10.4.0.0/24", "env == 'production' && tier == 'frontend'");
        var inProduction = labels("environment", "production");

        assertThat(names(choose(cluster(production, development, none), List.of(), AddressUse.WORKLOAD, inProduction)))
                .containsExactly("none", "prod");
        assertThat(names(choose(cluster(production, none)))).containsExactly("none");
        assertThat(names(choose(cluster(both, none), List.of(), AddressUse.WORKLOAD, inProduction)))
                .containsExactly("none");
        assertThat(names(choose(cluster(two, none), List.of(), AddressUse.WORKLOAD, labels("env", "production"))))
                .containsExactly("none");
        assertThat(names(choose(
                        cluster(two, none),
                        List.of(),
                        AddressUse.WORKLOAD,
                        labels("env", "production", "tier", "frontend"))))
                .containsExactly("none", "two");
    }

    @Test
    @DisplayName("CAL-28: a selector that cannot be read fails the request that meets it")
    void unreadableSelectorFailsTheRequest() {
        var broken = pool("p", "10.0.0.0/24").withNodeSelector("invalid selector syntax [");
        var brokenNamespace = poolOf("p", "10.0.0.0/24", "invalid selector syntax [");

        assertThat(refusal(choose(cluster(broken)))).isEqualTo("expected operator after label \"invalid\"");
        assertThat(refusal(choose(cluster(brokenNamespace)))).isEqualTo("expected operator after label \"invalid\"");
        assertThat(names(choose(cluster(broken), "10.0.0.0/24"))).containsExactly("p");
    }

    @Test
    @DisplayName("CAL-29: a request that names a pool does not need its namespace")
    void requestedPoolWinsOverItsSelector() {
        var cluster = cluster(poolOf("p", "10.0.0.0/24", "environment == 'x'"));

        assertThat(names(choose(cluster, "10.0.0.0/24"))).containsExactly("p");
    }

    @Test
    @DisplayName("CAL-30: a manual pool serves those who ask for it, if the use is right")
    void manualPoolServesThoseWhoAsk() {
        var manual = pool("m", "10.0.0.0/24").withAssignmentMode(IpPool.AssignmentMode.MANUAL);
        var requested = List.of(prefix("10.0.0.0/24"));

        assertThat(refusal(choose(cluster(manual)))).isEqualTo("no configured Calico pools for node h");
        assertThat(names(choose(cluster(manual), "10.0.0.0/24"))).containsExactly("m");
        assertThat(refusal(choose(cluster(manual), requested, AddressUse.LOAD_BALANCER, labels())))
                .isEqualTo("cannot find a qualified ippool, no pools match the required use" + " (LoadBalancer)");
    }

    @Test
    @DisplayName("CAL-31: a pool that is being deleted or is not allocatable is as if disabled")
    void deletingPoolIsAsIfDisabled() {
        for (var standing : List.of(IpPool.Mode.DELETING, IpPool.Mode.NOT_ALLOCATABLE)) {
            var cluster = cluster(pool("p", "10.0.0.0/24").withStanding(standing), pool("q", "10.1.0.0/24"));

            assertThat(names(choose(cluster))).containsExactly("q");
            assertThat(refusal(choose(cluster, "10.0.0.0/24")))
                    .isEqualTo("the given pool (10.0.0.0/24) does not exist, or is not enabled");
        }
    }

    @Test
    @DisplayName("CAL-32: the use decides among pools")
    void useDecides() {
        var a = pool("a", "10.1.0.0/24").withAllowedUses(List.of(AddressUse.WORKLOAD));
        var b = pool("b", "10.2.0.0/24").withAllowedUses(List.of(AddressUse.TUNNEL));
        var wrongUse = "cannot find a qualified ippool, no pools match the required use (Workload)";

        assertThat(refusal(choose(cluster(a, b), "10.2.0.0/24"))).isEqualTo(wrongUse);
        assertThat(names(choose(cluster(a, b)))).containsExactly("a");
        assertThat(refusal(choose(cluster(b)))).isEqualTo(wrongUse);
        assertThat(names(choose(cluster(a, b), List.of(prefix("10.2.0.0/24")), AddressUse.TUNNEL, labels())))
                .containsExactly("b");
    }

    @Test
    @DisplayName("CAL-33: the load balancer needs no node and owns virtually")
    void loadBalancerNeedsNoNode() {
        var cluster = cluster(pool("lb", "10.9.0.0/24", 30).withAllowedUses(List.of(AddressUse.LOAD_BALANCER)));

        var assignment = cluster.assign(AssignRequest.on("load-balancer", AddressUse.LOAD_BALANCER, ScenarioCluster.NOW)
                .ipv4(Ask.of(1)));

        assertThat(ScenarioCluster.texts(assignment)).containsExactly("10.9.0.4");
        assertThat(cluster.block("10.9.0.4/30").owner()).contains(Owner.virtual("load-balancer"));
    }

    @Test
    @DisplayName("CAL-34: blocks too small for what the host reserves are not used")
    void blocksTooSmallForTheReserve() {
        var small = pool("a", "90.0.0.0/24", 31);
        var large = pool("b", "10.0.0.0/24", 26);
        var cluster = cluster(small, large);
        var windows = new HostReserve.Ends(3, 1, Attribute.WINDOWS_HANDLE, "n");
        var ask = Ask.of(1).reserving(windows);

        var requested = cluster.assign(cluster.request("node-a").ipv4(ask.from(List.of(prefix("90.0.0.0/24")))));
        var any = cluster.explain(
                view -> BlockEngine.assign(view, cluster.request("node-a").ipv4(ask)));
        var none = cluster.explain(view -> BlockEngine.assign(
                view, cluster.request("node-a").ipv4(Ask.of(1).reserving(new HostReserve.Ends(0, 0, "", "")))));

        assertThat(((Assignment.Stopped) requested).refusal().sentence())
                .isEqualTo("the given pool (90.0.0.0/24) does not exist, or is not enabled");
        assertThat(prefix("10.0.0.0/24").contains(any.outcome().addresses().getFirst()))
                .isTrue();
        assertThat(any.because()).contains(new PassedOverPool("a", prefix("90.0.0.0/24"), PoolRule.BLOCKS_TOO_SMALL));
        assertThat(((Assignment.Stopped) none.outcome()).refusal().sentence())
                .isEqualTo("HostReservedAttr has wrong parameters");
    }

    /// Ways to write a CIDR that the store lets pass.
    protected List<String> spellings() {
        return List.of("10.0.0.1/24", "5001:0000:0000:001a:0000:0000:0000:0000/64");
    }

    @Test
    @DisplayName("CAL-24, CAL-25: a pool is the same however its CIDR is written")
    void poolIsTheSameHoweverItsCidrIsWritten() {
        var cluster = cluster();
        for (var cidr : spellings()) {
            var json = ScenarioCluster.resource("IPPool", "p");
            json.putObject("spec").put("cidr", cidr);
            cluster.pools().put(CalicoKeys.POOLS + "p", Json.write(json));

            assertThat(names(choose(cluster, Prefix.parse(masked(cidr)).toString())))
                    .as(cidr)
                    .containsExactly("p");
        }
    }

    private static String masked(String cidr) {
        return cidr.startsWith("10.") ? "10.0.0.0/24" : "5001:0:0:1a::/64";
    }

    @Test
    @DisplayName("CAL-22: without an enabled pool there is nothing to choose from")
    void noEnabledPoolOfTheFamily() {
        var off = pool("p", "10.0.0.0/24").withStanding(IpPool.Mode.DISABLED);

        assertThat(refusal(choose(cluster(off)))).isEqualTo("cannot find a qualified ippool");
        assertThat(refusal(choose(cluster()))).isEqualTo("cannot find a qualified ippool");
    }
}
