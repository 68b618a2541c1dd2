package io.cadastre.agent.spiderpool;

import static io.cadastre.agent.spiderpool.PoolAgentFixture.add;
import static io.cadastre.agent.spiderpool.PoolAgentFixture.all;
import static io.cadastre.agent.spiderpool.PoolAgentFixture.del;
import static io.cadastre.agent.spiderpool.PoolAgentFixture.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.cadastre.address.Address;
import io.cadastre.agent.spiderpool.SpiderpoolAgentException.Reason;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.ForwardingDatastore;
import io.cadastre.wire.kubernetes.CoreKeys;
import io.cadastre.wire.spiderpool.PodIdentity;
import io.cadastre.wire.spiderpool.objects.SpiderKeys;
import io.cadastre.wire.spiderpool.settings.SpiderpoolSwitch;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Pods of StatefulSets and of virtual machines keep their addresses.
@Timeout(120)
class SuccessionsTest {

    private static final String SETS = "/cadastre/apis/apps/v1/statefulsets/ns1/";
    private static final String INSTANCES = "/cadastre/apis/kubevirt.io/v1/virtualmachineinstances/ns1/";
    private static final String MACHINES = "/cadastre/apis/kubevirt.io/v1/virtualmachines/ns1/";
    private static final String MIGRATIONS = "/cadastre/apis/kubevirt.io/v1/virtualmachineinstancemigrations/ns1/";
    private static final String[] SET = {"apps/v1", "StatefulSet", "s"};
    private static final String[] INSTANCE = {"kubevirt.io/v1", "VirtualMachineInstance", "vm1"};

    private final PoolAgentFixture cluster = new PoolAgentFixture();
    private final PoolAgent agent = cluster.agent();

    @BeforeEach
    void pools() {
        cluster.pool("a", "{\"subnet\":\"10.1.0.0/16\",\"ips\":[\"10.1.0.101-10.1.0.110\"]}");
        cluster.pool("b", "{\"subnet\":\"10.2.0.0/16\",\"ips\":[\"10.2.0.101-10.2.0.110\"]}");
    }

    private void set(int replicas) {
        cluster.put(SETS + "s", "{\"kind\":\"StatefulSet\",\"spec\":{\"replicas\":%d}}".formatted(replicas));
    }

    /// Its deletion, and the DEL of its network.
    private void end(String pod, String uid, String... owner) {
        cluster.deleting(pod, uid, "a", owner);
        agent.release(del(pod, uid));
        cluster.remove(CoreKeys.PODS + "ns1/" + pod);
        agent.release(del(pod, uid));
    }

    @Test
    @DisplayName("C72: the pods of a StatefulSet keep their addresses when they are deleted")
    void podsOfAStatefulSetKeepTheirAddresses() {
        set(2);
        cluster.pod("s-0", "u1", "a", SET);
        cluster.pod("s-1", "u2", "a", SET);
        given(agent, "s-0", "u1");
        given(agent, "s-1", "u2");
        end("s-0", "u1", SET);
        end("s-1", "u2", SET);

        cluster.pod("s-1", "u4", "a", SET);
        var second = given(agent, "s-1", "u4");
        cluster.pod("s-0", "u3", "a", SET);
        var first = given(agent, "s-0", "u3");

        assertThat(first).containsExactly("10.1.0.101/16");
        assertThat(second).containsExactly("10.1.0.102/16");
        assertThat(cluster.records("a"))
                .isEqualTo("{\"10.1.0.101\":{\"pod\":\"ns1/s-0\",\"podUid\":\"u3\"},"
                        + "\"10.1.0.102\":{\"pod\":\"ns1/s-1\",\"podUid\":\"u4\"}}");
        var endpoint = cluster.json(SpiderKeys.ENDPOINTS + "ns1/s-0");
        assertThat(endpoint.at("/status/current/uid").asText()).isEqualTo("u3");
        assertThat(endpoint.at("/status/ownerControllerType").asText()).isEqualTo("StatefulSet");
        assertThat(endpoint.at("/metadata/ownerReferences").isMissingNode()).isTrue();
    }

