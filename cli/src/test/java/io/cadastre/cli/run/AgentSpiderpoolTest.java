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
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
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

        var environment = new HashMap<>(shell.environment());
        int metrics = freePort();
        int health = freePort();
        environment.put("SPIDERPOOL_ENABLED_METRIC", "true");
        environment.put("SPIDERPOOL_METRIC_HTTP_PORT", Integer.toString(metrics));
        environment.put("SPIDERPOOL_HEALTH_PORT", Integer.toString(health));
        try (var process = RunningProcess.start(home, environment, command)) {
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

            assertThat(page(metrics, "/metrics")).contains("\nspiderpool_ipam_allocation_counts_total 1\n");
            assertThat(page(health, "/v1/runtime/readiness")).isEqualTo("ok");
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

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static String page(int port, String path) throws Exception {
        try (var client = HttpClient.newHttpClient()) {
            var uri = URI.create("http://127.0.0.1:%d%s".formatted(port, path));
            return client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                    .body();
        }
    }

    @Test
    void addressThatIsNotOfAMachineIsAUsageError() {
        var ended = shell.run("agent", "--node=node-1", "--spiderpool-listen=no such host");

        assertThat(ended.exitCode()).isEqualTo(2);
        assertThat(ended.err()).contains("--spiderpool-listen: 'no such host' is not an address of this machine");
    }
}
