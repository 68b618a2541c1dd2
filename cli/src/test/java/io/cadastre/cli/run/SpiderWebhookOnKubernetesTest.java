package io.cadastre.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.cli.RunningProcess;
import io.cadastre.cli.Shell;
import io.cadastre.datastore.PeerProcess;
import io.cadastre.datastore.kubernetes.KubeApiServer;
import io.cadastre.datastore.kubernetes.KubernetesSettings;
import io.cadastre.datastore.kubernetes.KubernetesSettings.Access.Kubeconfig;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.NonDeletingOperation;
import java.io.IOException;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A real API server that asks a controller about Spiderpool's objects. The controller is a process whose user has the
/// deployed roles and nothing else.
@Timeout(900)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class SpiderWebhookOnKubernetesTest {

    private static final Duration AMPLE = Duration.ofMinutes(3);
    private static final Path DEPLOYED = Path.of("../deploy");
    private static final String API = "/apis/spiderpool.spidernet.io/v2beta1/";
    private static final String POOLS = API + "spiderippools";
    private static final String SUBNETS = API + "spidersubnets";
    private static final String RESERVED = API + "spiderreservedips";
    private static final String CILIUM_POOLS = "/apis/cilium.io/v2alpha1/ciliumpodippools";
    private static final String CONFIGURATIONS = "/apis/admissionregistration.k8s.io/v1/";
    private static final String NAME = "cadastre-spiderpool-webhook";
    private static final String USED = "{\"172.18.40.40\":{\"pod\":\"default/a\",\"podUid\":\"u1\"}}";

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private Path home = Path.of("");
    private int port;
    private KubeApiServer server;
    private KubernetesClient others;
    private @Nullable RunningProcess controller;

    // ---- from nothing to webhooks, with the rights one after another ----

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        home = folder;
        port = PeerProcess.freePorts(1).getFirst();
        server = KubeApiServer.start(Files.createDirectory(home.resolve("kubernetes")));
        others = server.client();
        try (var definitions = Files.newInputStream(DEPLOYED.resolve("crds/spiderpool.spidernet.io-v2beta1.yaml"))) {
            server.install(definitions, List.of(POOLS, RESERVED, SUBNETS, API + "spiderendpoints"));
        }
        try (var definitions = Files.newInputStream(DEPLOYED.resolve("crds/cilium.io-v2.yaml"))) {
            server.install(definitions, List.of(CILIUM_POOLS));
        }
        others.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName("kube-system")
                        .endMetadata()
                        .build())
                .createOr(NonDeletingOperation::update);
        try (var roles = Files.newInputStream(DEPLOYED.resolve("rbac.yaml"))) {
            others.load(roles).items().stream()
                    .filter(object -> List.of("ClusterRole", "Role").contains(object.getKind()))
                    .forEach(role -> others.resource(role).create());
        }
        grant("ClusterRole", "cadastre-controller");
        grant("ClusterRole", "cadastre-spiderpool");
        grant("Role", "cadastre-controller");

        startController();
        Objects.requireNonNull(controller).awaitErr("cannot keep the keys of the webhooks");
        assertThat(controller.err()).contains("get", "secrets", "kube-system");
        grant("Role", NAME);
        controller.awaitErr("cannot tell the API server of the webhooks");
        assertThat(controller.err()).contains("mutatingwebhookconfigurations");
        grant("ClusterRole", NAME);
        awaitAsked();
    }

    @AfterAll
    void stop() {
        if (controller != null) {
            controller.close();
        }
        if (server != null) {
            others.close();
            server.close();
        }
    }

    private void grant(String kind, String role) {
        if (kind.equals("ClusterRole")) {
            others.resource(new ClusterRoleBindingBuilder()
                            .withNewMetadata()
                            .withName("unprivileged-" + role)
                            .endMetadata()
                            .withNewRoleRef("rbac.authorization.k8s.io", kind, role)
                            .addNewSubject("rbac.authorization.k8s.io", "User", "unprivileged", null)
                            .build())
                    .create();
        } else {
            others.resource(new RoleBindingBuilder()
                            .withNewMetadata()
                            .withNamespace("kube-system")
                            .withName("unprivileged-" + role)
                            .endMetadata()
                            .withNewRoleRef("rbac.authorization.k8s.io", kind, role)
                            .addNewSubject("rbac.authorization.k8s.io", "User", "unprivileged", null)
                            .build())
                    .create();
        }
    }

    private void startController() throws IOException {
        controller = startController(
                server.settingsOfUnprivilegedUser(),
                "--controllers=spiderpool-status,spiderpool-webhook",
                "--webhook-url=https://127.0.0.1:" + port,
                "--webhook-listen=127.0.0.1:" + port);
    }

    private RunningProcess startController(KubernetesSettings settings, String... options) throws IOException {
        var access = (Kubeconfig) settings.access();
        var shell = Shell.at(home)
                .with("DATASTORE_TYPE", "kubernetes")
                .with("KUBECONFIG", access.file().toString())
                .with("XDG_STATE_HOME", home.resolve("state").toString());
        return RunningProcess.start(
                home,
                shell.environment(),
                Stream.concat(
                                Stream.of(
                                        Path.of(System.getProperty("java.home"), "bin", "java")
                                                .toString(),
                                        "--enable-native-access=ALL-UNNAMED",
                                        "-XX:TieredStopAtLevel=1",
                                        "-XX:+UseSerialGC",
                                        "-cp",
                                        System.getProperty("java.class.path"),
                                        "io.cadastre.cli.Main",
                                        "controller",
                                        "--listen=127.0.0.1:0"),
                                Stream.of(options))
                        .toList());
    }

    private void stopController() {
        Objects.requireNonNull(controller).close();
        controller = null;
    }

    /// Until the API server asks: a pool that only the webhooks refuse is refused, by them. It is stored in no case.
    private void awaitAsked() {
        await().atMost(AMPLE).untilAsserted(() -> {
            var refused = catchThrowableOfType(
                    KubernetesClientException.class,
                    () -> create(POOLS + "?dryRun=All", pool("asked", "{\"subnet\":\"10.1.0.5/24\"}")));
            assertThat(refused).isNotNull();
            assertThat(refused).hasMessageContaining("unformatted subnet 10.1.0.5/24");
        });
    }

    @AfterEach
    void removeEverything() throws IOException {
        if (controller == null) {
            startController();
        }
        for (var collection : List.of(SUBNETS, POOLS, RESERVED)) {
            for (var item : read(collection).path("items")) {
                var path = collection + "/" + item.at("/metadata/name").asText();
                if (item.path("status").has("allocatedIPs")) {
                    release(path);
                }
                await().atMost(AMPLE).ignoreExceptions().until(() -> {
                    others.raw(path, "DELETE", null);
                    return true;
                });
                if (collection.equals(SUBNETS)) {
                    // As the controller does once no pool has anything of it; that loop does not run here.
                    var gone = read(path);
                    ((ObjectNode) gone.path("metadata")).remove("finalizers");
                    others.raw(path, "PUT", gone);
                }
            }
        }
        await().atMost(AMPLE).until(() -> read(POOLS).path("items").isEmpty());
    }

    // ---- fixtures ----

    private static ObjectNode json(String text) {
        try {
            return (ObjectNode) MAPPER.readTree(text);
        } catch (IOException wrong) {
            throw new AssertionError(text, wrong);
        }
    }

    private static ObjectNode pool(String name, String spec) {
        return json("""
            {"apiVersion":"spiderpool.spidernet.io/v2beta1","kind":"SpiderIPPool","metadata":{"name":"%s"},"spec":%s}
            """.formatted(name, spec));
    }

    private ObjectNode create(String path, ObjectNode object) {
        return json(others.raw(path, "POST", object));
    }

    private ObjectNode create(String name, String spec) {
        return create(POOLS, pool(name, spec));
    }

    private ObjectNode read(String path) {
        return json(others.raw(path));
    }

    private ObjectNode readPool(String name) {
        return read(POOLS + "/" + name);
    }

    private boolean exists(String name) {
        return read(POOLS)
                .path("items")
                .valueStream()
                .anyMatch(item -> item.at("/metadata/name").asText().equals(name));
    }

    private ObjectNode write(ObjectNode object) {
        return json(others.raw(POOLS + "/" + object.at("/metadata/name").asText(), "PUT", object));
    }

    /// As an agent records an address.
    private void occupy(String name) {
        await().atMost(AMPLE).ignoreExceptions().until(() -> {
            var object = readPool(name);
            var status = object.get("status") instanceof ObjectNode present ? present : object.putObject("status");
            status.put("allocatedIPs", USED).put("allocatedIPCount", 1);
            return others.raw(POOLS + "/" + name + "/status", "PUT", object) != null;
        });
    }

    private void release(String path) {
        await().atMost(AMPLE).ignoreExceptions().until(() -> {
            var object = read(path);
            ((ObjectNode) object.path("status")).put("allocatedIPCount", 0).remove("allocatedIPs");
            return others.raw(path + "/status", "PUT", object) != null;
        });
    }

    private static KubernetesClientException refusal(Runnable write) {
        var refused = catchThrowableOfType(KubernetesClientException.class, write::run);
        assertThat(refused).isNotNull();
        return refused;
    }

    private static void assertRefused(Runnable write, int code, String reason, String... words) {
        var refused = refusal(write);
        assertThat(refused.getMessage())
                .contains("admission webhook \"spiderippool.spiderpool.spidernet.io\" denied the request: ")
                .contains(words);
        assertThat(refused.getCode()).isEqualTo(code);
        assertThat(refused.getMessage()).contains("reason=" + reason);
    }

    private JsonNode counted(String name, int total) {
        await().atMost(AMPLE)
                .until(() -> readPool(name).at("/status/totalIPCount").asInt(-1) == total);
        return readPool(name).path("status");
    }

    // ---- tests ----

    @Test
    @DisplayName("C01, C02, C03: a pool is completed by the webhook and counted by the controller")
    void poolIsCompletedAndCounted() {
        var created = create(
                "p4",
                "{\"subnet\":\"172.18.40.0/24\",\"ips\":[\"172.18.40.3-172.18.40.6\",\"172.18.40.1-172.18.40.4\",\"172.18.40.10\"]}");
        var six = create("p6", "{\"subnet\":\"fd00:db8::/32\"}");

        assertThat(created.at("/spec/ipVersion").asInt()).isEqualTo(4);
        assertThat(created.at("/spec/ips").toString()).isEqualTo("[\"172.18.40.1-172.18.40.6\",\"172.18.40.10\"]");
        assertThat(created.at("/metadata/finalizers").toString()).isEqualTo("[\"spiderpool.spidernet.io\"]");
        assertThat(created.at("/metadata/labels").toString())
                .isEqualTo("{\"ipam.spidernet.io/ippool-cidr\":\"172-18-40-0-24\"}");
        assertThat(six.at("/spec/ipVersion").asInt()).isEqualTo(6);
        assertThat(six.at("/metadata/labels").toString()).contains("fd00-db8---32");
        assertThat(counted("p4", 7).toString()).isEqualTo("{\"allocatedIPCount\":0,\"totalIPCount\":7}");
        assertThat(counted("p6", 0).path("allocatedIPCount").asInt(-1)).isZero();
    }

    @Test
    @DisplayName("C04, C05, C06: totals of pools that kubectl creates, and a total that follows the ranges")
    void totalsAreCounted() {
        create(
                "c04",
                "{\"subnet\":\"10.6.0.0/24\",\"ips\":[\"10.6.0.1-10.6.0.10\",\"10.6.0.11-10.6.0.20\",\"10.6.0.21-10.6.0.30\"],\"excludeIPs\":[\"10.6.0.1-10.6.0.2\",\"10.6.0.8-10.6.0.22\"]}");
        create("c05", "{\"subnet\":\"fd00::/64\",\"ips\":[\"fd00::1-fd00::10\"],\"excludeIPs\":[\"fd00::1-fd00::2\"]}");
        create(
                "c06",
                "{\"subnet\":\"fd12:3456:789a::/48\",\"ips\":[\"fd12:3456:789a:baba::1-fd12:3456:789a:ffff:ffff:ffff:ffff:ffff\"]}");

        counted("c04", 13);
        counted("c05", 14);
        await().atMost(AMPLE)
                .until(() -> readPool("c06").at("/status/totalIPCount").asText().equals("9223372036854775807"));
        var changed = readPool("c05");
        ((ObjectNode) changed.path("spec")).remove("excludeIPs");
        write(changed);
        counted("c05", 16);
    }

    @Test
    @DisplayName("C07, C08, C09, C11, C12, C13, C16, C21: what Spiderpool refuses is refused, with its code and reason")
    void whatSpiderpoolRefusesIsRefused() {
        create("a", "{\"subnet\":\"10.6.0.0/24\",\"ips\":[\"10.6.0.1-10.6.0.10\"]}");

        assertRefused(
                () -> create("b", "{\"subnet\":\"10.7.0.5/24\"}"),
                422,
                "Invalid",
                "unformatted subnet 10.7.0.5/24, please change it to 10.7.0.0/24");
        assertRefused(
                () -> create("b", "{\"subnet\":\"10.6.0.0/16\"}"),
                422,
                "Invalid",
                "overlap with IPPool a which 'spec.subnet' is 10.6.0.0/24");
        assertRefused(
                () -> create("b", "{\"subnet\":\"10.6.0.0/24\",\"ips\":[\"10.6.0.10-10.6.0.20\"]}"),
                422,
                "Invalid",
                "spec.ips: Forbidden: overlap with IPPool a in IP ranges [10.6.0.1-10.6.0.10]");
        assertRefused(
                () -> create(
                        "b", "{\"subnet\":\"10.7.0.0/24\",\"ips\":[\"10.7.0.1-10.7.0.9\"],\"gateway\":\"10.7.0.1\"}"),
                422,
                "Invalid",
                "spec.ips[0]",
                "conflicts with 'spec.gateway' 10.7.0.1");
        assertRefused(
                () -> create("b", "{\"subnet\":\"10.7.0.0/24\",\"gateway\":\"10.8.0.1\"}"),
                422,
                "Invalid",
                "not pertains to the 'spec.subnet'");
        assertRefused(
                () -> create(
                        "b", "{\"subnet\":\"10.7.0.0/24\",\"routes\":[{\"dst\":\"0.0.0.0/0\",\"gw\":\"10.7.0.1\"}]}"),
                422,
                "Invalid",
                "please specify 'spec.gateway' to configure the default route");
        assertRefused(
                () -> create("b", "{\"subnet\":\"10.7.0.0/24\",\"podAffinity\":{}}"),
                422,
                "Invalid",
                "empty podAffinity is invalid for SpiderIPPool");
        assertRefused(() -> create("a", "{\"subnet\":\"10.6.0.0/24\"}"), 409, "AlreadyExists", "\"a\" already exists");
        assertThat(create("b", "{\"subnet\":\"10.6.0.0/24\",\"ips\":[\"10.6.0.11-10.6.0.20\"]}")
                        .at("/metadata/name")
                        .asText())
                .isEqualTo("b");
    }

    @Test
    @DisplayName("C14, C15, C18, C20: a pool in use keeps what pods have, and goes when it is deleted and unused")
    void poolInUseKeepsWhatPodsHaveAndGoesWhenItIsUnused() {
        create("p", "{\"subnet\":\"172.18.40.0/24\",\"ips\":[\"172.18.40.40-172.18.40.44\"]}");
        counted("p", 5);
        occupy("p");

        var moved = readPool("p");
        ((ObjectNode) moved.path("spec")).put("subnet", "172.18.41.0/24");
        assertRefused(() -> write(moved), 422, "Invalid", "spec.subnet: Forbidden: is not changeable");
        var shrunk = readPool("p");
        ((ObjectNode) shrunk.path("spec")).putArray("ips").add("172.18.40.41-172.18.40.44");
        assertRefused(() -> write(shrunk), 422, "Invalid", "172.18.40.40 that is being used by Pod default/a");
        others.raw(POOLS + "/p", "DELETE", null);
        var disabled = readPool("p");
        assertThat(disabled.at("/metadata/deletionTimestamp").asText()).isNotEmpty();
        ((ObjectNode) disabled.path("spec")).put("disable", true);
        assertRefused(() -> write(disabled), 403, "Forbidden", "cannot update a terminating IPPool");
        assertThat(exists("p")).isTrue();

        release(POOLS + "/p");

        await().atMost(AMPLE).until(() -> !exists("p"));
    }

    @Test
    void dryRunIsReviewedAndStoresNothing() {
        var reviewed =
                create(POOLS + "?dryRun=All", pool("p", "{\"subnet\":\"172.18.40.0/24\",\"ips\":[\"172.18.40.40\"]}"));

        assertThat(reviewed.at("/spec/ipVersion").asInt()).isEqualTo(4);
        assertRefused(
                () -> create(POOLS + "?dryRun=All", pool("p", "{\"subnet\":\"172.18.40.5/24\"}")),
                422,
                "Invalid",
                "unformatted subnet");
        assertThat(exists("p")).isFalse();
    }

    @Test
    @DisplayName("C27: reserved addresses")
    void reservedAddressesAreReviewed() {
        var created = create(RESERVED, json("""
            {"apiVersion":"spiderpool.spidernet.io/v2beta1","kind":"SpiderReservedIP","metadata":{"name":"r"},
             "spec":{"ips":["10.6.168.131-10.6.168.132"]}}
            """));

        assertThat(created.at("/spec/ipVersion").asInt()).isEqualTo(4);
        ((ObjectNode) created.path("spec")).put("ipVersion", 6).putArray("ips").add("fd00::1");
        assertThat(refusal(() -> others.raw(RESERVED + "/r", "PUT", created)).getMessage())
                .contains("admission webhook \"spiderreservedip.spiderpool.spidernet.io\" denied the request")
                .contains("spec.ipVersion: Forbidden: is not changeable");
    }

    private ObjectNode createSubnet(String name, String spec) {
        return create(SUBNETS, json("""
            {"apiVersion":"spiderpool.spidernet.io/v2beta1","kind":"SpiderSubnet","metadata":{"name":"%s"},"spec":%s}
            """.formatted(name, spec)));
    }

    private static void assertSubnetRefused(Runnable write, int code, String... words) {
        var refused = refusal(write);
        assertThat(refused.getMessage())
                .contains("admission webhook \"spidersubnet.spiderpool.spidernet.io\" denied the request: ")
                .contains(words);
        assertThat(refused.getCode()).isEqualTo(code);
    }

    @Test
    @DisplayName("C22, C23, C24, C25: subnets are reviewed, and control the pools of their prefix")
    void subnetsAreReviewedAndControlThePoolsOfTheirPrefix() {
        create("orphan", "{\"subnet\":\"10.7.0.0/16\",\"ips\":[\"10.7.1.1-10.7.1.5\"]}");

        var subnet = createSubnet(
                "s",
                "{\"subnet\":\"10.6.0.0/16\",\"ips\":[\"10.6.168.106-10.6.168.110\",\"10.6.168.101-10.6.168.105\"],\"gateway\":\"10.6.0.1\"}");
        assertThat(subnet.at("/spec/ips").toString()).isEqualTo("[\"10.6.168.101-10.6.168.110\"]");
        assertThat(subnet.at("/spec/ipVersion").asInt()).isEqualTo(4);
        assertThat(subnet.at("/metadata/finalizers").toString()).isEqualTo("[\"spiderpool.spidernet.io\"]");
        assertThat(subnet.at("/metadata/labels").toString())
                .isEqualTo("{\"ipam.spidernet.io/subnet-cidr\":\"10-6-0-0-16\"}");
        assertSubnetRefused(
                () -> createSubnet("t", "{\"subnet\":\"10.6.0.0/24\"}"), 422, "overlap with Subnet s which");
        assertSubnetRefused(
                () -> createSubnet("t", "{\"subnet\":\"10.7.0.0/16\",\"ips\":[\"10.7.1.1-10.7.1.4\"]}"),
                422,
                "SpiderIPPool 'orphan' owns some IP addresses that SpiderSubnet 't' can't control");

        var pool = create("p", "{\"subnet\":\"10.6.0.0/16\",\"ips\":[\"10.6.168.108-10.6.168.110\"]}");
        assertThat(pool.at("/metadata/ownerReferences/0/name").asText()).isEqualTo("s");
        assertThat(pool.at("/spec/gateway").asText()).isEqualTo("10.6.0.1");
        assertRefused(
                () -> create("q", "{\"subnet\":\"10.6.0.0/16\",\"ips\":[\"10.6.168.111\"]}"),
                422,
                "Invalid",
                "not contained in controller Subnet s");

        var counted = read(SUBNETS + "/s");
        counted.putObject("status")
                .put("controlledIPPools", "{\"p\":{\"ips\":[\"10.6.168.108-10.6.168.110\"]}}")
                .put("allocatedIPCount", 3)
                .put("totalIPCount", 10);
        others.raw(SUBNETS + "/s/status", "PUT", counted);
        others.raw(POOLS + "/p", "DELETE", null);
        await().atMost(AMPLE).until(() -> !exists("p"));
        var shrunk = read(SUBNETS + "/s");
        ((ObjectNode) shrunk.path("spec")).putArray("ips").add("10.6.168.101-10.6.168.109");
        assertSubnetRefused(
                () -> others.raw(SUBNETS + "/s", "PUT", shrunk),
                422,
                "remove some IP ranges [10.6.168.110] that is being used by IPPool p");
        var moved = read(SUBNETS + "/s");
        ((ObjectNode) moved.path("spec")).put("subnet", "10.8.0.0/16");
        assertSubnetRefused(
                () -> others.raw(SUBNETS + "/s", "PUT", moved), 422, "spec.subnet: Forbidden: is not changeable");
        others.raw(SUBNETS + "/s", "DELETE", null);
        var terminating = read(SUBNETS + "/s");
        ((ObjectNode) terminating.path("spec")).put("gateway", "10.6.0.2");
        assertSubnetRefused(
                () -> others.raw(SUBNETS + "/s", "PUT", terminating), 403, "cannot update a terminaing Subnet");
    }

    @Test
    @DisplayName("C22, C85, C90: subnets and the pools of applications are kept while webhooks review all writes")
    void subnetsAndPoolsOfApplicationsAreKeptUnderReview() throws Exception {
        create("p", "{\"subnet\":\"10.6.0.0/16\",\"ips\":[\"10.6.168.110\"]}");
        createSubnet("s", "{\"subnet\":\"10.6.0.0/16\",\"ips\":[\"10.6.168.101-10.6.168.110\"]}");
        var labels = Map.of("app", "web");
        var deployment = others.resource(new DeploymentBuilder()
                        .withNewMetadata()
                        .withNamespace("kube-system")
                        .withName("web")
                        .endMetadata()
                        .withNewSpec()
                        .withReplicas(2)
                        .withNewSelector()
                        .withMatchLabels(labels)
                        .endSelector()
                        .withNewTemplate()
                        .withNewMetadata()
                        .withLabels(labels)
                        .withAnnotations(Map.of("ipam.spidernet.io/subnet", "{\"ipv4\":[\"s\"]}"))
                        .endMetadata()
                        .withNewSpec()
                        .addNewContainer()
                        .withName("c")
                        .withImage("i")
                        .endContainer()
                        .endSpec()
                        .endTemplate()
                        .endSpec()
                        .build())
                .create();
        var group = deployment.getMetadata().getUid().replaceFirst(".*-", "");
        var auto = "auto4-web-eth0-" + group.substring(0, 5);

        try (var subnets =
                startController(server.settings(), "--controllers=spiderpool-subnet", "--lease-name=subnets")) {
            await().atMost(AMPLE)
                    .ignoreExceptions()
                    .until(() ->
                            read(SUBNETS + "/s").at("/status/allocatedIPCount").asInt() == 3);
            await().atMost(AMPLE)
                    .ignoreExceptions()
                    .until(() -> readPool(auto).at("/spec/ips").toString().equals("[\"10.6.168.101-10.6.168.102\"]"));
            assertThat(readPool("p").at("/metadata/ownerReferences/0/name").asText())
                    .isEqualTo("s");
            others.apps()
                    .deployments()
                    .inNamespace("kube-system")
                    .withName("web")
                    .scale(3);
            await().atMost(AMPLE)
                    .until(() -> readPool(auto).at("/spec/ips").toString().equals("[\"10.6.168.101-10.6.168.103\"]"));
            others.apps()
                    .deployments()
                    .inNamespace("kube-system")
                    .withName("web")
                    .delete();
            await().atMost(AMPLE).until(() -> !exists(auto));
            others.raw(SUBNETS + "/s", "DELETE", null);
            await().atMost(AMPLE).until(() -> read(SUBNETS).path("items").isEmpty());
            assertThat(exists("p")).isFalse();
            assertThat(subnets.err()).doesNotContain("cannot", "not allow");
        }
    }

    @Test
    void rightsOfTheRoleSufficeToComparePoolsWithThoseOfCilium() {
        create(CILIUM_POOLS, json("""
            {"apiVersion":"cilium.io/v2alpha1","kind":"CiliumPodIPPool","metadata":{"name":"mars"},
             "spec":{"ipv4":{"cidrs":["10.50.0.0/16"],"maskSize":24}}}
            """));
        try {
            assertRefused(
                    () -> create("p", "{\"subnet\":\"10.50.0.0/16\",\"ips\":[\"10.50.1.1\"]}"),
                    422,
                    "Invalid",
                    "SpiderIPPool(p) overlaps with",
                    "no two dialects in one store may give addresses of one range");
        } finally {
            others.raw(CILIUM_POOLS + "/mars", "DELETE", null);
        }
    }

    @Test
    void withoutAControllerRecordsAreWrittenAndADeletedPoolGoesButNoPoolIsCreated() {
        create("p", "{\"subnet\":\"172.18.40.0/24\",\"ips\":[\"172.18.40.40-172.18.40.44\"]}");
        counted("p", 5);
        stopController();

        occupy("p");
        assertThat(readPool("p").at("/status/allocatedIPCount").asInt()).isOne();
        assertThat(refusal(() -> create("q", "{\"subnet\":\"10.9.0.0/24\"}")).getMessage())
                .contains("failed calling webhook \"spiderippool.spiderpool.spidernet.io\"");
        others.raw(POOLS + "/p", "DELETE", null);
        release(POOLS + "/p");
        var released = readPool("p");
        ((ObjectNode) released.path("metadata")).remove("finalizers");
        write(released);

        assertThat(exists("p")).isFalse();
    }

    @Test
    void keysAreInTheSecretAndInNoLog() {
        var secret = others.secrets().inNamespace("kube-system").withName(NAME).get();
        var process = Objects.requireNonNull(controller);

        assertThat(secret.getData()).containsOnlyKeys("ca.crt", "ca.key", "tls.crt", "tls.key");
        assertThat(read(CONFIGURATIONS + "validatingwebhookconfigurations/" + NAME)
                        .at("/webhooks/0/clientConfig/caBundle")
                        .asText())
                .isEqualTo(secret.getData().get("ca.crt"));
        assertThat(process.out() + process.err())
                .doesNotContain(
                        "PRIVATE KEY",
                        secret.getData().get("tls.key"),
                        secret.getData().get("ca.key"));
    }

    @Test
    void callerThatDoesNotFinishItsRequestIsLeftAlone() throws Exception {
        var trustsAll = SSLContext.getInstance("TLS");
        trustsAll.init(null, new TrustManager[] {new TrustsAll()}, null);
        try (var socket = (SSLSocket) trustsAll.getSocketFactory().createSocket("127.0.0.1", port)) {
            socket.setSoTimeout((int) AMPLE.toMillis());
            socket.getOutputStream()
                    .write(
                            "POST /validate-spiderpool-spidernet-io-v2beta1-spiderippool HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\n{"
                                    .getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().flush();

            int end;
            try {
                end = socket.getInputStream().read();
            } catch (SocketException closed) {
                end = -1;
            }

            assertThat(end).isEqualTo(-1);
        }
        assertThat(create("p", "{\"subnet\":\"172.18.40.0/24\"}")
                        .at("/spec/ipVersion")
                        .asInt())
                .isEqualTo(4);
    }

    /// For a caller that does not care whom it talks to.
    private static final class TrustsAll implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
