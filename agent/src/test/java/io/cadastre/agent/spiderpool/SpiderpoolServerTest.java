package io.cadastre.agent.spiderpool;

import static io.cadastre.agent.spiderpool.PoolAgentFixture.add;
import static io.cadastre.agent.spiderpool.PoolAgentFixture.all;
import static io.cadastre.agent.spiderpool.PoolAgentFixture.del;
import static io.cadastre.agent.spiderpool.PoolAgentFixture.given;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.NullNode;
import io.cadastre.agent.AgentException;
import io.cadastre.agent.spiderpool.SpiderpoolAgentException.Reason;
import io.cadastre.wire.kubernetes.CoreKeys;
import io.cadastre.wire.spiderpool.PodIdentity;
import io.cadastre.wire.spiderpool.objects.SpiderKeys;
import io.cadastre.wire.spiderpool.settings.SpiderpoolSwitch;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The agent in this process serves the API of Spiderpool's agent.
@Timeout(120)
class SpiderpoolServerTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String UID_A = "23888f3c-d5f9-4b67-99a9-5b6485c958d7";

    @TempDir
    Path folder;

    private final PoolAgentFixture cluster = new PoolAgentFixture();
    private final List<String> log = new CopyOnWriteArrayList<>();
    private final List<String> refused = new CopyOnWriteArrayList<>();
    private final List<SpiderpoolServer> servers = new ArrayList<>();

    @BeforeEach
    void pools() {
        cluster.pool("p4", """
            {"subnet":"172.18.40.0/24","ips":["172.18.40.40-172.18.40.44"],"gateway":"172.18.40.1",
             "routes":[{"dst":"10.7.0.0/16","gw":"172.18.40.2"}]}
            """);
        cluster.pool(
                "p6", "{\"subnet\":\"fd00:40::/64\",\"ips\":[\"fd00:40::10-fd00:40::14\"],\"gateway\":\"fd00:40::1\"}");
    }

    @AfterEach
    void stop() {
        servers.forEach(SpiderpoolServer::close);
    }

    private Path socket() {
        return folder.resolve("spidernet").resolve("s.sock");
    }

    private HttpSpiderpoolAgent serving(PoolAgent agent, Duration transferMax) {
        servers.add(SpiderpoolServer.start(
                socket(), agent, transferMax, (pod, words) -> refused.add(pod.name() + ": " + words), log::add));
        return new HttpSpiderpoolAgent(socket(), () -> PATIENCE);
    }

    private HttpSpiderpoolAgent serving(Set<SpiderpoolSwitch> features) {
        return serving(cluster.agent(features), PATIENCE);
    }

    private HttpSpiderpoolAgent serving() {
        return serving(cluster.agent(), PATIENCE);
    }

    private static JsonNode golden(String id) {
        try (var stream = Objects.requireNonNull(
                SpiderpoolServerTest.class.getResourceAsStream("/spiderpool/agent-calls.json"))) {
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

    /// The answer to bytes as they are.
    private HttpReply raw(byte[] bytes) {
        try (var channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.connect(UnixDomainSocketAddress.of(socket()));
            channel.write(ByteBuffer.wrap(bytes));
            channel.shutdownOutput();
            return HttpReply.read(new BufferedInputStream(Channels.newInputStream(channel)));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private HttpReply raw(String method, String target, String body) {
        return raw("%s %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n%s"
                .formatted(method, target, body.getBytes(UTF_8).length, body)
                .getBytes(UTF_8));
    }

    private void assertGolden(String id) throws IOException {
        var call = golden(id);

        var reply = raw(
                call.path("method").asText(),
                call.path("path").asText(),
                call.path("request").asText(""));

        assertThat(reply.status()).isEqualTo(call.path("status").asInt());
        var expected = call.path("response").asText();
        if (expected.isEmpty()) {
            assertThat(reply.body().size()).isZero();
        } else {
            assertThat(reply.body().utf8().endsWith("\n")).isEqualTo(expected.endsWith("\n"));
            assertThat(members(reply.body().utf8())).isEqualTo(members(expected));
        }
    }

    /// The members with the entries of lists, whose order is not fixed.
    private static Map<String, Set<JsonNode>> members(String json) throws IOException {
        var tree = new ObjectMapper().readTree(json);
        var members = new TreeMap<String, Set<JsonNode>>(
                Map.of("type", Set.of(tree.isObject() ? NullNode.getInstance() : tree)));
        tree.properties()
                .forEach(member -> members.put(
                        member.getKey(),
                        member.getValue().isArray()
                                ? member.getValue().valueStream().collect(Collectors.toSet())
                                : Set.of(member.getValue())));
        return members;
    }

    @Test
    @DisplayName("SC-01 to SC-10: each call is answered with the status and the body of Spiderpool's agent")
    void answersAreThoseOfSpiderpool() throws IOException {
        serving();
        cluster.pod("a", UID_A, "p4");
        cluster.annotate("a", "ipam.spidernet.io/ippool", "{\"ipv4\":[\"p4\"],\"ipv6\":[\"p6\"]}");
        cluster.annotate("a", "ipam.spidernet.io/routes", "[{\"dst\":\"10.99.0.0/16\",\"gw\":\"172.18.40.3\"}]");
        cluster.pod("b", "cb16b291-7a8e-403a-8b0a-8c17ef018d4f", "p4");
        cluster.pod("c", "ca86495a-f5e9-43d7-bad3-0b56c332eb55", "nope");

        for (var id : List.of("SC-01", "SC-02", "SC-03", "SC-04", "SC-05", "SC-06", "SC-07", "SC-08")) {
            assertGolden(id);
        }
        cluster.deleting("a", UID_A, "p4");
        assertGolden("SC-09");
        cluster.remove(CoreKeys.PODS + "ns1/b");
        assertGolden("SC-10");
        assertGolden("SC-11");

        assertThat(cluster.records("p4")).isEmpty();
        assertThat(log).isEmpty();
    }

    @Test
    @DisplayName("SC-12: a pod of a StatefulSet is answered, and its DEL keeps its address")
    void podOfAStatefulSetIsAnswered() throws IOException {
        var client = serving();
        var set = new String[] {"apps/v1", "StatefulSet", "db"};
        cluster.put("/cadastre/apis/apps/v1/statefulsets/ns1/db", "{\"spec\":{\"replicas\":1}}");
        cluster.pod("db-0", "37b026d0-ed22-4e32-b0eb-4b29888826b4", "p4", set);

        assertGolden("SC-12");
        cluster.deleting("db-0", "37b026d0-ed22-4e32-b0eb-4b29888826b4", "p4", set);
        client.release(del("db-0", "37b026d0-ed22-4e32-b0eb-4b29888826b4"));

        assertThat(cluster.records("p4")).contains("ns1/db-0");
    }

    @Test
    void clientOfThisProductGetsWhatTheAgentSays() {
        var client = serving(EnumSet.allOf(SpiderpoolSwitch.class));
        cluster.pod("a", "u1", "p4");

        client.checkHealth();
        var given = client.allocate(add("a", "u1", "eth0"));
        var told = client.findEndpoint(new PodIdentity("ns1", "a", "")).orElseThrow();

        assertThat(given.ips()).hasSize(1);
        assertThat(given.ips().getFirst().detectsConflict()).isTrue();
        assertThat(given.ips().getFirst().detectsGateway()).isTrue();
        assertThat(told.pod()).isEqualTo(new PodIdentity("ns1", "a", "u1"));
        assertThat(client.findEndpoint(new PodIdentity("ns1", "z", ""))).isEmpty();
    }

    @Test
    void forcedReleaseOfAStatefulPodIsForbidden() {
        var client = serving();
        cluster.pod("s-0", "u1", "p4", "apps/v1", "StatefulSet", "s");
        client.allocate(add("s-0", "u1", "eth0"));

        var forbidden =
                catchThrowableOfType(SpiderpoolAgentException.class, () -> client.releaseAll(all("s-0", "u1", true)));
        client.releaseAll(all("s-0", "u1", false));

        assertThat(forbidden.reason()).isEqualTo(Reason.STATEFUL_RELEASE_FORBIDDEN);
        assertThat(cluster.records("p4")).isEmpty();
    }

    @Test
    @DisplayName("C125: a plugin that only looks for conflicts and gives all back is not given the same again")
    void addressThatAPluginGivesBackIsSetAsideIfItLookedForConflictsOnly() {
        var client = serving(Set.of(SpiderpoolSwitch.CONFLICT_DETECTION));
        cluster.pod("a", "u1", "p4");
        given(client, "a", "u1");

        client.releaseAll(all("a", "u1", false));

        assertThat(given(client, "a", "u1")).containsExactly("172.18.40.41/24");
    }

    @Test
    void addressThatAPluginGivesBackIsGivenAgainIfTheGatewayMayHaveBeenSilent() {
        var client = serving(Set.of(SpiderpoolSwitch.CONFLICT_DETECTION, SpiderpoolSwitch.GATEWAY_DETECTION));
        cluster.pod("a", "u1", "p4");
        given(client, "a", "u1");

        client.releaseAll(all("a", "u1", false));

        assertThat(given(client, "a", "u1")).containsExactly("172.18.40.40/24");
    }

    @ParameterizedTest
    @DisplayName("C135: a request that cannot be served is answered with the status that says why")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "GET|/v1/nothing||404|path /v1/nothing was not found",
                "GET|/ipam/healthy||404|path /ipam/healthy was not found",
                "PUT|/v1/ipam/ip||405|method PUT is not allowed, but [DELETE,POST] are",
                "POST|/v1/ipam/healthy||405|method POST is not allowed",
                "POST|/v1/ipam/ip||422|\"code\":602,\"message\":\"ipamAddArgs in body is required\"",
                "DELETE|/v1/ipam/ip||422|ipamDelArgs in body is required",
                "DELETE|/v1/ipam/ips||422|ipamBatchDelArgs in body is required",
                "POST|/v1/ipam/ip|{\"containerID\":\"c\",\"ifName\":\"e\",\"netNamespace\":\"n\"}|422|podNamespace in"
                        + " body is required",
                "POST|/v1/ipam/ip|garbage|400|code",
                "POST|/v1/ipam/ip|[]|400|code",
                "POST|/v1/ipam/ip|{\"containerID\":7}|422|required",
                "GET|/v1/workloadendpoint?podName=a||422|podNamespace in query is required",
                "GET|/v1/workloadendpoint?podNamespace=ns1&podName=a||404|SpiderEndpoint not found for pod ns1/a",
                "GET|/v1/workloadendpoint?podNamespace=ns1&podName=a%2Fb||500|not a valid Pod name",
                "GET|/v1/coordinator/config||422|get-coordinator-config in body is required",
                "GET|/v1/coordinator/config|{\"podNamespace\":\"ns1\",\"podName\":\"a\"}|500|coordinator config not"
                        + " found",
                "POST|/v1/coordinator/config|{}|405|method POST is not allowed",
                "POST|/v1/ipam/ips||200|``",
            })
    void statusSaysWhyARequestIsNotServed(String method, String target, String body, int status, String words) {
        serving();

        var reply = raw(method, target, Objects.requireNonNullElse(body, ""));

        assertThat(reply.status()).isEqualTo(status);
        assertThat(reply.body().utf8()).contains(words);
        assertThat(cluster.records("p4")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "hello\r\n",
                "GET /v1/ipam/healthy HTTP/1.1\r\nno header\r\n\r\n",
                "POST /v1/ipam/ip HTTP/1.1\r\nContent-Length: 99999999\r\n\r\nabc",
                "POST /v1/ipam/ip HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nfffffff\r\n",
            })
    void bytesThatAreNotARequestAreAnsweredAsSuch(String bytes) {
        serving();

        var reply = raw(bytes.getBytes(UTF_8));

        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.body().utf8()).contains("\"code\":400");
    }

    @Test
    void callerOfAHugeRequestStillGetsItsAnswer() {
        serving();
        var head = "POST /v1/ipam/ip HTTP/1.1\r\nX: " + "x".repeat(100_000);

        assertThat(raw(head.getBytes(UTF_8)).status()).isEqualTo(400);
    }

    @Test
    void bodyInPiecesIsRead() {
        serving();
        cluster.pod("b", "u1", "p4");
        var body = add("b", "u1", "eth0").encode().utf8();
        int half = body.length() / 2;

        var reply =
                raw("POST /v1/ipam/ip HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n%x\r\n%s\r\n0\r\n\r\n"
                        .formatted(half, body.substring(0, half), body.length() - half, body.substring(half))
                        .getBytes(UTF_8));

        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.body().utf8()).contains("172.18.40.40/24");
    }

    @Test
    void slowCallerIsCutOffAndOthersAreServed() throws IOException {
        var client = serving(cluster.agent(), Duration.ofMillis(300));
        try (var slow = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            slow.connect(UnixDomainSocketAddress.of(socket()));
            slow.write(ByteBuffer.wrap("POST /v1/ipam/ip HTTP/1.1\r\n".getBytes(UTF_8)));

            client.checkHealth();
            int read = slow.read(ByteBuffer.allocate(1));

            assertThat(read).isEqualTo(-1);
        }
    }

    @Test
    void callerThatLeavesBeforeItsRequestIsWholeDoesNoHarm() throws IOException {
        var client = serving();
        for (int caller = 0; caller < 300; caller++) {
            try (var leaving = SocketChannel.open(StandardProtocolFamily.UNIX)) {
                leaving.connect(UnixDomainSocketAddress.of(socket()));
                leaving.write(ByteBuffer.wrap("POST /v1".getBytes(UTF_8)));
            }
        }

        client.checkHealth();

        assertThat(log).isEmpty();
    }

    @Test
    void socketIsForItsOwnerAloneAndForOneAgentOnly() throws IOException {
        serving();

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket())))
                .isEqualTo("rw-------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket().getParent())))
                .isEqualTo("rwx------");
        assertThatExceptionOfType(AgentException.class)
                .isThrownBy(() -> SpiderpoolServer.start(socket(), cluster.agent(), PATIENCE, (_, _) -> {}, log::add))
                .withMessageContaining("another agent");
    }

    @Test
    void agentThatStopsLeavesNoSocket() {
        serving();

        servers.getFirst().close();

        assertThat(socket()).doesNotExist();
        assertThat(log).isEmpty();
    }

    @Test
    void storeThatFailsIsAnError() {
        var client = serving();
        cluster.store.close();

        assertThatExceptionOfType(SpiderpoolAgentException.class)
                .isThrownBy(client::checkHealth)
                .satisfies(failed -> assertThat(failed.reason()).isEqualTo(Reason.UNHEALTHY));
    }

    @Test
    void spoiltBytesAreAlwaysAnsweredOrEndTheConnection() {
        serving();
        var chance = new Random(7);
        var good = "POST /v1/ipam/ip HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}".getBytes(UTF_8);
        for (int round = 0; round < 300; round++) {
            var bytes = good.clone();
            bytes[chance.nextInt(bytes.length)] = (byte) chance.nextInt(256);
            try {
                assertThat(raw(bytes).status()).isBetween(400, 500);
            } catch (UncheckedIOException ended) {
                assertThat(ended).hasRootCauseInstanceOf(IOException.class);
            }
        }
    }

    @Test
    void refusedPodIsReportedOnceAndAServedOneIsNot() {
        var client = serving();
        cluster.pod("a", UID_A, "p4");

        client.allocate(add("a", UID_A, "eth0"));
        assertThatExceptionOfType(SpiderpoolAgentException.class)
                .isThrownBy(() -> client.allocate(add("missing", "u9", "eth0")));

        assertThat(refused).containsExactly("missing: failed to get Pod ns1/missing: Pod \"missing\" not found");
    }

    @Test
    void coordinatorOfTheClusterIsAnsweredForEachPod() {
        serving();
        var key = SpiderKeys.COORDINATORS + "default";
        var body = "{\"podNamespace\":\"ns1\",\"podName\":\"%s\"}";
        var coordinator = """
            {"metadata":{"name":"default"},
             "spec":{"mode":"underlay","podCIDRType":"cluster","podDefaultRouteNIC":"eth0","hostRuleTable":500,
                     "podRPFilter":0,"tunePodRoutes":true,"vethMTU":1500},
             "status":%s}
            """;
        cluster.pod("a", UID_A, "p4");
        cluster.pod("b", "u-b", "p4");
        cluster.annotate("b", "ipam.spidernet.io/default-route-nic", "net1");

        cluster.put(key, coordinator.formatted("{\"phase\":\"NotReady\"}"));
        var waiting = raw("GET", "/v1/coordinator/config", body.formatted("a"));
        cluster.put(
                key,
                coordinator.formatted(
                        "{\"phase\":\"Synced\",\"overlayPodCIDR\":[\"10.244.0.0/16\"],\"serviceCIDR\":[\"10.96.0.0/12\"]}"));
        var plain = raw("GET", "/v1/coordinator/config", body.formatted("a"));
        var annotated = raw("GET", "/v1/coordinator/config", body.formatted("b"));
        var missing = raw("GET", "/v1/coordinator/config", body.formatted("c"));

        assertThat(waiting.status()).isEqualTo(500);
        assertThat(waiting.body().utf8()).contains("spidercoordinator: default no ready");
        assertThat(plain.status()).isEqualTo(200);
        assertThat(plain.body().utf8()).isEqualTo("""
            {"hijackCIDR":[],"hostRuleTable":500,"mode":"underlay","overlayPodCIDR":["10.244.0.0/16"],\
            "podDefaultRouteNIC":"eth0","policyRoutes":[],"serviceCIDR":["10.96.0.0/12"],"tunePodRoutes":true,\
            "vethMTU":1500}
            """);
        assertThat(annotated.body().utf8()).contains("\"podDefaultRouteNIC\":\"net1\"");
        assertThat(missing.status()).isEqualTo(500);
        assertThat(missing.body().utf8()).contains("failed to get pod ns1/c");
    }
}
