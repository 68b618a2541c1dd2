package io.cadastre.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintStream;
import java.util.List;
import java.util.function.Function;

/// How things of one kind are printed in every [Format].
///
/// @param name the thing as `kind/name`
public record Layout<T>(List<Column<T>> columns, Function<T, String> name, Function<T, JsonNode> document) {

    /// The assumed width of a terminal.
    private static final int TERMINAL_CHARACTERS = 80;

    public Layout {
        columns = List.copyOf(columns);
    }

    /// One column of a table.
    ///
    /// @param format the first format that has the column: `TABLE` or `WIDE`
    public record Column<T>(String heading, Format format, Function<T, String> cell) {

        public static <T> Column<T> always(String heading, Function<T, String> cell) {
            return new Column<>(heading, Format.TABLE, cell);
        }

        public static <T> Column<T> wide(String heading, Function<T, String> cell) {
            return new Column<>(heading, Format.WIDE, cell);
        }
    }

    /// Prints the things; as documents, one by itself and any other number as a `List`.
    public void print(PrintStream out, Format format, List<T> things) {
        switch (format) {
            case TABLE, WIDE -> table(format, things).print(out);
            case NAME -> things.stream().map(name).forEach(out::println);
            case JSON -> Documents.printJson(out, document(things));
            case YAML -> Documents.printYaml(out, document(things));
        }
    }

    /// Prints the things; as documents in a list, also if there is one, the way calicoctl does.
    ///
    /// @param kind of the list
    public void printList(PrintStream out, Format format, List<T> things, String apiVersion, String kind) {
        var items = things.stream().map(document).toList();
        switch (format) {
            case TABLE, WIDE, NAME -> print(out, format, things);
            case JSON -> Documents.printJson(out, Documents.listOf(items, apiVersion, kind));
            case YAML -> Documents.printYaml(out, Documents.listOf(items, apiVersion, kind));
        }
    }

    /// As [#print(PrintStream, Format, List)], but a table fits the width of a terminal.
    ///
    /// @param kept the number of first columns that are cut only if nothing else is left to cut
    public void printFitting(PrintStream out, Format format, List<T> things, int kept) {
        if (format == Format.TABLE) {
            table(format, things).fitting(TERMINAL_CHARACTERS, kept).print(out);
        } else {
            print(out, format, things);
        }
    }

    private Table table(Format format, List<T> things) {
        var shown = columns.stream()
                .filter(column -> column.format().compareTo(format) <= 0)
                .toList();
        return new Table(
                shown.stream().map(Column::heading).toList(),
                things.stream()
                        .map(thing -> shown.stream().map(column -> column.cell().apply(thing)))
                        .map(cells -> cells.toList())
                        .toList());
    }

    private JsonNode document(List<T> things) {
        return things.size() == 1
                ? document.apply(things.getFirst())
                : Documents.listOf(things.stream().map(document).toList());
    }
}
