package io.cadastre.wire.spiderpool.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.address.Family;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Document;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.json.UnreadableDocumentException;
import io.cadastre.wire.spiderpool.admission.SpiderAdmission.Deletion;
import io.cadastre.wire.spiderpool.objects.ObjectView;
import io.cadastre.wire.spiderpool.objects.SpiderKind;
import io.cadastre.wire.spiderpool.objects.SpiderKinds;
import io.cadastre.wire.spiderpool.objects.SpiderObjects.SubnetUse;
import io.cadastre.wire.spiderpool.objects.SpiderpoolGolden;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// What an API server is answered before it stores or deletes an object.
class SpiderAdmissionTest {

    private static final List<Family> BOTH = List.of(Family.IPV4, Family.IPV6);
    private static final String USED = "{\"172.18.40.40\":{\"pod\":\"default/a\",\"podUid\":\"u1\"}}";

    private final List<Document> stored = new ArrayList<>();
    private SpiderAdmission pools = new SpiderAdmission(SpiderKinds.POOL, BOTH, Deletion.AT_ANY_TIME, SubnetUse.ON);
    private final SpiderAdmission subnets =
            new SpiderAdmission(SpiderKinds.SUBNET, BOTH, Deletion.AT_ANY_TIME, SubnetUse.ON);
    private final SpiderAdmission reserved =
            new SpiderAdmission(SpiderKinds.RESERVED, BOTH, Deletion.AT_ANY_TIME, SubnetUse.ON);

    // ---- fixtures ----

    private static ObjectNode json(String text) {
        return Json.readObject("text", Bytes.ofUtf8(text));
    }

    /// An object as the API server has it after a client sent it.
    private static ObjectNode sent(SpiderKind kind, String name, String spec) {
        var object = Json.emptyObject();
        object.put("apiVersion", "spiderpool.spidernet.io/v2beta1").put("kind", kind.word());
        object.putObject("metadata").put("name", name).put("uid", "u-" + name);
        object.set("spec", json(spec));
        return object;
    }

    private static AdmissionReview review(String operation, ObjectNode object, ObjectNode before) {
        var word = (object.isEmpty() ? before : object).path("kind").asText();
        var name = (object.isEmpty() ? before : object).at("/metadata/name").asText();
        var message = Json.emptyObject();
        message.put("apiVersion", "admission.k8s.io/v1").put("kind", "AdmissionReview");
        var request = message.putObject("request");
        request.put("uid", "705ab4f5").put("operation", operation).put("name", name);
        request.putObject("kind")
                .put("group", "spiderpool.spidernet.io")
                .put("version", "v2beta1")
                .put("kind", word);
        request.set("object", object.isEmpty() ? null : object);
        request.set("oldObject", before.isEmpty() ? null : before);
        return AdmissionReview.read(Json.write(message));
    }

    private static AdmissionReview creation(ObjectNode object) {
        return review("CREATE", object, Json.emptyObject());
    }

    private static ObjectView nothingStored() {
        return new ObjectView(List.of(), List.of(), ObjectView.Host.API_SERVER);
    }

    /// The object as the mutation leaves it.
    private static ObjectNode completed(SpiderAdmission admission, AdmissionReview review) {
        return completed(admission, review, nothingStored());
    }

    private static ObjectNode completed(SpiderAdmission admission, AdmissionReview review, ObjectView view) {
        var response = response(review, admission.mutate(review, () -> view));
        assertThat(response.path("allowed").asBoolean()).isTrue();
        var object = review.object();
        if (response.has("patch")) {
            assertThat(response.path("patchType").asText()).isEqualTo("JSONPatch");
            var patch =
                    new String(Base64.getDecoder().decode(response.path("patch").asText()), StandardCharsets.UTF_8);
            json("{\"all\":%s}".formatted(patch)).path("all").forEach(operation -> carryOut(object, operation));
        }
        return object;
    }

