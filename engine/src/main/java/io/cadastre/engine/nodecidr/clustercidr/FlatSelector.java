package io.cadastre.engine.nodecidr.clustercidr;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A node selector as upstream understands it: the requirements of all its terms, of labels and of
/// fields alike, and all of them must hold.
///
/// A node selector elsewhere in Kubernetes wants *one* of its terms to hold, and looks for a field like
/// `metadata.name` among the fields of a node. Upstream knows that this one differs
/// ([116419](https://github.com/kubernetes/kubernetes/issues/116419)) and never changed it.
///
/// @param requirements in the order of their keys
record FlatSelector(List<LabelRequirement> requirements) {

    /// What a ClusterCIDR without a selector asks for, so that it has a place in the order. No node needs
    /// to have the label: such ClusterCIDRs are tried last for every node.
    static final FlatSelector CATCH_ALL = new FlatSelector(List.of(
            new LabelRequirement("kubernetes.io/clusterCIDR", LabelRequirement.Operator.IN, List.of("default"))));

    FlatSelector {
        requirements = requirements.stream()
                .sorted(Comparator.comparing(LabelRequirement::key))
                .toList();
    }

    /// The selector without its terms.
    ///
    /// @throws IllegalArgumentException if it breaks a rule of [ClusterCidrRules]
    static FlatSelector of(NodeSelector selector) {
        return switch (selector) {
            case NodeSelector.Absent _ -> CATCH_ALL;
            case NodeSelector.Terms(var terms) -> {
                var requirements = new ArrayList<LabelRequirement>();
                for (var term : terms) {
                    Stream.concat(term.matchExpressions().stream(), term.matchFields().stream())
                            .map(FlatSelector::requirement)
                            .forEach(requirements::add);
                }
                yield new FlatSelector(requirements);
            }
        };
    }

    private static LabelRequirement requirement(SelectorRequirement written) {
        var operator = LabelRequirement.Operator.find(written.operator())
                .orElseThrow(() -> new IllegalArgumentException(
                        "\"%s\" is not a valid node selector operator".formatted(written.operator())));
        return new LabelRequirement(written.key(), operator, written.values());
    }

    boolean matches(SortedMap<String, String> labels) {
        return requirements.stream().allMatch(requirement -> requirement.matches(labels));
    }

    /// The text by which ClusterCIDRs with the same selector are found together.
    String key() {
        return requirements.stream().map(LabelRequirement::toString).collect(Collectors.joining(","));
    }
}
