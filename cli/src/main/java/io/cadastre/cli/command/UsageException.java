package io.cadastre.cli.command;

/// What was typed cannot mean anything, for a reason that only shows when all options are known.
public final class UsageException extends RuntimeException {

    private static final long serialVersionUID = 1;

    public UsageException(String sentence) {
        super(sentence);
    }
}
