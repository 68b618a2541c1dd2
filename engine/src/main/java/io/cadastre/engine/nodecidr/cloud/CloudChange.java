package io.cadastre.engine.nodecidr.cloud;

import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.engine.Change;
import io.cadastre.engine.Holding;
import io.cadastre.engine.nodecidr.NodeCidrHoldings;
import java.util.List;
import java.util.stream.Collectors;

/// One write that these laws ask for: at the Kubernetes API or at the cloud.
public sealed interface CloudChange extends Change {

    String node();

    @Override
    default List<Holding> granted() {
        return List.of();
    }

    @Override
    default List<Holding> returned() {
        return List.of();
    }

    /// Patches the CIDRs of a node: one, or one of each family.
    ///
    /// @param form which fields the patch has
    record PatchCidrs(String node, List<Prefix> cidrs, Form form) implements CloudChange {

        /// The fields of a patch.
        public enum Form {
            /// `spec.podCIDR` and `spec.podCIDRs`.
            LIST,
            /// Only `spec.podCIDR`, after `apiVersion`, `kind` and `metadata.name`.
            FIRST_ONLY
        }

        public PatchCidrs {
            cidrs = List.copyOf(cidrs);
            long families = cidrs.stream().map(Prefix::family).distinct().count();
            if (cidrs.isEmpty() || cidrs.size() > Family.values().length || families < cidrs.size()) {
                throw new IllegalArgumentException(
                        "node %s is given one CIDR or one of each family, not %s".formatted(node, cidrs));
            }
            if (form == Form.FIRST_ONLY && cidrs.size() > 1) {
                throw new IllegalArgumentException("%s do not fit into spec.podCIDR".formatted(cidrs));
            }
        }

        @Override
        public String sentence() {
            return "give %s to node %s"
                    .formatted(cidrs.stream().map(Prefix::toString).collect(Collectors.joining(", ")), node);
        }

        @Override
        public List<Holding> granted() {
            return NodeCidrHoldings.of(node, cidrs);
        }
    }

    /// Adds an alias range to the machine of a node.
    record AddAlias(String node, String providerId, Prefix range) implements CloudChange {
        @Override
        public String sentence() {
            return "add the alias range %s to %s".formatted(range, providerId);
        }
    }

    /// Sets the condition `NetworkUnavailable` of a node to `False`.
    record OpenNetwork(String node, String message) implements CloudChange {

        /// The reason of the condition.
        public static final String REASON = "RouteCreated";

        /// What the allocator writes.
        static final String IMPLICIT_ROUTE = "NodeController create implicit route";

        /// What the two synchronising modes write.
        static final String AN_IMPLICIT_ROUTE = "NodeController created an implicit route";

        @Override
        public String sentence() {
            return "set %s of node %s to False".formatted(CloudNode.NETWORK_UNAVAILABLE, node);
        }
    }
}
