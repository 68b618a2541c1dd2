package io.cadastre.agent.net;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.address.Address;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.DatastoreException.Kind;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.json.UnreadableDocumentException;
import io.cadastre.wire.kubernetes.PodDocument;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
    private final MergePatch patch;
    private final Consumer<String> log;

    /// Merges fields into an object of the API, as RFC 7396 has it.
    @FunctionalInterface
    public interface MergePatch {

        /// Merges the changes into the object of a key.
        ///
        /// @param changes if they have a `resourceVersion`, the object must have the same
        /// @return a conflict of kind [Commit.Kind#ABSENT] if there is no such object
        /// @throws DatastoreException of kind [Kind#FAILED] if they have another `uid` than the object
        Commit apply(String key, Bytes changes);
    }

    /// @param log takes a sentence for each pod that could not be annotated
    public PodAnnotations(Datastore store, MergePatch patch, Consumer<String> log) {
        this.store = store;
        this.patch = patch;
        this.log = log;
    }

    @Override
    public void write(Sandbox sandbox, List<Address> addresses) {
        var prefixes = addresses.stream()
                .map(address -> "%s/%d".formatted(address, address.family().bits()))
                .toList();
        var values = new LinkedHashMap<String, String>();
        values.put(CONTAINER, sandbox.containerId());
        values.put(ADDRESS, prefixes.isEmpty() ? "" : prefixes.get(0));
        values.put(ADDRESSES, String.join(",", prefixes));
        try {
            annotate(sandbox, values, _ -> true);
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
        erase(sandbox, this::annotateAfterLooking);
    }

    /// Without its UID, the pod of this name may be a later one.
    @Override
    public void eraseOwn(Sandbox sandbox) {
        erase(sandbox, sandbox.podUid().isEmpty() ? this::annotateAfterLooking : this::annotate);
    }

    @FunctionalInterface
    private interface Annotating {
        void apply(Sandbox sandbox, Map<String, String> values, Predicate<JsonNode> concerned);
    }

    private void erase(Sandbox sandbox, Annotating annotating) {
        var values = new LinkedHashMap<String, String>();
        values.put(ADDRESS, "");
        values.put(ADDRESSES, "");
        try {
            annotating.apply(
                    sandbox, values, found -> found.path(CONTAINER).asText().equals(sandbox.containerId()));
        } catch (DatastoreException | UnreadableDocumentException failed) {
            complain(sandbox, failed);
        }
    }

    /// Sends one request and reads nothing, unless the pod turns out to be another one or the answer is lost.
    private void annotate(Sandbox sandbox, Map<String, String> values, Predicate<JsonNode> concerned) {
        var changes = changes(values);
        if (!sandbox.podUid().isEmpty()) {
            changes.withObject("/metadata").put("uid", sandbox.podUid());
        }
        if (!isSettled(key(sandbox), Json.write(changes))) {
            annotateAfterLooking(sandbox, values, concerned);
        }
    }

    /// Whether the pod is annotated, or gone. The API server refuses the UID of a former pod as it refuses
    /// other invalid patches, so a refusal is looked into.
    private boolean isSettled(String key, Bytes changes) {
        try {
            return switch (patch.apply(key, changes)) {
                case Commit.Done _ -> true;
                case Commit.Conflict(var _, var kind) -> kind == Commit.Kind.ABSENT;
                case Commit.Unknown _ -> false;
            };
        } catch (DatastoreException refused) {
            if (refused.kind() != Kind.FAILED) {
                throw refused;
            }
            return false;
        }
    }

    /// @param concerned whether annotations that were found are to be replaced
    private void annotateAfterLooking(Sandbox sandbox, Map<String, String> values, Predicate<JsonNode> concerned) {
        var key = key(sandbox);
        for (int attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
            var found = store.get(key);
            if (found.isEmpty()) {
                return;
            }
            var metadata = Json.readObject(key, found.get().value()).path("metadata");
            var annotations = metadata.path("annotations");
            boolean written = values.entrySet().stream()
                    .allMatch(value -> value.getValue()
                            .equals(annotations.path(value.getKey()).textValue()));
            if (written || !isOf(sandbox, metadata) || !concerned.test(annotations)) {
                return;
            }
            var changes = changes(values);
            changes.withObject("/metadata")
                    .put("resourceVersion", Long.toString(found.get().revision()));
            if (patch.apply(key, Json.write(changes)) instanceof Commit.Done) {
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

    private static String key(Sandbox sandbox) {
        return PodDocument.key(sandbox.namespace(), sandbox.pod());
    }

    private static boolean isOf(Sandbox sandbox, JsonNode metadata) {
        var uid = metadata.path("uid").asText();
        return sandbox.podUid().isEmpty() || uid.isEmpty() || sandbox.podUid().equals(uid);
    }

    private static ObjectNode changes(Map<String, String> values) {
        var changes = Json.emptyObject();
        values.forEach(changes.putObject("metadata").putObject("annotations")::put);
        return changes;
    }
}
