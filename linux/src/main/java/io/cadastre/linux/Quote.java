package io.cadastre.linux;

/// Text in double quotes as Go's `%q` writes it, so that our sentences equal those of Go programs.
final class Quote {

    private Quote() {}

    static String of(String text) {
        var quoted = new StringBuilder("\"");
        text.codePoints().forEach(point -> append(quoted, point));
        return quoted.append('"').toString();
    }

    private static void append(StringBuilder quoted, int point) {
        switch (point) {
            case '"', '\\' -> quoted.append('\\').appendCodePoint(point);
            case 7 -> quoted.append("\\a");
            case '\b' -> quoted.append("\\b");
            case '\f' -> quoted.append("\\f");
            case '\n' -> quoted.append("\\n");
            case '\r' -> quoted.append("\\r");
            case '\t' -> quoted.append("\\t");
            case 11 -> quoted.append("\\v");
            default -> {
                if (point < ' ' || point == 0x7f) {
                    quoted.append("\\x%02x".formatted(point));
                } else if (Character.isISOControl(point)) {
                    quoted.append("\\u%04x".formatted(point));
                } else {
                    quoted.appendCodePoint(point);
                }
            }
        }
    }
}
