package io.cadastre.verification.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The source tree passes every check, and every check finds what is planted for it.
class TidyTest {

    private static final String SOURCE = "engine/src/main/java/io/cadastre/engine/Planted.java";

    @TempDir
    Path folder;

    @Test
    void everyPackageIsDescribedAndNullMarked() {
        assertThat(Tidy.packagesWithoutInfo(product())).isEmpty();
    }

    @Test
    void packageWithoutInfoIsFound() {
        plant(SOURCE, "package io.cadastre.engine; class Planted {}");

        var findings = Tidy.packagesWithoutInfo(planted());

        assertThat(findings)
                .extracting(Finding::file)
                .containsExactly("engine/src/main/java/io/cadastre/engine/package-info.java");
    }

    @Test
    void packageThatIsNotNullMarkedIsFound() {
        var info = "engine/src/main/java/io/cadastre/engine/package-info.java";
        plant(info, """
            /// Should be @NullMarked.
            package io.cadastre.engine;
            """);

        var findings = Tidy.packagesWithoutInfo(planted());

        assertThat(findings).containsExactly(new Finding(info, 1, "is not @NullMarked"));
    }

    @Test
    void noPackageHasMoreFilesThanAReaderTakesIn() {
        assertThat(Tidy.crowdedPackages(product())).isEmpty();
    }

    @Test
    void packageWithTooManyFilesIsFound() {
        for (int number = 1; number <= 40; number++) {
            plant("engine/src/main/java/io/cadastre/engine/Planted%d.java".formatted(number), "class Planted {}");
            plant("linux/src/main/java/io/cadastre/linux/Planted%d.java".formatted(number), "class Planted {}");
        }
        plant("linux/src/main/java/io/cadastre/linux/package-info.java", "package io.cadastre.linux;");
        plant(SOURCE, "class Planted {}");

        var findings = Tidy.crowdedPackages(planted());

        assertThat(findings)
                .containsExactly(new Finding(
                        "engine/src/main/java/io/cadastre/engine", 1, "has 41 files, and 40 are allowed; divide it"));
    }

