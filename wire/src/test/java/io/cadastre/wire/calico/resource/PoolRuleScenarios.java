package io.cadastre.wire.calico.resource;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Write;
import io.cadastre.engine.Decision;
import io.cadastre.engine.NotReadException;
import io.cadastre.registry.Page;
import io.cadastre.wire.book.DocumentChange;
import io.cadastre.wire.calico.CalicoKeys;
import io.cadastre.wire.calico.scenario.ScenarioContract;
import io.cadastre.wire.json.Json;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/// What an `IPPool` may say, and what may become of it. Texts are Calico's to the letter.
public abstract class PoolRuleScenarios extends ScenarioContract {

    private static final Instant NOON = Instant.parse("2026-01-31T12:00:00.123Z");
    private static final UUID UID = UUID.fromString("a55d3b49-5b5c-4c7d-86f1-027e1527e670");

    /// The one of the last decision, which knows what was read for it.
    private @Nullable Page<ResourceView, DocumentChange> decidedOn;

    @TestFactory
    @DisplayName("CAL-123, CAL-125, CAL-126, CAL-127: a broken rule is reported in the words of Calico")
    Stream<DynamicTest> brokenRuleIsReportedInCalicosWords() {
        var tooSmall = "spec (IP pool size is too small for use with Calico IPAM. It must be equal to or"
                + " greater than the block size.)";
        var badSize = "spec (blockSize must be between 20 and 32 for IPv4 pools, and between 116 and 128"
                + " for IPv6 pools)";
        return Stream.of(
                        broken("{}", "IPPool.Spec.CIDR (IPPool CIDR must be specified)"),
                        broken(
                                "{'cidr':'10.0.0/8'}",
                                "IPPool.Spec.CIDR = '10.0.0/8' (IPPool CIDR must be a valid" + " subnet)"),
                        broken(
                                "{'cidr':'10.0.0.0/33'}",
                                "IPPool.Spec.CIDR = '10.0.0.0/33' (IPPool CIDR must be a valid" + " subnet)"),
                        broken(
                                "{'cidr':'fd00::/129'}",
                                "IPPool.Spec.CIDR = 'fd00::/129' (IPPool CIDR must be a valid" + " subnet)"),
                        broken(
                                "{'cidr':'10.3.0.1/24'}",
                                "IPPool.Spec.CIDR = '10.3.0.0/24' (IPPool CIDR is not strictly" + " masked)"),
                        broken("{'cidr':'10.0.0.0/16','blockSize':19}", badSize),
                        broken("{'cidr':'10.0.0.0/16','blockSize':33}", badSize),
                        broken("{'cidr':'fd00::/64','blockSize':115}", badSize),
                        broken("{'cidr':'10.0.0.0/27'}", tooSmall),
                        broken("{'cidr':'fd00::/128'}", tooSmall),
                        broken(
                                "{'cidr':'10.0.0.0/16','ipipMode':'Always','vxlanMode':'Always'}",
                                "spec (ipipMode and vxlanMode cannot both be enabled)"),
                        broken(
                                "{'cidr':'fd00::/64','ipipMode':'CrossSubnet'}",
                                "spec (IPIP is not supported on IPv6 pools)"),
                        broken(
                                "{'cidr':'169.254.5.0/24'}",
                                "spec (IPPool CIDR overlaps with IPv4 link local range" + " 169.254.0.0/16)"),
                        broken(
                                "{'cidr':'fe80::/120'}",
                                "spec (IPPool CIDR overlaps with IPv6 link local range fe80::/10)"),
                        broken(
                                "{'cidr':'10.0.0.0/16','nodeSelector':'a b'}",
                                "NodeSelector = 'a b' (Reason: failed to validate Field:"
                                        + " NodeSelector because of Tag: selector )"),
                        broken(
                                "{'cidr':'10.0.0.0/16','namespaceSelector':'a b'}",
                                "NamespaceSelector = 'a b' (Reason: failed to validate Field:"
                                        + " NamespaceSelector because of Tag: selector )"),
                        broken(
                                "{'cidr':'10.0.0.0/16','nodeSelector':'global()'}",
                                "spec (global() selector is not valid for IPPool nodeSelector)"),
                        broken(
                                "{'cidr':'10.0.0.0/16','allowedUses':['Workload']," + "'namespaceSelector':'global()'}",
                                "spec (global() selector is not valid for IPPool" + " namespaceSelector)"),
                        broken(
                                "{'cidr':'10.0.0.0/16','allowedUses':['LoadBalancer','Workload']}",
                                "spec (LoadBalancer cannot be combined with Workload or Tunnel" + " allowed uses)"),
                        broken(
                                "{'cidr':'10.0.0.0/16','allowedUses':['LoadBalancer']," + "'vxlanMode':'Always'}",
                                "spec (LoadBalancer IP pool cannot have IPIP or VXLAN enabled)"),
                        broken(
                                "{'cidr':'10.0.0.0/16','allowedUses':['LoadBalancer']," + "'disableBGPExport':true}",
                                "spec (LoadBalancer IP pools cannot disable BGP export)"),
                        broken(
                                "{'cidr':'10.0.0.0/16','allowedUses':['LoadBalancer']," + "'nodeSelector':'has(x)'}",
                                "spec (IP Pool with AllowedUse LoadBalancer must have nodeSelector" + " set to all())"),
                        broken(
                                "{'cidr':'10.0.0.0/16','namespaceSelector':'has(x)'}",
                                "spec (IP Pool with AllowedUse Tunnel cannot have" + " namespaceSelector)"),
                        broken(
                                "{'cidr':'10.0.0.0/16','assignmentMode':'Sometimes'}",
                                "spec.assignmentMode (supported values:" + " \"Automatic\", \"Manual\")"),
                        broken(
                                "{'cidr':'10.0.0.0/16','nodeSelector':'has(x)%s'}".formatted(" || has(x)".repeat(200)),
                                "spec.nodeSelector (may not be more than 1024 bytes)"),
                        broken(
                                "{'cidr':'10.0.0.0/16','blockSize':'many'}",
                                "spec (its blockSize is not a whole number of 32 bits)"))
                .map(rule -> DynamicTest.dynamicTest(
                        rule.fault(),
                        () -> assertThat(refusal(apply("p", rule.spec())))
                                .isEqualTo("error with field " + rule.fault())));
    }