    private static void carryOut(ObjectNode object, JsonNode operation) {
        var path = operation.path("path").asText();
        int slash = path.lastIndexOf('/');
        var parent = (ObjectNode) object.at(path.substring(0, slash));
        var field = path.substring(slash + 1).replace("~1", "/").replace("~0", "~");
        switch (operation.path("op").asText()) {
            case "add" -> parent.set(field, operation.path("value"));
            case "remove" -> parent.remove(field);
            default -> throw new AssertionError(operation);
        }
    }

    private static ObjectNode response(AdmissionReview review, AdmissionAnswer answer) {
        var json = Json.readMessage("answer", review.answer(answer));
        assertThat(json.path("kind").asText()).isEqualTo("AdmissionReview");
        assertThat(json.path("apiVersion").asText()).isEqualTo("admission.k8s.io/v1");
        assertThat(json.at("/response/uid").asText()).isEqualTo("705ab4f5");
        return (ObjectNode) json.path("response");
    }

    private ObjectNode validated(SpiderAdmission admission, AdmissionReview review) {
        return response(review, admission.validate(review, this::view));
    }

    private ObjectView view() {
        return new ObjectView(stored, List.of(), ObjectView.Host.API_SERVER);
    }

    private ObjectNode storeSubnet(String name, String spec) {
        var subnet = completed(subnets, creation(sent(SpiderKinds.SUBNET, name, spec)));
        stored.add(new Document(SpiderKinds.SUBNET.key(name), Json.write(subnet), 1));
        return subnet;
    }

    /// What both webhooks say of a new subnet.
    private ObjectNode createdSubnet(String name, String spec) {
        return validated(subnets, creation(completed(subnets, creation(sent(SpiderKinds.SUBNET, name, spec)))));
    }

    /// What both webhooks say of a new pool, as the API server asks them one after the other.
    private ObjectNode created(String name, String spec) {
        var completed = completed(pools, creation(sent(SpiderKinds.POOL, name, spec)));
        return validated(pools, creation(completed));
    }

    private ObjectNode store(String name, String spec) {
        var pool = completed(pools, creation(sent(SpiderKinds.POOL, name, spec)));
        stored.add(new Document(SpiderKinds.POOL.key(name), Json.write(pool), 1));
        return pool;
    }

    private ObjectNode updated(ObjectNode before, ObjectNode after) {
        return validated(pools, review("UPDATE", after, before));
    }

    private static ObjectNode with(ObjectNode object, String field, String value) {
        var changed = object.deepCopy();
        ((ObjectNode) changed.path("spec"))
                .set(field, json("{\"v\":%s}".formatted(value)).path("v"));
        return changed;
    }

    private static ObjectNode terminating(ObjectNode object) {
        var changed = object.deepCopy();
        ((ObjectNode) changed.path("metadata")).put("deletionTimestamp", "2026-11-15T08:20:11Z");
        return changed;
    }

    private static void assertDenied(ObjectNode response, int code, String reason, String... words) {
        assertThat(response.path("allowed").asBoolean()).isFalse();
        assertThat(response.at("/status/code").toString()).isEqualTo(Integer.toString(code));
        assertThat(response.at("/status/reason").asText()).isEqualTo(reason);
        assertThat(response.at("/status/message").asText()).contains(words);
    }

    private static void assertAllowed(ObjectNode response) {
        assertThat(response.path("status").toString()).isEmpty();
        assertThat(response.path("allowed").asBoolean()).isTrue();
    }

    // ---- what Spiderpool itself answered ----

    static Stream<JsonNode> refusals() {
        // SE-07 needs a SpiderSubnet, and SE-08 is what the definition of the kind refuses.
        return SpiderpoolGolden.read(SpiderpoolGolden.REFUSALS)
                .path("refusals")
                .valueStream()
                .filter(refusal ->
                        !List.of("SE-07", "SE-08").contains(refusal.path("id").asText()));
    }

