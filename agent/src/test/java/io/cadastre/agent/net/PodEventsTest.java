package io.cadastre.agent.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.wire.cni.CniCode;
import io.cadastre.wire.cni.CniError;
import io.cadastre.wire.cni.DoorbellFrame.Call;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class PodEventsTest {

    private static final CniError FULL =
            CniError.of(CniCode.INTERNAL, "failed to request IPv4 addresses", "the pool is full");

    private final MemoryDatastore store = new MemoryDatastore();
    private final List<String> log = new CopyOnWriteArrayList<>();
    private final PodEvents events =
            new PodEvents(store, InstantSource.fixed(Instant.parse("2026-11-15T10:00:00.5Z")), "node-1", log::add);

    private static Call call(String arguments) {
        return new Call(
                "cadastre-net", new TreeMap<>(Map.of("CNI_COMMAND", "ADD", "CNI_ARGS", arguments)), Bytes.ofUtf8("{}"));
    }

    private List<Document> told() {
        return store.listAll(PodEvents.EVENTS).documents();
    }

    @Test
    void aRefusedAddIsAWarningAboutItsPod() {
        events.refused(call("IgnoreUnknown=1;K8S_POD_NAMESPACE=shop;K8S_POD_NAME=web-0;K8S_POD_UID=u-1"), FULL);

        await().until(() -> told().size() == 1);
        var event = told().getFirst();
        assertThat(event.key()).startsWith("/cadastre/api/v1/events/shop/web-0.");
        assertThat(event.value().utf8()).isEqualTo("""
            {"apiVersion":"v1","kind":"Event","metadata":{"namespace":"shop"},\
            "involvedObject":{"apiVersion":"v1","kind":"Pod","namespace":"shop",\
            "name":"web-0","uid":"u-1"},"type":"Warning",\
            "reason":"FailedAddressAssignment",\
            "message":"failed to request IPv4 addresses: the pool is full",\
            "source":{"component":"cadastre-agent","host":"node-1"},\
            "firstTimestamp":"2026-11-15T10:00:00Z",\
            "lastTimestamp":"2026-11-15T10:00:00Z","count":1}\
            """);
    }

    @Test
    void aRepeatedRefusalIsCountedAndAnotherGetsItsOwnEvent() {
        var pod = call("K8S_POD_NAMESPACE=shop;K8S_POD_NAME=web-0");
        for (int times = 1; times <= 3; times++) {
            events.refused(pod, FULL);
            int count = times;
            await().until(() ->
                    told().stream().anyMatch(event -> event.value().utf8().contains("\"count\":" + count)));
        }
        events.refused(pod, CniError.of(CniCode.TRY_AGAIN_LATER, "the store failed"));

        await().until(() -> told().size() == 2);
    }

    @Test
    void refusalWithoutAPodMakesNoEvent() {
        events.refused(call(""), FULL);
        events.refused(call("K8S_POD_NAMESPACE=a/b;K8S_POD_NAME=web-0"), FULL);
        events.refused(call("K8S_POD_NAMESPACE=shop;K8S_POD_NAME=web-0"), FULL);

        await().until(() -> told().size() == 1);
        assertThat(told()).singleElement().extracting(Document::key).asString().contains("shop");
    }

    @Test
    void aStoreThatDoesNotAnswerIsReportedInTheLog() {
        store.close();

        events.refused(call("K8S_POD_NAMESPACE=shop;K8S_POD_NAME=web-0"), FULL);

        await().until(() -> log.size() == 1);
        assertThat(log.getFirst()).contains("shop/web-0").contains("the pool is full");
    }
}
