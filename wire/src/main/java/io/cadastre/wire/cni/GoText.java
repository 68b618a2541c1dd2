package io.cadastre.wire.cni;

import java.util.List;
import java.util.stream.Collectors;

/// Text inside of messages as Go's formatting writes it, since people and programs match on it.
public final class GoText {

    private GoText() {}

    /// In double quotes, with escapes for what cannot be seen.
    public static String quote(String text) {
        var quoted = new StringBuilder(text.length() + 2).append('"');
        text.codePoints().forEach(c -> append(quoted, c));
        return quoted.append('"').toString();
    }

    /// The texts in brackets, each in quotes.
    public static String quotedList(List<String> texts) {
        return texts.stream().map(GoText::quote).collect(Collectors.joining(" ", "[", "]"));
    }

    /// The texts in brackets, divided by blanks.
    public static String list(List<String> texts) {
        return texts.stream().collect(Collectors.joining(" ", "[", "]"));
    }

    private static void append(StringBuilder quoted, int c) {
        switch (c) {
            case '"' -> quoted.append("\\\"");
            case '\\' -> quoted.append("\\\\");
            case 0x07 -> quoted.append("\\a");
            case '\b' -> quoted.append("\\b");
            case '\f' -> quoted.append("\\f");
            case '\n' -> quoted.append("\\n");
            case '\r' -> quoted.append("\\r");
            case '\t' -> quoted.append("\\t");
            case 0x0b -> quoted.append("\\v");
            default -> {
                if (isVisible(c)) {
                    quoted.appendCodePoint(c);
                } else if (c < 0x80) {
                    quoted.append("\\x%02x".formatted(c));
                } else if (c < 0x10000) {
                    quoted.append("\\u%04x".formatted(c));
                } else {
                    quoted.append("\\U%08x".formatted(c));
                }
            }
        }
    }

    private static boolean isVisible(int c) {
        return c == ' '
                || switch (Character.getType(c)) {
                    case Character.CONTROL,
                            Character.FORMAT,
                            Character.SURROGATE,
                            Character.PRIVATE_USE,
                            Character.UNASSIGNED,
                            Character.SPACE_SEPARATOR,
                            Character.LINE_SEPARATOR,
                            Character.PARAGRAPH_SEPARATOR -> false;
                    default -> true;
                };
    }
}
