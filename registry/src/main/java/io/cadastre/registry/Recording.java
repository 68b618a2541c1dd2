package io.cadastre.registry;

import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Write;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// What the ledger records of a save, on its way to the store with it. For one thread.
///
/// Where the store keeps the ledger too, both are written in one transaction, so the entries are there if
/// and only if the writes are, also if the answer is lost. Elsewhere they are appended afterwards.
public final class Recording {

    /// The way a commit goes that carries entries.
    interface Route {

        /// Empty if the store does not keep the ledger; then nothing was done.
        Optional<Commit> commit(Datastore store, List<Write> writes, Supplier<List<Ledger.Entry>> entries);
    }

    private final Route route;
    private final Supplier<List<Ledger.Entry>> entries;
    private boolean carried;

    Recording(Route route, Supplier<List<Ledger.Entry>> entries) {
        this.route = route;
        this.entries = entries;
    }

    /// Carries nothing.
    public static Recording none() {
        return new Recording((_, _, _) -> Optional.empty(), List::of);
    }

    /// Commits the writes that make what was decided true, as [Datastore#commit(List)] does, and the
    /// entries with them where the store can.
    public Commit commit(Datastore store, List<Write> writes) {
        var together = route.commit(store, writes, entries);
        carried = together.isPresent();
        return together.orElseGet(() -> store.commit(writes));
    }

    /// Whether the last commit carried the entries.
    boolean carried() {
        return carried;
    }
}
