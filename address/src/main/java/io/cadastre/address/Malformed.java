package io.cadastre.address;

/// The rule that a text breaks. It never leaves this package: the reader that knows the whole text
/// turns it into a message, or into "no".
final class Malformed extends Exception {

    private static final long serialVersionUID = 1;

    Malformed(String rule) {
        super(rule, null, false, false);
    }

    String rule() {
        return String.valueOf(getMessage());
    }
}
