package io.cadastre.verification.simulation.block;

import io.cadastre.datastore.Datastore;
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
import io.cadastre.registry.Request.Law;
import io.cadastre.verification.simulation.runtime.ProcessContext;
import io.cadastre.verification.simulation.runtime.WitnessedRegistrar;
import io.cadastre.wire.calico.CalicoBook;
import java.time.Instant;
import java.util.List;

/// Opens the client of a process that has just started.
@FunctionalInterface
interface BlockClients {

    BlockClient open(Datastore store, Books books, ProcessContext context);

    /// Opens the book of a process on its store.
    @FunctionalInterface
    interface Books {

        CalicoBook open(Datastore store);
    }

    /// The client with the code that ships: the real registrar on the real book.
    static BlockClient real(Datastore store, Books books, ProcessContext context) {
        return on(books.open(store), context);
    }

    /// The real registrar on any book.
    static BlockClient on(Book<BlockView, BlockChange> book, ProcessContext context) {
        return new RealClient(context.registrar(book));
    }

    /// Asks a registrar. What was decided without an answer is passed on to the next decision.
    record RealClient(WitnessedRegistrar<BlockView, BlockChange> registrar) implements BlockClient {

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
            return registrar.enact(words, law);
        }
    }
}
