package io.cadastre.wire.cni;

import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;

/// A version of the protocol as three numbers, for comparing. Where two sides must agree on one, its
/// text counts, which is why it is passed around as text.
public record CniVersion(long major, long minor, long micro) implements Comparable<CniVersion> {

    /// What is meant when no version is written.
    public static final String OLDEST = "0.1.0";

    public static final String NEWEST = "1.1.0";

    /// Every version that there is, oldest first.
    public static final List<String> KNOWN = List.of(OLDEST, "0.2.0", "0.3.0", "0.3.1", "0.4.0", "1.0.0", NEWEST);

    private static final List<String> PART_NAMES = List.of("major", "minor", "micro");

    private static final Pattern NUMBER = Pattern.compile("[+-]?[0-9]+");

    private static final Comparator<CniVersion> ORDER = Comparator.comparingLong(CniVersion::major)
            .thenComparingLong(CniVersion::minor)
            .thenComparingLong(CniVersion::micro);

    /// Reads one to three numbers divided by dots. Nothing at all is the oldest version.
    ///
    /// @throws CniException with code 6 if it is anything else
    public static CniVersion parse(String text) {
        var parts = (text.isEmpty() ? OLDEST : text).split("\\.", -1);
        if (parts.length > PART_NAMES.size()) {
            throw new CniException(
                    CniCode.DECODING_FAILURE, "invalid version %s: too many parts".formatted(GoText.quote(text)));
        }
        var numbers = new long[PART_NAMES.size()];
        for (int place = 0; place < parts.length; place++) {
            numbers[place] = number(parts[place], PART_NAMES.get(place));
        }
        return new CniVersion(numbers[0], numbers[1], numbers[2]);
    }

    private static long number(String part, String name) {
        if (!NUMBER.matcher(part).matches()) {
            throw unreadable(part, name, "invalid syntax");
        }
        try {
            return Long.parseLong(part);
        } catch (NumberFormatException _) {
            throw unreadable(part, name, "value out of range");
        }
    }

    private static CniException unreadable(String part, String name, String why) {
        return new CniException(
                CniCode.DECODING_FAILURE,
                "failed to convert %s version part %s: %s".formatted(name, GoText.quote(part), why));
    }

    /// Whether the one version, as text, is the other or comes after it.
    ///
    /// @throws CniException with code 6 if one of them is not a version
    public static boolean atLeast(String version, String other) {
        return parse(version).compareTo(parse(other)) >= 0;
    }

    @Override
    public int compareTo(CniVersion other) {
        return ORDER.compare(this, other);
    }
}
