package io.cadastre.agent.calico;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Address;
import io.cadastre.address.Family;
import io.cadastre.agent.Withdrawal;
import io.cadastre.agent.net.StoredPods;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.memory.MemoryJournal;
import io.cadastre.engine.Decision;
import io.cadastre.engine.block.BlockChange;
import io.cadastre.engine.block.BlockEngine;
import io.cadastre.engine.block.BlockView;
import io.cadastre.engine.block.assign.AddressAssignment;
import io.cadastre.engine.block.assign.AssignAddressRequest;
import io.cadastre.engine.block.assign.HeldAddress;
import io.cadastre.engine.block.assign.Requester;
import io.cadastre.registry.Ledger;
import io.cadastre.registry.Registrar;
import io.cadastre.registry.Request;
import io.cadastre.wire.calico.CalicoBook;
import io.cadastre.wire.calico.CalicoKey;
import io.cadastre.wire.cni.CniAnswer;
import io.cadastre.wire.cni.CniError;
import io.cadastre.wire.cni.CniResult;
import io.cadastre.wire.cni.CniVerb;
import io.cadastre.wire.cni.Namespaces;
import io.cadastre.wire.cni.StdinSource;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;

/// A store with pools in it, and calico-ipam on the node `node-1`.
final class CalicoIpamNode implements AutoCloseable {

    static final Instant NOW = Instant.parse("2026-01-02T03:04:05.600Z");

    private static final Duration REST = Duration.ofMillis(1);

    private final Datastore store;
    private final CalicoIpam ipam;
    private final Registrar<BlockView, BlockChange> beside;

    private CalicoIpamNode(Datastore store) {
        this.store = store;
        var clock = InstantSource.fixed(NOW);
        var ledger = new Ledger(new MemoryJournal());
        ipam = openOn(store, "node-1");
        beside = new Registrar<>(
                new CalicoBook(store, clock),
                ledger,
                Registrar.Limits.DEFAULT,
                clock,
                new SplittableRandom(2),
                _ -> {});
    }

    /// The plugin on a node, which the caller closes.
    static CalicoIpam openOn(Datastore store, String node) {
        return CalicoIpam.open(
                new AgentContext(
                        store,
                        new Ledger(new MemoryJournal()),
                        InstantSource.fixed(NOW),
                        new SplittableRandom(1),
                        CalicoIpamNode::rest),
                node,
                new StoredPods(store));
    }

    /// Short, but a rest: watches of a store that is away would otherwise keep every core from those who
    /// wait for a lock.
    private static void rest(Duration ignored) {
        LockSupport.parkNanos(REST.toNanos());
    }

    static CalicoIpamNode on(Datastore store) {
        return new CalicoIpamNode(store);
    }

    // ---- what is in the store ----

    CalicoIpamNode withPool(String name, String cidr, int blockSize) {
        return withPool(name, cidr, blockSize, "");
    }

    /// @param more further members of its `spec`, each after a comma
    CalicoIpamNode withPool(String name, String cidr, int blockSize, String more) {
        put(new CalicoKey.OfPool(name), """
            {"kind":"IPPool","apiVersion":"projectcalico.org/v3","metadata":{"name":"%s"},\
            "spec":{"cidr":"%s","blockSize":%d%s}}\
            """.formatted(name, cidr, blockSize, more));
        return this;
    }

    CalicoIpamNode withNode(String name) {
        put(new CalicoKey.OfNode(name), """
            {"kind":"Node","apiVersion":"projectcalico.org/v3","metadata":{"name":"%s"},"spec":{}}\
            """.formatted(name));
        return this;
    }

    CalicoIpamNode ready(boolean ready) {
        put(new CalicoKey.OfClusterInformation(), """
            {"kind":"ClusterInformation","apiVersion":"projectcalico.org/v3",\
            "metadata":{"name":"default"},"spec":{"datastoreReady":%s}}\
            """.formatted(ready));
        return this;
    }

    private void put(CalicoKey key, String json) {
        put(key.text(), json);
    }

    void put(String key, String json) {
        put(store, key, json);
    }

