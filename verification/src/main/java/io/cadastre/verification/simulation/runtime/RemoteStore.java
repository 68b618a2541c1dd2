package io.cadastre.verification.simulation.runtime;

import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Listing;
import io.cadastre.datastore.Watch;
import io.cadastre.datastore.Write;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// The store as one process sees it, through the network. Every call is a scheduling point on the way
/// there and on the way back.
public final class RemoteStore implements Datastore {

    private final Network network;
    private final ProcessLife life;
    private final boolean atomic;

    /// A store for one life of a process.
    ///
    /// @param atomic whether commits are to go as a whole
    public RemoteStore(Network network, ProcessLife life, boolean atomic) {
        this.network = network;
        this.life = life;
        this.atomic = atomic;
    }

    @Override
    public Optional<Document> get(String key) {
        return read(() -> network.store().get(key));
    }

    @Override
    public Listing list(String prefix, int limit) {
        return list(prefix, limit, _ -> {});
    }

    /// @param whenRead takes what was read before the answer is on its way back
    Listing list(String prefix, int limit, Consumer<Listing> whenRead) {
        return read(() -> {
            var listing = network.store().list(prefix, limit);
            whenRead.accept(listing);
            return listing;
        });
    }

    @Override
    public Listing list(Listing.Cursor cursor, int limit) {
        return read(() -> network.store().list(cursor, limit));
    }

    @Override
    public Watch watch(String prefix, long after) {
        return read(() -> new RemoteWatch(network, life, prefix, network.store().watch(prefix, after)));
    }

    @Override
    public Commit commit(List<Write> writes) {
        if (life.owes()) {
            throw new AssertionError("%s commits before the ledger has what it committed last".formatted(life.name()));
        }
        life.commit();
        depart();
        var commit = transmit(writes);
        if (commit instanceof Commit.Unknown) {
            life.loseAnswer();
        }
        arrive();
        return commit;
    }

    /// One after another in an order that is drawn: whatever happens on the way happens after any part of them.
    @Override
    public List<Commit> commitEach(List<Write> writes) {
        var order = new ArrayList<>(writes);
        Collections.shuffle(order, network.dice());
        var commits = new HashMap<Write, Commit>();
        order.forEach(write -> commits.put(write, commit(List.of(write))));
        return writes.stream().map(commits::get).toList();
    }

    @Override
    public boolean atomic() {
        return atomic;
    }

    @Override
    public void close() {}

    private Commit transmit(List<Write> writes) {
        if (network.strikes(Fault.CONFLICT, life.name())) {
            return new Commit.Conflict(0, Commit.Kind.STALE);
        }
        if (network.strikes(Fault.REQUEST_LOST, life.name())) {
            return new Commit.Unknown("the request was lost");
        }
        if (network.strikes(Fault.REQUEST_LATE, life.name())) {
            network.applyLater(life.name(), writes);
            return new Commit.Unknown("the request is late");
        }
        var commit = network.apply(life.name(), writes);
        return network.strikes(Fault.ANSWER_LOST, life.name()) ? new Commit.Unknown("the answer was lost") : commit;
    }

    private <T> T read(Supplier<T> call) {
        depart();
        if (network.strikes(Fault.READ_FAILED, life.name())) {
            throw new DatastoreException(DatastoreException.Kind.UNREACHABLE, "no answer");
        }
        T answer = call.get();
        arrive();
        return answer;
    }

    private void depart() {
        life.dieIfDead();
        network.travel(life.name());
        life.dieIfDead();
        if (network.strikes(Fault.CRASH_BEFORE, life.name())) {
            life.die();
        }
    }

    private void arrive() {
        if (network.strikes(Fault.CRASH_AFTER, life.name())) {
            life.die();
        }
        network.travel(life.name());
        life.dieIfDead();
    }
}