    private record Broken(String spec, String fault) {}

    private static Broken broken(String spec, String fault) {
        return new Broken(spec, fault);
    }

    @Test
    void unknownUseIsReportedTwice() {
        var refusal = refusal(apply("p", "{'cidr':'10.0.0.0/16','allowedUses':['X']}"));

        assertThat(refusal).isEqualTo("""
            error with the following fields:
            -  IPpool.AllowedUses = 'X' (unknown use: X)
            -  spec.allowedUses[0] (supported values: "Workload", "Tunnel", "LoadBalancer")
            """);
    }

    @Test
    void usesBeyondTheTenthAreReported() {
        var uses = String.join(",", Collections.nCopies(11, "'Workload'"));

        var refusal = refusal(apply("p", "{'cidr':'10.0.0.0/16','allowedUses':[%s]}".formatted(uses)));

        assertThat(refusal).isEqualTo("error with field spec.allowedUses (must have at most 10 items)");
    }

    @Test
    @DisplayName("CAL-123: a pool as small as a block is accepted, and a smaller one if it is disabled")
    void poolAsSmallAsABlockIsAcceptedAndASmallerOneIfItIsDisabled() {
        assertThat(apply("a", "{'cidr':'10.0.0.0/26'}").outcome()).isInstanceOf(Applied.Created.class);
        assertThat(apply("b", "{'cidr':'10.64.0.0/10'}").outcome()).isInstanceOf(Applied.Created.class);
        assertThat(apply("c", "{'cidr':'10.1.0.0/27','disabled':true}").outcome())
                .isInstanceOf(Applied.Created.class);
        assertThat(apply("d", "{'cidr':'fd00::/122'}").outcome()).isInstanceOf(Applied.Created.class);
        assertThat(apply("e", "{'cidr':'fd01::/128','disabled':true}").outcome())
                .isInstanceOf(Applied.Created.class);
    }

    @Test
    @DisplayName("CAL-130: a pool is stored byte for byte as Calico does")
    void createdPoolIsStoredByteForByteAsCalicoDoes() {
        save(apply("p", "{'blockSize':30,'cidr':'10.9.0.0/24'}"));

        checkStored(
                store().get(CalicoKeys.POOLS + "p").orElseThrow().value(),
                "{\"kind\":\"IPPool\",\"apiVersion\":\"projectcalico.org/v3\",\"metadata\":"
                        + "{\"name\":\"p\",\"uid\":\"a55d3b49-5b5c-4c7d-86f1-027e1527e670\","
                        + "\"creationTimestamp\":\"2026-01-31T12:00:00Z\"},\"spec\":{\"cidr\":"
                        + "\"10.9.0.0/24\",\"vxlanMode\":\"Never\",\"ipipMode\":\"Never\","
                        + "\"blockSize\":30,\"nodeSelector\":\"all()\",\"allowedUses\":"
                        + "[\"Workload\",\"Tunnel\"],\"assignmentMode\":\"Automatic\"}}");
    }

