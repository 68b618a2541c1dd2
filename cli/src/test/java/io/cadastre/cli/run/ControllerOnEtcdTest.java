package io.cadastre.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cadastre.cli.Shell;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.RoutedDatastore;
import io.cadastre.datastore.RoutedDatastore.Route;
import io.cadastre.datastore.etcd.EtcdDatastore;
import io.cadastre.datastore.etcd.EtcdProcess;
import io.cadastre.datastore.kubernetes.KubeApiServer;
import io.cadastre.datastore.kubernetes.KubernetesDatastore;
import io.cadastre.datastore.kubernetes.KubernetesSettings.Access.Kubeconfig;
import io.cadastre.wire.calico.CalicoKeys;
import io.cadastre.wire.kubernetes.CoreObjects;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Controllers as processes, on a real etcd, with pods and nodes on a real API server.
@Timeout(600)
class ControllerOnEtcdTest {

    private static Shell shell(Path home, EtcdProcess etcd) {
        return Shell.at(home)
                .with("DATASTORE_TYPE", "etcdv3")
                .with("ETCD_ENDPOINTS", etcd.endpoint().toString());
    }

    private static Shell beside(Shell shell, KubeApiServer server) {
        var access = (Kubeconfig) server.settings().access();
        return shell.with("KUBECONFIG", access.file().toString());
    }

    /// As Calico and Kubernetes write them: blocks and nodes of Calico in etcd, pods and nodes of Kubernetes
    /// in its API.
    private static Datastore both(EtcdProcess etcd, KubeApiServer server) {
        return RoutedDatastore.of(List.of(
                new Route("/calico/", EtcdDatastore.open(etcd.settings())),
                new Route(
                        "/cadastre/", KubernetesDatastore.open(server.settings(), new CoreObjects(), new Random(1)))));
    }

    private static void ran(Shell shell, String... words) {
        var ended = shell.run(words);
        assertThat(ended.exitCode()).as(ended.err()).isZero();
    }

    @Test
    void aStoppedLeaderReleasesNothingWhenItResumes(@TempDir Path home) throws Exception {
        try (var server = KubeApiServer.start(Files.createDirectory(home.resolve("kubernetes")));
                var etcd = EtcdProcess.start(home);
                var store = both(etcd, server);
                var controllers = ControllerProcesses.in(home)) {

            StoppedLeader.releasesNothingWhenItResumes(controllers, beside(shell(home, etcd), server), store);

            try (var own = EtcdDatastore.open(etcd.settings())) {
                assertThat(own.listAll("/cadastre/").documents()).isEmpty();
            }
        }
    }

    @Test
    void withoutAKubernetesApiItReportsThatAndReleasesNoAddress(@TempDir Path home) throws Exception {
        try (var etcd = EtcdProcess.start(home);
                var store = EtcdDatastore.open(etcd.settings());
                var controllers = ControllerProcesses.in(home)) {
            var shell = shell(home, etcd);
            var cluster = StoppedLeader.settle(shell, store);
            cluster.give("perhaps-gone");
            // Pods in etcd are no proof: only a test writes them there.
            cluster.report("living", cluster.give("living"));
            ran(shell, "ipam", "assign", "--node=node-1", "--handle=brief", "--ip=10.244.7.7");
            ran(shell, "ipam", "release", "--ip=10.244.7.7");
            var emptyBlock = CalicoKeys.BLOCKS + "ipv4/block/10.244.7.0-26";
            var before = store.get(emptyBlock);

            var controller = controllers.start(shell, "a", "1s");
            controller.awaitErr("no Kubernetes API is configured");
            controller.awaitErr("Set KUBECONFIG");
            await().atMost(StoppedLeader.PATIENCE)
                    .until(() -> store.get(emptyBlock).isEmpty());

            assertThat(before).isPresent();
            assertThat(cluster.handles()).containsExactly("net.living", "net.perhaps-gone");
        }
    }
}
