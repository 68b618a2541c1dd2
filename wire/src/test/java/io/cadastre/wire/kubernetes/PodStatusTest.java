package io.cadastre.wire.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.kubernetes.KubeApiServer;
import io.cadastre.datastore.kubernetes.KubernetesDatastore;
import io.cadastre.datastore.kubernetes.ObjectPatch;
import io.cadastre.datastore.kubernetes.ObjectPatch.Merge;
import io.cadastre.datastore.resource.ApiResource.Rewriting;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Pods on a real API server, by a user who has the agent's role and nothing else.
class PodStatusTest {

    private static final Path ROLES = Path.of("../deploy/rbac.yaml");
    private static final Duration AMPLE = Duration.ofSeconds(60);
    private static final String KEY = "/cadastre/api/v1/pods/default/web-0";

    @Test
    void anAgentAnnotatesPodsAndCannotChangeWhatTheyAskFor(@TempDir Path folder)
            throws IOException, NoSuchAlgorithmException {
        try (var server = KubeApiServer.start(folder);
                var others = server.client();
                var store = KubernetesDatastore.open(
                        server.settingsOfUnprivilegedUser(), new CoreObjects(), new Random(1))) {
            others.resource(aPod()).create();
            grantUnprivilegedUserTheRoleOfAnAgent(others);
            awaitRights(store);

            var uid = others.pods()
                    .inNamespace("default")
                    .withName("web-0")
                    .get()
                    .getMetadata()
                    .getUid();
            var written = store.patch(annotating(uid, "new"));
            var ofAnother =
                    catchThrowable(() -> store.patch(annotating("11111111-2222-3333-4444-555555555555", "newer")));

            assertThat(written).isInstanceOf(Commit.Done.class);
            assertThat(ofAnother)
                    .isInstanceOfSatisfying(
                            DatastoreException.class,
                            refused -> assertThat(refused.kind()).isEqualTo(DatastoreException.Kind.FAILED))
                    .hasMessageContaining("metadata.uid");
            var pod = others.pods().inNamespace("default").withName("web-0").get();
            assertThat(pod.getMetadata().getAnnotations()).containsEntry("note", "new");
            assertThat(pod.getSpec().getContainers())
                    .singleElement()
                    .satisfies(container -> assertThat(container.getImage()).isEqualTo("image:1"));
        }
    }

    private static ObjectPatch annotating(String uid, String note) {
        var changes = """
            {"metadata":{"uid":"%s","annotations":{"note":"%s"}},"spec":{"containers":[{"name":"web","image":"image:2"}]}}\
            """.formatted(uid, note);
        return new ObjectPatch(KEY, Merge.JSON, Rewriting.STATUS, Bytes.ofUtf8(changes));
    }

    private static Pod aPod() {
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName("web-0")
                .addToAnnotations("note", "old")
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("web")
                .withImage("image:1")
                .endContainer()
                .endSpec()
                .build();
    }

    private static void grantUnprivilegedUserTheRoleOfAnAgent(KubernetesClient others) throws IOException {
        try (var roles = Files.newInputStream(ROLES)) {
            others.load(roles).items().stream()
                    .filter(object -> object.getKind().equals("ClusterRole"))
                    .forEach(role -> others.resource(role).create());
        }
        others.resource(new ClusterRoleBindingBuilder()
                        .withNewMetadata()
                        .withName("unprivileged-is-an-agent")
                        .endMetadata()
                        .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", "cadastre-agent")
                        .addNewSubject("rbac.authorization.k8s.io", "User", "unprivileged", null)
                        .build())
                .create();
    }

    /// The server learns of roles by watching.
    private static void awaitRights(Datastore store) {
        await().atMost(AMPLE).ignoreExceptions().until(() -> store.get(KEY).isPresent());
    }
}
