package io.cadastre.wire.calico.scenario;

import static io.cadastre.wire.calico.scenario.Words.pool;
import static io.cadastre.wire.calico.scenario.Words.prefix;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.address.Family;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.kubernetes.KubernetesSettings;
import io.cadastre.datastore.memory.MemoryJournal;
import io.cadastre.engine.block.Affinity;
import io.cadastre.engine.block.Attempts;
import io.cadastre.engine.block.BlockChange;
import io.cadastre.engine.block.BlockEngine;
import io.cadastre.engine.block.BlockView;
import io.cadastre.engine.block.IpamConfig;
import io.cadastre.engine.block.Owner;
import io.cadastre.engine.block.assign.AssignRequest.Ask;
import io.cadastre.engine.block.assign.Assignment;
import io.cadastre.engine.block.assign.ClaimRequest;
import io.cadastre.engine.block.assign.Requester;
import io.cadastre.engine.block.release.ReleaseCondition;
import io.cadastre.engine.block.release.ReleaseOption;
import io.cadastre.registry.Ledger;
import io.cadastre.registry.Registrar;
import io.cadastre.registry.Request;
import io.cadastre.wire.calico.AffinityLabels;
import io.cadastre.wire.calico.CalicoKey;
import io.cadastre.wire.calico.CalicoKeys;
import io.cadastre.wire.calico.crd.ApiGroup;
import io.cadastre.wire.calico.resource.Applied;
import io.cadastre.wire.calico.resource.CalicoKinds;
import io.cadastre.wire.calico.resource.ResourceBook;
import io.cadastre.wire.calico.resource.ResourceView;
import io.cadastre.wire.calico.resource.Resources;
import io.cadastre.wire.json.Json;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What only an API server has: objects with names, labels and identities, which are marked before they
/// are deleted.
abstract class KubernetesObjectScenarios extends ScenarioContract {

    private static final Owner NODE_A = Owner.host("node-a");
    private static final String BLOCK = "10.0.0.128/26";
    private static final String LABELS = "/metadata/labels";

    abstract KubernetesPlace place();

    @Override
    protected ScenarioStore open() {
        return place().ground();
    }

    /// The kinds that are marked before they are deleted.
    enum Kind {
        BLOCK("ipamblocks", new CalicoKey.OfBlock(prefix(KubernetesObjectScenarios.BLOCK))),
        AFFINITY("blockaffinities", new CalicoKey.OfAffinity(NODE_A, prefix(KubernetesObjectScenarios.BLOCK))),
        HANDLE("ipamhandles", new CalicoKey.OfHandle("h"));

        private final String plural;
        private final String key;

        Kind(String plural, CalicoKey key) {
            this.plural = plural;
            this.key = key.text();
        }
    }

    /// node-a has one address in one block.
    private ScenarioCluster holding() {
        var cluster = cluster(pool("p", "10.0.0.0/24"));
        cluster.assign("node-a", 1, "h");
        return cluster;
    }

    private ObjectNode only(Kind kind) {
        var objects = place().list(kind.plural);
        assertThat(objects).hasSize(1);
        return (ObjectNode) objects.getFirst();
    }

    private static String name(JsonNode object) {
        return object.at("/metadata/name").asText();
    }

    private List<String> names(Kind kind) {
        return place().list(kind.plural).stream()
                .map(KubernetesObjectScenarios::name)
                .toList();
    }

    /// A process marks the only object of a kind as deleted, and dies.
    private void mark(Kind kind) {
        var object = only(kind);
        var spec = (ObjectNode) object.path("spec");
        if (kind == Kind.AFFINITY && place().group() == ApiGroup.CRD_V1) {
            spec.put("deleted", "true");
        } else {
            spec.put("deleted", true);
        }
        place().overwrite(kind.plural, object);
    }

    @Test
    @DisplayName("CAL-97: objects are named as Calico names them, however long the host's name is")
    void objectsAreNamedAsCalicoNamesThem() {
        var host = "long--hostna".repeat(21);
        var cluster = cluster(pool("p", "10.0.0.0/26")).node(host);

        cluster.assign(host, 1, "k8s-pod-network.C0FFEE");

        assertThat(names(Kind.BLOCK)).containsExactly("10-0-0-0-26");
        assertThat(names(Kind.AFFINITY)).containsExactly(host.substring(0, 228) + "-10-0-0-0-26-fb0ffb1c45a");
        assertThat(names(Kind.HANDLE)).containsExactly("k8s-pod-network.c0ffee");
        assertThat(only(Kind.AFFINITY)
                        .at(LABELS + "/projectcalico.org~1hostname-hash")
                        .asText())
                .isEqualTo("7CLXRR2ALBAG563GAOLJI3NWCT5K6EPSMMXSFUGZYEK5RCG2QYYA");
        assertThat(cluster.affinities(host)).containsExactly("10.0.0.0/26 confirmed");
    }

