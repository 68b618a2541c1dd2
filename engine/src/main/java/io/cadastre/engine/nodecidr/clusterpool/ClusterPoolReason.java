package io.cadastre.engine.nodecidr.clusterpool;

import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.engine.Because;
import java.util.List;
import java.util.stream.Collectors;

/// Why this law decided as it did.
public sealed interface ClusterPoolReason extends Because {

    @Override
    default String sentence() {
        return switch (this) {
            case Chose(var block, var tries) -> "chose %s: %d used blocks were skipped".formatted(block, tries);
            case PassedBy(var block) -> "%s is passed by: the other family has no block left".formatted(block);
            case Known(var node, var cidrs) -> "node %s has %s".formatted(node, words(cidrs));
            case NotAllKnown(var node) -> "node %s waits: not all nodes are known yet".formatted(node);
            case Annotated(var node) -> "node %s is ignored: its annotation says so".formatted(node);
            case Stripped(var family, var cidrs) ->
                "%s of %s is taken out of the node: another node has it".formatted(words(cidrs), family);
            case NotKnown(var node) -> "node %s had nothing".formatted(node);
            case PartlyUsed(var cidr) -> "a part of %s is used by another node".formatted(cidr);
        };
    }

    private static String words(List<Prefix> cidrs) {
        return cidrs.stream().map(Prefix::toString).collect(Collectors.joining(", "));
    }

    record Chose(Prefix block, int tries) implements ClusterPoolReason {}

    /// The cursor moved behind a block that was not used.
    record PassedBy(Prefix block) implements ClusterPoolReason {}

    record Known(String node, List<Prefix> cidrs) implements ClusterPoolReason {
        public Known {
            cidrs = List.copyOf(cidrs);
        }
    }

    record NotAllKnown(String node) implements ClusterPoolReason {}

    record Annotated(String node) implements ClusterPoolReason {}

    record Stripped(Family family, List<Prefix> cidrs) implements ClusterPoolReason {
        public Stripped {
            cidrs = List.copyOf(cidrs);
        }
    }

    record NotKnown(String node) implements ClusterPoolReason {}

    /// Two nodes share a part of a CIDR that is bigger than a block.
    record PartlyUsed(Prefix cidr) implements ClusterPoolReason {}
}
