package io.cadastre.address;

import java.util.Optional;

/// The forgiving text form of prefixes that Kubernetes reads, so that what it once stored can still
/// be read. Nothing is ever written in it.
///
/// It differs from the strict form in three things and in nothing else. Numbers may have any count of
/// leading zeros, and are decimal or hexadecimal as their place demands, never octal: octets, groups
/// and the prefix length alike. Bits beyond the prefix length are dropped. An address needs no
/// canonical spelling, which the strict form does not ask for either. The length stays mandatory;
/// zones and blanks stay errors.
///
/// Matched: `ParseCIDRSloppy` of [k8s.io/utils/net](https://pkg.go.dev/k8s.io/utils/net), which also
/// takes `::ffff:10.0.0.0/104` for an IPv4 network in places. Here it is an IPv6 prefix for which
/// [Prefix#ipv4Mapped()] holds, for the caller to refuse.
public final class SloppyText {

    private SloppyText() {}

    /// The prefix that this text means, or empty if it means none.
    ///
    /// No reason is given since the dialects have a sentence of their own for it, always the same.
    public static Optional<Prefix> parsePrefix(String text) {
        try {
            return Optional.of(PrefixText.readMasked(withoutLeadingZeros(text)));
        } catch (Malformed _) {
            return Optional.empty();
        }
    }

    /// The text with every number cut down to its significant digits, a zero to one digit.
    private static String withoutLeadingZeros(String text) {
        var stripped = new StringBuilder(text.length());
        boolean inNumber = false;
        for (int at = 0; at < text.length(); at++) {
            char c = text.charAt(at);
            boolean digitFollows = at + 1 < text.length() && AddressText.hexDigit(text.charAt(at + 1)) >= 0;
            if (!inNumber && c == '0' && digitFollows) {
                continue;
            }
            inNumber = AddressText.hexDigit(c) >= 0;
            stripped.append(c);
        }
        return stripped.toString();
    }
}