    @ParameterizedTest
    @MethodSource("refusals")
    @DisplayName("SE-01 to SE-06: a refusal is the Status that Spiderpool gives")
    void refusalIsTheStatusThatSpiderpoolGives(JsonNode golden) {
        store(
                "p4",
                "{\"subnet\":\"172.18.40.0/24\",\"ips\":[\"172.18.40.40-172.18.40.44\"],\"gateway\":\"172.18.40.1\"}");
        var wanted = json(golden.path("response").asText().strip());

        var response = created(
                "x" + golden.path("id").asText().substring(4),
                golden.path("spec").toString());

        var status = (ObjectNode) response.path("status");
        assertThat(status.remove("message").asText())
                .isEqualTo(wanted.path("message").asText().replaceFirst("^admission webhook .* request: ", ""));
        for (var field : List.of("status", "reason", "code", "details")) {
            assertThat(status.path(field).toString())
                    .as(field)
                    .isEqualTo(wanted.path(field).toString());
        }
    }

    @Test
    @DisplayName("SE-07, C22, C23: the subnet of a pool's prefix controls it, and has its addresses")
    void subnetControlsThePoolsOfItsPrefix() {
        storeSubnet(
                "s1",
                "{\"subnet\":\"10.20.0.0/16\",\"ips\":[\"10.20.168.101-10.20.168.110\"],\"gateway\":\"10.20.0.1\"}");
        var golden = SpiderpoolGolden.read(SpiderpoolGolden.REFUSALS)
                .path("refusals")
                .valueStream()
                .filter(refusal -> refusal.path("id").asText().equals("SE-07"))
                .findFirst()
                .orElseThrow();
        var wanted = json(golden.path("response").asText().strip());

        var outside = completed(
                pools, creation(sent(SpiderKinds.POOL, "x7", golden.path("spec").toString())), view());
        var inside = completed(
                pools,
                creation(sent(SpiderKinds.POOL, "p", "{\"subnet\":\"10.20.0.0/16\",\"ips\":[\"10.20.168.108\"]}")),
                view());

        var status = (ObjectNode) validated(pools, creation(outside)).path("status");
        assertThat(status.path("message").asText())
                .isEqualTo(wanted.path("message").asText().replaceFirst("^admission webhook .* request: ", ""));
        assertThat(status.path("details").toString())
                .isEqualTo(wanted.path("details").toString());
        assertThat(inside.at("/metadata/ownerReferences/0/name").asText()).isEqualTo("s1");
        assertThat(inside.at("/metadata/labels/ipam.spidernet.io~1owner-spider-subnet")
                        .asText())
                .isEqualTo("s1");
        assertThat(inside.at("/spec/gateway").asText()).isEqualTo("10.20.0.1");
        assertAllowed(validated(pools, creation(inside)));
    }

    // ---- completing ----

    @ParameterizedTest
    @CsvSource({"172.18.40.0/24,4,172-18-40-0-24", "fd00:db8::/32,6,fd00-db8---32"})
    @DisplayName("C01, C02: family, finalizer and label are filled in")
    void familyFinalizerAndLabelAreFilledIn(String subnet, String version, String label) {
        var pool = completed(pools, creation(sent(SpiderKinds.POOL, "p", "{\"subnet\":\"%s\"}".formatted(subnet))));

        assertThat(pool.at("/spec/ipVersion").toString()).isEqualTo(version);
        assertThat(pool.at("/metadata/finalizers").toString()).isEqualTo("[\"spiderpool.spidernet.io\"]");
        assertThat(pool.at("/metadata/labels").toString())
                .isEqualTo("{\"ipam.spidernet.io/ippool-cidr\":\"%s\"}".formatted(label));
        assertThat(pool.at("/metadata/uid").asText()).isEqualTo("u-p");
    }

    @Test
    @DisplayName("C03: ranges are written in their fewest, and labels of others stay")
    void rangesAreWrittenInTheirFewest() {
        var sent = sent(SpiderKinds.POOL, "p", """
            {"subnet":"172.18.40.0/24","ips":["172.18.40.3-172.18.40.6","172.18.40.1-172.18.40.4","172.18.40.10"]}
            """);
        ((ObjectNode) sent.path("metadata")).putObject("labels").put("team/a~b", "x");

        var pool = completed(pools, creation(sent));

        assertThat(pool.at("/spec/ips").toString()).isEqualTo("[\"172.18.40.1-172.18.40.6\",\"172.18.40.10\"]");
        assertThat(pool.at("/metadata/labels").size()).isEqualTo(2);
    }

