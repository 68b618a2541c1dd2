package io.cadastre.controller.nodecidr;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.DatastoreException.Kind;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Write;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.kubernetes.CoreKeys;
import io.cadastre.wire.kubernetes.NodeObject;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/// Writes Nodes of a store by the rules of an API server: a patch merges the lists, and CIDRs can be set once. It can
/// be planned what becomes of the next patches.
final class NodeServer implements NodeWriter {

    private static final String IMMUTABLE =
            "spec.podCIDRs: Forbidden: node updates may not change podCIDR except from \"\" to valid";
    private final Datastore store;
    private final AtomicInteger underWay = new AtomicInteger();
    private final AtomicInteger underWayMax = new AtomicInteger();

    /// Guards what follows.
    private final Object lock = new Object();

    private final List<Patch> patches = new ArrayList<>();
    private final Deque<PlannedReply> plan = new ArrayDeque<>();
    private CountDownLatch gate = new CountDownLatch(0);
    private CountDownLatch permits = new CountDownLatch(0);
    private int waiting;
    private boolean eventsRefused;
    private boolean turnsRefused;

    NodeServer(Datastore store) {
        this.store = store;
    }

    /// What was sent.
    record Patch(String node, String body) {}

    /// What becomes of a patch.
    enum PlannedReply {
        DONE,
        /// The answer is 500, and nothing was done.
        BROKEN,
        /// It is done, and the answer is lost.
        ANSWER_LOST,
        /// The answer is 403: the sender lacks the right.
        FORBIDDEN,
        /// Its turn does not come within the time of a call, so it is not sent.
        UNSENT,
        /// Whatever a program throws that has a bug.
        BUG
    }

    /// From now on, patches end so, one after the other; those after them are done.
    void plan(PlannedReply... fates) {
        synchronized (lock) {
            plan.addAll(List.of(fates));
        }
    }

    /// Patches arrive and do not go on until the gate is opened.
    void shutGate() {
        synchronized (lock) {
            gate = new CountDownLatch(1);
        }
    }

    void openGate() {
        synchronized (lock) {
            gate.countDown();
        }
    }

    /// Patches wait before they are sent, as for the permit of a limiter, until there are permits.
    void withholdPermits() {
        synchronized (lock) {
            permits = new CountDownLatch(1);
        }
    }

    void grantPermits() {
        synchronized (lock) {
            permits.countDown();
        }
    }

    /// How many patches have ever waited to be sent.
    int waited() {
        synchronized (lock) {
            return waiting;
        }
    }

    /// From now on the sender has no right to write events.
    void refuseEvents(boolean refuse) {
        synchronized (lock) {
            eventsRefused = refuse;
        }
    }

    /// From now on the turn of no patch comes within the time of a call.
    void refuseTurns() {
        synchronized (lock) {
            turnsRefused = true;
        }
    }

    List<Patch> patches() {
        synchronized (lock) {
            return List.copyOf(patches);
        }
    }

    List<String> patchesOf(String node) {
        return patches().stream()
                .filter(patch -> patch.node().equals(node))
                .map(Patch::body)
                .toList();
    }

    /// How many patches are at the server at the moment.
    int underWay() {
        return underWay.get();
    }

    /// How many were, when they were most.
    int underWayMax() {
        return underWayMax.get();
    }

