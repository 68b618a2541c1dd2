package io.cadastre.cli.command;

/// What was asked is understood and cannot be had.
public final class CommandRefusedException extends RuntimeException {

    private static final long serialVersionUID = 1;

    public CommandRefusedException(String sentence) {
        super(sentence);
    }
}
