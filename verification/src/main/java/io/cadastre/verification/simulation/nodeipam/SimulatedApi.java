package io.cadastre.verification.simulation.nodeipam;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.controller.election.ElectionSettings;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.DatastoreException.Kind;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Write;
import io.cadastre.verification.simulation.runtime.Fault;
import io.cadastre.verification.simulation.runtime.Network;
import io.cadastre.verification.simulation.runtime.Simulation;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.kubernetes.CoreKeys;
import io.cadastre.wire.kubernetes.NodeObject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/// What an API server does with Nodes: it merges patches into them, and refuses other CIDRs for a Node that has
/// some.
///
/// A patch waits for its turn in the client, and meanwhile its sender may be stopped, or lose its lease. Then its term
/// is checked, and it is on its way, whatever becomes of its sender. A patch that lost its answer may be applied up to
/// a minute later, if its sender still has the lease then.
final class SimulatedApi {

    static final String NAMESPACE = "kube-system";
    static final String LEASE = "simulated";

    private static final long LATE_MILLISECONDS_MAX = 60_000;
    private static final int WAITS_PER_LONG_ONE = 3;
    private static final long WAITING_MILLISECONDS_MAX = 20_000;

    /// From the check of the term to the end of the server's work. It is what the clocks of [SimulatedHost] leave of
    /// the five seconds between a leader's right to write and the end of its lease: ten seconds of the slowest are
    /// eleven, and fifteen of the fastest are fourteen.
    private static final long ON_THE_WAY_MILLISECONDS_MAX = 3_000;

    private final Simulation stage;
    private final Network network;
    private final NodeIpamPlan plan;
    private final SplittableRandom dice;
    private final NodeIpamWitness witness;
    private int nodesMade;
    private int late;

    SimulatedApi(Simulation stage, NodeIpamPlan plan, SplittableRandom dice, NodeIpamWitness witness) {
        this.stage = stage;
        this.network = stage.network();
        this.plan = plan;
        this.dice = dice;
        this.witness = witness;
    }

    /// The patches whose sender has given up waiting and that may yet be applied.
    int late() {
        return late;
    }

    // ---- what people do ----

    boolean exists(String name) {
        return stage.store().get(NodeObject.key(name)).isPresent();
    }

    List<NodeObject> nodes() {
        return stage.store().listAll(CoreKeys.NODES).documents().stream()
                .map(NodeObject::read)
                .toList();
    }

    void create(String actor, String name, List<String> cidrs) {
        var json = Json.emptyObject();
        json.put("kind", "Node").put("apiVersion", "v1");
        json.putObject("metadata").put("name", name).put("uid", "uid-" + ++nodesMade);
        if (!cidrs.isEmpty()) {
            put(json.putObject("spec"), cidrs);
        }
        stage.history().event(actor, "creates %s %s".formatted(name, cidrs));
        network.apply(actor, List.of(new Write.Create(NodeObject.key(name), Json.write(json))));
    }

    /// A heartbeat, or a label.
    void touch(String actor, String name) {
        var stored = stage.store().get(NodeObject.key(name)).orElseThrow();
        var json = Json.readObject(stored.key(), stored.value());
        json.putObject("status").put("heartbeat", "%d".formatted(stored.revision()));
        network.apply(actor, List.of(new Write.Update(stored.key(), Json.write(json), stored.revision())));
    }

    /// A finalizer keeps it until it is deleted.
    void terminate(String actor, String name) {
        var stored = stage.store().get(NodeObject.key(name)).orElseThrow();
        var json = Json.readObject(stored.key(), stored.value());
        ((ObjectNode) json.get("metadata")).put("deletionTimestamp", "2026-01-01T00:00:00Z");
        stage.history().event(actor, "terminates " + name);
        witness.terminated(NodeObject.read(stored).entry().uid());
        network.apply(actor, List.of(new Write.Update(stored.key(), Json.write(json), stored.revision())));
    }

    void delete(String actor, String name) {
        var stored = stage.store().get(NodeObject.key(name)).orElseThrow();
        stage.history().event(actor, "deletes " + name);
        network.apply(actor, List.of(new Write.Delete(stored.key(), stored.revision())));
    }

    // ---- what controllers do ----

    /// As the writer of a controller sees it. From the check to the server the process is not stopped.
    Commit patch(SimulatedProcess process, String node, Bytes changes, Runnable beforeSending) {
        process.requireAlive();
        var actor = process.identity();
        var cidrs = cidrs(Json.readObject("a patch", changes));
        var begun = stage.scheduler().instant();
        witness.proposed(node, cidrs);
        awaitTurn(process);
        beforeSending.run();
        requireLease(actor);
        var patch = new Patch(actor, node, cidrs, begun, stage.scheduler().instant());
        stage.history().request(actor, "patches %s %s".formatted(node, cidrs));
        passTheWay(actor);
        var answer = transmit(patch);
        network.travel(actor);
        process.rest();
        process.requireAlive();
        return switch (answer) {
            case Answer.Said(var commit) -> {
                if (commit instanceof Commit.Done) {
                    witness.answered(process, node, cidrs, begun);
                }
                yield commit;
            }
            case Answer.Refused(var sentence) -> throw new DatastoreException(Kind.FAILED, sentence);
        };
    }

    /// As a limiter and an overloaded server make a client wait.
    private void awaitTurn(SimulatedProcess process) {
        if (!network.calm().get() && dice.nextInt(WAITS_PER_LONG_ONE) == 0) {
            var wait = Duration.ofMillis(dice.nextLong(WAITING_MILLISECONDS_MAX));
            stage.history().event(process.identity(), "waits to be sent for " + wait);
            stage.scheduler().pause(wait);
            process.rest();
            process.requireAlive();
        }
    }

