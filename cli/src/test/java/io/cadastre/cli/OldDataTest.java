package io.cadastre.cli;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.Objects.requireNonNull;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;

/// A data directory of the version before, which had the ledger of the embedded store in a file of its own.
final class OldDataTest {

    private static final String CLUSTER = "--cluster-cidr=10.0.0.0/16";

    @TempDir private Path home;

    private Shell shell;

    @BeforeEach
    void copyOldData() throws IOException {
        shell = Shell.at(home);
        Files.createDirectories(shell.dataDirectory());
        copy("store.db");
        copy("ledger.db");
    }

    @Test
    void isReadAsItIs() throws IOException {
        var before = shell.files();

        var verified = shell.run("ledger", "verify");
        var history = shell.run("history", "--ip", "10.9.0.0", "--decisions", "-o", "wide");
        var shown = shell.run("ipam", "show", "--ip=10.9.0.1");

        assertThat(verified.out()).startsWith("8 entries are sound");
        assertThat(history.out()).contains("ipam assign 1+0 on n1");
        assertThat(shown.out()).contains("IP 10.9.0.1 is in use");
        assertThat(shell.files()).isEqualTo(before);
    }

    @Test
    void ledgerIsTakenOverIntoTheStoreAndGoesOn() {
        var before = shell.run("ledger", "verify").out();

        var added = shell.run("node-cidr", "add", "charlie", CLUSTER);
        var verified = shell.run("ledger", "verify");
        var history = shell.run("history", "--node", "bravo", "--decisions", "-o", "wide");

        assertThat(added.out()).isEqualTo("10.0.2.0/24\n");
        assertThat(before).startsWith("8 entries are sound");
        assertThat(verified.out()).startsWith("9 entries are sound");
        assertThat(history.out()).contains("bravo");
        assertThat(shell.dataDirectory().resolve("ledger.db")).doesNotExist();
        assertThat(shell.dataDirectory().resolve("ledger.db.taken-over")).exists();
    }

    @Test
    void storeThatIsOlderThanItsLedgerIsRefused() throws IOException {
        shell.run("node-cidr", "add", "charlie", CLUSTER);
        var ledger = Files.readAllBytes(shell.dataDirectory().resolve("ledger.db.taken-over"));
        var other = Shell.at(home.resolve("other"));
        other.run("node-cidr", "add", "alpha", CLUSTER);
        makeOld(other.dataDirectory().resolve("store.db"));
        Files.delete(other.dataDirectory().resolve("store.db.mark"));
        Files.write(other.dataDirectory().resolve("ledger.db"), ledger);

        var ended = other.run("node-cidr", "add", "bravo", CLUSTER);

        assertThat(ended.exitCode()).isEqualTo(1);
        assertThat(ended.err())
                .contains("has come to revision", "ledger.db tells of revision")
                .contains("cadastre ipam adopt");
        assertThat(other.dataDirectory().resolve("ledger.db")).hasBinaryContent(ledger);
    }

    @Test
    void ledgerWithoutItsStoreIsRefused() throws IOException {
        Files.delete(shell.dataDirectory().resolve("store.db"));

        var ended = shell.run("node-cidr", "add", "charlie", CLUSTER);

        assertThat(ended.exitCode()).isEqualTo(1);
        assertThat(ended.err()).contains("store.db is gone", "cadastre ipam adopt");
        assertThat(shell.dataDirectory().resolve("store.db")).doesNotExist();
    }

    /// Takes away what the first schema did not have.
    private static void makeOld(Path store) {
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + store);
                var statement = connection.createStatement()) {
            statement.execute("DROP TABLE identity");
            statement.execute("DELETE FROM record");
            statement.execute("PRAGMA user_version = 1");
        } catch (SQLException failure) {
            throw new AssertionError(failure);
        }
    }

    private void copy(String name) throws IOException {
        try (var resource = OldDataTest.class.getResourceAsStream("/schema-1/" + name)) {
            Files.copy(requireNonNull(resource, name), shell.dataDirectory().resolve(name));
        }
    }
}
