package io.cadastre.verification.simulation.runtime;

import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Write;
import java.util.ArrayList;
import java.util.List;

/// Requests whose sender gave up waiting and that have not reached the store yet.
public final class DelayedRequests {

    private final List<List<Write>> underWay = new ArrayList<>();
    private final List<List<Write>> sent = new ArrayList<>();

    void send(List<Write> writes) {
        underWay.add(writes);
        sent.add(writes);
    }

    /// All late requests to write the key that there have been.
    public List<List<Write>> sent(String key) {
        return sent.stream()
                .filter(writes -> writes.stream().anyMatch(write -> write.key().equals(key)))
                .toList();
    }

    /// Whether some request under way writes the key and may yet have its effect. What is to be
    /// created may be deleted meanwhile; a revision never comes back.
    public boolean threatens(String key, Datastore store) {
        return underWay.stream()
                .filter(writes -> writes.stream().anyMatch(write -> write.key().equals(key)))
                .anyMatch(writes -> writes.stream().allMatch(write -> mayApply(write, store)));
    }

    /// Whether a request is under way and may yet have its effect.
    public boolean mayApply(List<Write> writes, Datastore store) {
        return underWay.contains(writes) && writes.stream().allMatch(write -> mayApply(write, store));
    }

    private static boolean mayApply(Write write, Datastore store) {
        return switch (write) {
            case Write.Create _ -> true;
            case Write.Update update -> isAt(update.revision(), update.key(), store);
            case Write.Delete delete -> isAt(delete.revision(), delete.key(), store);
        };
    }

    private static boolean isAt(long revision, String key, Datastore store) {
        return store.get(key)
                .filter(document -> document.revision() == revision)
                .isPresent();
    }

    void arrive(List<Write> writes) {
        underWay.remove(writes);
    }

    /// Whether some request under way writes the key.
    public boolean writes(String key) {
        return underWay.stream()
                .flatMap(List::stream)
                .anyMatch(write -> write.key().equals(key));
    }
}
