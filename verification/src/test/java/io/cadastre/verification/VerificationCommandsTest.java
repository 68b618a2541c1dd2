package io.cadastre.verification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.cadastre.cli.command.CommandContext;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class VerificationCommandsTest {

    private static final PrintStream NOWHERE =
            new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);

    /// A bare percent sign would be complained of on standard error whenever help is printed.
    @Test
    void everyTextOfTheHelpIsAFormat() {
        var commands = new VerificationCommands().commands(context());

        assertThat(commands)
                .allSatisfy(command -> assertThat(texts(new CommandLine(command)))
                        .isNotEmpty()
                        .allSatisfy(
                                text -> assertThatCode(() -> text.formatted()).doesNotThrowAnyException()));
    }

    private static Stream<String> texts(CommandLine line) {
        var spec = line.getCommandSpec();
        var usage = spec.usageMessage();
        return Stream.of(
                        Stream.of(usage.description()),
                        Stream.of(usage.footer()),
                        spec.args().stream().flatMap(arg -> Stream.of(arg.description())))
                .flatMap(texts -> texts);
    }

    private static CommandContext context() {
        return new CommandContext(
                NOWHERE, NOWHERE, Map.of(), InstantSource.fixed(Instant.EPOCH), new SplittableRandom(1), false, false);
    }
}
