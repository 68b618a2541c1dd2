package io.cadastre.engine.nodecidr.cloud;

import java.util.List;

/// Values in the middle of a sentence, as Go prints them.
final class GoWords {

    private static final int FIRST_PRINTABLE = 0x20;
    private static final int DELETE = 0x7f;

    private GoWords() {}

    /// `%v` of a list of texts.
    static String list(List<String> texts) {
        return "[" + String.join(" ", texts) + "]";
    }

    /// `%q` of a text. Beyond ASCII it is left as it is.
    static String quoted(String text) {
        var quoted = new StringBuilder("\"");
        text.chars().forEach(c -> {
            switch (c) {
                case '"' -> quoted.append("\\\"");
                case '\\' -> quoted.append("\\\\");
                case '\n' -> quoted.append("\\n");
                case '\r' -> quoted.append("\\r");
                case '\t' -> quoted.append("\\t");
                default -> {
                    if (c < FIRST_PRINTABLE || c == DELETE) {
                        quoted.append("\\x%02x".formatted(c));
                    } else {
                        quoted.append((char) c);
                    }
                }
            }
        });
        return quoted.append('"').toString();
    }
}
