package io.cadastre.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.cli.Shell;
import io.cadastre.datastore.kubernetes.KubeApiServer;
import io.cadastre.datastore.kubernetes.KubernetesSettings.Access.Kubeconfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
}
