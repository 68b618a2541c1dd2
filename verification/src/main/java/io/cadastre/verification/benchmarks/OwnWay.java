package io.cadastre.verification.benchmarks;

import io.cadastre.address.Address;
import io.cadastre.datastore.Datastore;
import io.cadastre.engine.block.AddressUse;
import io.cadastre.engine.block.Attempts;
import io.cadastre.engine.block.BlockChange;
import io.cadastre.engine.block.BlockEngine;
import io.cadastre.engine.block.BlockView;
import io.cadastre.engine.block.Owner;
import io.cadastre.engine.block.assign.AssignRequest;
import io.cadastre.engine.block.assign.AssignRequest.Ask;
import io.cadastre.engine.block.assign.Assignment;
import io.cadastre.engine.block.assign.Requester;
import io.cadastre.engine.block.release.HandleRelease;
import io.cadastre.registry.Recorder;
import io.cadastre.registry.Registrar;
import io.cadastre.registry.Request;
import io.cadastre.wire.calico.CalicoBook;
import io.cadastre.wire.calico.CalicoReflector;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.TreeMap;

/// A node's registrar, as an agent has it: watch-fed, combining, with a ledger.
final class OwnWay implements AutoCloseable {

    private static final Duration SYNC_LIMIT = Duration.ofSeconds(60);

    private final String host;
    private final InstantSource clock;
    private final Runnable end;
    private final Registrar<BlockView, BlockChange> registrar;

    private OwnWay(String host, CalicoBook book, Recorder ledger, BenchContext means, Runnable end) {
        this.host = host;
        this.clock = means.clock();
        this.end = end;
        this.registrar =
                new Registrar<>(book, ledger, Registrar.Limits.DEFAULT, means.clock(), means.dice(), means.pause());
    }

    /// A client that knows nothing yet.
    static OwnWay fresh(Datastore store, String host, Recorder ledger, BenchContext means) {
        return new OwnWay(host, new CalicoBook(store, means.clock()), ledger, means, () -> {});
    }

    /// An agent that has been running for a while.
    static OwnWay watching(Datastore store, String host, Recorder ledger, BenchContext means)
            throws InterruptedException {
        var reflector = CalicoReflector.begin(store, Owner.host(host), means.clock(), means.pause());
        long end = System.nanoTime() + SYNC_LIMIT.toNanos();
        while (!reflector.inSync()) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("%s saw not everything in time".formatted(host));
            }
            means.pause().pause(Duration.ofMillis(1));
        }
        return new OwnWay(host, reflector.book(), ledger, means, reflector::close);
    }

    Address assign(String handle) {
        var attributes = new TreeMap<>(Map.of("node", host));
        var request = AssignRequest.on(host, AddressUse.WORKLOAD, clock.instant())
                .by(Requester.of(handle, attributes))
                .ipv4(Ask.of(1));
        var outcome = registrar.<Assignment>enact(
                new Request<>("bench assign " + handle, (view, lost) -> BlockEngine.assign(view, request.after(lost))));
        if (outcome.addresses().size() != 1) {
            throw new IllegalStateException("%s got the outcome %s".formatted(handle, outcome));
        }
        return outcome.addresses().getFirst();
    }

    void release(String handle) {
        registrar.<HandleRelease>enact(new Request<>(
                "bench release " + handle,
                (view, lost) -> BlockEngine.releaseByHandle(view, handle, Attempts.after(lost, clock.instant()))));
    }

    @Override
    public void close() {
        end.run();
    }
}
