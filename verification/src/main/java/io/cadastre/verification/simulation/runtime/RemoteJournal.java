package io.cadastre.verification.simulation.runtime;

import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.DatastoreException.Kind;
import io.cadastre.datastore.Journal;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/// The journal of the ledger as one process sees it. It fails as disks do, and the process may die at every
/// call, so also between a commit and its entry.
///
/// @param journal where the entries of all processes go
/// @param afterAppend is called after each append that had an effect
/// @param slow whether calls may take their time
record RemoteJournal(
        Network network, ProcessLife life, Journal journal, Consumer<ProcessLife> afterAppend, boolean slow)
        implements Journal {

    @Override
    public void append(Function<Optional<Entry>, List<Draft>> next) {
        depart();
        if (network.strikes(Fault.APPEND_FAILED, life.name())) {
            life.owe();
            throw new DatastoreException(Kind.FULL, "no room left");
        }
        if (network.strikes(Fault.APPEND_LOST, life.name())) {
            life.owe();
            throw new DatastoreException(Kind.DEADLINE, "no answer, and nothing was done");
        }
        journal.append(next);
        afterAppend.accept(life);
        life.pay();
        if (network.strikes(Fault.APPEND_ANSWER_LOST, life.name())) {
            throw new DatastoreException(Kind.DEADLINE, "no answer, and yet it was done");
        }
        arrive();
    }

    @Override
    public List<Entry> read(long from, int limit) {
        depart();
        return journal.read(from, limit);
    }

    @Override
    public List<Entry> find(Query query, long from, int limit) {
        depart();
        if (network.strikes(Fault.READ_FAILED, life.name())) {
            throw new DatastoreException(Kind.UNREACHABLE, "no answer");
        }
        return journal.find(query, from, limit);
    }

    @Override
    public <T> T look(Function<Look, T> work) {
        depart();
        return journal.look(work);
    }

    @Override
    public void cut(Function<Look, Optional<Cut>> work) {
        depart();
        journal.cut(work);
    }

    @Override
    public void close() {}

    private void depart() {
        life.dieIfDead();
        if (slow) {
            network.travel(life.name());
        } else {
            network.scheduler().handBack();
        }
        life.dieIfDead();
        if (network.strikes(Fault.CRASH_BEFORE, life.name())) {
            life.die();
        }
    }

    private void arrive() {
        if (network.strikes(Fault.CRASH_AFTER, life.name())) {
            life.die();
        }
    }
}
