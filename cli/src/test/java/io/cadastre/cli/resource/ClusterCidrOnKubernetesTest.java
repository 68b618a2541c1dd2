package io.cadastre.cli.resource;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.cli.Shell;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.kubernetes.KubeApiServer;
import io.cadastre.datastore.kubernetes.KubernetesDatastore;
import io.cadastre.datastore.kubernetes.KubernetesSettings.Access.Kubeconfig;
import io.cadastre.wire.kubernetes.CoreObjects;
import io.cadastre.wire.kubernetes.clustercidr.ClusterCidrDocument;
import io.cadastre.wire.kubernetes.clustercidr.ClusterCidrGroup;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.dsl.NonDeletingOperation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// ClusterCIDRs of a real API server on the command line.
@Timeout(600)
final class ClusterCidrOnKubernetesTest {

    private static final Path DEFINITIONS = Path.of("../deploy/crds");

    private static final String POOL = "{apiVersion: networking.x-k8s.io/v1, kind: ClusterCIDR, metadata: {name: a},"
            + " spec: {perNodeHostBits: 8, ipv4: 10.0.0.0/16}}";

    @Test
    void theServerKeepsAClusterCidrUntilItsFinalizerIsRemoved(@TempDir Path home) throws Exception {
        try (var server = KubeApiServer.start(Files.createDirectory(home.resolve("kubernetes")))) {
            prepare(server);
            var access = (Kubeconfig) server.settings().access();
            var shell = Shell.at(home)
                    .with("DATASTORE_TYPE", "kubernetes")
                    .with("KUBECONFIG", access.file().toString());

            var created = shell.runPiping(POOL, "apply", "-f", "-");
            var again = shell.runPiping(POOL, "apply", "-f", "-");
            var changed = shell.runPiping(POOL.replace("/16", "/15"), "apply", "-f", "-");
            var shown = shell.run("get", "cc");
            rewrite(server, ClusterCidrDocument::withFinalizer);
            var deleted = shell.run("delete", "cc", "a");
            var ending = shell.run("get", "cc", "a", "-o", "yaml");
            rewrite(server, ClusterCidrDocument::withoutFinalizer);

            assertThat(created).isEqualTo(new Shell.Ended(0, "clustercidr/a created\n", ""));
            assertThat(again.out()).isEqualTo("clustercidr/a unchanged\n");
            assertThat(changed.err()).contains("spec.ipv4: Invalid value: \"10.0.0.0/15\": field is immutable");
            assertThat(shown.out()).contains("10.0.0.0/16   <none>");
            assertThat(deleted.out()).startsWith("clustercidr/a is being deleted");
            assertThat(ending.out()).contains("deletionTimestamp");
            assertThat(shell.run("get", "cc", "a").exitCode()).isEqualTo(3);
        }
    }

    private static void prepare(KubeApiServer server) throws IOException {
        for (var file : List.of("crd.projectcalico.org-v1.yaml", "networking.x-k8s.io-v1.yaml")) {
            try (var definitions = Files.newInputStream(DEFINITIONS.resolve(file))) {
                var path = file.startsWith("crd") ? "/apis/crd.projectcalico.org/v1/ippools" : listed();
                server.install(definitions, List.of(path));
            }
        }
        try (var client = server.client()) {
            client.resource(new NamespaceBuilder()
                            .withNewMetadata()
                            .withName("kube-system")
                            .endMetadata()
                            .build())
                    .createOr(NonDeletingOperation::update);
        }
    }

    private static String listed() {
        return "/apis/" + ClusterCidrGroup.CUSTOM.apiVersion() + "/" + ClusterCidrGroup.PLURAL;
    }

    /// As a controller does.
    private static void rewrite(KubeApiServer server, UnaryOperator<ClusterCidrDocument> change) {
        try (Datastore store = KubernetesDatastore.open(server.settings(), new CoreObjects(), new Random(1))) {
            var stored = store.get(ClusterCidrGroup.CUSTOM.key("a")).orElseThrow();
            var content = change.apply(ClusterCidrDocument.decode(stored)).encode();
            assertThat(store.commit(List.of(new Write.Update(stored.key(), content, stored.revision()))))
                    .isInstanceOf(Commit.Done.class);
        }
    }
}
