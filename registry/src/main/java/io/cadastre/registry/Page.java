package io.cadastre.registry;

import io.cadastre.datastore.Commit;
import io.cadastre.engine.Change;
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

    /// Looks whether the writes of a [#save()] whose answer was lost have been applied. Empty means
    /// that nobody can tell: then the book is read again and everything decided afresh.
    default Optional<Commit.Done> landed() {
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

    /// Whether those who met in this conflict of a [#save()] would meet there again unless they step
    /// aside. They would not if whoever came second now goes elsewhere.
    default boolean meetAgain(Commit.Conflict conflict) {
        return true;
    }
}
