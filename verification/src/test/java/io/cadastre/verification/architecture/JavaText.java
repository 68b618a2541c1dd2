package io.cadastre.verification.architecture;

/// Java source seen as code alone: comments and the insides of literals become blanks, and every line
/// keeps its number. Good enough to search for calls; not a parser.
final class JavaText {

    private enum Within {
        CODE,
        LINE_COMMENT,
        BLOCK_COMMENT,
        STRING,
        TEXT_BLOCK,
        CHARACTER
    }

    private final String source;
    private final StringBuilder code = new StringBuilder();
    private Within within = Within.CODE;
    private int index;

    private JavaText(String source) {
        this.source = source;
    }

    static String codeOf(String source) {
        var text = new JavaText(source);
        // Ends: every step takes at least one character.
        while (text.index < source.length()) {
            text.step();
        }
        return text.code.toString();
    }

    private void step() {
        switch (within) {
            case CODE -> stepInCode();
            case LINE_COMMENT -> leaveAt("\n");
            case BLOCK_COMMENT -> leaveAt("*/");
            case STRING -> leaveLiteralAt("\"");
            case TEXT_BLOCK -> leaveLiteralAt("\"\"\"");
            case CHARACTER -> leaveLiteralAt("'");
        }
    }

    private void stepInCode() {
        if (at("//")) {
            enter(Within.LINE_COMMENT, 2);
        } else if (at("/*")) {
            enter(Within.BLOCK_COMMENT, 2);
        } else if (at("\"\"\"")) {
            enter(Within.TEXT_BLOCK, 3);
        } else if (at("\"")) {
            enter(Within.STRING, 1);
        } else if (at("'")) {
            enter(Within.CHARACTER, 1);
        } else {
            code.append(source.charAt(index++));
        }
    }

    private void leaveLiteralAt(String end) {
        if (at("\\") && index + 1 < source.length()) {
            blank(2);
        } else {
            leaveAt(end);
        }
    }

    private void leaveAt(String end) {
        if (at(end)) {
            enter(Within.CODE, end.length());
        } else {
            blank(1);
        }
    }

    private void enter(Within next, int length) {
        blank(length);
        within = next;
    }

    private void blank(int length) {
        for (int end = index + length; index < end; index++) {
            code.append(source.charAt(index) == '\n' ? '\n' : ' ');
        }
    }

    private boolean at(String expected) {
        return source.startsWith(expected, index);
    }
}
