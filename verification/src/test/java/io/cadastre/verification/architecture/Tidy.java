package io.cadastre.verification.architecture;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What a tidy source tree has none of. Each method is one check and returns what it found.
final class Tidy {

    private static final Set<String> KNOWN_NAMES = Set.of("LICENSE", "cadastre", "run", ".editorconfig", ".gitignore");

    private static final Pattern KNOWN_ENDINGS =
            Pattern.compile(".*\\.(java|c|xml|md|sh|json|yaml|yml|txt|csv|sql|proto|properties|svg|png|pem|patch)");

    /// Scripts and service files have no ending: their place tells what they are.
    private static final Pattern KNOWN_PLACES =
            Pattern.compile("deploy/image|testbed/[a-z-]+|testbed/peers/[a-z_]+\\.py|verification/benchmarks/[a-z-]+"
                    + "|.*/META-INF/services/.*|.*/src/test/resources/schema-\\d+/.*\\.db");

    private static final Predicate<String> BINARY =
            Pattern.compile(".*\\.(png|db|gz|zip|jar)").asMatchPredicate();

    /// Resources that libraries look up by themselves.
    private static final Pattern READ_BY_CONVENTION =
            Pattern.compile("(META-INF/.*|junit-platform\\.properties|archunit\\.properties)");

    private static final Pattern TEST_RESOURCE =
            Pattern.compile(".*/src/test/resources/(?<path>(?:(?<folder>.*)/)?(?<name>[^/]+))");

    private static final Pattern PACKAGE_OR_IMPORT = Pattern.compile("(?m)^\\s*(package|import)\\b[^;]*;");

    private static final String LATER = "(TO" + "DO|FIX" + "ME|X" + "XX)";
    private static final Pattern UNNUMBERED = Pattern.compile("\\b%s\\b(?!\\(#\\d+\\))".formatted(LATER));

    private static final Pattern LINK = Pattern.compile("]\\((?!\\w+:|#)([^)\\s#]+)");
    private static final Pattern QUOTED_PAGE = Pattern.compile("`([\\w./-]+\\.md)`");
    private static final Pattern COMMENT = Pattern.compile("\\s*(//|/?\\*).*");
    private static final Pattern PAGE_IN_COMMENT = Pattern.compile("\\b((?:docs|verification)/[\\w./-]+\\.md)");

    private static final Pattern OUTSIDE = Pattern.compile("(\\.\\.|/work)/shared\\b");

    private static final int FILES_MAX = 40;

    private static final String CHECKS = "build-tools/pom.xml";
    private static final Pattern SOURCES = Pattern.compile("(.+/src/(?:main|test)/java)/");

    private Tidy() {}

    static List<Finding> packagesWithoutInfo(SourceTree tree) {
        return tree.ending(".java").stream()
                .filter(file -> file.contains("/src/main/java/"))
                .map(file -> file.substring(0, file.lastIndexOf('/')) + "/package-info.java")
                .distinct()
                .flatMap(info -> faultOfInfo(tree, info))
                .toList();
    }

    private static Stream<Finding> faultOfInfo(SourceTree tree, String info) {
        if (!tree.holds(info)) {
            return Stream.of(new Finding(info, 1, "is missing; say what the package is, and @NullMarked"));
        }
        return JavaText.codeOf(tree.text(info)).contains("@NullMarked")
                ? Stream.empty()
                : Stream.of(new Finding(info, 1, "is not @NullMarked"));
    }

    /// Packages of main code with more files than a reader takes in at a glance; what describes the package does not
    /// count.
    static List<Finding> crowdedPackages(SourceTree tree) {
        return tree.ending(".java").stream()
                .filter(file -> file.contains("/src/main/java/"))
                .filter(file -> !nameOf(file).equals("package-info.java"))
                .collect(Collectors.groupingBy(
                        file -> file.substring(0, file.lastIndexOf('/')), TreeMap::new, Collectors.counting()))
                .entrySet()
                .stream()
                .filter(folder -> folder.getValue() > FILES_MAX)
                .map(folder -> new Finding(
                        folder.getKey(),
                        1,
                        "has %d files, and %d are allowed; divide it".formatted(folder.getValue(), FILES_MAX)))
                .toList();
    }

    /// Source folders that the pom of the checks does not name, so that no check would look at them.
    static List<Finding> uncheckedSources(SourceTree tree) {
        var named = tree.holds(CHECKS) ? tree.text(CHECKS) : "";
        return tree.ending(".java").stream()
                .map(SOURCES::matcher)
                .filter(Matcher::lookingAt)
                .map(sources -> sources.group(1))
                .distinct()
                .filter(sources -> !named.contains("/../" + sources + "</root>"))
                .map(sources -> new Finding(sources, 1, "is not among the roots of " + CHECKS))
                .toList();
    }

    static List<Finding> strangeFiles(SourceTree tree) {
        return tree.files().stream()
                .filter(file -> !KNOWN_ENDINGS.matcher(file).matches())
                .filter(file -> !KNOWN_NAMES.contains(nameOf(file)))
                .filter(file -> !KNOWN_PLACES.matcher(file).matches())
                .map(file -> new Finding(file, 1, "is of no known kind; is it a leftover?"))
                .toList();
    }

