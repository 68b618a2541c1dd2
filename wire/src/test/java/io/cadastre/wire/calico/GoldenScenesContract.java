package io.cadastre.wire.calico;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Address;
import io.cadastre.address.Prefix;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.engine.block.AddressUse;
import io.cadastre.engine.block.Attempts;
import io.cadastre.engine.block.BlockEngine;
import io.cadastre.engine.block.HostReserve;
import io.cadastre.engine.block.IpamConfig;
import io.cadastre.engine.block.IpamConfig.Persistence;
import io.cadastre.engine.block.Owner;
import io.cadastre.engine.block.OwnerRequest;
import io.cadastre.engine.block.OwnerRequest.Side;
import io.cadastre.engine.block.OwnerUpdate;
import io.cadastre.engine.block.assign.AssignAddressRequest;
import io.cadastre.engine.block.assign.AssignRequest;
import io.cadastre.engine.block.assign.AssignRequest.Ask;
import io.cadastre.engine.block.assign.ClaimRequest;
import io.cadastre.engine.block.assign.Requester;
import io.cadastre.engine.block.release.ReleaseCondition;
import java.util.Set;
import java.util.SortedMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// The same operations as Calico did leave the same documents, byte for byte but for times.
abstract class GoldenScenesContract {

    private static final IpamConfig COOLDOWN = new IpamConfig(false, true, 0, Persistence.UNSET, 60);
    private static final String POOL = "10.9.0.0/24";
    private static final String POOL6 = "fd80:24e2:f998:72d6::/120";
    private static final SortedMap<String, String> WEB = AllocatorProcess.attributes(
            "node", "node-a",
            "pod", "web-0",
            "namespace", "shop",
            "timestamp", "2026-03-01 10:20:31.5 +0000 UTC");

    private Datastore store = new MemoryDatastore();
    private AllocatorProcess allocator = AllocatorProcess.on(store);

    /// An empty store.
    protected abstract Datastore open() throws Exception;

    @BeforeEach
    void openStore() throws Exception {
        store.close();
        store = open();
        allocator = AllocatorProcess.on(store);
        AllocatorProcess.node(store, "node-a");
    }

    @AfterEach
    void closeStore() {
        store.close();
    }

    private void assertScene(String id) {
        CalicoGolden.scene(id)
                .forEach((key, value) -> assertThat(store.get(key))
                        .as("%s %s", id, key)
                        .hasValueSatisfying(document ->
                                assertThat(Normal.text(document.value().utf8())).isEqualTo(Normal.text(value))));
    }

    private Set<String> keys() {
        return AllocatorProcess.stored(store, "/calico/ipam/").keySet();
    }

    @Test
    @DisplayName("CAL-130: a block is claimed used by name and given up with the address in it")
    void aBlockIsClaimedUsedByNameAndGivenUpWithTheAddressInIt() {
        AllocatorProcess.pool(store, "p", POOL, 30);
        var block = Prefix.parse("10.9.0.4/30");
        var owner = Owner.host("node-a");

        allocator.enact(view -> BlockEngine.claimAffinity(view, new ClaimRequest(block, owner, AllocatorProcess.NOW)));
        assertScene("G02");
        allocator.enact(view -> BlockEngine.assignAddress(
                view,
                AssignAddressRequest.of(
                        Address.parse("10.9.0.5"), "node-a", Requester.ANONYMOUS, AllocatorProcess.NOW)));
        assertScene("G03");
        allocator.enact(view -> BlockEngine.releaseAffinity(
                view, block, "node-a", ReleaseCondition.NOT_REQUIRED, Attempts.first(AllocatorProcess.NOW)));

        assertScene("G04");
        assertThat(keys()).isEqualTo(CalicoGolden.scene("G04").keySet());
    }

    @Test
    @DisplayName("CAL-130: addresses are given rest and come back")
    void addressesAreGivenRestAndComeBack() {
        AllocatorProcess.pool(store, "p", POOL, 30);
        var handle = "k8s-pod-network.c0ffee";

        allocator.assign(
                AllocatorProcess.request("node-a").by(Requester.of(handle, WEB)).ipv4(Ask.of(1)));
        assertScene("G05");
        assertThat(keys()).isEqualTo(CalicoGolden.scene("G05").keySet());
        allocator.assign(AllocatorProcess.request("node-a").ipv4(Ask.of(1)));
        assertScene("G06");
        allocator.assign(AllocatorProcess.request("node-a")
                .by(Requester.of("", AllocatorProcess.attributes()))
                .ipv4(Ask.of(1)));
        assertScene("G07");
        allocator.configure(COOLDOWN);
        assertScene("G08");
        allocator.release("10.9.0.233");
        assertScene("G09");
        allocator.configure(COOLDOWN.withCooldownSeconds(0));
        allocator.release("10.9.0.234");
        assertScene("G10");
        allocator.releaseHandle(handle);
        assertScene("G11");
        assertThat(keys()).isEqualTo(CalicoGolden.scene("G11").keySet());
        allocator.enact(view -> BlockEngine.releaseHost(
                view, Owner.host("node-a"), ReleaseCondition.REQUIRED, Attempts.first(AllocatorProcess.NOW)));

        assertScene("G12");
        assertThat(keys()).isEqualTo(CalicoGolden.scene("G12").keySet());
    }

