package io.cadastre.agent.net;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.Write;
import io.cadastre.wire.json.Json;
import java.util.List;

/// Merges patches into the documents of a store, as the API server does.
record MergedPods(FailingEndpointStore store) implements PodAnnotations.MergePatch {

    @Override
    public Commit apply(String key, Bytes changes) {
        // Not a reading of the agent's.
        var found = store.store().get(key);
        if (found.isEmpty()) {
            return new Commit.Conflict(0, Commit.Kind.ABSENT);
        }
        var pod = Json.readObject(key, found.get().value());
        var wanted = Json.readObject(key, changes);
        var metadata = (ObjectNode) wanted.path("metadata");
        var uid = pod.path("metadata").path("uid").asText();
        var revision = Long.toString(found.get().revision());
        if (!uid.isEmpty() && !metadata.path("uid").asText(uid).equals(uid)) {
            throw new DatastoreException(DatastoreException.Kind.FAILED, "metadata.uid: field is immutable");
        }
        if (!metadata.path("resourceVersion").asText(revision).equals(revision)) {
            return new Commit.Conflict(0, Commit.Kind.STALE);
        }
        metadata.remove(List.of("uid", "resourceVersion"));
        merge(pod, wanted);
        var value = Json.write(pod);
        return value.equals(found.get().value())
                ? new Commit.Done(List.of(found.get().revision()))
                : store.commit(List.of(new Write.Update(key, value, found.get().revision())));
    }

    private static void merge(ObjectNode target, ObjectNode changes) {
        for (var change : changes.properties()) {
            if (change.getValue() instanceof ObjectNode inner) {
                merge(
                        target.get(change.getKey()) instanceof ObjectNode there
                                ? there
                                : target.putObject(change.getKey()),
                        inner);
            } else {
                target.set(change.getKey(), change.getValue());
            }
        }
    }
}
