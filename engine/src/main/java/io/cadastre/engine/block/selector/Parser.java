package io.cadastre.engine.block.selector;

import io.cadastre.engine.block.selector.Selector.Operator;
import io.cadastre.engine.block.selector.Token.Kind;
import java.util.ArrayList;
import java.util.List;

/// Makes a selector of words, by recursive descent; the package says the grammar.
///
/// All words are read before the first is understood, so a bad word is reported before a bad
/// sentence, as Calico does. Only brackets recurse, and their depth is bounded.
final class Parser {

    private final List<Token> tokens;
    private int position;
    private int nesting;

    private Parser(List<Token> tokens) {
        this.tokens = tokens;
    }

    static Selector parse(String text) {
        if (text.length() > Selector.LENGTH_MAX) {
            throw new SelectorSyntaxException.TooMuch(
                    "selector is longer than %d characters".formatted(Selector.LENGTH_MAX));
        }
        var selector = new Parser(Lexer.tokens(text)).selector();
        if (bracketsOf(selector) > Selector.NESTING_MAX) {
            throw tooDeep();
        }
        return selector;
    }

    private Selector selector() {
        if (peek() == Kind.END) {
            return new Selector.All();
        }
        var selector = or();
        if (peek() != Kind.END) {
            var rest = tokens.subList(position, tokens.size()).stream().map(Token::toString);
            throw new SelectorSyntaxException(
                    "unexpected content at end of selector [%s]".formatted(String.join(" ", rest.toList())));
        }
        return selector;
    }

    private Selector or() {
        var first = and();
        if (peek() != Kind.OR) {
            return first;
        }
        var operands = new ArrayList<Selector>();
        operands.add(first);
        while (skip(Kind.OR)) {
            operands.add(and());
        }
        return new Selector.Or(operands);
    }

    private Selector and() {
        var first = not();
        if (peek() != Kind.AND) {
            return first;
        }
        var operands = new ArrayList<Selector>();
        operands.add(first);
        while (skip(Kind.AND)) {
            operands.add(not());
        }
        return new Selector.And(operands);
    }

    private Selector not() {
        boolean negated = false;
        while (skip(Kind.NOT)) {
            negated = !negated;
        }
        var primary = primary();
        return negated ? new Selector.Not(primary) : primary;
    }

    private Selector primary() {
        var token = tokens.get(position);
        return switch (token.kind()) {
            case LEFT_PARENTHESIS -> bracketed();
            case ALL -> {
                position++;
                yield new Selector.All();
            }
            case GLOBAL -> {
                position++;
                yield new Selector.Global();
            }
            case HAS -> {
                position++;
                yield new Selector.Has(token.value());
            }
            case LABEL -> {
                position++;
                yield condition(token.value());
            }
            case STRING,
                    LEFT_BRACE,
                    RIGHT_BRACE,
                    COMMA,
                    EQUAL,
                    NOT_EQUAL,
                    IN,
                    NOT,
                    NOT_IN,
                    CONTAINS,
                    STARTS_WITH,
                    ENDS_WITH,
                    RIGHT_PARENTHESIS,
                    AND,
                    OR,
                    END -> throw new SelectorSyntaxException("unexpected token: " + token);
        };
    }

    private Selector bracketed() {
        if (nesting == Selector.NESTING_MAX) {
            throw tooDeep();
        }
        position++;
        nesting++;
        var inner = or();
        nesting--;
        if (!skip(Kind.RIGHT_PARENTHESIS)) {
            throw new SelectorSyntaxException("expected )");
        }
        return inner;
    }

    private Selector condition(String label) {
        var token = tokens.get(position);
        if (token.kind() == Kind.END) {
            throw new SelectorSyntaxException("unexpected end of string looking for op");
        }
        position++;
        return switch (token.kind()) {
            case EQUAL -> new Selector.Comparison(label, Operator.EQUAL, string());
            case NOT_EQUAL -> new Selector.Comparison(label, Operator.NOT_EQUAL, string());
            case CONTAINS -> new Selector.Comparison(label, Operator.CONTAINS, string());
            case STARTS_WITH -> new Selector.Comparison(label, Operator.STARTS_WITH, string());
            case ENDS_WITH -> new Selector.Comparison(label, Operator.ENDS_WITH, string());
            case IN -> new Selector.In(label, strings());
            case NOT_IN -> new Selector.NotIn(label, strings());
            case LABEL,
                    STRING,
                    LEFT_BRACE,
                    RIGHT_BRACE,
                    COMMA,
                    NOT,
                    ALL,
                    HAS,
                    LEFT_PARENTHESIS,
                    RIGHT_PARENTHESIS,
                    AND,
                    OR,
                    GLOBAL,
                    END -> throw new SelectorSyntaxException("expected == or != not: " + token);
        };
    }

    private String string() {
        if (peek() != Kind.STRING) {
            throw new SelectorSyntaxException("expected string");
        }
        return tokens.get(position++).value();
    }

    private List<String> strings() {
        if (!skip(Kind.LEFT_BRACE)) {
            throw new SelectorSyntaxException("expected set literal");
        }
        var strings = new ArrayList<String>();
        boolean more = true;
        while (more && peek() == Kind.STRING) {
            strings.add(string());
            more = skip(Kind.COMMA);
        }
        if (!skip(Kind.RIGHT_BRACE)) {
            throw new SelectorSyntaxException("expected }");
        }
        return strings;
    }

    private boolean skip(Kind kind) {
        if (peek() != kind) {
            return false;
        }
        position++;
        return true;
    }

    /// What comes next. The end is never skipped, so something always does.
    private Kind peek() {
        return tokens.get(position).kind();
    }

    /// How deep the brackets of the canonical text will be, so that it can be read again. It has
    /// brackets that the given text could leave out, and omits those that mean nothing.
    private static int bracketsOf(Selector selector) {
        return switch (selector) {
            case Selector.And(var operands) -> 1 + deepest(operands);
            case Selector.Or(var operands) -> 1 + deepest(operands);
            case Selector.Not(var operand) -> bracketsOf(operand);
            case Selector.All _,
                    Selector.Global _,
                    Selector.Has _,
                    Selector.Comparison _,
                    Selector.In _,
                    Selector.NotIn _ -> 0;
        };
    }

    private static int deepest(List<Selector> operands) {
        int deepest = 0;
        for (var operand : operands) {
            deepest = Math.max(deepest, bracketsOf(operand));
        }
        return deepest;
    }

    private static SelectorSyntaxException tooDeep() {
        return new SelectorSyntaxException.TooMuch(
                "selector is nested deeper than %d brackets".formatted(Selector.NESTING_MAX));
    }
}
