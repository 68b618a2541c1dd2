package io.cadastre.verification.simulation;

import io.cadastre.datastore.Datastore;
import io.cadastre.engine.Decision;
import io.cadastre.engine.block.AddressAssignment;
import io.cadastre.engine.block.AssignAddressRequest;
import io.cadastre.engine.block.AssignRequest;
import io.cadastre.engine.block.Assignment;
import io.cadastre.engine.block.Attempt;
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
import io.cadastre.wire.calico.CalicoBook;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/// Opens the office of a process that has just started.
@FunctionalInterface
interface BlockOffices {

    BlockOffice open(Datastore store, Desk desk);

    /// What an office needs besides the store.
    record Desk(Ledger ledger, SeededScheduler scheduler, RandomGenerator dice) {}

    /// The office that ships: the real registrar on the real book.
    static BlockOffice real(Datastore store, Desk desk) {
        return on(new CalicoBook(store, desk.scheduler()), desk);
    }

    /// The real registrar on any book.
    static BlockOffice on(Book<BlockView, BlockChange> book, Desk desk) {
        return new RealOffice(
                new Registrar<>(
                        book,
                        desk.ledger(),
                        new Registrar.Limits(12, 8, 100, Duration.ofMillis(50)),
                        desk.scheduler(),
                        desk.dice(),
                        desk.scheduler()::pause));
    }

    /// Asks a registrar, and remembers for each request what it has tried.
    record RealOffice(Registrar<BlockView, BlockChange> registrar) implements BlockOffice {

        @Override
        public Assignment assign(AssignRequest request) {
            var tried = new ArrayList<Attempt>();
            return enact(
                    "assign " + request.claimant().handle(),
                    view -> noted(BlockEngine.assign(view, request.withAttempted(tried)), tried));
        }

        @Override
        public AddressAssignment assignAddress(AssignAddressRequest request) {
            var tried = new ArrayList<Attempt>();
            return enact(
                    "assign %s to %s".formatted(request.address(), request.claimant().handle()),
                    view ->
                            noted(
                                    BlockEngine.assignAddress(view, request.withAttempted(tried)),
                                    tried));
        }

        private static <O> Decision<BlockChange, O> noted(
                Decision<BlockChange, O> decision, List<Attempt> tried) {
            tried.addAll(Attempt.in(decision));
            return decision;
        }

        @Override
        public Release release(List<ReleaseOption> options, Instant now) {
            return enact("release " + options, view -> BlockReleases.release(view, options, now));
        }

        @Override
        public HandleRelease releaseByHandle(String handle, Instant now) {
            return enact(
                    "release handle " + handle,
                    view -> BlockReleases.releaseByHandle(view, handle, now));
        }

        @Override
        public <O> O enact(String words, Function<BlockView, Decision<BlockChange, O>> law) {
            return registrar.enact(new Request<>(words, law));
        }
    }
}
