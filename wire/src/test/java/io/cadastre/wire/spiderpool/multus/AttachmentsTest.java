package io.cadastre.wire.spiderpool.multus;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.spiderpool.objects.SpiderKeys;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What becomes of a NetworkAttachmentDefinition, on a store.
class AttachmentsTest {

    private static final String CONFIG = SpiderKeys.MULTUS_CONFIGS + "ns1/net";
    private static final String ATTACHMENT = AttachmentKeys.ATTACHMENTS + "ns1/net";

    private final MemoryDatastore store = new MemoryDatastore();

    private void put(String key, ObjectNode json) {
        var value = Json.write(json);
        var commit = store.commit(List.of(store.get(key)
                .<Write>map(former -> new Write.Update(key, value, former.revision()))
                .orElseGet(() -> new Write.Create(key, value))));
        assertThat(commit).isInstanceOf(Commit.Done.class);
    }

    private void remove(String key) {
        long revision = store.get(key).orElseThrow().revision();
        assertThat(store.commit(List.of(new Write.Delete(key, revision)))).isInstanceOf(Commit.Done.class);
    }

    private static ObjectNode ipvlan(String master) {
        return AttachmentFormTest.config(
                "{}", "{\"cniType\":\"ipvlan\",\"ipvlan\":{\"master\":[\"%s\"]}}".formatted(master));
    }

    private static ObjectNode json(String text) {
        return Json.readObject("json", Bytes.ofUtf8(text));
    }

    private ObjectNode attachment() {
        return Json.readObject(ATTACHMENT, store.get(ATTACHMENT).orElseThrow().value());
    }

    private AttachmentOutcome sync() {
        var page = new AttachmentBook(store, "ns1", "net").open();
        var decision = Attachments.sync(page.view());
        assertThat(page.with(decision.changes()).save()).isInstanceOf(Commit.Done.class);
        return decision.outcome();
    }

    @Test
    void attachmentIsMadeAndFollowsItsConfiguration() {
        put(CONFIG, ipvlan("eth0"));

        assertThat(sync()).isEqualTo(new AttachmentOutcome.Created());
        assertThat(sync()).isEqualTo(new AttachmentOutcome.Unchanged());
        put(CONFIG, ipvlan("eth1"));
        assertThat(sync()).isEqualTo(new AttachmentOutcome.Updated());

        assertThat(attachment().at("/spec/config").asText()).contains("\"master\":\"eth1\"");
    }

    @Test
    void whatKubectlNotesOfTheAttachmentStaysAndThatOfTheConfigurationIsNotCopied() {
        var config = ipvlan("eth0");
        ((ObjectNode) config.get("metadata"))
                .putObject("annotations")
                .put("kubectl.kubernetes.io/last-applied-configuration", "{\"of\":\"config\"}");
        put(CONFIG, config);
        sync();
        assertThat(attachment().at("/metadata/annotations").isMissingNode()).isTrue();
        var edited = attachment();
        ((ObjectNode) edited.get("metadata"))
                .putObject("annotations")
                .put("kubectl.kubernetes.io/last-applied-configuration", "{\"of\":\"attachment\"}")
                .put("other", "goes");
        put(ATTACHMENT, edited);

        assertThat(sync()).isEqualTo(new AttachmentOutcome.Updated());
        assertThat(sync()).isEqualTo(new AttachmentOutcome.Unchanged());

        assertThat(attachment().at("/metadata/annotations").toString())
                .isEqualTo(
                        "{\"kubectl.kubernetes.io/last-applied-configuration\":\"{\\\"of\\\":\\\"attachment\\\"}\"}");
    }

    @Test
    void whatAnotherWriterChangedIsRestoredAndTheRestIsKept() {
        put(CONFIG, ipvlan("eth0"));
        sync();
        var edited = attachment();
        ((ObjectNode) edited.get("spec")).put("config", "{}");
        ((ObjectNode) edited.get("metadata")).putObject("labels").put("mine", "yes");
        put(ATTACHMENT, edited);

        assertThat(sync()).isEqualTo(new AttachmentOutcome.Updated());

        assertThat(attachment().at("/spec/config").asText()).contains("ipvlan");
        assertThat(attachment().at("/metadata/labels/mine").asText()).isEqualTo("yes");
    }

    @Test
    void attachmentOfAnotherOwnerIsLeftAlone() {
        put(CONFIG, ipvlan("eth0"));
        for (var owners : List.of(
                "",
                ",\"ownerReferences\":[{\"kind\":\"SpiderMultusConfig\",\"uid\":\"u2\",\"controller\":true}]",
                ",\"ownerReferences\":[{\"kind\":\"SpiderMultusConfig\",\"uid\":\"u1\"}]")) {
            var foreign = json("{\"metadata\":{\"name\":\"net\"%s},\"spec\":{}}".formatted(owners));
            put(ATTACHMENT, foreign);

            var outcome = sync();

            assertThat(outcome)
                    .isInstanceOfSatisfying(
                            AttachmentOutcome.Refused.class,
                            refused -> assertThat(refused.why())
                                    .isEqualTo("NetworkAttachmentDefinition net exists and is not of this"
                                            + " SpiderMultusConfig; delete it, or choose another name by the"
                                            + " annotation multus.spidernet.io/cr-name"));
            assertThat(attachment()).isEqualTo(foreign);
        }
    }

    @Test
    void attachmentGoesWithItsConfigurationAndOthersStay() {
        put(CONFIG, ipvlan("eth0"));
        sync();
        put(AttachmentKeys.ATTACHMENTS + "ns1/other", json("{\"metadata\":{\"name\":\"other\"}}"));
        put(AttachmentKeys.ATTACHMENTS + "ns2/net", attachment());
        remove(CONFIG);

        assertThat(sync()).isEqualTo(new AttachmentOutcome.Removed(1));
        assertThat(sync()).isEqualTo(new AttachmentOutcome.Unchanged());

        assertThat(store.listAll(AttachmentKeys.ATTACHMENTS).documents())
                .extracting(document -> document.key().substring(AttachmentKeys.ATTACHMENTS.length()))
                .containsExactly("ns1/other", "ns2/net");
    }

    @Test
    void configurationThatIsDeletedOrWrongChangesNothing() {
        var ending = ipvlan("eth0");
        ((ObjectNode) ending.get("metadata")).put("deletionTimestamp", "2026-01-01T00:00:00Z");
        put(CONFIG, ending);
        assertThat(sync()).isEqualTo(new AttachmentOutcome.Unchanged());

        put(CONFIG, AttachmentFormTest.config("{}", "{\"cniType\":\"ipvlan\",\"ipvlan\":{\"master\":[]}}"));
        assertThat(sync())
                .isEqualTo(new AttachmentOutcome.Refused(
                        "spec.ipvlan.master: Required value: name at least one interface of the nodes"));
        put(CONFIG, AttachmentFormTest.config("{}", "{\"cniType\":7}"));
        assertThat(sync()).isEqualTo(new AttachmentOutcome.Refused("its cniType is not text"));

        assertThat(store.get(ATTACHMENT)).isEmpty();
    }

    @Test
    void attachmentThatIsBeingDeletedIsWaitedFor() {
        put(CONFIG, ipvlan("eth0"));
        sync();
        var ending = attachment();
        ((ObjectNode) ending.get("metadata")).put("deletionTimestamp", "2026-01-01T00:00:00Z");
        put(ATTACHMENT, ending);
        put(CONFIG, ipvlan("eth1"));

        assertThat(sync())
                .isEqualTo(new AttachmentOutcome.Refused(
                        "NetworkAttachmentDefinition net is being deleted; it is made anew then"));
    }
}
