package io.cadastre.wire.spiderpool.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.address.Address;
import io.cadastre.datastore.Bytes;
import io.cadastre.engine.pool.AddressPool.Origin;
import io.cadastre.engine.pool.IpText;
import io.cadastre.engine.pool.LabelSelector.Operator;
import io.cadastre.engine.pool.Nic;
import io.cadastre.engine.pool.Nic.GatewayUse;
import io.cadastre.engine.pool.NicAddress;
import io.cadastre.engine.pool.PodEndpoint;
import io.cadastre.engine.pool.PodKey;
import io.cadastre.engine.pool.PodRoute;
import io.cadastre.engine.pool.PoolRecord;
import io.cadastre.engine.pool.PoolRecords;
import io.cadastre.engine.pool.PoolSpec.Preference;
import io.cadastre.engine.pool.TopController;
import io.cadastre.engine.pool.subnet.PoolSubnet;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.json.UnreadableDocumentException;
import io.cadastre.wire.spiderpool.objects.SpiderpoolGolden.Stored;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Documents are read and written as Spiderpool stores them.
class DocumentTest {

    private static final PodKey A = new PodKey("ns1", "a");

    static Stream<Stored> pools() {
        return SpiderpoolGolden.stored().stream().filter(entry -> entry.isOf("spiderippools"));
    }

    static Stream<Stored> endpoints() {
        return SpiderpoolGolden.stored().stream().filter(entry -> entry.isOf("spiderendpoints"));
    }

    private static SpiderPoolDocument pool(String spec, String status) {
        return SpiderPoolDocument.decode(
                "p",
                Bytes.ofUtf8(
                        "{\"apiVersion\":\"spiderpool.spidernet.io/v2beta1\",\"kind\":\"SpiderIPPool\",\"metadata\":{\"name\":\"p\"},\"spec\":%s,\"status\":%s}"
                                .formatted(spec, status)));
    }