    private void passTheWay(String actor) {
        if (!network.calm().get() && dice.nextInt(WAITS_PER_LONG_ONE) == 0) {
            stage.rest(dice, ON_THE_WAY_MILLISECONDS_MAX);
        } else {
            network.travel(actor);
        }
    }

    /// @param begun when its CIDRs had been chosen
    /// @param checked when the term of its sender was checked
    private record Patch(String actor, String node, List<String> cidrs, Instant begun, Instant checked) {

        boolean mayArrive(Instant now) {
            return now.isBefore(checked.plusMillis(ON_THE_WAY_MILLISECONDS_MAX));
        }
    }

    private sealed interface Answer {

        record Said(Commit commit) implements Answer {}

        record Refused(String sentence) implements Answer {}
    }

    private Answer transmit(Patch patch) {
        if (network.strikes(Fault.CONFLICT, patch.actor())) {
            return new Answer.Said(new Commit.Conflict(0, Commit.Kind.STALE));
        }
        if (!network.calm().get() && dice.nextInt(1000) < plan.refusalsPerThousand()) {
            stage.history().event(patch.actor(), "is answered 500");
            return new Answer.Refused("500 Internal Server Error");
        }
        if (network.strikes(Fault.REQUEST_LOST, patch.actor())) {
            return new Answer.Said(new Commit.Unknown("the request was lost"));
        }
        if (network.strikes(Fault.REQUEST_LATE, patch.actor())) {
            applyLater(patch);
            return new Answer.Said(new Commit.Unknown("the request is late"));
        }
        var answer = apply(patch);
        return network.strikes(Fault.ANSWER_LOST, patch.actor())
                ? new Answer.Said(new Commit.Unknown("the answer was lost"))
                : answer;
    }

    private void applyLater(Patch patch) {
        var delay = Duration.ofMillis(dice.nextLong(1, LATE_MILLISECONDS_MAX));
        late++;
        stage.scheduler().start("late", () -> {
            stage.scheduler().pause(delay);
            if (patch.mayArrive(stage.scheduler().instant()) || leads(patch.actor())) {
                stage.history().event(patch.actor(), "late patch of " + patch.node());
                var _ = apply(patch);
            }
            late--;
        });
    }

    private Answer apply(Patch patch) {
        var key = NodeObject.key(patch.node());
        var found = stage.store().get(key);
        if (found.isEmpty()) {
            return new Answer.Said(new Commit.Conflict(0, Commit.Kind.ABSENT));
        }
        var stored = found.get();
        var node = NodeObject.read(stored);
        if (!node.podCidrs().isEmpty()) {
            return node.podCidrs().equals(patch.cidrs())
                    ? new Answer.Said(new Commit.Done(List.of(stored.revision())))
                    : new Answer.Refused(refusal(node, patch));
        }
        witness.given(node, patch.cidrs(), patch.begun());
        return new Answer.Said(write(patch, stored));
    }

    private Commit write(Patch patch, Document stored) {
        var json = Json.readObject(stored.key(), stored.value());
        put(json.get("spec") instanceof ObjectNode spec ? spec : json.putObject("spec"), patch.cidrs());
        return network.apply(
                patch.actor(), List.of(new Write.Update(stored.key(), Json.write(json), stored.revision())));
    }

    private static void put(ObjectNode spec, List<String> cidrs) {
        spec.put("podCIDR", cidrs.getFirst());
        var list = spec.putArray("podCIDRs");
        cidrs.forEach(list::add);
    }

    /// The lists are merged, the new entries first.
    private static String refusal(NodeObject node, Patch patch) {
        var merged = new ArrayList<>(patch.cidrs());
        node.podCidrs().stream().filter(cidr -> !merged.contains(cidr)).forEach(merged::add);
        return ("Node \"%s\" is invalid: [spec.podCIDRs: Invalid value: [%s]: may specify no more than one CIDR for"
            + " each IP family, spec.podCIDRs: Forbidden: node updates may not change podCIDR except from \"\" to"
            + " valid]")
                .formatted(node.name(), merged.stream().map("\"%s\""::formatted).collect(Collectors.joining(",")));
    }

    private static List<String> cidrs(ObjectNode patch) {
        var spec = patch.get("spec");
        var list = new ArrayList<String>();
        if (spec != null && spec.get("podCIDRs") instanceof ArrayNode texts) {
            texts.forEach(text -> list.add(text.asText()));
        }
        if (list.isEmpty() || !list.getFirst().equals(spec.get("podCIDR").asText())) {
            throw new AssertionError("a patch without CIDRs, or with another first one: " + patch);
        }
        return List.copyOf(list);
    }

    Optional<String> manager(SimulatedProcess process, String node) {
        return process.call(() -> exists(node) ? Optional.of("another allocator") : Optional.empty());
    }

    private boolean leads(String identity) {
        return lease().contains("\"%s\"".formatted(identity));
    }

    private String lease() {
        return stage.store()
                .get(ElectionSettings.LEASES + NAMESPACE + "/" + LEASE)
                .map(Document::value)
                .map(Bytes::utf8)
                .orElse("");
    }

    private void requireLease(String identity) {
        if (!leads(identity)) {
            stage.fail("%s begins a patch, and the lease is %s".formatted(identity, lease()));
        }
    }
}
