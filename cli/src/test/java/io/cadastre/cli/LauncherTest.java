package io.cadastre.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The launcher at the root of the repository, in a small checkout whose Maven and JDK are scripts: the
/// Maven "builds" by copying, the JDK prints how it was called.
@Timeout(60)
final class LauncherTest {

    private static final String MAVEN_BUILDS = """
        echo "[INFO] Building address 1.0  [1/2]"
        echo "[INFO] Building cli 1.0      [2/2]"
        mkdir -p cli/target/lib verification/target/lib
        touch cli/target/cadastre-cli-1.0.jar cli/target/lib/picocli.jar
        touch verification/target/cadastre-verification-1.0.jar verification/target/lib/picocli.jar
        """;

    /// A java that leaves a file where it is to leave a cache.
    private static final String TRAINS = """
        for word; do case $word in -XX:AOTCacheOutput=*) echo nonsense > "${word#*=}" ;; esac; done
        """;

    /// All that the launcher and the scripts call, so that the PATH of the test has nothing else on it.
    private static final List<String> TOOLS = List.of(
            "bash",
            "cp",
            "cut",
            "dirname",
            "find",
            "flock",
            "ls",
            "mkdir",
            "mktemp",
            "mv",
            "readlink",
            "rm",
            "sha1sum",
            "sleep",
            "sort",
            "tail",
            "touch");

    @TempDir
    private Path temporary;

    private Path checkout;

    @BeforeEach
    void layOut() throws IOException {
        checkout = Files.createDirectories(temporary.resolve("a check out"));
        write(
                "cadastre",
                Files.readString(repository().resolve("cadastre"))
                        .replace("/usr/lib/jvm", temporary.resolve("jvm").toString()));
        write("pom.xml", "<project/>");
        write("cli/pom.xml", "<project/>");
        write("cli/src/main/java/Main.java", "class Main {}");
        maven(MAVEN_BUILDS);
        jdk("jvm/jdk-25", "25.0.3");
        for (var tool : TOOLS) {
            script(temporary.resolve("bin").resolve(tool), "#!/bin/sh\nexec /usr/bin/%s \"$@\"\n".formatted(tool));
        }
    }