    @Test
    @DisplayName("C73: a pod beyond the replicas gives back, the others keep")
    void podBeyondTheReplicasGivesBack() {
        set(3);
        for (int ordinal = 0; ordinal < 3; ordinal++) {
            cluster.pod("s-" + ordinal, "u" + ordinal, "a", SET);
            given(agent, "s-" + ordinal, "u" + ordinal);
        }

        set(2);
        end("s-2", "u2", SET);
        end("s-1", "u1", SET);

        assertThat(cluster.records("a")).contains("ns1/s-0", "ns1/s-1").doesNotContain("ns1/s-2");
        assertThat(cluster.hasEndpoint("s-2")).isFalse();
        assertThat(cluster.hasEndpoint("s-1")).isTrue();
    }

    @Test
    @DisplayName("C74: the pods of a StatefulSet that is deleted give back")
    void podsOfADeletedStatefulSetGiveBack() {
        set(1);
        cluster.pod("s-0", "u1", "a", SET);
        given(agent, "s-0", "u1");

        cluster.remove(SETS + "s");
        end("s-0", "u1", SET);

        assertThat(cluster.records("a")).isEmpty();
        assertThat(cluster.hasEndpoint("s-0")).isFalse();
    }

    @Test
    @DisplayName("C75: a pod whose template names another pool gets an address of it")
    void podWithAnotherPoolMoves() {
        set(1);
        cluster.pod("s-0", "u1", "a", SET);
        given(agent, "s-0", "u1");
        end("s-0", "u1", SET);

        cluster.pod("s-0", "u2", "b", SET);
        var moved = given(agent, "s-0", "u2");

        assertThat(moved).containsExactly("10.2.0.101/16");
        assertThat(cluster.records("a")).isEmpty();
    }

    @Test
    @DisplayName("C77: with ordinals from 2 and one replica, s-2 is expected and s-0 is not")
    void ordinalsStartWhereTheStatefulSetSays() {
        cluster.put(SETS + "s", "{\"kind\":\"StatefulSet\",\"spec\":{\"replicas\":1,\"ordinals\":{\"start\":2}}}");
        for (var name : new String[] {"s-0", "s-2"}) {
            cluster.pod(name, "uid-of-" + name, "a", SET);
            given(agent, name, "uid-of-" + name);
            end(name, "uid-of-" + name, SET);
        }

        assertThat(cluster.hasEndpoint("s-0")).isFalse();
        assertThat(cluster.hasEndpoint("s-2")).isTrue();
    }

    @Test
    @DisplayName("C78: with enableStatefulSet off its pods are served like any others")
    void podsAreServedLikeOthersIfSetSo() {
        set(1);
        var plain = cluster.agent(EnumSet.noneOf(SpiderpoolSwitch.class));
        cluster.pod("s-0", "u1", "a", SET);
        given(plain, "s-0", "u1");
        cluster.pod("s-0", "u2", "a", SET);

        var given = given(plain, "s-0", "u2");

        assertThat(given).containsExactly("10.1.0.102/16");
        var endpoint = cluster.json(SpiderKeys.ENDPOINTS + "ns1/s-0");
        assertThat(endpoint.at("/metadata/ownerReferences/0/uid").asText()).isEqualTo("u2");
    }

    @Test
    @DisplayName("C79: the pods of a third party's StatefulSet are served like any others")
    void thirdPartysStatefulSetKeepsNothing() {
        set(1);
        var kruise = new String[] {"apps.kruise.io/v1beta1", "StatefulSet", "s"};
        cluster.pod("s-0", "u1", "a", kruise);
        given(agent, "s-0", "u1");

        end("s-0", "u1", kruise);

        assertThat(cluster.records("a")).isEmpty();
        assertThat(cluster.hasEndpoint("s-0")).isFalse();
    }

    @Test
    @DisplayName("C80: the next pod of a virtual machine has its address")
    void nextPodOfAMachineHasItsAddress() {
        cluster.put(INSTANCES + "vm1", "{\"kind\":\"VirtualMachineInstance\",\"metadata\":{\"name\":\"vm1\"}}");
        cluster.pod("virt-launcher-vm1-a", "u1", "a", INSTANCE);
        given(agent, "virt-launcher-vm1-a", "u1");
        end("virt-launcher-vm1-a", "u1", INSTANCE);

        cluster.pod("virt-launcher-vm1-b", "u2", "b", INSTANCE);
        var given = given(agent, "virt-launcher-vm1-b", "u2");

        assertThat(given).containsExactly("10.1.0.101/16");
        assertThat(cluster.records("a")).isEqualTo("{\"10.1.0.101\":{\"pod\":\"ns1/vm1\",\"podUid\":\"u2\"}}");
        var told = agent.findEndpoint(new PodIdentity("ns1", "virt-launcher-vm1-b", ""))
                .orElseThrow();
        assertThat(told.pod()).isEqualTo(new PodIdentity("ns1", "virt-launcher-vm1-b", "u2"));
        assertThat(told.addresses("eth0")).hasSize(1);
    }

