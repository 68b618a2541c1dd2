package io.cadastre.cli.resource;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.cli.Shell;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.kubernetes.KubeApiServer;
import io.cadastre.datastore.kubernetes.KubernetesDatastore;
import io.cadastre.datastore.kubernetes.KubernetesSettings.Access.Kubeconfig;
import io.cadastre.wire.cilium.CiliumKeys;
import io.cadastre.wire.cilium.CiliumNodeDocument;
import io.cadastre.wire.kubernetes.CoreObjects;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.dsl.NonDeletingOperation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// CiliumNodes and CiliumPodIPPools of a real API server on the command line.
@Timeout(600)
final class CiliumOnKubernetesTest {

    private static final Path DEFINITIONS = Path.of("../deploy/crds");

    private static final String POOL = "{apiVersion: cilium.io/v2alpha1, kind: CiliumPodIPPool, metadata: {name: mars},"
            + " spec: {ipv4: {cidrs: [10.20.0.0/16], maskSize: 28}}}";

    private static final String NODE = "{apiVersion: cilium.io/v2, kind: CiliumNode, metadata: {name: n1},"
            + " spec: {ipam: {podCIDRs: [10.0.3.0/24], pool: {10.0.0.7: {owner: default/db-0}}}}}";

    @Test
    void objectsAreWrittenAndTheStatusOfANodeIsAPartOfItsOwn(@TempDir Path home) throws Exception {
        try (var server = KubeApiServer.start(Files.createDirectory(home.resolve("kubernetes")))) {
            prepare(server);
            var access = (Kubeconfig) server.settings().access();
            var shell = Shell.at(home)
                    .with("DATASTORE_TYPE", "kubernetes")
                    .with("KUBECONFIG", access.file().toString());

            var pool = shell.runPiping(POOL, "apply", "-f", "-");
            var again = shell.runPiping(POOL, "apply", "-f", "-");
            var mask = shell.runPiping(POOL.replace("28", "27"), "apply", "-f", "-");
            var node = shell.runPiping(NODE, "apply", "-f", "-");
            var error = writeError(server);
            var changed = shell.runPiping(NODE.replace("10.0.3", "10.0.4"), "apply", "-f", "-");
            var shown = shell.run("get", "cn", "-o", "wide");
            var deleted = shell.run("delete", "cn", "n1");

            assertThat(pool).isEqualTo(new Shell.Ended(0, "ciliumpodippool/mars created\n", ""));
            assertThat(again.out()).isEqualTo("ciliumpodippool/mars unchanged\n");
            assertThat(mask.err()).contains("maskSize is immutable");
            assertThat(node).isEqualTo(new Shell.Ended(0, "ciliumnode/n1 created\n", ""));
            assertThat(error).isInstanceOf(Commit.Done.class);
            assertThat(changed).isEqualTo(new Shell.Ended(0, "ciliumnode/n1 configured\n", ""));
            assertThat(shown.out()).contains("10.0.4.0/24   allocator full");
            assertThat(shell.run("get", "cpip").out()).contains("10.20.0.0/16   28");
            assertThat(deleted.out()).isEqualTo("ciliumnode/n1 deleted\n");
            assertThat(shell.run("get", "cn", "n1").exitCode()).isEqualTo(3);
        }
    }

    /// As an operator does.
    private static Commit writeError(KubeApiServer server) {
        try (Datastore store = KubernetesDatastore.open(server.settings(), new CoreObjects(), new Random(1))) {
            var stored = store.get(CiliumKeys.node("n1")).orElseThrow();
            var content = CiliumNodeDocument.decode("n1", stored.value())
                    .withError("allocator full")
                    .encode();
            return store.commit(List.of(new Write.Update(stored.key(), content, stored.revision())));
        }
    }

    private static void prepare(KubeApiServer server) throws IOException {
        install(server, "crd.projectcalico.org-v1.yaml", List.of("/apis/crd.projectcalico.org/v1/ippools"));
        install(
                server,
                "cilium.io-v2.yaml",
                List.of("/apis/cilium.io/v2/ciliumnodes", "/apis/cilium.io/v2alpha1/ciliumpodippools"));
        try (var client = server.client()) {
            client.resource(new NamespaceBuilder()
                            .withNewMetadata()
                            .withName("kube-system")
                            .endMetadata()
                            .build())
                    .createOr(NonDeletingOperation::update);
        }
    }

    private static void install(KubeApiServer server, String file, List<String> listed) throws IOException {
        try (var definitions = Files.newInputStream(DEFINITIONS.resolve(file))) {
            server.install(definitions, listed);
        }
    }
}
