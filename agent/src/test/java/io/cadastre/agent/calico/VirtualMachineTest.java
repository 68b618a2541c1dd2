package io.cadastre.agent.calico;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.agent.Undelivered;
import io.cadastre.agent.Withdrawal;
import io.cadastre.agent.net.StoredPods;
import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.engine.block.assign.HeldAddress;
import io.cadastre.wire.calico.CalicoKey;
import io.cadastre.wire.cni.CniVerb;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Pods that run virtual machines of KubeVirt.
class VirtualMachineTest {

    private static final String FIRST = "virt-launcher-db-aaaaa";
    private static final String SECOND = "virt-launcher-db-bbbbb";
    private static final String HANDLE = "net.vmi.shop.db";

    private final MemoryDatastore store = new MemoryDatastore();
    private final CalicoIpamNode cluster = CalicoIpamNode.on(store).withPool("four", "10.0.0.0/24", 26);

    VirtualMachineTest() {
        withInstance("");
        withMachine("");
        withPod(FIRST, "");
    }

    @AfterEach
    void close() {
        cluster.close();
        store.close();
    }

    /// @param labels members of an object
    private void withPod(String name, String labels) {
        cluster.put(StoredPods.PODS + "shop/" + name, """
            {"kind":"Pod","apiVersion":"v1","metadata":{"name":"%s","namespace":"shop",
            "labels":{%s},"ownerReferences":[{"apiVersion":"kubevirt.io/v1",
            "kind":"VirtualMachineInstance","name":"db","uid":"vmi-1","controller":true}]}}\
            """.formatted(name, labels));
    }

    /// @param more further members of its metadata, each after a comma
    private void withInstance(String more) {
        cluster.put(StoredPods.MACHINE_INSTANCES + "shop/db", """
            {"kind":"VirtualMachineInstance","metadata":{"name":"db","uid":"vmi-1",
            "ownerReferences":[{"kind":"VirtualMachine","name":"db","uid":"vm-1"}]%s}}\
            """.formatted(more));
    }

    private void withMachine(String more) {
        cluster.put(
                StoredPods.MACHINES + "shop/db",
                "{\"kind\":\"VirtualMachine\",\"metadata\":{\"name\":\"db\"%s}}".formatted(more));
    }

    private void deleteMachine() {
        withMachine(",\"deletionTimestamp\":\"2026-01-02T03:04:05Z\"");
    }

    private void withMigrationTo(String pod) {
        withPod(pod, "\"kubevirt.io/migrationJobUID\":\"vmim-1\"");
    }

    private CalicoIpamNode.Ring pod(String container, String name) {
        return cluster.pod(container).args("IgnoreUnknown=1;K8S_POD_NAMESPACE=shop;K8S_POD_NAME=" + name);
    }

    private HeldAddress only() {
        assertThat(cluster.held()).hasSize(1);
        return cluster.held().getFirst();
    }

    @Test
    void addressIsTheMachinesAndSaysSo() {
        pod("c1", FIRST).add();

        var held = only().held();
        assertThat(held.handle()).isEqualTo(HANDLE);
        assertThat(held.owner())
                .containsEntry("pod", FIRST)
                .containsEntry("namespace", "shop")
                .containsEntry("node", "node-1")
                .containsEntry("vmi-name", "db")
                .containsEntry("vmi-uid", "vmi-1")
                .containsEntry("vm-uid", "vm-1")
                .doesNotContainKey("vmim-uid");
    }

    @Test
    void podThatOnlyHasSuchANameIsAContainer() {
        pod("c1", "virt-launcher-other-aaaaa").add();

        assertThat(only().held().handle()).isEqualTo("net.c1");
    }

    @Test
    void machineThatRestartsHasTheSameAddressInItsNextPod() {
        var first = pod("c1", FIRST).addresses();
        pod("c1", FIRST).del();
        var between = only().held();
        withPod(SECOND, "");

        var second = pod("c2", SECOND).addresses();

        assertThat(between.owner()).isEmpty();
        assertThat(second).isEqualTo(first);
        assertThat(only().held().owner()).containsEntry("pod", SECOND);
    }

    @Test
    void repeatedAddChangesNothing() {
        var first = pod("c1", FIRST).addresses();
        var before = cluster.held();

        var second = pod("c1", FIRST).addresses();

        assertThat(second).isEqualTo(first);
        assertThat(cluster.held()).isEqualTo(before);
    }

    @Test
    void targetOfAMoveIsTheAlternateOwnerAndGetsNoRoute() {
        var first = pod("c1", FIRST).add();
        withMigrationTo(SECOND);

        var second = pod("c2", SECOND).add();

        assertThat(second.ips()).isEqualTo(first.ips());
        assertThat(first.routes()).hasSize(1);
        assertThat(second.routes()).isEmpty();
        assertThat(only().held().owner()).containsEntry("pod", FIRST);
        assertThat(only().held().alternate()).containsEntry("pod", SECOND).containsEntry("vmim-uid", "vmim-1");
    }

