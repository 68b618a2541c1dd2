package io.cadastre.cli.command;

import java.util.Locale;

/// How an answer is printed.
public enum Format {
    /// The most important columns.
    TABLE,
    /// All columns.
    WIDE,
    JSON,
    YAML,
    /// One name per line, for scripts.
    NAME;

    /// As it is typed.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
