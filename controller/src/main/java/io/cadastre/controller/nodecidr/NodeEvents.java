package io.cadastre.controller.nodecidr;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.controller.ControllerContext;
import io.cadastre.controller.election.FencedDatastore;
import io.cadastre.controller.election.LeadershipLostException;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.Write;
import io.cadastre.engine.nodecidr.cloud.CloudEvent;
import io.cadastre.engine.nodecidr.cloud.CloudNode;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.kubernetes.CoreKeys;
import io.cadastre.wire.kubernetes.NodeObject;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.Supplier;

/// Records events about Nodes, with the limits of client-go: the same event again raises the count of the first, and
/// one Node has 25 events at once and one more every five minutes.
///
/// Events are written by a thread of their own and on a best effort: those that cannot be written are dropped.
public final class NodeEvents {

    /// Whether the event says that something is wrong.
    public enum Type {
        NORMAL("Normal"),
        WARNING("Warning");

        private final String word;

        Type(String word) {
            this.word = word;
        }
    }

    private static final String NAMESPACE = "default";
    private static final int WAITING_MAX = 1000;
    private static final int REMEMBERED_MAX = 4096;
    private static final Duration LOOK_UP = Duration.ofSeconds(1);
    private static final int BURST = 25;
    private static final long REFILL_NANOS = Duration.ofMinutes(5).toNanos();

    private final ControllerContext context;
    private final NodeWriter writer;
    private final String component;
    private final BlockingQueue<Event> waiting = new ArrayBlockingQueue<>(WAITING_MAX);

    /// Only the writer touches these. The eldest is forgotten first.
    private final Map<Event, Written> written = new Eldest<>();

    private final Map<String, Bucket> buckets = new Eldest<>();

    /// One event, whenever it happens.
    ///
    /// @param uid of the Node; empty if the event names it by its name alone
    private record Event(String node, String uid, String component, Type type, String reason, String message) {}

    private record Written(String key, long revision, int count, ObjectNode json) {}

    /// The events that a Node may still have, and since when that is so.
    private record Bucket(int tokens, long sinceNanos) {}

    private static final class Eldest<K, V> extends LinkedHashMap<K, V> {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
            return size() > REMEMBERED_MAX;
        }
    }

    public NodeEvents(ControllerContext context, NodeWriter writer, String component) {
        this.context = context;
        this.writer = writer;
        this.component = component;
    }

    void record(NodeObject node, Type type, String reason, String message) {
        offer(new Event(node.name(), node.entry().uid(), component, type, reason, message));
    }

    /// Records an event of an allocator that asks a cloud. Those of its synchronising modes name the Node and not its
    /// uid, as upstream's do.
    public void record(CloudNode node, CloudEvent event) {
        var uid = event.byNameAlone() ? "" : node.entry().uid();
        offer(new Event(node.name(), uid, event.component(), Type.NORMAL, event.reason(), event.message()));
    }

    private void offer(Event event) {
        // Full: the API server takes events more slowly than they come, and they are dropped.
        var _ = waiting.offer(event);
    }

    /// Waits a moment, and writes what waits if this process leads.
    public void turn(Supplier<Optional<FencedDatastore>> leader) throws InterruptedException {
        context.pause().pause(LOOK_UP);
        try {
            leader.get().ifPresent(this::writeWaiting);
        } catch (LeadershipLostException deposed) {
            // The next leader records what it finds.
        }
    }

    private void writeWaiting(FencedDatastore fenced) {
        // Ends: at most as many as can wait are taken.
        for (int taken = 0; taken < WAITING_MAX; taken++) {
            var event = waiting.poll();
            if (event == null) {
                return;
            }
            if (permitted(event.node())) {
                fenced.checkTerm();
                write(event);
            }
        }
    }

    private boolean permitted(String node) {
        long now = context.stopwatch().nanos();
        var bucket = buckets.getOrDefault(node, new Bucket(BURST, now));
        long refilled = (now - bucket.sinceNanos()) / REFILL_NANOS;
        int tokens = (int) Math.min(BURST, bucket.tokens() + refilled);
        boolean permitted = tokens > 0;
        long since = tokens == BURST ? now : bucket.sinceNanos() + refilled * REFILL_NANOS;
        buckets.put(node, new Bucket(permitted ? tokens - 1 : 0, since));
        return permitted;
    }

    private void write(Event event) {
        try {
            var before = written.get(event);
            if (before == null || !raised(event, before)) {
                create(event);
            }
        } catch (DatastoreException | IllegalArgumentException failed) {
            context.reports()
                    .accept("cannot record the event %s of node %s: %s"
                            .formatted(event.reason(), event.node(), failed.getMessage()));
        }
    }

    /// Whether the event that was written before counts this one too. It may be gone: events are kept for an hour.
    private boolean raised(Event event, Written before) {
        var json = before.json().deepCopy();
        json.put("count", before.count() + 1).put("lastTimestamp", now());
        var update = new Write.Update(before.key(), Json.write(json), before.revision());
        if (writer.writeEvent(update) instanceof Commit.Done(var revisions)) {
            written.put(event, new Written(before.key(), revisions.getFirst(), before.count() + 1, json));
            return true;
        }
        written.remove(event);
        return false;
    }

    private void create(Event event) {
        var json = json(event);
        // As client-go names them: unique by the time in nanoseconds.
        var name = "%s.%x".formatted(event.node(), nanosSinceEpoch());
        var key = CoreKeys.EVENTS + NAMESPACE + "/" + name;
        if (writer.writeEvent(new Write.Create(key, Json.write(json))) instanceof Commit.Done(var revisions)) {
            written.put(event, new Written(key, revisions.getFirst(), 1, json));
        }
    }

    private long nanosSinceEpoch() {
        var now = context.now();
        return now.getEpochSecond() * 1_000_000_000L + now.getNano();
    }

    private ObjectNode json(Event event) {
        var json = Json.emptyObject();
        json.put("apiVersion", "v1").put("kind", "Event");
        json.putObject("metadata").put("namespace", NAMESPACE);
        var about = json.putObject("involvedObject");
        about.put("kind", "Node").put("name", event.node());
        if (!event.uid().isEmpty()) {
            about.put("uid", event.uid()).put("apiVersion", "v1");
        }
        json.put("reason", event.reason()).put("message", event.message());
        json.putObject("source").put("component", event.component());
        json.put("firstTimestamp", now()).put("lastTimestamp", now()).put("count", 1);
        json.put("type", event.type().word);
        json.put("reportingComponent", event.component()).put("reportingInstance", "");
        return json;
    }

    private String now() {
        return context.now().truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
