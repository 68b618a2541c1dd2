package io.cadastre.verification.simulation;

import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Journal;
import io.cadastre.engine.Decision;
import io.cadastre.engine.pool.AllocateRequest;
import io.cadastre.engine.pool.Allocation;
import io.cadastre.engine.pool.ForcedReleaseRequest;
import io.cadastre.engine.pool.PoolChange;
import io.cadastre.engine.pool.PoolEngine;
import io.cadastre.engine.pool.PoolView;
import io.cadastre.engine.pool.Release;
import io.cadastre.engine.pool.ReleaseRequest;
import io.cadastre.registry.Ledger;
import io.cadastre.registry.Registrar;
import io.cadastre.registry.Request;
import io.cadastre.wire.spiderpool.objects.SpiderBook;

import java.time.Duration;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/// Opens the office of a process that has just started to serve pods.
@FunctionalInterface
interface PoolOffices {

    PoolOffice open(Datastore store, Desk desk);

    /// What an office needs besides the store.
    record Desk(
            Journal journal,
            LedgerWitness ledgerWitness,
            SeededScheduler scheduler,
            RandomGenerator dice) {}

    /// The office that ships: the real registrar and the real law on the real book.
    static PoolOffice real(Datastore store, Desk desk) {
        return of(store, desk, PoolEngine::allocate);
    }

    /// The real registrar on the real book, with another law of giving.
    static PoolOffice of(
            Datastore store,
            Desk desk,
            BiFunction<PoolView, AllocateRequest, Decision<PoolChange, Allocation>> giving) {
        return new RealOffice(
                new Registrar<>(
                        new SpiderBook(store, desk.scheduler()),
                        new Ledger(desk.journal()),
                        new Registrar.Limits(12, 8, 100, Duration.ofMillis(50)),
                        desk.scheduler(),
                        desk.dice(),
                        desk.scheduler()::pause),
                desk.ledgerWitness(),
                giving);
    }

    /// Asks a registrar.
    record RealOffice(
            Registrar<PoolView, PoolChange> registrar,
            LedgerWitness ledgerWitness,
            BiFunction<PoolView, AllocateRequest, Decision<PoolChange, Allocation>> giving)
            implements PoolOffice {

        @Override
        public Allocation allocate(AllocateRequest request) {
            var tenant = request.tenant();
            return enact(
                    "add %s of %s %s".formatted(request.nic(), tenant.key(), tenant.uid()),
                    view -> giving.apply(view, request));
        }

        @Override
        public Release release(ReleaseRequest request) {
            return enact(
                    "release %s %s".formatted(request.key(), request.uid()),
                    view -> PoolEngine.release(view, request));
        }

        @Override
        public Release forceRelease(ForcedReleaseRequest request) {
            return enact(
                    "force %s %s".formatted(request.key(), request.uid()),
                    view -> PoolEngine.forceRelease(view, request));
        }

        private <O> O enact(String words, Function<PoolView, Decision<PoolChange, O>> law) {
            long lastNumber = ledgerWitness.lastNumber();
            var outcome = ledgerWitness.asking(() -> registrar.enact(new Request<>(words, law)));
            ledgerWitness.answered(words, outcome, lastNumber);
            return outcome;
        }
    }
}
