package io.cadastre.engine.nodecidr.clusterpool;

import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.address.SloppyText;
import java.util.List;
import java.util.Optional;

/// A CiliumNode as this law sees it.
///
/// @param podCidrs as they are written
/// @param error the one in its status; empty for none
/// @param ignored whether an annotation keeps the operator from giving it anything
public record ClusterPoolNode(String name, List<String> podCidrs, String error, boolean ignored) {

    public ClusterPoolNode {
        podCidrs = List.copyOf(podCidrs);
    }

    /// One with CIDRs and without an error.
    public static ClusterPoolNode of(String name, String... podCidrs) {
        return new ClusterPoolNode(name, List.of(podCidrs), "", false);
    }

    public ClusterPoolNode withError(String other) {
        return new ClusterPoolNode(name, podCidrs, other, ignored);
    }

    public ClusterPoolNode withPodCidrs(List<String> others) {
        return new ClusterPoolNode(name, others, error, ignored);
    }

    /// The first text that is not a CIDR.
    Optional<String> unreadable() {
        return podCidrs.stream()
                .filter(text -> SloppyText.parsePrefix(text).isEmpty())
                .findFirst();
    }

    /// Those that can be read.
    List<Prefix> cidrs() {
        return podCidrs.stream()
                .flatMap(text -> SloppyText.parsePrefix(text).stream())
                .toList();
    }

    List<Prefix> cidrs(Family family) {
        return cidrs().stream().filter(cidr -> cidr.family() == family).toList();
    }
}
