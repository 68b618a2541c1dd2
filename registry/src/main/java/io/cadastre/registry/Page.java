package io.cadastre.registry;

import io.cadastre.datastore.Commit;
import io.cadastre.engine.Change;
import io.cadastre.engine.Holding;
import io.cadastre.engine.Missing;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// One reading of a book, and what is to be changed in it. A value: nothing is written before
/// [#save()].
public interface Page<V, C extends Change> {

    /// All that the engine may look at.
    V view();

    /// This page with further changes noted in it. Its view is as if they had been written.
    ///
    /// @throws PageFullException if they do not fit into one commit with those already noted
    Page<V, C> with(List<C> changes);

    /// This page after also reading what an engine was missing. What was noted stays noted.
    ///
    /// A book that always reads everything never has missing items.
    default Page<V, C> reading(Missing missing) {
        throw new IllegalStateException("this book lacks nothing, but asked for " + missing.sentence());
    }

    /// This page after also reading all that an engine was missing, together where the book can.
    ///
    /// @param soon what requests that are decided after this one will need. It may be read in the same
    ///     round trip; what of it cannot be read is left to the request that needs it.
    default Page<V, C> reading(List<Missing> allMissing, List<Missing> soon) {
        Page<V, C> page = this;
        for (var missing : allMissing) {
            page = page.reading(missing);
        }
        return page;
    }

    /// This page after assuming what an engine was missing. Empty if that has to be read. A wrong
    /// assumption is a conflict of the [#save()].
    default Optional<Page<V, C>> assuming(List<Missing> allMissing) {
        return Optional.empty();
    }

    /// Called when a decision was made on it that refuses something, wholly or in part.
    ///
    /// @throws io.cadastre.engine.NotReadException if the page rests on what was read for an earlier one, which
    ///     nothing would put to the test
    default void checkRefusal() {}

    /// Whether the book as it was read, without what is noted, shows that this is held.
    ///
    /// @throws io.cadastre.engine.NotReadException if something has to be read first
    default boolean shows(Holding holding) {
        return false;
    }

    /// Whether the book as it was read shows that this is held, and that this very change gave it. The
    /// holder may have held the same before.
    ///
    /// @throws io.cadastre.engine.NotReadException if something has to be read first
    default boolean showsGrant(C change, Holding granted) {
        return shows(granted);
    }

    /// Looks whether the writes of a [#save()] whose answer was lost have been applied. Empty means
    /// that this is unknown: then the book is read again and everything decided afresh. A save that the
    /// store refused half way was answered: whatever is found of its rest was written by another
    /// process.
    default Optional<Commit.Done> findApplied() {
        return Optional.empty();
    }

    /// Looks at everything a [#save()] would find changed, and writes nothing. Empty if it would find
    /// nothing changed; otherwise the page on which the decision would be made again after that conflict.
    ///
    /// A book that reads whatever it writes on the way to a decision has nothing to look at.
    default Optional<Page<V, C>> rehearse() {
        return Optional.empty();
    }

    /// Writes what was noted, on condition that everything written is still as it was read. A page
    /// in which nothing was noted is done without asking the store.
    ///
    /// After a [Commit.Conflict] nothing of the page was written and nothing will be. Where a store
    /// applies writes one by one, a save that stopped half way is [Commit.Unknown].
    default Commit save() {
        return save(_ -> {});
    }

    /// Writes as [#save()] does, and if that stops half way reports what was written. A book whose
    /// pages are never half written reports nothing.
    default Commit save(Consumer<PartialCommit> stopped) {
        return save(stopped, Recording.none());
    }

    /// Writes as [#save(Consumer)] does, by a commit that carries what the ledger records. A book whose
    /// pages commit by themselves leaves that to be recorded afterwards.
    Commit save(Consumer<PartialCommit> stopped, Recording recording);

    /// Whether the rivals in this conflict of a [#save()] would conflict there again unless they pause.
    /// They would not if the second one now goes elsewhere.
    default boolean meetAgain(Commit.Conflict conflict) {
        return true;
    }
}
