package io.cadastre.address;

/// The text form of addresses: strict reading, canonical writing.
///
/// Strict means that no two readers could disagree: four decimal octets without leading zeros, or
/// eight groups of at most four hexadecimal digits with at most one `::` that stands for at least one
/// group. An IPv6 address may end in a dotted quad. No zone, no blanks, no port. Upper case is read
/// and never written.
///
/// What is written is RFC 5952: of the longest runs of zero groups the first becomes `::`, if it is
/// two groups or more, and an IPv4-mapped address ends in a dotted quad (its section 5).
final class AddressText {

    private AddressText() {}

    static Address parse(String text) {
        try {
            return read(text);
        } catch (Malformed malformed) {
            throw new IllegalArgumentException(
                    "'%s' is not an IP address: %s".formatted(text, malformed.rule()), malformed);
        }
    }

    /// Reads an address for a caller that names the text itself.
    static Address read(String text) throws Malformed {
        return text.indexOf(':') >= 0 ? parseIpv6(text) : Address.ipv4(parseIpv4(text, 0));
    }

    private static int parseIpv4(String text, int start) throws Malformed {
        int bits = 0;
        int octets = 0;
        int at = start;
        while (true) {
            int from = at;
            int octet = 0;
            while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
                octet = octet * 10 + text.charAt(at) - '0';
                at++;
                if (octet > 255) {
                    throw new Malformed("an octet is at most 255");
                }
            }
            if (at == from) {
                throw new Malformed("an octet has at least one decimal digit");
            }
            if (at - from > 1 && text.charAt(from) == '0') {
                throw new Malformed("an octet has no leading zero");
            }
            bits = bits << 8 | octet;
            octets++;
            if (octets == 4) {
                if (at != text.length()) {
                    throw new Malformed("four octets are followed by something else");
                }
                return bits;
            }
            if (at == text.length() || text.charAt(at) != '.') {
                throw new Malformed("four octets are divided by dots");
            }
            at++;
        }
    }

    private static Address parseIpv6(String text) throws Malformed {
        var groups = new int[8];
        int count = 0;
        int gap = -1;
        int at = 0;
        if (text.startsWith("::")) {
            gap = 0;
            at = 2;
        }
        while (at < text.length()) {
            if (count == 8) {
                throw new Malformed("there are at most eight groups");
            }
            int from = at;
            int group = 0;
            while (at < text.length() && hexDigit(text.charAt(at)) >= 0) {
                group = group << 4 | hexDigit(text.charAt(at));
                at++;
                if (at - from > 4) {
                    throw new Malformed("a group has at most four hexadecimal digits");
                }
            }
            if (at == from) {
                throw new Malformed("a group has at least one hexadecimal digit");
            }
            if (at < text.length() && text.charAt(at) == '.') {
                if (count > 6) {
                    throw new Malformed("a dotted quad takes the place of two groups");
                }
                int quad = parseIpv4(text, from);
                groups[count++] = quad >>> 16;
                groups[count++] = quad & 0xffff;
                break;
            }
            groups[count++] = group;
            if (at == text.length()) {
                break;
            }
            if (text.charAt(at) != ':') {
                throw new Malformed("groups are divided by colons");
            }
            at++;
            if (at == text.length()) {
                throw new Malformed("it ends in a single colon");
            }
            if (text.charAt(at) == ':') {
                if (gap >= 0) {
                    throw new Malformed("'::' may stand once");
                }
                gap = count;
                at++;
            }
        }
        if (gap < 0 && count < 8) {
            throw new Malformed("there are eight groups, or '::' for the missing ones");
        }
        if (gap >= 0 && count == 8) {
            throw new Malformed("'::' stands for at least one group");
        }
        return Address.ipv6(half(groups, count, gap, 0), half(groups, count, gap, 4));
    }

    /// Four of the eight groups, with the gap filled by zeros.
    private static long half(int[] groups, int count, int gap, int from) {
        long bits = 0;
        for (int place = from; place < from + 4; place++) {
            int group;
            if (gap < 0 || place < gap) {
                group = groups[place];
            } else {
                int index = place - (8 - count);
                group = index >= gap ? groups[index] : 0;
            }
            bits = bits << 16 | group;
        }
        return bits;
    }

    static int hexDigit(char c) {
        return c < 128 ? Character.digit(c, 16) : -1;
    }

    static String format(Address address) {
        if (address.family() == Family.IPV4) {
            return formatIpv4((int) address.low());
        }
        return address.ipv4Mapped()
                ? "::ffff:" + formatIpv4((int) address.low())
                : formatIpv6(address.high(), address.low());
    }

    private static String formatIpv4(int bits) {
        return (bits >>> 24) + "." + (bits >>> 16 & 255) + "." + (bits >>> 8 & 255) + "." + (bits & 255);
    }

    private static String formatIpv6(long high, long low) {
        int gapStart = 8;
        int gapLength = 1;
        for (int start = 0; start < 8; ) {
            int end = start;
            while (end < 8 && group(high, low, end) == 0) {
                end++;
            }
            if (end - start > gapLength) {
                gapStart = start;
                gapLength = end - start;
            }
            start = end + 1;
        }
        var text = new StringBuilder(39);
        for (int place = 0; place < 8; place++) {
            if (place == gapStart) {
                text.append("::");
                place += gapLength - 1;
            } else {
                if (!text.isEmpty() && text.charAt(text.length() - 1) != ':') {
                    text.append(':');
                }
                text.append(Integer.toHexString(group(high, low, place)));
            }
        }
        return text.toString();
    }

    private static int group(long high, long low, int place) {
        long half = place < 4 ? high : low;
        return (int) (half >>> (48 - 16 * (place & 3))) & 0xffff;
    }
}
