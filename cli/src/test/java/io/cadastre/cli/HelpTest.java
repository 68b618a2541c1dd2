package io.cadastre.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.cadastre.cli.command.CommandContext;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

final class HelpTest {

    @TempDir
    private Path home;

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
                .map(leaf -> DynamicTest.dynamicTest(leaf.getCommandSpec().qualifiedName(), () -> {
                    var usage = leaf.getCommandSpec().usageMessage();

                    assertThat(usage.description()).isNotEmpty().allSatisfy(HelpTest::assertFormat);
                    assertThat(usage.footer()).contains("Examples:").anyMatch(line -> line.contains("cadastre "));
                }));
    }

    /// A bare percent sign would be complained of on standard error whenever help is printed.
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

    /// All commands together take longer to build than most commands run.
    @TestFactory
    Stream<DynamicTest> commandThatIsCalledIsBuiltAloneAndIsTheSame() {
        return commandLine().getSubcommands().values().stream()
                // The one is about all commands, the other comes from a provider.
                .filter(command -> !Set.of("completion", "guest").contains(command.getCommandName()))
                .flatMap(HelpTest::leaves)
                .map(command -> DynamicTest.dynamicTest(
                        command.getCommandSpec().qualifiedName(), () -> assertBuiltAlone(command)));
    }

    private static void assertBuiltAlone(CommandLine amongAll) {
        var path = amongAll.getCommandSpec().qualifiedName().split(" ", -1);

        var line = commandLine(Arrays.copyOfRange(path, 1, path.length));

        assertThat(line.getSubcommands()).containsOnlyKeys(path[1]);
        assertThat(leaves(line).map(CommandLine::getUsageMessage)).contains(amongAll.getUsageMessage());
    }

    @Test
    void versionIsTheSameWithAndWithoutTheParser() {
        var shell = Shell.at(home);

        assertThat(shell.run("-V")).isEqualTo(shell.run("--version"));
        assertThat(shell.run("ipam", "--version")).isEqualTo(shell.run("--version"));
    }

    @Test
    void helpAsAWordIsHelpAsAnOption() {
        var shell = Shell.at(home);

        assertThat(shell.run("help")).isEqualTo(shell.run("--help"));
        assertThat(shell.run("help", "ipam", "show")).isEqualTo(shell.run("ipam", "show", "--help"));
    }

    private static Stream<CommandLine> leaves(CommandLine line) {
        var subcommands = line.getSubcommands().values();
        return subcommands.isEmpty() ? Stream.of(line) : subcommands.stream().flatMap(HelpTest::leaves);
    }

    private static CommandLine commandLine(String... words) {
        var nowhere = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
        return Cadastre.commandLine(
                new CommandContext(nowhere, nowhere, Map.of(), () -> Shell.NOON, new SplittableRandom(1), false, false),
                List.of(words));
    }
}
