package io.cadastre.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;

final class ExplainTest {

    private static final String CLUSTER = "--cluster-cidr=10.244.0.0/16";

    @TempDir private Path home;

    @Test
    void explanationTellsOutcomeReasonsAndChanges() {
        var ended = Shell.at(home).run("explain", "node-cidr", "add", "a", CLUSTER);

        assertThat(ended.exitCode()).isZero();
        assertThat(ended.out())
                .startsWith("node a would be given 10.244.0.0/24\n  because ")
                .contains("  would give 10.244.0.0/24 to node a\n")
                .endsWith("  nothing was written\n");
    }

    @Test
    void explanationWritesNothing() throws IOException {
        var shell = Shell.at(home);

        shell.run("explain", "node-cidr", "add", "a", CLUSTER);

        assertThat(shell.files()).isEmpty();
    }

    @Test
    void explanationChangesNeitherStoreNorLedger() {
        var shell = Shell.at(home);
        shell.run("node-cidr", "add", "a", CLUSTER);
        var nodes = shell.run("node-cidr", "show", CLUSTER);
        var ledger = shell.run("ledger", "verify");

        var ended = shell.run("explain", "node-cidr", "add", "b", CLUSTER);

        assertThat(ended.out()).startsWith("node b would be given 10.244.1.0/24\n");
        assertThat(shell.run("node-cidr", "show", CLUSTER)).isEqualTo(nodes);
        assertThat(shell.run("ledger", "verify")).isEqualTo(ledger);
    }

    @Test
    void optionOfAddSaysTheSame() {
        var shell = Shell.at(home);

        var option = shell.run("node-cidr", "add", "a", CLUSTER, "--explain");

        assertThat(option).isEqualTo(shell.run("explain", "node-cidr", "add", "a", CLUSTER));
    }

    @Test
    void nodeThatHasACidrWouldKeepIt() {
        var shell = Shell.at(home);
        shell.run("node-cidr", "add", "a", CLUSTER);

        var ended = shell.run("explain", "node-cidr", "add", "a", CLUSTER);

        assertThat(ended.out())
                .startsWith("node a would keep 10.244.0.0/24\n  because node a already holds");
    }

    @Test
    void refusalIsExplainedWithItsExitCode() throws IOException {
        var ended =
                Shell.at(home)
                        .run(
                                "explain",
                                "node-cidr",
                                "add",
                                "a",
                                "--cluster-cidr=10.0.0.0/16",
                                "--service-cluster-ip-range=10.0.0.0/12",
                                "-o",
                                "json");

        var document = new ObjectMapper().readTree(ended.out());
        assertThat(ended.exitCode()).isEqualTo(3);
        assertThat(document.at("/outcome").asText()).contains("no remaining CIDRs");
        assertThat(document.at("/because/0").asText())
                .startsWith("service range 10.0.0.0/12 takes");
        assertThat(document.at("/changes")).isEmpty();
    }

    @Test
    void onlyOneNodeIsExplained() {
        var ended = Shell.at(home).run("node-cidr", "add", "a", "b", CLUSTER, "--explain");

        assertThat(ended.exitCode()).isEqualTo(2);
        assertThat(ended.err()).startsWith("cadastre: --explain is about one node, not 2\n");
    }
}
