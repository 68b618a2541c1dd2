package io.cadastre.cli.ipam;

import java.io.PrintStream;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Rows under headings in a box of lines, as calicoctl prints them.
///
/// @param leftColumns how many of the first columns are aligned to the left; the others are to the
///   right, except for their headings
record BoxTable(List<String> headings, int leftColumns, List<List<String>> rows) {

    BoxTable {
        headings = List.copyOf(headings);
        rows = rows.stream().map(List::copyOf).toList();
    }

    void print(PrintStream out) {
        var widths = IntStream.range(0, headings.size()).map(this::width).toArray();
        var rule = rule(widths);
        out.println(rule);
        out.println(line(headings, widths, headings.size()));
        out.println(rule);
        rows.forEach(row -> out.println(line(row, widths, leftColumns)));
        out.println(rule);
    }

    private int width(int column) {
        return Stream.concat(Stream.of(headings), rows.stream())
                .mapToInt(row -> row.get(column).length())
                .max()
                .orElseThrow();
    }

    private static String rule(int[] widths) {
        var rule = new StringBuilder("+");
        for (int width : widths) {
            rule.repeat('-', width + 2).append('+');
        }
        return rule.toString();
    }

    private static String line(List<String> cells, int[] widths, int leftColumns) {
        var line = new StringBuilder("|");
        for (int column = 0; column < widths.length; column++) {
            var cell = cells.get(column);
            int blanks = widths[column] - cell.length();
            line.append(' ').repeat(' ', column < leftColumns ? 0 : blanks).append(cell);
            line.repeat(' ', column < leftColumns ? blanks : 0).append(" |");
        }
        return line.toString();
    }
}
