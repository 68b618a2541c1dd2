package io.cadastre.cli.command;

import java.io.PrintStream;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Rows under headings, each column as wide as its widest cell.
public record Table(List<String> headings, List<List<String>> rows) {

    private static final String GAP = "   ";

    /// A cell is not cut below this, unless nothing else is left to cut.
    private static final int CUT_CHARACTERS_MIN = 6;

    public Table {
        headings = List.copyOf(headings);
        rows = rows.stream()
                .map(row -> row.stream().map(Table::oneLine).toList())
                .toList();
        for (var row : rows) {
            if (row.size() != headings.size()) {
                throw new IllegalArgumentException("%s does not fit under %s".formatted(row, headings));
            }
        }
    }

    /// A line break in a cell would look like a row.
    private static String oneLine(String cell) {
        return cell.replaceAll("\\R", " ");
    }

    /// The same in lines of this length: the widest columns are cut first, the kept ones only if that is not
    /// enough.
    ///
    /// @param kept the number of first columns to keep
    Table fitting(int lineCharacters, int kept) {
        var widths = IntStream.range(0, headings.size()).map(this::width).toArray();
        int excess = IntStream.of(widths).sum() + GAP.length() * (widths.length - 1) - lineCharacters;
        // Ends: each turn cuts one character.
        for (int cut = 0; cut < excess; cut++) {
            int column = widest(widths, kept);
            if (widths[column] <= CUT_CHARACTERS_MIN) {
                column = widest(widths, 0);
            }
            widths[column] = Math.max(1, widths[column] - 1);
        }
        return new Table(
                cut(headings, widths),
                rows.stream().map(row -> cut(row, widths)).toList());
    }

    private static int widest(int[] widths, int from) {
        return IntStream.range(from, widths.length)
                .boxed()
                .max(Comparator.comparingInt(column -> widths[column]))
                .orElseThrow();
    }

    private static List<String> cut(List<String> cells, int[] widths) {
        return IntStream.range(0, widths.length)
                .mapToObj(column -> cut(cells.get(column), widths[column]))
                .toList();
    }

    private static String cut(String cell, int width) {
        return cell.length() <= width ? cell : cell.substring(0, width - 1) + "…";
    }

    public void print(PrintStream out) {
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