    @ParameterizedTest
    @MethodSource("pools")
    void storedPoolComesBackByteForByte(Stored stored) {
        var document = SpiderPoolDocument.decode(stored.name(), stored.value());

        assertThat(document.encode()).isEqualTo(stored.value());
        assertThat(document.pool().damage()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("pools")
    void storedPoolWithTheSameRecordsIsWrittenByteForByte(Stored stored) {
        var document = SpiderPoolDocument.decode(stored.name(), stored.value());

        assertThat(document.encodeWith(document.pool().held())).isEqualTo(stored.value());
        assertThat((long) stored.value().size())
                .isLessThanOrEqualTo(document.bytesMax(document.pool().held()));
    }

    static Stream<Stored> subnets() {
        return SpiderpoolGolden.stored().stream().filter(entry -> entry.isOf("spidersubnets"));
    }

    @ParameterizedTest
    @MethodSource("subnets")
    @DisplayName("SR-07 to SR-09: a stored subnet comes back, and is written with the same pools, byte for byte")
    void sr07StoredSubnetComesBackByteForByte(Stored stored) {
        var document = SpiderSubnetDocument.decode(stored.name(), stored.value());

        assertThat(document.encode()).isEqualTo(stored.value());
        assertThat(document.encodeWith(document.subnet().preAllocations())).isEqualTo(stored.value());
        assertThat(document.subnet().counts()).isEqualTo(PoolSubnet.Counts.RIGHT);
        assertThat(document.subnet().labelling()).isEqualTo(PoolSubnet.Labelling.LABELLED);
    }

    @ParameterizedTest
    @MethodSource("endpoints")
    void storedEndpointComesBackByteForByte(Stored stored) {
        var document = SpiderEndpointDocument.decode(new PodKey("ns1", stored.name()), stored.value());

        assertThat(document.encode()).isEqualTo(stored.value());
        assertThat(document.with(document.endpoint()).encode()).isEqualTo(stored.value());
    }

    @Test
    @DisplayName("SR-10: reserved addresses come back byte for byte")
    void storedReservedAddressesComeBackByteForByte() {
        var stored = SpiderpoolGolden.stored("SR-10", "spiderreservedips/r1");

        var document = ReservedDocument.decode("r1", stored.value());

        assertThat(document.encode()).isEqualTo(stored.value());
        assertThat(IpText.texts(document.reserved())).containsExactly("172.18.40.41", "172.18.40.43-172.18.40.44");
    }

    @Test
    void reservedAddressesOfAnObjectThatGoesAreFree() {
        var json = ReservedDocument.decode(
                        "r1",
                        SpiderpoolGolden.stored("SR-10", "spiderreservedips/r1").value())
                .json();
        Trees.child(json, "metadata").put("deletionTimestamp", "2026-11-15T08:20:25Z");

        var document = ReservedDocument.decode("r1", Json.write(json));

        assertThat(document.reserved().empty()).isTrue();
    }

    @Test
    void reservedAddressesThatCannotBeReadAreAnError() {
        var json = ReservedDocument.decode(
                        "r1",
                        SpiderpoolGolden.stored("SR-10", "spiderreservedips/r1").value())
                .json();
        Trees.child(json, "spec").putArray("ips").add("172.18.40.41-").add("172.18.40.9");

        assertThatExceptionOfType(UnreadableDocumentException.class)
                .isThrownBy(() -> ReservedDocument.decode("r1", Json.write(json)))
                .withMessageContaining("'172.18.40.41-' is not a range");
    }

    static Stream<JsonNode> texts() {
        return SpiderpoolGolden.read(SpiderpoolGolden.POOL)
                .path("allocatedIPsText")
                .valueStream();
    }

    @ParameterizedTest
    @MethodSource("texts")
    void recordsAreWrittenInTheOrderOfTheirTexts(JsonNode golden) {
        var records = new TreeMap<Address, PoolRecord>();
        golden.path("records")
                .forEach(record -> records.put(
                        Address.parse(record.path("ip").asText()),
                        new PoolRecord(
                                record.path("pod").asText(),
                                record.path("podUid").asText())));
        var text = golden.path("text").asText();

        var read = RecordsForm.read("golden", text);
        var written = RecordsForm.read("golden", "").text(PoolRecords.of(records));

        assertThat(read.records()).isEqualTo(records);
        assertThat(written).isEqualTo(text);
        assertThat(read.text(PoolRecords.of(records))).isEqualTo(text);
    }

    @Test
    void unknownFieldsOfRecordsAndPoolsSurvive() {
        var pool = pool(
                "{\"ips\":[\"10.6.0.1-10.6.0.9\"],\"subnet\":\"10.6.0.0/24\",\"vlan\":7}",
                "{\"allocatedIPCount\":1,\"allocatedIPs\":\"{\\\"10.6.0.1\\\":{\\\"pod\\\":\\\"ns/a\\\",\\\"podUid\\\":\\\"u\\\",\\\"nic\\\":\\\"eth0\\\"}}\",\"more\":1}");
        var records = new TreeMap<>(pool.pool().records());
        records.put(Address.parse("10.6.0.2"), new PoolRecord("ns/b", "v"));

        var written = pool.encodeWith(PoolRecords.of(records)).utf8();

        assertThat(written)
                .contains(
                        "\"vlan\":7",
                        "\"more\":1",
                        "\\\"nic\\\":\\\"eth0\\\"",
                        "\"allocatedIPCount\":2",
                        "\\\"10.6.0.2\\\":{\\\"pod\\\":\\\"ns/b\\\",\\\"podUid\\\":\\\"v\\\"}");
    }

    @Test
    @DisplayName("C56: the count heals with the next write")
    void countIsThatOfTheRecords() {
        var pool = pool(
                "{\"subnet\":\"10.6.0.0/24\"}",
                "{\"allocatedIPCount\":7,\"allocatedIPs\":\"{\\\"10.6.0.1\\\":{\\\"pod\\\":\\\"ns/a\\\",\\\"podUid\\\":\\\"u\\\"},\\\"10.6.0.2\\\":{\\\"pod\\\":\\\"ns/b\\\",\\\"podUid\\\":\\\"v\\\"}}\"}");
        var records = new TreeMap<>(pool.pool().records());
        records.put(Address.parse("10.6.0.3"), new PoolRecord("ns/c", "w"));

        var written = Json.readObject("p", pool.encodeWith(PoolRecords.of(records)));

        assertThat(written.at("/status/allocatedIPCount").toString()).isEqualTo("3");
        assertThat(written.at("/status").has("totalIPCount")).isFalse();
    }

    @Test
    void withoutRecordsThereIsNoText() {
        var pool = pool(
                "{\"subnet\":\"10.6.0.0/24\"}",
                "{\"allocatedIPCount\":1,\"allocatedIPs\":\"{\\\"10.6.0.1\\\":{\\\"pod\\\":\\\"ns/a\\\",\\\"podUid\\\":\\\"u\\\"}}\",\"totalIPCount\":5}");

        var written = Json.readObject("p", pool.encodeWith(PoolRecords.NONE));

        assertThat(written.at("/status").toString()).isEqualTo("{\"allocatedIPCount\":0,\"totalIPCount\":5}");
    }

    @Test
    void affinitiesAreRead() {
        var pool = pool("""
            {"subnet":"10.6.0.0/24","default":true,"nodeName":["n1"],"multusName":["a/b"],
             "podAffinity":{"matchLabels":{"app":"a"},
               "matchExpressions":[{"key":"x","operator":"NotIn","values":["y"]}]},
             "namespaceAffinity":{"matchExpressions":[{"key":"x","operator":"Exists"}]}}
            """, "{}").pool();

        assertThat(pool.damage()).isEmpty();
        assertThat(pool.spec().preference()).isEqualTo(Preference.DEFAULT);
        var affinity = pool.spec().affinity();
        assertThat(affinity.nodeNames()).containsExactly("n1");
        assertThat(affinity.networks()).containsExactly("a/b");
        assertThat(affinity.nodes()).isEmpty();
        assertThat(affinity.pods().orElseThrow().matchLabels()).containsEntry("app", "a");
        assertThat(affinity.pods().orElseThrow().requirements())
                .singleElement()
                .satisfies(requirement -> assertThat(requirement.operator()).isEqualTo(Operator.NOT_IN));
        assertThat(affinity.namespaces()).isPresent();
    }

    @Test
    @DisplayName("SR-09: a pool that was made for an application is known by its labels")
    void poolOfAnApplicationIsKnown() {
        var stored = SpiderpoolGolden.stored("SR-09", "spiderippools/auto4-web-eth0-cc3cf");

        var pool = SpiderPoolDocument.decode("auto4-web-eth0-cc3cf", stored.value())
                .pool();

        assertThat(pool.origin()).isEqualTo(Origin.MADE_FOR_APPLICATION);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {"subnet":"10.6.0.0/24","ips":["10.6.0.0/28"]}             | invalid IP range format in IPv4 '10.6.0.0/28'
        {"subnet":"10.6.0.0/24","excludeIPs":["10.6.0.5-10.6.0.2"]} | invalid IP range format in IPv4 '10.6.0.5-10.6.0.2'
        {"subnet":"10.6.0.0/24","gateway":"fd00::1"}               | invalid IP format in IPv4 'fd00::1'
        {"subnet":"10.6.0.0/24","ipVersion":6}                     | its ipVersion is 6
        {"subnet":"10.6.0.0/24","podAffinity":{"matchExpressions":[{"key":"a","operator":"Near"}]}} | podAffinity
        """)
    void whatMakesNoSenseIsADamage(String spec, String damage) {
        assertThat(pool(spec, "{}").pool().damage()).contains(damage);
    }

    @Test
    void rangeThatEndsBeforeItBeginsHasNoAddresses() {
        var pool = pool("{\"subnet\":\"10.6.0.0/24\",\"ips\":[\"10.6.0.10-10.6.0.1\"]}", "{}")
                .pool();

        assertThat(pool.damage()).isEmpty();
        assertThat(pool.spec().effective().empty()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"nonsense", "[]", "{\\\"nowhere\\\":{}}", "{\\\"10.6.0.01\\\":{}}", "{\\\"10.6.0.1\\\":7}"})
    void recordsThatCannotBeReadAreADamage(String text) {
        var pool = pool("{\"subnet\":\"10.6.0.0/24\"}", "{\"allocatedIPs\":\"%s\"}".formatted(text))
                .pool();

        assertThat(pool.damage()).contains("status.allocatedIPs cannot be read");
    }

    private static Nic nic(ObjectNode golden) {
        return SpiderEndpointDocument.decode(
                        new PodKey(
                                golden.at("/metadata/namespace").asText(),
                                golden.at("/metadata/name").asText()),
                        Json.write(
                                golden.put("apiVersion", SpiderKeys.API_VERSION).put("kind", "SpiderEndpoint")))
                .endpoint()
                .nics()
                .getFirst();
    }

    @Test
    @DisplayName("SG-21: a new endpoint has the form that Spiderpool gives it")
    void newEndpointHasTheFormOfSpiderpool() {
        var golden = SpiderpoolGolden.tree(
                SpiderpoolGolden.read(SpiderpoolGolden.ENDPOINT).at("/scenes/0/object"));
        var uid = golden.at("/status/current/uid").asText();
        var nic = new Nic(
                "eth0",
                Optional.of(new NicAddress(
                        Address.parse("172.18.40.40"), 24, "p4", Optional.of(Address.parse("172.18.40.1")))),
                Optional.of(new NicAddress(
                        Address.parse("fd00:40::10"), 64, "p6", Optional.of(Address.parse("fd00:40::1")))),
                Optional.of(GatewayUse.DEFAULT_ROUTE),
                List.of(new PodRoute("10.7.0.0/16", "172.18.40.2"), new PodRoute("10.99.0.0/16", "172.18.40.3")));

        var written = SpiderEndpointDocument.create(
                        new PodEndpoint(A, uid, "n1", List.of(nic), new TopController("v1", "Pod", "a")),
                        Instant.parse("2026-11-15T08:20:13.5Z"))
                .json();

        assertThat(written.at("/metadata/creationTimestamp").asText()).isEqualTo("2026-11-15T08:20:13Z");
        Trees.child(written, "metadata").remove("creationTimestamp");
        written.remove(List.of("apiVersion", "kind"));
        assertThat(Trees.sorted(SpiderpoolGolden.tree(written))).isEqualTo(Trees.sorted(golden));
        assertThat(nic(golden)).isEqualTo(nic);
    }

    @Test
    @DisplayName("SG-22: an endpoint of a Deployment is read")
    void endpointOfADeploymentIsRead() {
        var golden = SpiderpoolGolden.tree(
                SpiderpoolGolden.read(SpiderpoolGolden.ENDPOINT).at("/scenes/1/object"));

        var document = SpiderEndpointDocument.decode(new PodKey("default", "web-7c9d-abcde"), Json.write(golden));

        assertThat(document.endpoint().controller()).isEqualTo(new TopController("", "Deployment", "web"));
        assertThat(document.endpoint().nics().getFirst().ipv4().map(NicAddress::text))
                .contains("10.6.168.101/16");
    }

    @Test
    void unknownFieldsOfAnInterfaceSurviveItsClaim() {
        var json = SpiderEndpointDocument.decode(
                        A,
                        SpiderpoolGolden.stored("SR-02", "namespaces/ns1/spiderendpoints/a")
                                .value())
                .json();
        var entry = (ObjectNode) json.at("/status/current/ips/0");
        entry.put("interface", "").put("mac", "00:00:5e:00:53:01");
        var document = SpiderEndpointDocument.decode(A, Json.write(json));
        var unclaimed = document.endpoint().nics().getFirst();

        var claimed = document.with(document.endpoint()
                .withNics(List.of(new Nic(
                        "net1", unclaimed.ipv4(), unclaimed.ipv6(), unclaimed.gatewayUse(), unclaimed.routes()))));

        assertThat(claimed.json().at("/status/current/ips/0/mac").asText()).isEqualTo("00:00:5e:00:53:01");
        assertThat(claimed.json().at("/status/current/ips/0/interface").asText())
                .isEqualTo("net1");
    }

    @Test
    @DisplayName("SR-06: the endpoint of a StatefulSet's pod is owned by no pod, and has the form of Spiderpool's")
    void endpointThatStaysForASuccessorIsOwnedByNoPod() {
        var golden = SpiderpoolGolden.stored("SR-06", "namespaces/ns1/spiderendpoints/db-0")
                .json();
        Trees.child(golden, "metadata").remove(List.of("generation", "managedFields", "resourceVersion", "uid"));
        var key = new PodKey("ns1", "db-0");
        var uid = golden.at("/status/current/uid").asText();
        var nic = SpiderEndpointDocument.decode(key, Json.write(golden))
                .endpoint()
                .nics()
                .getFirst();
        var endpoint = new PodEndpoint(
                key,
                uid,
                "n1",
                List.of(nic),
                new TopController("apps/v1", "StatefulSet", "db"),
                PodEndpoint.Ownership.UNOWNED);

        var written = SpiderEndpointDocument.create(endpoint, Instant.parse("2026-11-15T08:20:18Z"));

        assertThat(Trees.sorted(SpiderpoolGolden.tree(written.json()))).isEqualTo(Trees.sorted(golden));
        assertThat(SpiderEndpointDocument.decode(key, written.encode())
                        .endpoint()
                        .ownership())
                .isEqualTo(PodEndpoint.Ownership.UNOWNED);
    }

    @Test
    void endpointThatIsLeftToASuccessorLosesItsOwnerAndNothingElse() {
        var json = SpiderEndpointDocument.decode(
                        A,
                        SpiderpoolGolden.stored("SR-02", "namespaces/ns1/spiderendpoints/a")
                                .value())
                .json();
        ((ObjectNode) json.at("/status/current/ips/0")).put("mac", "00:00:5e:00:53:01");
        var document = SpiderEndpointDocument.decode(A, Json.write(json));
        var before = document.endpoint();

        var after = document.with(new PodEndpoint(
                        A,
                        "u2",
                        "n2",
                        before.nics(),
                        new TopController("apps/v1", "StatefulSet", "s"),
                        PodEndpoint.Ownership.UNOWNED))
                .json();

        assertThat(before.ownership()).isEqualTo(PodEndpoint.Ownership.OWNED_BY_POD);
        Trees.child(json, "metadata").remove("ownerReferences");
        var status = Trees.child(json, "status");
        status.put("ownerControllerType", "StatefulSet").put("ownerControllerName", "s");
        Trees.child(status, "current").put("uid", "u2").put("node", "n2");
        assertThat(after).isEqualTo(json);
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.6.0.1", "10.6.0.1/40", "nonsense/24", "/24"})
    void endpointWithAnInvalidAddressIsAnError(String address) {
        var json = SpiderEndpointDocument.decode(
                        A,
                        SpiderpoolGolden.stored("SR-02", "namespaces/ns1/spiderendpoints/a")
                                .value())
                .json();
        ((ObjectNode) json.at("/status/current/ips/0")).put("ipv4", address);

        assertThatExceptionOfType(UnreadableDocumentException.class)
                .isThrownBy(() -> SpiderEndpointDocument.decode(A, Json.write(json)))
                .withMessageContaining("ipv4");
    }
}
