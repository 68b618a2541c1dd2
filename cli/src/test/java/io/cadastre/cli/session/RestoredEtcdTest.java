package io.cadastre.cli.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.cli.Shell;
import io.cadastre.datastore.etcd.EtcdProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A real etcd that has forgotten what the ledger of this machine tells of.
final class RestoredEtcdTest {

    private static final String POOL = """
        {"apiVersion": "projectcalico.org/v3", "kind": "IPPool", "metadata": {"name": "p"},
         "spec": {"cidr": "10.9.0.0/26"}}
        """;

    private static final String NODE = """
        {"apiVersion": "projectcalico.org/v3", "kind": "Node", "metadata": {"name": "n1"}}
        """;

    @TempDir
    private Path home;

    private EtcdProcess etcd;
    private Shell shell;
    private Path backup;

    /// The backup knows h1; h2 came after it.
    @BeforeEach
    void takeABackup() throws IOException {
        etcd = EtcdProcess.start(home);
        shell = on(etcd);
        backup = home.resolve("backup");
        ran("apply", POOL);
        ran("apply", NODE);
        assertThat(assign("h1").out()).isEqualTo("10.9.0.0\n");
        etcd.snapshot(backup);
        assertThat(assign("h2").out()).isEqualTo("10.9.0.1\n");
    }

    @AfterEach
    void stop() {
        // A machine without etcd has none to stop.
        if (etcd != null) {
            etcd.close();
        }
    }

    @Test
    void restoredSnapshotIsRefusedBeforeAnAddressIsGiven() throws IOException {
        etcd.restore(backup);

        var ended = assign("h3");

        assertThat(ended.exitCode()).isEqualTo(1);
        assertThat(ended.out()).isEmpty();
        assertThat(ended.err())
                .containsPattern("ledger \\S+/ledger.db records revision [0-9]+")
                .containsPattern("etcd cluster [0-9a-f]+ is at revision [0-9]+")
                .contains("cadastre ipam adopt", "move", "away");
    }

    @Test
    void restoredSnapshotIsRefusedAfterTheWholeLedgerWasTrimmed() throws IOException {
        var trimmed = shell.at(Shell.NOON.plusSeconds(60)).run("ledger", "trim", "--older-than=0s");
        etcd.restore(backup);

        var ended = assign("h3");

        assertThat(trimmed.out()).contains("0 entries and 4 current tenures remain");
        assertThat(ended.exitCode()).isEqualTo(1);
        assertThat(ended.err()).contains("records revision", "restored from a backup or emptied");
    }

    @Test
    void explainRefusesARestoredSnapshotAsTheDecisionDoes() throws IOException {
        var before = shell.run("explain", "ipam", "assign", "--node", "n1");
        etcd.restore(backup);
        var assigned = assign("h3");

        var explained = List.of(
                shell.run("explain", "ipam", "assign", "--node", "n1"),
                shell.run("explain", "pod", "shop/web-0", "--node", "n1"),
                shell.run("explain", "node-cidr", "add", "n1", "--cluster-cidr=10.8.0.0/16"));

        assertThat(before.exitCode()).isZero();
        assertThat(assigned.exitCode()).isEqualTo(1);
        assertThat(explained).containsOnly(assigned);
    }

    @Test
    void emptiedEtcdIsRefusedAndNothingIsMadeInIt() throws IOException {
        etcd.empty();

        var ended = shell.runPiping(POOL, "apply", "-f", "-");

        assertThat(ended.exitCode()).isEqualTo(1);
        assertThat(ended.err()).contains("restored from a backup or emptied");
        assertThat(etcd.etcdctl("get", "", "--from-key=true", "--keys-only=true"))
                .isBlank();
    }

