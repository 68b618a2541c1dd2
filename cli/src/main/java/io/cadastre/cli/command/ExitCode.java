package io.cadastre.cli.command;

/// The exit codes of the process.
public final class ExitCode {

    public static final int DONE = 0;

    /// The store, the machine or the program failed.
    public static final int FAILED = 1;

    /// The arguments are invalid. Nothing was read or written.
    public static final int WRONG_USAGE = 2;

    /// The request is valid and was refused, or gave up after repeated write conflicts.
    public static final int REFUSED = 3;

    private ExitCode() {}
}
