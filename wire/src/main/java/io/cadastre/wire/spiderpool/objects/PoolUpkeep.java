package io.cadastre.wire.spiderpool.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.datastore.Document;
import io.cadastre.engine.Decision;
import io.cadastre.engine.pool.IpText;
import io.cadastre.wire.book.DocumentChange;
import io.cadastre.wire.json.FieldSelection;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.json.UnreadableDocumentException;
import java.util.List;
import java.util.Optional;

/// What a controller does with pools that no request asks for: it counts the addresses of a pool, and lets a pool go
/// whose deletion has begun once no address of it is in use.
public final class PoolUpkeep {

    private static final String ALLOCATED_COUNT = "allocatedIPCount";

    private static final FieldSelection LOOKED_AT =
            FieldSelection.of(List.of(List.of(Trees.METADATA), List.of(Trees.SPEC), List.of(Trees.STATUS)));

    private PoolUpkeep() {}

    /// Whether there may be something to do. Cheap: records are not read.
    public static boolean due(Document stored) {
        try {
            var json = Json.readObject(stored.key(), stored.value(), LOOKED_AT);
            return Trees.terminating(json) ? unused(json) : miscounted(new Fields(stored.key()), json);
        } catch (UnreadableDocumentException _) {
            // The attempt reports why.
            return true;
        }
    }

    /// Whether nothing but our finalizer keeps it.
    private static boolean unused(ObjectNode json) {
        return Fields.absent(json.path(Trees.STATUS).path("allocatedIPs"))
                && json.path(Trees.METADATA)
                        .path("finalizers")
                        .valueStream()
                        .anyMatch(finalizer -> finalizer.asText().equals(Trees.FINALIZER));
    }

    private static boolean miscounted(Fields reader, ObjectNode json) {
        var status = json.path(Trees.STATUS);
        var total = IpText.count(
                PoolForm.read(reader, reader.object(json, Trees.SPEC)).spec().effective());
        return Fields.absent(status.path(ALLOCATED_COUNT))
                || !status.path("totalIPCount").toString().equals(Long.toString(total));
    }

    /// Decides about one pool. Asked again after it was saved, it changes nothing.
    ///
    /// @throws UnreadableDocumentException if the pool cannot be read
    public static Decision<DocumentChange, ObjectOutcome> decide(Optional<Document> found) {
        if (found.isEmpty()) {
            return unchanged();
        }
        var stored = found.get();
        var json = Json.readObject(stored.key(), stored.value(), LOOKED_AT);
        if (!Trees.terminating(json)) {
            var name = stored.key().substring(SpiderKeys.POOLS.length());
            var alone = new ObjectView(List.of(stored), List.of(), ObjectView.Host.API_SERVER);
            return SpiderObjects.count(alone, SpiderKinds.POOL, name);
        }
        return unused(json)
                ? new Decision<>(new ObjectOutcome.Deleted(), List.of(SpiderObjects.deleting(stored)), List.of())
                : unchanged();
    }

    private static Decision<DocumentChange, ObjectOutcome> unchanged() {
        return new Decision<>(new ObjectOutcome.Unchanged(), List.of(), List.of());
    }
}
