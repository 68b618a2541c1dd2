package io.cadastre.registry;

import io.cadastre.datastore.Commit;
import io.cadastre.engine.Change;
import io.cadastre.engine.Holding;
import io.cadastre.engine.Lack;

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

    /// This page after also reading what an engine lacked. What was noted stays noted.
    ///
    /// A book that always reads everything never lacks anything.
    default Page<V, C> reading(Lack lack) {
        throw new IllegalStateException(
                "this book lacks nothing, but asked for " + lack.sentence());
    }

    /// This page after also reading all that an engine lacked, together where the book can.
    ///
    /// @param soon what requests that are decided after this one are going to lack. It may be read along in
    ///     the same round trip; whatever of it cannot be read is left to the request that lacks it.
    default Page<V, C> reading(List<Lack> lacks, List<Lack> soon) {
        Page<V, C> page = this;
        for (var lack : lacks) {
            page = page.reading(lack);
        }
        return page;
    }

    /// This page after taking for granted what an engine lacked. Empty if that has to be read. What turns
    /// out to be otherwise is a conflict of the [#save()].
    default Optional<Page<V, C>> assuming(List<Lack> lacks) {
        return Optional.empty();
    }

    /// Called when a decision was made on it that refuses something, wholly or in part.
    ///
    /// @throws io.cadastre.engine.Unread if the page rests on what was read for an earlier one, which nothing
    ///     would put to the test
    default void checkRefusal() {}

    /// Whether the book as it was read, without what is noted, shows that this is held.
    ///
    /// @throws io.cadastre.engine.Unread if something has to be read first
    default boolean shows(Holding holding) {
        return false;
    }

    /// Whether the book as it was read shows that this is held, and that this very change gave it. Whoever
    /// is given something may have held the same before.
    ///
    /// @throws io.cadastre.engine.Unread if something has to be read first
    default boolean showsGrant(C change, Holding granted) {
        return shows(granted);
    }

    /// Looks whether the writes of a [#save()] whose answer was lost have been applied. Empty means
    /// that nobody can tell: then the book is read again and everything decided afresh. A save that the
    /// store refused half way was answered: whatever is found of its rest is another's.
    default Optional<Commit.Done> landed() {
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
    Commit save();

    /// Writes as [#save()] does, and if that stops half way tells of what was written. A book whose pages
    /// are never half written has nothing to tell.
    default Commit save(Consumer<HalfDone> stopped) {
        return save();
    }

    /// Writes as [#save(Consumer)] does, by a commit that carries what the ledger is to tell. A book whose
    /// pages commit by themselves leaves that to be told afterwards.
    default Commit save(Consumer<HalfDone> stopped, Recording recording) {
        return save(stopped);
    }

    /// Whether those who met in this conflict of a [#save()] would meet there again unless they step
    /// aside. They would not if whoever came second now goes elsewhere.
    default boolean meetAgain(Commit.Conflict conflict) {
        return true;
    }
}
