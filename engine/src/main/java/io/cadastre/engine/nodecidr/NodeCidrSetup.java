package io.cadastre.engine.nodecidr;

import io.cadastre.address.Prefix;
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

    /// They describe a cluster whose ranges are not in the flags.
    ///
    /// @param because what an operator should know although it is not an error
    record WithoutClusters(List<Prefix> serviceRanges, List<NodeCidrReason> because) implements NodeCidrSetup {
        public WithoutClusters {
            serviceRanges = List.copyOf(serviceRanges);
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

    /// Reads flags for an allocator whose ranges are objects of the cluster.
    static NodeCidrSetup withoutClusters(NodeCidrFlags flags) {
        return FlagRules.readServiceRanges(flags);
    }

    /// The errors of flags that an allocator without a cluster CIDR has. It reads the cluster CIDRs all the same,
    /// and leaves out the rules about their blocks.
    static List<String> errorsWithoutBlocks(NodeCidrFlags flags) {
        return FlagRules.errorsWithoutBlocks(flags);
    }
}
