package io.cadastre.agent.spiderpool;

import static io.cadastre.agent.spiderpool.CallingRuntime.config;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cadastre.address.Address;
import io.cadastre.address.Family;
import io.cadastre.agent.calico.AgentContext;
import io.cadastre.agent.spiderpool.SpiderpoolAgentException.Reason;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.datastore.memory.MemoryJournal;
import io.cadastre.linux.probe.ProbeTiming;
import io.cadastre.registry.Ledger;
import io.cadastre.wire.cni.CniVerb;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.kubernetes.CoreKeys;
import io.cadastre.wire.spiderpool.AllocatedIp;
import io.cadastre.wire.spiderpool.IpamAddArgs;
import io.cadastre.wire.spiderpool.IpamAddResponse;
import io.cadastre.wire.spiderpool.IpamBatchDelArgs;
import io.cadastre.wire.spiderpool.IpamDelArgs;
import io.cadastre.wire.spiderpool.PodIdentity;
import io.cadastre.wire.spiderpool.objects.ObjectBook;
import io.cadastre.wire.spiderpool.objects.ObjectOutcome;
import io.cadastre.wire.spiderpool.objects.SpiderKeys;
import io.cadastre.wire.spiderpool.objects.SpiderKinds;
import io.cadastre.wire.spiderpool.objects.SpiderObjects;
import io.cadastre.wire.spiderpool.objects.SpiderObjects.Given;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The agent in this process answers as Spiderpool's does.
@Timeout(300)
class PoolAgentTest {

    private static final Instant NOW = Instant.parse("2026-11-15T08:20:13Z");
    private static final String UID_A = "23888f3c-d5f9-4b67-99a9-5b6485c958d7";
    private static final String UID_B = "cb16b291-7a8e-403a-8b0a-8c17ef018d4f";

    private final MemoryDatastore store = new MemoryDatastore();
    private final AtomicReference<Instant> time = new AtomicReference<>(NOW);
    private final PoolAgent agent = agent(Map.of());

    private PoolAgent agent(Map<String, String> environment) {
        InstantSource clock = time::get;
        return new PoolAgent(
                new AgentContext(store, new Ledger(new MemoryJournal()), clock, new SplittableRandom(1), _ -> {}),
                "n1",
                PoolAgentSettings.of(environment));
    }

    private void put(String key, String json) {
        var value = Bytes.ofUtf8(json);
        var commit = store.commit(List.of(store.get(key)
                .<Write>map(former -> new Write.Update(key, value, former.revision()))
                .orElseGet(() -> new Write.Create(key, value))));
        assertThat(commit).isInstanceOf(Commit.Done.class);
    }

    /// A pod in `ns1` with members of its metadata.
    private void pod(String name, String metadata) {
        put(CoreKeys.PODS + "ns1/" + name, """
            {"kind":"Pod","apiVersion":"v1","metadata":{"name":"%s","namespace":"ns1",%s},
             "spec":{"nodeName":"n1"},"status":{"phase":"Running"}}
            """.formatted(name, metadata));
    }

    private void pod(String name, String uid, String pools) {
        pod(
                name,
                "\"uid\":\"%s\",\"annotations\":{\"ipam.spidernet.io/ippool\":\"%s\"}"
                        .formatted(uid, pools.replace("\"", "\\\"")));
    }

    private void remove(String name) {
        var key = CoreKeys.PODS + "ns1/" + name;
        long revision = store.get(key).orElseThrow().revision();
        assertThat(store.commit(List.of(new Write.Delete(key, revision)))).isInstanceOf(Commit.Done.class);
    }

    private void pool(String name, String spec) {
        var json = Json.emptyObject();
        json.putObject("metadata").put("name", name);
        json.set("spec", Json.readObject("spec", Bytes.ofUtf8(spec)));
        var page = new ObjectBook(store).open();
        var decision = SpiderObjects.apply(
                page.view(), new Given(SpiderKinds.POOL, json, new UUID(0, 1), NOW, List.of(Family.IPV4, Family.IPV6)));
        assertThat(decision.outcome()).isEqualTo(new ObjectOutcome.Created());
        page.with(decision.changes()).save();
    }

