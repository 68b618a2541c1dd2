package io.cadastre.controller.nodecidr;

import io.cadastre.address.Prefix;
import io.cadastre.controller.nodecidr.CidrLaw.Offer;
import io.cadastre.controller.nodecidr.LateWrites.LateWrite;
import io.cadastre.engine.Because;
import io.cadastre.engine.nodecidr.NodeEntry;
import io.cadastre.wire.kubernetes.NodeObject;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.Set;

/// Which Nodes have CIDRs, and which are being given some, during one leader term.
///
/// A CIDR that was chosen is *reserved* until the watch shows the Node with it. What the watch shows of a Node from
/// before the own write does not end a reservation. A CIDR that a late write may yet put on a Node is *held*, unless
/// the Node itself has it: the write could reach another Node of the same name.
///
/// Not safe for several threads at once.
final class NodeCidrTerm {

    /// A Node that may get this many in writes that were not answered is offered one of those again.
    private static final int UNANSWERED_MAX = 2;

    private final CidrLaw law;
    private final Map<String, NodeObject> nodes;
    private final LateWrites lateWrites;
    private final Map<String, Reservation> reservations = new HashMap<>();

    /// What the law has under the name of each Node.
    private final Map<String, List<Prefix>> claims = new HashMap<>();

    /// The holders of what late writes may put on Nodes.
    private final Set<String> holders = new HashSet<>();

    /// Nodes for which nothing was free, the first one first.
    private final SequencedSet<String> starving = new LinkedHashSet<>();

    /// @param node as it was when they were chosen
    /// @param written the revision at which the Node had them; empty while they are being written
    /// @param goneAt the revision at which the Node was deleted meanwhile; zero if it was not
    private record Reservation(NodeObject node, List<Prefix> cidrs, Optional<Long> written, long goneAt) {

        boolean writing() {
            return written.isEmpty();
        }

        Reservation writtenAt(long revision) {
            return new Reservation(node, cidrs, Optional.of(revision), goneAt);
        }

        Reservation goneAt(long revision) {
            return new Reservation(node, cidrs, written, revision);
        }

        NodeObject given() {
            var entry = node.entry();
            var texts = cidrs.stream().map(Prefix::toString).toList();
            var with = new NodeEntry(entry.name(), texts, entry.terminating(), entry.uid());
            return new NodeObject(with, node.labels(), node.revision());
        }
    }

    /// What is to be done about a Node.
    sealed interface Step {

        record Nothing() implements Step {}

        /// Its CIDRs do not fit, or no law gives it any.
        record Failed(String sentence) implements Step {}

        record Exhausted(NodeObject node, String sentence) implements Step {}

        /// These are reserved for it.
        record Write(NodeObject node, List<Prefix> cidrs, List<Because> because) implements Step {
            public Write {
                cidrs = List.copyOf(cidrs);
                because = List.copyOf(because);
            }
        }

        /// It is not known, but was written to: look whether it exists.
        record Look(String node) implements Step {}
    }

    /// @param nodes as the watch shows them; the caller keeps them current, before it says that one was seen or is gone
    NodeCidrTerm(CidrLaw law, Map<String, NodeObject> nodes, LateWrites lateWrites) {
        this.law = law;
        this.nodes = nodes;
        this.lateWrites = lateWrites;
        nodes.forEach((name, node) -> claims.put(name, node.entry().prefixes()));
        lateWrites.nodes().forEach(this::hold);
    }

    CidrLaw law() {
        return law;
    }

    /// Whether these CIDRs are reserved for the Node.
    boolean reserves(String name, List<Prefix> cidrs) {
        var reservation = reservations.get(name);
        return reservation != null && reservation.cidrs().equals(cidrs);
    }

    /// Whether a write to the Node is under way.
    boolean isWriting(String name) {
        var reservation = reservations.get(name);
        return reservation != null && reservation.writing();
    }

    Step next(String name, long nowNanos) {
        expire(name, nowNanos);
        var node = nodes.get(name);
        if (node == null) {
            return reservations.containsKey(name) ? new Step.Look(name) : new Step.Nothing();
        }
        if (!node.podCidrs().isEmpty()) {
            return law.misfit(node).<Step>map(Step.Failed::new).orElseGet(Step.Nothing::new);
        }
        if (node.entry().terminating() || reservations.containsKey(name)) {
            return new Step.Nothing();
        }
        var unanswered = unanswered(node);
        return unanswered.size() < UNANSWERED_MAX ? choose(node, unanswered) : again(node, unanswered.getFirst());
    }

    /// As upstream does, even after a write that was not answered. If nothing else is free, it is offered that
    /// again.
    private Step choose(NodeObject node, List<LateWrite> unanswered) {
        return switch (law.offer(node)) {
            case Offer.Chosen(var cidrs, var because) -> {
                claims.put(node.name(), cidrs);
                yield reserve(node, cidrs, because);
            }
            case Offer.Exhausted _ when !unanswered.isEmpty() -> again(node, unanswered.getFirst());
            case Offer.Exhausted(var sentence) -> {
                starving.add(node.name());
                yield new Step.Exhausted(node, sentence);
            }
            case Offer.Awaited _ -> {
                starving.add(node.name());
                yield new Step.Nothing();
            }
            case Offer.Refused(var sentence) -> new Step.Failed(sentence);
        };
    }

