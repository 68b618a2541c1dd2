package io.cadastre.cli.session;

import io.cadastre.datastore.Journal;
import io.cadastre.datastore.memory.MemoryJournal;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// The journal of a data directory without decisions. Writing to it fails, which keeps commands that only read
/// from writing.
public final class EmptyJournal implements Journal {

    @Override
    public void append(Function<Optional<Entry>, List<Draft>> next) {
        throw new IllegalStateException("a command that only reads has written");
    }

    @Override
    public List<Entry> read(long from, int limit) {
        return List.of();
    }

    @Override
    public List<Entry> find(Query query, long from, int limit) {
        return List.of();
    }

    @Override
    public <T> T look(Function<Look, T> work) {
        return new MemoryJournal().look(work);
    }

    @Override
    public void cut(Function<Look, Optional<Cut>> work) {
        throw new IllegalStateException("a command that only reads has cut");
    }

    @Override
    public void close() {}
}