    static void put(Datastore store, String key, String json) {
        var value = Bytes.ofUtf8(json);
        var write = store.get(key)
                .<Write>map(former -> new Write.Update(key, value, former.revision()))
                .orElseGet(() -> new Write.Create(key, value));
        assertThat(store.commit(List.of(write))).isInstanceOf(Commit.Done.class);
    }

    /// Another process assigns the address to a handle, with no other attributes.
    void giveBeside(String address, String handle) {
        var request = AssignAddressRequest.of(Address.parse(address), "node-1", Requester.of(handle), NOW);
        var outcome = beside.enact(new Request<>("beside", view -> BlockEngine.assignAddress(view, request)));
        assertThat(outcome).isInstanceOf(AddressAssignment.Assigned.class);
    }

    /// All addresses that are held.
    List<HeldAddress> held() {
        return beside.explain(new Request<BlockView, BlockChange, List<HeldAddress>>("look", view -> {
                    var all = new ArrayList<HeldAddress>();
                    for (var family : Family.values()) {
                        view.blocks(family).stream().flatMap(HeldAddress::in).forEach(all::add);
                    }
                    return new Decision<>(List.copyOf(all), List.of(), List.of());
                }))
                .outcome();
    }

    List<String> heldAddresses() {
        return held().stream().map(held -> held.address().toString()).toList();
    }

    long handles() {
        return store.listAll("/calico/ipam/v2/handle/").documents().size();
    }

    // ---- what a runtime does ----

    /// A call of the plugin for one interface.
    ///
    /// @param ipam the `ipam` part of the configuration, and what follows it
    record Ring(CalicoIpamNode cluster, String container, String ifname, String args, String ipam) {

        Ring args(String other) {
            return new Ring(cluster, container, ifname, other, ipam);
        }

        Ring ifname(String other) {
            return new Ring(cluster, container, other, args, ipam);
        }

        Ring ipam(String other) {
            return new Ring(cluster, container, ifname, args, other);
        }

        CniAnswer answer(CniVerb verb) {
            return answer(verb, "", new Withdrawal());
        }

        CniAnswer answer(CniVerb verb, String more, Withdrawal withdrawal) {
            var config = """
                {"cniVersion": "1.1.0", "name": "net", "type": "bridge", "ipam": %s%s}\
                """.formatted(ipam, more);
            return cluster.answer(verb, container, ifname, args, config, withdrawal);
        }

        CniResult add() {
            var answer = answer(CniVerb.ADD);
            assertThat(answer.exitCode()).as(answer.stdout().utf8()).isZero();
            return CniResult.parse(answer.stdout());
        }

        List<String> addresses() {
            return add().ips().stream().map(ip -> ip.address().toString()).toList();
        }

        void del() {
            var answer = answer(CniVerb.DEL);
            assertThat(answer.stdout().utf8()).isEmpty();
            assertThat(answer.exitCode()).isZero();
        }

        CniError failure(CniVerb verb) {
            return failure(verb, "");
        }

        CniError failure(CniVerb verb, String more) {
            var answer = answer(verb, more, new Withdrawal());
            assertThat(answer.exitCode()).as(answer.stdout().utf8()).isEqualTo(1);
            return CniError.parse(answer.stdout());
        }
    }

    Ring pod(String container) {
        return new Ring(this, container, "eth0", "", "{\"type\": \"calico-ipam\"}");
    }

    CniAnswer answer(CniVerb verb, String container, String ifname, String args, String config, Withdrawal withdrawal) {
        var environment = new TreeMap<String, String>();
        environment.put("CNI_COMMAND", verb.name());
        environment.put("CNI_CONTAINERID", container);
        environment.put("CNI_NETNS", verb == CniVerb.DEL ? "" : "/var/run/netns/none");
        environment.put("CNI_IFNAME", ifname);
        environment.put("CNI_ARGS", args);
        environment.put("CNI_PATH", "/opt/cni/bin");
        return answer(environment, config, withdrawal);
    }

    private CniAnswer answer(Map<String, String> environment, String config, Withdrawal withdrawal) {
        return ipam.forCall(withdrawal)
                .answer(environment, StdinSource.of(Bytes.ofUtf8(config)), _ -> Namespaces.Relation.OTHER);
    }

    @Override
    public void close() {
        ipam.close();
    }
}
