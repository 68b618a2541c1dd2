package io.cadastre.address;

/// The strict text form of prefixes.
final class PrefixText {

    private PrefixText() {}

    static Prefix parse(String text) {
        int slash = text.indexOf('/');
        if (slash < 0) {
            throw new IllegalArgumentException("'%s' is not a CIDR: it has no '/'".formatted(text));
        }
        var address = Address.parse(text.substring(0, slash));
        int length = length(text, slash + 1);
        if (length > address.family().bits()) {
            throw new IllegalArgumentException(
                    "'%s' is not a CIDR: an %s prefix length is at most %d"
                            .formatted(text, address.family(), address.family().bits()));
        }
        var prefix = Prefix.containing(address, length);
        if (!prefix.address().equals(address)) {
            throw new IllegalArgumentException(
                    "'%s' has bits set beyond the prefix length; the CIDR is %s"
                            .formatted(text, prefix));
        }
        return prefix;
    }

    private static int length(String text, int from) {
        int digits = text.length() - from;
        boolean decimal =
                digits >= 1
                        && digits <= 3
                        && text.chars().skip(from).allMatch(c -> c >= '0' && c <= '9')
                        && (digits == 1 || text.charAt(from) != '0');
        if (!decimal) {
            throw new IllegalArgumentException(
                    "'%s' is not a CIDR: its prefix length is not a decimal number without leading zeros"
                            .formatted(text));
        }
        return Integer.parseInt(text, from, text.length(), 10);
    }
}
