package io.cadastre.wire.spiderpool.objects;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.address.Family;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.datastore.memory.MemoryJournal;
import io.cadastre.registry.Ledger;
import io.cadastre.registry.Registrar;
import io.cadastre.registry.Request;
import io.cadastre.wire.book.DocumentChange;
import io.cadastre.wire.calico.RecordingStore;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.spiderpool.objects.SpiderObjects.Given;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// What people may write.
class SpiderObjectsTest {

    private static final Instant NOW = Instant.parse("2026-11-15T08:20:11Z");
    private static final UUID UID = UUID.fromString("00000000-0000-4000-8000-000000000001");
    private static final List<Family> BOTH = List.of(Family.IPV4, Family.IPV6);

    private final Datastore store = new MemoryDatastore();
    private final Registrar<ObjectView, DocumentChange> registrar = registrar(store);

    private static Registrar<ObjectView, DocumentChange> registrar(Datastore store) {
        return new Registrar<>(
                new ObjectBook(store),
                new Ledger(new MemoryJournal()),
                Registrar.Limits.DEFAULT,
                InstantSource.fixed(NOW),
                new SplittableRandom(1),
                _ -> {});
    }

    private static Given given(SpiderKind kind, String name, String spec, List<Family> families) {
        var json = Json.emptyObject();
        json.putObject("metadata").put("name", name);
        json.set("spec", Json.readObject("spec", Bytes.ofUtf8(spec)));
        return new Given(kind, json, UID, NOW, families);
    }

    private ObjectOutcome apply(String name, String spec) {
        return apply(given(SpiderKinds.POOL, name, spec, BOTH));
    }

    private ObjectOutcome apply(Given given) {
        return registrar.enact(new Request<>("apply", view -> SpiderObjects.apply(view, given)));
    }

    private String refusal(String name, String spec) {
        return ((ObjectOutcome.Refused) apply(name, spec)).sentence();
    }

    private ObjectOutcome remove(SpiderKind kind, String name) {
        return registrar.enact(new Request<>("delete", view -> SpiderObjects.remove(view, kind, name, NOW)));
    }

    private ObjectNode stored(String key) {
        return Json.readObject(key, store.get(key).orElseThrow().value());
    }

    private ObjectNode pool(String name) {
        return stored(SpiderKeys.pool(name));
    }

    private static List<String> texts(JsonNode array) {
        return array.valueStream().map(JsonNode::asText).toList();
    }

    private void put(String key, ObjectNode json) {
        var former = store.get(key);
        var commit = store.commit(
                List.of(former.<Write>map(document -> new Write.Update(key, Json.write(json), document.revision()))
                        .orElseGet(() -> new Write.Create(key, Json.write(json)))));
        assertThat(commit).isInstanceOf(Commit.Done.class);
    }

    private void occupy(String name, String records, int count) {
        var json = pool(name);
        Trees.child(json, "status").put("allocatedIPs", records).put("allocatedIPCount", count);
        put(SpiderKeys.pool(name), json);
    }

    @Test
    @DisplayName("SG-01: a pool is completed as Spiderpool completes it")
    void poolIsCompleted() {
        var golden = SpiderpoolGolden.read(SpiderpoolGolden.POOL);
        var input = SpiderpoolGolden.tree(golden.path("input"));

        var outcome = apply(new Given(SpiderKinds.POOL, input, UID, NOW, BOTH));

        assertThat(outcome).isEqualTo(new ObjectOutcome.Created());
        var written = pool("p4");
        assertThat(written.at("/metadata/uid").asText()).isEqualTo(UID.toString());
        Trees.child(written, "metadata").remove(List.of("uid", "creationTimestamp"));
        assertThat(written.remove("kind").asText()).isEqualTo("SpiderIPPool");
        assertThat(written.remove("apiVersion").asText()).isEqualTo(SpiderKeys.API_VERSION);
        assertThat(Trees.sorted(written)).isEqualTo(Trees.sorted(SpiderpoolGolden.tree(golden.at("/scenes/0/object"))));
    }

    @Test
    @DisplayName("SR-01: fields are in the order in which the API server has them")
    void fieldsAreInOrder() {
        apply("p4", """
            {"subnet":"172.18.40.0/24","ips":["172.18.40.40-172.18.40.44"],"gateway":"172.18.40.1",
             "routes":[{"gw":"172.18.40.2","dst":"10.7.0.0/16"}]}
            """);
        var golden = SpiderpoolGolden.stored("SR-01", "spiderippools/p4").json();

        assertThat(pool("p4").path("spec").toString())
                .isEqualTo(golden.path("spec").toString());
        assertThat(pool("p4").path("status").toString())
                .isEqualTo(golden.path("status").toString());
    }

