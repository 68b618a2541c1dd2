package io.cadastre.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

final class LedgerVerifyTest {

    private static final String CLUSTER = "--cluster-cidr=10.244.0.0/16";

    @TempDir private Path home;

    @Test
    void soundLedgerIsCounted() {
        var shell = Shell.at(home);
        shell.run("node-cidr", "add", "a", CLUSTER);
        shell.run("node-cidr", "add", "b", CLUSTER);

        var ended = shell.run("ledger", "verify");

        assertThat(ended.exitCode()).isZero();
        assertThat(ended.out()).startsWith("2 entries are sound; the last hash is ");
    }

    @Test
    void changedByteIsFoundAndItsEntryNamed() throws IOException {
        var shell = Shell.at(home);
        shell.run("node-cidr", "add", "alpha", CLUSTER);
        shell.run("node-cidr", "add", "bravo", CLUSTER);
        change(
                shell.dataDirectory().resolve("ledger.db"),
                "node-cidr add bravo",
                "node-cidr add brave");

        var ended = shell.run("ledger", "verify");

        assertThat(ended.exitCode()).isEqualTo(1);
        assertThat(ended.err()).startsWith("cadastre: ledger entry 2 in ").contains("hash");
        assertThat(ended.out()).isEmpty();
    }

    @Test
    void placeWithoutALedgerIsToldAndLeftAsItIs() throws IOException {
        var shell = Shell.at(home);

        var ended = shell.run("ledger", "verify");

        assertThat(ended.exitCode()).isZero();
        assertThat(ended.out()).startsWith("0 entries are sound");
        assertThat(ended.err())
                .isEqualTo(
                        "cadastre: warning: there is no ledger in %s yet\n"
                                .formatted(shell.dataDirectory()));
        assertThat(shell.files()).isEmpty();
    }

    private static void change(Path file, String before, String after) throws IOException {
        var text = Files.readString(file, StandardCharsets.ISO_8859_1);
        assertThat(text).contains(before);
        Files.writeString(file, text.replace(before, after), StandardCharsets.ISO_8859_1);
    }
}
