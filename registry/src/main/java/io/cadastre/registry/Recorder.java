package io.cadastre.registry;

import java.util.List;

/// Takes down what was decided and done.
public interface Recorder extends AutoCloseable {

    /// Takes the entries, in this order.
    void append(List<Ledger.Entry> entries);

    /// Takes entries that belong to one instant, unless they were taken already: for what was to be
    /// taken before, and whoever asked for it cannot tell whether it was.
    void appendUnlessThere(List<Ledger.Entry> entries);

    /// Writes what was taken and is not written yet.
    @Override
    default void close() {}
}
