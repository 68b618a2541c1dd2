package io.cadastre.wire.calico.scenario;

import static io.cadastre.wire.calico.scenario.Words.address;
import static io.cadastre.wire.calico.scenario.Words.pool;
import static io.cadastre.wire.calico.scenario.Words.prefix;
import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Family;
import io.cadastre.engine.block.Block;
import io.cadastre.engine.block.BlockRefusal;
import io.cadastre.engine.block.IpamConfig;
import io.cadastre.engine.block.Owner;
import io.cadastre.engine.block.assign.AssignRequest.Ask;
import io.cadastre.engine.block.assign.Assignment;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// How many addresses a host gets, and from which blocks.
public abstract class AssignScenarios extends ScenarioContract {

    private static final String V6 = "fd80:24e2:f998:72d6::/120";

    @ParameterizedTest
    @DisplayName("CAL-35 to CAL-37: one address of each family, whatever the block length")
    @CsvSource({
        "192.168.1.0/24, 32, fd80:24e2:f998:72d6::/120, 128",
        "192.168.0.0/16, 20, fd80:24e2:f998:72d6::/110, 116",
        "192.168.0.0/16, 26, fd80:24e2:f998:72d6::/110, 122"
    })
    void oneAddressOfEachFamily(String v4, int v4Length, String v6, int v6Length) {
        var cluster = cluster(pool("v4", v4, v4Length), pool("v6", v6, v6Length));

        var assignment =
                cluster.assign(cluster.request("node-a").ipv4(Ask.of(1)).ipv6(Ask.of(1)));

        assertThat(assignment).isInstanceOf(Assignment.Done.class);
        assertThat(assignment.share(Family.IPV4).orElseThrow().leases()).hasSize(1);
        assertThat(assignment.share(Family.IPV6).orElseThrow().leases()).hasSize(1);
    }

    @ParameterizedTest
    @DisplayName("CAL-38 to CAL-40: a pool gives all it has, and says when it has no more")
    @CsvSource({
        "192.168.1.0/24, 256, 256, ''",
        "192.168.1.0/24, 257, 256, No IPs available in pools: [192.168.1.0/24]",
        "fd80:24e2:f998:72d6::/120, 257, 256, No IPs available in pools:" + " [fd80:24e2:f998:72d6::/120]"
    })
    void poolGivesAllItHas(String cidr, int asked, int given, String message) {
        var cluster = cluster(pool("p", cidr));
        var family = prefix(cidr).family();
        var request = cluster.request("node-a");

        var assignment =
                cluster.assign(family == Family.IPV4 ? request.ipv4(Ask.of(asked)) : request.ipv6(Ask.of(asked)));

        var share = assignment.share(family).orElseThrow();
        assertThat(assignment).isInstanceOf(Assignment.Done.class);
        assertThat(share.leases()).doesNotHaveDuplicates().hasSize(given);
        assertThat(share.messages()).isEqualTo(message.isEmpty() ? List.of() : List.of(message));
        assertThat(cluster.view().blocks(family)).hasSize(4);
    }

    @ParameterizedTest
    @DisplayName("CAL-41, CAL-42: the limit of blocks ends the request with what it got so far")
    @CsvSource({"26, 1, 64, 1", "26, 2, 128, 2", "30, 0, 80, 20"})
    void limitEndsTheRequest(int blockLength, int limit, int given, int shown) {
        var cluster = cluster(pool("p", "192.168.1.0/24", blockLength));

        var assignment =
                cluster.assign(cluster.request("node-a").ipv4(Ask.of(256)).withMaxBlocksPerHost(limit));

        assertThat(assignment)
                .isInstanceOfSatisfying(
                        Assignment.Stopped.class,
                        stopped -> assertThat(stopped.refusal()).isEqualTo(new BlockRefusal.BlockLimit()));
        assertThat(assignment.addresses()).hasSize(given);
        assertThat(assignment.shares().getFirst().messages())
                .containsExactly(
                        "Need to allocate an IPAM block but could not - limit of %d blocks reached for this node"
                                .formatted(shown));
    }

