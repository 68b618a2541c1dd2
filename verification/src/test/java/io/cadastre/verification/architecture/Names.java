package io.cadastre.verification.architecture;

import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What the names of types must not be. Each method is one check and returns what it found.
final class Names {

    private static final Pattern TYPE = Pattern.compile("\\b(?:class|record|interface|enum)\\s+([A-Z]\\w*)");
    private static final Pattern WORD = Pattern.compile("[A-Z][a-z0-9]*");

    /// Words that types had before they got the words of their field.
    private static final Set<String> RETIRED = Set.of(
            "Asking",
            "Deaf",
            "Deed",
            "Desk",
            "Emptiness",
            "Errand",
            "Errands",
            "Estate",
            "Fate",
            "Follower",
            "Gathering",
            "Judgement",
            "Keeper",
            "Knowledge",
            "Lab",
            "Lack",
            "Matter",
            "Means",
            "Metropolis",
            "Office",
            "Offices",
            "Picture",
            "Refusals",
            "Residents",
            "Saving",
            "Settlement",
            "Shelf",
            "Shelves",
            "Shunned",
            "Site",
            "Standing",
            "Street",
            "Surrender",
            "Surroundings",
            "Switchboard",
            "Tallies",
            "Tenancy",
            "Tenant",
            "Tenants",
            "Tenure",
            "Texts",
            "Tidings",
            "Town",
            "Turns",
            "Vigil",
            "Village",
            "Weather",
            "Wish",
            "Wishes");

    /// Names whose words are in use elsewhere.
    private static final Set<String> RETIRED_NAMES =
            Set.of("CollectorLook", "HalfDone", "KnownBlocks", "NetDocuments", "NetWrites");

    /// A type of this name is imported everywhere, or would be.
    private static final List<String> JDK = List.of("java.lang.", "java.util.");

    private Names() {}

    /// Types that are alone in their file, in main code, by name.
    private static SortedMap<String, List<String>> typesOfMainCode(SourceTree tree) {
        return tree.ending(".java").stream()
                .filter(file -> file.contains("/src/main/java/"))
                .filter(file -> !file.endsWith("/package-info.java"))
                .collect(Collectors.groupingBy(Names::typeOf, TreeMap::new, Collectors.toList()));
    }

    private static String typeOf(String file) {
        return file.substring(file.lastIndexOf('/') + 1, file.length() - ".java".length());
    }

    /// A reader of two modules must not take one type for the other.
    static List<Finding> repeated(SourceTree tree) {
        return typesOfMainCode(tree).values().stream()
                .filter(files -> files.size() > 1)
                .flatMap(files -> files.stream()
                        .skip(1)
                        .map(file -> new Finding(file, 1, "has the name of %s".formatted(files.getFirst()))))
                .toList();
    }

    /// Surefire and the report of the tests take a class whose name begins with `Test` for tests.
    static List<Finding> fixturesNamedAsTests(SourceTree tree) {
        return tree.ending(".java").stream()
                .filter(file -> file.contains("/src/test/java/"))
                .filter(file -> typeOf(file).matches("Test\\w*|\\w*(Tests|TestCase)"))
                .filter(file -> !typeOf(file).endsWith("Test"))
                .filter(file -> !JavaText.codeOf(tree.text(file)).contains("interface " + typeOf(file)))
                .map(file -> new Finding(file, 1, "has the name of a test; let its name not begin with Test"))
                .toList();
    }

    static List<Finding> shadowing(SourceTree tree) {
        return typesOfMainCode(tree).entrySet().stream()
                .flatMap(type -> JDK.stream()
                        .filter(jdk -> exists(jdk + type.getKey()))
                        .map(jdk -> new Finding(
                                type.getValue().getFirst(), 1, "has the name of %s".formatted(jdk + type.getKey()))))
                .toList();
    }

    private static boolean exists(String type) {
        try {
            Class.forName(type);
            return true;
        } catch (ClassNotFoundException _) {
            return false;
        }
    }

    static List<Finding> retired(SourceTree tree) {
        return tree.ending(".java").stream()
                .flatMap(file -> TYPE.matcher(JavaText.codeOf(tree.text(file)))
                        .results()
                        .flatMap(type -> Stream.concat(
                                        wordsOf(type.group(1)).filter(RETIRED::contains),
                                        Stream.of(type.group(1)).filter(RETIRED_NAMES::contains))
                                .map(word -> new Finding(
                                        file, 1, "%s has the retired word %s".formatted(type.group(1), word)))))
                .toList();
    }

    private static Stream<String> wordsOf(String type) {
        return WORD.matcher(type).results().map(MatchResult::group);
    }
}
