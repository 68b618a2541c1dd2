package io.cadastre.cli;

import io.cadastre.address.Address;
import io.cadastre.address.SloppyText;

/// An entry of a reservation as somebody wrote it.
final class ReservedRange {

    private ReservedRange() {}

    static boolean isOne(String text) {
        var trimmed = text.trim();
        return SloppyText.parsePrefix(trimmed).isPresent() || isAddress(trimmed);
    }

    private static boolean isAddress(String text) {
        try {
            Address.parse(text);
            return true;
        } catch (IllegalArgumentException _) {
            return false;
        }
    }
}
