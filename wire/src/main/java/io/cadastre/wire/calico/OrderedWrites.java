package io.cadastre.wire.calico;

import io.cadastre.engine.block.Attribute.Held;
import io.cadastre.engine.block.Handle;
import io.cadastre.wire.calico.CalicoWriteSet.Note;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// What is to be written to a store without transactions, in stages after each of which, and after any part of each of
/// which, it is legal to stop, whether one decision is written or several.
///
/// First an owner drops affinities to blocks that are not its own: a process that stops after claiming
/// others would return to them, and have more blocks than it may. Then come the announcements: an affinity
/// that is to be given up says so, and after that one that is to be claimed. Then come blocks that only take back or
/// are given up; new blocks, which have given nothing yet, and the affinities that they confirm; handles that count
/// more; blocks that give; and handles that count less: a handle may count too many and never too few. After them
/// other affinities get their final state, and last come the documents that concern a whole node or cluster. Rivals
/// meet at blocks, so a process that loses one leaves nothing behind but an announcement and a count, which the next
/// decision clears. Addresses are given as late as possible: an owner without a handle is not recognised again.
///
/// The writes of one stage may be under way at once, so any of them may be done while others are not, and the answers
/// of several may be lost. They are of different documents of one kind, and no law relates two of these:
/// - An affinity is about one block. Two of one owner matter to each other only in how many blocks the owner has, so
///   one that is given up is announced before another is claimed, and blocks go before blocks come.
/// - A block gives or takes back its own addresses. A handle that has addresses in two blocks counts both before
///   either gives, and still counts both after either has taken back. The next decision recognises each grant by the
///   number of its block, and bars each that has not arrived.
/// - A handle counts in one document, for all blocks.
///
/// A new block is created before it gives anything, although one write could do both: a creation that
/// arrives late cannot be kept from arriving, so it must not give an address that its handle has ceased to
/// count.
final class OrderedWrites {

    /// What a document is to become. One document may have two steps.
    record Step(CalicoKey key, Optional<CalicoDocument> after) {}

    private final List<Step> drops = new ArrayList<>();
    private final List<Step> announcedGiveUps = new ArrayList<>();
    private final List<Step> announcedClaims = new ArrayList<>();
    private final List<Step> returns = new ArrayList<>();
    private final List<Step> creations = new ArrayList<>();
    private final List<Step> confirmations = new ArrayList<>();
    private final List<Step> counts = new ArrayList<>();
    private final List<Step> grants = new ArrayList<>();
    private final List<Step> discounts = new ArrayList<>();
    private final List<Step> conclusions = new ArrayList<>();
    private final List<Step> settings = new ArrayList<>();

    private OrderedWrites() {}

    /// The stages, each with at least one step and at most one for each document.
    static List<List<Step>> of(CalicoWriteSet documents) {
        var ordered = new OrderedWrites();
        documents.notes().forEach((key, note) -> ordered.add(documents, key, note));
        return Stream.of(
                        ordered.drops,
                        ordered.announcedGiveUps,
                        ordered.announcedClaims,
                        ordered.returns,
                        ordered.creations,
                        ordered.confirmations,
                        ordered.counts,
                        ordered.grants,
                        ordered.discounts,
                        ordered.conclusions,
                        ordered.settings)
                .filter(stage -> !stage.isEmpty())
                .toList();
    }

