package io.cadastre.wire.calico.scenario;

import static io.cadastre.wire.calico.scenario.Words.address;
import static io.cadastre.wire.calico.scenario.Words.pool;
import static io.cadastre.wire.calico.scenario.Words.prefix;
import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.engine.block.AddressUse;
import io.cadastre.engine.block.IpPool;
import io.cadastre.engine.block.IpamConfig;
import io.cadastre.engine.block.Owner;
import io.cadastre.engine.block.assign.AddressAssignment;
import io.cadastre.engine.block.assign.AssignAddressRequest;
import io.cadastre.engine.block.assign.AssignedAddress;
import io.cadastre.engine.block.assign.Requester;
import io.cadastre.engine.block.release.ReleaseOption;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// One certain address.
public abstract class AddressScenarios extends ScenarioContract {

    private static String refusal(AddressAssignment assignment) {
        return ((AddressAssignment.Refused) assignment).refusal().sentence();
    }

    private static AssignAddressRequest request(ScenarioCluster cluster, String address) {
        return AssignAddressRequest.of(address(address), "node-a", Requester.of("h"), cluster.now());
    }

    @Test
    @DisplayName("CAL-61: an address is given once, with its block")
    void addressIsGivenOnce() {
        var cluster = cluster(pool("p", "192.168.1.0/24"));

        var first = cluster.assignAddress("node-a", "192.168.1.0", "h");
        var second = cluster.assignAddress("node-a", "192.168.1.0", "h");

        assertThat(first)
                .isEqualTo(new AddressAssignment.Assigned(
                        new AssignedAddress(address("192.168.1.0"), prefix("192.168.1.0/26"))));
        assertThat(cluster.block("192.168.1.0/26").owner()).contains(Owner.host("node-a"));
        assertThat(cluster.affinities("node-a")).containsExactly("192.168.1.0/26 confirmed");
        assertThat(refusal(second))
                .isEqualTo("resource already exists: 192.168.1.0 with error: Address already assigned" + " in block");
    }

    @Test
    @DisplayName("CAL-62: an IPv6 address too")
    void ipv6Address() {
        var cluster = cluster(pool("p", "fd80:24e2:f998:72d6::/120"));

        var given = cluster.assignAddress("node-a", "fd80:24e2:f998:72d6::", "h");

        assertThat(given).isInstanceOf(AddressAssignment.Assigned.class);
    }

    @Test
    @DisplayName("CAL-63, CAL-67: an address of no pool, or of a disabled one, is not given")
    void addressOutsideEnabledPools() {
        var cluster = cluster(pool("p", "10.0.0.0/24").withStanding(IpPool.Mode.DISABLED));

        assertThat(refusal(cluster.assignAddress("node-a", "1.1.1.1", "h")))
                .isEqualTo("The provided IP address is not in a configured pool\n");
        assertThat(refusal(cluster.assignAddress("node-a", "10.0.0.1", "h")))
                .isEqualTo("The provided IP address is not in a configured pool\n");
        assertThat(cluster.blocks()).isEmpty();
    }

    @Test
    @DisplayName("CAL-64: the use must be allowed, if it is stated")
    void useMustBeAllowed() {
        var cluster = cluster(
                pool("only", "10.0.0.0/24").withAllowedUses(List.of(AddressUse.WORKLOAD)), pool("both", "10.1.0.0/24"));

        assertThat(refusal(cluster.assignAddress(request(cluster, "10.0.0.1").forUse(AddressUse.TUNNEL))))
                .isEqualTo("IP address 10.0.0.1 is in IP pool \"only\", which is not allowed for use"
                        + " \"Tunnel\" (allowedUses: [Workload])");
        assertThat(refusal(cluster.assignAddress(request(cluster, "10.1.0.1").forUse(AddressUse.LOAD_BALANCER))))
                .endsWith("(allowedUses: [Workload Tunnel])");
        for (var request : List.of(
                request(cluster, "10.0.0.1").forUse(AddressUse.WORKLOAD),
                request(cluster, "10.0.0.2"),
                request(cluster, "10.1.0.1").forUse(AddressUse.TUNNEL))) {
            assertThat(cluster.assignAddress(request)).isInstanceOf(AddressAssignment.Assigned.class);
        }
    }

    @Test
    @DisplayName("CAL-65: another host's address is borrowed, unless affinity is strict")
    void addressIsBorrowedUnlessStrict() {
        var cluster = cluster(pool("p", "10.0.0.0/24"));
        cluster.assignAddress("node-b", "10.0.0.1", "b");
        cluster.config(IpamConfig.DEFAULT.withStrictAffinity(true));

        var strict = cluster.assignAddress("node-a", "10.0.0.2", "a");
        cluster.config(IpamConfig.DEFAULT);
        var lenient = cluster.assignAddress("node-a", "10.0.0.2", "a");

        assertThat(refusal(strict)).isEqualTo("Block host affinity does not match");
        assertThat(lenient).isInstanceOf(AddressAssignment.Assigned.class);
        assertThat(cluster.block("10.0.0.0/26").owner()).contains(Owner.host("node-b"));
    }

    @Test
    @DisplayName("CAL-66: a reserved address is given to a request that names it")
    void reservedAddressIsGivenByName() {
        var cluster = cluster(pool("p", "10.0.0.0/24")).reserve("10.0.0.0/24");

        assertThat(cluster.assignAddress("node-a", "10.0.0.7", "h")).isInstanceOf(AddressAssignment.Assigned.class);
    }

    @Test
    @DisplayName("CAL-9: a cooling address is not given")
    void coolingAddressIsNotGiven() {
        var cluster = cluster(pool("p", "10.0.0.0/24")).config(IpamConfig.DEFAULT.withCooldownSeconds(60));
        cluster.assignAddress("node-a", "10.0.0.7", "h");
        cluster.release(ReleaseOption.of("10.0.0.7"));

        assertThat(refusal(cluster.assignAddress("node-a", "10.0.0.7", "h")))
                .startsWith("resource already exists: 10.0.0.7");
    }
}
