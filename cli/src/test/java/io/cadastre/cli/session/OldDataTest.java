package io.cadastre.cli.session;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.cli.Shell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A data directory of the version before, which had the ledger of the embedded store in a file of its own.
final class OldDataTest {

    private static final String CLUSTER = "--cluster-cidr=10.0.0.0/16";

    private static final String POOLS = """
        {"apiVersion": "projectcalico.org/v3", "kind": "IPPool", "metadata": {"name": "p"},
         "spec": {"cidr": "10.9.0.0/25", "blockSize": 26}}
        ---
        {"apiVersion": "projectcalico.org/v3", "kind": "Node", "metadata": {"name": "n1"}}
        ---
        {"apiVersion": "projectcalico.org/v3", "kind": "Node", "metadata": {"name": "n2"}}
        ---
        {"apiVersion": "projectcalico.org/v3", "kind": "Node", "metadata": {"name": "n3"}}
        """;

    @TempDir
    private Path home;

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
    void ledgerIsTakenOverIntoTheStoreAndContinues() {
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

    /// The store knows h1; its ledger tells also of h2, and that n2 has the other block, which is empty.
    private Shell olderThanItsLedger() throws IOException {
        var newer = Shell.at(home.resolve("newer"));
        newer.runPiping(POOLS, "apply", "-f", "-");
        newer.run("ipam", "assign", "--node", "n1", "--handle", "h1");
        var older = Files.readAllBytes(newer.dataDirectory().resolve("store.db"));
        newer.run("ipam", "assign", "--node", "n1", "--handle", "h2");
        var elsewhere =
                newer.run("ipam", "assign", "--node", "n2", "--handle", "h3").out();
        newer.run("ipam", "release", "--ip=" + elsewhere.strip());
        var other = Shell.at(home.resolve("other"));
        var directory = Files.createDirectories(other.dataDirectory());
        Files.write(directory.resolve("store.db"), older);
        makeOld(directory.resolve("store.db"));
        Files.copy(newer.dataDirectory().resolve("store.db"), directory.resolve("ledger.db"));
        makeOldLedger(directory.resolve("ledger.db"));
        return other;
    }

    @Test
    void dryRunOfAnAdoptionWritesNothingAndTheStoreStaysRefused() throws IOException {
        var other = olderThanItsLedger();
        var store = other.dataDirectory().resolve("store.db");
        var before = Files.readAllBytes(store);
        var files = other.files();

        var shown = adopt(other, "--dry-run");

        assertThat(shown.err()).isEmpty();
        assertThat(shown.exitCode()).isZero();
        assertThat(shown.out()).contains("10.9.0.65 is held by 'h2' on n1", "1 addresses would be given");
        assertThat(store).hasBinaryContent(before);
        assertThat(other.files()).isEqualTo(files);
        assertThat(other.run("ipam", "assign", "--node", "n1").exitCode()).isEqualTo(1);
    }

    @Test
    void ledgerBesideAnOlderStoreIsASourceOfItsAdoptionAndTakenOver() throws IOException {
        var other = olderThanItsLedger();

        var adopted = adopt(other);
        var next = other.run("ipam", "assign", "--node", "n1", "--handle", "h4");
        var block = other.run("ipam", "assign", "--node", "n3", "--handle", "h5");
        var verified = other.run("ledger", "verify");

        assertThat(adopted.err()).isEmpty();
        assertThat(adopted.out()).contains("1 addresses were given to their holders");
        assertThat(next.out()).isEqualTo("10.9.0.66\n");
        assertThat(block.out()).isEqualTo("10.9.0.0\n");
        assertThat(verified.err()).isEmpty();
        assertThat(verified.exitCode()).isZero();
        assertThat(other.run("ipam", "check").exitCode()).isZero();
        assertThat(other.run("history", "--ip", "10.9.0.0", "--decisions", "-o", "wide")
                        .out())
                .contains("n2", "n3");
        assertThat(other.dataDirectory().resolve("ledger.db")).doesNotExist();
        assertThat(other.dataDirectory().resolve("ledger.db.taken-over")).exists();
    }

    @Test
    void ledgerWhoseStoreIsGoneIsASourceOfItsAdoption() throws IOException {
        var other = olderThanItsLedger();
        Files.delete(other.dataDirectory().resolve("store.db"));
        var pools = Files.writeString(home.resolve("pools.yaml"), POOLS);

        var withoutPools = adopt(other);
        var refused = other.run("ipam", "assign", "--node", "n1");
        var adopted = adopt(other, "-f", pools.toString());
        var next = other.run("ipam", "assign", "--node", "n1", "--handle", "h4");

        assertThat(withoutPools.exitCode()).isEqualTo(3);
        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(refused.err()).contains("begun and not finished", "cadastre ipam adopt");
        assertThat(adopted.err()).isEmpty();
        assertThat(adopted.out()).contains("2 addresses were given to their holders");
        assertThat(next.out()).isEqualTo("10.9.0.66\n");
        assertThat(other.run("ledger", "verify").exitCode()).isZero();
        assertThat(other.run("ipam", "check").exitCode()).isZero();
    }

    private Shell.Ended adopt(Shell where, String... more) {
        var words = new ArrayList<>(List.of("ipam", "adopt", "--node", "n1"));
        words.addAll(List.of("--cni-cache-dir", home.resolve("none").toString()));
        words.addAll(List.of(more));
        return where.run(words.toArray(String[]::new));
    }

    /// Leaves what a ledger of the first schema had.
    private static void makeOldLedger(Path ledger) {
        execute(ledger, "DROP TABLE identity", "DELETE FROM document", "DELETE FROM change");
        execute(ledger, "PRAGMA user_version = 1");
    }

    /// Takes away what the first schema did not have.
    private static void makeOld(Path store) {
        execute(store, "DROP TABLE identity", "DELETE FROM record", "DELETE FROM record_name");
        execute(store, "DELETE FROM record_span", "PRAGMA user_version = 1");
    }

    private static void execute(Path database, String... steps) {
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + database);
                var statement = connection.createStatement()) {
            for (var step : steps) {
                statement.execute(step);
            }
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
