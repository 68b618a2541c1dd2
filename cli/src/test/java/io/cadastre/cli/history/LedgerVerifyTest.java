package io.cadastre.cli.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.cli.Shell;
import io.cadastre.cli.session.Session;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LedgerVerifyTest {

    private static final String CLUSTER = "--cluster-cidr=10.244.0.0/16";

    @TempDir
    private Path home;

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
        change(shell.dataDirectory().resolve("store.db"), "node-cidr add alpha", "node-cidr add alpho");

        var ended = shell.run("ledger", "verify");

        assertThat(ended.exitCode()).isEqualTo(1);
        assertThat(ended.err()).startsWith("cadastre: ledger entry 1 in ").contains("hash");
        assertThat(ended.out()).isEmpty();
    }

    @Test
    void directoryWithoutALedgerIsReportedAndLeftUnchanged() throws IOException {
        var shell = Shell.at(home);

        var ended = shell.run("ledger", "verify");

        assertThat(ended.exitCode()).isZero();
        assertThat(ended.out()).startsWith("0 entries are sound");
        assertThat(ended.err())
                .isEqualTo("cadastre: warning: there is no ledger in %s yet\n".formatted(shell.dataDirectory()));
        assertThat(shell.files()).isEmpty();
    }

    @Test
    void rangeThatIsFiledOtherwiseIsFound() throws Exception {
        assertThatTamperingIsFound(
                "UPDATE record_span SET last = first", "it is not filed under a range that it tells of");
    }

    @Test
    void nameThatIsNotFiledIsFound() throws Exception {
        assertThatTamperingIsFound("DELETE FROM record_name", "it is not filed under a name that it tells of");
    }

    @Test
    void widthUnderWhichNoQueryLooksIsFound() throws Exception {
        assertThatTamperingIsFound(
                "UPDATE record_span SET width = width + 1", "it is not filed under a range that it tells of");
    }

    @Test
    void nameOfAnEntryThatIsNotThereIsFound() throws Exception {
        assertThatTamperingIsFound(
                "INSERT INTO record_name (name, number) VALUES (x'61', 0)",
                "names or ranges are filed for it, and it is missing");
    }

    private void assertThatTamperingIsFound(String statement, String sentence) throws Exception {
        var shell = Shell.at(home);
        shell.run("node-cidr", "add", "a", CLUSTER);
        tamper(shell, statement);

        var ended = shell.run("ledger", "verify");

        assertThat(ended.exitCode()).isEqualTo(1);
        assertThat(ended.err()).contains(" is not sound: " + sentence);
        assertThat(ended.out()).isEmpty();
    }

    @Test
    void ledgerThatIsGoneBesideAStoreIsAnError() throws Exception {
        var shell = Shell.at(home);
        shell.run("node-cidr", "add", "a", CLUSTER);
        for (var table : List.of("record", "record_name", "record_span")) {
            tamper(shell, "DELETE FROM " + table);
        }

        var marked = shell.run("ledger", "verify");
        Files.delete(shell.dataDirectory().resolve("store.db.mark"));
        var ended = shell.run("ledger", "verify");

        assertThat(marked.exitCode()).isEqualTo(1);
        assertThat(marked.err()).contains("ends with ledger entry 0, and entry 1 was promised");
        assertThat(ended.exitCode()).isEqualTo(1);
        assertThat(ended.out()).isEmpty();
        assertThat(ended.err()).contains("a store exists, but its ledger ");
    }

    private static void tamper(Shell shell, String statement) throws SQLException {
        var file = ledgerIn(shell.dataDirectory());
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                var made = connection.createStatement()) {
            made.execute(statement);
        }
    }

    private static Path ledgerIn(Path dataDirectory) {
        return Session.storeIn(dataDirectory);
    }

    private static void change(Path file, String before, String after) throws IOException {
        var text = Files.readString(file, StandardCharsets.ISO_8859_1);
        assertThat(text).contains(before);
        Files.writeString(file, text.replace(before, after), StandardCharsets.ISO_8859_1);
    }
}
