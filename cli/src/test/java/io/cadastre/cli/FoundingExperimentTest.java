package io.cadastre.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// What the README tells newcomers to try.
final class FoundingExperimentTest {

    static final String MANIFEST =
            """
            apiVersion: projectcalico.org/v3
            kind: IPPool
            metadata: {name: default}
            spec: {cidr: 10.244.0.0/16, blockSize: 26}
            ---
            apiVersion: projectcalico.org/v3
            kind: Node
            metadata: {name: node-1}
            ---
            apiVersion: projectcalico.org/v3
            kind: Node
            metadata: {name: node-2}
            """;

    @TempDir private Path home;

    @Test
    void tenAddressesOnOneNodeAndOneOnAnotherComeFromTwoBlocksAndGoBack() throws IOException {
        var shell = Shell.at(home);
        var file = Files.writeString(home.resolve("pool.yaml"), MANIFEST);

        var applied = shell.run("apply", "-f", file.toString());
        var ten =
                shell.run("ipam", "assign", "--node", "node-1", "--num4", "10", "--handle", "web");
        var one = shell.run("ipam", "assign", "--node", "node-2");

        assertThat(applied)
                .isEqualTo(
                        new Shell.Ended(
                                0,
                                """
                                ippool/default created
                                node/node-1 created
                                node/node-2 created
                                """,
                                ""));
        assertThat(ten.exitCode()).isZero();
        assertThat(ten.out().lines()).hasSize(10).doesNotHaveDuplicates();
        assertThat(one.out().lines()).hasSize(1);
        var blocks = shell.run("ipam", "show", "--show-blocks").out();
        assertThat(blocks.lines().filter(line -> line.startsWith("| Block")))
                .hasSize(2)
                .anyMatch(line -> line.contains("|   10 (16%) |"))
                .anyMatch(line -> line.contains("|     1 (2%) |"));
        assertThat(blocks).contains("| IP Pool  | 10.244.0.0/16    |     65536 |    11 (0%) |");
        assertHeldAndReleased(shell, ten.out().lines().toList(), one.out().strip());
    }

    private static void assertHeldAndReleased(Shell shell, List<String> ten, String one) {
        assertThat(shell.run("ipam", "show", "--ip", ten.getFirst()).out())
                .isEqualTo(
                        "IP %s is in use\nHandle ID: web\nActive Owner Attributes:\n  node: node-1\n"
                                .formatted(ten.getFirst()));

        var released = shell.run("ipam", "release", "--ip", ten.getFirst());

        assertThat(released.out())
                .isEqualTo("Successfully released IP address %s\n".formatted(ten.getFirst()));
        assertThat(shell.run("ipam", "show", "--ip", ten.getFirst()).out())
                .isEqualTo("%s is not assigned\n".formatted(ten.getFirst()));
        assertThat(shell.run("ipam", "collect").out()).isEmpty();

        var rest = shell.run("ipam", "release-handle", "web");
        shell.run("ipam", "release", "--ip", one);
        var collected = shell.run("ipam", "collect");

        assertThat(rest.out().lines()).containsExactlyInAnyOrderElementsOf(ten.subList(1, 10));
        assertThat(collected.out().lines())
                .hasSize(2)
                .allMatch(line -> line.matches("block 10\\.244\\.\\d+\\.\\d+/26 given up"));
        assertThat(shell.run("ipam", "show", "--show-blocks").out().lines()).hasSize(5);
        assertThat(shell.run("get", "blockaffinities", "-o", "name").out()).isEmpty();
        assertThat(shell.run("get", "ipamhandles", "-o", "name").out()).isEmpty();
        assertThat(shell.run("ledger", "verify").exitCode()).isZero();
    }
}
