package io.cadastre.verification.simulation.runtime;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Write;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/// What lies between the processes and the one store: it delays, loses and repeats, as drawn.
///
/// @param afterCommit runs after each commit that had an effect
/// @param calm whether no fault occurs any more
public record Network(
        Datastore store,
        SeededScheduler scheduler,
        RandomGenerator dice,
        FaultRates faults,
        EventLog history,
        DelayedRequests latePost,
        WatchSignal bell,
        Runnable afterCommit,
        AtomicBoolean calm) {

    /// Draws whether a fault occurs and writes it down.
    public boolean strikes(Fault fault, String actor) {
        boolean struck = !calm.get() && faults.strikes(fault, dice);
        if (struck) {
            history.fault(actor, fault);
        }
        return struck;
    }

    /// Lets other threads run, for a while if a delay occurs.
    public void travel(String actor) {
        if (strikes(Fault.DELAY, actor)) {
            scheduler.pause(faults.delay(dice));
        } else {
            scheduler.handBack();
        }
    }

    /// Applies the writes at the store itself.
    public Commit apply(String actor, List<Write> writes) {
        var commit = store.commit(writes);
        history.event(actor, "commit %s: %s".formatted(words(writes), words(commit)));
        if (commit instanceof Commit.Done) {
            bell.ring(writes);
            afterCommit.run();
        }
        return commit;
    }

    /// Writes a document at the store itself, whatever it holds now.
    public void put(String actor, String key, String json) {
        var value = Bytes.ofUtf8(json);
        Write write = store.get(key)
                .<Write>map(found -> new Write.Update(key, value, found.revision()))
                .orElseGet(() -> new Write.Create(key, value));
        apply(actor, List.of(write));
    }

    /// Deletes a document at the store itself, if it is there.
    public void delete(String actor, String key) {
        store.get(key).ifPresent(found -> apply(actor, List.of(new Write.Delete(key, found.revision()))));
    }

    /// Applies the writes when the request at last arrives.
    void applyLater(String actor, List<Write> writes) {
        var delay = faults.delay(dice).plus(Duration.ofMillis(1));
        history.event(actor, "late is " + words(writes));
        latePost.send(writes);
        scheduler.start("late", () -> {
            scheduler.pause(delay);
            apply(actor + "~late", writes);
            latePost.arrive(writes);
        });
    }

    private static String words(List<Write> writes) {
        return writes.stream().map(Network::words).collect(Collectors.joining(", "));
    }

    private static String words(Write write) {
        return switch (write) {
            case Write.Create create -> "create " + create.key();
            case Write.Update update -> "update %s@%d".formatted(update.key(), update.revision());
            case Write.Delete delete -> "delete %s@%d".formatted(delete.key(), delete.revision());
        };
    }

    private static String words(Commit commit) {
        return switch (commit) {
            case Commit.Done done -> "done " + done.revisions().getFirst();
            case Commit.Conflict conflict -> "conflict %d %s".formatted(conflict.index(), conflict.kind());
            case Commit.Unknown unknown -> "unknown (%s)".formatted(unknown.reason());
        };
    }
}
