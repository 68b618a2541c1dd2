package io.cadastre.wire.kubernetes.clustercidr;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Range;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Document;
import io.cadastre.engine.Decision;
import io.cadastre.engine.Holding;
import io.cadastre.wire.book.DocumentChange;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.kubernetes.clustercidr.ClusterCidrObjects.Given;
import io.cadastre.wire.kubernetes.clustercidr.ClusterCidrOutcome.Configured;
import io.cadastre.wire.kubernetes.clustercidr.ClusterCidrOutcome.Created;
import io.cadastre.wire.kubernetes.clustercidr.ClusterCidrOutcome.Deleted;
import io.cadastre.wire.kubernetes.clustercidr.ClusterCidrOutcome.Refused;
import io.cadastre.wire.kubernetes.clustercidr.ClusterCidrOutcome.Terminating;
import io.cadastre.wire.kubernetes.clustercidr.ClusterCidrOutcome.Unchanged;
import io.cadastre.wire.kubernetes.clustercidr.ClusterCidrStock.Ending;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ClusterCidrObjectsTest {

    private static final Instant NOW = Instant.parse("2026-11-18T20:42:33Z");
    private static final UUID UID = UUID.fromString("00000000-0000-4000-8000-000000000001");
    private static final ClusterCidrGroup GROUP = ClusterCidrGroup.CUSTOM;

    private static final String SPEC = "{\"perNodeHostBits\":8,\"ipv4\":\"10.0.0.0/16\"}";

    private static final ClusterCidrStock EMPTY = new ClusterCidrStock(List.of(), List.of(), Ending.BY_WRITER);

    private static Given given(ClusterCidrGroup group, String spec, String metadata) {
        return new Given(
                group,
                Json.readObject(
                        "given",
                        Bytes.ofUtf8("{\"metadata\":{\"name\":\"a\"%s},\"spec\":%s}".formatted(metadata, spec))),
                UID,
                NOW);
    }

    private static Given given(String spec) {
        return given(GROUP, spec, "");
    }

    /// What is stored once the object is created.
    private static ClusterCidrStock stockOf(Given given, Ending ending) {
        return stockOf(content(ClusterCidrObjects.create(EMPTY, given)), ending);
    }

    private static ClusterCidrStock stockOf(Bytes content, Ending ending) {
        return new ClusterCidrStock(List.of(new Document(GROUP.key("a"), content, 7)), List.of(), ending);
    }

    private static Bytes content(Decision<DocumentChange, ClusterCidrOutcome> decision) {
        assertThat(decision.outcome()).isNotInstanceOf(Refused.class);
        return ((DocumentChange.Put) decision.changes().getFirst()).value();
    }

    private static String refusal(Decision<DocumentChange, ClusterCidrOutcome> decision) {
        assertThat(decision.changes()).isEmpty();
        return ((Refused) decision.outcome()).sentence();
    }

    @Test
    void aNewObjectIsStoredWithWhatTheServerAdds() {
        var decision = ClusterCidrObjects.create(
                EMPTY,
                given(
                        GROUP,
                        SPEC,
                        ",\"labels\":{\"b\":\"1\",\"a\":\"2\"},\"generation\":9,\"finalizers\":[\"example.com/x\"]"));

        assertThat(decision.outcome()).isEqualTo(new Created());
        assertThat(content(decision).utf8()).isEqualTo("""
            {"apiVersion":"networking.x-k8s.io/v1","kind":"ClusterCIDR",\
            "metadata":{"creationTimestamp":"2026-11-18T20:42:33Z","generation":1,"name":"a",\
            "uid":"00000000-0000-4000-8000-000000000001","labels":{"a":"2","b":"1"},\
            "finalizers":["example.com/x"]},"spec":{"perNodeHostBits":8,"ipv4":"10.0.0.0/16"}}\
            """);
    }

    @Test
    void theOlderGroupFillsInEmptyCidrs() {
        var content = content(ClusterCidrObjects.create(EMPTY, given(ClusterCidrGroup.IN_TREE, SPEC, "")));

        assertThat(content.utf8()).contains("\"ipv4\":\"10.0.0.0/16\",\"ipv6\":\"\"");
    }

    @Test
    void rulesAreThoseOfTheGroup() {
        var spec = "{\"perNodeHostBits\":3,\"ipv4\":\"10.0.0.0\"}";

        assertThat(refusal(ClusterCidrObjects.create(EMPTY, given(ClusterCidrGroup.IN_TREE, spec, ""))))
                .isEqualTo(
                        "ClusterCIDR.networking.k8s.io \"a\" is invalid: spec.IPv4: Invalid value: \"10.0.0.0\": must"
                                + " be a valid CIDR: 10.0.0.0");
        assertThat(refusal(ClusterCidrObjects.create(EMPTY, given(spec))))
                .isEqualTo(
                        "ClusterCIDR.networking.x-k8s.io \"a\" is invalid: spec.ipv4: Invalid value: \"10.0.0.0\": IPv4"
                                + " must be a valid IPv4 CIDR.");
        assertThat(refusal(ClusterCidrObjects.create(EMPTY, given("{}"))))
                .isEqualTo(
                        "ClusterCIDR.networking.x-k8s.io \"a\" is invalid: [spec.perNodeHostBits: Required value, spec:"
                                + " Invalid value: A CIDR must be specified for ipv4 or ipv6.]");
        assertThat(refusal(ClusterCidrObjects.create(EMPTY, given("{\"ipv4\":7}"))))
                .contains("is invalid: its ipv4 is not text");
    }

    @Test
    void aRangeOfAnotherDialectIsRefused() {
        var pool = new Holding(Range.parse("10.0.128.0/20"), Holding.Level.POOL, "IPPool(default)", Holding.State.HELD);
        var stock = new ClusterCidrStock(List.of(), List.of(pool), Ending.BY_WRITER);

        assertThat(refusal(ClusterCidrObjects.create(stock, given(SPEC))))
                .contains("spec: Forbidden: it overlaps 10.0.128.0-10.0.143.255 of IPPool(default)")
                .endsWith("choose other addresses, or delete IPPool(default) first");
    }

    @Test
    void labelsChangeAndTheSpecDoesNot() {
        var stock = stockOf(given(SPEC), Ending.BY_WRITER);

        var same = ClusterCidrObjects.apply(stock, given(SPEC));
        var labelled = ClusterCidrObjects.apply(stock, given(GROUP, SPEC, ",\"labels\":{\"a\":\"1\"}"));
        var wider = ClusterCidrObjects.apply(stock, given("{\"perNodeHostBits\":8,\"ipv4\":\"10.0.0.0/15\"}"));

        assertThat(same.outcome()).isEqualTo(new Unchanged());
        assertThat(same.changes()).isEmpty();
        assertThat(labelled.outcome()).isEqualTo(new Configured());
        assertThat(ClusterCidrObjects.apply(stockOf(content(labelled), Ending.BY_WRITER), given(SPEC))
                        .outcome())
                .isEqualTo(new Configured());
        assertThat(refusal(wider))
                .isEqualTo(
                        "ClusterCIDR.networking.x-k8s.io \"a\" is invalid: spec.ipv4: Invalid value: \"10.0.0.0/15\":"
                                + " field is immutable");
    }

    @Test
    void anObjectThatIsThereIsNotCreated() {
        assertThat(refusal(ClusterCidrObjects.create(stockOf(given(SPEC), Ending.BY_WRITER), given(SPEC))))
                .isEqualTo("ClusterCIDR.networking.x-k8s.io \"a\" already exists");
    }

    @Test
    void oneWithoutFinalizerIsDeletedAtOnce() {
        var decision = ClusterCidrObjects.remove(stockOf(given(SPEC), Ending.BY_WRITER), GROUP, "a", NOW);

        assertThat(decision.outcome()).isEqualTo(new Deleted());
        assertThat(decision.changes()).singleElement().isInstanceOf(DocumentChange.Drop.class);
        assertThat(refusal(ClusterCidrObjects.remove(EMPTY, GROUP, "a", NOW)))
                .isEqualTo("ClusterCIDR.networking.x-k8s.io \"a\" not found");
    }

    @Test
    void theDeletionOfOneWithAFinalizerOnlyBegins() {
        var kept = given(GROUP, SPEC, ",\"finalizers\":[\"networking.x-k8s.io/cluster-cidr-finalizer\"]");

        var ours = ClusterCidrObjects.remove(stockOf(kept, Ending.BY_WRITER), GROUP, "a", NOW);
        var servers = ClusterCidrObjects.remove(stockOf(kept, Ending.BY_STORE), GROUP, "a", NOW);
        var again = ClusterCidrObjects.remove(stockOf(content(ours), Ending.BY_WRITER), GROUP, "a", NOW);

        assertThat(ours.outcome()).isEqualTo(new Terminating());
        assertThat(content(ours).utf8()).contains("\"deletionTimestamp\":\"2026-11-18T20:42:33Z\"", "\"generation\":2");
        assertThat(servers.outcome()).isEqualTo(new Terminating());
        assertThat(servers.changes()).singleElement().isInstanceOf(DocumentChange.Drop.class);
        assertThat(again.outcome()).isEqualTo(new Terminating());
        assertThat(again.changes()).isEmpty();
    }
}
