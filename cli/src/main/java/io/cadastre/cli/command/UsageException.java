package io.cadastre.cli.command;

/// The arguments are invalid, for a reason that shows only when all options are known.
public final class UsageException extends RuntimeException {

    private static final long serialVersionUID = 1;

    public UsageException(String sentence) {
        super(sentence);
    }
}
