package io.cadastre.engine.nodecidr.cloud;

import java.util.List;

/// What a cloud answered when it was asked for the alias ranges of a machine.
public sealed interface AliasRanges {

    /// The ranges as the cloud spells them: all of the first network interface, then all of the next.
    record Found(List<String> ranges) implements AliasRanges {
        public Found {
            ranges = List.copyOf(ranges);
        }
    }

    /// The cloud has no such machine.
    ///
    /// @param sentence names it, without a full stop
    record NoSuchInstance(String sentence) implements AliasRanges {}

    /// There is no answer, or none that can be used.
    ///
    /// @param sentence says what was asked and what came of it, without a full stop
    record Failed(String sentence) implements AliasRanges {}
}
