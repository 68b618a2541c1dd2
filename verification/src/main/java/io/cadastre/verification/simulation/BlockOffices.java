package io.cadastre.verification.simulation;

import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Journal;
import io.cadastre.engine.block.AddressAssignment;
import io.cadastre.engine.block.AssignAddressRequest;
import io.cadastre.engine.block.AssignRequest;
import io.cadastre.engine.block.Assignment;
import io.cadastre.engine.block.BlockChange;
import io.cadastre.engine.block.BlockEngine;
import io.cadastre.engine.block.BlockReleases;
import io.cadastre.engine.block.BlockView;
import io.cadastre.engine.block.HandleRelease;
import io.cadastre.engine.block.Release;
import io.cadastre.engine.block.ReleaseOption;
import io.cadastre.registry.Book;
import io.cadastre.registry.Ledger;
import io.cadastre.registry.Registrar;
import io.cadastre.registry.Request;
import io.cadastre.registry.Request.Law;
import io.cadastre.wire.calico.CalicoBook;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.random.RandomGenerator;

/// Opens the office of a process that has just started.
@FunctionalInterface
interface BlockOffices {

    BlockOffice open(Datastore store, Desk desk);

    /// What an office needs besides the store.
    record Desk(
            Journal journal,
            LedgerWitness ledgerWitness,
            SeededScheduler scheduler,
            RandomGenerator dice,
            Books books) {

        /// The same, with the ledger in another journal.
        Desk with(Journal other) {
            return new Desk(other, ledgerWitness, scheduler, dice, books);
        }
    }

    /// Opens the book of a process on its store.
    @FunctionalInterface
    interface Books {

        CalicoBook open(Datastore store);
    }

    /// The office that ships: the real registrar on the real book.
    static BlockOffice real(Datastore store, Desk desk) {
        return on(desk.books().open(store), desk);
    }

    /// The real registrar on any book.
    static BlockOffice on(Book<BlockView, BlockChange> book, Desk desk) {
        return new RealOffice(
                new Registrar<>(
                        book,
                        new Ledger(desk.journal()),
                        new Registrar.Limits(12, 8, 100, Duration.ofMillis(50)),
                        desk.scheduler(),
                        desk.dice(),
                        desk.scheduler()::pause),
                desk.ledgerWitness());
    }

    /// Asks a registrar. What was decided without an answer is passed on to the next decision.
    record RealOffice(Registrar<BlockView, BlockChange> registrar, LedgerWitness ledgerWitness)
            implements BlockOffice {

        @Override
        public Assignment assign(AssignRequest request) {
            return enact(
                    "assign " + request.claimant().handle(),
                    (view, lost) -> BlockEngine.assign(view, request.after(lost)));
        }

        @Override
        public AddressAssignment assignAddress(AssignAddressRequest request) {
            return enact(
                    "assign %s to %s".formatted(request.address(), request.claimant().handle()),
                    (view, lost) -> BlockEngine.assignAddress(view, request.after(lost)));
        }

        @Override
        public Release release(List<ReleaseOption> options, Instant now) {
            return enact(
                    "release " + options,
                    (view, lost) -> BlockReleases.release(view, options, lost, now));
        }

        @Override
        public HandleRelease releaseByHandle(String handle, Instant now) {
            return enact(
                    "release handle " + handle,
                    (view, lost) -> BlockReleases.releaseByHandle(view, handle, lost, now));
        }

        @Override
        public <O> O enact(String words, Law<BlockView, BlockChange, O> law) {
            long lastNumber = ledgerWitness.lastNumber();
            var outcome = ledgerWitness.asking(() -> registrar.enact(new Request<>(words, law)));
            ledgerWitness.answered(words, outcome, lastNumber);
            return outcome;
        }
    }
}