    @Test
    void anotherClusterIsRefusedThoughItHasComeFurther(@TempDir Path elsewhere) throws IOException {
        try (var other = EtcdProcess.start(elsewhere)) {
            for (int count = 0; count < 20; count++) {
                other.etcdctl("put", "/foreign", "value");
            }

            var ended = on(other).run("ipam", "assign", "--node", "n1", "--handle", "h3");

            assertThat(ended.exitCode()).isEqualTo(1);
            assertThat(ended.err()).containsPattern("belongs to etcd cluster .* but this is etcd cluster");
        }
    }

    @Test
    void restoredSnapshotIsRefusedByItsTermThoughOthersWroteMoreSince() throws IOException {
        etcd.restart();
        assertThat(assign("h3").out()).isEqualTo("10.9.0.2\n");
        etcd.restore(backup);
        for (int count = 0; count < 20; count++) {
            etcd.etcdctl("put", "/foreign", "value");
        }

        var ended = assign("h4");

        assertThat(ended.exitCode()).isEqualTo(1);
        assertThat(ended.err()).contains("and term", "restored from a backup");
    }

    @Test
    void verifyComplainsOfAStoreThatIsBehindTheLedger() throws IOException {
        var sound = shell.run("ledger", "verify");
        etcd.restore(backup);

        var behind = shell.run("ledger", "verify");

        assertThat(sound.err()).isEmpty();
        assertThat(sound.exitCode()).isZero();
        assertThat(behind.out()).contains("entries are sound");
        assertThat(behind.err()).contains("records revision", "restored from a backup or emptied");
        assertThat(behind.exitCode()).isEqualTo(1);
    }

    @Test
    void verifyOfALedgerWhoseStoreDoesNotAnswerReportsThatItWasNotCompared() {
        etcd.close();

        var ended = shell.run("ledger", "verify", "--connect-timeout", "1");

        assertThat(ended.out()).contains("entries are sound");
        assertThat(ended.err()).contains("the ledger was not compared with the store: cannot reach");
        assertThat(ended.exitCode()).isZero();
    }

    @Test
    void checkNamesWhatTheLedgerKnowsAndTheStoreForgot() throws IOException {
        etcd.restore(backup);

        var ended = shell.run("ipam", "check");

        assertThat(ended.err())
                .contains("handle/h2 holds 10.9.0.1", "but the store records it as free", "ipam adopt")
                .doesNotContain("h1");
    }

    @Test
    void sameEtcdThatWasRestartedIsServedOn() throws IOException {
        etcd.restart();

        var ended = assign("h3");

        assertThat(ended.err()).isEmpty();
        assertThat(ended.out()).isEqualTo("10.9.0.2\n");
    }

    @Test
    void ledgerThatWasMovedAwayIsNotReadAnyMore() throws IOException {
        etcd.restore(backup);
        for (var name : new String[] {"ledger.db", "ledger.db.mark", "ledger.db.origin"}) {
            Files.move(shell.dataDirectory().resolve(name), home.resolve(name));
        }

        var ended = assign("h3");

        assertThat(ended.out()).isEqualTo("10.9.0.1\n");
    }

    @Test
    void ledgerOfAVersionThatDidNotNoteItsStoreIsComparedByItsRevision() throws IOException {
        Files.delete(shell.dataDirectory().resolve("ledger.db.origin"));
        var served = assign("h3");
        Files.delete(shell.dataDirectory().resolve("ledger.db.origin"));
        etcd.restore(backup);

        var refused = assign("h4");

        assertThat(served.out()).isEqualTo("10.9.0.2\n");
        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(refused.err()).contains("records revision");
    }

    @Test
    void adoptedEtcdKnowsTheHoldersOfTheLedgerAndTheLedgerContinues() throws IOException {
        etcd.restore(backup);

        var shown = adopt("--dry-run");
        var stillRefused = assign("h3");
        var adopted = adopt();
        var next = assign("h3");
        shell.run("ipam", "release", "--ip", "10.9.0.1");
        var history = shell.run("history", "--ip", "10.9.0.1", "-o", "json");

        assertThat(shown.out()).contains("10.9.0.1 is held by 'h2' on n1", "1 addresses would be");
        assertThat(stillRefused.exitCode()).isEqualTo(1);
        assertThat(adopted.err()).isEmpty();
        assertThat(adopted.out()).contains("1 addresses were given to their holders");
        assertThat(next.out()).isEqualTo("10.9.0.2\n");
        assertThat(shell.run("ledger", "verify").exitCode()).isZero();
        assertThat(shell.run("ipam", "check").err()).isEmpty();
        assertThat(shell.run("who", "10.9.0.1").out()).doesNotContain("h2");
        assertThat(history.exitCode()).isZero();
    }

