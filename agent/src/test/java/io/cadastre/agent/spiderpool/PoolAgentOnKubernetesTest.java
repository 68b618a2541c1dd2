package io.cadastre.agent.spiderpool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.cadastre.agent.calico.AgentContext;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.kubernetes.KubeApiServer;
import io.cadastre.datastore.kubernetes.KubernetesDatastore;
import io.cadastre.datastore.memory.MemoryJournal;
import io.cadastre.registry.Ledger;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.kubernetes.CoreObjects;
import io.cadastre.wire.spiderpool.AllocatedIp;
import io.cadastre.wire.spiderpool.IpamAddArgs;
import io.cadastre.wire.spiderpool.IpamDelArgs;
import io.cadastre.wire.spiderpool.PodIdentity;
import io.cadastre.wire.spiderpool.objects.SpiderKeys;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apps.ReplicaSetBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The agent of pools on a real API server, by a user who has the role of the dialect and nothing else.
@Timeout(600)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PoolAgentOnKubernetesTest {

    private static final Duration AMPLE = Duration.ofSeconds(60);
    private static final Path DEPLOYED = Path.of("../deploy");
    private static final String API = "/apis/spiderpool.spidernet.io/v2beta1/";

    private KubeApiServer server;
    private KubernetesClient others;
    private KubernetesDatastore store;
    private PoolAgent agent;

    @BeforeAll
    void start(@TempDir Path folder) throws IOException, NoSuchAlgorithmException {
        server = KubeApiServer.start(folder);
        others = server.client();
        try (var definitions = Files.newInputStream(DEPLOYED.resolve("crds/spiderpool.spidernet.io-v2beta1.yaml"))) {
            server.install(
                    definitions, List.of(API + "spiderippools", API + "spiderreservedips", API + "spiderendpoints"));
        }
        others.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName("ns1")
                        .endMetadata()
                        .build())
                .create();
        grantUnprivilegedUserTheRole();
        store = KubernetesDatastore.open(server.settingsOfUnprivilegedUser(), new CoreObjects(), new Random(1));
        agent = new PoolAgent(
                new AgentContext(
                        store,
                        new Ledger(new MemoryJournal()),
                        InstantSource.system(),
                        new SplittableRandom(1),
                        Thread::sleep),
                "n1",
                PoolAgentSettings.of(Map.of()));
        await().atMost(AMPLE).ignoreExceptions().untilAsserted(() -> agent.checkHealth());
    }

    @AfterAll
    void stop() {
        if (server != null) {
            store.close();
            others.close();
            server.close();
        }
    }

    private void grantUnprivilegedUserTheRole() throws IOException {
        try (var roles = Files.newInputStream(DEPLOYED.resolve("rbac.yaml"))) {
            others.load(roles).items().stream()
                    .filter(object -> object.getKind().equals("ClusterRole"))
                    .forEach(role -> others.resource(role).create());
        }
        others.resource(new ClusterRoleBindingBuilder()
                        .withNewMetadata()
                        .withName("unprivileged-gives-addresses")
                        .endMetadata()
                        .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", "cadastre-spiderpool")
                        .addNewSubject("rbac.authorization.k8s.io", "User", "unprivileged", null)
                        .build())
                .create();
    }

    // ---- fixtures ----

    private void pool(String name, String spec) {
        others.load(new ByteArrayInputStream("""
            {"apiVersion":"spiderpool.spidernet.io/v2beta1","kind":"SpiderIPPool",
             "metadata":{"name":"%s","finalizers":["spiderpool.spidernet.io"]},"spec":%s}
            """.formatted(name, spec).getBytes(StandardCharsets.UTF_8)))
                .create();
    }

    private static PodBuilder aPod(String name, String pool) {
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace("ns1")
                .withName(name)
                .addToAnnotations("ipam.spidernet.io/ippool", "{\"ipv4\":[\"%s\"]}".formatted(pool))
                .endMetadata()
                .withNewSpec()
                .withNodeName("n1")
                .addNewContainer()
                .withName("c")
                .withImage("image:1")
                .endContainer()
                .endSpec();
    }

    private String created(PodBuilder pod) {
        return others.resource(pod.build()).create().getMetadata().getUid();
    }

    private String runningPod(String name, String pool) {
        return created(aPod(name, pool));
    }

    private void removePod(String name) {
        others.pods().inNamespace("ns1").withName(name).withGracePeriod(0).delete();
        await().atMost(AMPLE)
                .until(() -> others.pods().inNamespace("ns1").withName(name).get() == null);
    }

    private static PodIdentity identity(String pod, String uid) {
        return new PodIdentity("ns1", pod, uid);
    }

    private List<String> given(String pod, String uid) {
        var args = new IpamAddArgs("c", "eth0", "/run/netns/x", identity(pod, uid), List.of(), List.of(), false, false);
        return agent.allocate(args).of("eth0").ips().stream()
                .map(AllocatedIp::ip)
                .map(ip -> ip.address().toString())
                .toList();
    }

    private String refusal(String pod, String uid) {
        return catchThrowableOfType(SpiderpoolAgentException.class, () -> given(pod, uid))
                .words();
    }

    private void release(String pod, String uid) {
        agent.release(new IpamDelArgs("c", "eth0", "", identity(pod, uid)));
    }

    private String status(String pool) {
        return Json.readObject(
                        pool,
                        store.get(SpiderKeys.pool(pool)).map(Document::value).orElseThrow())
                .path("status")
                .toString();
    }

    // ---- tests ----

    @Test
    void podGetsTheSameAddressAgainAndGivesItBackWhenItIsGone() {
        pool("p", "{\"subnet\":\"10.2.0.0/24\",\"ips\":[\"10.2.0.1-10.2.0.9\"],\"ipVersion\":4}");
        var uid = runningPod("a", "p");

        var first = given("a", uid);
        var again = given("a", uid);
        release("a", uid);
        var afterDelOfALivePod = status("p");
        removePod("a");
        release("a", uid);

        assertThat(first).containsExactly("10.2.0.1/24");
        assertThat(again).isEqualTo(first);
        assertThat(afterDelOfALivePod).contains("\"allocatedIPCount\":1", uid);
        assertThat(status("p")).isEqualTo("{\"allocatedIPCount\":0}");
        assertThat(store.listAll(SpiderKeys.ENDPOINTS).documents()).isEmpty();
    }

    /// What an ADD leaves that stops between the pool and the endpoint.
    @Test
    void podWhoseAddStoppedBeforeTheEndpointGetsTheAddressOfItsRecord() {
        pool("left", "{\"subnet\":\"10.6.0.0/24\",\"ips\":[\"10.6.0.1-10.6.0.9\"],\"ipVersion\":4}");
        var uid = runningPod("left-1", "left");
        putRecord("left", "10.6.0.5", "ns1/left-1", uid);

        var given = given("left-1", uid);
        removePod("left-1");
        release("left-1", uid);

        assertThat(given).containsExactly("10.6.0.5/24");
        assertThat(status("left")).isEqualTo("{\"allocatedIPCount\":0}");
    }

    private void putRecord(String pool, String address, String pod, String uid) {
        var stored = store.get(SpiderKeys.pool(pool)).orElseThrow();
        var json = Json.readObject(pool, stored.value());
        json.putObject("status")
                .put("allocatedIPCount", 1)
                .put("allocatedIPs", "{\"%s\":{\"pod\":\"%s\",\"podUid\":\"%s\"}}".formatted(address, pod, uid));
        assertThat(store.commit(List.of(new Write.Update(stored.key(), Json.write(json), stored.revision()))))
                .isInstanceOf(Commit.Done.class);
    }

    /// As a store does that asks the server whether a write was applied whose answer was lost.
    @Test
    void poolIsWrittenAsItIsWithTheRoleOfTheDialect() {
        pool("same", "{\"subnet\":\"10.7.0.0/24\",\"ips\":[\"10.7.0.1-10.7.0.9\"],\"ipVersion\":4}");
        putRecord("same", "10.7.0.5", "ns1/same-1", "u1");
        var stored = store.get(SpiderKeys.pool("same")).orElseThrow();

        var commit = store.commit(List.of(new Write.Update(stored.key(), stored.value(), stored.revision())));

        assertThat(commit).isInstanceOf(Commit.Done.class);
    }

    @Test
    void fullPoolIsRefusedUntilAnAddressIsGivenBack() {
        pool("full", "{\"subnet\":\"10.3.0.0/24\",\"ips\":[\"10.3.0.1\"],\"ipVersion\":4}");
        var one = runningPod("full-1", "full");
        var two = runningPod("full-2", "full");

        given("full-1", one);
        var refused = refusal("full-2", two);
        removePod("full-1");
        release("full-1", one);
        var given = given("full-2", two);

        assertThat(refused).contains("full");
        assertThat(given).containsExactly("10.3.0.1/24");
        removePod("full-2");
        release("full-2", two);
    }

    @Test
    void poolThatIsDeletedInUseGivesNothingAndGoesWithItsLastAddress() {
        pool("ending", "{\"subnet\":\"10.4.0.0/24\",\"ips\":[\"10.4.0.1-10.4.0.9\"],\"ipVersion\":4}");
        var one = runningPod("ending-1", "ending");
        var two = runningPod("ending-2", "ending");
        given("ending-1", one);

        others.raw(API + "spiderippools/ending", "DELETE", null);
        var refused = refusal("ending-2", two);
        var kept = store.get(SpiderKeys.pool("ending"));
        removePod("ending-1");
        release("ending-1", one);

        assertThat(refused).contains("terminating IPPool ending");
        assertThat(kept).isPresent();
        assertThat(store.get(SpiderKeys.pool("ending"))).isEmpty();
        removePod("ending-2");
    }

    @Test
    void endpointNamesTheDeploymentAndAMissingReplicaSetFailsTheAdd() {
        pool("owned", "{\"subnet\":\"10.5.0.0/24\",\"ips\":[\"10.5.0.1-10.5.0.9\"],\"ipVersion\":4}");
        others.resource(new ReplicaSetBuilder()
                        .withNewMetadata()
                        .withNamespace("ns1")
                        .withName("web-7c9d")
                        .withOwnerReferences(new OwnerReferenceBuilder()
                                .withApiVersion("apps/v1")
                                .withKind("Deployment")
                                .withName("web")
                                .withUid("d")
                                .withController(true)
                                .build())
                        .endMetadata()
                        .withNewSpec()
                        .withReplicas(0)
                        .withNewSelector()
                        .addToMatchLabels("app", "web")
                        .endSelector()
                        .withNewTemplate()
                        .withNewMetadata()
                        .addToLabels("app", "web")
                        .endMetadata()
                        .withSpec(aPod("x", "owned").build().getSpec())
                        .endTemplate()
                        .endSpec()
                        .build())
                .create();
        var owned = created(ownedPod("web-7c9d-a", "web-7c9d"));
        var orphan = created(ownedPod("web-gone-a", "web-gone"));

        given("web-7c9d-a", owned);
        var refused = refusal("web-gone-a", orphan);

        var endpoint = Json.readObject(
                "endpoint",
                store.get(SpiderKeys.ENDPOINTS + "ns1/web-7c9d-a")
                        .map(Document::value)
                        .orElseThrow());
        assertThat(endpoint.at("/status/ownerControllerType").asText()).isEqualTo("Deployment");
        assertThat(endpoint.at("/status/ownerControllerName").asText()).isEqualTo("web");
        assertThat(refused).startsWith("failed to get ReplicaSet ns1/web-gone");
        for (var pod : List.of(new Named("web-7c9d-a", owned), new Named("web-gone-a", orphan))) {
            removePod(pod.name());
            release(pod.name(), pod.uid());
        }
        assertThat(status("owned")).isEqualTo("{\"allocatedIPCount\":0}");
    }

    private record Named(String name, String uid) {}

    private static PodBuilder ownedPod(String name, String replicaSet) {
        Pod pod = aPod(name, "owned").build();
        return new PodBuilder(pod)
                .editMetadata()
                .withOwnerReferences(new OwnerReferenceBuilder()
                        .withApiVersion("apps/v1")
                        .withKind("ReplicaSet")
                        .withName(replicaSet)
                        .withUid("r")
                        .withController(true)
                        .build())
                .endMetadata();
    }
}
