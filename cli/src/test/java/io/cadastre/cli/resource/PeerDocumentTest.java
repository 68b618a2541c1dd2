package io.cadastre.cli.resource;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.cadastre.cli.Manifest;
import io.cadastre.cli.Shell;
import io.cadastre.cli.session.Session;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.sqlite.SqliteDatastore;
import io.cadastre.datastore.sqlite.SqliteSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What calicoctl takes or writes, and what commands make of it.
final class PeerDocumentTest {

    private static final String POOLS = "/calico/resources/v3/projectcalico.org/ippools/";

    @TempDir
    private Path home;

    @TempDir
    private Path folder;

    private Shell shell = Shell.at(Path.of(""));

    @BeforeEach
    void openShell() throws IOException {
        shell = Shell.at(home);
        Manifest.apply(shell, folder, Manifest.pool("p", "{cidr: 10.0.0.0/26}"), Manifest.node("a"));
    }

    private void stored(String key, String value) {
        try (var store = SqliteDatastore.open(SqliteSettings.of(Session.storeIn(shell.dataDirectory())))) {
            store.commit(List.of(new Write.Create(key, Bytes.ofUtf8(value))));
        }
    }

    @Test
    void numberBeyondThirtyTwoBitsStopsNoAllocationAndStays() {
        stored(
                "/calico/ipam/v2/config",
                "{\"strict_affinity\":true,\"auto_allocate_blocks\":true,\"maxBlocksPerHost\":4294967296}");

        var assigned = shell.run("ipam", "assign", "--node", "a");
        var configured = shell.run("ipam", "configure", "--ip-cooldown-seconds=5");

        assertThat(assigned.out()).isEqualTo("10.0.0.0\n");
        assertThat(configured.exitCode()).as(configured.err()).isZero();
        try (var store = SqliteDatastore.open(SqliteSettings.of(Session.storeIn(shell.dataDirectory())))) {
            assertThat(store.get("/calico/ipam/v2/config").orElseThrow().value().utf8())
                    .contains("\"maxBlocksPerHost\":4294967296");
        }
    }

    @Test
    void poolWhoseSelectorIsTooDeepServesNoNodeAndHindersNoOtherPool() throws IOException {
        var deep = "(".repeat(65) + "all()" + ")".repeat(65);
        stored(POOLS + "a-deep", "{\"spec\":{\"cidr\":\"10.1.0.0/24\",\"nodeSelector\":\"%s\"}}".formatted(deep));

        var assigned = shell.run("ipam", "assign", "--node", "a");
        var applied = Manifest.apply(
                shell, folder, Manifest.pool("q", "{cidr: 10.2.0.0/24, nodeSelector: \"%s\"}".formatted(deep)));
        var handled = Manifest.apply(
                shell,
                folder,
                Manifest.pool(
                        "r",
                        "{cidr: 10.3.0.0/24, nodeSelector: \"%s\"}"
                                .formatted("(".repeat(64) + "all()" + ")".repeat(64))));

        assertThat(assigned.out()).isEqualTo("10.0.0.0\n");
        assertThat(applied.exitCode()).isEqualTo(3);
        assertThat(applied.err()).contains("selector is nested deeper than 64 brackets; write a simpler one");
        assertThat(handled.out()).isEqualTo("ippool/r created\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "t", "T", "TRUE", "true", "True"})
    void truthIsReadAsGoReadsIt(String text) {
        var set = shell.run("ipam", "configure", "--strictaffinity=" + text);
        var shown = shell.run("ipam", "show", "--show-blocks=" + text);

        assertThat(set.out()).isEqualTo("Successfully set StrictAffinity to: true\n");
        assertThat(shown.exitCode()).as(shown.err()).isZero();
    }

    @Test
    void addressOfIpv4InTheFormOfIpv6IsTheSame() {
        shell.run("ipam", "assign", "--node", "a", "--handle", "h");

        var shown = shell.run("ipam", "show", "--ip=::ffff:10.0.0.0");

        assertThat(shown.out()).contains("IP 10.0.0.0 is in use");
    }

    @Test
    void reportNamesTheNodeOfTheBlockWhereTheAddressDoesNot() throws IOException {
        shell.run("ipam", "assign", "--node", "a", "--ip", "10.0.0.7");
        var file = folder.resolve("report.json");

        shell.run("ipam", "check", "-o", file.toString());

        var report = new ObjectMapper().readTree(Files.readString(file));
        assertThat(report.at("/allocations/10.0.0.7/0/node").asText()).isEqualTo("a");
    }
}