    @Test
    void emptiedEtcdIsAdoptedWithItsPools() throws IOException {
        etcd.empty();
        var manifests = home.resolve("pools.yaml");
        Files.writeString(manifests, POOL + "---\n" + NODE);

        var withoutPools = adopt();
        var adopted = adopt("-f", manifests.toString());
        var again = adopt();
        var next = assign("h3");

        assertThat(withoutPools.exitCode()).isEqualTo(3);
        assertThat(withoutPools.err()).contains("the store is not accepted");
        assertThat(adopted.out()).contains("2 addresses were given to their holders");
        assertThat(adopted.exitCode()).isZero();
        assertThat(again.out()).contains("0 addresses were given to their holders");
        assertThat(next.out()).isEqualTo("10.9.0.2\n");
    }

    @Test
    void secondRestoreIsNoticedAfterTheFirstWasAdopted() throws IOException {
        etcd.restore(backup);
        adopt();
        var served = assign("h3");
        etcd.restore(backup);

        var refused = assign("h4");
        var adopted = adopt();
        var next = assign("h4");

        assertThat(served.out()).isEqualTo("10.9.0.2\n");
        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(adopted.out()).contains("2 addresses were given to their holders");
        assertThat(next.out()).isEqualTo("10.9.0.3\n");
        assertThat(shell.run("ledger", "verify").exitCode()).isZero();
    }

    @Test
    void ledgerThatIsOlderThanItWasIsAdoptedAndNamesTheMissingEntries() throws IOException {
        var ledger = shell.dataDirectory().resolve("ledger.db");
        var older = Files.readAllBytes(ledger);
        assertThat(assign("h3").out()).isEqualTo("10.9.0.2\n");
        Files.write(ledger, older);

        var refused = assign("h4");
        var missing = adopt();
        var adopted = adopt("--accept-missing");
        var next = assign("h4");

        assertThat(refused.err()).contains("cadastre ipam adopt");
        assertThat(missing.exitCode()).isEqualTo(3);
        assertThat(missing.err()).contains("is in none of the ledgers that were asked");
        assertThat(adopted.exitCode()).isZero();
        assertThat(next.out()).isEqualTo("10.9.0.3\n");
    }

    @Test
    void dryRunWritesNothingWhereNoLedgerIsYet() throws IOException {
        var directory = Files.createDirectory(home.resolve("other"));

        var shown = shell.run(
                "ipam", "adopt", "--dry-run", "--node=n1", "--cni-cache-dir=/nowhere", "--data-dir=" + directory);

        assertThat(shown.exitCode()).isZero();
        assertThat(directory).isEmptyDirectory();
    }

    private Shell.Ended adopt(String... more) {
        var words = new ArrayList<>(List.of("ipam", "adopt", "--node", "n1", "--cni-cache-dir", "/nowhere"));
        words.addAll(List.of(more));
        return shell.run(words.toArray(String[]::new));
    }

    private Shell on(EtcdProcess member) {
        return Shell.at(home)
                .with("DATASTORE_TYPE", "etcdv3")
                .with("ETCD_ENDPOINTS", member.endpoint().toString());
    }

    private Shell.Ended assign(String handle) {
        return shell.run("ipam", "assign", "--node", "n1", "--handle", handle);
    }

    private void ran(String command, String manifest) {
        var ended = shell.runPiping(manifest, command, "-f", "-");
        assertThat(ended.exitCode()).as(ended.err()).isZero();
    }
}
