package io.cadastre.wire.calico;

import java.math.BigInteger;
import java.util.Comparator;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// Documents without what differs from run to run: times are `T`, and sequence numbers count from the
/// smallest one of their document.
final class Normal {

    private static final Pattern TIME = Pattern.compile("\"\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ\"");
    private static final Pattern SEQUENCE = Pattern.compile("\\d{19}");

    private Normal() {}

    static String text(String value) {
        var timeless = TIME.matcher(value).replaceAll("\"T\"");
        var smallest = SEQUENCE.matcher(timeless)
                .results()
                .map(found -> new BigInteger(found.group()))
                .min(Comparator.naturalOrder())
                .orElse(BigInteger.ZERO);
        return SEQUENCE.matcher(timeless).replaceAll(found -> "S+" + new BigInteger(found.group()).subtract(smallest));
    }

    static SortedMap<String, String> texts(SortedMap<String, String> values) {
        var normal = new TreeMap<String, String>();
        values.forEach((key, value) -> normal.put(key, text(value)));
        return normal;
    }
}
