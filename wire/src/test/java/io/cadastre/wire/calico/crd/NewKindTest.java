package io.cadastre.wire.calico.crd;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.datastore.resource.Content;
import io.cadastre.engine.Decision;
import io.cadastre.engine.NotReadException;
import io.cadastre.wire.book.DocumentChange;
import io.cadastre.wire.book.PrinterColumn;
import io.cadastre.wire.calico.resource.Applied;
import io.cadastre.wire.calico.resource.CalicoKind;
import io.cadastre.wire.calico.resource.CalicoKinds;
import io.cadastre.wire.calico.resource.Removed;
import io.cadastre.wire.calico.resource.ResourceBook;
import io.cadastre.wire.calico.resource.ResourceView;
import io.cadastre.wire.calico.resource.Resources;
import io.cadastre.wire.json.GoStruct;
import io.cadastre.wire.json.Json;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The table of Calico's kinds, and what a further kind takes: the class below and nothing else.
class NewKindTest {

    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    private record BgpPeerKind() implements CalicoKind {

        @Override
        public Traits traits() {
            return CalicoKind.traits("BGPPeer", "bgppeers", PrinterColumn.always("PEERIP", "/spec/peerIP"))
                    .writtenWith(GoStruct.KUBERNETES_OBJECT.with("spec", GoStruct.of("peerIP", "asNumber")));
        }
    }

    private static final CalicoKind PEER = new BgpPeerKind();
    private static final String KEY = "/calico/resources/v3/projectcalico.org/bgppeers/rack-1";

    private final MemoryDatastore store = new MemoryDatastore();

    private <O> O enact(Function<ResourceView, Decision<DocumentChange, O>> law) {
        var page = new ResourceBook(store).open();
        while (true) {
            try {
                var decision = law.apply(page.view());
                page.with(decision.changes()).save();
                return decision.outcome();
            } catch (NotReadException notRead) {
                page = page.reading(notRead.allMissing(), List.of());
            }
        }
    }

    private Applied apply(String spec) {
        var given = new Resources.Given(PEER, peer(spec), new UUID(1, 2), NOON);
        return enact(view -> Resources.apply(view, given));
    }

    private static ObjectNode peer(String spec) {
        return Json.readObject(
                "peer", Bytes.ofUtf8("{\"metadata\":{\"name\":\"rack-1\"},\"spec\":%s}".formatted(spec)));
    }

    @Test
    void aNewKindIsCreatedReplacedAndDeleted() {
        var created = apply("{\"peerIP\":\"10.0.0.1\"}");
        var again = apply("{\"peerIP\":\"10.0.0.1\"}");
        var replaced = apply("{\"peerIP\":\"10.0.0.2\"}");
        var stored = store.get(KEY).orElseThrow().value();
        var removed = enact(view -> Resources.remove(view, PEER, "rack-1"));

        assertThat(List.of(created, again, replaced))
                .containsExactly(new Applied.Created(), new Applied.Unchanged(), new Applied.Configured());
        assertThat(stored)
                .hasToString(
                        "{\"kind\":\"BGPPeer\",\"apiVersion\":\"projectcalico.org/v3\",\"metadata\":{\"name\":\"rack-1\","
                            + "\"uid\":\"00000000-0000-0001-0000-000000000002\",\"creationTimestamp\":\"2026-01-01T12:00:00Z\"},"
                            + "\"spec\":{\"peerIP\":\"10.0.0.2\"}}");
        assertThat(removed).isEqualTo(new Removed.Done());
        assertThat(store.get(KEY)).isEmpty();
    }

    @Test
    void aNewKindIsNamedAndShownByWhatItSays() {
        var shown = PEER.shown(KEY, peer("{\"peerIP\":\"10.0.0.1\"}"));

        assertThat(PEER.isCalled("BGPPeers")).isTrue();
        assertThat(PEER.isCalled("bgppeer")).isTrue();
        assertThat(PEER.name(KEY)).contains("rack-1");
        assertThat(PEER.traits().columns().getFirst().cell().apply(shown, Instant.EPOCH))
                .isEqualTo("10.0.0.1");
    }

    @ParameterizedTest
    @EnumSource
    void aNewKindHasAnObjectInKubernetes(ApiGroup group) {
        var objects = new CalicoObjects(group, List.of(PEER));
        var located = objects.locate(KEY).orElseThrow();

        var object = objects.create(KEY, Json.write(peer("{\"peerIP\":\"10.0.0.1\"}")));

        assertThat(located.name()).isEqualTo("rack-1");
        assertThat(located.resource().plural()).isEqualTo("bgppeers");
        assertThat(objects.read(located.resource(), object))
                .isInstanceOfSatisfying(
                        Content.Present.class,
                        present -> assertThat(present.key()).isEqualTo(KEY));
    }

    @ParameterizedTest
    @EnumSource
    void everyKindOfTheTableHasColumnsAPlaceInKubernetesAndANameOfItsOwn(ApiGroup group) {
        var objects = new CalicoObjects(group);

        assertThat(CalicoKinds.ALL).allSatisfy(kind -> {
            assertThat(kind.traits().columns()).isNotEmpty();
            assertThat(kind.traits().keys())
                    .allSatisfy(keys -> assertThat(objects.scopes(keys)).hasSize(1));
        });
        assertThat(CalicoKinds.ALL).extracting(kind -> kind.traits().plural()).doesNotHaveDuplicates();
        assertThat(CalicoKinds.ALL).extracting(CalicoKind::word).doesNotHaveDuplicates();
    }
}