    @Test
    void firstUseBuildsAndPassesTheArgumentsOnAsTyped() throws Exception {
        var run = launch("node-cidr", "add", "a node", "*").end();

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).containsSubsequence("io.cadastre.cli.Main", "node-cidr", "add", "a node", "*");
        assertThat(run.err()).contains("building, because this is the first use", "building address [1/2]");
    }

    @Test
    void classPathHasEachJarOnceAndBlanksInIt() throws Exception {
        var run = launch("--help").end();

        assertThat(run.out()).containsOnlyOnce("picocli.jar");
        assertThat(run.out()).contains("a check out", "cadastre-cli-1.0.jar", "cadastre-verification-1.0.jar");
    }

    @Test
    void secondUseDoesNotBuild() throws Exception {
        launch("--help").end();

        var second = launch("--help").end();

        assertThat(second.err()).isEmpty();
        assertThat(builds()).isEqualTo(1);
    }

    @Test
    void changedSourceIsBuiltAgain() throws Exception {
        launch("--help").end();
        write("cli/src/main/java/Main.java", "class Main { int changed; }");

        var second = launch("--help").end();

        assertThat(second.err()).contains("building, because sources changed");
        assertThat(builds()).isEqualTo(2);
    }

    @Test
    void deletedSourceIsBuiltAgain() throws Exception {
        write("cli/src/main/java/Other.java", "class Other {}");
        launch("--help").end();
        Files.delete(checkout.resolve("cli/src/main/java/Other.java"));

        launch("--help").end();

        assertThat(builds()).isEqualTo(2);
    }

    @Test
    void changedTestDoesNotCauseABuild() throws Exception {
        launch("--help").end();
        write("cli/src/test/java/MainTest.java", "class MainTest {}");

        launch("--help").end();

        assertThat(builds()).isEqualTo(1);
    }

    @Test
    void oldBuildsAreForgotten() throws Exception {
        for (int change = 0; change < 6; change++) {
            write("cli/src/main/java/Main.java", "class Main { int n%d; }".formatted(change));
            launch("--help").end();
        }

        try (var kept = Files.list(checkout.resolve("target/launcher"))) {
            assertThat(kept.filter(Files::isDirectory)).hasSize(3);
        }
    }

    @Test
    void twoLaunchersOnAFreshCloneBuildOnce() throws Exception {
        maven(untilTold() + MAVEN_BUILDS);
        var first = launch("--help");
        first.awaitErr("building, because");

        var second = launch("--help");
        second.awaitErr("waiting for another build to end");
        tell();

        assertThat(first.end().exitCode()).isZero();
        assertThat(second.end().exitCode()).isZero();
        assertThat(builds()).isEqualTo(1);
    }

    @Test
    void interruptedBuildDoesNotCount() throws Exception {
        maven(MAVEN_BUILDS + untilTold());
        var first = launch("--help");
        first.awaitErr("building cli");
        first.interrupt();
        var interrupted = first.end();
        tell();

        var second = launch("--help").end();

        assertThat(interrupted.exitCode()).isEqualTo(130);
        assertThat(second.exitCode()).isZero();
        assertThat(builds()).isEqualTo(2);
    }

    @Test
    void failedBuildNamesItsLogAndIsRetried() throws Exception {
        maven("echo '[ERROR] cannot find symbol'; exit 1");
        var failed = launch("--help").end();
        maven(MAVEN_BUILDS);

        var second = launch("--help").end();

        var log = checkout.resolve("target/launcher/build.log");
        assertThat(failed.exitCode()).isEqualTo(1);
        assertThat(failed.err()).endsWith("cadastre: the build failed; its log is " + log + "\n");
        assertThat(failed.out()).isEmpty();
        assertThat(second.exitCode()).isZero();
    }

    @Test
    void missingMavenIsOneSentence() throws Exception {
        Files.delete(temporary.resolve("bin/mvn"));

        var run = launch("--help").end();

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).startsWith("cadastre: Maven is needed").hasLineCount(1);
    }

    @Test
    void builtCheckoutNeedsNoMaven() throws Exception {
        launch("--help").end();
        Files.delete(temporary.resolve("bin/mvn"));

        var run = launch("--help").end();

        assertThat(run.exitCode()).isZero();
    }

    @Test
    void jdkOfAnotherVersionIsPassedOver() throws Exception {
        var wrong = jdk("old", "17.0.15");

        var run = launch(Map.of("JAVA_HOME", wrong.toString()), "--help").end();

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).contains("jdk 25.0.3");
    }

    @Test
    void missingJdkIsOneSentenceThatNamesWhatWasFound() throws Exception {
        Files.delete(temporary.resolve("jvm/jdk-25/bin/javac"));
        var wrong = jdk("old", "17.0.15");

        var run = launch(Map.of("JAVA_HOME", wrong.toString()), "--help").end();

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err())
                .startsWith("cadastre: JDK 25 is needed")
                .contains("(found: 17)")
                .hasLineCount(1);
        assertThat(checkout.resolve("target")).doesNotExist();
    }

    @Test
    void linkToTheLauncherRunsTheCheckoutItPointsInto() throws Exception {
        var link = Files.createSymbolicLink(temporary.resolve("link"), checkout.resolve("cadastre"));

        var run = launch(link, Map.of(), "--help").end();

        assertThat(run.exitCode()).isZero();
        assertThat(checkout.resolve("target/launcher")).exists();
    }

    @Test
    void onlyTheSimulatorMayReplaceTheScheduler() throws Exception {
        var simulate = launch("simulate", "--seed", "1").end();
        var help = launch("--help").end();

        assertThat(simulate.out()).contains("--add-opens");
        assertThat(help.out()).doesNotContain("--add-opens");
    }

    @Test
    void commandsAndTheAgentStartFromCachesOfTheirOwnAndOthersFromNone() throws Exception {
        jdk("jvm/jdk-25", "25.0.3", TRAINS);

        var show = launch("ipam", "show").end();
        var etcd = launch(Map.of("DATASTORE_TYPE", "etcdv3"), "ipam", "show").end();
        var option = launch("ipam", "show", "--datastore=etcdv3").end();
        var up = launch("up").end();
        var controller = launch("controller").end();
        var simulate = launch("simulate").end();

        assertThat(show.out()).containsPattern("-XX:AOTCache=.*/commands\n");
        assertThat(etcd.out()).containsPattern("-XX:AOTCache=.*/etcd\n");
        assertThat(option.out()).containsPattern("-XX:AOTCache=.*/etcd\n");
        assertThat(up.out()).containsPattern("-XX:AOTCache=.*/agent\n");
        assertThat(controller.out()).doesNotContain("AOTCache");
        assertThat(simulate.out()).doesNotContain("AOTCache");
        assertThat(builds()).isEqualTo(1);
    }

    @Test
    void versionIsPrintedWithoutAJvmAndIsThatOfTheBuild() throws Exception {
        launch("ipam", "show").end();
        var calls = "echo call >> '%s'".formatted(temporary.resolve("calls"));
        jdk("jvm/jdk-25", "25.0.3", calls);

        var version = launch("--version").end();
        var shorter = launch("-V").end();

        assertThat(version.exitCode()).isZero();
        assertThat(version.out()).containsSubsequence("jdk 25.0.3", "io.cadastre.cli.Main", "--version");
        assertThat(shorter.out()).isEqualTo(version.out());
        assertThat(temporary.resolve("calls")).doesNotExist();

        write("cli/src/main/java/Main.java", "class Main { int changed; }");
        var changed = launch("--version").end();

        assertThat(changed.err()).contains("building, because sources changed");
        assertThat(temporary.resolve("calls")).exists();
    }

    @Test
    void versionIsReadFromTheProgramIfTheBuildDoesNotKnowIt() throws Exception {
        jdk(
                "jvm/jdk-25",
                "25.0.3",
                "case \"$*\" in *--version) [ -e '%s' ] || exit 1 ;; esac".formatted(temporary.resolve("told")));
        launch("ipam", "show").end();
        tell();

        var run = launch("--version").end();

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).contains("--version");
        assertThat(run.err()).isEmpty();
    }

    @Test
    void trainingThatFailsCostsOnlySpeed() throws Exception {
        jdk("jvm/jdk-25", "25.0.3", "case \"$*\" in *AOTCacheOutput*) echo 'no space' >&2; exit 1 ;; esac");

        var first = launch("ipam", "show").end();
        var second = launch("ipam", "show").end();

        assertThat(first.exitCode()).isZero();
        assertThat(first.err()).doesNotContain("no space");
        assertThat(second.out()).contains("ipam").doesNotContain("AOTCache");
        assertThat(second.err()).isEmpty();
        assertThat(builds()).isEqualTo(1);
    }

    @Test
    void missingCacheIsNotUsed() throws Exception {
        jdk("jvm/jdk-25", "25.0.3", TRAINS);
        launch("ipam", "show").end();
        try (var files = Files.walk(checkout.resolve("target/launcher"))) {
            Files.delete(
                    files.filter(file -> file.endsWith("commands")).findFirst().orElseThrow());
        }

        var run = launch("ipam", "show").end();

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).doesNotContain("AOTCache");
    }

    @Test
    void anotherReleaseOfTheJdkInTheSameFolderMakesCachesOfItsOwn() throws Exception {
        jdk("jvm/jdk-25", "25.0.3", TRAINS);
        launch("ipam", "show").end();
        jdk("jvm/jdk-25", "25.0.4", TRAINS);

        var run = launch("ipam", "show").end();

        assertThat(run.out()).containsPattern("-XX:AOTCache=.*/commands\n");
        assertThat(builds()).isEqualTo(2);
    }

    /// So that a checkout which belongs to another user can be used.
    @Test
    void builtCheckoutIsNotWrittenTo() throws Exception {
        jdk("jvm/jdk-25", "25.0.3", TRAINS);
        launch("ipam", "show").end();
        var before = changes();

        launch("ipam", "show").end();

        assertThat(changes()).isEqualTo(before);
    }

    private Map<Path, FileTime> changes() throws IOException {
        var times = new HashMap<Path, FileTime>();
        try (var files = Files.walk(checkout)) {
            for (var file : files.toList()) {
                times.put(file, Files.getLastModifiedTime(file));
            }
        }
        return times;
    }

    /// With the flags that the launcher gives, and the JVM of this test.
    @Test
    void jvmPassesOverInSilenceACacheThatItCannotUse() throws Exception {
        jdk("jvm/jdk-25", "25.0.3", TRAINS);
        var flags = launch("ipam", "show")
                .end()
                .out()
                .lines()
                .filter(word -> word.startsWith("-X") || word.startsWith("--enable"))
                .toList();
        var command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin/java").toString()));
        command.addAll(flags);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), "io.cadastre.cli.Main", "--version"));

        var ended = RunningProcess.start(temporary, Map.of(), command).end();

        assertThat(flags).anyMatch(flag -> flag.startsWith("-XX:AOTCache="));
        assertThat(ended.exitCode()).isZero();
        assertThat(ended.out()).startsWith("cadastre ").hasLineCount(1);
        assertThat(ended.err()).isEmpty();
    }

    private RunningProcess launch(String... arguments) throws IOException {
        return launch(Map.of(), arguments);
    }

    private RunningProcess launch(Map<String, String> further, String... arguments) throws IOException {
        return launch(checkout.resolve("cadastre"), further, arguments);
    }

    private RunningProcess launch(Path launcher, Map<String, String> further, String... arguments) throws IOException {
        var environment = new HashMap<>(further);
        environment.put("PATH", temporary.resolve("bin").toString());
        var command = new ArrayList<>(List.of(launcher.toString()));
        command.addAll(List.of(arguments));
        return RunningProcess.start(temporary, environment, command);
    }

    private void write(String name, String text) throws IOException {
        script(checkout.resolve(name), text);
    }

    private void maven(String commands) throws IOException {
        script(temporary.resolve("bin/mvn"), "#!/bin/sh\necho build >> '%s'\n%s".formatted(buildLog(), commands));
    }

    /// A folder that looks like a JDK. Its java prints one argument a line.
    private Path jdk(String name, String version) throws IOException {
        return jdk(name, version, "");
    }

    /// @param first what its java does before it prints
    private Path jdk(String name, String version, String first) throws IOException {
        var home = temporary.resolve(name);
        script(home.resolve("release"), "IMPLEMENTOR=\"us\"\nJAVA_VERSION=\"%s\"\n".formatted(version));
        script(
                home.resolve("bin/java"),
                "#!/bin/sh\n%s\necho jdk %s\nprintf '%%s\\n' \"$@\"\n".formatted(first, version));
        script(home.resolve("bin/javac"), "#!/bin/sh\n");
        return home;
    }

    private static void script(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private Path buildLog() {
        return temporary.resolve("builds");
    }

    private int builds() throws IOException {
        return Files.readAllLines(buildLog()).size();
    }

    /// Commands that wait for [#tell()].
    private String untilTold() {
        return "until [ -e '%s' ]; do sleep 0.01; done\n".formatted(temporary.resolve("told"));
    }

    private void tell() throws IOException {
        Files.createFile(temporary.resolve("told"));
    }

    private static Path repository() {
        return Path.of("..").toAbsolutePath().normalize();
    }
}
