package io.cadastre.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/// An immutable map in the order of its keys.
///
/// A changed map shares all but one path with the one it came from, so that each of many decisions
/// combined in one commit has its own view of thousands of blocks for the price of a few. It is an AVL
/// tree: the heights of siblings differ by at most one, so a path is short whatever keys are met.
///
/// Every value may bear marks, bits of an `int`. A subtree knows the marks borne anywhere in it, so
/// that the next value with a mark is found without walking those without.
public final class SortedIndex<K extends Comparable<K>, V> {

    private final Tree<K, V> root;
    private final ToIntFunction<V> marks;

    private SortedIndex(Tree<K, V> root, ToIntFunction<V> marks) {
        this.root = root;
        this.marks = marks;
    }

    public static <K extends Comparable<K>, V> SortedIndex<K, V> empty() {
        return marked(_ -> 0);
    }

    public static <K extends Comparable<K>, V> SortedIndex<K, V> marked(ToIntFunction<V> marks) {
        return new SortedIndex<K, V>(new Tree.Leaf<K, V>(), marks);
    }

    /// All of a map at once, for the price of reading it.
    public static <K extends Comparable<K>, V> SortedIndex<K, V> ofSorted(SortedMap<K, V> map) {
        var index = SortedIndex.<K, V>empty();
        var entries = List.copyOf(map.entrySet());
        return new SortedIndex<>(index.middle(entries), index.marks);
    }

    /// The middle of the entries above both halves, whose heights differ by at most one.
    private Tree<K, V> middle(List<Map.Entry<K, V>> entries) {
        if (entries.isEmpty()) {
            return new Tree.Leaf<>();
        }
        int middle = entries.size() / 2;
        return fork(
                middle(entries.subList(0, middle)),
                entries.get(middle).getKey(),
                entries.get(middle).getValue(),
                middle(entries.subList(middle + 1, entries.size())));
    }

    public Tree<K, V> root() {
        return root;
    }

    public int size() {
        return root.size();
    }

    public Optional<V> find(K key) {
        var tree = root;
        // Ends: each step goes one level down.
        while (tree instanceof Tree.Fork<K, V> fork) {
            int order = key.compareTo(fork.key);
            if (order == 0) {
                return Optional.of(fork.value);
            }
            tree = order < 0 ? fork.left : fork.right;
        }
        return Optional.empty();
    }

    public SortedIndex<K, V> with(K key, V value) {
        return new SortedIndex<>(put(root, key, value), marks);
    }

    public SortedIndex<K, V> without(K key) {
        return new SortedIndex<>(drop(root, key), marks);
    }

    /// This without what is between one key and another, both included.
    public SortedIndex<K, V> without(K from, K to) {
        var fewer = root;
        // Ends: each round drops a key.
        for (var fork = firstFork(fewer, from); fork != null && fork.key.compareTo(to) <= 0; ) {
            fewer = drop(fewer, fork.key);
            fork = firstFork(fewer, from);
        }
        return new SortedIndex<>(fewer, marks);
    }

    /// The values in the order of their keys.
    public List<V> values() {
        var values = new ArrayList<V>(size());
        walk(root, values::add);
        return values;
    }

    /// The first value at or after the key that bears one of the marks.
    public Optional<V> firstMarked(K from, int wanted) {
        return firstMarked(root, from, wanted);
    }

    /// The first value at or after the key.
    public Optional<V> firstFrom(K from) {
        return Optional.ofNullable(firstFork(root, from)).map(Tree.Fork::value);
    }

    private static <K extends Comparable<K>, V> Tree.@Nullable Fork<K, V> firstFork(Tree<K, V> root, K from) {
        Tree.Fork<K, V> found = null;
        var tree = root;
        // Ends: each step goes one level down.
        while (tree instanceof Tree.Fork<K, V> fork) {
            if (fork.key.compareTo(from) >= 0) {
                found = fork;
                tree = fork.left;
            } else {
                tree = fork.right;
            }
        }
        return found;
    }

    /// The values from one key to another, both included.
    public List<V> between(K from, K to) {
        var values = new ArrayList<V>();
        walk(root, from, to, values::add);
        return values;
    }

    private static <K extends Comparable<K>, V> Optional<V> firstMarked(Tree<K, V> tree, K from, int wanted) {
        if (!(tree instanceof Tree.Fork<K, V> fork) || (fork.marksWithin & wanted) == 0) {
            return Optional.empty();
        }
        if (fork.key.compareTo(from) >= 0) {
            var left = firstMarked(fork.left, from, wanted);
            if (left.isPresent()) {
                return left;
            }
            if ((fork.marks & wanted) != 0) {
                return Optional.of(fork.value);
            }
        }
        return firstMarked(fork.right, from, wanted);
    }