    @Test
    @DisplayName("CAL-98: a host finds its affinities of one family and type, and no others")
    void hostFindsItsAffinities() {
        var cluster = cluster(pool("p", "10.0.0.0/24"), pool("v6", "fd00::/120"));
        cluster.assign(cluster.request("node-a").ipv4(Ask.of(1)).ipv6(Ask.of(1)));
        cluster.assign("node-b", 1);
        claim(cluster, "10.0.0.192/26", Owner.virtual("node-a"));

        var found = store().listAll(CalicoKeys.affinities(NODE_A, Family.IPV4)).documents();

        assertThat(place().list("blockaffinities")).hasSize(4);
        assertThat(found)
                .extracting(document -> document.key())
                .containsExactly(CalicoKeys.affinities(NODE_A, Family.IPV4) + "10.0.0.128-26");
    }

    @Test
    @DisplayName("CAL-98: a write sets the three labels anew and leaves others alone")
    void writeLeavesOtherLabelsAlone() {
        var cluster = holding();
        var object = only(Kind.AFFINITY);
        ((ObjectNode) object.at(LABELS)).put("team", "shop").put("projectcalico.org/ip-version", "6");
        place().overwrite("blockaffinities", object);

        cluster.affinity(new Affinity(NODE_A, prefix(BLOCK), Affinity.State.PENDING_DELETION));

        assertThat(only(Kind.AFFINITY).at(LABELS))
                .isEqualTo(Json.emptyObject()
                        .put("projectcalico.org/affinity-type", "host")
                        .put("projectcalico.org/hostname-hash", "PY3TQE2E3XMTETLM2MJO3UITKPFB27YUJ4T4E5XGPEJON3SM4QAA")
                        .put("projectcalico.org/ip-version", "4")
                        .put("team", "shop"));
    }