    @Test
    @DisplayName("CAL-41: the limit counts each family by itself")
    void limitCountsEachFamilyByItself() {
        var cluster = cluster(pool("v4", "192.168.1.0/24"), pool("v6", V6));

        var assignment = cluster.assign(
                cluster.request("node-a").ipv4(Ask.of(64)).ipv6(Ask.of(256)).withMaxBlocksPerHost(1));

        assertThat(assignment.share(Family.IPV4).orElseThrow().leases()).hasSize(64);
        assertThat(assignment.share(Family.IPV6).orElseThrow().leases()).hasSize(64);
    }

    @Test
    @DisplayName("CAL-42: with a limit of 256 blocks there are enough blocks of four")
    void limitOfTheRequestCountsIfNoneIsConfigured() {
        var cluster = cluster(pool("p", "192.168.1.0/24", 30));

        var assignment =
                cluster.assign(cluster.request("node-a").ipv4(Ask.of(256)).withMaxBlocksPerHost(256));

        assertThat(assignment.addresses()).hasSize(256);
    }

    @Test
    @DisplayName("CAL-43: when nothing can be claimed, single addresses are borrowed")
    void singleAddressesAreBorrowed() {
        var cluster = cluster(pool("p", "10.0.0.0/25"));
        cluster.assign("host-a", 1);
        cluster.assign("host-b", 1);
        var blockOfB = cluster.affinities("host-b");

        var given = cluster.assign("host-a", 64);

        var ownerOfB = Owner.host("host-b");
        assertThat(given).hasSize(64);
        assertThat(given)
                .filteredOn(text -> owner(cluster, text).equals(ownerOfB))
                .hasSize(1);
        assertThat(cluster.affinities("host-b")).isEqualTo(blockOfB).hasSize(1);
    }

    @Test
    @DisplayName("CAL-44: with strict affinity nothing is borrowed")
    void strictAffinityForbidsBorrowing() {
        var cluster = cluster(pool("p1", "192.168.1.0/26"), pool("p2", "192.168.1.64/26"))
                .config(IpamConfig.DEFAULT.withStrictAffinity(true));
        var first = List.of(prefix("192.168.1.0/26"));

        var assignment =
                cluster.assign(cluster.request("node-a").ipv4(Ask.of(256).from(first)));

        assertThat(assignment).isInstanceOf(Assignment.Done.class);
        assertThat(assignment.addresses()).hasSize(64);
        assertThat(assignment.shares().getFirst().messages())
                .containsExactly("No more free affine blocks and strict affinity enabled");
    }

    @Test
    @DisplayName("CAL-45: pools that were asked for serve in the order of the request")
    void requestedPoolsServeInOrder() {
        var cluster = cluster(pool("a", "10.1.0.0/24"), pool("b", "10.2.0.0/24"));
        var requested = List.of(prefix("10.2.0.0/24"), prefix("10.1.0.0/24"));

        var assignment = cluster.assign(cluster.request("node-a").ipv4(Ask.of(1).from(requested)));

        assertThat(prefix("10.2.0.0/24").contains(assignment.addresses().getFirst()))
                .isTrue();
    }

    @Test
    @DisplayName("CAL-46: an IPv6 pool in the IPv4 list is refused, and the other way round")
    void mixedFamiliesAreRefused() {
        var cluster = cluster(pool("v4", "10.0.0.0/24"), pool("v6", V6));

        var v4 = cluster.assign(cluster.request("node-a").ipv4(Ask.of(1).from(List.of(prefix(V6)))));
        var v6 = cluster.assign(cluster.request("node-a").ipv6(Ask.of(1).from(List.of(prefix("10.0.0.0/24")))));

        assertThat(refusal(v4)).isEqualTo("provided IPv4 IPPools list contains one or more IPv6 IPPools");
        assertThat(refusal(v6)).isEqualTo("provided IPv6 IPPools list contains one or more IPv4 IPPools");
    }

    private static Owner owner(ScenarioCluster cluster, String text) {
        return cluster.view()
                .findBlockAround(address(text))
                .flatMap(Block::owner)
                .orElseThrow();
    }

    private static String refusal(Assignment assignment) {
        assertThat(assignment.shares()).allSatisfy(s -> assertThat(s.leases()).isEmpty());
        return ((Assignment.Stopped) assignment).refusal().sentence();
    }
}
