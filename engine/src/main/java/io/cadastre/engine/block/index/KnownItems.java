package io.cadastre.engine.block.index;

import io.cadastre.engine.Missing;
import io.cadastre.engine.NotReadException;
import io.cadastre.engine.SortedIndex;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// What is known about the documents of one kind: of each that it is there and what it says, that it
/// is not there, or nothing.
final class KnownItems<K extends Comparable<K>, V> {

    private final SortedIndex<K, V> present;
    private final SortedIndex<K, K> absent;
    private final boolean complete;

    private KnownItems(SortedIndex<K, V> present, SortedIndex<K, K> absent, boolean complete) {
        this.present = present;
        this.absent = absent;
        this.complete = complete;
    }

    /// Nothing is known.
    static <K extends Comparable<K>, V> KnownItems<K, V> notRead() {
        return new KnownItems<K, V>(SortedIndex.<K, V>empty(), SortedIndex.<K, K>empty(), false);
    }

    /// It is known that there are no others than those put on it.
    static <K extends Comparable<K>, V> KnownItems<K, V> complete() {
        return new KnownItems<K, V>(SortedIndex.<K, V>empty(), SortedIndex.<K, K>empty(), true);
    }

    boolean isComplete() {
        return complete;
    }

    /// @throws NotReadException if it is not known whether there is one
    Optional<V> find(K key, Supplier<Missing> missing) {
        var found = present.find(key);
        if (found.isEmpty() && !complete && absent.find(key).isEmpty()) {
            throw new NotReadException(missing.get());
        }
        return found;
    }

    /// Whether it is known that there is one, or that there is none.
    boolean knows(K key) {
        return complete || present.find(key).isPresent() || absent.find(key).isPresent();
    }

    Optional<V> findKnown(K key) {
        return present.find(key);
    }

    /// @throws NotReadException if it is not known which there are
    List<V> all(Supplier<Missing> missing) {
        if (!complete) {
            throw new NotReadException(missing.get());
        }
        return present.values();
    }

    List<V> knownBetween(K from, K to) {
        return present.between(from, to);
    }

    List<V> known() {
        return present.values();
    }

    KnownItems<K, V> with(K key, V value) {
        return new KnownItems<>(present.with(key, value), absent.without(key), complete);
    }

    KnownItems<K, V> without(K key) {
        return new KnownItems<>(present.without(key), absent.with(key, key), complete);
    }
}
