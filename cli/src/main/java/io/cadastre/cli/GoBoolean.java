package io.cadastre.cli;

import java.util.Optional;
import picocli.CommandLine.TypeConversionException;

/// Truth values as Go reads them from a command line.
final class GoBoolean {

    private GoBoolean() {}

    static Optional<Boolean> parse(String text) {
        return switch (text) {
            case "1", "t", "T", "TRUE", "true", "True" -> Optional.of(true);
            case "0", "f", "F", "FALSE", "false", "False" -> Optional.of(false);
            default -> Optional.empty();
        };
    }

    /// For options that are true or false.
    static Boolean convert(String text) {
        return parse(text)
                .orElseThrow(() -> new TypeConversionException("'%s' is neither true nor false".formatted(text)));
    }
}
