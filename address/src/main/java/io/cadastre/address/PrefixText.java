package io.cadastre.address;

/// The strict text form of prefixes: a strict address, `/`, and a decimal length without leading
/// zeros. Bits beyond the length are zero, so that a prefix has one spelling.
final class PrefixText {

    private static final int LENGTH_DIGITS_MAX = 3;

    private PrefixText() {}

    static Prefix parse(String text) {
        try {
            var address = readAddress(text);
            var prefix = masked(text, address);
            if (!prefix.address().equals(address)) {
                throw new Malformed("it has bits set beyond the prefix length; the CIDR is %s".formatted(prefix));
            }
            return prefix;
        } catch (Malformed malformed) {
            throw new IllegalArgumentException("'%s' is not a CIDR: %s".formatted(text, malformed.rule()), malformed);
        }
    }

    /// Reads a prefix whose address may have bits set beyond the length; they are dropped.
    static Prefix readMasked(String text) throws Malformed {
        return masked(text, readAddress(text));
    }

    private static Address readAddress(String text) throws Malformed {
        int slash = text.indexOf('/');
        if (slash < 0) {
            throw new Malformed("it has no '/'");
        }
        return AddressText.read(text.substring(0, slash));
    }

    private static Prefix masked(String text, Address address) throws Malformed {
        int length = readLength(text, text.indexOf('/') + 1);
        if (length > address.family().bits()) {
            throw new Malformed("an %s prefix length is at most %d"
                    .formatted(address.family(), address.family().bits()));
        }
        return Prefix.containing(address, length);
    }

    private static int readLength(String text, int from) throws Malformed {
        int digits = text.length() - from;
        boolean decimal = digits >= 1
                && digits <= LENGTH_DIGITS_MAX
                && text.chars().skip(from).allMatch(c -> c >= '0' && c <= '9')
                && (digits == 1 || text.charAt(from) != '0');
        if (!decimal) {
            throw new Malformed(
                    "its prefix length is not a decimal number of at most three digits without" + " leading zeros");
        }
        return Integer.parseInt(text, from, text.length(), 10);
    }
}
