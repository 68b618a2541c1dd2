package io.cadastre.verification.simulation.nodeipam;

import io.cadastre.address.Prefix;
import io.cadastre.datastore.Journal;
import io.cadastre.engine.Holding;
import io.cadastre.engine.nodecidr.CidrSet.Reach;
import io.cadastre.engine.nodecidr.Cursors;
import io.cadastre.engine.nodecidr.NodeCidrView;
import io.cadastre.engine.nodecidr.NodeEntry;
import io.cadastre.registry.Ledger;
import io.cadastre.verification.simulation.runtime.Simulation;
import io.cadastre.wire.kubernetes.NodeObject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// Looks at the Nodes after each write.
///
/// No two Nodes have one CIDR, unless a person gave one of them its CIDR when the other was given it or before the
/// leader could know. The CIDRs of a Node never change. No Node is given a block of a service range. No Node is given
/// any that has been terminating for longer than a leader may not know. What the ledger says was given or taken back
/// was, and not more often; and a patch that was answered is in the ledger.
final class NodeIpamWitness {

    /// How long a leader may not know what is in the store: while its watch is silent, fails and begins again.
    private static final Duration UNKNOWN_MAX = Duration.ofSeconds(60);

    /// How long a process takes to write an entry, also if it is stopped meanwhile.
    private static final Duration UNRECORDED_MAX = Duration.ofSeconds(60);

    private final Simulation stage;
    private final NodeIpamPlan plan;
    private final Map<String, Known> byUid = new TreeMap<>();
    private final Map<String, Instant> terminating = new HashMap<>();

    /// When CIDRs were first proposed to a Node of this name.
    private final Map<Gift, Instant> proposed = new HashMap<>();

    /// How often Nodes of this name got this CIDR, and were deleted with it.
    private final Map<Held, Integer> came = new HashMap<>();

    private final Map<Held, Integer> went = new HashMap<>();
    private final Map<Told, Integer> toldToCome = new HashMap<>();
    private final Map<Told, Integer> toldToGo = new HashMap<>();

    /// What two Nodes had at once by the fault of a person: a ledger knows one holder of each.
    private final Set<Prefix> doubled = new HashSet<>();

    /// The last entry of each ledger that was looked at.
    private final Map<String, Long> lastEntries = new HashMap<>();

    private final List<Answered> answered = new ArrayList<>();

    /// When each process was killed or dismissed.
    private final Map<String, List<Instant>> ends = new HashMap<>();

    private int looks;

    /// A Node with CIDRs.
    private record Known(String name, String uid, List<Prefix> cidrs, Instant since, boolean preset) {}

    private record Gift(String name, List<String> cidrs) {}

    private record Held(String name, Prefix cidr) {}

    private record Told(String host, Held held) {}

    private record Answered(String identity, Gift gift, Instant sent, Instant at) {}

    NodeIpamWitness(Simulation stage, NodeIpamPlan plan) {
        this.stage = stage;
        this.plan = plan;
    }

    int looks() {
        return looks;
    }

    // ---- what happens ----

    void terminated(String uid) {
        terminating.putIfAbsent(uid, now());
    }

    void proposed(String node, List<String> cidrs) {
        proposed.putIfAbsent(new Gift(node, cidrs), now());
    }

    /// A patch is about to change a Node.
    void given(NodeObject node, List<String> cidrs, Instant sent) {
        for (var range : plan.config().serviceRanges()) {
            if (cidrs.stream().map(Prefix::parse).anyMatch(range::overlaps)) {
                stage.fail("%s is given %s, and %s is a service range".formatted(node.name(), cidrs, range));
            }
        }
        var since = terminating.get(node.entry().uid());
        if (since != null && since.plus(UNKNOWN_MAX).isBefore(sent)) {
            stage.fail("%s is given %s and has long been terminating".formatted(node.name(), cidrs));
        }
    }

    void answered(SimulatedProcess process, String node, List<String> cidrs, Instant sent) {
        answered.add(new Answered(process.identity(), new Gift(node, cidrs), sent, now()));
    }

    /// The process was killed or dismissed.
    void ended(String identity) {
        ends.computeIfAbsent(identity, _ -> new ArrayList<>()).add(now());
    }

    private Instant now() {
        return stage.scheduler().instant();
    }

    // ---- the Nodes ----

    void look(List<NodeObject> nodes) {
        looks++;
        var now = new TreeMap<String, NodeObject>();
        nodes.forEach(node -> now.put(node.entry().uid(), node));
        for (var known : List.copyOf(byUid.values())) {
            var node = now.get(known.uid());
            if (node == null) {
                byUid.remove(known.uid());
                count(known, went);
            } else if (!node.entry().prefixes().equals(known.cidrs())) {
                stage.fail("%s had %s and has %s".formatted(known.name(), known.cidrs(), node.podCidrs()));
            }
        }
        for (var node : nodes) {
            if (!node.podCidrs().isEmpty() && !byUid.containsKey(node.entry().uid())) {
                add(node);
            }
        }
        bare.clear();
        nodes.stream()
                .filter(node -> node.podCidrs().isEmpty())
                .forEach(node -> bare.put(node.entry().uid(), true));
    }

