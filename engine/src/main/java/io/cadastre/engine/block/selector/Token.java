package io.cadastre.engine.block.selector;

/// A word of the language. The value is the name of a label or the content of a string, and empty for
/// all other kinds.
record Token(Kind kind, String value) {

    /// What a word is. The names are part of Calico's error texts.
    enum Kind {
        LABEL("TokLabel"),
        STRING("TokStringLiteral"),
        LEFT_BRACE("TokLBrace"),
        RIGHT_BRACE("TokRBrace"),
        COMMA("TokComma"),
        EQUAL("TokEq"),
        NOT_EQUAL("TokNe"),
        IN("TokIn"),
        NOT("TokNot"),
        NOT_IN("TokNotIn"),
        CONTAINS("TokContains"),
        STARTS_WITH("TokStartsWith"),
        ENDS_WITH("TokEndsWith"),
        ALL("TokAll"),
        HAS("TokHas"),
        LEFT_PARENTHESIS("TokLParen"),
        RIGHT_PARENTHESIS("TokRParen"),
        AND("TokAnd"),
        OR("TokOr"),
        GLOBAL("TokGlobal"),
        END("TokEOF");

        private final String name;

        Kind(String name) {
            this.name = name;
        }
    }

    static Token of(Kind kind) {
        return new Token(kind, "");
    }

    @Override
    public String toString() {
        return "%s(%s)".formatted(kind.name, value);
    }
}
