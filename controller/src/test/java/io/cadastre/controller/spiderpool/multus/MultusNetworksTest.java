package io.cadastre.controller.spiderpool.multus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cadastre.controller.ControllerContext;
import io.cadastre.controller.election.FencedDatastore;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.datastore.memory.MemoryJournal;
import io.cadastre.registry.Ledger;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.spiderpool.multus.AttachmentKeys;
import io.cadastre.wire.spiderpool.objects.SpiderKeys;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The control loop with its threads, on a store in memory.
@Timeout(120)
class MultusNetworksTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String ATTACHMENT = AttachmentKeys.ATTACHMENTS + "ns1/net";

    private final MemoryDatastore store = new MemoryDatastore();
    private final List<String> reports = new CopyOnWriteArrayList<>();
    private final Ledger ledger = new Ledger(new MemoryJournal());
    private final MultusNetworks networks = new MultusNetworks(new ControllerContext(
            store,
            ledger,
            () -> Instant.EPOCH,
            System::nanoTime,
            new SplittableRandom(1),
            Thread::sleep,
            reports::add));

    @AfterEach
    void stop() {
        networks.close();
    }

    private void elect() {
        networks.elected(new FencedDatastore(store, () -> true, "a", 0));
    }

    private void put(String key, String json) {
        var value = Bytes.ofUtf8(json);
        var commit = store.commit(List.of(store.get(key)
                .<Write>map(former -> new Write.Update(key, value, former.revision()))
                .orElseGet(() -> new Write.Create(key, value))));
        assertThat(commit).isInstanceOf(Commit.Done.class);
    }

    private void remove(String key) {
        long revision = store.get(key).orElseThrow().revision();
        assertThat(store.commit(List.of(new Write.Delete(key, revision)))).isInstanceOf(Commit.Done.class);
    }

    private void config(String name, String master) {
        put(SpiderKeys.MULTUS_CONFIGS + "ns1/" + name, """
            {"apiVersion":"spiderpool.spidernet.io/v2beta1","kind":"SpiderMultusConfig",
             "metadata":{"name":"%s","namespace":"ns1","uid":"u-%s"},
             "spec":{"cniType":"ipvlan","ipvlan":{"master":["%s"]}}}
            """.formatted(name, name, master));
    }

    private Optional<String> attached() {
        return store.get(ATTACHMENT)
                .map(Document::value)
                .map(value ->
                        Json.readObject(ATTACHMENT, value).at("/spec/config").asText());
    }

    private void awaitMaster(String master) {
        await().atMost(PATIENCE)
                .until(() -> attached()
                        .filter(config -> config.contains("\"master\":\"%s\"".formatted(master)))
                        .isPresent());
    }

    @Test
    void leaderKeepsTheAttachmentOfEachConfiguration() {
        config("net", "eth0");
        networks.start();
        elect();
        awaitMaster("eth0");

        config("net", "eth1");
        awaitMaster("eth1");
        remove(ATTACHMENT);
        awaitMaster("eth1");
        put(ATTACHMENT, store.get(ATTACHMENT).orElseThrow().value().utf8().replace("eth1", "eth9"));
        awaitMaster("eth1");
        remove(SpiderKeys.MULTUS_CONFIGS + "ns1/net");
        await().atMost(PATIENCE).until(() -> attached().isEmpty());

        assertThat(reports).isEmpty();
        assertThat(ledger.read(1, 10))
                .extracting(recorded -> recorded.entry().outcome().words())
                .startsWith("created", "updated", "created", "updated")
                .endsWith("deleted with its SpiderMultusConfig: 1");
    }

    @Test
    void attachmentOfAnotherWriterIsReportedOnceAndMadeWhenItIsGone() {
        put(ATTACHMENT, "{\"metadata\":{\"name\":\"net\",\"namespace\":\"ns1\"},\"spec\":{}}");
        config("net", "eth0");
        networks.start();
        elect();
        await().atMost(PATIENCE).until(() -> reports.size() == 1);

        remove(ATTACHMENT);
        awaitMaster("eth0");

        assertThat(reports)
                .containsExactly("SpiderMultusConfig ns1/net: NetworkAttachmentDefinition net exists and is not of this"
                        + " SpiderMultusConfig; delete it, or choose another name by the annotation"
                        + " multus.spidernet.io/cr-name");
    }

    @Test
    void processThatDoesNotLeadWritesNothingAndCatchesUpWhenItDoes() {
        networks.start();
        config("net", "eth0");
        config("other", "eth0");
        elect();
        awaitMaster("eth0");
        networks.dismissed();
        config("net", "eth1");
        await().pollDelay(Duration.ofMillis(200))
                .atMost(PATIENCE)
                .until(() ->
                        attached().filter(config -> config.contains("eth0")).isPresent());

        elect();

        awaitMaster("eth1");
        await().atMost(PATIENCE)
                .until(() -> store.get(AttachmentKeys.ATTACHMENTS + "ns1/other").isPresent());
    }
}
