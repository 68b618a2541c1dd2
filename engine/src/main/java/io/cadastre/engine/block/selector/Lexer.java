package io.cadastre.engine.block.selector;

import io.cadastre.engine.block.selector.Token.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Divides the text of a selector into words.
///
/// All words but strings are ASCII, and a string ends at its quote, so characters may stand for the
/// bytes that the language is defined on.
final class Lexer {

    private final String text;
    private final List<Token> tokens = new ArrayList<>();
    private int position;

    private Lexer(String text) {
        this.text = text;
    }

    /// The words in order. The last one, and no other, is the end.
    static List<Token> tokens(String text) {
        return new Lexer(text).tokens();
    }

    private List<Token> tokens() {
        skipBlanks();
        while (position < text.length()) {
            tokens.add(next());
            skipBlanks();
        }
        tokens.add(Token.of(Kind.END));
        return tokens;
    }

    private Token next() {
        char first = text.charAt(position);
        return switch (first) {
            case '(' -> take(Kind.LEFT_PARENTHESIS, "(");
            case ')' -> take(Kind.RIGHT_PARENTHESIS, ")");
            case '{' -> take(Kind.LEFT_BRACE, "{");
            case '}' -> take(Kind.RIGHT_BRACE, "}");
            case ',' -> take(Kind.COMMA, ",");
            case '"', '\'' -> string(first);
            case '=' -> take(Kind.EQUAL, "==");
            case '&' -> take(Kind.AND, "&&");
            case '|' -> take(Kind.OR, "||");
            case '!' -> text.startsWith("!=", position) ? take(Kind.NOT_EQUAL, "!=") : take(Kind.NOT, "!");
            default -> word();
        };
    }

    private Token take(Kind kind, String expected) {
        if (!skip(expected)) {
            throw new SelectorSyntaxException("expected " + expected);
        }
        return Token.of(kind);
    }

    private Token string(char quote) {
        int start = position + 1;
        int end = text.indexOf(quote, start);
        if (end < 0) {
            throw new SelectorSyntaxException("unterminated string");
        }
        position = end + 1;
        return new Token(Kind.STRING, text.substring(start, end));
    }

    /// A word of letters. Only what precedes it distinguishes an operator from a label of the same
    /// name.
    private Token word() {
        if (!tokens.isEmpty() && tokens.getLast().kind() == Kind.LABEL) {
            return operatorAfter(tokens.getLast().value());
        }
        if (skip("has(")) {
            skipBlanks();
            var has = new Token(Kind.HAS, label());
            close("has(");
            return has;
        }
        if (skip("all(")) {
            close("all(");
            return Token.of(Kind.ALL);
        }
        if (skip("global(")) {
            close("global(");
            return Token.of(Kind.GLOBAL);
        }
        return new Token(Kind.LABEL, label());
    }

    private Token operatorAfter(String label) {
        return operator(Kind.CONTAINS, "contains")
                .or(() -> operator(Kind.STARTS_WITH, "starts", "with"))
                .or(() -> operator(Kind.ENDS_WITH, "ends", "with"))
                .or(() -> operator(Kind.NOT_IN, "not", "in"))
                .or(() -> operator(Kind.IN, "in"))
                .orElseThrow(
                        () -> new SelectorSyntaxException("expected operator after label \"%s\"".formatted(label)));
    }

    /// The operator of these words, with or without blanks between them, if it comes next.
    private Optional<Token> operator(Kind kind, String... words) {
        int start = position;
        for (var word : words) {
            skipBlanks();
            if (!skip(word)) {
                position = start;
                return Optional.empty();
            }
        }
        if (position < text.length() && Label.allows(text.charAt(position))) {
            position = start;
            return Optional.empty();
        }
        return Optional.of(Token.of(kind));
    }

    private String label() {
        int start = position;
        while (position < text.length() && Label.allows(text.charAt(position))) {
            position++;
        }
        var label = text.substring(start, position);
        if (label.isEmpty()) {
            throw new SelectorSyntaxException("expected identifier");
        }
        if (label.length() > Label.LENGTH_MAX) {
            throw new SelectorSyntaxException("label too long: " + label);
        }
        return label;
    }

    private void close(String opening) {
        skipBlanks();
        if (!skip(")")) {
            throw new SelectorSyntaxException("no closing ')' after " + opening);
        }
    }

    private boolean skip(String expected) {
        if (!text.startsWith(expected, position)) {
            return false;
        }
        position += expected.length();
        return true;
    }

    /// Blanks are space and tab. A line break is an error, as in Calico.
    private void skipBlanks() {
        while (position < text.length() && (text.charAt(position) == ' ' || text.charAt(position) == '\t')) {
            position++;
        }
    }
}
