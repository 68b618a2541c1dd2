package io.cadastre.verification.simulation.runtime;

import io.cadastre.engine.Change;
import io.cadastre.registry.Registrar;
import io.cadastre.registry.Request;

/// A registrar of one life of a process, whose answers the witness looks for in the ledger.
public record WitnessedRegistrar<V, C extends Change>(
        Registrar<V, C> registrar, ProcessLife life, LedgerWitness ledgerWitness) {

    public <O> O enact(String words, Request.Law<V, C, O> law) {
        return ledgerWitness.enact(life, registrar, words, law);
    }
}