    private void add(CalicoWriteSet documents, CalicoKey key, Note note) {
        if (!note.isWrite()) {
            return;
        }
        var step = new Step(key, note.after());
        switch (key) {
            case CalicoKey.OfAffinity(var _, var cidr) -> {
                if (note.after().isEmpty()
                        && note.first().isEmpty()
                        && !documents.notes().containsKey(new CalicoKey.OfBlock(cidr))) {
                    drops.add(step);
                    return;
                }
                // Giving up is announced even if it was announced before: a rival may have claimed it
                // since.
                var announced = announced(note);
                if (!same(announced, note.after())
                        && (note.after().isEmpty()
                                || !same(announced, note.before().map(StoredDocument::content)))) {
                    (note.after().isEmpty() ? announcedGiveUps : announcedClaims).add(new Step(key, announced));
                }
                boolean confirms = note.after().isPresent() && documents.creates(new CalicoKey.OfBlock(cidr));
                (confirms ? confirmations : conclusions).add(step);
            }
            case CalicoKey.OfHandle(var id) -> addHandle(documents, id, key, note);
            case CalicoKey.OfBlock _ -> addBlock(step, note);
            case CalicoKey.OfConfig _,
                    CalicoKey.OfHostRecord _,
                    CalicoKey.OfPool _,
                    CalicoKey.OfReservation _,
                    CalicoKey.OfNode _,
                    CalicoKey.OfClusterInformation _ -> settings.add(step);
        }
    }

    /// What an affinity says before its block is written. One that is given up and claimed by the same
    /// commit says that it is to be claimed. If it were deleted, it would have to be created as confirmed:
    /// a creation that arrives late cannot be kept from arriving, and by then the block may be another's.
    private static Optional<CalicoDocument> announced(Note note) {
        return note.first().isPresent()
                ? note.first()
                : note.after().map(AffinityDocument.class::cast).map(AffinityDocument::pending);
    }

    private void addBlock(Step step, Note note) {
        var before = note.before().map(StoredDocument::content);
        if (before.isEmpty()) {
            if (!same(note.first(), note.after())) {
                creations.add(new Step(step.key(), note.first()));
                grants.add(step);
            } else {
                creations.add(step);
            }
        } else if (note.after().isPresent() && gives(before, note.after().get(), _ -> true)) {
            grants.add(step);
        } else {
            returns.add(step);
        }
    }

    /// Whether one of these holders has an address after that which it did not have before.
    private static boolean gives(Optional<CalicoDocument> before, CalicoDocument after, Predicate<Held> holders) {
        var former = before.map(document -> ((BlockDocument) document).block()).filter(block -> !block.damaged());
        var latter = ((BlockDocument) after).block();
        return IntStream.range(0, latter.size())
                .anyMatch(ordinal -> latter.attribute(ordinal).orElse(null) instanceof Held held
                        && holders.test(held)
                        && former.flatMap(block -> block.attribute(ordinal))
                                .filter(held::equals)
                                .isEmpty());
    }

    /// Whether some block gives the handle an address.
    private static boolean isGiven(CalicoWriteSet documents, String handle) {
        return documents.notes().entrySet().stream()
                .filter(entry -> entry.getKey() instanceof CalicoKey.OfBlock)
                .map(Map.Entry::getValue)
                .filter(note -> note.isWrite() && note.after().isPresent())
                .anyMatch(note -> gives(
                        note.before().map(StoredDocument::content),
                        note.after().get(),
                        held -> held.cleanHandle().equals(handle)));
    }

    private static boolean same(Optional<CalicoDocument> one, Optional<CalicoDocument> other) {
        return one.map(CalicoDocument::encode).equals(other.map(CalicoDocument::encode));
    }

    private void addHandle(CalicoWriteSet documents, String id, CalicoKey key, Note note) {
        var before = handle(id, note.before().map(StoredDocument::content));
        var after = handle(id, note.after());
        var larger = larger(before, after);
        // One that counts already what it is given is rewritten before: it may be gone meanwhile.
        boolean kept = note.after().isPresent() && (larger.equals(after) || isGiven(documents, id));
        if (!larger.equals(before) || kept) {
            counts.add(new Step(key, note.after().map(content -> with(content, larger))));
        }
        if (!larger.equals(after) || note.after().isEmpty()) {
            discounts.add(new Step(key, note.after()));
        }
    }

    private static Handle handle(String id, Optional<CalicoDocument> content) {
        return content.orElse(null) instanceof HandleDocument document ? document.handle() : Handle.empty(id);
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
