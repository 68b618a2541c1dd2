package io.cadastre.engine.nodecidr;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// An immutable map from names, in the order of the names.
///
/// A changed map shares all but one path with the one it came from, so that each of many decisions
/// combined in one commit has its own view of thousands of nodes for the price of a few. It is an AVL
/// tree: the heights of siblings differ by at most one, so a path is short whatever names are met.
final class NameMap<V> {

    private final Tree<V> root;

    private NameMap(Tree<V> root) {
        this.root = root;
    }

    static <V> NameMap<V> empty() {
        return new NameMap<>(new Tree.Leaf<>());
    }

    int size() {
        return root.size();
    }

    /// How many steps lead to the name furthest from the root.
    int height() {
        return root.height();
    }

    Optional<V> find(String name) {
        var tree = root;
        // Ends: each step goes one level down.
        while (tree instanceof Tree.Fork<V> fork) {
            int order = name.compareTo(fork.name);
            if (order == 0) {
                return Optional.of(fork.value);
            }
            tree = order < 0 ? fork.left : fork.right;
        }
        return Optional.empty();
    }

    NameMap<V> with(String name, V value) {
        return new NameMap<>(put(root, name, value));
    }

    NameMap<V> without(String name) {
        return new NameMap<>(drop(root, name));
    }

    /// The values in the order of their names.
    List<V> values() {
        var values = new ArrayList<V>(size());
        walk(root, values::add);
        return values;
    }

    private static <V> Tree<V> put(Tree<V> tree, String name, V value) {
        return switch (tree) {
            case Tree.Leaf<V> leaf -> fork(leaf, name, value, leaf);
            case Tree.Fork<V>(var left, var middle, var held, var right, _, _) -> {
                int order = name.compareTo(middle);
                if (order == 0) {
                    yield fork(left, name, value, right);
                }
                yield order < 0
                        ? balanced(put(left, name, value), middle, held, right)
                        : balanced(left, middle, held, put(right, name, value));
            }
        };
    }

    private static <V> Tree<V> drop(Tree<V> tree, String name) {
        return switch (tree) {
            case Tree.Leaf<V> leaf -> leaf;
            case Tree.Fork<V>(var left, var middle, var held, var right, _, _) -> {
                int order = name.compareTo(middle);
                if (order == 0) {
                    yield joined(left, right);
                }
                yield order < 0
                        ? balanced(drop(left, name), middle, held, right)
                        : balanced(left, middle, held, drop(right, name));
            }
        };
    }

    /// Both trees in one, where all names of the left come before all of the right.
    private static <V> Tree<V> joined(Tree<V> left, Tree<V> right) {
        if (!(right instanceof Tree.Fork<V> fork)) {
            return left;
        }
        var first = first(fork);
        return balanced(left, first.name, first.value, drop(right, first.name));
    }

    private static <V> Tree.Fork<V> first(Tree.Fork<V> tree) {
        var first = tree;
        // Ends: each step goes one level down.
        while (first.left instanceof Tree.Fork<V> left) {
            first = left;
        }
        return first;
    }

    private static <V> Tree<V> balanced(Tree<V> left, String name, V value, Tree<V> right) {
        int lean = left.height() - right.height();
        if (lean > 1 && left instanceof Tree.Fork<V> l) {
            return l.right instanceof Tree.Fork<V> lr && l.right.height() > l.left.height()
                    ? fork(
                            fork(l.left, l.name, l.value, lr.left),
                            lr.name,
                            lr.value,
                            fork(lr.right, name, value, right))
                    : fork(l.left, l.name, l.value, fork(l.right, name, value, right));
        }
        if (lean < -1 && right instanceof Tree.Fork<V> r) {
            return r.left instanceof Tree.Fork<V> rl && r.left.height() > r.right.height()
                    ? fork(
                            fork(left, name, value, rl.left),
                            rl.name,
                            rl.value,
                            fork(rl.right, r.name, r.value, r.right))
                    : fork(fork(left, name, value, r.left), r.name, r.value, r.right);
        }
        return fork(left, name, value, right);
    }

    private static <V> Tree.Fork<V> fork(Tree<V> left, String name, V value, Tree<V> right) {
        return new Tree.Fork<>(
                left,
                name,
                value,
                right,
                1 + Math.max(left.height(), right.height()),
                1 + left.size() + right.size());
    }

    private static <V> void walk(Tree<V> tree, Consumer<V> visitor) {
        if (tree instanceof Tree.Fork<V> fork) {
            walk(fork.left, visitor);
            visitor.accept(fork.value);
            walk(fork.right, visitor);
        }
    }

    private sealed interface Tree<V> {

        int height();

        int size();

        record Leaf<V>() implements Tree<V> {
            @Override
            public int height() {
                return 0;
            }

            @Override
            public int size() {
                return 0;
            }
        }

        record Fork<V>(Tree<V> left, String name, V value, Tree<V> right, int height, int size)
                implements Tree<V> {}
    }
}
