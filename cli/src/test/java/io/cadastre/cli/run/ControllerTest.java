package io.cadastre.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.cli.Shell;
import io.cadastre.cli.session.Session;
import io.cadastre.datastore.sqlite.SqliteDatastore;
import io.cadastre.datastore.sqlite.SqliteSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Controllers as processes, on the embedded store.
@Timeout(300)
class ControllerTest {

    @TempDir
    Path home;

    @Test
    void aStoppedLeaderReleasesNothingWhenItResumes() throws Exception {
        var shell = Shell.at(home);
        try (var store = SqliteDatastore.open(SqliteSettings.of(Session.storeIn(shell.dataDirectory())));
                var controllers = ControllerProcesses.in(home)) {
            StoppedLeader.releasesNothingWhenItResumes(controllers, shell, store);
        }
    }

    @Test
    void interruptedItGivesUpItsLeaseAndEnds() throws Exception {
        var shell = Shell.at(home);
        try (var controllers = ControllerProcesses.in(home)) {
            var process = controllers.start(shell, "a", "1s");
            process.awaitErr("a leads");
            process.awaitOut("controller a started; metrics and health checks are on http://");

            process.interrupt();
            var ended = process.end();

            assertThat(ended.err()).contains("cadastre: stopping").contains("a no longer leads");
        }
        try (var store = SqliteDatastore.open(SqliteSettings.of(Session.storeIn(shell.dataDirectory())))) {
            assertThat(new OneNodeCluster(store).lease()).contains("\"holderIdentity\":\"\"");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "--leak-grace-period=soon, --leak-grace-period 'soon' is not a duration; write it as 15m or 90s",
        "--listen=9094, --listen '9094' is not an address and port; write it as 127.0.0.1:9094",
        "--listen=127.0.0.1:99999, '--listen ''127.0.0.1:99999'' is not an address and port; write it"
                + " as 127.0.0.1:9094'",
        "--lease-name=a/b, --lease-name 'a/b' is not a valid name",
        "--controllers=nodes, '--controllers: unknown controller ''nodes''; known controllers: garbage-collector,"
                + " node-ipam-controller, spiderpool-gc, spiderpool-metrics, spiderpool-multus, spiderpool-status,"
                + " spiderpool-subnet, spiderpool-webhook'",
        "'--controllers=*,-garbage-collector,-nodeipam,-spiderpool-gc,-spiderpool-metrics,-spiderpool-multus,"
                + "-spiderpool-status,-spiderpool-subnet,-spiderpool-webhook',"
                + " '--controllers: no controller is chosen; known controllers: garbage-collector,"
                + " node-ipam-controller, spiderpool-gc, spiderpool-metrics, spiderpool-multus, spiderpool-status,"
                + " spiderpool-subnet, spiderpool-webhook'",
        "--controllers=spiderpool-webhook, spiderpool-webhook needs --webhook-service or --webhook-url",
        "--webhook-listen=:5722, --webhook-listen without webhooks; give --webhook-service or --webhook-url too",
        "--webhook-service=hook, --webhook-service serves the API server of a cluster; give --datastore kubernetes",
        "--webhook-service=a/b, --webhook-service 'a/b' is not the name of a Service",
        "--webhook-url=http://h:1, '--webhook-url: ''http://h:1'' is not an address of this form: https://HOST:PORT'",
        "--webhook-url=https://h h, '--webhook-url: ''https://h h'' is not an address of this form: https://HOST:PORT'"
    })
    void whatMakesNoSenseIsWrongUsage(String option, String sentence) {
        var ended = Shell.at(home).run("controller", option);

        assertThat(ended.exitCode()).isEqualTo(2);
        assertThat(ended.err()).startsWith("cadastre: " + sentence + "\n");
    }

    @ParameterizedTest
    @CsvSource({
        "SPIDERPOOL_GC_IP_ENABLED, maybe, 'SPIDERPOOL_GC_IP_ENABLED is ''maybe'', which is neither true nor false; set"
                + " it to true or false, or unset it (default true)'",
        "SPIDERPOOL_GC_DEFAULT_INTERVAL_DURATION, 10m, 'SPIDERPOOL_GC_DEFAULT_INTERVAL_DURATION is ''10m'', which is"
                + " not a whole number of seconds from 1 to 1000000; set it to one, or unset it (default 600)'",
        "SPIDERPOOL_GC_IP_ENABLED, false, 'no controller runs: node-ipam-controller needs --allocate-node-cidrs, and"
                + " SPIDERPOOL_GC_IP_ENABLED switches spiderpool-gc off'"
    })
    void variableThatMakesNoSenseIsWrongUsage(String name, String value, String sentence) {
        var shell = Shell.at(home).with(name, value);

        var ended = shell.run("controller", "--controllers", "spiderpool-gc");

        assertThat(ended.exitCode()).isEqualTo(2);
        assertThat(ended.err()).startsWith("cadastre: " + sentence + "\n");
    }

    @ParameterizedTest
    @CsvSource({
        "--webhook-url=https://h:1, --webhook-service=s, --webhook-service and --webhook-url exclude each other: the"
                + " API server asks at one place",
        "--webhook-url=https://h:1, --webhook-listen=5722, --webhook-listen '5722' is not an address and port; write it"
                + " as 127.0.0.1:9094"
    })
    void flagsOfWebhooksThatMakeNoSenseAreWrongUsage(String one, String other, String sentence) {
        var ended = Shell.at(home).run("controller", one, other);

        assertThat(ended.exitCode()).isEqualTo(2);
        assertThat(ended.err()).startsWith("cadastre: " + sentence + "\n");
    }

    @Test
    void portOfWebhooksThatMakesNoSenseIsWrongUsage() {
        var shell = Shell.at(home).with("SPIDERPOOL_WEBHOOK_PORT", "https");

        var ended = shell.run("controller", "--webhook-service=hook");

        assertThat(ended.exitCode()).isEqualTo(2);
        assertThat(ended.err())
                .startsWith("cadastre: SPIDERPOOL_WEBHOOK_PORT is 'https', which is not a port from 1 to 65535; set it"
                        + " to one, or unset it (default 5722)\n");
    }

    @Test
    void aPlaceThatIsTakenIsAFailure() throws IOException {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var listen = "127.0.0.1:" + taken.getLocalPort();

            var ended = Shell.at(home).run("controller", "--listen=" + listen);

            assertThat(ended.exitCode()).isEqualTo(1);
            assertThat(ended.err())
                    .isEqualTo("cadastre: cannot listen on %s: Address already in use\n".formatted(listen));
        }
    }
}
