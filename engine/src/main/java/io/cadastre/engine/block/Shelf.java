package io.cadastre.engine.block;

import io.cadastre.engine.Lack;
import io.cadastre.engine.Unread;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// What is known about the documents of one kind: of each that it is there and what it says, that it
/// is not there, or nothing.
final class Shelf<K extends Comparable<K>, V> {

    private final SortedIndex<K, V> present;
    private final SortedIndex<K, K> absent;
    private final boolean complete;

    private Shelf(SortedIndex<K, V> present, SortedIndex<K, K> absent, boolean complete) {
        this.present = present;
        this.absent = absent;
        this.complete = complete;
    }

    /// Nothing is known.
    static <K extends Comparable<K>, V> Shelf<K, V> unread() {
        return new Shelf<K, V>(SortedIndex.<K, V>empty(), SortedIndex.<K, K>empty(), false);
    }

    /// It is known that there are no others than those put on it.
    static <K extends Comparable<K>, V> Shelf<K, V> complete() {
        return new Shelf<K, V>(SortedIndex.<K, V>empty(), SortedIndex.<K, K>empty(), true);
    }

    boolean isComplete() {
        return complete;
    }

    /// @throws Unread if it is not known whether there is one
    Optional<V> find(K key, Supplier<Lack> lack) {
        var found = present.find(key);
        if (found.isEmpty() && !complete && absent.find(key).isEmpty()) {
            throw new Unread(lack.get());
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

    /// @throws Unread if it is not known which there are
    List<V> all(Supplier<Lack> lack) {
        if (!complete) {
            throw new Unread(lack.get());
        }
        return present.values();
    }

    List<V> knownBetween(K from, K to) {
        return present.between(from, to);
    }

    List<V> known() {
        return present.values();
    }

    Shelf<K, V> with(K key, V value) {
        return new Shelf<>(present.with(key, value), absent.without(key), complete);
    }

    Shelf<K, V> without(K key) {
        return new Shelf<>(present.without(key), absent.with(key, key), complete);
    }
}
