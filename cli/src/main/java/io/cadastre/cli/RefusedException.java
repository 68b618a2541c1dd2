package io.cadastre.cli;

/// What was asked is understood and cannot be had.
final class RefusedException extends RuntimeException {

    private static final long serialVersionUID = 1;

    RefusedException(String sentence) {
        super(sentence);
    }
}
