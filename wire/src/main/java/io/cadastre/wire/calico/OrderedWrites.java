package io.cadastre.wire.calico;

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
final class OrderedWrites {

    /// What a document is to become. One document may have two steps.
    record Step(CalicoKey key, Optional<CalicoDocument> after) {}

    private final List<Step> announcements = new ArrayList<>();
    private final List<Step> counts = new ArrayList<>();
    private final List<Step> blocks = new ArrayList<>();
    private final List<Step> discounts = new ArrayList<>();
    private final List<Step> conclusions = new ArrayList<>();

    private OrderedWrites() {}

    static List<Step> of(NetDocuments documents) {
        var ordered = new OrderedWrites();
        documents.notes().forEach(ordered::add);
        var steps = new ArrayList<Step>();
        steps.addAll(ordered.announcements);
        steps.addAll(ordered.counts);
        steps.addAll(ordered.blocks);
        steps.addAll(ordered.discounts);
        steps.addAll(ordered.conclusions);
        return steps;
    }

    private void add(CalicoKey key, Note note) {
        if (!note.isWrite()) {
            return;
        }
        var step = new Step(key, note.after());
        switch (key) {
            case CalicoKey.OfAffinity _ -> {
                if (!same(note.first(), note.after())
                        && !same(note.first(), note.before().map(Entry::content))) {
                    announcements.add(new Step(key, note.first()));
                }
                conclusions.add(step);
            }
            case CalicoKey.OfHandle(var id) -> addHandle(id, key, note);
            case CalicoKey.OfBlock _ -> blocks.add(step);
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
