package io.cadastre.controller.collection;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Address;
import io.cadastre.address.Family;
import io.cadastre.controller.ControllerContext;
import io.cadastre.controller.ManualTime;
import io.cadastre.controller.collection.Collector.Outcome;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.memory.MemoryJournal;
import io.cadastre.engine.Decision;
import io.cadastre.engine.block.Attempts;
import io.cadastre.engine.block.Attribute.Held;
import io.cadastre.engine.block.Block;
import io.cadastre.engine.block.BlockChange;
import io.cadastre.engine.block.BlockEngine;
import io.cadastre.engine.block.BlockView;
import io.cadastre.engine.block.assign.AddressAssignment;
import io.cadastre.engine.block.assign.AssignAddressRequest;
import io.cadastre.engine.block.assign.Requester;
import io.cadastre.engine.block.collect.BlockCollector.Scope;
import io.cadastre.registry.Ledger;
import io.cadastre.registry.Registrar;
import io.cadastre.registry.Request;
import io.cadastre.wire.calico.CalicoBook;
import io.cadastre.wire.calico.CalicoKey;
import io.cadastre.wire.calico.endpoint.EndpointKeys;
import io.cadastre.wire.calico.endpoint.EndpointName;
import io.cadastre.wire.kubernetes.NodeBook;
import io.cadastre.wire.pages.Metric;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A cluster in a store, and a collector that looks at it when a test says so.
///
/// There is one node, `home`, with one pod that lives: a store without any is not looked at.
final class CollectorCluster {

    static final Duration GRACE = Duration.ofSeconds(5);

    private final Datastore store;
    private final ManualTime time = new ManualTime();
    private final List<String> reports = new ArrayList<>();
    private final Ledger ledger = new Ledger(new MemoryJournal());
    private final ClusterSource source;
    private final ClusterState state;
    private final Registrar<BlockView, BlockChange> beside;
    private Collector collector;

    CollectorCluster(Datastore store) {
        this(store, ClusterSource.CALICO_AND_KUBERNETES);
    }

    /// @param source what the collector knows of pods and nodes
    CollectorCluster(Datastore store, ClusterSource source) {
        this.store = store;
        this.source = source;
        this.state = new ClusterState(source, _ -> {});
        var context = context();
        this.beside = context.registrar(new CalicoBook(store, time));
        this.collector = new Collector(context, source);
        node("home");
        pod("kube-system/dns", "home", "192.0.2.1");
    }

    private ControllerContext context() {
        return new ControllerContext(store, ledger, time, time, new SplittableRandom(1), _ -> {}, reports::add);
    }

    Ledger ledger() {
        return ledger;
    }

    List<String> reports() {
        return reports;
    }

    // ---- what is in the store ----

    void put(String key, String json) {
        var value = Bytes.ofUtf8(json);
        var write = store.get(key)
                .<Write>map(former -> new Write.Update(key, value, former.revision()))
                .orElseGet(() -> new Write.Create(key, value));
        assertThat(store.commit(List.of(write))).isInstanceOf(Commit.Done.class);
    }

    void drop(String key) {
        store.get(key)
                .ifPresent(former -> assertThat(store.commit(List.of(new Write.Delete(key, former.revision()))))
                        .isInstanceOf(Commit.Done.class));
    }

    boolean has(String key) {
        return store.get(key).isPresent();
    }

    CollectorCluster pool(String name, String cidr, int blockSize) {
        put(new CalicoKey.OfPool(name).text(), """
            {"kind":"IPPool","apiVersion":"projectcalico.org/v3","metadata":{"name":"%s"},\
            "spec":{"cidr":"%s","blockSize":%d,"nodeSelector":"all()"}}\
            """.formatted(name, cidr, blockSize));
        return this;
    }

