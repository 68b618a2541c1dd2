package io.cadastre.engine.nodecidr.multipool;

import io.cadastre.address.Family;
import io.cadastre.engine.nodecidr.multipool.PodPoolSpec.OfFamily;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/// A pool that an option of the operator describes: `ipv4-cidrs:10.0.0.0/8;ipv4-mask-size:24`.
public final class AutoPool {

    private AutoPool() {}

    /// Reads the description. Blanks and unknown keys are ignored.
    ///
    /// @throws IllegalArgumentException in the words of upstream, or naming the value that cannot be read
    public static PodPoolSpec parse(String name, String text) {
        var values = new TreeMap<String, String>();
        for (var part : text.replace(" ", "").split(";", -1)) {
            int colon = part.indexOf(':');
            if (!part.isEmpty() && colon < 0) {
                throw new IllegalArgumentException("invalid number of key delimiters in pool spec " + text);
            }
            if (colon >= 0) {
                values.put(part.substring(0, colon), part.substring(colon + 1));
            }
        }
        var families = Stream.of(Family.values())
                .flatMap(family -> family(values, family).stream())
                .toList();
        return new PodPoolSpec(name, families, flag(values, "allow-first-ip"), flag(values, "allow-last-ip"));
    }

    private static List<OfFamily> family(Map<String, String> values, Family family) {
        var word = family == Family.IPV4 ? "ipv4" : "ipv6";
        var cidrs = values.getOrDefault(word + "-cidrs", "");
        if (cidrs.isEmpty()) {
            return List.of();
        }
        var key = word + "-mask-size";
        var mask = values.getOrDefault(key, "");
        try {
            return List.of(new OfFamily(family, Arrays.asList(cidrs.split(",", -1)), Integer.parseInt(mask)));
        } catch (NumberFormatException malformed) {
            throw new IllegalArgumentException("%s is not a number: '%s'".formatted(key, mask), malformed);
        }
    }

    private static boolean flag(Map<String, String> values, String key) {
        return switch (values.getOrDefault(key, "false")) {
            case "true" -> true;
            case "false" -> false;
            case String other ->
                throw new IllegalArgumentException("%s is neither true nor false: '%s'".formatted(key, other));
        };
    }
}
