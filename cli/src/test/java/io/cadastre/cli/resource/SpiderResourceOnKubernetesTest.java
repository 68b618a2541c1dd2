package io.cadastre.cli.resource;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.cli.Shell;
import io.cadastre.datastore.kubernetes.KubeApiServer;
import io.cadastre.datastore.kubernetes.KubernetesSettings.Access.Kubeconfig;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.NonDeletingOperation;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Spiderpool's objects of a real API server, which lacks Calico's, on the command line.
@Timeout(600)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class SpiderResourceOnKubernetesTest {

    private static final Path DEFINITIONS = Path.of("../deploy/crds/spiderpool.spidernet.io-v2beta1.yaml");
    private static final String API = "/apis/spiderpool.spidernet.io/v2beta1/";

    private KubeApiServer server;
    private KubernetesClient others;
    private Shell shell = Shell.at(Path.of(""));

    @BeforeAll
    void start(@TempDir Path home) throws IOException, NoSuchAlgorithmException {
        server = KubeApiServer.start(Files.createDirectory(home.resolve("kubernetes")));
        others = server.client();
        try (var definitions = Files.newInputStream(DEFINITIONS)) {
            server.install(
                    definitions,
                    List.of(
                            API + "spiderippools",
                            API + "spiderreservedips",
                            API + "spiderendpoints",
                            API + "spidersubnets"));
        }
        var access = (Kubeconfig) server.settings().access();
        shell = Shell.at(home)
                .with("DATASTORE_TYPE", "kubernetes")
                .with("KUBECONFIG", access.file().toString());
        for (var namespace : List.of("kube-system", "shop")) {
            put("{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"%s\"}}".formatted(namespace));
        }
    }

    @AfterAll
    void stop() {
        if (server != null) {
            others.close();
            server.close();
        }
    }

    private void put(String json) {
        for (var object : others.load(new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8)))
                .items()) {
            others.resource(object).createOr(NonDeletingOperation::update);
        }
    }

    private Shell.Ended apply(String kind, String name, String spec) {
        return shell.runPiping(
                "{apiVersion: spiderpool.spidernet.io/v2beta1, kind: %s, metadata: {name: %s}, spec: %s}"
                        .formatted(kind, name, spec),
                "apply",
                "-f",
                "-");
    }

    @Test
    void poolIsAppliedShownAndDeleted() {
        var created = apply("SpiderIPPool", "p4", "{subnet: 172.18.40.0/24, ips: [172.18.40.40-172.18.40.44]}");
        var again = apply("SpiderIPPool", "p4", "{subnet: 172.18.40.0/24, ips: [172.18.40.40-172.18.40.44]}");
        var shown = shell.run("get", "sp", "p4");
        var changed = apply("SpiderIPPool", "p4", "{subnet: 172.18.40.0/24, ips: [172.18.40.40-172.18.40.45]}");
        var total = others.raw(API + "spiderippools/p4");
        var overlapping = apply("SpiderIPPool", "p5", "{subnet: 172.18.0.0/16, ips: [172.18.40.40]}");
        var deleted = shell.run("delete", "sp", "p4");

        assertThat(created).isEqualTo(new Shell.Ended(0, "spiderippool/p4 created\n", ""));
        assertThat(again.out()).isEqualTo("spiderippool/p4 unchanged\n");
        assertThat(shown.out()).isEqualTo("""
            NAME   VERSION   SUBNET           ALLOCATED-IP-COUNT   TOTAL-IP-COUNT   DEFAULT
            p4     4         172.18.40.0/24   0                    5                false
            """);
        assertThat(changed.out()).isEqualTo("spiderippool/p4 configured\n");
        assertThat(total).contains("\"totalIPCount\":6");
        assertThat(overlapping.err()).contains("overlap with IPPool p4");
        assertThat(deleted).isEqualTo(new Shell.Ended(0, "spiderippool/p4 deleted\n", ""));
        assertThat(shell.run("get", "sp", "p4").exitCode()).isEqualTo(3);
    }

    @Test
    void reservedAddressesAreCreatedShownAndDeleted() {
        var created = shell.runPiping(
                "{apiVersion: spiderpool.spidernet.io/v2beta1, kind: SpiderReservedIP, metadata: {name: r},"
                        + " spec: {ips: [10.9.0.1]}}",
                "create",
                "-f",
                "-");
        var shown = shell.run("get", "sr");
        var deleted = shell.run("delete", "sr", "r");

        assertThat(created).isEqualTo(new Shell.Ended(0, "spiderreservedip/r created\n", ""));
        assertThat(shown.out()).isEqualTo("NAME   VERSION\nr      4\n");
        assertThat(deleted.out()).isEqualTo("spiderreservedip/r deleted\n");
    }

    @Test
    void podIsExplainedAndWhatItHoldsIsFoundAndChecked() {
        apply("SpiderIPPool", "q4", "{subnet: 10.8.0.0/24, ips: [10.8.0.7-10.8.0.8]}");
        put("""
            {"apiVersion":"v1","kind":"Pod","metadata":{"namespace":"shop","name":"web-0"},
             "spec":{"nodeName":"n1","containers":[{"name":"c","image":"i:1"}]}}
            """);

        var explained = shell.run(
                "explain", "pod", "shop/web-0", "--ipam", "{\"type\":\"spiderpool\",\"default_ipv4_ippool\":[\"q4\"]}");
        others.raw(
                API + "spiderippools/q4/status",
                "PUT",
                others.raw(API + "spiderippools/q4")
                        .replace(
                                "\"allocatedIPCount\":0",
                                "\"allocatedIPCount\":1,\"allocatedIPs\":"
                                    + "\"{\\\"10.8.0.7\\\":{\\\"pod\\\":\\\"shop/web-0\\\",\\\"podUid\\\":\\\"u1\\\"}}\""));
        var holder = shell.run("who", "10.8.0.7");
        var checked = shell.run("ipam", "check");
        var deleted = shell.run("delete", "sp", "q4");
        var ending = shell.run("get", "sp", "q4", "-o", "yaml");

        assertThat(explained.err()).isEmpty();
        assertThat(explained.out()).startsWith("pod shop/web-0 on node n1 would be given 10.8.0.7\n");
        assertThat(holder.out()).contains("SpiderIPPool(q4)", "shop/web-0");
        assertThat(checked.exitCode()).as(checked.out() + checked.err()).isZero();
        assertThat(checked.err()).contains("lacks Calico's kinds");
        assertThat(deleted.out())
                .isEqualTo("spiderippool/q4 is being deleted: it assigns no more addresses and is removed with the"
                        + " last of its addresses in use, now 1\n");
        assertThat(ending.out()).contains("deletionTimestamp");
    }
}
