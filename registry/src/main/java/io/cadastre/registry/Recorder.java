package io.cadastre.registry;

import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Write;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// Takes down what was decided and done.
public interface Recorder extends AutoCloseable {

    /// Takes the entries, in this order.
    void append(List<Ledger.Entry> entries);

    /// Takes entries that belong to one instant, unless they were taken already: for entries of an
    /// earlier call whose caller does not know whether they were taken.
    void appendUnlessThere(List<Ledger.Entry> entries);

    /// Commits the writes and takes the entries in one transaction, with the revision of the commit, if
    /// the store keeps what is taken here. Otherwise nothing is done, and the answer is empty.
    default Optional<Commit> commit(Datastore store, List<Write> writes, Supplier<List<Ledger.Entry>> entries) {
        return Optional.empty();
    }

    /// Writes what was taken and is not written yet.
    @Override
    default void close() {}
}
