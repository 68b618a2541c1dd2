package io.cadastre.cli.command;

/// How the process ends, for scripts to read.
public final class ExitCode {

    public static final int DONE = 0;

    /// The store, the machine or the program failed.
    public static final int FAILED = 1;

    /// The command cannot mean anything as it was typed. Nothing was read or written.
    public static final int WRONG_USAGE = 2;

    /// What was asked is understood and cannot be had: it is refused, or others were faster too often.
    public static final int REFUSED = 3;

    private ExitCode() {}
}