    private static void claim(ScenarioCluster cluster, String cidr, Owner owner) {
        cluster.enact(view -> BlockEngine.claimAffinity(view, new ClaimRequest(prefix(cidr), owner, cluster.now())));
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("CAL-99: a search for a marked object finds nothing, and deletes it")
    void markedObjectIsNotFoundAndDeleted(Kind kind) {
        holding();
        mark(kind);

        var found = store().get(kind.key);

        assertThat(found).isEmpty();
        assertThat(place().list(kind.plural)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("CAL-99: lists leave out what is marked")
    void listsLeaveOutMarkedObjects(Kind kind) {
        holding();
        mark(kind);

        var folder = kind.key.substring(0, kind.key.lastIndexOf('/') + 1);

        assertThat(store().listAll(folder).documents()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("CAL-100: a process that knows the former incarnation does not delete the next")
    void formerIncarnationIsNotTheNext(Kind kind) {
        holding();
        var former = store().get(kind.key).orElseThrow();
        var object = only(kind);
        var uid = object.at("/metadata/uid").asText();
        place().delete(kind.plural, name(object), uid);
        store().commit(List.of(new Write.Create(kind.key, former.value())));

        var late = store().commit(List.of(new Write.Delete(kind.key, former.revision())));

        assertThat(late).isEqualTo(new Commit.Conflict(0, Commit.Kind.STALE));
        assertThatExceptionOfType(KubernetesClientException.class)
                .isThrownBy(() -> place().delete(kind.plural, name(object), uid))
                .matches(refused -> refused.getCode() == 409);
        var next = store().get(kind.key).orElseThrow();
        assertThat(store().commit(List.of(new Write.Delete(kind.key, next.revision()))))
                .isInstanceOf(Commit.Done.class);
        assertThat(place().list(kind.plural)).isEmpty();
    }

    @Test
    @DisplayName("CAL-101: when an address was released is kept")
    void whenAnAddressWasReleasedIsKept() {
        var cluster = holding().config(IpamConfig.DEFAULT.withCooldownSeconds(60));

        cluster.release(ReleaseOption.of("10.0.0.128"));

        assertThat(only(Kind.BLOCK).at("/spec/attributes/0/releasedAt").asText())
                .isEqualTo("2026-03-01T10:20:30Z");
        assertThat(cluster.block(BLOCK).coolingSince()).contains(Instant.parse("2026-03-01T10:20:30Z"));
    }

    @Test
    @DisplayName("CAL-102: the older group shows identities with their bits mirrored")
    void olderGroupMirrorsIdentities() {
        var cluster = cluster(pool("p", "10.0.0.0/24"));
        var own = place().find("ippools", "p").orElseThrow().at("/metadata/uid").asText();

        var document = cluster.store().get(CalicoKeys.POOLS + "p").orElseThrow();

        assertThat(Json.readObject("p", document.value()).at("/metadata/uid").asText())
                .isEqualTo(place().group() == ApiGroup.CRD_V1 ? mirrored(own) : own);
    }

    /// Each byte backwards, but the two that tell the version and the variant.
    private static String mirrored(String uid) {
        var digits = new StringBuilder();
        var plain = uid.replace("-", "");
        for (int index = 0; index < 16; index++) {
            int part = Integer.parseInt(plain.substring(2 * index, 2 * index + 2), 16);
            int shown = index == 6 || index == 8 ? part : Integer.reverse(part) >>> 24;
            digits.append("%02x".formatted(shown));
        }
        for (int place : List.of(20, 16, 12, 8)) {
            digits.insert(place, '-');
        }
        return digits.toString();
    }

    @Test
    @DisplayName("CAL-103: affinities without labels are hidden from their host until it labels them")
    void hostLabelsItsAffinities() {
        var cluster = cluster(pool("p", "10.0.0.0/24"));
        claim(cluster, "10.0.0.0/26", NODE_A);
        claim(cluster, "10.0.0.64/26", NODE_A);
        claim(cluster, "10.0.0.128/26", Owner.host("node-b"));
        for (var object : place().list("blockaffinities")) {
            ((ObjectNode) object.path("metadata")).remove("labels");
            place().overwrite("blockaffinities", (ObjectNode) object);
        }
        var hidden = store().listAll(CalicoKeys.affinities(NODE_A, Family.IPV4)).documents();

        int labelled = AffinityLabels.complete(store(), "node-a");
        int again = AffinityLabels.complete(store(), "node-a");

        assertThat(hidden).isEmpty();
        assertThat(labelled).isEqualTo(2);
        assertThat(again).isZero();
        assertThat(store().listAll(CalicoKeys.affinities(NODE_A, Family.IPV4)).documents())
                .hasSize(2);
        assertThat(place().list("blockaffinities"))
                .filteredOn(object -> object.at(LABELS).isMissingNode())
                .extracting(KubernetesObjectScenarios::name)
                .containsExactly("node-b-10-0-0-128-26");
    }

    @Test
    @DisplayName("CAL-129: a pool in another spelling can be changed and keeps its spelling")
    void poolKeepsItsSpelling() {
        var pool = Json.emptyObject();
        pool.put("apiVersion", place().group().apiVersion()).put("kind", "IPPool");
        pool.putObject("metadata").put("name", "p");
        pool.putObject("spec").put("cidr", "2001:DB8::/64");
        place().create("ippools", pool);
        var given = Json.readObject(
                "given",
                Bytes.ofUtf8("{\"metadata\":{\"name\":\"p\"},\"spec\":"
                        + "{\"cidr\":\"2001:db8::/64\",\"natOutgoing\":true}}"));

        var registrar = new Registrar<>(
                new ResourceBook(store()),
                new Ledger(new MemoryJournal()),
                Registrar.Limits.DEFAULT,
                () -> ScenarioCluster.NOW,
                new Random(129),
                _ -> {});
        var pools = CalicoKinds.POOL;

        var applied = registrar.enact(new Request<>(
                "a pool is applied",
                (ResourceView view) ->
                        Resources.apply(view, new Resources.Given(pools, given, new UUID(1, 2), ScenarioCluster.NOW))));

        assertThat(applied).isInstanceOf(Applied.Configured.class);
        var spec = place().find("ippools", "p").orElseThrow().path("spec");
        assertThat(spec.path("cidr").asText()).isEqualTo("2001:DB8::/64");
        assertThat(spec.path("natOutgoing").asBoolean()).isTrue();
    }

    @Test
    @DisplayName("CAL-132: a handle that no object can be named for is refused before a block is" + " claimed")
    void handleThatNoObjectCanBeNamedForIsRefused() {
        var cluster = cluster(pool("p", "10.0.0.0/24"));

        assertThatExceptionOfType(DatastoreException.class)
                .isThrownBy(() -> cluster.assign("node-a", 1, "k8s-pod-network.vmi._abc"))
                .withMessageContaining("handle/k8s-pod-network.vmi._abc cannot be kept");

        assertThat(place().list("blockaffinities")).isEmpty();
        assertThat(place().list("ipamblocks")).isEmpty();
        assertThat(cluster.assign("node-a", 1, "k8s-pod-network.vmi.abc")).hasSize(1);
    }

    @Test
    @DisplayName("CAL-133: handles that differ in case share an object with the spelling of the first")
    void handlesThatDifferInCaseShareAnObject() {
        var cluster = cluster(pool("p", "10.0.0.0/24"));

        for (var handle : List.of("Upper.Case", "upper.case")) {
            var request = cluster.request("node-a").ipv4(Ask.of(1)).by(Requester.of(handle));
            // Surveyed it is not: the count of one handle is that of two.
            Request.Law<BlockView, BlockChange, Assignment> law = (view, _) -> BlockEngine.assign(view, request);
            cluster.settle(law);
        }

        var spec = only(Kind.HANDLE).path("spec");
        assertThat(spec.path("handleID").asText()).isEqualTo("Upper.Case");
        assertThat(spec.path("block").path(BLOCK).asInt()).isEqualTo(2);
        assertThat(cluster.block(BLOCK).addressesOf("Upper.Case")).hasSize(1);
        assertThat(cluster.block(BLOCK).addressesOf("upper.case")).hasSize(1);
    }

    @Test
    void missingPermissionIsReported() {
        denied(place().server().settingsOfUnprivilegedUser(), "does not allow us to get");
        denied(place().server().settingsOfStranger(), "does not accept our credentials to get");
    }

    private void denied(KubernetesSettings settings, String words) {
        try (var store = place().open(settings)) {
            assertThatExceptionOfType(DatastoreException.class)
                    .isThrownBy(() -> ScenarioCluster.of(store, place().scenery()))
                    .withMessageContaining(words)
                    .matches(denied -> denied.kind() == DatastoreException.Kind.DENIED);
        }
    }

    @Test
    @DisplayName("CAL-25: the API server itself refuses a pool with host bits")
    void poolWithHostBitsIsRefused() {
        var json = ScenarioCluster.resource("IPPool", "p");
        json.putObject("spec").put("cidr", "10.0.0.1/24");

        assertThatExceptionOfType(DatastoreException.class)
                .isThrownBy(() -> store().commit(List.of(new Write.Create(CalicoKeys.POOLS + "p", Json.write(json)))))
                .withMessageContaining("strictly masked");
    }

    // ---- CAL-95: a process died between marking an object and deleting it ----

    /// What node-a left: an object that is marked and still there.
    private ScenarioCluster afterMarking(Kind kind) {
        var cluster = holding();
        cluster.dieAfter(1, view -> BlockEngine.releaseByHandle(view, "h", Attempts.first(cluster.now())));
        if (kind != Kind.HANDLE) {
            cluster.releaseByHandle("h");
            int writes = kind == Kind.BLOCK ? 1 : 2;
            cluster.dieAfter(
                    writes,
                    view -> BlockEngine.releaseHost(
                            view, NODE_A, ReleaseCondition.NOT_REQUIRED, Attempts.first(cluster.now())));
        }
        mark(kind);
        return cluster;
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("CAL-95: after a deletion that was only marked the same host goes on")
    void sameHostGoesOnAfterAMark(Kind kind) {
        var cluster = afterMarking(kind);

        var given = cluster.assign("node-a", 1, "h");

        assertThat(given).hasSize(1);
        assertThat(cluster.affinities("node-a")).containsExactly(BLOCK + " confirmed");
        assertThat(cluster.block(BLOCK).ownedBy(NODE_A)).isTrue();
        assertThat(cluster.block(BLOCK).addressesOf("h")).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("CAL-95: after a deletion that was only marked another host gets everything")
    void otherHostGetsEverythingAfterAMark(Kind kind) {
        var cluster = afterMarking(kind);

        var given = cluster.assign("node-b", 256);

        assertThat(given).doesNotHaveDuplicates().hasSize(256);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("CAL-95: after a deletion that was only marked the host can be removed")
    void hostCanBeRemovedAfterAMark(Kind kind) {
        var cluster = afterMarking(kind);

        cluster.enact(view ->
                BlockEngine.releaseHost(view, NODE_A, ReleaseCondition.NOT_REQUIRED, Attempts.first(cluster.now())));
        cluster.releaseByHandle("h");

        assertThat(cluster.blocks()).isEmpty();
        assertThat(cluster.affinities("node-a")).isEmpty();
        assertThat(cluster.view().handles()).isEmpty();
    }
}