    private Tree<K, V> put(Tree<K, V> tree, K key, V value) {
        return switch (tree) {
            case Tree.Leaf<K, V> leaf -> fork(leaf, key, value, leaf);
            case Tree.Fork<K, V> fork -> {
                int order = key.compareTo(fork.key);
                if (order == 0) {
                    yield fork(fork.left, key, value, fork.right);
                }
                yield order < 0
                        ? balanced(put(fork.left, key, value), fork.key, fork.value, fork.right)
                        : balanced(fork.left, fork.key, fork.value, put(fork.right, key, value));
            }
        };
    }

    private Tree<K, V> drop(Tree<K, V> tree, K key) {
        return switch (tree) {
            case Tree.Leaf<K, V> leaf -> leaf;
            case Tree.Fork<K, V> fork -> {
                int order = key.compareTo(fork.key);
                if (order == 0) {
                    yield joined(fork.left, fork.right);
                }
                yield order < 0
                        ? balanced(drop(fork.left, key), fork.key, fork.value, fork.right)
                        : balanced(fork.left, fork.key, fork.value, drop(fork.right, key));
            }
        };
    }

    /// Both trees in one, where all keys of the left come before all of the right.
    private Tree<K, V> joined(Tree<K, V> left, Tree<K, V> right) {
        if (!(right instanceof Tree.Fork<K, V> fork)) {
            return left;
        }
        var first = fork;
        // Ends: each step goes one level down.
        while (first.left instanceof Tree.Fork<K, V> lower) {
            first = lower;
        }
        return balanced(left, first.key, first.value, drop(right, first.key));
    }

    private Tree<K, V> balanced(Tree<K, V> left, K key, V value, Tree<K, V> right) {
        int lean = left.height() - right.height();
        if (lean > 1 && left instanceof Tree.Fork<K, V> l) {
            return l.right instanceof Tree.Fork<K, V> lr && l.right.height() > l.left.height()
                    ? fork(fork(l.left, l.key, l.value, lr.left), lr.key, lr.value, fork(lr.right, key, value, right))
                    : fork(l.left, l.key, l.value, fork(l.right, key, value, right));
        }
        if (lean < -1 && right instanceof Tree.Fork<K, V> r) {
            return r.left instanceof Tree.Fork<K, V> rl && r.left.height() > r.right.height()
                    ? fork(fork(left, key, value, rl.left), rl.key, rl.value, fork(rl.right, r.key, r.value, r.right))
                    : fork(fork(left, key, value, r.left), r.key, r.value, r.right);
        }
        return fork(left, key, value, right);
    }

    private Tree<K, V> fork(Tree<K, V> left, K key, V value, Tree<K, V> right) {
        int own = marks.applyAsInt(value);
        return new Tree.Fork<>(
                left,
                key,
                value,
                right,
                own,
                own | left.marksWithin() | right.marksWithin(),
                left.size() + 1 + right.size(),
                1 + Math.max(left.height(), right.height()));
    }

    private static <K extends Comparable<K>, V> void walk(Tree<K, V> tree, Consumer<V> each) {
        if (tree instanceof Tree.Fork<K, V> fork) {
            walk(fork.left, each);
            each.accept(fork.value);
            walk(fork.right, each);
        }
    }

    private static <K extends Comparable<K>, V> void walk(Tree<K, V> tree, K from, K to, Consumer<V> each) {
        if (tree instanceof Tree.Fork<K, V> fork) {
            boolean notBefore = fork.key.compareTo(from) >= 0;
            boolean notAfter = fork.key.compareTo(to) <= 0;
            if (notBefore) {
                walk(fork.left, from, to, each);
            }
            if (notBefore && notAfter) {
                each.accept(fork.value);
            }
            if (notAfter) {
                walk(fork.right, from, to, each);
            }
        }
    }

    /// A subtree, for callers with their own search.
    public sealed interface Tree<K extends Comparable<K>, V> {

        int size();

        int height();

        int marksWithin();

        record Leaf<K extends Comparable<K>, V>() implements Tree<K, V> {
            @Override
            public int size() {
                return 0;
            }

            @Override
            public int height() {
                return 0;
            }

            @Override
            public int marksWithin() {
                return 0;
            }
        }

        record Fork<K extends Comparable<K>, V>(
                Tree<K, V> left, K key, V value, Tree<K, V> right, int marks, int marksWithin, int size, int height)
                implements Tree<K, V> {}
    }
}
