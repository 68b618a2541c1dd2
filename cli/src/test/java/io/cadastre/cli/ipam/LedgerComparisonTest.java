package io.cadastre.cli.ipam;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.cli.Manifest;
import io.cadastre.cli.Shell;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.sqlite.SqliteDatastore;
import io.cadastre.datastore.sqlite.SqliteSettings;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What the ledger says is held, and the store has otherwise.
final class LedgerComparisonTest {

    private static final String BLOCK = "/calico/ipam/v2/assignment/ipv4/block/10.9.0.0-26";

    @TempDir
    private Path home;

    private Shell shell = Shell.at(Path.of(""));

    @BeforeEach
    void giveTwoAddresses() {
        shell = Shell.at(home);
        shell.runPiping(Manifest.pool("p", "{cidr: 10.9.0.0/26}"), "apply", "-f", "-");
        shell.runPiping("{apiVersion: projectcalico.org/v3, kind: Node, metadata: {name: n1}}", "apply", "-f", "-");
        shell.run("ipam", "assign", "--node", "n1", "--handle", "h1");
        shell.run("ipam", "assign", "--node", "n1", "--handle", "h2");
    }

    @Test
    void agreementOfLedgerAndStoreIsNotAFinding() {
        shell.run("ipam", "release", "--ip", "10.9.0.0");

        var ended = shell.run("ipam", "check");

        assertThat(ended.err()).isEmpty();
        assertThat(ended.exitCode()).isZero();
    }

    @Test
    void addressThatTheStoreHasFreeIsNamedWithItsHolderAndEntry() {
        try (var store = store()) {
            var block = store.get(BLOCK).orElseThrow();
            store.commit(List.of(new Write.Delete(BLOCK, block.revision())));
        }

        var ended = shell.run("ipam", "check");

        assertThat(ended.exitCode()).isEqualTo(1);
        assertThat(ended.err())
                .contains(
                        "the ledger says that handle/h1 holds 10.9.0.0 since 2026-01-31T12:00:00Z" + " (entry ",
                        "the ledger says that handle/h2 holds 10.9.0.1",
                        "but the store records it as free");
        assertThat(ended.out()).contains("Checking IPAM for inconsistencies...");
    }

    @Test
    void addressThatTheStoreGaveToAnotherIsNamedWithBoth() {
        try (var store = store()) {
            var block = store.get(BLOCK).orElseThrow();
            var changed = block.value().utf8().replace("\"h2\"", "\"h9\"");
            store.commit(List.of(new Write.Update(BLOCK, Bytes.ofUtf8(changed), block.revision())));
        }

        var ended = shell.run("ipam", "check");

        assertThat(ended.exitCode()).isEqualTo(1);
        assertThat(ended.err())
                .contains("handle/h2 holds 10.9.0.1", "but the store records handle/h9")
                .doesNotContain("10.9.0.0");
    }

    @Test
    void nodeCidrThatTheStoreHasFreeIsNamed() {
        shell.run("node-cidr", "add", "n1", "--cluster-cidr", "10.10.0.0/16");
        try (var store = store()) {
            var key = store.listAll("/cadastre/").documents().stream()
                    .filter(document -> document.key().endsWith("/n1"))
                    .findFirst()
                    .orElseThrow();
            store.commit(List.of(new Write.Delete(key.key(), key.revision())));
        }

        var ended = shell.run("ipam", "check");

        assertThat(ended.exitCode()).isEqualTo(1);
        assertThat(ended.err()).contains("node/n1 holds 10.10.0.0/24", "but the store records it as free");
    }

    private SqliteDatastore store() {
        return SqliteDatastore.open(SqliteSettings.of(shell.dataDirectory().resolve("store.db")));
    }
}
