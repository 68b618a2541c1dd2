package io.cadastre.engine.block.selector;

/// A text is not a selector. The message is the one that Calico gives, word for word, except for the
/// two bounds that Calico does not have.
public final class SelectorSyntaxException extends IllegalArgumentException {

    private static final long serialVersionUID = 1;

    SelectorSyntaxException(String message) {
        super(message);
    }
}