    @Test
    void noRetiredPhraseIsInCodeOrPages() {
        assertThat(Prose.retired(product())).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "whoever",
                "anybody",
                "Anybody",
                "nobody",
                "Somebody",
                "he",
                "his",
                "So many",
                "is told",
                "are told",
                "is said",
                "is none that"
            })
    void retiredPhraseIsFoundInTextsAndComments(String phrase) {
        plant(
                SOURCE,
                "class Planted {\n    // For %s.\n    String text = \"the heart of history\";\n}".formatted(phrase));
        plant("docs/guide.md", "Start\n\nhere: %s".formatted(phrase));
        plant("docs/decisions/001-old.md", phrase);
        plant("engine/src/test/java/io/cadastre/engine/PlantedTest.java", "// " + phrase);

        var findings = Prose.retired(planted());

        assertThat(findings)
                .extracting(Finding::file, Finding::line)
                .containsExactly(
                        tuple("docs/guide.md", 3),
                        tuple(SOURCE, 2),
                        tuple("engine/src/test/java/io/cadastre/engine/PlantedTest.java", 1));
        assertThat(findings).allSatisfy(found -> assertThat(found.fault()).contains(phrase, "instead"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"nobodyWaits", "blockOfNobodyGoes", "watchIsToldOfChanges", "row2ListIsSaidTwice", "heWaits"})
    void retiredPhraseIsFoundInTheNameOfATest(String name) {
        var test = "engine/src/test/java/io/cadastre/engine/PlantedTest.java";
        plant(test, "class PlantedTest {\n    @Test\n    void %s() {}\n}".formatted(name));

        var findings = Prose.retired(planted());

        assertThat(findings).extracting(Finding::file, Finding::line).containsExactly(tuple(test, 3));
    }

    @Test
    void userNobodyAndTheWordsOfTheJdkAreNotRetired() {
        plant(SOURCE, "// As the user nobody, with BodyPublishers.noBody(), to its heirs.\nclass Planted {}");

        assertThat(Prose.retired(planted())).isEmpty();
    }

    @Test
    void allSourcesAreChecked() {
        assertThat(Tidy.uncheckedSources(product())).isEmpty();
    }

    @Test
    void sourcesThatAreNotCheckedAreFound() {
        plant(SOURCE, "package io.cadastre.engine; class Planted {}");
        plant("engine/src/test/java/io/cadastre/engine/PlantedTest.java", "class PlantedTest {}");
        plant("build-tools/pom.xml", "<root>${project.basedir}/../engine/src/main/java</root>");

        var findings = Tidy.uncheckedSources(planted());

        assertThat(findings).extracting(Finding::file).containsExactly("engine/src/test/java");
    }

    @Test
    void everyFileIsOfAKnownKind() {
        assertThat(Tidy.strangeFiles(product())).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"pom.xml.orig", "Block.java.rej", "notes.bak", "engine/Block.java~", "core"})
    void leftoverIsFound(String file) {
        plant(file, "something");

        var findings = Tidy.strangeFiles(planted());

        assertThat(findings).extracting(Finding::file).containsExactly(file);
    }

    @Test
    void everyJavaFileHasCode() {
        assertThat(Tidy.filesWithoutCode(product())).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "package io.cadastre.engine;",
                "package io.cadastre.engine;\nimport java.util.List;\n// class Planted {}",
                "/* class Planted { String text = \"no\"; } */"
            })
    void fileWithoutCodeIsFound(String source) {
        plant(SOURCE, source);

        var findings = Tidy.filesWithoutCode(planted());

        assertThat(findings).extracting(Finding::file).containsExactly(SOURCE);
    }

    @Test
    void everyTestResourceIsNamed() {
        assertThat(Tidy.unnamedTestResources(product())).isEmpty();
    }

    @Test
    void testResourceThatNoFileNamesIsFound() {
        plant("wire/src/test/resources/golden/node.json", "{}");
        plant("wire/src/test/resources/old/node-before.json", "{}");
        plant(
                "wire/src/test/java/io/cadastre/wire/GoldenTest.java",
                "class GoldenTest { String file = \"/golden/node.json\"; }");

        var findings = Tidy.unnamedTestResources(planted());

        assertThat(findings).extracting(Finding::file).containsExactly("wire/src/test/resources/old/node-before.json");
    }

    @Test
    void everyIntentionHasAnIssue() {
        assertThat(Tidy.unnumberedIntentions(product())).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"TO" + "DO", "FIX" + "ME", "X" + "XX"})
    void intentionWithoutAnIssueIsFound(String word) {
        plant(SOURCE, "class Planted {\n    // %s: later\n    // %s(#12): later\n}".formatted(word, word));

        var findings = Tidy.unnumberedIntentions(planted());

        assertThat(findings).containsExactly(new Finding(SOURCE, 2, word + " without an issue: write it as (#12)"));
    }

    @Test
    void everyTypeOfMainCodeHasANameOfItsOwn() {
        assertThat(Names.repeated(product())).isEmpty();
    }

    @Test
    void nameThatOccursTwiceInMainCodeIsFound() {
        plant("engine/src/main/java/io/cadastre/engine/Lease.java", "record Lease() {}");
        plant("linux/src/main/java/io/cadastre/linux/Lease.java", "record Lease() {}");
        plant("linux/src/test/java/io/cadastre/linux/Lease.java", "record Lease() {}");

        var findings = Names.repeated(planted());

        assertThat(findings)
                .containsExactly(new Finding(
                        "linux/src/main/java/io/cadastre/linux/Lease.java",
                        1,
                        "has the name of engine/src/main/java/io/cadastre/engine/Lease.java"));
    }

    @Test
    void noFixtureHasTheNameOfATest() {
        assertThat(Names.fixturesNamedAsTests(product())).isEmpty();
    }

    @Test
    void fixtureThatHasTheNameOfATestIsFound() {
        var fixture = "engine/src/test/java/io/cadastre/engine/TestCluster.java";
        plant(fixture, "final class TestCluster {}");
        plant("engine/src/test/java/io/cadastre/engine/TestedStore.java", "interface TestedStore {}");
        plant("engine/src/test/java/io/cadastre/engine/TestReportTest.java", "class TestReportTest {}");

        var findings = Names.fixturesNamedAsTests(planted());

        assertThat(findings).extracting(Finding::file).containsExactly(fixture);
    }

    @Test
    void noTypeShadowsTheJdk() {
        assertThat(Names.shadowing(product())).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"Objects, java.util.Objects", "Process, java.lang.Process"})
    void typeThatShadowsTheJdkIsFound(String name, String shadowed) {
        var file = "engine/src/main/java/io/cadastre/engine/%s.java".formatted(name);
        plant(file, "record %s() {}".formatted(name));

        var findings = Names.shadowing(planted());

        assertThat(findings).containsExactly(new Finding(file, 1, "has the name of " + shadowed));
    }

    @Test
    void noTypeHasARetiredWord() {
        assertThat(Names.retired(product())).isEmpty();
    }

    @Test
    void retiredWordIsFoundInTheNameOfAType() {
        plant(SOURCE, "class Planted {\n    // a wish\n    record PoolWish() {}\n    record Wishbone() {}\n}");

        var findings = Names.retired(planted());

        assertThat(findings).containsExactly(new Finding(SOURCE, 1, "PoolWish has the retired word Wish"));
    }

    @Test
    void retiredNameOfATypeIsFoundThoughItsWordsAreInUse() {
        plant(SOURCE, "record HalfDone() {}\nrecord HalfDoneCommit() {}");

        var findings = Names.retired(planted());

        assertThat(findings).containsExactly(new Finding(SOURCE, 1, "HalfDone has the retired word HalfDone"));
    }

    @Test
    void noCodeMakesABannedCall() {
        assertThat(Tidy.bannedCalls(product())).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        Thread.sleep(10);                | Thread.sleep       | a pause given by the constructor
        Instant.now();                   | Instant.now        | InstantSource
        clock(Instant::now);             | Instant::now       | InstantSource
        System.currentTimeMillis();      | currentTimeMillis  | InstantSource
        new Date();                      | new Date           | java.time.Instant
        System.out.println(1);           | System.out         | return a value
        System.err.println(1);           | System.err         | return a value
        System.getenv("ETCD_ENDPOINTS"); | System.getenv      | settings in a record
        System.exit(1);                  | System.exit        | return a value or throw
        failure.printStackTrace();       | printStackTrace    | let it be thrown
        @Disabled void test() {}         | @Disabled          | mend the test
        Executors.newCachedThreadPool(); | newCachedThreadPool| newVirtualThreadPerTaskExecutor
        Math.random();                   | Math.random        | RandomGenerator
        ThreadLocalRandom.current();     | ThreadLocalRandom  | RandomGenerator
        new Random();                    | new Random()       | seed
        Mockito.mock(List.class);        | Mockito            | a real fake
        """)
    void bannedCallIsFoundWithItsReplacement(String statement, String call, String replacement) {
        plant(SOURCE, "class Planted {\n    // here\n    %s\n}".formatted(statement));

        var findings = Tidy.bannedCalls(planted());

        assertThat(findings).singleElement().satisfies(found -> {
            assertThat(found.file()).isEqualTo(SOURCE);
            assertThat(found.line()).isEqualTo(3);
            assertThat(found.fault()).contains(call, replacement);
        });
    }

    @Test
    void callsInCommentsAndLiteralsAreNotCalls() {
        plant(SOURCE, """
            /// Nothing here calls Instant.now().
            class Planted {
                /* Thread.sleep(1) */
                String text = "say \\\\" + "\\" Instant.now()";
                char quote = '"'; // Math.random()
                String block = \"""
                    System.exit(1) \\\""" "
                    \""";
            }
            """);

        var findings = Tidy.bannedCalls(planted());

        assertThat(findings).isEmpty();
    }

    @Test
    void mainMayReadTheClockAndCommandsMayPrint() {
        plant("cli/src/main/java/io/cadastre/cli/Main.java", "class Main { { Instant.now(); } }");
        plant("cli/src/main/java/io/cadastre/cli/Show.java", "class Show { { System.out.print(1); } }");

        var findings = Tidy.bannedCalls(planted());

        assertThat(findings).isEmpty();
    }

    @Test
    void everyPageThatIsPromisedExists() {
        assertThat(Tidy.pagesPromisedInVain(product())).isEmpty();
    }

    @Test
    void pageThatIsPromisedInVainIsFound() {
        plant("docs/style.md", "The [start](../README.md), [here](#top), [there](https://example.org/).");
        plant("README.md", "See [style](docs/style.md), [law](docs/law.md#first) and `docs/plan.md`.");
        plant(SOURCE, "/// As in docs/style.md and docs/compat/none.md.\nclass Planted {}");

        var findings = Tidy.pagesPromisedInVain(planted());

        assertThat(findings)
                .containsExactly(
                        new Finding("README.md", 1, "there is no docs/law.md"),
                        new Finding("README.md", 1, "there is no docs/plan.md"),
                        new Finding(SOURCE, 1, "there is no docs/compat/none.md"));
    }

    @Test
    void nothingIsNeededFromOutsideOfTheTree() {
        assertThat(Tidy.needsFromOutside(product())).isEmpty();
    }

    @Test
    void needFromOutsideOfTheTreeIsFound() {
        var outside = "../" + "shared";
        plant("README.md", "First\nread %s/plan.md.".formatted(outside));

        var findings = Tidy.needsFromOutside(planted());

        assertThat(findings).containsExactly(new Finding("README.md", 2, outside + " is outside of this tree"));
    }

    @Test
    void buildOutputIsNotPartOfTheTree() {
        plant("engine/target/classes/left.orig", "built");
        plant(".idea/workspace.orig", "an editor's own");

        var files = planted().files();

        assertThat(files).isEmpty();
    }

    private static SourceTree product() {
        return SourceTree.below(Product.root());
    }

    private SourceTree planted() {
        return SourceTree.below(folder);
    }

    private void plant(String file, String text) {
        try {
            var path = folder.resolve(file);
            Files.createDirectories(path.getParent());
            Files.writeString(path, text);
        } catch (IOException unwritable) {
            throw new UncheckedIOException(unwritable);
        }
    }
}
