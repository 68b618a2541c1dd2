package io.cadastre.wire.calico.crd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.address.Prefix;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.resource.ApiResource;
import io.cadastre.datastore.resource.Content;
import io.cadastre.datastore.resource.Scope;
import io.cadastre.engine.block.Owner;
import io.cadastre.wire.calico.CalicoDocument;
import io.cadastre.wire.calico.CalicoKey;
import io.cadastre.wire.calico.CalicoKeys;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class CalicoObjectsTest {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<String> SERVERS_OWN =
            List.of("creationTimestamp", "generation", "managedFields", "resourceVersion", "uid");

    /// An object that Calico left in an API server.
    private record Kept(String scene, ApiGroup group, String path, String body) {

        String name() {
            return path.substring(path.lastIndexOf('/') + 1);
        }

        ApiResource resource() {
            var plural = path.split("/", -1)[4];
            return new CalicoObjects(group)
                    .resources().stream()
                            .filter(resource -> resource.plural().equals(plural))
                            .findFirst()
                            .orElseThrow();
        }

        Content content() {
            return new CalicoObjects(group).read(resource(), Bytes.ofUtf8(body));
        }
    }

    private static List<Kept> kept(ApiGroup group) {
        var file = group == ApiGroup.CRD_V1 ? "crd-v1-golden.json" : "projectcalico-v3-golden.json";
        var kept = new ArrayList<Kept>();
        try (var stream = CalicoObjectsTest.class.getResourceAsStream("/calico/" + file)) {
            for (var scene : JSON.readTree(stream).path("scenes")) {
                for (var entry : scene.path("entries")) {
                    kept.add(new Kept(
                            scene.path("id").asText(),
                            group,
                            entry.path("path").asText(),
                            entry.path("value").asText()));
                }
            }
        } catch (IOException failure) {
            throw new AssertionError(file, failure);
        }
        return kept;
    }

    @TestFactory
    Stream<DynamicTest> whatCalicoKeptIsReadAndWrittenTheSame() {
        return Stream.of(ApiGroup.values())
                .flatMap(group -> kept(group).stream())
                .map(kept -> DynamicTest.dynamicTest(kept.scene() + " " + kept.path(), () -> check(kept)));
    }

    private static void check(Kept kept) throws IOException {
        var map = new CalicoObjects(kept.group());
        var body = Bytes.ofUtf8(kept.body());
        switch (kept.content()) {
            case Content.Present(var key, var value) -> {
                assertThat(map.locate(key).orElseThrow().name()).isEqualTo(kept.name());
                assertThat(map.locate(key).orElseThrow().resource()).isEqualTo(kept.resource());
                // It is a document like those in etcd.
                CalicoDocument.decode(CalicoKeys.parse(key).orElseThrow(), value);
                assertThat(withoutServersOwn(map.update(body, key, value))).isEqualTo(withoutServersOwn(body));
                assertThat(withoutServersOwn(map.create(key, value))).isEqualTo(withoutServersOwn(body));
                assertThat(JSON.readTree(map.update(body, key, value).utf8()).at("/metadata/uid"))
                        .isEqualTo(JSON.readTree(kept.body()).at("/metadata/uid"));
            }
            case Content.Tombstone(var key) -> {
                assertThat(kept.scene()).isIn("G20", "G30");
                assertThat(map.locate(key).orElseThrow().name()).isEqualTo(kept.name());
                assertThat(JSON.readTree(map.tombstone(kept.resource(), body).utf8()))
                        .isEqualTo(JSON.readTree(kept.body()));
            }
            case Content.Foreign _ -> throw new AssertionError("foreign: " + kept);
        }
    }

    /// Without what the server adds, and without the time that stands in the annotation of pools.
    private static ObjectNode withoutServersOwn(Bytes object) throws IOException {
        var json = (ObjectNode) JSON.readTree(object.utf8());
        ((ObjectNode) json.path("metadata")).remove(SERVERS_OWN);
        return json;
    }

    @ParameterizedTest
    @EnumSource
    void aMarkedObjectIsATombstone(ApiGroup group) {
        var map = new CalicoObjects(group);
        var key = new CalicoKey.OfAffinity(Owner.host("node-a"), Prefix.parse("10.9.0.4/30")).text();
        var object = map.create(key, Bytes.ofUtf8("{\"state\":\"confirmed\",\"deleted\":false}"));
        var resource = map.locate(key).orElseThrow().resource();

        var marked = map.tombstone(resource, object);

        assertThat(map.read(resource, marked)).isEqualTo(new Content.Tombstone(key));
    }

    @ParameterizedTest
    @CsvSource({
        "10.244.174.128/26, 10-244-174-128-26",
        "fd80:24e2:f998:72d6::80/122, fd80-24e2-f998-72d6--80-122",
        "fd00::/122, fd00---122",
    })
    void aBlockIsNamedForItsCidr(Prefix cidr, String name) {
        assertThat(ObjectNames.block(cidr)).isEqualTo(name);
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.0/26, 228, -10-0-0-0-26-fb0ffb1c45a",
        "10.9.0.16/30, 227, -10-9-0-16-30-80dc27fd550",
    })
    void aNameThatIsTooLongIsCutAndStaysUnique(Prefix cidr, int kept, String end) {
        var host = "long--hostna".repeat(21);

        assertThat(ObjectNames.affinity(Owner.host(host), cidr)).hasSize(252).isEqualTo(host.substring(0, kept) + end);
    }

    @ParameterizedTest
    @CsvSource({
        "node-a, PY3TQE2E3XMTETLM2MJO3UITKPFB27YUJ4T4E5XGPEJON3SM4QAA",
        "node-b, CMAXSCEQN2FQX6QTO46RNUSW2SYX5B4KAJRNYFFLLCEBP5WWXSDA",
        "load-balancer, TAU2RK2F2FG7MIS72DPZYC6FJ3U3BIWIDZAMUTQY7ZXMSKQZ5GSQ",
    })
    void aHostIsFoundByItsHash(String host, String hash) {
        assertThat(ObjectNames.hostHash(host)).isEqualTo(hash);
    }

    @Test
    void theIdentityThatUsersSeeIsMirrored() {
        var uid = "6ba7b810-9dad-41d1-80b4-00c04fd430c8";

        assertThat(ApiUid.mirrored(uid)).isEqualTo("d6e51d08-b9b5-418b-802d-0003f22b0c13");
        assertThat(ApiUid.mirrored(ApiUid.mirrored(uid))).isEqualTo(uid);
        assertThat(ApiUid.mirrored("none")).isEqualTo("none");
    }

    @Test
    void twoHandlesThatDifferInCaseShareAnObject() {
        var map = new CalicoObjects(ApiGroup.CRD_V1);

        var upper = map.locate(new CalicoKey.OfHandle("net.C0FFEE").text());
        var lower = map.locate(new CalicoKey.OfHandle("net.c0ffee").text());

        assertThat(upper).isPresent().isEqualTo(lower);
    }

    @Test
    void theAffinitiesOfAHostAreFoundByLabels() {
        var map = new CalicoObjects(ApiGroup.CRD_V1);
        var hash = "projectcalico.org/hostname-hash=" + ObjectNames.hostHash("node-a");

        assertThat(map.scopes(CalicoKeys.affinities(Owner.host("node-a"))))
                .extracting(Scope::labelSelector)
                .containsExactly(hash);
        assertThat(map.scopes("/calico/ipam/v2/host/node-a/ipv6/block/"))
                .extracting(Scope::labelSelector)
                .containsExactly(hash + ",projectcalico.org/ip-version=6");
        assertThat(map.scopes(CalicoKeys.VIRTUALS))
                .extracting(Scope::labelSelector)
                .containsExactly("projectcalico.org/affinity-type=virtual");
        assertThat(map.scopes("/calico/ipam/v2/"))
                .extracting(scope -> scope.resource().plural())
                .containsExactly("ipamblocks", "blockaffinities", "ipamhandles", "ipamconfigs");
    }

    @Test
    void aNodeOfKubernetesIsANodeOfCalico() {
        var map = new CalicoObjects(ApiGroup.CRD_V1);
        var resource =
                map.locate(new CalicoKey.OfNode("n").text()).orElseThrow().resource();

        var content = map.read(resource, Bytes.ofUtf8("""
            {"metadata":{"name":"n","labels":{"zone":"b"},"annotations":{
            "projectcalico.org/labels":"{\\"zone\\":\\"a\\",\\"rack\\":\\"1\\"}",
            "projectcalico.org/IPv4VXLANTunnelAddr":"10.9.0.1"}}}
            """));

        assertThat(content)
                .isEqualTo(new Content.Present("/calico/resources/v3/projectcalico.org/nodes/n", Bytes.ofUtf8("""
                    {"kind":"Node","apiVersion":"projectcalico.org/v3",\
                    "metadata":{"name":"n","labels":{"zone":"b","rack":"1"}},\
                    "spec":{"ipv4VXLANTunnelAddr":"10.9.0.1",\
                    "orchRefs":[{"nodeName":"n","orchestrator":"k8s"}]},"status":{}}\
                    """)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> map.create(new CalicoKey.OfNode("n").text(), Bytes.ofUtf8("{}")))
                .withMessageContaining("Kubernetes' own");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"phase\":\"Running\",\"podIPs\":[{\"ip\":\"10.9.0.1\"},{\"ip\":\"fd00::1\"}] |"
                        + " 10.9.0.1/32 fd00::1/128",
                "\"phase\":\"Pending\" | 10.9.0.7/32",
                "\"phase\":\"Failed\",\"podIPs\":[{\"ip\":\"10.9.0.1\"}] | -",
            })
    void aPodThatRunsIsAnEndpoint(String status, String expected) {
        var map = new CalicoObjects(ApiGroup.CRD_V1);
        var prefix = "/calico/resources/v3/projectcalico.org/workloadendpoints/";
        var pods = map.scopes(prefix).getFirst().resource();

        var content = map.read(pods, Bytes.ofUtf8("""
            {"metadata":{"name":"web-0","namespace":"shop","annotations":{
            "cni.projectcalico.org/podIPs":"10.9.0.7/32"}},
            "spec":{"nodeName":"n"},"status":{%s}}
            """.formatted(status)));

        if (expected.equals("-")) {
            assertThat(content).isEqualTo(new Content.Foreign());
        } else {
            assertThat(content).isInstanceOfSatisfying(Content.Present.class, present -> {
                assertThat(present.key()).isEqualTo(prefix + "shop/n-k8s-web--0-eth0");
                assertThat(present.value().utf8())
                        .contains("\"ipNetworks\":[\"" + expected.replace(" ", "\",\"") + "\"]");
            });
        }
    }

    @ParameterizedTest
    @CsvSource({
        "projectcalico.org/V3, '', PROJECT_V3",
        "crd.projectcalico.org/v1, projectcalico.org, CRD_V1",
        "'', projectcalico.org, PROJECT_V3",
        "'', projectcalico.org crd.projectcalico.org, CRD_V1",
        "'', crd.projectcalico.org, CRD_V1",
        "'', '', CRD_V1",
    })
    void theGroupIsConfiguredOrFound(String told, String served, ApiGroup expected) {
        assertThat(ApiGroup.choose(Optional.of(told), List.of(served.split(" "))))
                .isEqualTo(expected);
    }

    @Test
    void configurationOfControllersCanBeRead() {
        var map = new CalicoObjects(ApiGroup.CRD_V1);
        var key = "/calico/resources/v3/projectcalico.org/kubecontrollersconfigurations/default";
        var name = map.locate(key).orElseThrow();

        var content =
                map.read(name.resource(), Bytes.ofUtf8("{\"metadata\":{\"name\":\"default\"},\"spec\":{\"a\":1}}"));

        assertThat(name.name()).isEqualTo("default");
        assertThat(content).isInstanceOfSatisfying(Content.Present.class, present -> {
            assertThat(present.key()).isEqualTo(key);
            assertThat(present.value().utf8()).contains("\"spec\":{\"a\":1}");
        });
    }

    @Test
    void objectsThatMakeNoSenseAreForeign() {
        var map = new CalicoObjects(ApiGroup.CRD_V1);
        var blocks = map.resources().getFirst();

        assertThat(map.read(blocks, Bytes.ofUtf8("{\"spec\":{\"cidr\":\"nonsense\"}}")))
                .isEqualTo(new Content.Foreign());
        assertThat(map.read(blocks, Bytes.ofUtf8("[]"))).isEqualTo(new Content.Foreign());
        assertThat(map.locate(new CalicoKey.OfHostRecord("h").text())).isEmpty();
        assertThat(map.locate("/elsewhere")).isEmpty();
    }
}