    private void goldenPools() {
        pool("p4", """
            {"subnet":"172.18.40.0/24","ips":["172.18.40.40-172.18.40.44"],"gateway":"172.18.40.1",
             "routes":[{"dst":"10.7.0.0/16","gw":"172.18.40.2"}]}
            """);
        pool("p6", "{\"subnet\":\"fd00:40::/64\",\"ips\":[\"fd00:40::10-fd00:40::14\"],\"gateway\":\"fd00:40::1\"}");
    }

    private int records(String pool) {
        var json = Json.readObject(
                pool, store.get(SpiderKeys.pool(pool)).map(Document::value).orElseThrow());
        return Integer.parseInt(json.at("/status/allocatedIPCount").toString());
    }

    private static JsonNode golden(String id) {
        try (var stream =
                Objects.requireNonNull(PoolAgentTest.class.getResourceAsStream("/spiderpool/agent-calls.json"))) {
            return new ObjectMapper()
                    .readTree(stream)
                    .path("calls")
                    .valueStream()
                    .filter(call -> call.path("id").asText().equals(id))
                    .findFirst()
                    .orElseThrow();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static Bytes request(String id) {
        return Bytes.ofUtf8(golden(id).path("request").asText());
    }

    private void assertAnswered(String id) {
        var expected =
                IpamAddResponse.parse(Bytes.ofUtf8(golden(id).path("response").asText()));

        var answer = agent.allocate(IpamAddArgs.parse(request(id)));

        assertThat(answer.ips()).containsExactlyInAnyOrderElementsOf(expected.ips());
        assertThat(answer.routes()).containsExactlyInAnyOrderElementsOf(expected.routes());
    }

    private static IpamAddArgs add(String pod, String uid, String nic) {
        return new IpamAddArgs(
                "c", nic, "/run/netns/x", new PodIdentity("ns1", pod, uid), List.of(), List.of(), false, false);
    }

    private static IpamDelArgs del(String pod, String uid) {
        return new IpamDelArgs("c", "eth0", "", new PodIdentity("ns1", pod, uid));
    }

    private List<String> given(String pod, String uid) {
        return agent.allocate(add(pod, uid, "eth0")).of("eth0").ips().stream()
                .map(AllocatedIp::ip)
                .map(ip -> ip.address().toString())
                .toList();
    }

    private String refusal(IpamAddArgs args) {
        try {
            throw new AssertionError(agent.allocate(args));
        } catch (SpiderpoolAgentException refused) {
            assertThat(refused.reason()).isEqualTo(Reason.REFUSED);
            return refused.words();
        }
    }

    @Test
    @DisplayName("SC-02 to SC-11: pods come and go, and every answer is Spiderpool's")
    void answersAreThoseOfSpiderpool() {
        goldenPools();
        pod("a", """
            "uid":"%s","annotations":{"ipam.spidernet.io/ippool":"{\\"ipv4\\":[\\"p4\\"],\\"ipv6\\":[\\"p6\\"]}",
             "ipam.spidernet.io/routes":"[{\\"dst\\":\\"10.99.0.0/16\\",\\"gw\\":\\"172.18.40.3\\"}]"}\
            """.formatted(UID_A));
        pod("b", UID_B, "{\"ipv4\":[\"p4\"]}");

        assertAnswered("SC-02");
        assertAnswered("SC-03");
        assertAnswered("SC-06");
        agent.release(IpamDelArgs.parse(request("SC-08")));
        assertThat(records("p4")).isEqualTo(2);
        pod("a", "\"uid\":\"%s\",\"deletionTimestamp\":\"2026-11-15T08:20:13Z\"".formatted(UID_A));
        agent.release(IpamDelArgs.parse(request("SC-09")));
        assertThat(records("p4")).isEqualTo(1);
        assertThat(records("p6")).isZero();
        remove("b");
        agent.release(IpamDelArgs.parse(request("SC-10")));
        agent.release(IpamDelArgs.parse(request("SC-11")));

        assertThat(records("p4")).isZero();
        assertThat(store.listAll(SpiderKeys.ENDPOINTS).documents()).isEmpty();
    }

    @Test
    @DisplayName("SC-07: an unknown pool is refused in Spiderpool's words")
    void unknownPoolIsRefused() throws IOException {
        pod("c", "ca86495a-f5e9-43d7-bad3-0b56c332eb55", "{\"ipv4\":[\"nope\"]}");

        var refusal = refusal(IpamAddArgs.parse(request("SC-07")));

        assertThat(refusal)
                .isEqualTo(new ObjectMapper()
                        .readValue(golden("SC-07").path("response").asText(), String.class));
    }

    @Test
    @DisplayName("SC-04: the endpoint of a pod is found by its name")
    void endpointIsFoundByThePodsName() {
        goldenPools();
        pod("a", UID_A, "{\"ipv4\":[\"p4\"]}");
        given("a", UID_A);

        var endpoint = agent.findEndpoint(new PodIdentity("ns1", "a", "")).orElseThrow();

        assertThat(endpoint.pod()).isEqualTo(new PodIdentity("ns1", "a", UID_A));
        assertThat(endpoint.addresses("eth0")).extracting(Object::toString).containsExactly("172.18.40.40/24");
        assertThat(agent.findEndpoint(new PodIdentity("ns1", "z", ""))).isEmpty();
    }

    @Test
    @DisplayName("C30: namespace, configuration and default pools are asked one after the other")
    void whoSaysSomethingIsHeard() {
        pool("b", "{\"subnet\":\"10.2.0.0/24\",\"ips\":[\"10.2.0.1-10.2.0.9\"]}");
        pool("c", "{\"subnet\":\"10.3.0.0/24\",\"ips\":[\"10.3.0.1-10.3.0.9\"]}");
        pool("d", "{\"subnet\":\"10.4.0.0/24\",\"ips\":[\"10.4.0.1-10.4.0.9\"],\"default\":true}");
        pod("x", "\"uid\":\"u1\"");
        pod("y", "\"uid\":\"u2\"");
        pod("z", "\"uid\":\"u3\"");
        var configured = new IpamAddArgs(
                "c", "eth0", "", new PodIdentity("ns1", "y", ""), List.of("c"), List.of(), false, false);

        var byDefault = given("x", "u1");
        var byConfiguration = agent.allocate(configured).ips().getFirst();
        put(CoreKeys.NAMESPACES + "ns1", """
            {"kind":"Namespace","apiVersion":"v1","metadata":{"name":"ns1",
             "annotations":{"ipam.spidernet.io/default-ipv4-ippool":"[\\"b\\"]"}}}
            """);
        var byNamespace = given("z", "u3");

        assertThat(byDefault).containsExactly("10.4.0.1/24");
        assertThat(byConfiguration.pool()).isEqualTo("c");
        assertThat(byNamespace).containsExactly("10.2.0.1/24");
    }

    @Test
    void labelsOfPodNamespaceAndNodeSelectPools() {
        pool("p", """
            {"subnet":"10.2.0.0/24","ips":["10.2.0.1"],"default":true,
             "podAffinity":{"matchLabels":{"app":"a"}},
             "namespaceAffinity":{"matchLabels":{"team":"t"}},
             "nodeAffinity":{"matchLabels":{"zone":"z"}}}
            """);
        pod("x", "\"uid\":\"u1\",\"labels\":{\"app\":\"a\"}");
        put(
                CoreKeys.NAMESPACES + "ns1",
                "{\"kind\":\"Namespace\",\"metadata\":{\"name\":\"ns1\",\"labels\":{\"team\":\"t\"}}}");

        var refusal = refusal(add("x", "u1", "eth0"));
        put(CoreKeys.NODES + "n1", "{\"kind\":\"Node\",\"metadata\":{\"name\":\"n1\",\"labels\":{\"zone\":\"z\"}}}");
        var given = given("x", "u1");

        assertThat(refusal).contains("unmatched Node affinity of IPPool p");
        assertThat(given).containsExactly("10.2.0.1/24");
    }

    @Test
    void endpointTellsWhatThePodBelongsTo() {
        goldenPools();
        put("/cadastre/apis/apps/v1/replicasets/ns1/web-7c9d", """
            {"kind":"ReplicaSet","metadata":{"name":"web-7c9d","ownerReferences":[
             {"apiVersion":"apps/v1","kind":"Deployment","name":"web","controller":true}]}}
            """);
        pod("web-7c9d-abcde", """
            "uid":"u1","annotations":{"ipam.spidernet.io/ippool":"{\\"ipv4\\":[\\"p4\\"]}"},
            "ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web-7c9d","controller":true}]\
            """);

        given("web-7c9d-abcde", "u1");

        var json = Json.readObject(
                "endpoint",
                store.get(SpiderKeys.ENDPOINTS + "ns1/web-7c9d-abcde")
                        .map(Document::value)
                        .orElseThrow());
        assertThat(json.at("/status/ownerControllerType").asText()).isEqualTo("Deployment");
        assertThat(json.at("/status/ownerControllerName").asText()).isEqualTo("web");
    }

    @ParameterizedTest
    @CsvSource({"'',x", "ns1,''", "ns1,a/b", "ns1/a,b"})
    void invalidPodNameIsRefused(String namespace, String name) {
        var args = new IpamAddArgs(
                "c", "eth0", "", new PodIdentity(namespace, name, "u"), List.of(), List.of(), false, false);

        assertThat(refusal(args)).contains("failed to get Pod");
    }

    @Test
    void podThatIsNotThereIsRefused() {
        assertThat(refusal(add("x", "u1", "eth0"))).contains("failed to get Pod ns1/x");
    }

    @Test
    void callForAnEarlierPodOfThatNameIsRefused() {
        goldenPools();
        pod("x", "u2", "{\"ipv4\":[\"p4\"]}");

        assertThat(refusal(add("x", "u1", "eth0"))).contains("UID u1", "UID u2");
        assertThat(records("p4")).isZero();
    }

    @Test
    void subnetOfAMasterThatIsNotFoundFitsNoPool() {
        goldenPools();
        pod("x", "u1", "{\"ipv4\":[\"p4\"]}");
        var identity = new PodIdentity("ns1", "x", "u1");
        var unknown = new IpamAddArgs("c", "eth0", "", identity, List.of(), List.of(), false, true);
        var missing = new IpamAddArgs("c", "eth0", "/run/netns/none", identity, List.of(), List.of(), false, true);
        var loopback = new IpamAddArgs("c", "lo", "/proc/self/ns/net", identity, List.of(), List.of(), false, true);

        assertThat(refusal(unknown))
                .contains("no IPPool available", "filterPoolCandidatesByPfSubnet: podNetNamespace is empty");
        assertThat(refusal(missing)).contains("filterPoolCandidatesByPfSubnet: failed to get pf device id from vf");
        assertThat(refusal(loopback)).contains("it has no device of hardware");
        assertThat(records("p4")).isZero();
    }

    @Test
    @DisplayName("C125: after a conflict the pod is not given the same address again")
    void addressWithAConflictIsNotGivenAgain() {
        goldenPools();
        pod("x", "u1", "{\"ipv4\":[\"p4\"]}");
        var identity = new PodIdentity("ns1", "x", "u1");
        given("x", "u1");

        agent.noteConflict(identity, Address.parse("172.18.40.40"));
        agent.releaseAll(new IpamBatchDelArgs("c", "", identity, false));
        var second = given("x", "u1");
        agent.releaseAll(new IpamBatchDelArgs("c", "", identity, false));
        time.set(NOW.plus(Duration.ofMinutes(11)));
        var later = given("x", "u1");

        assertThat(second).containsExactly("172.18.40.41/24");
        assertThat(later).containsExactly("172.18.40.40/24");
    }

    @Test
    void forcedReleaseByOthersCanBeForbidden() {
        var strict = agent(Map.of("SPIDERPOOL_ENABLED_RELEASE_CONFLICT_IPS", "false"));
        var args = new IpamBatchDelArgs("c", "", new PodIdentity("ns1", "x", "u1"), true);

        assertThatExceptionOfType(SpiderpoolAgentException.class)
                .isThrownBy(() -> strict.releaseAll(args))
                .satisfies(refused -> assertThat(refused.reason()).isEqualTo(Reason.STATELESS_RELEASE_FORBIDDEN));
    }

    @Test
    void forcedReleaseOfAPodThatIsGoneIsDone() {
        agent.releaseAll(new IpamBatchDelArgs("c", "", new PodIdentity("ns1", "x", ""), false));

        assertThat(store.listAll("").documents()).isEmpty();
    }

    @Test
    void storeThatFailsIsToBeAskedAgain() {
        pod("x", "\"uid\":\"u1\"");
        store.close();

        assertThatExceptionOfType(SpiderpoolAgentException.class)
                .isThrownBy(() -> agent.allocate(add("x", "u1", "eth0")))
                .satisfies(failed -> assertThat(failed.reason()).isEqualTo(Reason.UNREACHABLE));
        assertThatExceptionOfType(SpiderpoolAgentException.class)
                .isThrownBy(() -> agent.release(del("x", "u1")))
                .satisfies(failed -> assertThat(failed.reason()).isEqualTo(Reason.UNREACHABLE));
        assertThatExceptionOfType(SpiderpoolAgentException.class)
                .isThrownBy(agent::checkHealth)
                .satisfies(failed -> assertThat(failed.reason()).isEqualTo(Reason.UNHEALTHY));
    }

    @Test
    void pluginGetsAddressesOfThisAgent() {
        pool("p", "{\"subnet\":\"10.2.0.0/24\",\"ips\":[\"10.2.0.1-10.2.0.9\"]}");
        put(CoreKeys.PODS + "shop/cart-0", """
            {"kind":"Pod","metadata":{"name":"cart-0","namespace":"shop","uid":"6d0e"},"status":{"phase":"Running"}}
            """);
        var runtime = CallingRuntime.with(agent, CallingRuntime.PATIENCE, ProbeTiming.DEFAULT, _ -> {});

        var answer = runtime.call(CniVerb.ADD, config("1.0.0", ",\"default_ipv4_ippool\":[\"p\"]"));
        runtime.call(CniVerb.DEL, config("1.0.0"));

        assertThat(answer.stdout().utf8()).contains("10.2.0.1/24");
        assertThat(records("p")).as("the pod lives and keeps it").isEqualTo(1);
    }

    @Test
    void podWhoseNameNoStoreTakesIsRefusedAndReleasedInPeace() {
        var name = "x".repeat(1100);

        var refusal = refusal(add(name, "u1", "eth0"));

        assertThat(refusal).endsWith("a key has at most 1024 bytes");
        agent.release(del(name, "u1"));
        agent.releaseAll(new IpamBatchDelArgs("c", "", new PodIdentity("ns1", name, ""), false));
        assertThat(agent.findEndpoint(new PodIdentity("ns1", name, "u1"))).isEmpty();
        assertThat(store.listAll("").documents()).isEmpty();
    }
}
