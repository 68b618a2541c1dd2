package io.cadastre.engine.block;

import io.cadastre.address.Address;
import io.cadastre.address.Prefix;
import java.time.Instant;
import java.util.SortedMap;
import java.util.TreeMap;

/// Short words for what the tests of this law need.
final class Fixtures {

    static final Instant NOW = Instant.parse("2026-03-01T10:20:30.123456789Z");

    private Fixtures() {}

    static Prefix prefix(String text) {
        return Prefix.parse(text);
    }

    static Address address(String text) {
        return Address.parse(text);
    }

    /// Keys and values by turns.
    static SortedMap<String, String> labels(String... keysAndValues) {
        var labels = new TreeMap<String, String>();
        for (int index = 0; index < keysAndValues.length; index += 2) {
            labels.put(keysAndValues[index], keysAndValues[index + 1]);
        }
        return labels;
    }
}
