package io.cadastre.engine.nodecidr.clusterpool;

import io.cadastre.address.Family;
import io.cadastre.engine.nodecidr.CidrSetList;
import io.cadastre.engine.nodecidr.clusterpool.ClusterPoolFlags.OfFamily;
import java.util.ArrayList;

/// What the options of cluster-pool came to.
public sealed interface ClusterPoolSetup {

    /// The memory of an operator that has seen no node yet.
    record Configured(ClusterPoolView view) implements ClusterPoolSetup {}

    /// They break a rule, in the words of upstream.
    record Rejected(String error) implements ClusterPoolSetup {}

    static ClusterPoolSetup from(ClusterPoolFlags flags) {
        var families = new ArrayList<CidrSetList>();
        for (var family : Family.values()) {
            var given = family == Family.IPV4 ? flags.ipv4() : flags.ipv6();
            var word = family == Family.IPV4 ? "ipv4" : "ipv6";
            if (given.enabled() && given.cidrs().isEmpty()) {
                return new Rejected("cluster-pool-%s-cidr must be provided when using ClusterPool".formatted(word));
            }
            if (!given.enabled() && !given.cidrs().isEmpty()) {
                return new Rejected("cluster-pool-%s-cidr must not be set if %s is disabled".formatted(word, family));
            }
            if (given.enabled()) {
                switch (list(family, given)) {
                    case CidrSetList.Setup.Configured(var list) -> families.add(list);
                    case CidrSetList.Setup.Rejected(var error) -> {
                        return new Rejected("unable to initialize %s allocator: %s".formatted(family, error));
                    }
                }
            }
        }
        return new Configured(ClusterPoolView.empty(families));
    }

    private static CidrSetList.Setup list(Family family, OfFamily given) {
        return CidrSetList.of(family, given.cidrs(), given.mask());
    }
}
