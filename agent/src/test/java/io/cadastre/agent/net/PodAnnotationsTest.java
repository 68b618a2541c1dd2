package io.cadastre.agent.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.cadastre.address.Address;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.memory.MemoryDatastore;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PodAnnotationsTest {

    private static final String KEY = StoredPods.PODS + "shop/web-0";
    private static final PodNotes.Sandbox X = new PodNotes.Sandbox("shop", "web-0", "u-1", "x");

    private static final List<Address> ADDRESSES = List.of(Address.parse("10.244.0.7"), Address.parse("fd00::7"));

    private final FailingEndpointStore store = new FailingEndpointStore(new MemoryDatastore());
    private final List<String> log = new ArrayList<>();
    private final PodAnnotations annotations = new PodAnnotations(store, new MergedPods(store), log::add);

    private void put(String uid, String members) {
        var value = Bytes.ofUtf8(
                "{\"metadata\":{\"name\":\"web-0\",\"uid\":\"%s\"%s},\"spec\":{}}".formatted(uid, members));
        assertThat(store.commit(List.of(new Write.Create(KEY, value)))).isInstanceOf(Commit.Done.class);
    }

    private String metadata() {
        var text = store.get(KEY).orElseThrow().value().utf8();
        assertThat(text).endsWith("},\"spec\":{}}");
        return text;
    }

    @Test
    void aPodTellsItsAddressesAndWhoHasThem() {
        put("u-1", ",\"annotations\":{\"own\":\"kept\"}");

        annotations.write(X, ADDRESSES);

        assertThat(metadata()).contains("""
            "annotations":{"own":"kept","cni.projectcalico.org/containerID":"x",\
            "cni.projectcalico.org/podIP":"10.244.0.7/32",\
            "cni.projectcalico.org/podIPs":"10.244.0.7/32,fd00::7/128"}\
            """);
        assertThat(log).isEmpty();
    }

    @Test
    void aPodWithoutAnnotationsGetsThem() {
        put("u-1", "");

        annotations.write(X, ADDRESSES.subList(0, 1));

        assertThat(metadata()).contains("\"cni.projectcalico.org/podIPs\":\"10.244.0.7/32\"");
    }

    @Test
    void equalAnnotationsAreNotWrittenAgain() {
        put("u-1", "");
        annotations.write(X, ADDRESSES);
        long revision = store.get(KEY).orElseThrow().revision();

        annotations.write(X, ADDRESSES);

        assertThat(store.get(KEY).orElseThrow().revision()).isEqualTo(revision);
    }

    @Test
    void releasedAddressesAreRemovedFromTheAnnotations() {
        put("u-1", "");
        annotations.write(X, ADDRESSES);

        annotations.erase(X);

        assertThat(metadata()).contains("""
            "annotations":{"cni.projectcalico.org/containerID":"x",\
            "cni.projectcalico.org/podIP":"","cni.projectcalico.org/podIPs":""}\
            """);
    }

    @Test
    void anOldSandboxDoesNotEraseWhatANewerOneHas() {
        put("u-1", "");
        annotations.write(X, ADDRESSES);
        var before = store.get(KEY);

        annotations.erase(new PodNotes.Sandbox("shop", "web-0", "u-1", "older"));

        assertThat(store.get(KEY)).isEqualTo(before);
    }

    @Test
    void aPodIsAnnotatedWithoutBeingRead() {
        put("u-1", "");

        annotations.write(X, ADDRESSES);
        annotations.eraseOwn(X);

        assertThat(store.reads()).isEmpty();
        assertThat(metadata()).contains("\"cni.projectcalico.org/podIPs\":\"\"");
    }

    @Test
    void aSandboxThatDoesNotSayItsPodsUidErasesOnlyAfterLooking() {
        put("u-1", "");
        annotations.write(X, ADDRESSES);
        var before = store.get(KEY);

        annotations.eraseOwn(new PodNotes.Sandbox("shop", "web-0", "", "older"));

        assertThat(store.get(KEY)).isEqualTo(before);
    }

    @Test
    void anAnswerThatIsLostIsLookedFor() {
        put("u-1", "");
        var merged = new MergedPods(store);
        var sent = new ArrayList<Bytes>();
        var unanswered = new PodAnnotations(
                store,
                (key, changes) -> {
                    sent.add(changes);
                    merged.apply(key, changes);
                    return new Commit.Unknown("the answer was lost");
                },
                log::add);

        unanswered.write(X, ADDRESSES);

        assertThat(sent).hasSize(1);
        assertThat(metadata()).contains("\"cni.projectcalico.org/podIP\":\"10.244.0.7/32\"");
    }

    @Test
    void aPodIsNotAnnotatedWithTheAddressesOfAFormerOneOfItsName() {
        put("u-2", "");
        var before = store.get(KEY);

        annotations.write(X, ADDRESSES);

        assertThat(store.get(KEY)).isEqualTo(before);
    }

    @Test
    void aPodThatIsGoneIsLeftGone() {
        annotations.write(X, ADDRESSES);
        annotations.erase(X);

        assertThat(store.get(KEY)).isEmpty();
        assertThat(log).isEmpty();
    }

    @Test
    void anAgentThatMayNotAnnotateSaysSoAndGoesOn() {
        put("u-1", "");
        store.denyPods();

        annotations.write(X, ADDRESSES);

        assertThat(log).singleElement().asString().contains("shop/web-0").contains("not to be");
    }

    @Test
    void attachingFailsIfTheStoreFails() {
        put("u-1", "");
        store.close();

        assertThatExceptionOfType(DatastoreException.class).isThrownBy(() -> annotations.write(X, ADDRESSES));
    }

    @Test
    void detachingSucceedsThoughTheStoreFails() {
        put("u-1", "");
        store.close();

        annotations.erase(X);

        assertThat(log).singleElement().asString().contains("shop/web-0");
    }
}