    @Override
    public Commit patch(String node, Bytes changes, Runnable beforeSending) {
        awaitPermit();
        synchronized (lock) {
            if (turnsRefused || plan.peekFirst() == PlannedReply.UNSENT) {
                plan.pollFirst();
                throw new DatastoreException(Kind.DEADLINE, "more requests wait than may be sent");
            }
        }
        beforeSending.run();
        CountDownLatch passage;
        PlannedReply fate;
        synchronized (lock) {
            patches.add(new Patch(node, changes.utf8()));
            passage = gate;
            fate = plan.isEmpty() ? PlannedReply.DONE : plan.removeFirst();
        }
        underWayMax.accumulateAndGet(underWay.incrementAndGet(), Math::max);
        try {
            passage.await();
            return switch (fate) {
                case DONE -> merge(node, changes);
                case BROKEN -> new Commit.Unknown("the server failed (code 500)");
                case ANSWER_LOST -> {
                    assertThat(merge(node, changes)).isInstanceOf(Commit.Done.class);
                    yield new Commit.Unknown("the server did not answer");
                }
                case UNSENT, BUG -> throw new IllegalStateException("this is wrong");
                case FORBIDDEN ->
                    throw new DatastoreException(
                            Kind.DENIED, "the server does not allow us to patch nodes/%s".formatted(node));
            };
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        } finally {
            underWay.decrementAndGet();
        }
    }

    private void awaitPermit() {
        CountDownLatch permitted;
        synchronized (lock) {
            waiting++;
            permitted = permits;
        }
        try {
            permitted.await();
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }

    private Commit merge(String node, Bytes changes) {
        var key = NodeObject.key(node);
        // Ends: another writer changes the Node only a few times.
        while (true) {
            var found = store.get(key);
            if (found.isEmpty()) {
                return new Commit.Conflict(0, Commit.Kind.ABSENT);
            }
            var commit = merge(found.get(), changes);
            if (commit instanceof Commit.Done) {
                return commit;
            }
        }
    }

    private Commit merge(Document found, Bytes changes) {
        var former = NodeObject.read(found).podCidrs();
        var added = cidrs(Json.readObject(found.key(), changes).path("spec").path("podCIDRs"));
        var merged = new ArrayList<>(added);
        former.stream().filter(cidr -> !merged.contains(cidr)).forEach(merged::add);
        refusal(former, merged).ifPresent(sentence -> {
            throw new DatastoreException(Kind.FAILED, "Node is invalid: %s (code 422)".formatted(sentence));
        });
        if (merged.equals(former)) {
            return new Commit.Done(List.of(found.revision()));
        }
        var json = Json.readObject(found.key(), found.value());
        var spec = json.get("spec") instanceof ObjectNode present ? present : json.putObject("spec");
        spec.put("podCIDR", merged.getFirst());
        var list = spec.putArray("podCIDRs");
        merged.forEach(list::add);
        return store.commit(List.of(new Write.Update(found.key(), Json.write(json), found.revision())));
    }

    private static List<String> cidrs(JsonNode list) {
        var cidrs = new ArrayList<String>();
        list.forEach(cidr -> cidrs.add(cidr.asText()));
        return cidrs;
    }

    private static Optional<String> refusal(List<String> former, List<String> merged) {
        var sentences = new ArrayList<String>();
        long ipv6 = merged.stream().filter(cidr -> cidr.contains(":")).count();
        if (ipv6 > 1 || merged.size() - ipv6 > 1) {
            sentences.add("spec.podCIDRs: Invalid value: %s: may specify no more than one CIDR for each IP family"
                    .formatted("[\"" + String.join("\",\"", merged) + "\"]"));
        }
        if (!former.isEmpty() && !merged.equals(former)) {
            sentences.add(IMMUTABLE);
        }
        return sentences.isEmpty() ? Optional.empty() : Optional.of("[" + String.join(", ", sentences) + "]");
    }

    @Override
    public Commit patchStatus(String node, Bytes changes, Runnable beforeSending) {
        throw new AssertionError("the status of node %s is written".formatted(node));
    }

    @Override
    public Commit writeEvent(Write write) {
        assertThat(write.key()).startsWith(CoreKeys.EVENTS + "default/");
        synchronized (lock) {
            if (eventsRefused) {
                throw new DatastoreException(Kind.DENIED, "the server does not allow us to create events");
            }
        }
        return store.commit(List.of(write));
    }

    @Override
    public Optional<String> findCidrManager(String node) {
        return Optional.of("another-allocator");
    }
}
