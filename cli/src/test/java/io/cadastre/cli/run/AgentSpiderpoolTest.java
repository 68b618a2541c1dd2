package io.cadastre.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.agent.spiderpool.HttpSpiderpoolAgent;
import io.cadastre.cli.RunningProcess;
import io.cadastre.cli.Shell;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.sqlite.SqliteDatastore;
import io.cadastre.datastore.sqlite.SqliteSettings;
import io.cadastre.wire.kubernetes.CoreKeys;
import io.cadastre.wire.spiderpool.IpamAddArgs;
import io.cadastre.wire.spiderpool.PodIdentity;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// `cadastre agent` as a process that serves the API of Spiderpool's agent.
@Timeout(300)
class AgentSpiderpoolTest {

    private static final PodIdentity POD = new PodIdentity("shop", "cart-0", "uid-0");

    @TempDir
    Path home;

    private Shell shell = Shell.at(Path.of(""));

    @BeforeEach
    void openShell() {
        shell = Shell.at(home);
    }

    private Path socket() {
        return home.resolve("spidernet").resolve("spiderpool.sock");
    }

    private List<String> agent() {
        return List.of(
                "agent",
                "--node=node-1",
                "--socket=" + home.resolve("agent.sock"),
                "--spool=" + home.resolve("spool"),
                "--spiderpool-socket=" + socket());
    }

    @Test
    void callerOfTheApiIsGivenAnAddressOfThePoolsInTheStore() throws Exception {
        var applied = shell.runPiping("""
            {apiVersion: spiderpool.spidernet.io/v2beta1, kind: SpiderIPPool,
             metadata: {name: shop}, spec: {subnet: 10.61.0.0/24, ips: [10.61.0.10-10.61.0.11], default: true}}
            """, "apply", "-f", "-");
        assertThat(applied.exitCode()).as(applied.err()).isZero();
        try (var store =
                SqliteDatastore.open(SqliteSettings.of(shell.dataDirectory().resolve("store.db")))) {
            assertThat(store.commit(List.of(new Write.Create(CoreKeys.PODS + "shop/cart-0", Bytes.ofUtf8("""
                {"kind":"Pod","apiVersion":"v1","metadata":{"name":"cart-0","namespace":"shop","uid":"uid-0"},
                 "spec":{"nodeName":"node-1"},"status":{"phase":"Running"}}
                """)))))
                    .isInstanceOf(Commit.Done.class);
        }
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                "io.cadastre.cli.Main"));
        command.addAll(agent());

        try (var process = RunningProcess.start(home, shell.environment(), command)) {
            process.awaitOut("answers on");
            var client = new HttpSpiderpoolAgent(socket(), () -> Duration.ofSeconds(60));
            client.checkHealth();
            var given = client.allocate(
                    new IpamAddArgs("c", "eth0", "/run/netns/x", POD, List.of(), List.of(), false, false));
            var second = shell.run(
                    "agent",
                    "--node=node-1",
                    "--socket=" + home.resolve("other.sock"),
                    "--spool=" + home.resolve("other"),
                    "--spiderpool-socket=" + socket());

            assertThat(given.ips().getFirst().ip().address().toString()).isEqualTo("10.61.0.10/24");
            assertThat(second.exitCode()).isEqualTo(1);
            assertThat(second.err()).isEqualTo("cadastre: another agent uses %s\n".formatted(socket()));
        }
        assertThat(shell.run("get", "spiderippools").out()).containsPattern("shop +4 +10.61.0.0/24 +1 +2");
    }

    @Test
    void fileThatIsNoSocketIsLeftAlone() throws Exception {
        Files.createDirectories(socket().getParent());
        Files.writeString(socket(), "notes");

        var ended = shell.run(agent().toArray(String[]::new));

        assertThat(ended.exitCode()).isEqualTo(1);
        assertThat(ended.err()).contains("exists and is not a socket");
        assertThat(socket()).hasContent("notes");
    }
}
