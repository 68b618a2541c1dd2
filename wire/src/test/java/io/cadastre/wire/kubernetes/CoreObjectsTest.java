package io.cadastre.wire.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.resource.Content;
import io.cadastre.datastore.resource.Scope;
import io.cadastre.wire.json.Json;
import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CoreObjectsTest {

    private final CoreObjects map = new CoreObjects();

    @ParameterizedTest
    @CsvSource({
        "/cadastre/api/v1/nodes/n, nodes, '', n",
        "/cadastre/api/v1/namespaces/default, namespaces, '', default",
        "/cadastre/api/v1/pods/default/web-0, pods, default, web-0",
        "/cadastre/api/v1/events/default/web-0.1, events, default, web-0.1",
        "/cadastre/apis/coordination.k8s.io/v1/leases/kube-system/l, leases, kube-system, l",
        "/cadastre/apis/networking.x-k8s.io/v1/clustercidrs/a, clustercidrs, '', a",
        "/cadastre/apis/networking.k8s.io/v1alpha1/clustercidrs/a, clustercidrs, '', a",
    })
    void anObjectIsAtItsAddress(String key, String plural, String namespace, String name) {
        var located = map.locate(key).orElseThrow();

        assertThat(located.resource().plural()).isEqualTo(plural);
        assertThat(located.namespace()).isEqualTo(namespace);
        assertThat(located.name()).isEqualTo(name);
    }

    @ParameterizedTest
    @CsvSource({
        "/cadastre/api/v1/pods/web-0",
        "/cadastre/api/v1/nodes/a/b",
        "/cadastre/api/v1/nodes/",
        "/cadastre/node-cidr/cursors",
    })
    void keyWithoutAnObjectHasNoLocation(String key) {
        assertThat(map.locate(key)).isEmpty();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> map.create(key, Bytes.ofUtf8("{}")))
                .withMessageContaining(key);
    }

    @Test
    void aDocumentIsTheObjectWithoutTheFieldsOfTheServer() {
        var pods =
                map.locate("/cadastre/api/v1/pods/default/web-0").orElseThrow().resource();

        var content = map.read(pods, Bytes.ofUtf8("""
            {"metadata":{"name":"web-0","namespace":"default","resourceVersion":"7",\
            "managedFields":[],"uid":"u"},"spec":{"nodeName":"n"}}\
            """));

        assertThat(content).isEqualTo(new Content.Present("/cadastre/api/v1/pods/default/web-0", Bytes.ofUtf8("""
            {"apiVersion":"v1","kind":"Pod","metadata":{"name":"web-0",\
            "namespace":"default","uid":"u"},"spec":{"nodeName":"n"}}\
            """)));
        assertThat(map.read(pods, Bytes.ofUtf8("{\"metadata\":{\"name\":\"web-0\"}}")))
                .isEqualTo(new Content.Foreign());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"metadata\":{\"name\":\"n\"}}",
                "{\"kind\":\"Node\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"n\",\"resourceVersion\":\"7\"}}",
                "{\"spec\":{\"kind\":1,\"metadata\":{\"managedFields\":[]}},\"metadata\":{\"managedFields\":[{\"a\":\"]}\"}],"
                    + "\"name\":\"n\",\"resourceVersion\":\"7\"},\"apiVersion\":\"v1\"}",
                "{\"a\":-0,\"b\":1e5,\"c\":[1.10,{}],\"d\":null,\"metadata\":{\"resourceVersion\":\"7\",\"name\":\"n\",\"é\":\"\\u003c\\\"\"},"
                    + "\"e\":true,\"f\":\"\\\\\",\"g\":{}}",
            })
    void aDocumentHasTheBytesOfATreeThatIsWrittenAnew(String object) {
        var nodes = map.locate("/cadastre/api/v1/nodes/n").orElseThrow().resource();
        var tree = Json.emptyObject().put("apiVersion", "v1").put("kind", "Node");
        tree.setAll(Json.readObject("n", Bytes.ofUtf8(object)));
        ((ObjectNode) tree.path("metadata")).remove(List.of("resourceVersion", "managedFields"));

        var content = map.read(nodes, Bytes.ofUtf8(object));

        assertThat(content).isEqualTo(new Content.Present("/cadastre/api/v1/nodes/n", Json.write(tree)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{}",
                "{\"metadata\":{\"name\":\"n\"}",
                "{\"metadata\":{\"name\":\"n\",\"namespace\":\"default\"}}",
                "{\"metadata\":[\"name\"]}",
            })
    void objectThatIsNotANodeIsForeign(String object) {
        var nodes = map.locate("/cadastre/api/v1/nodes/n").orElseThrow().resource();

        assertThat(map.read(nodes, Bytes.ofUtf8(object))).isEqualTo(new Content.Foreign());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"metadata\":{\"name\":\"n\"}}{}",
                "{\"metadata\":{\"name\":\"m\",\"name\":\"n\",\"labels\":{}},\"spec\":{}}",
            })
    void objectThatCannotBeReadIsThereUnderItsName(String object) {
        var nodes = map.locate("/cadastre/api/v1/nodes/n").orElseThrow().resource();

        assertThat(map.read(nodes, Bytes.ofUtf8(object)))
                .isEqualTo(new Content.Present("/cadastre/api/v1/nodes/n", Bytes.ofUtf8(object)));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 9})
    void objectIsThereHoweverLargeItIs(int mebibytes) {
        var nodes = map.locate("/cadastre/api/v1/nodes/n").orElseThrow().resource();
        var large =
                "{\"metadata\":{\"name\":\"n\",\"annotations\":{\"a\":\"%s\"}}}".formatted("x".repeat(mebibytes << 20));

        var content = map.read(nodes, Bytes.ofUtf8(large));

        assertThat(content)
                .asInstanceOf(InstanceOfAssertFactories.type(Content.Present.class))
                .extracting(Content.Present::key)
                .isEqualTo("/cadastre/api/v1/nodes/n");
    }

    @Test
    void anUpdateLeavesWhatTheServerFixed() {
        var key = "/cadastre/apis/coordination.k8s.io/v1/leases/kube-system/l";
        var current = Bytes.ofUtf8("{\"metadata\":{\"name\":\"l\",\"namespace\":\"kube-system\",\"uid\":\"u\","
                + "\"resourceVersion\":\"7\"},\"spec\":{\"holderIdentity\":\"a\"}}");

        var updated = map.update(
                current,
                key,
                Bytes.ofUtf8("{\"metadata\":{\"name\":\"l\",\"namespace\":\"kube-system\"},"
                        + "\"spec\":{\"holderIdentity\":\"b\"}}"));
        var created = map.create(key, Bytes.ofUtf8("{\"spec\":{\"holderIdentity\":\"b\"}}"));

        assertThat(updated.utf8())
                .isEqualTo("{\"apiVersion\":\"coordination.k8s.io/v1\",\"kind\":\"Lease\","
                        + "\"metadata\":{\"name\":\"l\",\"namespace\":\"kube-system\","
                        + "\"uid\":\"u\",\"resourceVersion\":\"7\"},"
                        + "\"spec\":{\"holderIdentity\":\"b\"}}");
        assertThat(created.utf8())
                .isEqualTo("{\"apiVersion\":\"coordination.k8s.io/v1\",\"kind\":\"Lease\","
                        + "\"spec\":{\"holderIdentity\":\"b\"},"
                        + "\"metadata\":{\"name\":\"l\",\"namespace\":\"kube-system\"}}");
    }

    @Test
    void aGroupThatAClusterMayLackIsListedOnlyWhereItIsMeant() {
        var key = "/cadastre/apis/networking.x-k8s.io/v1/clustercidrs/";

        assertThat(map.scopes(key))
                .extracting(scope -> scope.resource().qualifiedPlural())
                .containsExactly("clustercidrs.networking.x-k8s.io");
        assertThat(map.scopes("/cadastre/"))
                .extracting(scope -> scope.resource().plural())
                .doesNotContain("clustercidrs");
    }

    @Test
    void theFinalizersOfAClusterCidrAreWritten() {
        var key = "/cadastre/apis/networking.x-k8s.io/v1/clustercidrs/a";
        var current = Bytes.ofUtf8("{\"metadata\":{\"name\":\"a\",\"resourceVersion\":\"7\",\"generation\":2,"
                + "\"finalizers\":[\"x\"]},\"spec\":{\"ipv4\":\"10.0.0.0/16\"}}");

        var updated = map.update(
                current, key, Bytes.ofUtf8("{\"metadata\":{\"name\":\"a\"},\"spec\":{\"ipv4\":\"10.0.0.0/16\"}}"));

        assertThat(updated.utf8())
                .isEqualTo("{\"apiVersion\":\"networking.x-k8s.io/v1\",\"kind\":\"ClusterCIDR\","
                        + "\"metadata\":{\"name\":\"a\",\"resourceVersion\":\"7\",\"generation\":2},"
                        + "\"spec\":{\"ipv4\":\"10.0.0.0/16\"}}");
    }

    @Test
    void podsOfANamespaceAreListedThere() {
        assertThat(map.scopes("/cadastre/api/v1/pods/default/"))
                .extracting(Scope::namespace)
                .containsExactly("default");
        assertThat(map.scopes("/cadastre/api/v1/pods/"))
                .extracting(Scope::namespace)
                .containsExactly("");
        assertThat(map.scopes("/cadastre/api/v1/")).hasSize(4);
    }
}