    private Step again(NodeObject node, LateWrite write) {
        return reserve(node, write.cidrs(), List.of());
    }

    /// What this Node may have already.
    private List<LateWrite> unanswered(NodeObject node) {
        return lateWrites.of(node.name()).stream()
                .filter(write -> write.uid().equals(node.entry().uid()))
                .filter(write -> nodes.values().stream().noneMatch(other -> overlap(other, write.cidrs())))
                .toList();
    }

    private static boolean overlap(NodeObject node, List<Prefix> cidrs) {
        return node.entry().prefixes().stream().anyMatch(held -> cidrs.stream().anyMatch(held::overlaps));
    }

    private Step reserve(NodeObject node, List<Prefix> cidrs, List<Because> because) {
        var reservation = new Reservation(node, cidrs, Optional.empty(), 0);
        starving.remove(node.name());
        reservations.put(node.name(), reservation);
        lateWrites.begin(node.entry(), cidrs);
        if (!has(node.name(), cidrs)) {
            var _ = claim(reservation.given());
        }
        return new Step.Write(node, cidrs, because);
    }

    private boolean has(String name, List<Prefix> cidrs) {
        return claims.getOrDefault(name, List.of()).equals(cidrs);
    }

    /// The law has this of the Node from now on.
    private Optional<String> claim(NodeObject node) {
        var name = node.name();
        var cidrs = node.entry().prefixes();
        lateWrites.of(name).stream()
                .filter(write -> write.cidrs().equals(cidrs))
                .forEach(this::letGo);
        claims.put(name, cidrs);
        hold(name);
        return law.seen(node);
    }

    /// The law has nothing of the Node from now on.
    private void disclaim(String name) {
        claims.remove(name);
        hold(name);
        law.gone(name);
    }

    /// Before the Node loses it, so that it is not free for an instant and counted as such.
    private void hold(String name) {
        for (var write : lateWrites.of(name)) {
            if (!has(name, write.cidrs()) && holders.add(write.holder())) {
                law.hold(write.holder(), write.cidrs());
            }
        }
    }

    private void letGo(LateWrite write) {
        if (holders.remove(write.holder())) {
            law.gone(write.holder());
        }
    }

    /// Lets go what no late write can put on the Node any more.
    void expire(String name, long nowNanos) {
        lateWrites.expire(name, nowNanos).forEach(this::letGo);
    }

    /// The watch showed the Node. Returns what an operator should know about it.
    Optional<String> seen(NodeObject node) {
        starving.remove(node.name());
        var reservation = reservations.get(node.name());
        if (reservation != null) {
            boolean older = reservation.writing()
                    ? node.podCidrs().isEmpty()
                    : reservation.written().orElseThrow() > node.revision();
            if (older) {
                return Optional.empty();
            }
            if (!reservation.writing()) {
                reservations.remove(node.name());
            }
        }
        return claim(node);
    }

    /// The Node was deleted at this revision.
    void gone(String name, long revision) {
        starving.remove(name);
        var reservation = reservations.get(name);
        if (reservation != null) {
            // A write that came after the deletion went to a new Node of the same name.
            if (reservation.writing() || reservation.written().orElseThrow() > revision) {
                reservations.put(name, reservation.goneAt(revision));
                return;
            }
            reservations.remove(name);
        }
        disclaim(name);
    }

    /// The Node has the CIDRs that were reserved for it.
    void written(String name, long revision) {
        var reservation = reservations.get(name);
        if (reservation != null && outlasts(reservation, revision)) {
            reservations.put(name, reservation.writtenAt(revision));
            if (!has(name, reservation.cidrs())) {
                var _ = claim(reservation.given());
            }
        } else {
            notWritten(name);
        }
    }

    /// The Node was read and has other CIDRs than were reserved for it. Returns what an operator should know about it.
    Optional<String> found(NodeObject node) {
        var name = node.name();
        var reservation = reservations.get(name);
        if (reservation != null && outlasts(reservation, node.revision())) {
            reservations.put(
                    name,
                    new Reservation(node, node.entry().prefixes(), Optional.of(node.revision()), reservation.goneAt()));
            return claim(node);
        }
        notWritten(name);
        return Optional.empty();
    }

    /// Whether the watch has yet to show what the Node has at this revision.
    private boolean outlasts(Reservation reservation, long revision) {
        var known = nodes.get(reservation.node().name());
        return reservation.goneAt() < revision && (known == null || known.revision() < revision);
    }

    /// The Node was not seen with the CIDRs that were reserved for it. What the watch shows counts.
    void notWritten(String name) {
        reservations.remove(name);
        var node = nodes.get(name);
        if (node == null) {
            disclaim(name);
        } else {
            var _ = claim(node);
        }
    }

    private boolean hasRoom(String name) {
        var node = nodes.get(name);
        return node == null || law.hasRoom(node);
    }

    /// The Nodes that may be tried again, since this number of CIDRs became free.
    List<String> takeStarving(long count) {
        var taken = count <= 0
                ? List.<String>of()
                : starving.stream().filter(this::hasRoom).limit(count).toList();
        taken.forEach(starving::remove);
        return taken;
    }
}
