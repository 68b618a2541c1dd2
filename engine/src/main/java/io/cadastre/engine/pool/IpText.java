package io.cadastre.engine.pool;

import io.cadastre.address.Address;
import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.address.Range;
import io.cadastre.address.RangeSet;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;

/// How addresses, ranges and CIDRs are written in pools.
///
/// A range is one address, or two with a dash between them and no blanks; a CIDR is not a range. The
/// dots or colons of a text decide its family.
public final class IpText {

    private static final int DOTS_IN_LABEL = 3;
    private static final int COLONS_IN_LABEL = 7;

    private static final BigInteger COUNT_MAX = BigInteger.valueOf(Long.MAX_VALUE);

    private IpText() {}

    public static Optional<Address> address(Family family, String text) {
        return address(text).filter(address -> address.family() == family);
    }

    /// An address of either family.
    public static Optional<Address> address(String text) {
        try {
            return Optional.of(Address.parse(text));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    /// The prefix that a CIDR stands for, whatever its host bits say.
    public static Optional<Prefix> network(Family family, String text) {
        int slash = text.indexOf('/');
        if (slash < 0) {
            return Optional.empty();
        }
        return address(family, text.substring(0, slash))
                .flatMap(address -> length(family, text.substring(slash + 1), address));
    }

    /// The prefix that a CIDR of either family stands for.
    public static Optional<Prefix> network(String text) {
        return network(text.indexOf(':') >= 0 ? Family.IPV6 : Family.IPV4, text);
    }

    private static Optional<Prefix> length(Family family, String text, Address address) {
        boolean plain = !text.isEmpty() && text.length() <= 3 && text.chars().allMatch(IpText::isDigit);
        if (!plain || (text.length() > 1 && text.charAt(0) == '0')) {
            return Optional.empty();
        }
        int length = Integer.parseInt(text);
        return length > family.bits() ? Optional.empty() : Optional.of(Prefix.containing(address, length));
    }

    private static boolean isDigit(int character) {
        return character >= '0' && character <= '9';
    }

    /// What a range of the family spans; empty if the text is not a range, or ends before it begins.
    public static Optional<Range> range(Family family, String text) {
        return ends(family, text)
                .filter(ends -> ends.getFirst().compareTo(ends.getLast()) <= 0)
                .map(ends -> new Range(ends.getFirst(), ends.getLast()));
    }

    /// Whether it would be a range, did it not end before it begins.
    public static boolean reversed(Family family, String text) {
        return ends(family, text)
                .filter(ends -> ends.getFirst().compareTo(ends.getLast()) > 0)
                .isPresent();
    }

    private static Optional<List<Address>> ends(Family family, String text) {
        int dash = text.indexOf('-');
        var first = address(family, dash < 0 ? text : text.substring(0, dash));
        var last = dash < 0 ? first : address(family, text.substring(dash + 1));
        return first.flatMap(from -> last.map(to -> List.of(from, to)));
    }

    /// A range as pools are stored with it.
    public static String text(Range range) {
        return range.first().equals(range.last()) ? range.first().toString() : range.toString();
    }

    /// The ranges of a set as pools are stored with them.
    public static List<String> texts(RangeSet set) {
        return set.ranges().stream().map(IpText::text).toList();
    }

    /// How many addresses there are, as far as it can be counted.
    public static long count(RangeSet set) {
        return set.size().min(COUNT_MAX).longValueExact();
    }

    /// A CIDR as the value of a label.
    public static String label(Prefix cidr) {
        var label = cidr.toString();
        for (int dot = 0; dot < DOTS_IN_LABEL; dot++) {
            label = label.replaceFirst("\\.", "-");
        }
        for (int colon = 0; colon < COLONS_IN_LABEL; colon++) {
            label = label.replaceFirst(":", "-");
        }
        return label.replaceFirst("/", "-");
    }

    /// The family as it is written in fields and in sentences: 4 or 6.
    public static int version(Family family) {
        return switch (family) {
            case IPV4 -> 4;
            case IPV6 -> 6;
        };
    }
}