    static Stream<JsonNode> refusals() {
        return SpiderpoolGolden.read(SpiderpoolGolden.REFUSALS).path("refusals").valueStream();
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void poolIsRefusedInTheWordsOfSpiderpool(JsonNode golden) {
        apply(
                "p4",
                "{\"subnet\":\"172.18.40.0/24\",\"ips\":[\"172.18.40.40-172.18.40.44\"],\"gateway\":\"172.18.40.1\"}");
        apply(given(
                SpiderKinds.SUBNET,
                "s1",
                "{\"subnet\":\"10.20.0.0/16\",\"ips\":[\"10.20.168.101-10.20.168.110\"]}",
                BOTH));
        var said = Json.readObject(
                        "response",
                        Bytes.ofUtf8(golden.path("response").asText().strip()))
                .path("message")
                .asText();
        var name = "x" + golden.path("id").asText().substring(4);

        var refusal = refusal(name, golden.path("spec").toString());

        assertThat(refusal).isEqualTo(said.replaceFirst("^admission webhook .* request: ", ""));
    }

    @ParameterizedTest
    @CsvSource({"172.18.40.0/24,4,172-18-40-0-24", "fd00:db8::/32,6,fd00-db8---32"})
    @DisplayName("C01, C02: family, finalizer and label are filled in")
    void familyFinalizerAndLabelAreFilledIn(String subnet, String version, String label) {
        apply("p", "{\"subnet\":\"%s\"}".formatted(subnet));

        assertThat(pool("p").at("/spec/ipVersion").toString()).isEqualTo(version);
        assertThat(texts(pool("p").at("/metadata/finalizers"))).containsExactly("spiderpool.spidernet.io");
        assertThat(pool("p")
                        .path("metadata")
                        .path("labels")
                        .path("ipam.spidernet.io/ippool-cidr")
                        .asText())
                .isEqualTo(label);
    }

    @Test
    @DisplayName("C03: ranges are stored as the fewest")
    void rangesAreJoined() {
        apply(
                "p",
                "{\"subnet\":\"172.18.40.0/24\",\"ips\":[\"172.18.40.3-172.18.40.6\",\"172.18.40.1-172.18.40.4\",\"172.18.40.10\"]}");

        assertThat(texts(pool("p").at("/spec/ips"))).containsExactly("172.18.40.1-172.18.40.6", "172.18.40.10");
        assertThat(pool("p").at("/status/totalIPCount").toString()).isEqualTo("7");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        C04 | 10.6.0.0/24 | "10.6.0.1-10.6.0.10","10.6.0.11-10.6.0.20","10.6.0.21-10.6.0.30" | "10.6.0.1-10.6.0.2","10.6.0.8-10.6.0.22" | 13
        C05 | fd00::/64 | "fd00::1-fd00::10" | "fd00::1-fd00::2" | 14
        C06 | fd12:3456:789a::/48 | "fd12:3456:789a:baba::1-fd12:3456:789a:ffff:ffff:ffff:ffff:ffff" | "fd12:3456:789a:baba::1-fd12:3456:789a:baba::10" | 9223372036854775807
        """)
    void addressesAreCounted(String id, String subnet, String ips, String excluded, String total) {
        apply("p", "{\"subnet\":\"%s\",\"ips\":[%s],\"excludeIPs\":[%s]}".formatted(subnet, ips, excluded));

        assertThat(pool("p").at("/status/totalIPCount").toString()).as(id).isEqualTo(total);
    }

    @Test
    @DisplayName("C07: host bits are refused with a hint")
    void hostBitsAreRefused() {
        assertThat(refusal("p", "{\"subnet\":\"10.6.0.5/24\"}")).contains("10.6.0.0/24");
    }

    @Test
    @DisplayName("C08: a subnet in another pool's is refused")
    void overlappingSubnetIsRefused() {
        apply("a", "{\"subnet\":\"10.6.0.0/16\"}");

        assertThat(refusal("b", "{\"subnet\":\"10.6.1.0/24\"}"))
                .contains("overlap with IPPool a which 'spec.subnet' is 10.6.0.0/16");
    }

    @Test
    @DisplayName("C09: addresses of another pool are refused")
    void overlappingAddressesAreRefused() {
        apply("a", "{\"subnet\":\"10.6.0.0/24\",\"ips\":[\"10.6.0.1-10.6.0.10\"]}");

        assertThat(refusal("b", "{\"subnet\":\"10.6.0.0/24\",\"ips\":[\"10.6.0.10-10.6.0.20\"]}"))
                .contains("spec.ips: Forbidden: overlap with IPPool a");
        assertThat(apply("b", "{\"subnet\":\"10.6.0.0/24\",\"ips\":[\"10.6.0.11-10.6.0.20\"]}"))
                .isEqualTo(new ObjectOutcome.Created());
    }

    @Test
    @DisplayName("C10: addresses that another pool excludes are free")
    void addressesThatAnotherPoolExcludesAreFree() {
        apply(
                "a",
                "{\"subnet\":\"10.6.0.0/24\",\"ips\":[\"10.6.0.1-10.6.0.10\"],\"excludeIPs\":[\"10.6.0.5-10.6.0.10\"]}");

        assertThat(apply("b", "{\"subnet\":\"10.6.0.0/24\",\"ips\":[\"10.6.0.6-10.6.0.8\"]}"))
                .isEqualTo(new ObjectOutcome.Created());
    }

    @Test
    @DisplayName("C11, C12: a gateway is in the subnet and is not given")
    void gatewayIsInTheSubnetAndIsNotGiven() {
        var given = "{\"subnet\":\"172.18.40.0/24\",\"ips\":[\"172.18.40.1-172.18.40.10\"],%s}";

        assertThat(refusal("p", given.formatted("\"gateway\":\"172.18.40.1\"")))
                .contains("spec.ips[0]", "conflicts with 'spec.gateway' 172.18.40.1");
        assertThat(refusal("p", given.formatted("\"gateway\":\"172.18.41.1\"")))
                .contains("spec.gateway", "not pertains to");
        assertThat(apply("p", given.formatted("\"gateway\":\"172.18.40.1\",\"excludeIPs\":[\"172.18.40.1\"]")))
                .isEqualTo(new ObjectOutcome.Created());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {"dst":"0.0.0.0/0","gw":"10.6.0.1"} | spec.routes[0].dst | please specify 'spec.gateway'
        {"dst":"10.7.0.0/16","gw":"10.6.0.1"},{"dst":"10.7.0.0/16","gw":"10.6.0.2"} | spec.routes[1].dst | duplicate route with the same dst
        {"dst":"10.7.0.0/16","gw":"10.9.0.1"} | spec.routes[0].gw | not pertains to
        {"dst":"fd00::/64","gw":"10.6.0.1"} | spec.routes[0].dst | invalid CIDR format in IPv4
        """)
    @DisplayName("C13: routes that make no sense are refused")
    void routesAreChecked(String routes, String field, String words) {
        assertThat(refusal("p", "{\"subnet\":\"10.6.0.0/24\",\"routes\":[%s]}".formatted(routes)))
                .contains(field, words);
    }

    @Test
    @DisplayName("C14: subnet and family stay")
    void subnetAndFamilyStay() {
        apply("p", "{\"subnet\":\"10.6.0.0/24\"}");

        assertThat(refusal("p", "{\"subnet\":\"10.7.0.0/24\"}")).contains("spec.subnet: Forbidden: is not changeable");
        assertThat(refusal("p", "{\"subnet\":\"10.6.0.0/24\",\"ipVersion\":6}"))
                .contains("spec.ipVersion: Forbidden: is not changeable");
    }

    @Test
    @DisplayName("C15: an address in use stays in its pool")
    void addressInUseStaysInItsPool() {
        apply("p", "{\"subnet\":\"172.18.40.0/24\",\"ips\":[\"172.18.40.40-172.18.40.44\"]}");
        occupy("p", "{\"172.18.40.40\":{\"pod\":\"default/a\",\"podUid\":\"u1\"}}", 1);

        assertThat(refusal("p", "{\"subnet\":\"172.18.40.0/24\",\"ips\":[\"172.18.40.41-172.18.40.44\"]}"))
                .contains("spec.ips: Forbidden: remove an IP address 172.18.40.40 that is being used"
                        + " by Pod default/a");
        assertThat(apply("p", "{\"subnet\":\"172.18.40.0/24\",\"ips\":[\"172.18.40.40-172.18.40.42\"]}"))
                .isEqualTo(new ObjectOutcome.Configured());
        assertThat(pool("p").at("/status").toString())
                .isEqualTo(
                        "{\"allocatedIPCount\":1,\"allocatedIPs\":\"{\\\"172.18.40.40\\\":{\\\"pod\\\":\\\"default/a\\\",\\\"podUid\\\":\\\"u1\\\"}}\",\"totalIPCount\":3}");
    }

    @Test
    @DisplayName("C16: a selector of pods that selects all is refused")
    void emptyPodSelectorIsRefused() {
        assertThat(refusal("p", "{\"subnet\":\"10.6.0.0/24\",\"podAffinity\":{}}"))
                .contains("empty podAffinity is invalid for SpiderIPPool");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        "matchLabels":{"a b":"c"} | .matchLabels: Invalid value: "a b": name part must consist of alphanumeric characters
        "matchLabels":{"":"c"} | .matchLabels: Invalid value: "": name part must be non-empty
        "matchLabels":{"a/b/c":"d"} | .matchLabels: Invalid value: "a/b/c": a qualified name must consist of
        "matchLabels":{"/a":"b"} | .matchLabels: Invalid value: "/a": prefix part must be non-empty
        "matchLabels":{"A_b/a":"b"} | .matchLabels: Invalid value: "A_b/a": prefix part a lowercase RFC 1123 subdomain must consist of
        "matchLabels":{"a":"-"} | .matchLabels: Invalid value: "-": a valid label must be an empty string or consist of
        "matchLabels":{"a":"b c"} | .matchLabels: Invalid value: "b c": a valid label must be an empty string or consist of
        "matchLabels":{"x23456789012345678901234567890123456789012345678901234567890123x":"b"} | name part must be no more than 63 characters
        "matchLabels":{"a":"x23456789012345678901234567890123456789012345678901234567890123x"} | must be no more than 63 characters
        "matchExpressions":[{"key":"a","operator":"Near"}] | .matchExpressions[0].operator: Invalid value: "Near": not a valid selector operator
        "matchExpressions":[{"key":"a","operator":"In"}] | .matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'
        "matchExpressions":[{"key":"a","operator":"Exists","values":["b"]}] | .matchExpressions[0].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'
        "matchExpressions":[{"key":"a","operator":"Exists"},{"key":"?","operator":"Exists"}] | .matchExpressions[1].key: Invalid value: "?": name part must consist of
        "matchExpressions":[{"key":"a","operator":"NotIn","values":["b","c c"]}] | .matchExpressions[0].values[1]: Invalid value: "c c": a valid label
        """)
    void impossibleLabelsInSelectorsAreRefused(String selector, String words) {
        for (var field : List.of("podAffinity", "nodeAffinity", "namespaceAffinity")) {
            assertThat(refusal("p", "{\"subnet\":\"10.6.0.0/24\",\"%s\":{%s}}".formatted(field, selector)))
                    .contains("spec." + field, words);
        }
        assertThat(store.get(SpiderKeys.pool("p"))).isEmpty();
    }

    @Test
    void possibleLabelsInSelectorsAreTaken() {
        assertThat(apply("p", """
            {"subnet":"10.6.0.0/24","podAffinity":{"matchLabels":{"example.com/My_name.1":"", "a":"V-1.x_y"},
             "matchExpressions":[{"key":"b","operator":"In","values":["","c"]}]}}\
            """)).isEqualTo(new ObjectOutcome.Created());
    }

    @Test
    @DisplayName("C17: a pool of a family that is off is refused")
    void familyThatIsOffIsRefused() {
        var outcome = apply(given(SpiderKinds.POOL, "p", "{\"subnet\":\"fd00::/64\"}", List.of(Family.IPV4)));

        assertThat(((ObjectOutcome.Refused) outcome).sentence())
                .contains("spec.ipVersion: Forbidden: IPv6 is disabled");
    }

    @Test
    @DisplayName("C18, C20: a pool in use ends with its last address, and is not changed meanwhile")
    void poolInUseBeginsToEnd() {
        apply("p", "{\"subnet\":\"172.18.40.0/24\",\"ips\":[\"172.18.40.40-172.18.40.44\"]}");
        occupy("p", "{\"172.18.40.40\":{\"pod\":\"default/a\",\"podUid\":\"u1\"}}", 1);

        var removed = remove(SpiderKinds.POOL, "p");
        var again = remove(SpiderKinds.POOL, "p");

        assertThat(removed).isEqualTo(new ObjectOutcome.Terminating(1));
        assertThat(again).isEqualTo(new ObjectOutcome.Terminating(1));
        assertThat(pool("p").at("/metadata/deletionTimestamp").asText()).isEqualTo("2026-11-15T08:20:11Z");
        assertThat(refusal("p", "{\"subnet\":\"172.18.40.0/24\",\"disable\":true}"))
                .contains("cannot update a terminating IPPool");
    }

    @Test
    void unusedPoolIsDeleted() {
        apply("p", "{\"subnet\":\"172.18.40.0/24\"}");

        assertThat(remove(SpiderKinds.POOL, "p")).isEqualTo(new ObjectOutcome.Deleted());
        assertThat(store.get(SpiderKeys.pool("p"))).isEmpty();
        assertThat(remove(SpiderKinds.POOL, "p"))
                .isEqualTo(new ObjectOutcome.Refused("SpiderIPPool.spiderpool.spidernet.io \"p\" not found"));
    }

    @Test
    void poolWithUnreadableRecordsIsNotDeleted() {
        apply("p", "{\"subnet\":\"172.18.40.0/24\"}");
        occupy("p", "nonsense", 1);

        assertThat(((ObjectOutcome.Refused) remove(SpiderKinds.POOL, "p")).sentence())
                .contains("cannot tell which pods have addresses of IPPool p");
    }

    @Test
    @DisplayName("C21: a pool is created once")
    void poolIsCreatedOnce() {
        apply("p", "{\"subnet\":\"172.18.40.0/24\"}");
        var given = given(SpiderKinds.POOL, "p", "{\"subnet\":\"172.18.40.0/24\"}", BOTH);

        var outcome = registrar.enact(new Request<ObjectView, DocumentChange, ObjectOutcome>(
                "create", view -> SpiderObjects.create(view, given)));

        assertThat(outcome)
                .isEqualTo(new ObjectOutcome.Refused("SpiderIPPool.spiderpool.spidernet.io \"p\" already exists"));
    }

    @Test
    void applyingTheSameChangesNothing() {
        var spec = "{\"subnet\":\"172.18.40.0/24\",\"ips\":[\"172.18.40.40\"],\"vlan\":0}";
        apply("p", spec);

        assertThat(apply("p", spec)).isEqualTo(new ObjectOutcome.Unchanged());
        assertThat(pool("p").path("spec").has("vlan")).isFalse();
    }

    @Test
    void fieldsOfOthersInTheObjectSurvive() {
        apply("p", "{\"subnet\":\"172.18.40.0/24\"}");
        var json = pool("p");
        Trees.child(json, "metadata").put("generation", 7);
        Trees.child(json, "status").put("more", 1);
        put(SpiderKeys.pool("p"), json);

        var outcome = apply("p", "{\"subnet\":\"172.18.40.0/24\",\"disable\":true}");

        assertThat(outcome).isEqualTo(new ObjectOutcome.Configured());
        assertThat(pool("p").at("/metadata/generation").toString()).isEqualTo("7");
        assertThat(pool("p").at("/status/more").toString()).isEqualTo("1");
        assertThat(pool("p").at("/spec/disable").asBoolean()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        10.6.0.0/28                  | invalid IP address: 10.6.0.0/28
        10.6.0.1 - 10.6.0.2          | invalid IP address: 10.6.0.1
        10.6.0.1-10.6.0.2-10.6.0.3   | invalid range: 10.6.0.1-10.6.0.2-10.6.0.3
        10.6.0.1-fd00::1             | not match base subnet
        10.7.0.1                     | not match base subnet: 10.7.0.1
        10.6.0.10-10.6.0.1           | invalid range: 10.6.0.10-10.6.0.1
        """)
    void rangesAreChecked(String range, String words) {
        assertThat(refusal("p", "{\"subnet\":\"10.6.0.0/24\",\"ips\":[\"%s\"]}".formatted(range)))
                .contains("spec.subnet: Invalid value", words);
        assertThat(refusal("p", "{\"subnet\":\"10.6.0.0/24\",\"excludeIPs\":[\"%s\"]}".formatted(range)))
                .contains(words);
    }

    @ParameterizedTest
    @CsvSource({"10.6.0.0/33", "abc", "''"})
    void invalidSubnetLeavesNoFamily(String subnet) {
        assertThat(refusal("p", "{\"subnet\":\"%s\"}".formatted(subnet)))
                .contains("spec.ipVersion", "is not generated correctly, 'spec.subnet' may be invalid");
    }

    @Test
    void fieldOfAnotherTypeIsRefused() {
        assertThat(refusal("p", "{\"subnet\":\"10.6.0.0/24\",\"ips\":\"10.6.0.1\"}"))
                .contains("its ips is not an array");
        assertThat(refusal("p", "{\"subnet\":\"10.6.0.0/24\",\"default\":\"yes\"}"))
                .contains("its default is not true or false");
    }

    @Test
    void invalidNameIsRefused() {
        assertThat(refusal("Pool_1", "{\"subnet\":\"10.6.0.0/24\"}")).contains("metadata.name");
        assertThat(refusal("", "{\"subnet\":\"10.6.0.0/24\"}")).contains("metadata.name");
    }

    @Test
    @DisplayName("SR-10, C27: reserved addresses are stored as the fewest ranges, of one family")
    void reservedAddressesAreStored() {
        var spec = "{\"ips\":[\"172.18.40.43\",\"172.18.40.44\",\"172.18.40.41\"]}";

        var created = apply(given(SpiderKinds.RESERVED, "r1", spec, BOTH));
        var other = apply(given(SpiderKinds.RESERVED, "r1", "{\"ips\":[\"fd00::1\"]}", BOTH));

        assertThat(created).isEqualTo(new ObjectOutcome.Created());
        assertThat(stored(SpiderKeys.reserved("r1")).path("spec").toString())
                .isEqualTo(SpiderpoolGolden.stored("SR-10", "spiderreservedips/r1")
                        .json()
                        .path("spec")
                        .toString());
        assertThat(((ObjectOutcome.Refused) other).sentence()).contains("spec.ipVersion: Forbidden: is not changeable");
        assertThat(remove(SpiderKinds.RESERVED, "r1")).isEqualTo(new ObjectOutcome.Deleted());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {}                                     | is not generated correctly, 'spec.ips' is empty or 'spec.ips[0]' may be invalid
        {"ips":["nonsense"]}                   | is not generated correctly, 'spec.ips' is empty or 'spec.ips[0]' may be invalid
        {"ips":["10.6.0.1","nonsense"]}        | spec.ips[1]: Invalid value: "nonsense": invalid IP range format in IPv4 'nonsense'
        {"ips":["10.6.0.1"],"ipVersion":5}     | Unsupported value: 5
        """)
    void reservedAddressesAreChecked(String spec, String words) {
        var outcome = apply(given(SpiderKinds.RESERVED, "r", spec, BOTH));

        assertThat(((ObjectOutcome.Refused) outcome).sentence()).contains(words);
    }

    @Test
    void twoWhoCreateOverlappingPoolsAtTheSameMomentMeet() {
        var trial = new RecordingStore(store);
        var rival = registrar(trial);
        trial.beforeNextCommit(() -> apply("a", "{\"subnet\":\"10.6.0.0/24\",\"ips\":[\"10.6.0.1-10.6.0.9\"]}"));
        var given = given(SpiderKinds.POOL, "b", "{\"subnet\":\"10.6.0.0/24\",\"ips\":[\"10.6.0.5\"]}", BOTH);

        var outcome = rival.enact(new Request<ObjectView, DocumentChange, ObjectOutcome>(
                "apply", view -> SpiderObjects.apply(view, given)));

        assertThat(((ObjectOutcome.Refused) outcome).sentence()).contains("overlap with IPPool a");
        assertThat(store.get(SpiderKeys.pool("b"))).isEmpty();
    }

    @Test
    void lostAnswerIsResolved() {
        var trial = new RecordingStore(store);
        trial.loseNextAnswer();
        var given = given(SpiderKinds.POOL, "p", "{\"subnet\":\"10.6.0.0/24\"}", BOTH);

        var outcome = registrar(trial)
                .enact(new Request<ObjectView, DocumentChange, ObjectOutcome>(
                        "create", view -> SpiderObjects.create(view, given)));

        assertThat(outcome).isEqualTo(new ObjectOutcome.Created());
    }
}
