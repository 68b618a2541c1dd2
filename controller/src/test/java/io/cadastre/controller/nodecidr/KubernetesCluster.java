package io.cadastre.controller.nodecidr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.controller.nodecidr.NodeIpamSettings.AllocatorType.Range;
import io.cadastre.controller.nodecidr.NodeServer.Patch;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.engine.nodecidr.NodeCidrConfig;
import io.cadastre.engine.nodecidr.clustercidr.ClusterCidr;
import io.cadastre.engine.nodecidr.clustercidr.ClusterCidrSpec;
import io.cadastre.engine.nodecidr.clustercidr.NodeSelector;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.kubernetes.CoreKeys;
import io.cadastre.wire.kubernetes.NodeObject;
import io.cadastre.wire.kubernetes.clustercidr.ClusterCidrDocument;
import io.cadastre.wire.kubernetes.clustercidr.ClusterCidrGroup;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// Nodes in memory under the rules of an API server, and the allocators that work for them.
final class KubernetesCluster implements AutoCloseable {

    private static final ClusterCidrGroup GROUP = ClusterCidrGroup.CUSTOM;
    private static final Duration POLL = Duration.ofMillis(5);

    private final MemoryDatastore store = new MemoryDatastore();
    private final NodeServer server = new NodeServer(store);
    private final List<RunningAllocator> allocators = new ArrayList<>();

    NodeServer server() {
        return server;
    }

    /// An allocator that may give CIDRs now.
    RunningAllocator allocator(NodeCidrConfig config) {
        return added(RunningAllocator.leading(store, server, config));
    }

    /// An allocator that has listed all Nodes and is not elected.
    RunningAllocator waitingAllocator(NodeCidrConfig config, int writersMax) {
        return added(RunningAllocator.waiting(store, server, new NodeIpamSettings(new Range(config), writersMax)));
    }

    /// An allocator of this type that has listed all that it follows and is not elected.
    RunningAllocator waitingAllocator(NodeIpamSettings.AllocatorType type, int writersMax) {
        return added(RunningAllocator.waiting(store, server, new NodeIpamSettings(type, writersMax)));
    }

    private RunningAllocator added(RunningAllocator allocator) {
        allocators.add(allocator);
        return allocator;
    }

    void addNode(String name, String... podCidrs) {
        var json = Json.emptyObject().put("apiVersion", "v1").put("kind", "Node");
        json.putObject("metadata").put("name", name).put("uid", "uid-of-" + name);
        putCidrs(json.putObject("spec"), List.of(podCidrs));
        commit(new Write.Create(NodeObject.key(name), Json.write(json)));
    }

    /// One of blocks of 256 addresses for all Nodes, without a finalizer.
    void addClusterCidr(String name, String range) {
        var clusterCidr = ClusterCidr.of(name, new ClusterCidrSpec(8, range, "", new NodeSelector.Absent()));
        var document = ClusterCidrDocument.create(GROUP, clusterCidr, Instant.EPOCH);
        commit(new Write.Create(document.key(), document.encode()));
    }

    void removeClusterCidr(String name) {
        var found = store.get(GROUP.key(name)).orElseThrow();
        commit(new Write.Delete(found.key(), found.revision()));
    }

    /// The names of the ClusterCIDRs that there are.
    List<String> clusterCidrs() {
        return store.listAll(GROUP.keys()).documents().stream()
                .map(document -> document.key().substring(GROUP.keys().length()))
                .toList();
    }

    void awaitClusterCidrs(String... names) {
        await().atMost(RunningAllocator.PATIENCE)
                .pollInterval(POLL)
                .untilAsserted(() -> assertThat(clusterCidrs()).containsExactly(names));
    }

    /// Whether the ClusterCIDR has the finalizer of its group.
    boolean hasFinalizer(String clusterCidr) {
        return ClusterCidrDocument.decode(store.get(GROUP.key(clusterCidr)).orElseThrow())
                .clusterCidr()
                .finalizer();
    }

    void addUnreadableNode(String name) {
        commit(new Write.Create(NodeObject.key(name), Bytes.ofUtf8("[]")));
    }

