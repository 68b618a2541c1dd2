package io.cadastre.engine.nodecidr;

import io.cadastre.address.Prefix;
import io.cadastre.engine.Change;
import io.cadastre.engine.Holding;
import java.util.List;
import java.util.stream.Collectors;

/// One write that this law asks for.
public sealed interface NodeCidrChange extends Change {

    /// Rewrites the cursors, where all writers that assign CIDRs conflict.
    record MoveCursors(Cursors cursors) implements NodeCidrChange {
        @Override
        public String sentence() {
            return "move the cursors: "
                    + cursors.cursors().stream().map(Cursors.Cursor::toString).collect(Collectors.joining(", "));
        }

        @Override
        public List<Holding> granted() {
            return List.of();
        }

        @Override
        public List<Holding> returned() {
            return List.of();
        }
    }

    /// Gives CIDRs to a node that has none, and creates the node if there is none.
    record GiveCidrs(String node, List<Prefix> cidrs) implements NodeCidrChange {
        public GiveCidrs {
            cidrs = List.copyOf(cidrs);
            if (cidrs.isEmpty()) {
                throw new IllegalArgumentException("node %s is given nothing".formatted(node));
            }
        }

        @Override
        public String sentence() {
            return "give %s to node %s".formatted(words(cidrs), node);
        }

        @Override
        public List<Holding> granted() {
            return NodeCidrHoldings.of(node, cidrs);
        }

        @Override
        public List<Holding> returned() {
            return List.of();
        }
    }

    /// Removes a node with all it holds.
    record TakeBack(String node, List<Prefix> cidrs) implements NodeCidrChange {
        public TakeBack {
            cidrs = List.copyOf(cidrs);
        }

        @Override
        public String sentence() {
            return cidrs.isEmpty()
                    ? "remove node %s, which holds nothing".formatted(node)
                    : "remove node %s and take %s back".formatted(node, words(cidrs));
        }

        @Override
        public List<Holding> granted() {
            return List.of();
        }

        @Override
        public List<Holding> returned() {
            return NodeCidrHoldings.of(node, cidrs);
        }
    }

    private static String words(List<Prefix> cidrs) {
        return cidrs.stream().map(Prefix::toString).collect(Collectors.joining(", "));
    }
}
