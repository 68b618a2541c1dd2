package io.cadastre.verification.simulation.pool;

import io.cadastre.datastore.Datastore;
import io.cadastre.engine.Decision;
import io.cadastre.engine.pool.ForcedReleaseRequest;
import io.cadastre.engine.pool.PoolAllocateRequest;
import io.cadastre.engine.pool.PoolAllocation;
import io.cadastre.engine.pool.PoolChange;
import io.cadastre.engine.pool.PoolEngine;
import io.cadastre.engine.pool.PoolRelease;
import io.cadastre.engine.pool.PoolReleaseRequest;
import io.cadastre.engine.pool.PoolView;
import io.cadastre.verification.simulation.runtime.ProcessContext;
import io.cadastre.verification.simulation.runtime.WitnessedRegistrar;
import io.cadastre.wire.spiderpool.objects.SpiderBook;
import java.util.List;

/// Opens the client of a process that has just started to serve pods.
@FunctionalInterface
interface PoolClients {

    PoolClient open(Datastore store, ProcessContext context);

    /// How addresses are given: a verb of the engine.
    @FunctionalInterface
    interface Giving {

        Decision<PoolChange, PoolAllocation> decide(
                PoolView view, PoolAllocateRequest request, List<Decision<PoolChange, PoolAllocation>> earlier);
    }

    /// The client with the code that ships: the real registrar and the real rules on the real book.
    static PoolClient real(Datastore store, ProcessContext context) {
        return of(store, context, PoolEngine::allocate);
    }

    /// The real registrar on the real book, with other rules for giving.
    static PoolClient of(Datastore store, ProcessContext context, Giving giving) {
        return new RealClient(context.registrar(new SpiderBook(store, context.scheduler())), giving);
    }

    /// Asks a registrar.
    record RealClient(WitnessedRegistrar<PoolView, PoolChange> registrar, Giving giving) implements PoolClient {

        @Override
        public PoolAllocation allocate(PoolAllocateRequest request) {
            var tenant = request.pod();
            return registrar.enact(
                    "add %s of %s %s".formatted(request.nic(), tenant.key(), tenant.uid()),
                    (view, earlier) -> giving.decide(view, request, earlier));
        }

        @Override
        public PoolRelease release(PoolReleaseRequest request) {
            return registrar.enact(
                    "release %s %s".formatted(request.key(), request.uid()),
                    (view, _) -> PoolEngine.release(view, request));
        }

        @Override
        public PoolRelease forceRelease(ForcedReleaseRequest request) {
            return registrar.enact(
                    "force %s %s".formatted(request.key(), request.uid()),
                    (view, _) -> PoolEngine.forceRelease(view, request));
        }
    }
}
