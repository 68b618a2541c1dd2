package io.cadastre.wire.calico;

import io.cadastre.address.Prefix;
import io.cadastre.engine.block.Block;
import io.cadastre.engine.block.Handle;
import io.cadastre.wire.calico.NetDocuments.Note;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What is to be written to a store that applies one write after another, in an order in which every
/// place to stop is legal, whether one decision is written or several.
///
/// First comes what announces: an affinity that is to be claimed or given up says so. Then handles that
/// count more, the blocks themselves, and handles that count less: a handle may count too many and never
/// too few. Last, affinities become what they are to be. Blocks are where rivals meet, so whoever loses
/// one has left nothing behind but an announcement and a count, which the next decision clears.
///
/// Whoever gets an address is known by his handle to the next decision, which does not give him another.
/// For those without one, addresses are given as late as can be: blocks are claimed empty and their
/// affinities confirmed before, as Calico does it. Then only a rival at the second of several blocks can
/// leave addresses in the first that nobody knows of.
final class OrderedWrites {

    /// What a document is to become. One document may have two steps.
    record Step(CalicoKey key, Optional<CalicoDocument> after) {}

    private final List<Step> announcements = new ArrayList<>();
    private final List<Step> surrenders = new ArrayList<>();
    private final List<Step> claims = new ArrayList<>();
    private final List<Step> confirmations = new ArrayList<>();
    private final List<Step> counts = new ArrayList<>();
    private final List<Step> blocks = new ArrayList<>();
    private final List<Step> discounts = new ArrayList<>();
    private final List<Step> conclusions = new ArrayList<>();

    private OrderedWrites() {}

    static List<Step> of(NetDocuments documents) {
        var ordered = new OrderedWrites();
        documents.notes().forEach(ordered::add);
        return ordered.steps();
    }

    /// The order for decisions that give addresses to those who have no handle.
    static List<Step> grantingLast(NetDocuments documents) {
        var ordered = new OrderedWrites();
        documents.notes().forEach(ordered::addClaim);
        documents.notes().forEach(ordered::add);
        return ordered.steps();
    }

    private List<Step> steps() {
        var steps = new ArrayList<Step>();
        steps.addAll(announcements);
        steps.addAll(counts);
        steps.addAll(surrenders);
        steps.addAll(claims);
        steps.addAll(confirmations);
        steps.addAll(blocks);
        steps.addAll(discounts);
        steps.addAll(conclusions);
        return steps;
    }

    /// A block that is first noted without giving an address of it is written so, too.
    private void addClaim(CalicoKey key, Note note) {
        if (key instanceof CalicoKey.OfBlock
                && note.isWrite()
                && note.first().orElse(null) instanceof BlockDocument first
                && !same(note.first(), note.after())
                && first.block().freeCount() >= freeBefore(first.block(), note)) {
            claims.add(new Step(key, note.first()));
        }
    }

    /// Of a block that is not there yet all is free but what its owner keeps for itself.
    private static int freeBefore(Block first, Note note) {
        if (note.before().map(Entry::content).orElse(null) instanceof BlockDocument before) {
            return before.block().freeCount();
        }
        return first.empty() ? first.freeCount() : first.size();
    }

    /// What a host gives up it has not any more when it claims something else: it may have no more than
    /// its limit, not for an instant.
    private static boolean surrendered(Note note) {
        return !(note.after().orElse(null) instanceof BlockDocument after)
                || after.block().owner().isEmpty();
    }

    private boolean claimed(Prefix cidr) {
        return claims.stream().anyMatch(step -> step.key().equals(new CalicoKey.OfBlock(cidr)));
    }

    private void add(CalicoKey key, Note note) {
        if (!note.isWrite()) {
            return;
        }
        var step = new Step(key, note.after());
        switch (key) {
            case CalicoKey.OfAffinity(_, var cidr) -> {
                if (!same(note.first(), note.after())
                        && !same(note.first(), note.before().map(Entry::content))) {
                    announcements.add(new Step(key, note.first()));
                }
                (note.after().isPresent() && claimed(cidr) ? confirmations : conclusions).add(step);
            }
            case CalicoKey.OfHandle(var id) -> addHandle(id, key, note);
            case CalicoKey.OfBlock _ -> (surrendered(note) ? surrenders : blocks).add(step);
            case CalicoKey.OfConfig _,
                    CalicoKey.OfHostRecord _,
                    CalicoKey.OfPool _,
                    CalicoKey.OfReservation _,
                    CalicoKey.OfNode _,
                    CalicoKey.OfClusterInformation _ ->
                    conclusions.add(step);
        }
    }

    private static boolean same(Optional<CalicoDocument> one, Optional<CalicoDocument> other) {
        return one.map(CalicoDocument::encode).equals(other.map(CalicoDocument::encode));
    }

    private void addHandle(String id, CalicoKey key, Note note) {
        var before = handle(id, note.before().map(Entry::content));
        var after = handle(id, note.after());
        var larger = larger(before, after);
        if (!larger.equals(before)) {
            counts.add(new Step(key, note.after().map(content -> with(content, larger))));
        }
        if (!larger.equals(after) || larger.equals(before)) {
            discounts.add(new Step(key, note.after()));
        }
    }

    private static Handle handle(String id, Optional<CalicoDocument> content) {
        return content.orElse(null) instanceof HandleDocument document
                ? document.handle()
                : Handle.empty(id);
    }

    private static CalicoDocument with(CalicoDocument content, Handle handle) {
        return ((HandleDocument) content).with(handle);
    }

    private static Handle larger(Handle one, Handle other) {
        var larger = other;
        for (var count : one.counts().entrySet()) {
            int least = Math.max(count.getValue(), other.count(count.getKey()));
            larger = larger.withCount(count.getKey(), least);
        }
        return larger;
    }
}
