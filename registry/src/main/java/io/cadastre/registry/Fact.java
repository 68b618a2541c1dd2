package io.cadastre.registry;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// A reason or an outcome as the ledger keeps it: data, of which words are made when it is read.
public sealed interface Fact {

    /// A word, a number, an address; or a sentence, where there is nothing but that.
    record Text(String text) implements Fact {
        @Override
        public String words() {
            return text;
        }
    }

    record Several(List<Fact> facts) implements Fact {
        public Several {
            facts = List.copyOf(facts);
        }

        @Override
        public String words() {
            return facts.stream().map(Fact::words).collect(Collectors.joining(", ", "[", "]"));
        }
    }

    /// Named values, in their order.
    ///
    /// @param rule which rule they belong to, for example `block.BlockReason.PassedOver`; empty if that
    ///     makes no difference
    record Ruled(String rule, Map<String, Fact> values) implements Fact {
        public Ruled {
            values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
        }

        /// The sentence of a reason or an outcome; the rule and its values where this program does not know the rule.
        @Override
        public String words() {
            return RecordFacts.sentence(this)
                    .orElseGet(() -> values.entrySet().stream()
                            .map(value ->
                                    value.getKey() + "=" + value.getValue().words())
                            .collect(Collectors.joining(", ", rule.substring(rule.lastIndexOf('.') + 1) + "[", "]")));
        }
    }

    String words();

    static Fact text(String text) {
        return new Text(text);
    }

    /// A record as its components, anything else as its text. A reason of which this program could not
    /// make the sentence again is kept as its sentence.
    static Fact of(Object value) {
        return RecordFacts.fact(value);
    }
}
