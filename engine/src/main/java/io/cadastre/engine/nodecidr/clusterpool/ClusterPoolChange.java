package io.cadastre.engine.nodecidr.clusterpool;

import io.cadastre.address.Prefix;
import io.cadastre.engine.Change;
import io.cadastre.engine.Holding;
import java.util.List;
import java.util.stream.Collectors;

/// One step of a decision: of the operator's memory, or a write to the node.
public sealed interface ClusterPoolChange extends Change {

    @Override
    default String sentence() {
        return switch (this) {
            case Park(var node) -> "let node %s wait until all nodes are known".formatted(node.name());
            case Sync() -> "take it that all nodes are known";
            case Take(var node, var blocks) -> "take %s for node %s".formatted(words(blocks), node);
            case PassBy(var block) -> "move the cursor behind %s".formatted(block);
            case Occupy(var node, var cidrs) -> "keep %s of node %s from others".formatted(words(cidrs), node);
            case GiveBack(var node, var cidrs) -> "take back %s from node %s".formatted(words(cidrs), node);
            case Forget(var node) -> "let node %s wait no more".formatted(node);
            case WritePodCidrs(var node, var cidrs) -> "write the CIDRs [%s] to node %s".formatted(words(cidrs), node);
            case WriteError(var node, var error) ->
                error.isEmpty()
                        ? "clear the error of node %s".formatted(node)
                        : "write the error '%s' to node %s".formatted(error, node);
        };
    }

    private static String words(List<Prefix> cidrs) {
        return cidrs.stream().map(Prefix::toString).collect(Collectors.joining(", "));
    }

    @Override
    default List<Holding> granted() {
        return switch (this) {
            case Take(var node, var blocks) -> ClusterPoolHoldings.of(node, blocks);
            case Occupy(var node, var cidrs) -> ClusterPoolHoldings.of(node, cidrs);
            case Park _, Sync _, PassBy _, GiveBack _, Forget _, WritePodCidrs _, WriteError _ -> List.of();
        };
    }

    @Override
    default List<Holding> returned() {
        return this instanceof GiveBack(var node, var cidrs) ? ClusterPoolHoldings.of(node, cidrs) : List.of();
    }

    /// The node waits until all nodes are known.
    record Park(ClusterPoolNode node) implements ClusterPoolChange {}

    /// All nodes are known.
    record Sync() implements ClusterPoolChange {}

    /// A node gets the next blocks; the cursors move behind them.
    record Take(String node, List<Prefix> blocks) implements ClusterPoolChange {
        public Take {
            blocks = List.copyOf(blocks);
        }
    }

    /// The cursor moves behind a block that stays unused.
    record PassBy(Prefix block) implements ClusterPoolChange {}

    /// What a node has already is kept from others; the cursors stay.
    record Occupy(String node, List<Prefix> cidrs) implements ClusterPoolChange {
        public Occupy {
            cidrs = List.copyOf(cidrs);
        }
    }

    /// A node that is gone holds nothing more.
    record GiveBack(String node, List<Prefix> cidrs) implements ClusterPoolChange {
        public GiveBack {
            cidrs = List.copyOf(cidrs);
        }
    }

    /// A node that is gone waits no more.
    record Forget(String node) implements ClusterPoolChange {}

    /// The list in the node's spec becomes this one.
    record WritePodCidrs(String node, List<Prefix> cidrs) implements ClusterPoolChange {
        public WritePodCidrs {
            cidrs = List.copyOf(cidrs);
        }
    }

    /// The error in the node's status becomes this one.
    ///
    /// @param error empty for none
    record WriteError(String node, String error) implements ClusterPoolChange {}
}
