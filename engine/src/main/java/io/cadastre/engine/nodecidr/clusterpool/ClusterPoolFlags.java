package io.cadastre.engine.nodecidr.clusterpool;

import java.util.List;

/// What the operator's options say of one family each.
public record ClusterPoolFlags(OfFamily ipv4, OfFamily ipv6) {

    /// The options of one family.
    ///
    /// @param enabled whether the cluster has the family
    /// @param cidrs as they are written
    /// @param mask the length of the blocks that nodes get
    public record OfFamily(boolean enabled, List<String> cidrs, int mask) {

        /// A family that the cluster does not have.
        public static final OfFamily DISABLED = new OfFamily(false, List.of(), 0);

        public OfFamily {
            cidrs = List.copyOf(cidrs);
        }
    }
}
