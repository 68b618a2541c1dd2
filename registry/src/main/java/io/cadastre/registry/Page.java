package io.cadastre.registry;

import io.cadastre.datastore.Commit;
import io.cadastre.engine.Change;

import java.util.List;

/// One reading of a book, and what is to be changed in it. A value: nothing is written before
/// [#save()].
public interface Page<V, C extends Change> {

    /// All that the engine may look at.
    V view();

    /// This page with further changes noted in it. Its view is as if they had been written.
    ///
    /// @throws PageFullException if they do not fit into one commit with those already noted
    Page<V, C> with(List<C> changes);

    /// Writes what was noted, on condition that everything written is still as it was read. A page
    /// in which nothing was noted is done without asking the store.
    Commit save();
}
