package io.cadastre.engine.block.selector;

/// The text of a selector as a document carries it, read once when the document is.
///
/// A pool whose selector makes no sense is still a pool: it can be shown, requested by name and
/// corrected, and fails only the requests that need the selector. So both results are values, and both
/// keep the text as it was written.
public sealed interface SelectorText {

    String text();

    /// A text that says something.
    ///
    /// @param selector what it says
    record Parsed(String text, Selector selector) implements SelectorText {}

    /// A text that says nothing.
    ///
    /// @param error why, in the words of Calico
    record Malformed(String text, String error) implements SelectorText {}

    /// A text that says something to Calico and is too much for us.
    ///
    /// @param error the bound that it passes
    record TooMuch(String text, String error) implements SelectorText {}

    static SelectorText of(String text) {
        try {
            return new Parsed(text, Selector.parse(text));
        } catch (SelectorSyntaxException.TooMuch e) {
            return new TooMuch(text, String.valueOf(e.getMessage()));
        } catch (SelectorSyntaxException e) {
            return new Malformed(text, String.valueOf(e.getMessage()));
        }
    }
}