    @Test
    void aMutationThatFailsKeepsWhatItHasDoneAndRefusesNothing() {
        var sent = sent(SpiderKinds.POOL, "p", "{\"subnet\":[\"10.6.0.0/24\"]}");

        var pool = completed(pools, creation(sent));

        assertThat(pool.at("/metadata/finalizers").toString()).isEqualTo("[\"spiderpool.spidernet.io\"]");
        assertDenied(validated(pools, creation(pool)), 422, "Invalid", "its subnet is not text");
    }

    @Test
    void aCompletePoolIsNotChanged() {
        var pool = store("p", "{\"subnet\":\"172.18.40.0/24\",\"ips\":[\"172.18.40.40\"]}");

        var answer = pools.mutate(review("UPDATE", pool, pool), SpiderAdmissionTest::nothingStored);

        assertThat(answer).isEqualTo(new AdmissionAnswer.Patched(Bytes.ofUtf8("[]"), ""));
    }

    @Test
    void aPoolThatIsBeingDeletedIsNotCompleted() {
        var released = terminating(store("p", "{\"subnet\":\"172.18.40.0/24\"}"));
        ((ObjectNode) released.path("metadata")).remove("finalizers");

        assertThat(pools.mutate(review("UPDATE", released, released), SpiderAdmissionTest::nothingStored))
                .isEqualTo(new AdmissionAnswer.Allowed());
    }

    // ---- creating ----

    @Test
    @DisplayName("C08: a pool of a subnet that overlaps another is refused")
    void overlappingSubnetIsRefused() {
        store("a", "{\"subnet\":\"10.6.0.0/16\"}");

        assertDenied(created("b", "{\"subnet\":\"10.6.1.0/24\"}"), 422, "Invalid", "overlap with IPPool a which");
    }

    @Test
    @DisplayName("C09, C10: pools of one subnet share no address that both give")
    void poolsOfOneSubnetShareNoAddress() {
        store("a", "{\"subnet\":\"10.6.0.0/24\",\"ips\":[\"10.6.0.1-10.6.0.10\"]}");
        store(
                "c",
                "{\"subnet\":\"10.7.0.0/24\",\"ips\":[\"10.7.0.1-10.7.0.10\"],\"excludeIPs\":[\"10.7.0.5-10.7.0.10\"]}");

        assertDenied(
                created("b", "{\"subnet\":\"10.6.0.0/24\",\"ips\":[\"10.6.0.10-10.6.0.20\"]}"),
                422,
                "Invalid",
                "spec.ips: Forbidden: overlap with IPPool a");
        assertAllowed(created("b", "{\"subnet\":\"10.6.0.0/24\",\"ips\":[\"10.6.0.11-10.6.0.20\"]}"));
        assertAllowed(created("d", "{\"subnet\":\"10.7.0.0/24\",\"ips\":[\"10.7.0.6-10.7.0.8\"]}"));
    }

    @Test
    @DisplayName("C16: a selector of pods that selects all is refused")
    void emptyPodAffinityIsRefused() {
        assertDenied(
                created("p", "{\"subnet\":\"10.6.0.0/24\",\"podAffinity\":{}}"),
                422,
                "Invalid",
                "empty podAffinity is invalid for SpiderIPPool");
    }

    @Test
    @DisplayName("C17: a pool of a family that is off is refused")
    void familyThatIsOffIsRefused() {
        pools = new SpiderAdmission(SpiderKinds.POOL, List.of(Family.IPV4), Deletion.AT_ANY_TIME, SubnetUse.ON);

        assertDenied(
                created("p", "{\"subnet\":\"fd00::/64\"}"),
                422,
                "Invalid",
                "spec.ipVersion: Forbidden: IPv6 is disabled");
    }

