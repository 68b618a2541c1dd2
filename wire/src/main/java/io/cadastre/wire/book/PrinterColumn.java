package io.cadastre.wire.book;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.function.BiFunction;
import java.util.function.Function;

/// A column of a table of documents, as CustomResourceDefinitions have them in `additionalPrinterColumns`.
///
/// @param cell what it shows of a document at a moment
public record PrinterColumn(String heading, Width width, BiFunction<JsonNode, Instant, String> cell) {

    private static final String UNKNOWN_AGE = "<unknown>";

    /// The tables that show it.
    public enum Width {
        ALWAYS,
        WIDE
    }

    /// A column of every table.
    ///
    /// @param path a JSON pointer
    public static PrinterColumn always(String heading, String path) {
        return of(heading, Width.ALWAYS, document -> text(document.at(path)));
    }

    /// A column of wide tables.
    ///
    /// @param path a JSON pointer
    public static PrinterColumn wide(String heading, String path) {
        return of(heading, Width.WIDE, document -> text(document.at(path)));
    }

    /// A column that shows the same at any moment.
    public static PrinterColumn of(String heading, Width width, Function<JsonNode, String> cell) {
        return new PrinterColumn(heading, width, (document, _) -> cell.apply(document));
    }

    /// How long ago the object was created, in every table.
    public static PrinterColumn age(String heading) {
        return new PrinterColumn(heading, Width.ALWAYS, PrinterColumn::age);
    }

    private static String age(JsonNode document, Instant now) {
        try {
            var created =
                    Instant.parse(document.at("/metadata/creationTimestamp").asText());
            return HumanDuration.text(Duration.between(created, now));
        } catch (DateTimeException _) {
            return UNKNOWN_AGE;
        }
    }

    /// The number of elements of an array.
    ///
    /// A column of wide tables.
    ///
    /// @param path a JSON pointer
    public static PrinterColumn wideCount(String heading, String path) {
        return of(
                heading,
                Width.WIDE,
                document -> Integer.toString(document.at(path).size()));
    }

    private static String text(JsonNode node) {
        if (node.isMissingNode() || node.isNull()) {
            return "-";
        }
        return node.isContainerNode() ? node.toString().replaceAll("[\"\\[\\]{}]", "") : node.asText();
    }
}
