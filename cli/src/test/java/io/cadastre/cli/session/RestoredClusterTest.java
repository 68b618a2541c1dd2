package io.cadastre.cli.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.cli.Manifest;
import io.cadastre.cli.Shell;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.etcd.EtcdDatastore;
import io.cadastre.datastore.etcd.EtcdEndpoint;
import io.cadastre.datastore.etcd.EtcdSettings;
import io.cadastre.datastore.kubernetes.KubeApiServer;
import io.cadastre.datastore.kubernetes.KubernetesSettings.Access.Kubeconfig;
import io.cadastre.wire.calico.crd.ApiGroup;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.client.dsl.NonDeletingOperation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A real API server whose etcd was restored has forgotten what the ledger of this machine tells of.
@Timeout(600)
final class RestoredClusterTest {

    private static final Path DEFINITIONS = Path.of("../deploy/crds/crd.projectcalico.org-v1.yaml");
    private static final List<String> KINDS = Stream.of("ippools", "ipamblocks", "blockaffinities", "ipamhandles")
            .map(kind -> "/apis/" + ApiGroup.CRD_V1.apiVersion() + "/" + kind)
            .toList();

    @Test
    void clusterWhoseEtcdWasRestoredIsRefusedUntilItIsAdopted(@TempDir Path home) throws Exception {
        try (var server = KubeApiServer.start(Files.createDirectory(home.resolve("kubernetes")))) {
            try (var definitions = Files.newInputStream(DEFINITIONS);
                    var client = server.client()) {
                server.install(definitions, KINDS);
                client.resource(new NamespaceBuilder()
                                .withNewMetadata()
                                .withName("kube-system")
                                .endMetadata()
                                .build())
                        .createOr(NonDeletingOperation::update);
                client.resource(new NodeBuilder()
                                .withNewMetadata()
                                .withName("n1")
                                .endMetadata()
                                .build())
                        .create();
            }
            var access = (Kubeconfig) server.settings().access();
            var shell = Shell.at(home)
                    .with("DATASTORE_TYPE", "kubernetes")
                    .with("KUBECONFIG", access.file().toString());
            shell.runPiping(Manifest.pool("p", "{cidr: 10.9.0.0/26}"), "apply", "-f", "-");
            assertThat(assign(shell, "h1").err()).isEmpty();
            server.snapshot(home.resolve("backup"));
            goOn(server);
            var lost = assign(shell, "h2").out().strip();

            server.restore(home.resolve("backup"));
            var refused = assign(shell, "h3");
            var adopted = shell.run("ipam", "adopt", "--node", "n1", "--cni-cache-dir", "/nowhere");
            var next = assign(shell, "h3");

            assertThat(refused.exitCode()).isEqualTo(1);
            assertThat(refused.err())
                    .containsPattern("records revision [0-9]+, but Kubernetes cluster \\S+ is at")
                    .contains("cadastre ipam adopt");
            assertThat(adopted.err()).isEmpty();
            assertThat(adopted.out()).contains(lost + " is held by 'h2' on n1");
            assertThat(next.out().strip()).isNotEmpty().isNotEqualTo(lost);
            assertThat(shell.run("ipam", "check").err()).isEmpty();
        }
    }

    /// What a cluster writes by itself in some time. A server that starts writes a few dozen.
    private static void goOn(KubeApiServer server) {
        var endpoint = EtcdEndpoint.parse("http://127.0.0.1:" + server.etcdPort());
        try (var etcd = EtcdDatastore.open(EtcdSettings.of(List.of(endpoint)))) {
            for (int count = 0; count < 1000; count++) {
                etcd.commit(List.of(new Write.Create("/life/" + count, Bytes.ofUtf8("goes on"))));
            }
        }
    }

    private static Shell.Ended assign(Shell shell, String handle) {
        return shell.run("ipam", "assign", "--node", "n1", "--handle", handle);
    }
}
