package io.cadastre.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.cli.RunningProcess;
import io.cadastre.cli.Shell;
import io.cadastre.cni.doorbell.Doorbell;
import io.cadastre.cni.doorbell.DoorbellSettings;
import io.cadastre.datastore.etcd.EtcdProcess;
import io.cadastre.wire.cni.CniAnswer;
import io.cadastre.wire.cni.CniError;
import io.cadastre.wire.cni.CniResult;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A user of etcd who has the rights that Calico documents: everything under `/calico/`, and nothing else.
@Timeout(300)
final class CalicoRightsTest {

    @TempDir
    private Path home;

    private final List<RunningProcess> running = new ArrayList<>();
    private @Nullable EtcdProcess etcd;

    @BeforeEach
    void beginWithUsers() throws Exception {
        var started = EtcdProcess.start(home);
        etcd = started;
        started.etcdctl("user", "add", "root:secret");
        started.etcdctl("user", "grant-role", "root", "root");
        started.etcdctl("user", "add", "calico:secret");
        started.etcdctl("role", "add", "calico");
        started.etcdctl("role", "grant-permission", "calico", "--prefix=true", "readwrite", "/calico/");
        started.etcdctl("user", "grant-role", "calico", "calico");
        started.etcdctl("auth", "enable");
    }

    @AfterEach
    void end() {
        running.forEach(RunningProcess::close);
        if (etcd != null) {
            etcd.close();
        }
    }

    private Shell shell() {
        return Shell.at(home)
                .with("DATASTORE_TYPE", "etcdv3")
                .with("ETCD_ENDPOINTS", Objects.requireNonNull(etcd).endpoint().toString())
                .with("ETCD_USERNAME", "calico")
                .with("ETCD_PASSWORD", "secret");
    }

    private void apply(String manifest) {
        succeed(shell().runPiping(manifest, "apply", "-f", "-"));
    }

    private static void succeed(Shell.Ended ended) {
        assertThat(ended.exitCode()).as(ended.err()).isZero();
    }

    @Test
    void calicosRightsAreEnoughForCalicosData() {
        var shell = shell();

        apply("""
            {apiVersion: projectcalico.org/v3, kind: IPPool, metadata: {name: p}, spec: {cidr: 10.91.0.0/24}}
            ---
            {apiVersion: projectcalico.org/v3, kind: Node, metadata: {name: node-1}}
            """);
        succeed(shell.run("ipam", "assign", "--node", "node-1", "--handle", "h"));
        succeed(shell.run("ipam", "show", "--show-blocks"));
        succeed(shell.run("explain", "ipam", "assign", "--node", "node-1"));
        succeed(shell.run("get", "ippools"));
        succeed(shell.run("ipam", "check"));
        succeed(shell.run("ipam", "release-handle", "h"));
        succeed(shell.run("ipam", "collect"));
    }

    // ---- an agent, on a node of which Calico knows nothing yet ----

    private RunningProcess up() throws IOException, InterruptedException {
        var command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                "io.cadastre.cli.Main",
                "up",
                "--node=node-1",
                "--socket=" + places().socket(),
                "--spool=" + places().spool());
        var process = RunningProcess.start(home, shell().environment(), command);
        running.add(process);
        process.awaitOut("Interrupt with Ctrl-C.");
        return process;
    }

    private DoorbellSettings places() {
        return DoorbellSettings.of(home.resolve("agent.sock"), home.resolve("spool"));
    }

    private CniAnswer ring(String verb, String more) {
        var network = "{\"cniVersion\": \"1.0.0\", \"name\": \"net\", \"ipam\": {\"type\": \"cadastre-ipam\"}%s}"
                .formatted(more);
        return new Doorbell(places())
                .ring(
                        "cadastre-ipam",
                        Map.of(
                                "CNI_COMMAND", verb,
                                "CNI_CONTAINERID", "c1",
                                "CNI_NETNS", "/none",
                                "CNI_IFNAME", "eth0",
                                "CNI_PATH", "/none",
                                "CNI_ARGS", "IgnoreUnknown=1;K8S_POD_NAMESPACE=shop;K8S_POD_NAME=web-0"),
                        new ByteArrayInputStream(network.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void calicosRightsAreEnoughForAnAgent() throws Exception {
        var agent = up();
        apply("""
            {apiVersion: projectcalico.org/v3, kind: IPPool, metadata: {name: p},
              spec: {cidr: 10.91.0.0/24, allowedUses: [Workload], namespaceSelector: "kubernetes.io/metadata.name == 'shop'"}}
            """);

        var added = ring("ADD", "");
        var asking = ring("ADD", ", \"policy\": {\"type\": \"k8s\"}");
        var deleted = ring("DEL", "");

        assertThat(added.exitCode()).as(added.stdout().utf8()).isZero();
        assertThat(CniResult.parse(added.stdout()).ips()).hasSize(1);
        assertThat(CniError.parse(asking.stdout()).sentence())
                .contains("namespaces \"shop\" not found")
                .contains("/cadastre/api/v1/namespaces/shop that it may read");
        assertThat(deleted.exitCode()).as(deleted.stdout().utf8()).isZero();
        assertThat(shell().run("ipam", "show").out()).contains("256 |     0 (0%)");
        assertThat(agent.err()).doesNotContain("denied");
    }

    @Test
    void aControllerWithoutAKubernetesApiNamesTheRightThatItsLeaseNeeds() throws Exception {
        try (var controllers = ControllerProcesses.in(home)) {

            var controller = controllers.start(shell(), "a", "1s");
            controller.awaitErr("cannot stand for election");

            controller.awaitErr("read /cadastre/apis/coordination.k8s.io/v1/leases/");
        }
    }
}
