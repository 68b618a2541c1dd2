package io.cadastre.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.cli.RunningProcess;
import io.cadastre.cli.Shell;
import io.cadastre.cni.doorbell.Doorbell;
import io.cadastre.cni.doorbell.DoorbellSettings;
import io.cadastre.datastore.kubernetes.KubeApiServer;
import io.cadastre.datastore.kubernetes.KubernetesSettings.Access.Kubeconfig;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Agents of a cluster, on a real API server.
@Timeout(300)
class AgentOnKubernetesTest {

    private static final Path DEFINITIONS = Path.of("../deploy/crds/crd.projectcalico.org-v1.yaml");

    @TempDir
    private Path home;

    @Test
    void agentOfAClusterThatLacksCalicosKindsServesOtherDialects() throws Exception {
        try (var server = KubeApiServer.start(Files.createDirectory(home.resolve("kubernetes")));
                var client = server.client()) {
            client.resource("{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"node-1\"}}")
                    .create();
            var access = (Kubeconfig) server.settings().access();
            var places = DoorbellSettings.of(home.resolve("agent.sock"), home.resolve("spool"));
            var environment = Shell.at(home)
                    .with("DATASTORE_TYPE", "kubernetes")
                    .with("KUBECONFIG", access.file().toString())
                    .environment();
            try (var agent = RunningProcess.start(
                    home,
                    environment,
                    List.of(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "--enable-native-access=ALL-UNNAMED",
                            "-XX:TieredStopAtLevel=1",
                            "-XX:+UseSerialGC",
                            "-cp",
                            System.getProperty("java.class.path"),
                            "io.cadastre.cli.Main",
                            "agent",
                            "--node=node-1",
                            "--socket=" + places.socket(),
                            "--spool=" + places.spool()))) {
                agent.awaitOut("agent of node node-1 answers on");

                var answer = new Doorbell(places)
                        .ring(
                                "cadastre-ipam",
                                Map.of(
                                        "CNI_COMMAND",
                                        "ADD",
                                        "CNI_CONTAINERID",
                                        "c1",
                                        "CNI_NETNS",
                                        "/none",
                                        "CNI_IFNAME",
                                        "eth0",
                                        "CNI_PATH",
                                        "/none"),
                                new ByteArrayInputStream(
                                        network(home.resolve("networks")).getBytes(StandardCharsets.UTF_8)));

                assertThat(answer.exitCode()).as(answer.stdout().utf8()).isZero();
                assertThat(agent.err()).contains("this cluster lacks Calico's kinds");
            }
        }
    }

    @Test
    void agentOfANodeThatTheClusterLacksIsRefusedWithWhatToDo() throws Exception {
        try (var server = KubeApiServer.start(home);
                var definitions = Files.newInputStream(DEFINITIONS)) {
            server.install(definitions, List.of("/apis/crd.projectcalico.org/v1/ippools"));
            var access = (Kubeconfig) server.settings().access();

            var ended = Shell.at(home)
                    .with("DATASTORE_TYPE", "kubernetes")
                    .with("KUBECONFIG", access.file().toString())
                    .run(
                            "agent",
                            "--node",
                            "nowhere",
                            "--socket",
                            home.resolve("agent.sock").toString());

            assertThat(ended.exitCode()).isEqualTo(1);
            assertThat(ended.err())
                    .contains("Node 'nowhere' does not exist, and an agent cannot create one in this store; give the"
                            + " name of an existing Node with --node")
                    .doesNotContain("bug");
            assertThat(ended.out()).isEmpty();
        }
    }

    private static String network(Path folder) {
        return """
            {"cniVersion":"1.0.0","name":"net","type":"bridge","ipam":{"type":"cadastre-ipam","dialect":"host-local",\
            "subnet":"10.1.2.0/24","dataDir":"%s"}}\
            """.formatted(folder);
    }
}
