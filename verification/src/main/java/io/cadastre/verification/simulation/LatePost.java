package io.cadastre.verification.simulation;

import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Write;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Requests whose sender gave up waiting and that have not reached the store yet.
final class LatePost {

    private final List<List<Write>> underWay = new ArrayList<>();
    private final Map<String, Integer> sent = new HashMap<>();

    void send(List<Write> writes) {
        underWay.add(writes);
        writes.forEach(write -> sent.merge(write.key(), 1, Integer::sum));
    }

    /// How many late requests to write the key there have been.
    int sent(String key) {
        return sent.getOrDefault(key, 0);
    }

    /// Whether some request under way writes the key and may yet have its effect. What is to be
    /// created may be deleted meanwhile; a revision never comes back.
    boolean threatens(String key, Datastore store) {
        return underWay.stream()
                .filter(writes -> writes.stream().anyMatch(write -> write.key().equals(key)))
                .anyMatch(writes -> writes.stream().allMatch(write -> mayApply(write, store)));
    }

    private static boolean mayApply(Write write, Datastore store) {
        return switch (write) {
            case Write.Create _ -> true;
            case Write.Update update -> isAt(update.revision(), update.key(), store);
            case Write.Delete delete -> isAt(delete.revision(), delete.key(), store);
        };
    }

    private static boolean isAt(long revision, String key, Datastore store) {
        return store.get(key).filter(document -> document.revision() == revision).isPresent();
    }

    void arrive(List<Write> writes) {
        underWay.remove(writes);
    }

    /// Whether some request under way writes the key.
    boolean writes(String key) {
        return underWay.stream().flatMap(List::stream).anyMatch(write -> write.key().equals(key));
    }
}
