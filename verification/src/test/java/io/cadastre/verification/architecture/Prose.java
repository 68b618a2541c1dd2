package io.cadastre.verification.architecture;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Words that help texts, errors, comments and pages do without, because a component has a name.
///
/// Test code is not looked at, and decision records are never edited.
final class Prose {

    /// A phrase that is retired, and what to write.
    private record Retired(Pattern phrase, String instead) {

        static Retired of(String phrase, String instead) {
            return new Retired(Pattern.compile("\\b(?:%s)\\b".formatted(phrase)), instead);
        }
    }

    private static final List<Retired> RETIRED = List.of(
            Retired.of("[Ww]hoever|[Aa]nybody", "name the component"),
            Retired.of("[Hh]e|[Hh]is|[Hh]im", "name the component"),
            Retired.of("[Ss]o many", "give the number, or what it is as many as"),
            Retired.of("is none that", "is not supported by"),
            Retired.of("took the answer", "left before the reply was sent"),
            Retired.of("[Cc]hange what holds", "change cluster-wide settings"),
            Retired.of("[Ww]hat is not said stays", "options not given keep their value"),
            Retired.of("seems? to use", "suspected to be leaked"));

    private static final Pattern READ_BY_PEOPLE =
            Pattern.compile(".*/src/main/.*\\.java|(?!docs/decisions/).*\\.md|(deploy|testbed)/.*|cadastre");

    private Prose() {}

    static List<Finding> retired(SourceTree tree) {
        return tree.files().stream()
                .filter(READ_BY_PEOPLE.asMatchPredicate())
                .flatMap(file -> retired(file, tree.lines(file)))
                .toList();
    }

    private static Stream<Finding> retired(String file, List<String> lines) {
        return IntStream.range(0, lines.size())
                .boxed()
                .flatMap(index -> RETIRED.stream()
                        .flatMap(retired -> retired.phrase()
                                .matcher(lines.get(index))
                                .results()
                                .map(found -> new Finding(
                                        file,
                                        index + 1,
                                        "'%s' is retired; instead: %s".formatted(found.group(), retired.instead())))));
    }
}
