package io.cadastre.wire.calico.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cadastre.address.Address;
import io.cadastre.address.Prefix;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.datastore.memory.MemoryJournal;
import io.cadastre.engine.Decision;
import io.cadastre.registry.Ledger;
import io.cadastre.registry.Registrar;
import io.cadastre.registry.Request;
import io.cadastre.wire.book.DocumentChange;
import io.cadastre.wire.calico.endpoint.Endpoints.Removal;
import io.cadastre.wire.calico.endpoint.ProfileDocument.Ingress;
import io.cadastre.wire.json.UnreadableDocumentException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class EndpointsTest {

    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05.600Z");
    private static final UUID UID = UUID.fromString("6ba7b810-9dad-41d1-80b4-00c04fd430c8");
    private static final EndpointName NAME = new EndpointName("node-1", "k8s", "web-0", "eth0");
    private static final String KEY =
            "/calico/resources/v3/projectcalico.org/workloadendpoints/test/node--1-k8s-web--0-eth0";
    private static final String PROFILE = "/calico/resources/v3/projectcalico.org/profiles/net1";

    @AutoClose
    private final Datastore store = new MemoryDatastore();

    @Test
    void endpointIsWrittenAsCalicoDoes() {
        enact(view -> Endpoints.record(view, endpoint("x"), UID, NOW));

        assertThat(stored(KEY)).isEqualTo("""
            {"kind":"WorkloadEndpoint","apiVersion":"projectcalico.org/v3",\
            "metadata":{"name":"node--1-k8s-web--0-eth0","namespace":"test",\
            "uid":"6ba7b810-9dad-41d1-80b4-00c04fd430c8",\
            "creationTimestamp":"2026-01-02T03:04:05Z",\
            "labels":{"app":"web"},\
            "annotations":{"cadastre.io/network":"net1"}},\
            "spec":{"orchestrator":"k8s","node":"node-1","containerID":"x",\
            "pod":"web-0","endpoint":"eth0","serviceAccountName":"default",\
            "ipNetworks":["10.65.0.2/32","fd65::2/128"],\
            "ipNATs":[{"internalIP":"10.65.0.2","externalIP":"192.0.2.7"}],\
            "profiles":["kns.test"],"interfaceName":"cali7b07e5871ca",\
            "mac":"0a:00:00:00:00:01",\
            "ports":[{"name":"http","protocol":"TCP","port":80,"hostPort":8080,"hostIP":""}],\
            "allowSpoofedSourcePrefixes":["10.9.0.0/16"]}}\
            """);
    }

    @Test
    void endpointIsReadAsItWasWritten() {
        enact(view -> Endpoints.record(view, endpoint("x"), UID, NOW));

        var read = WorkloadEndpointDocument.decode(KEY, "test", NAME, Bytes.ofUtf8(stored(KEY)));

        assertThat(read.endpoint()).isEqualTo(endpoint("x"));
        assertThat(read.encode().utf8()).isEqualTo(stored(KEY));
    }

    @Test
    void rewritingKeepsIdentityAndForeignFields() {
        put(KEY, """
            {"kind":"WorkloadEndpoint","metadata":{"name":"n","uid":"u","finalizers":["f"]},\
            "spec":{"containerID":"old","ipv4Gateway":"10.0.0.1","ipNATs":[]}}\
            """);

        enact(view -> Endpoints.record(view, endpoint("new"), UID, NOW));

        assertThat(stored(KEY))
                .contains("\"uid\":\"u\"", "\"finalizers\":[\"f\"]", "\"ipv4Gateway\":\"10.0.0.1\"")
                .contains("\"containerID\":\"new\"")
                .doesNotContain("old");
    }

    @Test
    void askingTwiceIsAskingOnce() {
        enact(view -> Endpoints.record(view, endpoint("x"), UID, NOW));
        var before = store.get(KEY);

        enact(view -> Endpoints.record(view, endpoint("x"), UID, NOW.plusSeconds(9)));

        assertThat(store.get(KEY)).isEqualTo(before);
    }

    @Test
    void endpointOfThisContainerIsForgotten() {
        enact(view -> Endpoints.record(view, endpoint("x"), UID, NOW));

        var removal = enact(view -> Endpoints.remove(view, NAME, "x"));

        assertThat(removal).isEqualTo(new Removal.Gone());
        assertThat(store.get(KEY)).isEmpty();
    }

    @Test
    void endpointOfAnotherContainerIsKept() {
        enact(view -> Endpoints.record(view, endpoint("y"), UID, NOW));

        var removal = enact(view -> Endpoints.remove(view, NAME, "x"));

        assertThat(removal).isEqualTo(new Removal.Kept(endpoint("y")));
        assertThat(store.get(KEY)).isPresent();
    }

    @Test
    void unknownEndpointCountsAsRemoved() {
        assertThat(this.<Removal>enact(view -> Endpoints.remove(view, NAME, "x")))
                .isEqualTo(new Removal.Gone());
    }

    @Test
    void podWhoseNameBeginsWithThisOnesIsNotSeen() {
        put(KEY.replace("web--0", "web--0--1"), "{}");

        var seen = this.<Integer>enact(view -> new Decision<>(view.documents().size(), List.of(), List.of()));

        assertThat(seen).isZero();
    }

    @Test
    void profileIsMadeOnceAndNeverRewritten() {
        var profile = ProfileDocument.create("net1", Ingress.FROM_THE_NETWORK, UID, NOW);
        put(PROFILE, "{\"people\":\"may change it\"}");

        enact(view -> Endpoints.record(view, endpoint("x"), profile, UID, NOW));

        assertThat(stored(PROFILE)).isEqualTo("{\"people\":\"may change it\"}");
    }

    @Test
    void profileLetsInWhoIsOfTheSameNetwork() {
        var profile = ProfileDocument.create("net1", Ingress.FROM_THE_NETWORK, UID, NOW);

        enact(view -> Endpoints.record(view, endpoint("x"), profile, UID, NOW));

        assertThat(stored(PROFILE)).endsWith("""
            "spec":{"ingress":[{"action":"Allow","source":{"selector":"has(net1)"},"destination":{}}],\
            "egress":[{"action":"Allow","source":{},"destination":{}}],\
            "labelsToApply":{"net1":""}}}\
            """);
    }

    @Test
    void endpointThatCannotBeReadIsNamed() {
        put(KEY, "{\"spec\":{\"ipNetworks\":[\"here\"]}}");

        assertThatThrownBy(() -> enact(view -> Endpoints.remove(view, NAME, "x")))
                .isInstanceOf(UnreadableDocumentException.class)
                .hasMessageContaining(KEY);
    }

    private static CalicoEndpoint endpoint(String container) {
        return new CalicoEndpoint(
                "test",
                NAME,
                new TreeMap<>(Map.of("app", "web")),
                "net1",
                new CalicoEndpoint.Holder("web-0", container, "default"),
                new CalicoEndpoint.Wire(
                        "cali7b07e5871ca",
                        "0a:00:00:00:00:01",
                        List.of(Address.parse("10.65.0.2"), Address.parse("fd65::2")),
                        List.of(new CalicoEndpoint.Nat(Address.parse("10.65.0.2"), Address.parse("192.0.2.7")))),
                new CalicoEndpoint.Rules(
                        List.of("kns.test"),
                        List.of(new CalicoEndpoint.Port("http", "TCP", 80, 8080, "")),
                        List.of(Prefix.parse("10.9.0.0/16"))));
    }

    private <O> O enact(Function<EndpointView, Decision<DocumentChange, O>> law) {
        return new Registrar<>(
                        new EndpointBook(store, "test", NAME, "net1"),
                        new Ledger(new MemoryJournal()),
                        Registrar.Limits.DEFAULT,
                        InstantSource.fixed(NOW),
                        new SplittableRandom(1),
                        _ -> {})
                .enact(new Request<>("try", law));
    }

    private void put(String key, String json) {
        store.commit(List.of(new Write.Create(key, Bytes.ofUtf8(json))));
    }

    private String stored(String key) {
        return store.get(key).orElseThrow().value().utf8();
    }
}
