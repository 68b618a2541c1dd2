package io.cadastre.verification.architecture;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Words that help texts, errors, comments, names of tests and pages do without, because a component has a name.
///
/// Decision records are never edited, and the check itself has to name the words.
final class Prose {

    /// A phrase that is retired, and what to write.
    private record Retired(Pattern phrase, String instead) {

        static Retired of(String phrase, String instead) {
            return new Retired(Pattern.compile("\\b(?:%s)\\b".formatted(phrase)), instead);
        }
    }

    private static final List<Retired> RETIRED = List.of(
            Retired.of("[Ww]hoever|[Aa]nybody|[Ss]omebody", "name the component"),
            Retired.of("(?<!\\buser )[Nn]obody", "name the component, or what is missing"),
            Retired.of("(is|are) told", "receives, reads or reports"),
            Retired.of("is said", "name the component that says it, or where it is written"),
            Retired.of("[Hh]e|[Hh]is|[Hh]im", "name the component"),
            Retired.of("[Ss]o many", "give the number, or what it is as many as"),
            Retired.of("is none that", "is not supported by"),
            Retired.of("took the answer", "left before the reply was sent"),
            Retired.of("[Cc]hange what holds", "change cluster-wide settings"),
            Retired.of("[Ww]hat is not said stays", "options not given keep their value"),
            Retired.of("seems? to use", "suspected to be leaked"));

    private static final Pattern READ_BY_PEOPLE =
            Pattern.compile(".*/src/(main|test)/.*\\.java|(?!docs/decisions/).*\\.md|(deploy|testbed)/.*|cadastre");

    private static final Pattern CHECK = Pattern.compile(".*/architecture/(Prose|TidyTest)\\.java");
    private static final Pattern METHOD = Pattern.compile("\\bvoid (\\w+)\\(");

    private Prose() {}

    static List<Finding> retired(SourceTree tree) {
        return tree.files().stream()
                .filter(READ_BY_PEOPLE
                        .asMatchPredicate()
                        .and(CHECK.asMatchPredicate().negate()))
                .flatMap(file -> retired(file, tree.lines(file)))
                .toList();
    }

    private static Stream<Finding> retired(String file, List<String> lines) {
        return IntStream.range(0, lines.size())
                .boxed()
                .flatMap(index -> RETIRED.stream()
                        .flatMap(retired -> retired.phrase()
                                .matcher(prose(lines.get(index)))
                                .results()
                                .map(found -> new Finding(
                                        file,
                                        index + 1,
                                        "'%s' is retired; instead: %s".formatted(found.group(), retired.instead())))));
    }

    /// The line, with the words of a method that it declares: names of tests are sentences.
    private static String prose(String line) {
        var method = METHOD.matcher(line);
        return method.find()
                ? line + " "
                        + method.group(1)
                                .replaceAll("(?<=[a-z0-9])(?=[A-Z])", " ")
                                .toLowerCase(Locale.ROOT)
                : line;
    }
}
