package io.cadastre.cli.command;

import java.util.Arrays;
import java.util.stream.Stream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/// `-o`, for every command that prints an answer.
public final class FormatOption {

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "table",
            converter = Converter.class,
            description = "One of ${COMPLETION-CANDIDATES}; default ${DEFAULT-VALUE}.")
    private Format format = Format.TABLE;

    public Format format() {
        return format;
    }

    private static final class Converter implements ITypeConverter<Format> {

        @Override
        public Format convert(String text) {
            return Stream.of(Format.values())
                    .filter(format -> format.toString().equals(text))
                    .findFirst()
                    .orElseThrow(() -> new TypeConversionException(wrong(text)));
        }

        private static String wrong(String text) {
            return "'%s' is not one of %s".formatted(text, Arrays.toString(Format.values()));
        }
    }
}