    @Test
    @DisplayName("C82: an instance that ends, without a virtual machine, has no successor; with one it has")
    void instanceThatEndsHasASuccessorOnlyWithAMachine() {
        var ending = """
            {"kind":"VirtualMachineInstance","metadata":{"name":"vm1","deletionTimestamp":"2026-11-15T08:20:13Z",
             "ownerReferences":[%s]}}
            """;
        var owner =
                "{\"apiVersion\":\"kubevirt.io/v1\",\"kind\":\"VirtualMachine\",\"name\":\"vm1\",\"controller\":true}";
        cluster.put(INSTANCES + "vm1", ending.formatted(owner));
        cluster.put(MACHINES + "vm1", "{\"kind\":\"VirtualMachine\",\"metadata\":{\"name\":\"vm1\"}}");
        cluster.pod("virt-launcher-vm1-a", "u1", "a", INSTANCE);
        given(agent, "virt-launcher-vm1-a", "u1");

        cluster.deleting("virt-launcher-vm1-a", "u1", "a", INSTANCE);
        agent.release(del("virt-launcher-vm1-a", "u1"));
        boolean withMachine = cluster.hasEndpoint("vm1");
        cluster.put(INSTANCES + "vm1", ending.formatted(""));
        agent.release(del("virt-launcher-vm1-a", "u1"));

        assertThat(withMachine).isTrue();
        assertThat(cluster.hasEndpoint("vm1")).isFalse();
        assertThat(cluster.records("a")).isEmpty();
    }

    @Test
    @DisplayName("C129: conflicts of the target of a live migration are not looked for")
    void conflictsOfAMigratingMachineAreNotLookedFor() {
        var detecting = cluster.agent(EnumSet.allOf(SpiderpoolSwitch.class));
        cluster.pod("virt-launcher-vm1-a", "u1", "a", INSTANCE);
        cluster.annotate("virt-launcher-vm1-a", "kubevirt.io/migrationJobName", "job");

        var before = detecting
                .allocate(add("virt-launcher-vm1-a", "u1", "eth0"))
                .ips()
                .getFirst();
        cluster.put(MIGRATIONS + "job", "{\"kind\":\"VirtualMachineInstanceMigration\"}");
        var migrating = detecting
                .allocate(add("virt-launcher-vm1-a", "u1", "eth0"))
                .ips()
                .getFirst();

        assertThat(before.detectsConflict()).isTrue();
        assertThat(migrating.detectsConflict()).isFalse();
        assertThat(migrating.detectsGateway()).isTrue();
    }

    @Test
    void migratingMachineKeepsItsAddressWhenItsTargetFindsItOfNoUse() {
        cluster.pod("virt-launcher-vm1-a", "u1", "a", INSTANCE);
        given(agent, "virt-launcher-vm1-a", "u1");
        cluster.pod("virt-launcher-vm1-b", "u2", "a", INSTANCE);
        cluster.annotate("virt-launcher-vm1-b", "kubevirt.io/migrationJobName", "job");
        cluster.put(MIGRATIONS + "job", "{\"kind\":\"VirtualMachineInstanceMigration\"}");
        given(agent, "virt-launcher-vm1-b", "u2");

        var refused = catchThrowableOfType(
                SpiderpoolAgentException.class, () -> agent.releaseAll(all("virt-launcher-vm1-b", "u2", false)));
        var bySocket = catchThrowableOfType(
                SpiderpoolAgentException.class,
                () -> agent.releaseUnexplained(all("virt-launcher-vm1-b", "u2", false)));

        assertThat(refused.reason()).isEqualTo(Reason.REFUSED);
        assertThat(refused.words()).contains("virt-launcher-vm1-b", "live migration");
        assertThat(bySocket.reason()).isEqualTo(Reason.REFUSED);
        assertThat(cluster.records("a")).isEqualTo("{\"10.1.0.101\":{\"pod\":\"ns1/vm1\",\"podUid\":\"u2\"}}");
        assertThat(cluster.json(SpiderKeys.ENDPOINTS + "ns1/vm1").at("/status/current/ips"))
                .hasSize(1);
    }