    @Test
    @DisplayName("C21: a name that is taken is refused as the API server does")
    void nameThatIsTakenIsRefused() {
        store("p", "{\"subnet\":\"10.6.0.0/24\"}");

        assertDenied(created("p", "{\"subnet\":\"10.6.0.0/24\"}"), 409, "AlreadyExists", "\"p\" already exists");
    }

    // ---- updating ----

    @Test
    @DisplayName("C14: subnet and family stay")
    void subnetAndFamilyStay() {
        var pool = store("p", "{\"subnet\":\"10.6.0.0/24\"}");

        assertDenied(
                updated(pool, with(pool, "subnet", "\"10.7.0.0/24\"")),
                422,
                "Invalid",
                "spec.subnet: Forbidden: is not changeable");
        assertDenied(
                updated(pool, with(pool, "ipVersion", "6")),
                422,
                "Invalid",
                "spec.ipVersion: Forbidden: is not changeable");
    }

    @Test
    @DisplayName("C15: an address that a pod has stays in its pool")
    void addressInUseStays() {
        var pool = store("p", "{\"subnet\":\"172.18.40.0/24\",\"ips\":[\"172.18.40.40-172.18.40.44\"]}");
        pool.putObject("status").put("allocatedIPs", USED).put("allocatedIPCount", 1);

        assertDenied(
                updated(pool, with(pool, "ips", "[\"172.18.40.41-172.18.40.44\"]")),
                422,
                "Invalid",
                "spec.ips: Forbidden: remove an IP address 172.18.40.40 that is being used by Pod default/a");
        assertAllowed(updated(pool, with(pool, "ips", "[\"172.18.40.40-172.18.40.50\"]")));
    }

    @Test
    @DisplayName("C20: of a pool that is being deleted only finalizers are taken off")
    void ofAPoolThatIsBeingDeletedOnlyFinalizersAreTakenOff() {
        var pool = terminating(store("p", "{\"subnet\":\"10.6.0.0/24\"}"));
        ((ObjectNode) pool.path("metadata")).withArray("finalizers").add("example.com/other");
        var released = pool.deepCopy();
        ((ObjectNode) released.path("metadata")).putArray("finalizers").add("example.com/other");
        var withoutOther = pool.deepCopy();
        ((ObjectNode) withoutOther.path("metadata")).putArray("finalizers").add("spiderpool.spidernet.io");
        var free = released.deepCopy();
        ((ObjectNode) free.path("metadata")).remove("finalizers");

        assertDenied(
                updated(pool, with(pool, "disable", "true")),
                403,
                "Forbidden",
                "forbidden: cannot update a terminating IPPool");
        assertAllowed(updated(pool, released));
        assertAllowed(updated(pool, withoutOther));
        assertAllowed(updated(released, free));
        assertDenied(
                updated(released, with(released, "disable", "true")),
                403,
                "Forbidden",
                "cannot update a terminating IPPool");
    }

    @Test
    void aWriteOfTheStatusIsNotJudged() {
        var review = creation(sent(SpiderKinds.POOL, "p", "{\"subnet\":\"nonsense\"}"));
        var ofStatus = new AdmissionReview(
                review.uid(), review.word(), "UPDATE", "status", "p", review.object(), review.before());

        assertAllowed(validated(pools, ofStatus));
        assertThat(pools.mutate(ofStatus, SpiderAdmissionTest::nothingStored)).isEqualTo(new AdmissionAnswer.Allowed());
    }

    // ---- deleting ----

    @Test
    @DisplayName("C18, C19: a pool in use is deleted, unless the setting forbids it")
    void poolInUseIsDeletedUnlessTheSettingForbidsIt() {
        var pool = store("p", "{\"subnet\":\"172.18.40.0/24\",\"ips\":[\"172.18.40.40-172.18.40.44\"]}");
        pool.putObject("status").put("allocatedIPCount", 2);
        var deletion = review("DELETE", Json.emptyObject(), pool);
        var strict = new SpiderAdmission(SpiderKinds.POOL, BOTH, Deletion.WHEN_UNUSED, SubnetUse.ON);

        assertAllowed(validated(pools, deletion));
        assertDenied(validated(strict, deletion), 403, "Forbidden", "cannot delete an IPPool with allocated IPs(2)");
        ((ObjectNode) pool.path("status")).put("allocatedIPCount", 0);
        assertAllowed(validated(strict, review("DELETE", Json.emptyObject(), pool)));
    }

