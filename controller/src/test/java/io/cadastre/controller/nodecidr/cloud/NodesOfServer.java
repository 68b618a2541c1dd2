package io.cadastre.controller.nodecidr.cloud;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.controller.nodecidr.NodeWriter;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Write;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.kubernetes.CoreKeys;
import io.cadastre.wire.kubernetes.MachineNode;
import io.cadastre.wire.kubernetes.NodeObject;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// The Nodes of a store, written by the rules of an API server: CIDRs can be set once.
final class NodesOfServer implements NodeWriter {

    private final Datastore store;
    private final List<String> patches = new ArrayList<>();
    private final Deque<Commit> lost = new ArrayDeque<>();
    private final Deque<DatastoreException> refusals = new ArrayDeque<>();

    private volatile Runnable beforeStatus = () -> {};

    NodesOfServer(Datastore store) {
        this.store = store;
    }

    void register(String name, String providerId, String... podCidrs) {
        var json = Json.emptyObject().put("kind", "Node").put("apiVersion", "v1");
        json.putObject("metadata").put("name", name).put("uid", "uid-of-" + name);
        var spec = json.putObject("spec");
        if (!providerId.isEmpty()) {
            spec.put("providerID", providerId);
        }
        if (podCidrs.length > 0) {
            spec.put("podCIDR", podCidrs[0]);
            List.of(podCidrs).forEach(spec.putArray("podCIDRs")::add);
        }
        check(store.commit(List.of(new Write.Create(NodeObject.key(name), Json.write(json)))));
    }

    void register(String name) {
        register(name, CloudOfMachines.providerId(name));
    }

    void delete(String name) {
        var found = document(name);
        check(store.commit(List.of(new Write.Delete(found.key(), found.revision()))));
    }

    /// Changes a Node as another client would.
    void touch(String name, UnaryOperator<ObjectNode> change) {
        var found = document(name);
        var json = change.apply(Json.readObject(found.key(), found.value()));
        check(store.commit(List.of(new Write.Update(found.key(), Json.write(json), found.revision()))));
    }

    private Document document(String name) {
        return store.get(NodeObject.key(name)).orElseThrow();
    }

    private static void check(Commit commit) {
        if (!(commit instanceof Commit.Done)) {
            throw new AssertionError("not written: " + commit);
        }
    }

    MachineNode node(String name) {
        return MachineNode.read(document(name));
    }

    /// This happens while a patch of a status waits for its turn.
    void beforeStatus(Runnable happening) {
        beforeStatus = happening;
    }

    /// The next patches are answered so, and do nothing.
    synchronized void losing(Commit... answers) {
        lost.addAll(List.of(answers));
    }

    synchronized void refusing(int patches) {
        for (int patch = 1; patch <= patches; patch++) {
            refusals.add(new DatastoreException(DatastoreException.Kind.FAILED, "the server refuses"));
        }
    }

    /// What was sent so far, with the names of the Nodes before it.
    synchronized List<String> patches() {
        return List.copyOf(patches);
    }

    List<String> events() {
        return store.listAll(CoreKeys.EVENTS).documents().stream()
                .map(document -> Json.readObject(document.key(), document.value()))
                .map(event -> "%s %s: %s"
                        .formatted(
                                event.path("source").path("component").asText(),
                                event.path("reason").asText(),
                                event.path("message").asText()))
                .sorted()
                .toList();
    }

    List<ObjectNode> eventDocuments() {
        return store.listAll(CoreKeys.EVENTS).documents().stream()
                .map(document -> Json.readObject(document.key(), document.value()))
                .toList();
    }

    @Override
    public Commit patch(String node, Bytes changes, Runnable beforeSending) {
        beforeSending.run();
        return write(node, changes, (json, patch) -> {
            var given = MachineNode.read(new Document(NodeObject.key(node), Json.write(json), 1))
                    .node()
                    .entry()
                    .podCidrs();
            var spec = (ObjectNode) patch.path("spec");
            var wanted = new ArrayList<String>();
            spec.path("podCIDRs").forEach(cidr -> wanted.add(cidr.asText()));
            if (wanted.isEmpty()) {
                wanted.add(spec.path("podCIDR").asText());
            }
            if (!given.isEmpty() && !given.equals(wanted)) {
                throw new DatastoreException(
                        DatastoreException.Kind.FAILED,
                        "spec.podCIDRs: Forbidden: node updates may not change podCIDR except from \"\" to valid");
            }
            var target = (ObjectNode) json.path("spec");
            target.put("podCIDR", wanted.getFirst());
            wanted.forEach(target.putArray("podCIDRs")::add);
        });
    }

    @Override
    public Commit patchStatus(String node, Bytes changes, Runnable beforeSending) {
        beforeStatus.run();
        beforeSending.run();
        return write(
                node,
                changes,
                (json, patch) -> json.set("status", patch.path("status").deepCopy()));
    }

    private interface Merge {
        void apply(ObjectNode json, ObjectNode patch);
    }

    private Commit write(String node, Bytes changes, Merge merge) {
        synchronized (this) {
            patches.add(node + " " + changes.utf8());
            if (!refusals.isEmpty()) {
                throw refusals.remove();
            }
            if (!lost.isEmpty()) {
                return lost.remove();
            }
        }
        var key = NodeObject.key(node);
        var patch = Json.readObject("the patch", changes);
        // Ends: other writers change the Node a few times.
        while (true) {
            var found = store.get(key);
            if (found.isEmpty()) {
                return new Commit.Conflict(0, Commit.Kind.ABSENT);
            }
            var json = Json.readObject(key, found.get().value());
            merge.apply(json, patch);
            var commit = store.commit(
                    List.of(new Write.Update(key, Json.write(json), found.get().revision())));
            if (commit instanceof Commit.Done) {
                return commit;
            }
        }
    }

    @Override
    public Commit writeEvent(Write write) {
        return store.commit(List.of(write));
    }

    @Override
    public Optional<String> findCidrManager(String node) {
        return Optional.empty();
    }
}