    /// Nodes that had no CIDRs at the last look.
    private final Map<String, Boolean> bare = new HashMap<>();

    private void add(NodeObject node) {
        var uid = node.entry().uid();
        boolean preset = !bare.containsKey(uid);
        var added = new Known(node.name(), uid, node.entry().prefixes(), now(), preset);
        for (var other : byUid.values()) {
            if (!overlap(added, other)) {
                continue;
            }
            doubled.addAll(added.cidrs());
            doubled.addAll(other.cidrs());
            if (!excused(added, other) && !excused(other, added)) {
                stage.fail(
                        "%s has %s, and %s has %s".formatted(added.name(), added.cidrs(), other.name(), other.cidrs()));
            }
        }
        byUid.put(uid, added);
        count(added, came);
    }

    private static void count(Known known, Map<Held, Integer> counts) {
        known.cidrs().forEach(cidr -> counts.merge(new Held(known.name(), cidr), 1, Integer::sum));
    }

    private static boolean overlap(Known one, Known other) {
        return one.cidrs().stream().anyMatch(cidr -> other.cidrs().stream().anyMatch(cidr::overlaps));
    }

    /// A person gave one its CIDRs, when the leader had chosen them for the other or could not know it.
    private boolean excused(Known one, Known other) {
        if (!one.preset()) {
            return false;
        }
        var first = other.preset() ? other.since() : proposed.getOrDefault(gift(other), Instant.MAX);
        return other.preset() || first.isBefore(one.since().plus(UNKNOWN_MAX));
    }

    private static Gift gift(Known known) {
        return new Gift(
                known.name(), known.cidrs().stream().map(Prefix::toString).toList());
    }

    // ---- the end ----

    /// The Nodes that have no CIDRs although some are free, and do not end.
    List<String> unserved(List<NodeObject> nodes) {
        var view = view(nodes);
        boolean exhausted = view.sets().stream().anyMatch(set -> set.usedCount() == set.blockCount());
        return exhausted
                ? List.of()
                : nodes.stream()
                        .filter(node ->
                                node.podCidrs().isEmpty() && !node.entry().terminating())
                        .map(NodeObject::name)
                        .toList();
    }

    /// How many Nodes can be served at once.
    int room(List<NodeObject> nodes) {
        return view(nodes).sets().stream()
                .mapToInt(set -> set.blockCount() - set.usedCount())
                .min()
                .orElseThrow();
    }

    boolean fits(NodeObject node) {
        var sets = view(List.of()).sets();
        var cidrs = node.entry().prefixes();
        if (cidrs.size() > sets.size()) {
            return false;
        }
        for (int index = 0; index < cidrs.size(); index++) {
            if (!(sets.get(index).reach(cidrs.get(index)) instanceof Reach.Blocks)) {
                return false;
            }
        }
        return true;
    }

    NodeCidrView view(List<NodeObject> nodes) {
        List<NodeEntry> entries = nodes.stream().map(NodeObject::entry).toList();
        return NodeCidrView.of(plan.config(), entries, Cursors.none());
    }

    // ---- the ledger ----

    /// A process has appended entries to the ledger of its host.
    void appended(String host, Ledger ledger) {
        for (var recorded : ledger.read(lastEntries.getOrDefault(host, 0L) + 1, Journal.PAGE_RECORDS_MAX)) {
            lastEntries.put(host, recorded.number());
            recorded.entry().granted().forEach(holding -> check(host, "got", holding, toldToCome, came));
            recorded.entry().returned().forEach(holding -> check(host, "lost", holding, toldToGo, went));
        }
    }

    private void check(
            String host, String verb, Holding holding, Map<Told, Integer> told, Map<Held, Integer> happened) {
        var held = new Held(
                holding.holder().substring("node/".length()),
                holding.range().prefixes().getFirst());
        int times = told.merge(new Told(host, held), 1, Integer::sum);
        int truly = happened.getOrDefault(held, 0);
        if (times > truly && !doubled.contains(held.cidr())) {
            stage.scheduler()
                    .fail(new AssertionError("the ledger of %s says that %s %s %s %d times, and it did %d times"
                            .formatted(host, held.name(), verb, held.cidr(), times, truly)));
        }
    }

    private static String host(String identity) {
        return identity.substring(0, identity.lastIndexOf('.'));
    }

    /// What a leader was answered is in its ledger, unless its term or its life ended meanwhile.
    void requireRecorded() {
        for (var one : answered) {
            boolean excused = ends.getOrDefault(one.identity(), List.of()).stream()
                    .anyMatch(end ->
                            !end.isBefore(one.sent()) && end.isBefore(one.at().plus(UNRECORDED_MAX)));
            for (var cidr : one.gift().cidrs()) {
                var held = new Held(one.gift().name(), Prefix.parse(cidr));
                if (!excused
                        && !doubled.contains(held.cidr())
                        && !toldToCome.containsKey(new Told(host(one.identity()), held))) {
                    throw new AssertionError("%s was answered that %s has %s, and the ledger does not say so"
                            .formatted(one.identity(), held.name(), cidr));
                }
            }
        }
    }
}
