package io.cadastre.engine.nodecidr.clusterpool;

import io.cadastre.address.Prefix;
import java.util.List;

/// What an event came to.
public sealed interface ClusterPoolOutcome {

    /// An annotation keeps the operator from the node.
    record Ignored(String node) implements ClusterPoolOutcome {}

    /// The node gets what it lacks once all nodes are known.
    record Parked(String node) implements ClusterPoolOutcome {}

    /// The node has these.
    record Holds(String node, List<Prefix> cidrs) implements ClusterPoolOutcome {
        public Holds {
            cidrs = List.copyOf(cidrs);
        }
    }

    /// Its object shows an error.
    ///
    /// @param kept what the node has all the same
    record Failed(String node, ClusterPoolFault fault, List<Prefix> kept) implements ClusterPoolOutcome {
        public Failed {
            kept = List.copyOf(kept);
        }
    }

    /// All nodes are known now.
    ///
    /// @param outcomes those of the nodes that waited, in the order in which they came
    record Synced(List<ClusterPoolOutcome> outcomes) implements ClusterPoolOutcome {
        public Synced {
            outcomes = List.copyOf(outcomes);
        }
    }

    /// The node is gone, and had these.
    record Released(String node, List<Prefix> cidrs) implements ClusterPoolOutcome {
        public Released {
            cidrs = List.copyOf(cidrs);
        }
    }
}