    CollectorCluster reservation(String name, String cidr) {
        put(new CalicoKey.OfReservation(name).text(), """
            {"kind":"IPReservation","apiVersion":"projectcalico.org/v3",\
            "metadata":{"name":"%s"},"spec":{"reservedCIDRs":["%s"]}}\
            """.formatted(name, cidr));
        return this;
    }

    CollectorCluster cooldown(int seconds) {
        put(new CalicoKey.OfConfig().text(), """
            {"strict_affinity":false,"auto_allocate_blocks":true,"ipCooldownSeconds":%d}\
            """.formatted(seconds));
        return this;
    }

    CollectorCluster ready(boolean ready) {
        put(new CalicoKey.OfClusterInformation().text(), """
            {"kind":"ClusterInformation","apiVersion":"projectcalico.org/v3",\
            "metadata":{"name":"default"},"spec":{"datastoreReady":%s}}\
            """.formatted(ready));
        return this;
    }

    /// A node of Kubernetes and of Calico.
    CollectorCluster node(String name) {
        calicoNode(name, "{\"orchRefs\":[{\"orchestrator\":\"k8s\",\"nodeName\":\"%s\"}]}".formatted(name));
        kubernetesNode(name, "{}");
        return this;
    }

    void calicoNode(String name, String spec) {
        put(new CalicoKey.OfNode(name).text(), """
            {"kind":"Node","apiVersion":"projectcalico.org/v3","metadata":{"name":"%s"},"spec":%s}\
            """.formatted(name, spec));
    }

    void kubernetesNode(String name, String labels) {
        put(NodeBook.NODES + name, """
            {"apiVersion":"v1","kind":"Node","metadata":{"name":"%s","labels":%s}}\
            """.formatted(name, labels));
    }

    /// Kubernetes no longer has the node.
    void nodeDies(String name) {
        drop(NodeBook.NODES + name);
    }

    private static String podKey(String name) {
        return "/cadastre/api/v1/pods/" + name;
    }

    /// A pod that runs. Without addresses it has not reported any yet.
    void pod(String name, String node, String... addresses) {
        peculiarPod(name, node, "\"phase\":\"Running\"", "{}", addresses);
    }

    /// @param phase members of its status
    void peculiarPod(String name, String node, String phase, String annotations, String... addresses) {
        var all = Stream.of(addresses).map("{\"ip\":\"%s\"}"::formatted).collect(Collectors.joining(","));
        var reported = addresses.length == 0 ? "" : ",\"podIP\":\"%s\",\"podIPs\":[%s]".formatted(addresses[0], all);
        int slash = name.indexOf('/');
        put(podKey(name), """
            {"apiVersion":"v1","kind":"Pod","metadata":{"namespace":"%s","name":"%s",\
            "annotations":%s},"spec":{"nodeName":"%s"},"status":{%s%s}}\
            """.formatted(
                        name.substring(0, slash), name.substring(slash + 1), annotations, node, phase, reported));
    }

    void podDies(String name) {
        drop(podKey(name));
    }

    private static String endpointKey(String pod, String node) {
        int slash = pod.indexOf('/');
        return EndpointKeys.endpoint(
                pod.substring(0, slash), new EndpointName(node, "k8s", pod.substring(slash + 1), "eth0"));
    }

    /// The record of a pod's interface, as Calico's plugin leaves it in etcd.
    void endpoint(String pod, String node, String address) {
        put(endpointKey(pod, node), """
            {"kind":"WorkloadEndpoint","apiVersion":"projectcalico.org/v3",\
            "spec":{"orchestrator":"k8s","node":"%s","endpoint":"eth0","ipNetworks":["%s/32"]}}\
            """.formatted(node, address));
    }

    void endpointGoes(String pod, String node) {
        drop(endpointKey(pod, node));
    }

    // ---- who holds what ----

    /// A pod on a node is given an address.
    void give(String address, String pod, String node) {
        int slash = pod.indexOf('/');
        give(
                address,
                "net." + pod.replace('/', '-'),
                node,
                "namespace",
                pod.substring(0, slash),
                "pod",
                pod.substring(slash + 1),
                "node",
                node);
    }

