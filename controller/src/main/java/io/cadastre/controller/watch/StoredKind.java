package io.cadastre.controller.watch;

import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// A kind of object that a store may lack: it has no place for it, or a cluster does not know its definition. A loop
/// that needs one asks every [#PERIOD], and follows it from then on.
public final class StoredKind {

    /// How often a loop asks for a kind that was not there.
    public static final Duration PERIOD = Duration.ofSeconds(30);

    private StoredKind() {}

    /// Whether there is the kind.
    ///
    /// @param prefix of the keys of its objects
    public static boolean isThere(Datastore store, String prefix) {
        return count(store, prefix).isPresent();
    }

    /// Whether there is an object of the kind.
    public static boolean hasAny(Datastore store, String prefix) {
        return count(store, prefix).filter(count -> count > 0).isPresent();
    }

    private static Optional<Integer> count(Datastore store, String prefix) {
        return find(
                store,
                prefix,
                List.of(),
                () -> store.list(prefix, 1).documents().size());
    }

    /// What a look at the kind comes to; empty if it is not there.
    ///
    /// @param absent further failures that say that it is not there
    public static <T> Optional<T> find(
            Datastore store, String prefix, List<DatastoreException.Kind> absent, Supplier<T> look) {
        if (!store.hasPlace(prefix + "any") && !store.hasPlace(prefix + "any/any")) {
            return Optional.empty();
        }
        try {
            return Optional.of(look.get());
        } catch (DatastoreException failed) {
            if (failed.kind() == DatastoreException.Kind.NOT_INSTALLED || absent.contains(failed.kind())) {
                return Optional.empty();
            }
            throw failed;
        }
    }
}
