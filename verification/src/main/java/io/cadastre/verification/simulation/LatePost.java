package io.cadastre.verification.simulation;

import io.cadastre.datastore.Write;

import java.util.ArrayList;
import java.util.List;

/// Requests whose sender gave up waiting and that have not reached the store yet.
final class LatePost {

    private final List<List<Write>> underWay = new ArrayList<>();

    void send(List<Write> writes) {
        underWay.add(writes);
    }

    void arrive(List<Write> writes) {
        underWay.remove(writes);
    }

    /// Whether some request under way writes the key.
    boolean writes(String key) {
        return underWay.stream().flatMap(List::stream).anyMatch(write -> write.key().equals(key));
    }
}