    @Test
    void moveThatFailedLeavesTheAddressWithItsOwner() {
        pod("c1", FIRST).add();
        var before = cluster.held();
        withMigrationTo(SECOND);
        pod("c2", SECOND).add();

        pod("c2", SECOND).del();

        assertThat(only().held()).isEqualTo(before.getFirst().held());
    }

    @Test
    void sourceOfAMoveGoesAndTheTargetKeepsTheAddress() {
        pod("c1", FIRST).add();
        withMigrationTo(SECOND);
        var moved = pod("c2", SECOND).addresses();

        pod("c1", FIRST).del();

        assertThat(only().held().owner()).isEmpty();
        assertThat(only().held().alternate()).containsEntry("pod", SECOND);
        assertThat(pod("c2", SECOND).addresses()).isEqualTo(moved);
    }

    /// The pod's new sandbox is there before the old one is deleted.
    @Test
    void lateDelOfAnOldSandboxOfThePodDoesNotDisownTheNewOne() {
        pod("c1", FIRST).add();
        pod("c2", FIRST).add();

        pod("c1", FIRST).del();

        assertThat(only().held().owner())
                .containsEntry("pod", FIRST)
                .containsEntry(CalicoIpam.ATTACHMENT, "net/c2/eth0");
    }

    @Test
    void machineThatIsDeletedGivesItsAddressBackWithItsLastPod() {
        pod("c1", FIRST).add();
        withMigrationTo(SECOND);
        pod("c2", SECOND).add();
        deleteMachine();

        pod("c1", FIRST).del();
        var between = cluster.heldAddresses();
        pod("c2", SECOND).del();

        assertThat(between).hasSize(1);
        assertThat(cluster.held()).isEmpty();
        assertThat(cluster.handles()).isZero();
    }

    @Test
    void delOfAMachinesPodThatIsGoneSucceeds() {
        pod("c1", "virt-launcher-db-zzzzz").del();
        pod("c1", FIRST).del();

        assertThat(cluster.held()).isEmpty();
    }

    @Test
    void whereAddressesDoNotStayWithMachinesAPodIsAContainer() {
        try (var elsewhere = new MemoryDatastore()) {
            CalicoIpamNode.put(
                    elsewhere,
                    new CalicoKey.OfConfig().text(),
                    "{\"strict_affinity\":false,\"auto_allocate_blocks\":true,"
                            + "\"kubeVirtVMAddressPersistence\":\"Disabled\"}");
            var document = store.get(StoredPods.PODS + "shop/" + FIRST).orElseThrow();
            CalicoIpamNode.put(elsewhere, document.key(), document.value().utf8());
            try (var other = CalicoIpamNode.on(elsewhere).withPool("four", "10.0.0.0/24", 26)) {
                var pod = other.pod("c1").args(pod("c1", FIRST).args());

                pod.add();
                var handle = other.held().getFirst().held().handle();
                pod.del();

                assertThat(handle).isEqualTo("net.c1");
                assertThat(other.held()).isEmpty();
            }
        }
    }

    @Test
    void twoInterfacesOfAMachineHaveTwoAddresses() {
        var first = pod("c1", FIRST).addresses();
        var second = pod("c1", FIRST).ifname("eth1").addresses();

        assertThat(second).isNotEqualTo(first);
        assertThat(pod("c2", FIRST).ifname("eth1").addresses()).isEqualTo(second);
        assertThat(cluster.held()).hasSize(2);
    }

    @Test
    void answerThatDoesNotArriveIsTakenBack() {
        var withdrawal = new Withdrawal();
        pod("c1", FIRST).answer(CniVerb.ADD, "", withdrawal);

        Undelivered.of(withdrawal);

        assertThat(cluster.held()).isEmpty();
        assertThat(cluster.handles()).isZero();
    }

    @Test
    void checkAsksForTheMachinesAddress() {
        var pod = pod("c1", FIRST);
        pod.add();

        var answer = pod.answer(CniVerb.CHECK);

        assertThat(answer.exitCode()).as(answer.stdout().utf8()).isZero();
    }

    @Test
    void collectionDisownsAndDoesNotRelease() {
        pod("c1", FIRST).add();

        var answer = cluster.pod("any").answer(CniVerb.GC, ",\"cni.dev/valid-attachments\":[]", new Withdrawal());

        assertThat(answer.exitCode()).as(answer.stdout().utf8()).isZero();
        assertThat(only().held().handle()).isEqualTo(HANDLE);
        assertThat(only().held().owner()).isEmpty();
    }
}
