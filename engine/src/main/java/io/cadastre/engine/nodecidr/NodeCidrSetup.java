package io.cadastre.engine.nodecidr;

import java.util.List;

/// What the flags of a controller come to.
public sealed interface NodeCidrSetup {

    /// They describe a cluster.
    ///
    /// @param because what an operator should know although it is not an error
    record Configured(NodeCidrConfig config, List<NodeCidrReason> because) implements NodeCidrSetup {
        public Configured {
            because = List.copyOf(because);
        }
    }

    /// They say that node CIDRs are not to be given at all.
    record SwitchedOff() implements NodeCidrSetup {}

    /// They break a rule.
    ///
    /// @param errors a sentence for each broken rule; of those that concern the cluster only the first
    record Rejected(List<String> errors) implements NodeCidrSetup {
        public Rejected {
            errors = List.copyOf(errors);
        }
    }

    /// Reads flags by the rules of upstream, in upstream's order and words. See [FlagRules].
    static NodeCidrSetup from(NodeCidrFlags flags) {
        return FlagRules.read(flags);
    }
}
