package io.cadastre.wire.cilium;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Range;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.engine.Decision;
import io.cadastre.engine.Holding;
import io.cadastre.wire.book.DocumentChange;
import io.cadastre.wire.cilium.CiliumObjects.Given;
import io.cadastre.wire.cilium.CiliumOutcome.Configured;
import io.cadastre.wire.cilium.CiliumOutcome.Created;
import io.cadastre.wire.cilium.CiliumOutcome.Deleted;
import io.cadastre.wire.cilium.CiliumOutcome.Refused;
import io.cadastre.wire.cilium.CiliumOutcome.Unchanged;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.survey.StoreRanges;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CiliumObjectsTest {

    private static final Instant NOW = Instant.parse("2026-11-19T20:30:00Z");
    private static final UUID UID = UUID.fromString("00000000-0000-4000-8000-000000000001");

    private static final String SPEC = "{\"ipv4\":{\"cidrs\":[\"10.20.0.0/16\"],\"maskSize\":28}}";

    private static final CiliumStock EMPTY = new CiliumStock(List.of(), List.of());

    private static Given given(CiliumKind kind, String name, String spec, String more) {
        var text = "{\"metadata\":{\"name\":\"%s\"},\"spec\":%s%s}".formatted(name, spec, more);
        return new Given(kind, Json.readObject("given", Bytes.ofUtf8(text)), UID, NOW);
    }

    private static Given pool(String name, String spec) {
        return given(CiliumKinds.POOL, name, spec, "");
    }

    private static Given node(String spec) {
        return given(CiliumKinds.NODE, "n", spec, "");
    }

    private static CiliumStock stockOf(Given given) {
        var content = content(CiliumObjects.create(EMPTY, given));
        return new CiliumStock(List.of(new Document(given.kind().key(given.name()), content, 7)), List.of());
    }

    private static Bytes content(Decision<DocumentChange, CiliumOutcome> decision) {
        assertThat(decision.outcome()).isNotInstanceOf(Refused.class);
        return ((DocumentChange.Put) decision.changes().getFirst()).value();
    }

    private static String refusal(Decision<DocumentChange, CiliumOutcome> decision) {
        assertThat(decision.changes()).isEmpty();
        return ((Refused) decision.outcome()).sentence();
    }

    @Test
    void aNewPoolIsStoredWithWhatTheServerAdds() {
        var decision = CiliumObjects.create(EMPTY, pool("mars", SPEC));

        assertThat(decision.outcome()).isEqualTo(new Created());
        assertThat(content(decision).utf8()).isEqualTo("""
            {"apiVersion":"cilium.io/v2alpha1","kind":"CiliumPodIPPool",\
            "metadata":{"creationTimestamp":"2026-11-19T20:30:00Z","generation":1,"name":"mars",\
            "uid":"00000000-0000-4000-8000-000000000001"},\
            "spec":{"ipv4":{"cidrs":["10.20.0.0/16"],"maskSize":28}}}\
            """);
    }

    @Test
    void applyingTwiceIsApplyingOnceAndCreatingTwiceIsRefused() {
        var stock = stockOf(pool("mars", SPEC));

        assertThat(CiliumObjects.apply(stock, pool("mars", SPEC)).outcome()).isEqualTo(new Unchanged());
        assertThat(refusal(CiliumObjects.create(stock, pool("mars", SPEC))))
                .isEqualTo("CiliumPodIPPool.cilium.io \"mars\" already exists");
    }

    @Test
    void cidrsAreAddedAndRemovedWhileTheMaskStays() {
        var stock = stockOf(pool("mars", SPEC));
        var more = SPEC.replace("[\"10.20.0.0/16\"]", "[\"10.20.0.0/16\",\"10.21.0.0/16\"]");

        assertThat(CiliumObjects.apply(stock, pool("mars", more)).outcome()).isEqualTo(new Configured());
        assertThat(CiliumObjects.apply(stockOf(pool("mars", more)), pool("mars", SPEC))
                        .outcome())
                .isEqualTo(new Configured());
    }

    /// CI-49.
    @Test
    void ci49TheMaskCannotBeChanged() {
        var stock = stockOf(pool("mars", SPEC));

        assertThat(refusal(CiliumObjects.apply(stock, pool("mars", SPEC.replace("28", "27")))))
                .isEqualTo("CiliumPodIPPool.cilium.io \"mars\" is invalid: spec.ipv4.maskSize: Invalid value: 27:"
                        + " maskSize is immutable");
    }

    @Test
    void whetherTheFirstAddressIsGivenCannotBeChanged() {
        var stock = stockOf(pool("mars", SPEC));

        assertThat(refusal(
                        CiliumObjects.apply(stock, pool("mars", SPEC.replaceFirst("\\{", "{\"allowFirstIP\":true,")))))
                .endsWith("spec.allowFirstIP: Invalid value: true: allowFirstIP is immutable");
        assertThat(CiliumObjects.apply(stock, pool("mars", SPEC.replaceFirst("\\{", "{\"allowFirstIP\":false,")))
                        .outcome())
                .isEqualTo(new Configured());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\'', textBlock = """
        {} | spec: Required value: a pool has CIDRs of ipv4 or of ipv6
        {"ipv4":{"cidrs":["10.0.0.0/16"]}} | spec.ipv4.maskSize: Required value
        {"ipv4":{"cidrs":[],"maskSize":24}} | spec.ipv4.cidrs: Required value: a family has one CIDR or more
        {"ipv4":{"cidrs":["10.0.0.0/16"],"maskSize":33}} | spec.ipv4.maskSize: Invalid value: 33: it must be from 1 to 32
        {"ipv6":{"cidrs":["fd00::/112"],"maskSize":0}} | spec.ipv6.maskSize: Invalid value: 0: it must be from 1 to 128
        {"ipv4":{"cidrs":["fd00::/112"],"maskSize":24}} | "fd00::/112": it is not a CIDR of IPv4
        {"ipv4":{"cidrs":["10.0.0.1/16"],"maskSize":24}} | the CIDR is 10.0.0.0/16
        {"ipv4":{"cidrs":["10.0.0.0/16"],"maskSize":8}} | it has no CIDR of /8: choose a maskSize from 16 on
        {"ipv6":{"cidrs":["fd00::/64"],"maskSize":96}} | New CIDR set failed; the node CIDR size is too big
        {"ipv4":{"cidrs":["10.0.0.0/16","10.0.4.0/24"],"maskSize":24}} | it overlaps 10.0.0.0/16 of the same pool
        {"ipv4":{"cidrs":["10.0.0.0/16"],"maskSize":24},"podSelector":{"matchExpressions":[{"key":"a","operator":"Is"}]}} | operator is not one of In, NotIn, Exists, DoesNotExist
        {"ipv4":{"cidrs":["10.0.0.0/16"],"maskSize":24},"podSelector":{"matchExpressions":[{"key":"a","operator":"In"}]}} | its podSelector.matchExpressions.values is not a list with something in it
        {"ipv4":{"cidrs":["10.0.0.0/16"],"maskSize":"24"}} | its spec.ipv4.maskSize is not a whole number of 32 bits
        """)
    void aPoolThatBreaksARuleIsRefused(String spec, String rule) {
        assertThat(refusal(CiliumObjects.apply(EMPTY, pool("p", spec))))
                .contains("is invalid")
                .contains(rule);
    }

    @Test
    void aNameIsOneOfKubernetes() {
        assertThat(refusal(CiliumObjects.apply(EMPTY, pool("Mars", SPEC))))
                .endsWith("metadata.name: Invalid value: \"Mars\": it is not a lower case RFC 1123 subdomain");
    }

    @Test
    void addressesOfAnotherPoolAreRefused() {
        var stock = stockOf(pool("mars", SPEC));
        var calico = new Holding(Range.parse("10.30.0.0/24"), Holding.Level.POOL, "IPPool(a)", Holding.State.HELD);

        assertThat(refusal(CiliumObjects.apply(stock, pool("venus", SPEC.replace("/16", "/20")))))
                .contains("spec: Forbidden: it overlaps 10.20.0.0-10.20.255.255 of CiliumPodIPPool(mars)")
                .endsWith("choose other addresses, or delete CiliumPodIPPool(mars) first");
        assertThat(refusal(CiliumObjects.apply(
                        new CiliumStock(List.of(), List.of(calico)), pool("venus", SPEC.replace(".20.", ".30.")))))
                .contains("it overlaps 10.30.0.0-10.30.0.255 of IPPool(a)");
    }

    @Test
    void theStatusOfANodeIsNotForUsers() {
        var created = given(
                CiliumKinds.NODE,
                "n",
                "{\"ipam\":{\"podCIDRs\":[\"10.0.1.0/24\"]}}",
                ",\"status\":{\"ipam\":{\"operator-status\":{\"error\":\"mine\"}}}");
        var stored = CiliumNodeDocument.decode("n", content(CiliumObjects.create(EMPTY, created)))
                .withError("allocator full");
        var stock = new CiliumStock(List.of(new Document(CiliumKeys.node("n"), stored.encode(), 7)), List.of());

        var changed = content(CiliumObjects.apply(
                stock, given(CiliumKinds.NODE, "n", "{\"ipam\":{\"podCIDRs\":[\"10.0.2.0/24\"]}}", ",\"status\":{}")));

        assertThat(content(CiliumObjects.create(EMPTY, created)).utf8()).doesNotContain("status");
        assertThat(CiliumNodeDocument.decode("n", changed).error()).isEqualTo("allocator full");
        assertThat(CiliumNodeDocument.decode("n", changed).podCidrs()).containsExactly("10.0.2.0/24");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\'', textBlock = """
        {"ipam":{"podCIDRs":["10.0.0.0/24","x"]}} | spec.ipam.podCIDRs[1]: Invalid value: "x": 'x' is not a CIDR: it has no '/'
        {"ipam":{"pool":{"10.0.0":{}}}} | spec.ipam.pool[10.0.0]: Invalid value
        {"ipam":{"pool":{"10.0.0.1":{"ownr":"a/b"}}}} | an address has an owner and a resource, and no other field
        {"ipam":{"min-allocate":-1}} | spec.ipam.min-allocate: Invalid value: -1: it must be 0 or more
        {"ipam":{"pools":{"requested":[{"needed":{"ipv4-addrs":-8}}]}}} | spec.ipam.pools.requested[0].pool: Required value
        {"ipam":{"pools":{"requested":[{"pool":"a","needed":{"ipv4-addrs":-8}}]}}} | needed.ipv4-addrs: Invalid value: -8
        {"ipam":{"pools":{"allocated":[{"pool":"a","cidrs":["10.0.0.9/24"]}]}}} | spec.ipam.pools.allocated[0].cidrs[0]: Invalid value
        {"ipam":{"pools":{"allocated":[7]}}} | spec.ipam.pools.allocated[0]: Invalid value: it must be an object
        """)
    void aNodeThatBreaksARuleIsRefused(String spec, String rule) {
        assertThat(refusal(CiliumObjects.apply(EMPTY, node(spec))))
                .contains("is invalid")
                .contains(rule);
    }

    @Test
    void anObjectIsDeletedAtOnceAndAMissingOneIsNamed() {
        var stock = stockOf(pool("mars", SPEC));

        assertThat(CiliumObjects.remove(stock, CiliumKinds.POOL, "mars").outcome())
                .isEqualTo(new Deleted());
        assertThat(refusal(CiliumObjects.remove(stock, CiliumKinds.POOL, "venus")))
                .isEqualTo("CiliumPodIPPool.cilium.io \"venus\" not found");
    }

    @Test
    void ofTwoPoolsThatOverlapTheSecondIsDecidedAgain() {
        var store = new MemoryDatastore();
        var one = new CiliumBook(store, CiliumKinds.POOL, StoreRanges::besideCilium).open();
        var other = new CiliumBook(store, CiliumKinds.POOL, StoreRanges::besideCilium).open();
        one = one.with(CiliumObjects.create(one.view(), pool("mars", SPEC)).changes());
        other = other.with(
                CiliumObjects.create(other.view(), pool("venus", SPEC)).changes());

        assertThat(one.save()).isInstanceOf(Commit.Done.class);
        assertThat(other.save()).isInstanceOf(Commit.Conflict.class);
        assertThat(store.listAll(CiliumKeys.POOLS).documents()).hasSize(1);
        assertThat(StoreRanges.besideCalico(store))
                .extracting(Holding::holder)
                .containsExactly("CiliumPodIPPool(mars)");
    }
}