    /// That a document is stored as expected: byte for byte, where it is the store's to keep bytes.
    protected void checkStored(Bytes found, String expected) {
        assertThat(found.utf8()).isEqualTo(expected);
    }

    @Test
    void otherSpellingIsStoredCanonically() {
        save(apply("p", "{'cidr':'2001:DB8:0::/64'}"));

        var again = apply("p", "{'cidr':'2001:db8::/64','natOutgoing':true}");

        assertThat(store().get(CalicoKeys.POOLS + "p").orElseThrow().value().utf8())
                .contains("\"cidr\":\"2001:db8::/64\"");
        assertThat(again.outcome()).isInstanceOf(Applied.Configured.class);
    }

    @Test
    @DisplayName("CAL-124: an overlapping pool is refused, be it larger, smaller or equal")
    void overlappingPoolIsRefusedLargerSmallerOrEqualAlsoIfTheOtherIsDisabled() {
        save(apply("old", "{'cidr':'10.0.0.0/16','disabled':true}"));

        for (var cidr : List.of("10.0.0.0/8", "10.0.5.0/24", "10.0.0.0/16")) {
            assertThat(refusal(apply("new", "{'cidr':'%s'}".formatted(cidr))))
                    .isEqualTo(
                            "error with field IPPool.Spec.CIDR = '%s' (IPPool(new) CIDR overlaps with IPPool(old) CIDR 10.0.0.0/16)"
                                    .formatted(cidr));
        }
    }

    @Test
    @DisplayName("CAL-124: a pool that is to be created and is there is refused, whatever it says")
    void poolThatIsToBeCreatedAndIsThereIsRefused() {
        save(create("p", "{'cidr':'10.0.0.0/16'}"));

        var same = create("p", "{'cidr':'10.0.0.0/16'}");
        var other = create("p", "{'cidr':'10.1.0.0/16'}");

        assertThat(same.outcome()).isEqualTo(new Applied.AlreadyThere("IPPool(p)"));
        assertThat(((Applied.AlreadyThere) same.outcome()).sentence())
                .isEqualTo("resource already exists: IPPool(p) with error: <nil>");
        assertThat(other.outcome()).isEqualTo(same.outcome());
        assertThat(same.changes()).isEmpty();
    }

    @Test
    void poolOverBlocksOfAnotherSizeIsRefused() {
        store().commit(List.of(new Write.Create(
                CalicoKeys.BLOCKS + "ipv4/block/10.0.0.0-28",
                Bytes.ofUtf8("{\"cidr\":\"10.0.0.0/28\",\"affinity\":null,"
                        + "\"allocations\":[],\"unallocated\":[],"
                        + "\"attributes\":[],\"deleted\":false}"))));

        assertThat(refusal(apply("p", "{'cidr':'10.0.0.0/16'}")))
                .isEqualTo("error with field IPPool.Spec.BlockSize = '26' (IPPool blocksSize conflicts"
                        + " with existing allocations that use a different blockSize)");
    }

    @Test
    @DisplayName("CAL-125, CAL-128: CIDR, block size and the use of a load balancer pool are for ever")
    void cidrAndBlockSizeAndTheUseOfALoadBalancerPoolAreForEver() {
        save(apply("p", "{'cidr':'10.0.0.0/16','blockSize':25}"));
        save(apply("lb", "{'cidr':'10.1.0.0/16','allowedUses':['LoadBalancer']}"));

        assertThat(refusal(apply("p", "{'cidr':'10.0.0.0/17','blockSize':25}")))
                .isEqualTo("error with field IPPool.Spec.CIDR = '10.0.0.0/17' (IPPool CIDR cannot be" + " modified)");
        assertThat(refusal(apply("p", "{'cidr':'10.0.0.0/16','blockSize':26}")))
                .isEqualTo("error with field IPPool.Spec.BlockSize = '26' (IPPool BlockSize cannot be" + " modified)");
        assertThat(refusal(apply("lb", "{'cidr':'10.1.0.0/16','allowedUses':['Workload']}")))
                .isEqualTo("error with field IPPool.Spec.AllowedUses = '[Workload]' (IPPool allowed"
                        + " use cannot be changed from LoadBalacer to Workload or Tunnel)");
    }

