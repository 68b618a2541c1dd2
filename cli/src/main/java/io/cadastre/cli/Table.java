package io.cadastre.cli;

import java.io.PrintStream;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Rows under headings, each column as wide as its widest cell.
record Table(List<String> headings, List<List<String>> rows) {

    private static final String GAP = "   ";

    Table {
        headings = List.copyOf(headings);
        rows = rows.stream().map(List::copyOf).toList();
        for (var row : rows) {
            if (row.size() != headings.size()) {
                throw new IllegalArgumentException(
                        "%s does not fit under %s".formatted(row, headings));
            }
        }
    }

    void print(PrintStream out) {
        var widths = IntStream.range(0, headings.size()).map(this::width).toArray();
        print(out, headings, widths);
        rows.forEach(row -> print(out, row, widths));
    }

    private static void print(PrintStream out, List<String> cells, int[] widths) {
        var line = new StringBuilder();
        for (int column = 0; column < widths.length; column++) {
            var cell = cells.get(column);
            line.append(cell).repeat(' ', widths[column] - cell.length()).append(GAP);
        }
        out.println(line.toString().stripTrailing());
    }

    private int width(int column) {
        return Stream.concat(Stream.of(headings), rows.stream())
                .mapToInt(row -> row.get(column).length())
                .max()
                .orElseThrow();
    }
}