    /// From now on the Node cannot be read.
    void spoilNode(String name) {
        commit(new Write.Update(
                NodeObject.key(name), Bytes.ofUtf8("[]"), document(name).revision()));
    }

    private static void putCidrs(ObjectNode spec, List<String> podCidrs) {
        if (!podCidrs.isEmpty()) {
            spec.put("podCIDR", podCidrs.getFirst());
            var list = spec.putArray("podCIDRs");
            podCidrs.forEach(list::add);
        }
    }

    void removeNode(String name) {
        commit(new Write.Delete(NodeObject.key(name), document(name).revision()));
    }

    /// Another writer sets the CIDRs of a Node.
    void setCidrs(String name, String... podCidrs) {
        change(name, json -> putCidrs((ObjectNode) json.get("spec"), List.of(podCidrs)));
    }

    /// A finalizer keeps the Node.
    void beginDeletion(String name) {
        change(name, json -> ((ObjectNode) json.get("metadata")).put("deletionTimestamp", "2026-01-02T03:04:05Z"));
    }

    /// A kubelet reports.
    void touch(String name, int time) {
        change(name, json -> json.putObject("status").put("time", time));
    }

    private void change(String name, Consumer<ObjectNode> change) {
        var found = document(name);
        var json = Json.readObject(found.key(), found.value());
        change.accept(json);
        commit(new Write.Update(found.key(), Json.write(json), found.revision()));
    }

    private void commit(Write write) {
        assertThat(store.commit(List.of(write))).isInstanceOf(Commit.Done.class);
    }

    private Document document(String name) {
        return store.get(NodeObject.key(name)).orElseThrow(() -> new AssertionError("no node " + name));
    }

    /// What the Node has in the store.
    List<String> cidrs(String name) {
        return NodeObject.read(document(name)).podCidrs();
    }

    void awaitCidrs(String name, String... podCidrs) {
        await().atMost(RunningAllocator.PATIENCE)
                .pollInterval(POLL)
                .untilAsserted(() -> assertThat(cidrs(name)).as(name).containsExactly(podCidrs));
    }

    void awaitAnyCidrs(String name) {
        await().atMost(RunningAllocator.PATIENCE)
                .pollInterval(POLL)
                .until(() -> !cidrs(name).isEmpty());
    }

    /// Returns when the allocator has done all that follows from what happened before. A new Node gets its CIDRs last.
    void settle(RunningAllocator allocator) {
        addNode("last");
        awaitAnyCidrs("last");
        allocator.awaitIdle();
    }

    /// The events about a Node.
    List<ObjectNode> events(String node) {
        return store.listAll(CoreKeys.EVENTS).documents().stream()
                .map(document -> Json.readObject(document.key(), document.value()))
                .filter(event ->
                        event.path("involvedObject").path("name").asText().equals(node))
                .toList();
    }

    List<String> reasons(String node) {
        return events(node).stream().map(event -> event.path("reason").asText()).toList();
    }

    /// How many times the events about a Node say that they happened.
    long eventCount(String node) {
        var reader = new Fields(node);
        return events(node).stream()
                .mapToLong(event -> reader.count(event, "count"))
                .sum();
    }

    void awaitEvent(String node, String reason) {
        await().atMost(RunningAllocator.PATIENCE)
                .pollInterval(POLL)
                .untilAsserted(() -> assertThat(reasons(node)).contains(reason));
    }

    /// The Nodes that were patched, in order.
    List<String> patched() {
        return server.patches().stream().map(Patch::node).toList();
    }

    /// The body of a patch, as kube-controller-manager writes it.
    static String body(String... podCidrs) {
        return "{\"spec\":{\"podCIDR\":\"%s\",\"podCIDRs\":[%s]}}"
                .formatted(
                        podCidrs[0],
                        String.join(
                                ",",
                                Stream.of(podCidrs).map("\"%s\""::formatted).toList()));
    }

    @Override
    public void close() {
        server.openGate();
        allocators.forEach(RunningAllocator::close);
        store.close();
    }
}
