package io.cadastre.engine.block;

import static io.cadastre.engine.block.BlockCluster.pool;
import static io.cadastre.engine.block.Fixtures.address;
import static io.cadastre.engine.block.Fixtures.labels;
import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.engine.block.Attribute.Held;
import io.cadastre.engine.block.OwnerRequest.Side;
import io.cadastre.engine.block.OwnerUpdate.Expectation;
import io.cadastre.engine.block.assign.AssignRequest.Ask;
import io.cadastre.engine.block.assign.Requester;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Who uses an address of a virtual machine.
class OwnerTest {

    private static final String VM = "net.vmi.shop.vm";

    private static BlockCluster cluster() {
        var cluster = BlockCluster.with(pool("p", "10.0.0.0/24"));
        cluster.assign(cluster.request("host-a")
                .ipv4(Ask.of(2))
                .by(Requester.of(VM, labels("namespace", "shop", "pod", "old"))));
        return cluster;
    }

    private static OwnerChange set(BlockCluster cluster, Side active, Side alternate) {
        return cluster.enact(BlockEngine.setOwner(
                cluster.view(), new OwnerRequest(address("10.0.0.0"), VM, active, alternate, cluster.now())));
    }

    private static Held held(BlockCluster cluster, int ordinal) {
        return (Held) cluster.block("10.0.0.0/26").attribute(ordinal).orElseThrow();
    }

    private static String refusal(OwnerChange change) {
        return ((OwnerChange.Refused) change).refusal() instanceof BlockRefusal.Conflict conflict
                ? conflict.cause()
                : ((OwnerChange.Refused) change).refusal().sentence();
    }

    private static Side target() {
        return Side.of(new OwnerUpdate.Set(labels("namespace", "shop", "pod", "new")));
    }

    @Test
    void alternateOwnerOfOneAddressIsSet() {
        var cluster = cluster();

        set(cluster, Side.KEEP, target().expecting(new Expectation.NoOwner()));

        assertThat(held(cluster, 0).alternate()).containsEntry("pod", "new");
        assertThat(held(cluster, 0).owner()).containsEntry("pod", "old");
        assertThat(held(cluster, 1).alternate()).isEmpty();
    }

    /// As in Calico: the attribute changes where it stands.
    @Test
    void attributeOfOneAddressKeepsItsPlace() {
        var cluster = BlockCluster.with(pool("p", "10.0.0.0/24"));
        cluster.assign(cluster.request("host-a")
                .ipv4(Ask.of(1))
                .by(Requester.of(VM, labels("namespace", "shop", "pod", "old"))));
        cluster.assign(cluster.request("host-a").ipv4(Ask.of(1)).by(Requester.of("other", labels("pod", "other"))));

        set(cluster, Side.KEEP, target().expecting(new Expectation.NoOwner()));

        assertThat(cluster.block("10.0.0.0/26").attributes()).containsExactly(held(cluster, 0), held(cluster, 1));
        assertThat(held(cluster, 0).alternate()).containsEntry("pod", "new");
    }

    @Test
    void unexpectedOwnerIsAConflict() {
        var cluster = cluster();

        var change = set(
                cluster, Side.of(new OwnerUpdate.Clear()).expecting(new Expectation.Pod("shop", "other")), Side.KEEP);

        assertThat(refusal(change))
                .isEqualTo("cannot set ActiveOwnerAttrs: expected pod=other namespace=shop but found"
                        + " pod=old namespace=shop");
    }

    @Test
    void ownerThatIsAlreadySetIsNotAConflict() {
        var cluster = cluster();
        var side = target().expecting(new Expectation.NoOwner());

        var first = set(cluster, Side.KEEP, side);
        var again = set(cluster, Side.KEEP, side);

        assertThat(again).isEqualTo(first).isInstanceOf(OwnerChange.Done.class);
    }

    @Test
    void expectationIsNotLookedAtIfNothingChanges() {
        var cluster = cluster();
        long before = cluster.block("10.0.0.0/26").sequence();

        var change = set(cluster, Side.KEEP.expecting(new Expectation.NoOwner()), Side.KEEP);

        assertThat(change).isEqualTo(new OwnerChange.Done(List.of(address("10.0.0.0"))));
        assertThat(cluster.block("10.0.0.0/26").sequence()).isEqualTo(before + 1);
    }

    @Test
    void wrongHandleFreeAddressAndNoPoolAreRefused() {
        var cluster = cluster();

        var handle = BlockEngine.setOwner(
                cluster.view(), new OwnerRequest(address("10.0.0.0"), "x", target(), Side.KEEP, cluster.now()));
        var free = BlockEngine.setOwner(
                cluster.view(), new OwnerRequest(address("10.0.0.9"), VM, target(), Side.KEEP, cluster.now()));
        var outside = BlockEngine.setOwner(
                cluster.view(), new OwnerRequest(address("1.1.1.1"), VM, target(), Side.KEEP, cluster.now()));

        assertThat(refusal(handle.outcome())).isEqualTo("IP 10.0.0.0 is not assigned to handle x");
        assertThat(refusal(free.outcome())).endsWith("with error: IP is unassigned");
        assertThat(refusal(outside.outcome())).isEqualTo("the provided IP address 1.1.1.1 is not in a configured pool");
    }

    @Test
    void migrationSwapsTheOwnersOfAllAddresses() {
        var cluster = cluster();
        for (var text : List.of("10.0.0.0", "10.0.0.1")) {
            cluster.enact(BlockEngine.setOwner(
                    cluster.view(), new OwnerRequest(address(text), VM, Side.KEEP, target(), cluster.now())));
        }

        var pod = new Expectation.Pod("shop", "new");
        var first = cluster.enact(BlockEngine.swapOwner(cluster.view(), VM, pod, cluster.now()));
        var again = BlockEngine.swapOwner(cluster.view(), VM, pod, cluster.now());

        assertThat(first.changed()).hasSize(2);
        assertThat(held(cluster, 1).owner()).containsEntry("pod", "new");
        assertThat(held(cluster, 1).alternate()).containsEntry("pod", "old");
        assertThat(again.outcome()).isEqualTo(first);
        assertThat(again.changes()).isEmpty();
    }

    @Test
    void migrationWithoutTheRightTargetIsRefused() {
        var cluster = cluster();
        var pod = new Expectation.Pod("shop", "new");

        var empty = BlockEngine.swapOwner(cluster.view(), VM, pod, cluster.now());
        set(cluster, Side.KEEP, target());
        var other = BlockEngine.swapOwner(cluster.view(), VM, new Expectation.Pod("shop", "third"), cluster.now());
        var unknown = BlockEngine.swapOwner(cluster.view(), "x", pod, cluster.now());

        assertThat(refusal(empty.outcome())).isEqualTo("AlternateOwnerAttrs is empty for IP 10.0.0.0");
        assertThat(refusal(other.outcome()))
                .isEqualTo("AlternateOwnerAttrs doesn't match expected target owner: expected &{shop"
                        + " third}, got namespace=shop pod=new for IP 10.0.0.0");
        assertThat(refusal(unknown.outcome())).startsWith("failed to get IPs for handle x: resource does not exist");
    }
}
