package io.cadastre.cli.cni;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.agent.net.StoredPods;
import io.cadastre.cli.Shell;
import io.cadastre.cli.command.ExitCode;
import io.cadastre.cli.session.Session;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.sqlite.SqliteDatastore;
import io.cadastre.datastore.sqlite.SqliteSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CniUpgradeTest {

    @TempDir
    private Path home;

    @BeforeEach
    void furnish() throws IOException {
        Files.createDirectories(folder());
        var ended = Shell.at(home).runPiping("""
            apiVersion: projectcalico.org/v3
            kind: IPPool
            metadata: {name: default}
            spec: {cidr: 10.0.0.0/24, blockSize: 26}
            """, "apply", "-f", "-");
        assertThat(ended.exitCode()).as(ended.err()).isZero();
    }

    private Path folder() {
        return home.resolve("k8s-pod-network");
    }

    private void lease(String address, String content) throws IOException {
        Files.writeString(folder().resolve(address), content);
    }

    private void pod(String name, String address) {
        var file = Session.storeIn(Shell.at(home).dataDirectory());
        try (var store = SqliteDatastore.open(SqliteSettings.of(file))) {
            store.commit(List.of(
                    new Write.Create(StoredPods.PODS + "shop/" + name, Bytes.ofUtf8("""
                        {"kind":"Pod","metadata":{"name":"%s","namespace":"shop"},
                        "spec":{"nodeName":"node-1"},
                        "status":{"phase":"Running","podIP":"%s"}}\
                        """.formatted(name, address)))));
        }
    }

    private Shell.Ended upgrade(String... more) {
        var words = new ArrayList<>(List.of(
                "cni", "upgrade", "--network-dir=" + folder(), "--bin-dir=" + home.resolve("bin"), "--attempts=2"));
        words.addAll(List.of(more));
        return Shell.at(home).run(words.toArray(String[]::new));
    }

    @Test
    void addressesOfPodsMoveAndTheHistoryRecordsIt() throws IOException {
        lease("10.0.0.5", "c1\r\neth0");
        lease("10.0.0.9", "c9\r\neth0");
        pod("web", "10.0.0.5");

        var ended = upgrade("--node=node-1");
        var shown = Shell.at(home).run("ipam", "show", "--ip=10.0.0.5");
        var history = Shell.at(home).run("history", "--ip", "10.0.0.5", "--decisions", "-o", "wide");

        assertThat(ended.exitCode()).as(ended.err()).isZero();
        assertThat(ended.out()).isEqualTo("10.0.0.5 moved\n10.0.0.9 forgotten\n");
        assertThat(shown.out()).contains("10.0.0.5 is in use", "web");
        assertThat(history.out()).contains("cni upgrade node-1: give 10.0.0.5 to shop/web", "cni upgrade node-1 ");
        assertThat(folder()).doesNotExist();
    }

    @Test
    void nodeIsTakenFromTheEnvironmentAndRequired() throws IOException {
        lease("10.0.0.5", "c1\r\neth0");
        pod("web", "10.0.0.5");

        var unsaid = upgrade();
        var said = Shell.at(home)
                .with("KUBERNETES_NODE_NAME", "node-1")
                .run("cni", "upgrade", "--network-dir=" + folder(), "--bin-dir=" + home);

        assertThat(unsaid.exitCode()).isEqualTo(ExitCode.WRONG_USAGE);
        assertThat(unsaid.err()).contains("KUBERNETES_NODE_NAME");
        assertThat(said.exitCode()).as(said.err()).isZero();
        assertThat(said.out()).isEqualTo("10.0.0.5 moved\n");
    }

    @Test
    void nothingIsForgottenOnANodeOfWhichNoPodIsKnown() throws IOException {
        lease("10.0.0.5", "c1\r\neth0");

        var refused = upgrade("--node=node-1");
        boolean kept = Files.exists(folder().resolve("10.0.0.5"));
        var forced = upgrade("--node=node-1", "--force");

        assertThat(refused.exitCode()).isEqualTo(ExitCode.REFUSED);
        assertThat(refused.err()).contains("no pod of node node-1 is known");
        assertThat(kept).isTrue();
        assertThat(forced.out()).isEqualTo("10.0.0.5 forgotten\n");
    }

    @Test
    void addressInNoPoolIsReportedAndRetried() throws IOException {
        lease("192.0.2.7", "c1\r\neth0");
        pod("web", "192.0.2.7");

        var ended = upgrade("--node=node-1");

        assertThat(ended.exitCode()).isEqualTo(ExitCode.REFUSED);
        assertThat(ended.err().lines())
                .hasSize(2)
                .allMatch(line -> line.contains("192.0.2.7: The provided IP address is not"));
    }

    @Test
    void withoutAFolderThereIsNothingToDo() throws IOException {
        Files.delete(folder());

        var ended = upgrade("--node=node-1");

        assertThat(ended.exitCode()).as(ended.err()).isZero();
        assertThat(ended.out()).isEqualTo("nothing to do\n");
    }
}
