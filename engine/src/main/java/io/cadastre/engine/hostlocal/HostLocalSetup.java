package io.cadastre.engine.hostlocal;

import java.util.List;

/// What the range sets of a configuration come to.
public sealed interface HostLocalSetup {

    /// They describe a network.
    record Configured(List<RangeGroup> groups) implements HostLocalSetup {
        public Configured {
            groups = List.copyOf(groups);
        }
    }

    /// They break a rule.
    ///
    /// @param sentence about the first broken rule, in upstream's words
    record Rejected(String sentence) implements HostLocalSetup {}

    /// Reads range sets by the rules of upstream, in upstream's order and words. See [RangeRules].
    static HostLocalSetup from(List<List<WrittenRange>> sets, PerFamily perFamily) {
        return RangeRules.read(sets, perFamily);
    }
}
