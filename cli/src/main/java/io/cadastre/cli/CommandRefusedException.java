package io.cadastre.cli;

/// What was asked is understood and cannot be had.
final class CommandRefusedException extends RuntimeException {

    private static final long serialVersionUID = 1;

    CommandRefusedException(String sentence) {
        super(sentence);
    }
}
