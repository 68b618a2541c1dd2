package io.cadastre.agent.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.cadastre.address.Address;
import io.cadastre.agent.calico.VirtualMachine;
import io.cadastre.agent.hostlocal.NodePod;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.wire.calico.endpoint.CalicoEndpoint.Port;
import io.cadastre.wire.json.UnreadableDocumentException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What is read of pods in a store, and what of them may be anything.
class StoredPodsTest {

    @AutoClose
    private final Datastore store = new MemoryDatastore();

    private final StoredPods pods = new StoredPods(store);

    private void put(String key, String json) {
        store.commit(List.of(new Write.Create(key, Bytes.ofUtf8(json))));
    }

    private void pod(String name, String json) {
        put(StoredPods.PODS + "shop/" + name, json);
    }

    @Test
    void podHasItsLabelsItsAccountAndThePortsThatCount() {
        pod("web", """
            {"metadata":{"labels":{"a":"1"},"annotations":{"b":"2"}},
             "spec":{"serviceAccountName":"seller","containers":[
               {"ports":[{"name":"http","containerPort":80},{"containerPort":81}]},
               {"ports":[{"protocol":"udp","containerPort":53,"hostPort":53,"hostIP":"10.0.0.9"},
                         {"name":"x","protocol":"other","containerPort":1}]}]}}
            """);

        var pod = pods.findPod("shop", "web").orElseThrow();

        assertThat(pod.labels()).isEqualTo(Map.of("a", "1"));
        assertThat(pod.annotations()).isEqualTo(Map.of("b", "2"));
        assertThat(pod.serviceAccount()).isEqualTo("seller");
        assertThat(pod.ports())
                .containsExactly(new Port("http", "TCP", 80, 0, ""), new Port("", "UDP", 53, 53, "10.0.0.9"));
    }

    @Test
    void podIsFoundWhateverItsStatusSays() {
        pod("web", "{\"metadata\":{\"ownerReferences\":5},\"spec\":{\"nodeName\":5},\"status\":5}");

        assertThat(pods.findPod("shop", "web").orElseThrow().labels()).isEmpty();
    }

    @Test
    void nodeIsFoundWhateverElseThePodSays() {
        pod("web", "{\"metadata\":5,\"spec\":{\"nodeName\":\"node-1\",\"containers\":5},\"status\":5}");

        assertThat(pods.findNodeOf("shop", "web")).contains("node-1");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
        {"metadata":5}                                            | metadata is not an object
        {"metadata":{"labels":{"a":1}}}                           | labels is not text
        {"spec":{"containers":[7]}}                               | containers is not an array of objects
        {"spec":{"containers":[{"ports":[7]}]}}                   | ports is not an array of objects
        {"spec":{"containers":[{"ports":[{"hostPort":"80"}]}]}}   | hostPort is not a whole number of 32 bits
        {"spec":{"serviceAccountName":7}}                         | serviceAccountName is not text
        """)
    void wrongPartOfAPodIsNamed(String json, String fault) {
        pod("web", json);

        assertThatExceptionOfType(UnreadableDocumentException.class)
                .isThrownBy(() -> pods.findPod("shop", "web"))
                .withMessage("cannot read /cadastre/api/v1/pods/shop/web: its %s", fault);
    }

    // ---- virtual machines ----

    private static final String OWNED = "{\"metadata\":{\"uid\":\"u\",\"ownerReferences\":[%s]%s},\"status\":5}";

    @Test
    void machineIsThatOfTheInstanceOfThePod() {
        pod("virt-launcher-db", OWNED.formatted("""
            {"kind":"Node","name":5},{"kind":"VirtualMachineInstance","name":"db","uid":"i","apiVersion":5}\
            """, ",\"labels\":{\"kubevirt.io/migrationJobUID\":\"m\"}"));
        put(
                StoredPods.MACHINE_INSTANCES + "shop/db",
                OWNED.formatted("{\"kind\":\"VirtualMachine\",\"name\":\"db\",\"uid\":\"vm\"}", ""));
        put(StoredPods.MACHINES + "shop/db", "{\"metadata\":{\"deletionTimestamp\":5}}");

        assertThat(pods.findMachine("shop", "virt-launcher-db"))
                .contains(new VirtualMachine("db", "i", "vm", "m", true));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
        7                                                         | ownerReferences is not an array of objects
        {"kind":"VirtualMachineInstance","name":"db"},7           | ownerReferences is not an array of objects
        {"kind":5}                                                | kind is not text
        {"kind":"VirtualMachineInstance","name":5}                | name is not text
        {"kind":"VirtualMachineInstance","name":"db","uid":5}     | uid is not text
        """)
    void wrongOwnerOfAPodIsNamed(String owners, String fault) {
        pod("virt-launcher-db", OWNED.formatted(owners, ""));

        assertThatExceptionOfType(UnreadableDocumentException.class)
                .isThrownBy(() -> pods.findMachine("shop", "virt-launcher-db"))
                .withMessage("cannot read /cadastre/api/v1/pods/shop/virt-launcher-db: its %s", fault);
    }

    // ---- the pods of a node ----

    private void resident(String name, String phase, String addresses) {
        pod(name, """
            {"metadata":{"namespace":"shop","name":"%s"},"spec":{"nodeName":"node-1"},"status":{"phase":"%s",%s}}
            """.formatted(name, phase, addresses));
    }

    private static NodePod known(String name, String... addresses) {
        return new NodePod(
                "shop", name, Stream.of(addresses).map(Address::parse).toList());
    }

    @Test
    void podsOfANodeAreThoseThatHaveNotEnded() {
        resident("both", "Running", "\"podIP\":\"10.0.0.1\",\"podIPs\":[{\"ip\":\"10.0.0.1\"},{\"ip\":\"fd00::1\"}]");
        resident("ended", "Failed", "\"podIP\":\"10.0.0.2\"");
        resident("one", "Pending", "\"podIP\":\"10.0.0.3\"");
        resident("over", "Succeeded", "\"podIP\":\"10.0.0.4\"");
        resident("same", "Running", "\"podIP\":\"fd00::5\",\"podIPs\":[{\"ip\":\"fd00:0::5\"},{}]");
        pod("stranger", "{\"spec\":{\"nodeName\":\"node-2\"},\"status\":{\"phase\":5,\"podIPs\":7}}");

        assertThat(pods.fetchPods("node-1"))
                .containsExactly(
                        known("both", "10.0.0.1", "fd00::1"), known("one", "10.0.0.3"), known("same", "fd00::5"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
        "podIP":5                    | podIP is not text
        "podIPs":{}                  | podIPs is not an array
        "podIPs":[7]                 | podIPs is not an array of objects
        "podIPs":[{"ip":7}]          | ip is not text
        """)
    void wrongAddressOfAPodOfTheNodeIsNamed(String addresses, String fault) {
        resident("web", "Running", addresses);

        assertThatExceptionOfType(UnreadableDocumentException.class)
                .isThrownBy(() -> pods.fetchPods("node-1"))
                .withMessage("cannot read /cadastre/api/v1/pods/shop/web: its %s", fault);
    }
}
