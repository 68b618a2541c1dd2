package io.cadastre.cli.ipam;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.cli.Shell;
import io.cadastre.cli.run.StoppedLeader;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.kubernetes.KubeApiServer;
import io.cadastre.datastore.kubernetes.KubernetesDatastore;
import io.cadastre.datastore.kubernetes.KubernetesSettings.Access.Kubeconfig;
import io.cadastre.wire.kubernetes.CoreObjects;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Pods on a real API server keep the addresses that a store beside it has forgotten.
@Timeout(600)
final class AdoptLivePodsTest {

    @Test
    void runningPodsKeepAddressesOfWhichNoLedgerKnows(@TempDir Path home) throws Exception {
        try (var server = KubeApiServer.start(Files.createDirectory(home.resolve("kubernetes")));
                Datastore cluster = KubernetesDatastore.open(server.settings(), new CoreObjects(), new Random(1))) {
            var access = (Kubeconfig) server.settings().access();
            var shell = Shell.at(home).with("KUBECONFIG", access.file().toString());
            var pods = StoppedLeader.settle(shell, cluster);
            pods.report("web", "10.244.3.9");
            pods.report("elsewhere", "192.168.7.7");

            var shown = adopt(shell, "--dry-run");
            var adopted = adopt(shell);
            var again = adopt(shell);

            assertThat(shown.out())
                    .contains("10.244.3.9 is held by 'adopted.default.web' on node-1, according to pod")
                    .contains("1 addresses would be given");
            assertThat(adopted.err()).isEmpty();
            assertThat(adopted.out()).contains("1 addresses were given");
            assertThat(again.out()).isEqualTo("0 addresses were given to their holders\n");
            assertThat(shell.run("ipam", "show", "--ip=10.244.3.9").out()).contains("pod: web");
        }
    }

    private static Shell.Ended adopt(Shell shell, String... more) {
        var words = new String[5 + more.length];
        System.arraycopy(
                new String[] {"ipam", "adopt", "--node=node-1", "--cni-cache-dir", "/nowhere"}, 0, words, 0, 5);
        System.arraycopy(more, 0, words, 5, more.length);
        return shell.run(words);
    }
}
