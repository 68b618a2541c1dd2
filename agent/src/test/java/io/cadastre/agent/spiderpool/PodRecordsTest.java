package io.cadastre.agent.spiderpool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.engine.pool.PodInfo.Life;
import io.cadastre.engine.pool.PodKey;
import io.cadastre.engine.pool.TopController;
import io.cadastre.wire.json.UnreadableDocumentException;
import io.cadastre.wire.kubernetes.CoreKeys;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The facts about pods that the rules of pools need.
class PodRecordsTest {

    private static final PodKey WEB = new PodKey("shop", "web-0");

    @AutoClose
    private final Datastore store = new MemoryDatastore();

    private final PodRecords records = new PodRecords(store, "node-0", store::get, store::get);

    private void put(String key, String json) {
        store.commit(List.of(new Write.Create(key, Bytes.ofUtf8(json))));
    }

    private PodRecords.Pod pod(String json) {
        put(CoreKeys.PODS + WEB, json);
        return records.find(WEB).orElseThrow();
    }

    @Test
    void podIsAsItsDocumentSays() {
        var pod = pod("""
            {"metadata":{"uid":"u","labels":{"a":"1"},"annotations":{"b":"2"},"ownerReferences":[7,{"kind":5},
               {"apiVersion":"apps/v1","kind":"StatefulSet","name":"web","uid":"s","controller":true},
               {"controller":"perhaps"}]},
             "spec":{"nodeName":"node-1"},"status":{"phase":"Running","podIP":5,"podIPs":5}}
            """);

        assertThat(pod.uid()).isEqualTo("u");
        assertThat(pod.node()).isEqualTo("node-1");
        assertThat(pod.life()).isEqualTo(Life.ALIVE);
        assertThat(pod.labels()).isEqualTo(Map.of("a", "1"));
        assertThat(pod.annotations()).isEqualTo(Map.of("b", "2"));
        assertThat(pod.owner()).isEqualTo(new TopController("apps/v1", "StatefulSet", "web"));
        assertThat(pod.ownerUid()).isEqualTo("s");
    }

    @Test
    void podOfNothingIsItsOwnOwnerAndHere() {
        var pod = pod("{\"metadata\":{\"uid\":\"u\",\"ownerReferences\":[{\"kind\":\"Node\"}]}}");

        assertThat(pod.node()).isEqualTo("node-0");
        assertThat(pod.owner()).isEqualTo(new TopController("v1", "Pod", "web-0"));
        assertThat(pod.ownerUid()).isEqualTo("u");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
        {"status":{"phase":"Succeeded"}}                                    | ALIVE
        {"spec":{"restartPolicy":"OnFailure"},"status":{"phase":"Succeeded"}} | DEAD
        {"status":{"phase":"Failed"}}                                       | ALIVE
        {"status":{"phase":"Failed","reason":"Evicted"}}                    | DEAD
        {"metadata":{"deletionTimestamp":5}}                                | DEAD
        """)
    void lifeOfAPodIsThatOfItsStatus(String json, Life life) {
        assertThat(pod(json).life()).isEqualTo(life);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
        {"metadata":5}                                             | metadata is not an object
        {"spec":5}                                                 | spec is not an object
        {"status":5}                                               | status is not an object
        {"metadata":{"uid":5}}                                     | uid is not text
        {"metadata":{"labels":{"a":1}}}                            | labels is not text
        {"metadata":{"ownerReferences":{}}}                        | ownerReferences is not an array
        {"metadata":{"ownerReferences":[{"controller":1}]}}        | controller is not true or false
        {"metadata":{"ownerReferences":[{"controller":true,"kind":1}]}} | kind is not text
        {"spec":{"restartPolicy":1}}                               | restartPolicy is not text
        {"status":{"phase":1}}                                     | phase is not text
        {"status":{"reason":1}}                                    | reason is not text
        """)
    void wrongPartIsNamed(String json, String fault) {
        assertThatExceptionOfType(UnreadableDocumentException.class)
                .isThrownBy(() -> pod(json))
                .withMessage("cannot read /cadastre/api/v1/pods/shop/web-0: its %s", fault);
    }

    @Test
    void topOfAReplicaSetIsWhatControlsIt() {
        put("/cadastre/apis/apps/v1/replicasets/shop/web-1", """
            {"metadata":{"ownerReferences":[7,{"apiVersion":"apps/v1","kind":"Deployment","name":"web","uid":"d","controller":true}]}}
            """);
        var pod = pod("""
            {"metadata":{"ownerReferences":[
               {"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web-1","uid":"r","controller":true}]}}
            """);

        assertThat(records.fetchTop(pod))
                .isEqualTo(new PodRecords.Owner(new TopController("apps/v1", "Deployment", "web"), "d"));
    }

    @Test
    void labelsOfTheNamespaceAndTheNodeAreReadAndEmptyIfThereIsNone() {
        put(CoreKeys.NAMESPACES + "shop", "{\"metadata\":{\"labels\":{\"n\":\"1\"},\"annotations\":{\"a\":\"2\"}}}");
        var pod = pod("{}");

        var namespace = records.fetchNamespace(pod);

        assertThat(namespace.annotations()).isEqualTo(Map.of("a", "2"));
        assertThat(namespace.labels()).isEqualTo(Map.of("n", "1"));
        assertThat(records.fetchLabels(pod, namespace).node()).isEmpty();
    }
}
