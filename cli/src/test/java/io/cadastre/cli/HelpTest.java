package io.cadastre.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

import picocli.CommandLine;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;

final class HelpTest {

    @TempDir private Path home;

    @Test
    void helpListsTheCommandsAndTheExitCodes() {
        var ended = Shell.at(home).run("--help");

        assertThat(ended.exitCode()).isZero();
        assertThat(ended.out())
                .contains("apply", "get", "delete", "ipam")
                .contains("node-cidr", "explain", "history", "ledger", "completion")
                .contains("Exit codes:", "Examples:");
        assertThat(ended.err()).isEmpty();
    }

    @Test
    void nothingTypedIsHelp() {
        var ended = Shell.at(home).run();

        assertThat(ended).isEqualTo(Shell.at(home).run("--help"));
    }

    @TestFactory
    Stream<DynamicTest> everyCommandHasADescriptionAndAnExample() {
        return leaves(commandLine())
                .map(
                        leaf ->
                                DynamicTest.dynamicTest(
                                        leaf.getCommandSpec().qualifiedName(),
                                        () -> {
                                            var usage = leaf.getCommandSpec().usageMessage();

                                            assertThat(usage.description())
                                                    .isNotEmpty()
                                                    .allSatisfy(HelpTest::assertFormat);
                                            assertThat(usage.footer())
                                                    .contains("Examples:")
                                                    .anyMatch(line -> line.contains("cadastre "));
                                        }));
    }

    /// A bare percent sign would be complained of on standard error whenever somebody asks for help.
    private static void assertFormat(String text) {
        assertThatCode(() -> text.formatted()).doesNotThrowAnyException();
    }

    @Test
    void versionNamesTheProductAndTheJava() {
        var ended = Shell.at(home).run("--version");

        assertThat(ended.out()).startsWith("cadastre ").contains("Java " + Runtime.version());
    }

    @Test
    void helpIsPlainWhereThereIsNoTerminal() {
        var plain = Shell.at(home).run("node-cidr", "add", "--help");
        var coloured = Shell.at(home).runInColour("node-cidr", "add", "--help");

        assertThat(plain.out()).doesNotContain("\u001b");
        assertThat(coloured.out()).contains("\u001b");
    }

    @Test
    void completionKnowsCommandsAndOptions() {
        var ended = Shell.at(home).run("completion");

        assertThat(ended.exitCode()).isZero();
        assertThat(ended.out()).contains("node-cidr", "--cluster-cidr", "complete -F");
    }

    private static Stream<CommandLine> leaves(CommandLine line) {
        var subcommands = line.getSubcommands().values();
        return subcommands.isEmpty()
                ? Stream.of(line)
                : subcommands.stream().flatMap(HelpTest::leaves);
    }

    private static CommandLine commandLine() {
        var nowhere =
                new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
        return Cadastre.commandLine(
                new Surroundings(
                        nowhere,
                        nowhere,
                        Map.of(),
                        () -> Shell.NOON,
                        new SplittableRandom(1),
                        false,
                        false));
    }
}
