package io.cadastre.cli.command;

import java.util.Locale;

/// How an answer is printed.
public enum Format {
    /// Columns, the ones most often asked for.
    TABLE,
    /// Columns, all of them.
    WIDE,
    JSON,
    YAML,
    /// One name a line, for a script to loop over.
    NAME;

    /// As it is typed.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
