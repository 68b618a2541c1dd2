package io.cadastre.engine.hostlocal;

import java.util.List;
import java.util.stream.Collectors;

/// Whether the next attachment would be given its addresses.
public sealed interface Readiness {

    record Ready() implements Readiness {}

    /// An attachment gets an address of every set, so one full set is enough to be full.
    ///
    /// @param groups the full ones
    record Full(List<RangeGroup> groups) implements Readiness {
        public Full {
            groups = List.copyOf(groups);
        }

        /// A sentence without a full stop.
        public String sentence() {
            return "no IP addresses available in range set: "
                    + groups.stream().map(RangeGroup::words).collect(Collectors.joining("; "));
        }
    }
}
