package io.cadastre.wire.json;

import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.CharacterEscapes;
import com.fasterxml.jackson.core.io.SerializedString;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Escapes in text as Go's `encoding/json` writes them.
///
/// They differ from Jackson's own in `<`, `>`, `&` and the two line separators of Unicode, which Go
/// keeps out of the text, and in the letter case of the digits.
final class GoEscapes extends CharacterEscapes {

    private static final long serialVersionUID = 1;

    private static final int LINE_SEPARATOR = 0x2028;
    private static final int PARAGRAPH_SEPARATOR = 0x2029;

    private final int[] ascii = standardAsciiEscapesForJSON();

    GoEscapes() {
        for (int c = 0; c < ' '; c++) {
            if (ascii[c] == ESCAPE_STANDARD) {
                ascii[c] = ESCAPE_CUSTOM;
            }
        }
        ascii['<'] = ESCAPE_CUSTOM;
        ascii['>'] = ESCAPE_CUSTOM;
        ascii['&'] = ESCAPE_CUSTOM;
    }

    @Override
    public int[] getEscapeCodesForAscii() {
        return Arrays.copyOf(ascii, ascii.length);
    }

    @Override
    public @Nullable SerializableString getEscapeSequence(int c) {
        boolean escaped =
                c < ascii.length ? ascii[c] == ESCAPE_CUSTOM : c == LINE_SEPARATOR || c == PARAGRAPH_SEPARATOR;
        return escaped ? new SerializedString("\\u%04x".formatted(c)) : null;
    }
}