    // ---- subnets ----

    @Test
    void subnetIsCompleted() {
        var subnet = completed(
                subnets,
                creation(sent(
                        SpiderKinds.SUBNET,
                        "s",
                        "{\"subnet\":\"fd00:db8::/32\",\"ips\":[\"fd00:db8::5\",\"fd00:db8::1-fd00:db8::4\"]}")));

        assertThat(subnet.at("/spec/ipVersion").toString()).isEqualTo("6");
        assertThat(subnet.at("/spec/ips").toString()).isEqualTo("[\"fd00:db8::1-fd00:db8::5\"]");
        assertThat(subnet.at("/metadata/finalizers").toString()).isEqualTo("[\"spiderpool.spidernet.io\"]");
        assertThat(subnet.at("/metadata/labels").toString())
                .isEqualTo("{\"ipam.spidernet.io/subnet-cidr\":\"fd00-db8---32\"}");
        assertAllowed(validated(subnets, creation(subnet)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        "subnet":"10.40.0.5/16"                           | unformatted subnet 10.40.0.5/16, please change it to 10.40.0.0/16
        "subnet":"10.20.0.0/16"                           | overlap with Subnet s1 which 'spec.subnet' is 10.20.0.0/16
        "subnet":"10.30.1.0/24"                           | overlap with SpiderIPPool 'p' resource 'spec.subnet' 10.30.0.0/16
        "subnet":"10.30.0.0/16","ips":["10.30.0.1"]       | SpiderIPPool 'p' owns some IP addresses that SpiderSubnet 's2' can't control
        "subnet":"10.40.0.0/16","ips":["10.41.0.1"]       | spec.ips[0]: Invalid value: "10.41.0.1": not pertains to
        "subnet":"10.40.0.0/16","gateway":"10.41.0.1"     | spec.gateway: Invalid value: "10.41.0.1": not pertains to
        "subnet":"10.40.0.0/33"                           | is not generated correctly, 'spec.subnet' may be invalid
        """)
    @DisplayName("C24: a subnet that breaks a rule is refused")
    void subnetThatBreaksARuleIsRefused(String spec, String words) {
        storeSubnet("s1", "{\"subnet\":\"10.20.0.0/16\"}");
        store("p", "{\"subnet\":\"10.30.0.0/16\",\"ips\":[\"10.30.0.1-10.30.0.5\"]}");

        assertDenied(createdSubnet("s2", "{" + spec + "}"), 422, "Invalid", words);
        assertDenied(
                createdSubnet("s1", "{\"subnet\":\"10.20.0.0/16\"}"), 409, "AlreadyExists", "\"s1\" already exists");
        assertAllowed(createdSubnet("s2", "{\"subnet\":\"10.30.0.0/16\",\"ips\":[\"10.30.0.1-10.30.0.10\"]}"));
    }

    @Test
    @DisplayName("C25: what pools have stays in their subnet, and its prefix stays")
    void whatPoolsHaveStaysInTheirSubnet() {
        var subnet = storeSubnet("s1", "{\"subnet\":\"10.6.0.0/16\",\"ips\":[\"10.6.168.101-10.6.168.110\"]}");
        subnet.putObject("status")
                .put("controlledIPPools", "{\"p\":{\"ips\":[\"10.6.168.101-10.6.168.103\"]}}")
                .put("allocatedIPCount", 3);
        var shrunk = with(subnet, "ips", "[\"10.6.168.101\",\"10.6.168.103-10.6.168.110\"]");

        assertDenied(
                validated(subnets, review("UPDATE", shrunk, subnet)),
                422,
                "Invalid",
                "spec.ips: Forbidden: remove some IP ranges [10.6.168.102] that is being used by IPPool p");
        assertDenied(
                validated(subnets, review("UPDATE", with(subnet, "subnet", "\"10.7.0.0/16\""), subnet)),
                422,
                "Invalid",
                "spec.subnet: Forbidden: is not changeable");
        assertAllowed(
                validated(subnets, review("UPDATE", with(subnet, "ips", "[\"10.6.168.101-10.6.168.120\"]"), subnet)));
        assertDenied(
                validated(
                        subnets,
                        review("UPDATE", with(terminating(subnet), "gateway", "\"10.6.0.1\""), terminating(subnet))),
                403,
                "Forbidden",
                "forbidden: cannot update a terminaing Subnet");
    }

    @Test
    void subnetWithPoolsIsDeletedUnlessTheSettingForbidsIt() {
        var subnet = storeSubnet("s1", "{\"subnet\":\"10.6.0.0/16\",\"ips\":[\"10.6.168.101\"]}");
        subnet.putObject("status").put("allocatedIPCount", 1);
        var strict = new SpiderAdmission(SpiderKinds.SUBNET, BOTH, Deletion.WHEN_UNUSED, SubnetUse.ON);

        assertAllowed(validated(subnets, review("DELETE", Json.emptyObject(), subnet)));
        assertDenied(
                validated(strict, review("DELETE", Json.emptyObject(), subnet)),
                403,
                "Forbidden",
                "cannot delete an Subnet with allocated IPs(1)");
    }

    // ---- reserved addresses ----

    @Test
    @DisplayName("C27: the family of reserved addresses is that of the first, and stays")
    void familyOfReservedAddressesStays() {
        var completed = completed(
                reserved, creation(sent(SpiderKinds.RESERVED, "r", "{\"ips\":[\"10.6.168.131-10.6.168.132\"]}")));

        assertThat(completed.at("/spec/ipVersion").toString()).isEqualTo("4");
        assertThat(completed.path("metadata").has("finalizers")).isFalse();
        assertAllowed(validated(reserved, creation(completed)));
        var changed = with(with(completed, "ipVersion", "6"), "ips", "[\"fd00::1\"]");
        assertDenied(
                validated(reserved, review("UPDATE", changed, completed)),
                422,
                "Invalid",
                "spec.ipVersion: Forbidden: is not changeable");
        assertDenied(
                validated(reserved, review("UPDATE", terminating(completed), terminating(completed))),
                403,
                "Forbidden",
                "cannot update a terminating ReservedIP");
    }

    // ---- what is no review ----

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        nonsense                                                                | it is not JSON
        []                                                                      | it is not a JSON object
        {}                                                                      | its kind is '' and not 'AdmissionReview'
        {"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1beta1"}      | its apiVersion is 'admission.k8s.io/v1beta1'
        {"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1"}           | it has no request.uid
        {"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"uid":"u","object":3}} | its object is not an object
        """)
    void whatIsNoReviewIsRefusedWithItsFault(String message, String fault) {
        assertThatThrownBy(() -> AdmissionReview.read(Bytes.ofUtf8(message)))
                .isInstanceOf(UnreadableDocumentException.class)
                .hasMessageContaining("cannot read the AdmissionReview: ")
                .hasMessageContaining(fault);
    }

    @Test
    void aReviewOfAnotherKindOrOperationIsRefused() {
        var node = creation(json("{\"kind\":\"Node\",\"metadata\":{\"name\":\"n\"}}"));
        var pool = sent(SpiderKinds.POOL, "p", "{\"subnet\":\"10.6.0.0/24\"}");

        assertDenied(validated(pools, node), 400, "BadRequest", "'Node'; here SpiderIPPool is reviewed");
        assertDenied(validated(pools, review("CONNECT", pool, Json.emptyObject())), 400, "BadRequest", "'CONNECT'");
    }

    @Test
    void aReviewHasRoomForTwoLargePools() {
        var pool = store("p", "{\"subnet\":\"10.6.0.0/16\"}");
        pool.putObject("status").put("allocatedIPs", " ".repeat(900_000));

        var review = review("UPDATE", pool, pool);

        assertThat(review.before()).isEqualTo(review.object());
    }
}
