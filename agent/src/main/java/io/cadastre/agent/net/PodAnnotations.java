package io.cadastre.agent.net;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.address.Address;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.DatastoreException.Kind;
import io.cadastre.datastore.Write;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.json.UnreadableDocumentException;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/// Notes the addresses of pods in the annotations that Calico uses for it, so that a policy engine need not
/// wait until the kubelet reports them.
///
/// An agent without the permission logs that and goes on: the pod has its addresses all the same.
public final class PodAnnotations implements PodNotes {

    private static final String ADDRESS = "cni.projectcalico.org/podIP";
    private static final String ADDRESSES = "cni.projectcalico.org/podIPs";
    private static final String CONTAINER = "cni.projectcalico.org/containerID";

    /// The kubelet writes the same object.
    private static final int ATTEMPTS_MAX = 8;

    private final Datastore store;
    private final Consumer<String> log;

    /// @param log takes a sentence for each pod that could not be annotated
    public PodAnnotations(Datastore store, Consumer<String> log) {
        this.store = store;
        this.log = log;
    }

    @Override
    public void write(Sandbox sandbox, List<Address> addresses) {
        var prefixes = addresses.stream()
                .map(address -> "%s/%d".formatted(address, address.family().bits()))
                .toList();
        try {
            annotate(sandbox, annotations -> {
                boolean changed = put(annotations, CONTAINER, sandbox.containerId());
                changed |= put(annotations, ADDRESS, prefixes.isEmpty() ? "" : prefixes.get(0));
                changed |= put(annotations, ADDRESSES, String.join(",", prefixes));
                return changed;
            });
        } catch (DatastoreException failed) {
            if (failed.kind() != Kind.DENIED) {
                throw failed;
            }
            complain(sandbox, failed);
        } catch (UnreadableDocumentException unreadable) {
            complain(sandbox, unreadable);
        }
    }

    /// The container stays, so that it can be seen whose addresses they were.
    @Override
    public void erase(Sandbox sandbox) {
        try {
            annotate(sandbox, annotations -> {
                if (!annotations.path(CONTAINER).asText().equals(sandbox.containerId())) {
                    return false;
                }
                boolean changed = put(annotations, ADDRESS, "");
                changed |= put(annotations, ADDRESSES, "");
                return changed;
            });
        } catch (DatastoreException | UnreadableDocumentException failed) {
            complain(sandbox, failed);
        }
    }

    /// Whether it was otherwise before.
    private static boolean put(ObjectNode annotations, String name, String value) {
        boolean other =
                !annotations.has(name) || !annotations.path(name).asText().equals(value);
        annotations.put(name, value);
        return other;
    }

    /// @param rewriting changes the annotations and says whether it did
    private void annotate(Sandbox sandbox, Predicate<ObjectNode> rewriting) {
        var key = StoredPods.PODS + sandbox.namespace() + "/" + sandbox.pod();
        for (int attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
            var found = store.get(key);
            if (found.isEmpty()) {
                return;
            }
            var pod = Json.readObject(key, found.get().value());
            if (!isOf(sandbox, pod) || !rewriting.test(annotations(pod))) {
                return;
            }
            var update = new Write.Update(key, Json.write(pod), found.get().revision());
            if (store.commit(List.of(update)) instanceof Commit.Done) {
                return;
            }
            // Another process wrote the pod before us, or the result is unknown: look again.
        }
        throw new DatastoreException(
                Kind.FAILED,
                "pod %s/%s was not annotated: gave up after %d write conflicts"
                        .formatted(sandbox.namespace(), sandbox.pod(), ATTEMPTS_MAX));
    }

    private void complain(Sandbox sandbox, RuntimeException failed) {
        log.accept("cannot write the addresses of pod %s/%s to its annotations: %s"
                .formatted(sandbox.namespace(), sandbox.pod(), failed.getMessage()));
    }

    private static boolean isOf(Sandbox sandbox, ObjectNode pod) {
        var uid = pod.path("metadata").path("uid").asText();
        return sandbox.podUid().isEmpty() || uid.isEmpty() || sandbox.podUid().equals(uid);
    }

    private static ObjectNode annotations(ObjectNode pod) {
        return child(child(pod, "metadata"), "annotations");
    }

    private static ObjectNode child(ObjectNode parent, String name) {
        return parent.get(name) instanceof ObjectNode found ? found : parent.putObject(name);
    }
}
