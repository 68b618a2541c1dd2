package io.cadastre.verification.simulation.nodeipam;

import io.cadastre.datastore.Journal;
import io.cadastre.verification.simulation.runtime.Network;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/// The journal of the ledger as the process of a machine sees it.
///
/// @param appended runs after each append
record ProcessJournal(Journal journal, SimulatedProcess process, Network network, Runnable appended)
        implements Journal {

    @Override
    public void append(Function<Optional<Entry>, List<Draft>> next) {
        call(() -> {
            journal.append(next);
            appended.run();
            return true;
        });
    }

    @Override
    public List<Entry> read(long from, int limit) {
        return call(() -> journal.read(from, limit));
    }

    @Override
    public List<Entry> find(Query query, long from, int limit) {
        return call(() -> journal.find(query, from, limit));
    }

    @Override
    public <T> T look(Function<Look, T> work) {
        return call(() -> journal.look(work));
    }

    @Override
    public void cut(Function<Look, Optional<Cut>> work) {
        call(() -> {
            journal.cut(work);
            return true;
        });
    }

    @Override
    public void close() {}

    private <T> T call(Supplier<T> call) {
        return process.call(() -> {
            process.requireAlive();
            network.travel(process.identity());
            process.requireAlive();
            return call.get();
        });
    }
}
