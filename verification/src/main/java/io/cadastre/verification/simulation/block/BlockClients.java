package io.cadastre.verification.simulation.block;

import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Journal;
import io.cadastre.engine.block.Attempts;
import io.cadastre.engine.block.BlockChange;
import io.cadastre.engine.block.BlockEngine;
import io.cadastre.engine.block.BlockView;
import io.cadastre.engine.block.assign.AddressAssignment;
import io.cadastre.engine.block.assign.AssignAddressRequest;
import io.cadastre.engine.block.assign.AssignRequest;
import io.cadastre.engine.block.assign.Assignment;
import io.cadastre.engine.block.release.HandleRelease;
import io.cadastre.engine.block.release.Release;
import io.cadastre.engine.block.release.ReleaseOption;
import io.cadastre.registry.Book;
import io.cadastre.registry.Ledger;
import io.cadastre.registry.Registrar;
import io.cadastre.registry.Request.Law;
import io.cadastre.verification.simulation.runtime.LedgerWitness;
import io.cadastre.verification.simulation.runtime.ProcessLife;
import io.cadastre.verification.simulation.runtime.SeededScheduler;
import io.cadastre.wire.calico.CalicoBook;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.random.RandomGenerator;

/// Opens the client of a process that has just started.
@FunctionalInterface
interface BlockClients {

    BlockClient open(Datastore store, ProcessContext context);

    /// What a client needs besides the store.
    record ProcessContext(
            ProcessLife life,
            Journal journal,
            LedgerWitness ledgerWitness,
            SeededScheduler scheduler,
            RandomGenerator dice,
            Books books) {

        /// The same, with the ledger in another journal.
        ProcessContext with(Journal other) {
            return new ProcessContext(life, other, ledgerWitness, scheduler, dice, books);
        }
    }

    /// Opens the book of a process on its store.
    @FunctionalInterface
    interface Books {

        CalicoBook open(Datastore store);
    }

    /// The client with the code that ships: the real registrar on the real book.
    static BlockClient real(Datastore store, ProcessContext context) {
        return on(context.books().open(store), context);
    }

    /// The real registrar on any book.
    static BlockClient on(Book<BlockView, BlockChange> book, ProcessContext context) {
        return new RealClient(
                new Registrar<>(
                        book,
                        new Ledger(context.journal()),
                        new Registrar.Limits(12, 8, 100, Duration.ofMillis(50)),
                        context.scheduler(),
                        context.dice(),
                        context.scheduler()::pause),
                context.life(),
                context.ledgerWitness());
    }

    /// Asks a registrar. What was decided without an answer is passed on to the next decision.
    record RealClient(Registrar<BlockView, BlockChange> registrar, ProcessLife life, LedgerWitness ledgerWitness)
            implements BlockClient {

        @Override
        public Assignment assign(AssignRequest request) {
            return enact(
                    "assign " + request.requester().handle(),
                    (view, lost) -> BlockEngine.assign(view, request.after(lost)));
        }

        @Override
        public AddressAssignment assignAddress(AssignAddressRequest request) {
            return enact(
                    "assign %s to %s"
                            .formatted(request.address(), request.requester().handle()),
                    (view, lost) -> BlockEngine.assignAddress(view, request.after(lost)));
        }

        @Override
        public Release release(List<ReleaseOption> options, Instant now) {
            return enact(
                    "release " + options,
                    (view, lost) -> BlockEngine.release(view, options, Attempts.after(lost, now)));
        }

        @Override
        public HandleRelease releaseByHandle(String handle, Instant now) {
            return enact(
                    "release handle " + handle,
                    (view, lost) -> BlockEngine.releaseByHandle(view, handle, Attempts.after(lost, now)));
        }

        @Override
        public <O> O enact(String words, Law<BlockView, BlockChange, O> law) {
            return ledgerWitness.enact(life, registrar, words, law);
        }
    }
}
