package io.cadastre.registry;

import java.nio.charset.StandardCharsets;

/// A text that is cut where it is longer than the ledger keeps it.
final class BoundedText {

    private static final int HASH_CHARACTERS = 16;

    private BoundedText() {}

    /// The text, or its beginning with a hash of all of it: two texts that differ do so also when they are
    /// cut. Half a character, which has no bytes, becomes a question mark.
    static String of(String text, int bytesMax) {
        var bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length <= bytesMax) {
            return new String(bytes, StandardCharsets.UTF_8);
        }
        var hash = LedgerCodec.hexadecimal(LedgerCodec.digest(new byte[0], bytes));
        var end = "…" + hash.substring(0, HASH_CHARACTERS);
        int kept = bytesMax - end.getBytes(StandardCharsets.UTF_8).length;
        while (continuesCharacter(bytes[kept])) {
            kept--;
        }
        return new String(bytes, 0, kept, StandardCharsets.UTF_8) + end;
    }

    private static boolean continuesCharacter(byte one) {
        return (one & 0xc0) == 0x80;
    }
}
