package io.cadastre.engine.block;

import static io.cadastre.engine.block.BlockCluster.pool;
import static io.cadastre.engine.block.Fixtures.address;
import static io.cadastre.engine.block.Fixtures.prefix;
import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Family;
import io.cadastre.engine.block.assign.AddressAssignment;
import io.cadastre.engine.block.assign.AssignAddressRequest;
import io.cadastre.engine.block.assign.Requester;
import java.util.List;
import org.junit.jupiter.api.Test;

/// One certain address.
class AssignAddressTest {

    private static String refusal(AddressAssignment assignment) {
        return ((AddressAssignment.Refused) assignment).refusal().sentence();
    }

    private static AddressAssignment assign(BlockCluster cluster, AssignAddressRequest request) {
        return cluster.enact(BlockEngine.assignAddress(cluster.view(), request));
    }

    private static AssignAddressRequest request(BlockCluster cluster, String address) {
        return AssignAddressRequest.of(address(address), "node-a", Requester.of("h"), cluster.now());
    }

    @Test
    void strictAffinityWantsAnOwner() {
        var cluster = BlockCluster.with(pool("p", "10.0.0.0/30", 30))
                .config(IpamConfig.DEFAULT.withStrictAffinity(true))
                .block(Block.stored(prefix("10.0.0.0/30"))
                        .unallocated(0, 1, 2, 3)
                        .build());

        assertThat(refusal(cluster.assignAddress("node-a", "10.0.0.1", "h")))
                .isEqualTo("Attempt to assign from block 10.0.0.0/30 with no affinity");
    }

    @Test
    void cappedHandleGetsItsAddressAgainAndNoOther() {
        var cluster = BlockCluster.with(pool("p", "10.0.0.0/24"));
        var first = request(cluster, "10.0.0.7").withMaxPerHandle(1);

        assign(cluster, first);
        var again = BlockEngine.assignAddress(cluster.view(), first);
        var other = assign(cluster, request(cluster, "10.0.0.8").withMaxPerHandle(1));

        assertThat(again.outcome()).isInstanceOf(AddressAssignment.Assigned.class);
        assertThat(again.changes()).isEmpty();
        assertThat(refusal(other))
                .isEqualTo("handle h already has IP(s) allocated, cannot assign additional IP 10.0.0.8"
                        + " (maxAllocPerIPVersion=1)");
        assertThat(cluster.view().findHandle("h").orElseThrow().total(Family.IPV4))
                .isEqualTo(1);
    }

    @Test
    void requestThatWasServedWithoutAnAnswerIsServedOnce() {
        var cluster = BlockCluster.with(pool("p", "10.0.0.0/24"));
        var lost = BlockEngine.assignAddress(cluster.view(), request(cluster, "10.0.0.7"));
        cluster.enact(lost);

        var again = BlockEngine.assignAddress(
                cluster.view(), request(cluster, "10.0.0.7").after(List.of(lost)));

        assertThat(again.outcome()).isEqualTo(lost.outcome());
        assertThat(again.changes()).isEmpty();
    }
}