    void giveTunnel(String address, String node) {
        give(address, "vxlan-tunnel-addr-" + node, node, "node", node, "type", "vxlanTunnelAddress");
    }

    void give(String address, String handle, String node, String... attributes) {
        var owner = new TreeMap<String, String>();
        for (int index = 0; index < attributes.length; index += 2) {
            owner.put(attributes[index], attributes[index + 1]);
        }
        var request =
                AssignAddressRequest.of(Address.parse(address), node, Requester.of(handle, owner), time.instant());
        var outcome = beside.enact(new Request<>("give", view -> BlockEngine.assignAddress(view, request)));
        assertThat(outcome).isInstanceOf(AddressAssignment.Assigned.class);
    }

    void release(String handle) {
        beside.enact(new Request<>(
                "release", view -> BlockEngine.releaseByHandle(view, handle, Attempts.first(time.instant()))));
    }

    private List<Block> stored() {
        return beside.explain(new Request<BlockView, BlockChange, List<Block>>("look", view -> {
                    var all = new ArrayList<Block>();
                    for (var family : Family.values()) {
                        all.addAll(view.blocks(family));
                    }
                    return new Decision<>(List.copyOf(all), List.of(), List.of());
                }))
                .outcome();
    }

    /// The addresses that are held.
    List<String> held() {
        var addresses = new TreeSet<Address>();
        for (var block : stored()) {
            for (int ordinal = 0; ordinal < block.size(); ordinal++) {
                if (block.attribute(ordinal).filter(Held.class::isInstance).isPresent()) {
                    addresses.add(block.address(ordinal));
                }
            }
        }
        return addresses.stream().map(Address::toString).toList();
    }

    List<String> blocks() {
        return stored().stream().map(block -> block.cidr().toString()).sorted().toList();
    }

    int freeIn(String cidr) {
        return stored().stream()
                .filter(block -> block.cidr().toString().equals(cidr))
                .mapToInt(Block::freeCount)
                .sum();
    }

    List<String> handles() {
        return store.listAll("/calico/ipam/v2/handle/").documents().stream()
                .map(document -> document.key().substring("/calico/ipam/v2/handle/".length()))
                .toList();
    }

    // ---- the collector ----

    void pass(Duration duration) {
        time.pass(duration);
    }

    void graceHasPassed() {
        pass(GRACE.plusMillis(1));
    }

    /// The watches catch up with the store.
    void catchUp() {
        for (var subject : source.followed()) {
            state.begin(subject);
            state.fill(subject, store.listAll(subject.prefix()).documents());
            state.complete(subject);
        }
    }

    /// The collector looks at everything, and knows it.
    Outcome look() {
        return look(GRACE);
    }

    Outcome look(Duration grace) {
        catchUp();
        return lookAtReportedState(grace);
    }

    /// The collector looks at everything as it was when the watches last caught up.
    Outcome lookAtReportedState(Duration grace) {
        return collector.collect(state.snapshot().orElseThrow(), new Scope.Everything(), grace);
    }

    /// The collector looks at those nodes only that are named.
    Outcome lookAt(String... nodes) {
        catchUp();
        return collector.collect(state.snapshot().orElseThrow(), new Scope.Nodes(new TreeSet<>(List.of(nodes))), GRACE);
    }

    /// Another process takes over, which remembers nothing.
    void newTerm() {
        collector = new Collector(context(), source);
    }

    /// The figures with this name, as they are shown.
    List<String> figures(String name) {
        var metrics = collector.figures(state.snapshot().orElseThrow()).stream()
                .filter(metric -> metric.name().equals(name))
                .toList();
        return Metric.text(metrics)
                .lines()
                .filter(line -> !line.startsWith("#"))
                .toList();
    }

    String allFigures() {
        return Metric.text(collector.figures(state.snapshot().orElseThrow()));
    }
}