    @Test
    @DisplayName("CAL-130: a load balancer has blocks too")
    void aLoadBalancerHasBlocksToo() {
        AllocatorProcess.pool(store, "p", POOL, 30, "LoadBalancer");
        var service = AllocatorProcess.attributes(
                "namespace", "shop",
                "service", "web",
                "timestamp", "2026-03-01 10:20:31.5 +0000 UTC",
                "type", "LoadBalancer");

        allocator.assign(AssignRequest.on("load-balancer", AddressUse.LOAD_BALANCER, AllocatorProcess.NOW)
                .by(Requester.of("lb-x", service))
                .ipv4(Ask.of(1)));

        assertScene("G13");
        assertThat(keys()).isEqualTo(CalicoGolden.scene("G13").keySet());
    }

    @Test
    @DisplayName("CAL-130: ipv6 addresses rest too")
    void ipv6AddressesRestToo() {
        AllocatorProcess.pool(store, "p6", POOL6, 122);

        allocator.assign(
                AllocatorProcess.request("node-a").by(Requester.of("h6", WEB)).ipv6(Ask.of(1)));
        assertScene("G14");
        allocator.assign(
                AllocatorProcess.request("node-a").by(Requester.of("h6")).ipv6(Ask.of(2)));
        allocator.configure(COOLDOWN);
        allocator.release("fd80:24e2:f998:72d6::81");

        assertScene("G15");
    }

    @Test
    @DisplayName("CAL-130: a handle may have addresses in many blocks")
    void aHandleMayHaveAddressesInManyBlocks() {
        AllocatorProcess.pool(store, "p", POOL, 30);
        AllocatorProcess.pool(store, "p6", POOL6, 122);
        var handle = "k8s-pod-network.dual";

        allocator.assign(AllocatorProcess.request("node-a")
                .by(Requester.of(handle, WEB))
                .ipv4(Ask.of(1))
                .ipv6(Ask.of(1)));
        assertScene("G16");
        assertThat(keys()).isEqualTo(CalicoGolden.scene("G16").keySet());
        allocator.assign(
                AllocatorProcess.request("node-a").by(Requester.of(handle)).ipv4(Ask.of(5)));

        var counted = store.get(new CalicoKey.OfHandle(handle).text()).orElseThrow();
        // Calico counts the addresses that were asked for in the first block, not those given.
        assertThat(counted.value())
                .hasToString(CalicoGolden.value("G17", new CalicoKey.OfHandle(handle))
                        .replace("10.9.0.232/30\":6", "10.9.0.232/30\":4"));
        AllocatorProcess.put(store, counted.key(), CalicoGolden.value("G17", new CalicoKey.OfHandle(handle)));
        assertScene("G17");
    }

    @Test
    @DisplayName("CAL-130: windows keeps addresses for itself")
    void windowsKeepsAddressesForItself() {
        AllocatorProcess.pool(store, "p", POOL, 29);
        allocator.configure(COOLDOWN.withCooldownSeconds(0).withStrictAffinity(true));
        var windows = new HostReserve.Ends(3, 1, "windows-reserved-ipam-handle", "windows host rsvd");

        allocator.assign(AllocatorProcess.request("node-a").ipv4(Ask.of(1).reserving(windows)));

        assertScene("G18");
        assertThat(keys()).isEqualTo(CalicoGolden.scene("G18").keySet());
    }

    @Test
    @DisplayName("CAL-130: a virtual machine moves")
    void aVirtualMachineMoves() {
        AllocatorProcess.pool(store, "p", POOL, 30);
        var handle = "k8s-pod-network.vmi.shop.vm1";
        var here = machine("node-a", "virt-launcher-vm1-a");
        var there = machine("node-b", "virt-launcher-vm1-b");
        var address = Address.parse("10.9.0.232");

        allocator.assign(AllocatorProcess.request("node-a")
                .by(Requester.of(handle, here))
                .ipv4(Ask.of(1)));
        allocator.enact(view -> BlockEngine.setOwner(
                view,
                new OwnerRequest(
                        address, handle, Side.KEEP, Side.of(new OwnerUpdate.Set(there)), AllocatorProcess.NOW)));
        assertScene("G26");
        allocator.enact(view -> BlockEngine.setOwner(
                view,
                new OwnerRequest(address, handle, Side.of(new OwnerUpdate.Clear()), Side.KEEP, AllocatorProcess.NOW)));

        assertScene("G27");
    }

    private static SortedMap<String, String> machine(String node, String pod) {
        return AllocatorProcess.attributes("namespace", "shop", "node", node, "pod", pod, "vmi-name", "vm1");
    }

    @Test
    @DisplayName("CAL-130: text is escaped as go does")
    void textIsEscapedAsGoDoes() {
        AllocatorProcess.pool(store, "p", POOL, 30);
        var odd = AllocatorProcess.attributes("a<b>&c", "<>&\"\\/\t\n\r\u0001\u2028\u2029é日本", "plain", "x");

        allocator.assign(
                AllocatorProcess.request("node-a").by(Requester.of("esc", odd)).ipv4(Ask.of(1)));

        assertScene("G28");
    }

    @Test
    @DisplayName("CAL-130: a block of an old release is used and its foreign field stays")
    void aBlockOfAnOldReleaseIsUsedAndItsForeignFieldStays() {
        AllocatorProcess.pool(store, "p", POOL, 30);
        CalicoGolden.scene("G32").forEach((key, value) -> AllocatorProcess.put(store, key, value));
        var key = new CalicoKey.OfBlock(Prefix.parse("10.9.0.4/30"));

        allocator.assign(AllocatorProcess.request("node-a").ipv4(Ask.of(1)));

        assertThat(store.get(key.text()).orElseThrow().value())
                .hasToString(CalicoGolden.value("G33", key).replace("false}", "false,\"foo\":1}"));
        assertThat(store.get("/calico/ipam/v2/host/node-a/ipv4/block/10.9.0.4-30"))
                .hasValueSatisfying(
                        affinity -> assertThat(affinity.value().size()).isZero());
    }
}
