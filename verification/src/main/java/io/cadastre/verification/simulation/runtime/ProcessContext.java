package io.cadastre.verification.simulation.runtime;

import io.cadastre.datastore.Journal;
import io.cadastre.engine.Change;
import io.cadastre.registry.Book;
import io.cadastre.registry.Ledger;
import io.cadastre.registry.Registrar;
import java.time.Duration;
import java.util.random.RandomGenerator;

/// What a process has in one life, besides its store.
///
/// @param journal where its ledger is
public record ProcessContext(
        ProcessLife life,
        Journal journal,
        LedgerWitness ledgerWitness,
        SeededScheduler scheduler,
        RandomGenerator dice) {

    private static final Registrar.Limits LIMITS = new Registrar.Limits(12, 8, 100, Duration.ofMillis(50));

    /// The same, with the ledger in another journal.
    public ProcessContext with(Journal other) {
        return new ProcessContext(life, other, ledgerWitness, scheduler, dice);
    }

    /// The registrar that ships, on any book.
    public <V, C extends Change> WitnessedRegistrar<V, C> registrar(Book<V, C> book) {
        return new WitnessedRegistrar<>(
                new Registrar<>(book, new Ledger(journal), LIMITS, scheduler, dice, scheduler::pause),
                life,
                ledgerWitness);
    }
}
