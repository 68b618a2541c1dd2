package io.cadastre.engine.block.selector;

/// A text is not a selector. The message is the one that Calico gives, word for word, except for the
/// two bounds that Calico does not have.
public sealed class SelectorSyntaxException extends IllegalArgumentException {

    private static final long serialVersionUID = 1;

    SelectorSyntaxException(String message) {
        super(message);
    }

    /// It passes one of those bounds, so that it may well be a selector for Calico.
    static final class TooMuch extends SelectorSyntaxException {

        private static final long serialVersionUID = 1;

        TooMuch(String message) {
            super(message);
        }
    }
}