    @Test
    void sameDocumentAgainChangesNothing() {
        save(apply("p", "{'cidr':'10.0.0.0/16'}"));

        var again = apply("p", "{'cidr':'10.0.0.0/16','blockSize':26}");

        assertThat(again.outcome()).isEqualTo(new Applied.Unchanged());
        assertThat(again.changes()).isEmpty();
    }

    @Test
    void namelessPoolAndRevisionOfNothingAreRefused() {
        var revision = document("p", "{'cidr':'10.0.0.0/16'}");
        ((ObjectNode) revision.path("metadata")).put("resourceVersion", "5");

        assertThat(refusal(apply("", "{'cidr':'10.0.0.0/16'}")))
                .isEqualTo("error with field Metadata.Name (field must be set for a Create request)");
        assertThat(refusal(apply(revision)))
                .isEqualTo("error with field Metadata.ResourceVersion = '5' (field must not be set for"
                        + " a Create request)");
    }

    @Test
    void documentOfAnOldRevisionIsRefused() {
        save(apply("p", "{'cidr':'10.0.0.0/16'}"));
        var old = document("p", "{'cidr':'10.0.0.0/16','natOutgoing':true}");
        ((ObjectNode) old.path("metadata")).put("resourceVersion", "99");

        assertThat(apply(old).outcome()).isEqualTo(new Applied.Outdated("IPPool(p)"));
    }

    @Test
    void disabledPoolKeepsTheRestOfItsDocument() {
        save(apply("p", "{'cidr':'10.0.0.0/16','natOutgoing':true,'newField':[1.10]}"));

        save(decide(view -> Resources.disable(view, "p")));
        var twice = decide(view -> Resources.disable(view, "p"));

        checkStored(
                store().get(CalicoKeys.POOLS + "p").orElseThrow().value(),
                "{\"kind\":\"IPPool\",\"apiVersion\":\"projectcalico.org/v3\",\"metadata\":"
                        + "{\"name\":\"p\",\"uid\":\"a55d3b49-5b5c-4c7d-86f1-027e1527e670\","
                        + "\"creationTimestamp\":\"2026-01-31T12:00:00Z\"},\"spec\":{\"cidr\":"
                        + "\"10.0.0.0/16\",\"vxlanMode\":\"Never\",\"ipipMode\":\"Never\","
                        + "\"natOutgoing\":true,\"disabled\":true,\"blockSize\":26,"
                        + "\"nodeSelector\":\"all()\",\"allowedUses\":[\"Workload\",\"Tunnel\"],"
                        + "\"assignmentMode\":\"Automatic\",\"newField\":[1.10]}}");
        assertThat(twice.changes()).isEmpty();
    }

    // ---- how it is asked ----

    private static ObjectNode document(String name, String spec) {
        var json = "{'metadata':{'name':'%s'},'spec':%s}".formatted(name, spec).replace('\'', '"');
        return Json.readObject("given", Bytes.ofUtf8(json));
    }

    private Decision<DocumentChange, Applied> apply(String name, String spec) {
        return apply(document(name, spec));
    }

    private Decision<DocumentChange, Applied> apply(ObjectNode json) {
        var given = new Resources.Given(CalicoKinds.POOL, json, UID, NOON);
        return decide(view -> Resources.apply(view, given));
    }

    private Decision<DocumentChange, Applied> create(String name, String spec) {
        var given = new Resources.Given(CalicoKinds.POOL, document(name, spec), UID, NOON);
        return decide(view -> Resources.create(view, given));
    }

    private <O> Decision<DocumentChange, O> decide(Function<ResourceView, Decision<DocumentChange, O>> law) {
        var page = new ResourceBook(store()).open();
        for (int reading = 1; reading <= 10; reading++) {
            try {
                decidedOn = page;
                return law.apply(page.view());
            } catch (NotReadException notRead) {
                page = page.reading(notRead.missing());
            }
        }
        throw new AssertionError("it reads on and on");
    }

    /// Saves the last decision.
    private void save(Decision<DocumentChange, ?> decision) {
        Objects.requireNonNull(decidedOn).with(decision.changes()).save();
    }

    private static String refusal(Decision<DocumentChange, Applied> decision) {
        assertThat(decision.changes()).isEmpty();
        assertThat(decision.outcome()).isInstanceOf(Applied.Invalid.class);
        return ResourceFault.text(((Applied.Invalid) decision.outcome()).faults());
    }
}
