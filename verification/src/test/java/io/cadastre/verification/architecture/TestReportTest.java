package io.cadastre.verification.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The report that ends a run of continuous integration, on planted trees of sources and reports.
class TestReportTest {

    private static final String SOURCES = "engine/src/test/java/io/cadastre/engine/";
    private static final String REPORTS = "engine/target/surefire-reports/";

    @TempDir
    Path folder;

    @Test
    void testsThatAllRanArePassed() throws Exception {
        plant(SOURCES + "SurveyTest.java", "class SurveyTest {}");
        plant(REPORTS + "TEST-io.cadastre.engine.SurveyTest.xml", """
            <testsuite>
              <testcase name="first" classname="io.cadastre.engine.SurveyTest"/>
              <testcase name="second" classname="io.cadastre.engine.SurveyTest$Nested"/>
            </testsuite>
            """);

        var ending = report();

        assertThat(ending).isEqualTo(new Ending(0, List.of("2 passed, 0 failed, 0 skipped")));
    }

    @Test
    void failureAndSkippedTestAreNamedWithTheirReasons() throws Exception {
        plant(REPORTS + "TEST-io.cadastre.engine.SurveyTest.xml", """
            <testsuite>
              <testcase name="works" classname="io.cadastre.engine.SurveyTest"/>
              <testcase name="breaks" classname="io.cadastre.engine.SurveyTest">
                <failure message="two holders&#10;of one address"/>
              </testcase>
              <testcase name="throws" classname="io.cadastre.engine.SurveyTest">
                <error message="no such range"/>
              </testcase>
              <testcase name="rests" classname="io.cadastre.engine.SurveyTest">
                <skipped>org.opentest4j.TestAbortedException: Assumption failed: no etcd
                    at io.cadastre.engine.SurveyTest
                </skipped>
              </testcase>
            </testsuite>
            """);

        var ending = report();

        assertThat(ending)
                .isEqualTo(new Ending(
                        1,
                        List.of(
                                "Failed:",
                                "  io.cadastre.engine.SurveyTest.breaks: two holders",
                                "  io.cadastre.engine.SurveyTest.throws: no such range",
                                "Did not run:",
                                "  io.cadastre.engine.SurveyTest: Assumption failed: no" + " etcd",
                                "1 passed, 2 failed, 1 skipped")));
    }

    @Test
    void listOfSkippedTestsNamesTheirReasonsAndNothingElse() throws Exception {
        plant(SOURCES + "NotBuiltTest.java", "class NotBuiltTest {}");
        plant(REPORTS + "TEST-io.cadastre.engine.SurveyTest.xml", """
            <testsuite>
              <testcase name="works" classname="io.cadastre.engine.SurveyTest"/>
              <testcase name="rests" classname="io.cadastre.engine.SurveyTest">
                <skipped message="Assumption failed: no etcd on the PATH"/>
              </testcase>
            </testsuite>
            """);

        var ending = report("--skipped");

        assertThat(ending)
                .isEqualTo(new Ending(
                        0,
                        List.of(
                                "1 tests did not run for lack of something that they need:",
                                "  io.cadastre.engine.SurveyTest: Assumption failed: no" + " etcd on the PATH")));
    }

    @Test
    void testClassWithoutAReportIsNamed() throws Exception {
        plant(SOURCES + "SurveyTest.java", "class SurveyTest {}");
        plant(SOURCES + "HoldingCheck.java", "class HoldingCheck {\n    @Test void holds() {}\n}");
        plant(SOURCES + "EngineContractTest.java", "public abstract class EngineContractTest {}");
        plant(SOURCES + "Blocks.java", "final class Blocks {}");
        plant(SOURCES + "RanTest.java", "class RanTest {}");
        plant(REPORTS + "TEST-io.cadastre.engine.RanTest.xml", """
            <testsuite><testcase name="ran" classname="io.cadastre.engine.RanTest"/></testsuite>
            """);

        var ending = report();

        assertThat(ending)
                .isEqualTo(new Ending(
                        1,
                        List.of(
                                "Did not run:",
                                "  io.cadastre.engine.HoldingCheck: surefire does not run a"
                                        + " class of that name: let it end in Test",
                                "  io.cadastre.engine.SurveyTest: it left no report: the"
                                        + " build ended before it, or it has no tests",
                                "1 passed, 0 failed, 0 skipped")));
    }

    @Test
    void noTestsAtAllIsAFailure() throws Exception {
        var ending = report();

        assertThat(ending).isEqualTo(new Ending(1, List.of("0 passed, 0 failed, 0 skipped")));
    }

    private record Ending(int status, List<String> lines) {}

    private Ending report(String... options) throws IOException, InterruptedException {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                Product.root().resolve("build-tools/TestReport.java").toString()));
        command.addAll(List.of(options));
        command.add(folder.toString());
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        var lines = output.lines().filter(line -> !line.isBlank()).toList();
        return new Ending(process.waitFor(), lines);
    }

    private void plant(String file, String text) throws IOException {
        var path = folder.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }
}
