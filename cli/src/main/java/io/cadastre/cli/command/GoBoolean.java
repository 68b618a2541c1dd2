package io.cadastre.cli.command;

import java.util.Optional;
import picocli.CommandLine.TypeConversionException;

/// Truth values as Go reads them from a command line.
public final class GoBoolean {

    private GoBoolean() {}

    public static Optional<Boolean> parse(String text) {
        return switch (text) {
            case "1", "t", "T", "TRUE", "true", "True" -> Optional.of(true);
            case "0", "f", "F", "FALSE", "false", "False" -> Optional.of(false);
            default -> Optional.empty();
        };
    }

    /// For options that are true or false.
    public static Boolean convert(String text) {
        return parse(text)
                .orElseThrow(() -> new TypeConversionException("'%s' is neither true nor false".formatted(text)));
    }
}
