package io.cadastre.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CommandProviderTest {

    @TempDir
    private Path home;

    @Test
    void providedCommandIsListedAndRuns() {
        var help = Shell.at(home).run("--help");
        var ended = Shell.at(home).run("guest", "hello");

        assertThat(help.out()).contains("guest ");
        assertThat(ended).isEqualTo(new Shell.Ended(3, "hello\n", ""));
    }

    @Test
    void unexpectedExceptionIsReportedAsABugInOneSentence() {
        var ended = Shell.at(home).run("guest", "fail");

        assertThat(ended)
                .isEqualTo(new Shell.Ended(
                        1,
                        "",
                        "cadastre: this is a bug in cadastre:"
                                + " java.lang.IllegalStateException: two lines in one message;"
                                + " -v shows where\n"));
    }

    @Test
    void optionsOfEveryCommandAreThereToo() {
        var help = Shell.at(home).run("guest", "--help");
        var verbose = Shell.at(home).run("guest", "fail", "-v");

        assertThat(help.out()).contains("--verbose", "cadastre guest hello");
        assertThat(verbose.err()).contains("\tat io.cadastre.cli.GuestCommands");
    }
}
