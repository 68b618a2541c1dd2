package io.cadastre.registry;

import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Consumer;

/// Passes entries on in the order of their commits: the first writer to commit need not be the first to
/// append.
///
/// An entry without a revision records what was found done, or belongs to a store without revisions, so
/// it comes after all that had been appended by then.
final class CommitOrder {

    /// An entry is put before those of later commits that were appended before it, if no more than these
    /// lie between.
    private static final int LATE_MAX = 10_000;

    private record Placed(long revision, Ledger.Recorded recorded) {}

    private final PriorityQueue<Placed> waiting = new PriorityQueue<>(Comparator.comparingLong(Placed::revision)
            .thenComparingLong(placed -> placed.recorded().number()));

    private final Consumer<Ledger.Recorded> next;
    private long newest;

    CommitOrder(Consumer<Ledger.Recorded> next) {
        this.next = next;
    }

    /// Passes all of them on.
    static void pass(List<Ledger.Recorded> appended, Consumer<Ledger.Recorded> next) {
        var order = new CommitOrder(next);
        appended.forEach(order::add);
        order.end();
    }

    /// Takes the entries in the order of their numbers.
    void add(Ledger.Recorded recorded) {
        long revision = recorded.entry().revision();
        newest = Math.max(newest, revision);
        waiting.add(new Placed(revision == 0 ? newest : revision, recorded));
        if (waiting.size() > LATE_MAX) {
            next.accept(waiting.remove().recorded());
        }
    }

    void end() {
        while (!waiting.isEmpty()) {
            next.accept(waiting.remove().recorded());
        }
    }
}
