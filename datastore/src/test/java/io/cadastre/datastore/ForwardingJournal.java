package io.cadastre.datastore;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// A journal of tests that hands every call to another one, but for those that it does itself.
public interface ForwardingJournal extends Journal {

    /// The one that does the work.
    Journal journal();

    @Override
    default void append(Function<Optional<Entry>, List<Draft>> next) {
        journal().append(next);
    }

    @Override
    default List<Entry> read(long from, int limit) {
        return journal().read(from, limit);
    }

    @Override
    default List<Entry> find(Query query, long from, int limit) {
        return journal().find(query, from, limit);
    }

    @Override
    default <T> T look(Function<Look, T> work) {
        return journal().look(work);
    }

    @Override
    default void cut(Function<Look, Optional<Cut>> work) {
        journal().cut(work);
    }

    @Override
    default void close() {
        journal().close();
    }
}