    static List<Finding> filesWithoutCode(SourceTree tree) {
        return tree.ending(".java").stream()
                .filter(file -> !nameOf(file).equals("package-info.java"))
                .filter(file -> !hasCode(tree.text(file)))
                .map(file -> new Finding(file, 1, "has no code; delete it"))
                .toList();
    }

    private static boolean hasCode(String source) {
        var code = JavaText.codeOf(source);
        return !PACKAGE_OR_IMPORT.matcher(code).replaceAll("").isBlank();
    }

    /// A resource is named by its own name, or by that of its folder when a test reads all in it.
    static List<Finding> unnamedTestResources(SourceTree tree) {
        var sources = tree.ending(".java").stream().map(tree::text).toList();
        return tree.files().stream()
                .filter(file -> !namedResource(file, sources))
                .map(file -> new Finding(file, 1, "is named by no Java file; delete it"))
                .toList();
    }

    private static boolean namedResource(String file, List<String> sources) {
        var resource = TEST_RESOURCE.matcher(file);
        if (!resource.matches()
                || READ_BY_CONVENTION.matcher(resource.group("path")).matches()) {
            return true;
        }
        return Stream.of(resource.group("name"), resource.group("folder"))
                .filter(Objects::nonNull)
                .anyMatch(name -> named(name, sources));
    }

    /// To look for the text first is much faster than to look for the word.
    private static boolean named(String name, List<String> sources) {
        var word = Pattern.compile("(?<![\\w-])%s(?![\\w-])".formatted(Pattern.quote(name)));
        return sources.stream()
                .filter(source -> source.contains(name))
                .anyMatch(source -> word.matcher(source).find());
    }

    static List<Finding> unnumberedIntentions(SourceTree tree) {
        return inLines(
                tree,
                textFiles(tree),
                (_, line) -> UNNUMBERED
                        .matcher(line)
                        .results()
                        .map(found -> found.group(1) + " without an issue: write it as (#12)"));
    }

    static List<Finding> bannedCalls(SourceTree tree) {
        return tree.ending(".java").stream()
                .flatMap(file ->
                        inLines(file, JavaText.codeOf(tree.text(file)).lines().toList(), Tidy::bannedCallsIn).stream())
                .toList();
    }

    private static Stream<String> bannedCallsIn(String file, String code) {
        return BannedCall.ALL.stream()
                .filter(banned -> banned.where().covers(file))
                .flatMap(banned -> banned.call()
                        .matcher(code)
                        .results()
                        .map(found -> "%s is banned; instead: %s".formatted(found.group(), banned.replacement())));
    }

    static List<Finding> pagesPromisedInVain(SourceTree tree) {
        var documents = inLines(
                tree,
                tree.ending(".md"),
                (document, line) -> Stream.concat(targets(LINK, line), targets(QUOTED_PAGE, line))
                        .filter(target -> !resolves(tree, document, target))
                        .map("there is no %s"::formatted));
        var sources = inLines(
                tree,
                tree.ending(".java"),
                (_, line) -> Stream.of(line)
                        .filter(COMMENT.asMatchPredicate())
                        .flatMap(comment -> targets(PAGE_IN_COMMENT, comment))
                        .filter(target -> !tree.holds(target))
                        .map("there is no %s"::formatted));
        return Stream.concat(documents.stream(), sources.stream()).toList();
    }

    private static Stream<String> targets(Pattern pattern, String line) {
        return pattern.matcher(line).results().map(found -> found.group(1));
    }

    /// A link is read from the folder of its document; a page named in passing also from the root.
    private static boolean resolves(SourceTree tree, String document, String target) {
        return tree.holds(Path.of(document).resolveSibling(target).normalize().toString()) || tree.holds(target);
    }

    static List<Finding> needsFromOutside(SourceTree tree) {
        return inLines(
                tree,
                textFiles(tree),
                (_, line) -> OUTSIDE.matcher(line).results().map(found -> found.group() + " is outside of this tree"));
    }

    private static List<String> textFiles(SourceTree tree) {
        return tree.files().stream().filter(BINARY.negate()).toList();
    }

    private static List<Finding> inLines(
            SourceTree tree, List<String> files, BiFunction<String, String, Stream<String>> faults) {
        return files.stream()
                .flatMap(file -> inLines(file, tree.lines(file), faults).stream())
                .toList();
    }

    private static List<Finding> inLines(
            String file, List<String> lines, BiFunction<String, String, Stream<String>> faults) {
        var findings = new ArrayList<Finding>();
        for (int index = 0; index < lines.size(); index++) {
            int line = index + 1;
            faults.apply(file, lines.get(index))
                    .map(fault -> new Finding(file, line, fault))
                    .forEach(findings::add);
        }
        return findings;
    }

    private static String nameOf(String file) {
        return file.substring(file.lastIndexOf('/') + 1);
    }
}
