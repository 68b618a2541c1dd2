package io.cadastre.engine.nodecidr.clustercidr;

import java.util.List;

/// The node selector of a ClusterCIDR as it is written.
public sealed interface NodeSelector {

    /// None is written: the ClusterCIDR is for every node that no other one suits.
    record Absent() implements NodeSelector {}

    /// One is written, perhaps one without terms.
    record Terms(List<Term> terms) implements NodeSelector {
        public Terms {
            terms = List.copyOf(terms);
        }
    }

    /// One term of a selector.
    record Term(List<SelectorRequirement> matchExpressions, List<SelectorRequirement> matchFields) {
        public Term {
            matchExpressions = List.copyOf(matchExpressions);
            matchFields = List.copyOf(matchFields);
        }
    }
}