    @Test
    void addOfAPodWhoseSuccessorIsThereTakesNothing() {
        set(1);
        cluster.pod("s-0", "u1", "a", SET);
        given(agent, "s-0", "u1");
        cluster.pod("s-0", "u2", "a", SET);
        var late = cluster.agentOn(new BeforeEndpoints(cluster.store, () -> {
            cluster.pod("s-0", "u3", "a", SET);
            given(agent, "s-0", "u3");
        }));

        var refused = catchThrowableOfType(SpiderpoolAgentException.class, () -> given(late, "s-0", "u2"));

        assertThat(refused.words()).contains("dead Pod ns1/s-0");
        assertThat(cluster.records("a")).isEqualTo("{\"10.1.0.101\":{\"pod\":\"ns1/s-0\",\"podUid\":\"u3\"}}");
        assertThat(cluster.json(SpiderKeys.ENDPOINTS + "ns1/s-0")
                        .at("/status/current/uid")
                        .asText())
                .isEqualTo("u3");
    }

    /// A store in which something happens before an endpoint is read for the first time.
    private static final class BeforeEndpoints implements ForwardingDatastore {

        private final Datastore store;
        private Optional<Runnable> event;

        BeforeEndpoints(Datastore store, Runnable event) {
            this.store = store;
            this.event = Optional.of(event);
        }

        @Override
        public Map<String, Document> getAll(List<String> keys) {
            if (keys.stream().anyMatch(key -> key.startsWith(SpiderKeys.ENDPOINTS))) {
                var now = event;
                event = Optional.empty();
                now.ifPresent(Runnable::run);
            }
            return store.getAll(keys);
        }

        @Override
        public Datastore store() {
            return store;
        }
    }

    @Test
    void detectionIsAskedForAsItIsSet() {
        cluster.pod("x", "u1", "a");

        var none = agent.allocate(add("x", "u1", "eth0")).ips().getFirst();
        var conflict = cluster.agent(Set.of(SpiderpoolSwitch.CONFLICT_DETECTION))
                .allocate(add("x", "u1", "eth0"))
                .ips()
                .getFirst();

        assertThat(none.detectsConflict() || none.detectsGateway()).isFalse();
        assertThat(conflict.detectsConflict()).isTrue();
        assertThat(conflict.detectsGateway()).isFalse();
    }

    @Test
    @DisplayName("C125: after a conflict a pod of a StatefulSet loses all it has, and is given another address")
    void conflictTakesTheAddressOfAStatefulPodToo() {
        set(1);
        cluster.pod("s-0", "u1", "a", SET);
        given(agent, "s-0", "u1");
        agent.noteConflict(new PodIdentity("ns1", "s-0", "u1"), Address.parse("10.1.0.101"));

        agent.releaseAll(all("s-0", "u1", false));
        var endpoint = cluster.json(SpiderKeys.ENDPOINTS + "ns1/s-0");
        var again = given(agent, "s-0", "u1");

        assertThat(endpoint.at("/status/current/ips")).isEmpty();
        assertThat(again).containsExactly("10.1.0.102/16");
    }

    @Test
    void forcedReleaseByOthersIsForbiddenForStatefulPods() {
        set(1);
        cluster.pod("s-0", "u1", "a", SET);
        given(agent, "s-0", "u1");
        var strict = cluster.agent(PoolAgentSettings.of(Map.of("SPIDERPOOL_ENABLED_RELEASE_CONFLICT_IPS", "false")));

        var stateful =
                catchThrowableOfType(SpiderpoolAgentException.class, () -> agent.releaseAll(all("s-0", "u1", true)));
        var any = catchThrowableOfType(SpiderpoolAgentException.class, () -> strict.releaseAll(all("s-0", "u1", true)));

        assertThat(stateful.reason()).isEqualTo(Reason.STATEFUL_RELEASE_FORBIDDEN);
        assertThat(stateful.words()).isEqualTo("forbid releasing IPs for stateful workload ");
        assertThat(any.reason()).isEqualTo(Reason.STATELESS_RELEASE_FORBIDDEN);
        assertThat(any.words()).isEqualTo("forbid releasing IPs for stateless workload");
        assertThat(cluster.records("a")).contains("ns1/s-0");
    }
}
