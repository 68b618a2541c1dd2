package io.cadastre.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.cli.session.Manifests;
import java.io.InputStream;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What the manifests of `deploy` let a process do.
class DeployTest {

    private static JsonNode podIn(String file) {
        return Manifests.read("../deploy/" + file, InputStream.nullInputStream())
                .getFirst()
                .at("/spec/template/spec");
    }

    private static JsonNode container(String file, String name) {
        var pod = podIn(file);
        return StreamSupport.stream(pod.path("containers").spliterator(), false)
                .filter(container -> container.path("name").asText().equals(name))
                .findFirst()
                .orElseGet(() -> pod.at("/initContainers/0"));
    }

    @ParameterizedTest
    @CsvSource({"agent.yaml, install", "agent.yaml, agent", "controller.yaml, controller"})
    void aContainerHasALimitOfMemoryAndCannotWriteItsRoot(String file, String name) {
        var container = container(file, name);

        assertThat(container.path("name").asText()).isEqualTo(name);
        assertThat(container.at("/resources/limits/memory").asText()).endsWith("Mi");
        assertThat(container.at("/securityContext/readOnlyRootFilesystem").asBoolean())
                .isTrue();
        assertThat(podIn(file).at("/securityContext/seccompProfile/type").asText())
                .isEqualTo("RuntimeDefault");
    }

    /// Else each container that is killed leaves another copy of the library in the volume, until it is full.
    @ParameterizedTest
    @CsvSource({"agent.yaml, agent", "controller.yaml, controller"})
    void whatAContainerUnpacksIsInAVolumeAndUsedByTheNextOne(String file, String name) {
        var container = container(file, name);

        var cache = with("name", "XDG_CACHE_HOME", container.path("env"))
                .path("value")
                .asText();
        var mounted = with("mountPath", cache, container.path("volumeMounts"));

        assertThat(mounted.path("readOnly").asBoolean()).isFalse();
        assertThat(with("name", mounted.path("name").asText(), podIn(file).path("volumes")))
                .isNotNull();
    }

    private static JsonNode with(String field, String value, JsonNode objects) {
        return StreamSupport.stream(objects.spliterator(), false)
                .filter(object -> object.path(field).asText().equals(value))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no %s %s".formatted(field, value)));
    }

    @ParameterizedTest
    @CsvSource({"agent.yaml, install", "controller.yaml, controller"})
    void onlyTheAgentHasCapabilities(String file, String name) {
        var context = container(file, name).path("securityContext");

        assertThat(context.at("/capabilities/drop/0").asText()).isEqualTo("ALL");
        assertThat(context.at("/capabilities/add").isMissingNode()).isTrue();
        assertThat(context.path("privileged").asBoolean()).isFalse();
        assertThat(context.path("allowPrivilegeEscalation").asBoolean(true)).isFalse();
    }

    @Test
    void theControllerIsNotRoot() {
        var context = podIn("controller.yaml").path("securityContext");

        assertThat(context.path("runAsNonRoot").asBoolean()).isTrue();
        assertThat(context.path("runAsUser").asInt()).isPositive();
    }

    @Test
    void theControllerChangesNoLeaseButItsOwnAndCreatesNoBlock() {
        var roles = Manifests.read("../deploy/rbac.yaml", InputStream.nullInputStream()).stream()
                .filter(object -> object.path("kind").asText().endsWith("Role"))
                .filter(role -> role.at("/metadata/name").asText().equals("cadastre-controller"))
                .toList();

        assertThat(roles).hasSize(2);
        for (var role : roles) {
            for (var rule : role.path("rules")) {
                checkRule((ObjectNode) rule);
            }
        }
    }

    /// What the controller may create besides its lease: the default ClusterCIDR and events about Nodes.
    private static final List<String> CREATED = List.of("[\"events\"]", "[\"clustercidrs\"]");

    private static void checkRule(ObjectNode rule) {
        var resources = rule.path("resources").toString();
        var verbs = rule.path("verbs").toString();
        if (resources.contains("leases")) {
            assertThat(verbs.equals("[\"create\"]") || rule.has("resourceNames"))
                    .as(rule.toString())
                    .isTrue();
        } else if (!CREATED.contains(resources)) {
            assertThat(verbs).doesNotContain("create");
        }
    }

    /// An agent reads what a pod belongs to, and only the controller follows it and changes subnets themselves.
    @Test
    void onlyTheControllerFollowsApplicationsAndWritesSubnets() {
        var objects = Manifests.read("../deploy/rbac.yaml", InputStream.nullInputStream());

        var bound = objects.stream()
                .filter(object -> object.path("kind").asText().equals("ClusterRoleBinding"))
                .filter(binding -> binding.at("/roleRef/name").asText().equals("cadastre-spiderpool-subnet"))
                .flatMap(binding -> binding.path("subjects").valueStream())
                .map(subject -> subject.path("name").asText())
                .toList();
        var shared = objects.stream()
                .filter(object -> object.path("kind").asText().equals("ClusterRole"))
                .filter(role -> role.at("/metadata/name").asText().equals("cadastre-spiderpool"))
                .flatMap(role -> role.path("rules").valueStream())
                .filter(rule -> rule.path("resources").toString().matches(".*\"(deployments|spidersubnets)\".*"))
                .flatMap(rule -> rule.path("verbs").valueStream())
                .map(JsonNode::asText)
                .toList();

        assertThat(bound).containsExactly("cadastre-controller");
        assertThat(shared).doesNotContain("create", "update", "patch", "delete");
    }
}
