package io.cadastre.wire.spiderpool.subnet;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Write;
import io.cadastre.engine.pool.subnet.SubnetOutcome;
import io.cadastre.engine.pool.subnet.SubnetRefusal.SubnetChanged;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.json.UnreadableDocumentException;
import io.cadastre.wire.kubernetes.CoreKeys;
import io.cadastre.wire.spiderpool.objects.SpiderKeys;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

/// Reports to a cluster what is wrong with the pool of an application: as a warning about the pool, where an operator
/// who looks at it finds it.
///
/// The same fault of the same pool is one event with a count. It is reported in addition to whatever else becomes of
/// the fault, and on a best effort.
///
/// @param failures takes a sentence for each event that cannot be written
public record PoolWarnings(Datastore store, InstantSource clock, Consumer<String> failures) {

    private static final String REASON = "ApplicationSubnetChanged";

    /// As the events of Spiderpool name their source.
    private static final String COMPONENT = "spiderpool";

    /// Of events about objects that are in no namespace.
    private static final String NAMESPACE = "default";

    private static final int ATTEMPTS_MAX = 3;

    /// Reports that an application has a pool of another prefix than its subnet's, if a claim came to that.
    public void report(SubnetOutcome outcome) {
        // Without an API server there are no events.
        if (!store.atomic() && outcome instanceof SubnetOutcome.Refused(SubnetChanged changed)) {
            report(changed.pool(), changed.sentence());
        }
    }

    private void report(String pool, String message) {
        try {
            var uid = store.get(SpiderKeys.pool(pool))
                    .map(found -> Json.readObject(found.key(), found.value())
                            .at("/metadata/uid")
                            .asText())
                    .orElse("");
            write(pool, uid, message);
        } catch (DatastoreException | UnreadableDocumentException failed) {
            failures.accept("cannot record the event %s of pool %s (%s): %s"
                    .formatted(REASON, pool, message, failed.getMessage()));
        }
    }

    private void write(String pool, String uid, String message) {
        var digest = UUID.nameUUIDFromBytes((uid + "\n" + message).getBytes(StandardCharsets.UTF_8));
        var key = "%s%s/%s.%s"
                .formatted(CoreKeys.EVENTS, NAMESPACE, pool, digest.toString().substring(0, 8));
        for (int attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
            var found = store.get(key);
            var write = found.<Write>map(event -> new Write.Update(key, again(event), event.revision()))
                    .orElseGet(() -> new Write.Create(key, first(pool, uid, message)));
            if (!(store.commit(List.of(write)) instanceof Commit.Conflict)) {
                return;
            }
        }
    }

    private String now() {
        return clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private Bytes first(String pool, String uid, String message) {
        var event = Json.emptyObject();
        event.put("apiVersion", "v1").put("kind", "Event");
        event.putObject("metadata").put("namespace", NAMESPACE);
        var about = event.putObject("involvedObject");
        about.put("apiVersion", SpiderKeys.API_VERSION)
                .put("kind", "SpiderIPPool")
                .put("name", pool);
        Optional.of(uid).filter(known -> !known.isEmpty()).ifPresent(known -> about.put("uid", known));
        event.put("type", "Warning").put("reason", REASON).put("message", message);
        event.putObject("source").put("component", COMPONENT);
        event.put("firstTimestamp", now()).put("lastTimestamp", now()).put("count", 1);
        return Json.write(event);
    }

    private Bytes again(Document stored) {
        ObjectNode event = Json.readObject(stored.key(), stored.value());
        int count = new Fields(stored.key()).integer(event.path("count"), "count");
        return Json.write(event.put("lastTimestamp", now()).put("count", count + 1));
    }
}
