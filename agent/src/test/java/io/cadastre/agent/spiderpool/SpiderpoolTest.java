package io.cadastre.agent.spiderpool;

import static io.cadastre.agent.spiderpool.CallingRuntime.config;
import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.agent.Undelivered;
import io.cadastre.agent.Withdrawal;
import io.cadastre.datastore.Bytes;
import io.cadastre.linux.probe.ProbeTiming;
import io.cadastre.wire.cni.CniCode;
import io.cadastre.wire.cni.CniJson;
import io.cadastre.wire.cni.CniVerb;
import io.cadastre.wire.spiderpool.IpamAddArgs;
import io.cadastre.wire.spiderpool.IpamDelArgs;
import io.cadastre.wire.spiderpool.PodIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What the plugin says and asks, without any neighbours.
@Timeout(300)
class SpiderpoolTest {

    private static final PodIdentity POD = new PodIdentity("shop", "cart-0", "6d0e");

    private static final String TWO_FAMILIES = """
        {"ips":[{"version":4,"address":"10.6.168.101/16","gateway":"10.6.0.1","nic":"eth0","ipPool":"web-v4"},
                {"version":6,"address":"fd00::65/64","nic":"eth0","ipPool":"web-v6"}],
         "routes":[{"ifName":"eth0","dst":"10.0.0.0/8","gw":"10.6.0.1"}],
         "dns":{"nameservers":["1.1.1.1"],"domain":"d","search":["s"],"options":["o"]}}
        """;

    @TempDir
    Path folder;

    @AutoClose
    private final FakeSpiderpoolAgent peer = FakeSpiderpoolAgent.open();

    private final CallingRuntime runtime = CallingRuntime.with(peer.socket());

    // ---- the scenarios ----

    @ParameterizedTest
    @EnumSource(names = {"ADD", "DEL"})
    void a01AgentThatIsNotHealthyIsNotAsked(CniVerb verb) {
        peer.answering(FakeSpiderpoolAgent.HEALTH, 500, "\"no leader\"");

        var error = runtime.refusal(verb, config("1.0.0"));

        assertThat(error.msg())
                .isEqualTo(
                        "unhealthy spiderpool-agent backend, failed to check: [GET" + " /ipam/healthy][500] no leader");
        assertThat(error.is(CniCode.TRY_AGAIN_LATER)).isTrue();
        assertThat(peer.calls()).containsExactly(FakeSpiderpoolAgent.HEALTH);
    }

    @Test
    void a02RefusalOfTheAgentIsReported() {
        peer.answering(FakeSpiderpoolAgent.ALLOCATE, 500, "\"all IP addresses used out\"");

        var error = runtime.refusal(CniVerb.ADD, config("1.0.0"));

        assertThat(error.msg())
                .isEqualTo("spiderpool IP allocation error: [POST /ipam/ip][500] postIpamIpFailure "
                        + " all IP addresses used out");
        assertThat(error.is(CniCode.INTERNAL)).isTrue();
    }

    @Test
    void a03EverythingThatTheAgentSaysIsInTheResult() {
        peer.answering(FakeSpiderpoolAgent.ALLOCATE, 200, TWO_FAMILIES);

        var answer = runtime.call(CniVerb.ADD, config("0.3.1"));

        assertThat(answer.exitCode()).isZero();
        assertThat(CniJson.read(answer.stdout())).isEqualTo(CniJson.read(Bytes.ofUtf8("""
            {"cniVersion":"0.3.1",
             "ips":[{"version":"4","address":"10.6.168.101/16","gateway":"10.6.0.1"},
                    {"version":"6","address":"fd00::65/64"}],
             "routes":[{"dst":"10.0.0.0/8","gw":"10.6.0.1"}],
             "dns":{"nameservers":["1.1.1.1"],"domain":"d","search":["s"],"options":["o"]}}
            """)));
    }

    @ParameterizedTest
    @ValueSource(ints = {500, 503, 521, 522})
    void a04RefusalOfTheAgentDoesNotFailTheDel(int status) {
        peer.answering(FakeSpiderpoolAgent.RELEASE, status, "\"the pool is gone\"");

        runtime.succeed(CniVerb.DEL, config("1.0.0"));

        assertThat(runtime.log())
                .containsExactly("the addresses of pod shop/cart-0 on eth0 were not released: the pool is gone");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.1.0", "0.2.0", "", "1.2.0"})
    void a05OtherVersionsAreRefused(String version) {
        var error = runtime.refusal(CniVerb.ADD, config(version));

        assertThat(error.code()).isEqualTo(CniCode.INCOMPATIBLE_VERSION.number());
        assertThat(error.msg()).isEqualTo("incompatible CNI versions");
        assertThat(error.details()).endsWith("plugin supports [\"0.3.0\" \"0.3.1\" \"0.4.0\" \"1.0.0\" \"1.1.0\"]");
        assertThat(peer.asked()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.3.0", "0.3.1", "0.4.0", "1.0.0", "1.1.0"})
    void c132VersionsFromThreeOnAreServed(String version) {
        peer.answering(FakeSpiderpoolAgent.ALLOCATE, 200, TWO_FAMILIES);

        var result = runtime.add(config(version));

        assertThat(result.cniVersion()).isEqualTo(version);
        assertThat(result.ips()).hasSize(2);
    }

    @ParameterizedTest
    @EnumSource(names = {"ADD", "DEL"})
    void a06UnknownLogLevelIsAnError(CniVerb verb) {
        var error = runtime.refusal(verb, config("1.0.0", ",\"log_level\":\"loud\""));

        assertThat(error.msg()).isEqualTo("failed to setup file logging: unsupported log level loud");
        assertThat(error.is(CniCode.INTERNAL)).isTrue();
        assertThat(peer.asked()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = {"ADD", "DEL"})
    void a06BrokenInputIsAnError(CniVerb verb) {
        assertThat(runtime.refusal(verb, "{").is(CniCode.DECODING_FAILURE)).isTrue();
        assertThat(runtime.refusal(verb, config("1.0.0", ",\"clean_gateway\":1"))
                        .msg())
                .startsWith("failed to load CNI network configuration: ");
        assertThat(peer.asked()).isEmpty();
    }

    // ---- what is asked ----

    @Test
    void agentReceivesAllThatIsKnownAboutThePod() {
        peer.answering(FakeSpiderpoolAgent.ALLOCATE, 200, TWO_FAMILIES);

        runtime.add(config(
                "1.0.0",
                ",\"default_ipv4_ippool\":[\"web-v4\"],\"default_ipv6_ippool\":[\"web-v6\"],"
                        + "\"clean_gateway\":true,\"match_master_subnet\":true"));

        assertThat(IpamAddArgs.parse(Bytes.ofUtf8(peer.bodyOf(FakeSpiderpoolAgent.ALLOCATE))))
                .isEqualTo(new IpamAddArgs(
                        "c9",
                        "eth0",
                        CallingRuntime.SOME_NAMESPACE,
                        POD,
                        List.of("web-v4"),
                        List.of("web-v6"),
                        true,
                        true));
        assertThat(peer.calls()).containsExactly(FakeSpiderpoolAgent.HEALTH, FakeSpiderpoolAgent.ALLOCATE);
    }

    @Test
    void removalNeedsNoNamespace() {
        runtime.in("").succeed(CniVerb.DEL, config("1.0.0"));
        runtime.in("").succeed(CniVerb.DEL, config("1.0.0"));

        assertThat(peer.asked())
                .extracting(FakeSpiderpoolAgent.Asked::call)
                .containsExactly(
                        FakeSpiderpoolAgent.HEALTH,
                        FakeSpiderpoolAgent.RELEASE,
                        FakeSpiderpoolAgent.HEALTH,
                        FakeSpiderpoolAgent.RELEASE);
        assertThat(IpamDelArgs.parse(Bytes.ofUtf8(peer.asked().getLast().body())))
                .isEqualTo(new IpamDelArgs("c9", "eth0", "", POD));
    }

    @Test
    void socketThatIsNamedGoesBeforeTheAgentOfTheProcess() throws IOException {
        try (var other = FakeSpiderpoolAgent.open()) {
            other.answering(FakeSpiderpoolAgent.ALLOCATE, 200, TWO_FAMILIES);

            var result = runtime.add(config("1.0.0", ",\"ipam_unix_socket_path\":\"%s\"".formatted(other.socket())));

            assertThat(result.ips()).hasSize(2);
            assertThat(other.calls()).containsExactly(FakeSpiderpoolAgent.HEALTH, FakeSpiderpoolAgent.ALLOCATE);
            assertThat(peer.asked()).isEmpty();
        }
    }

    @Test
    void socketWithoutAPlaceIsRefused() {
        var error = runtime.refusal(CniVerb.ADD, config("1.0.0", ",\"ipam_unix_socket_path\":\"s.sock\""));

        assertThat(error.is(CniCode.INVALID_NETWORK_CONFIG)).isTrue();
        assertThat(error.msg()).isEqualTo("ipam.ipam_unix_socket_path: s.sock is not an absolute path");
    }

    // ---- what is answered ----

    @Test
    void c133ResultIsAboutTheInterfaceOfTheCallOnly() {
        peer.answering(FakeSpiderpoolAgent.ALLOCATE, 200, """
            {"ips":[{"version":4,"address":"10.6.0.5/16","nic":"eth0"},{"version":4,"address":"10.7.0.5/16","nic":"net1"}],
             "routes":[{"ifName":"eth0","dst":"0.0.0.0/0","gw":"10.6.0.1"},{"ifName":"net1","dst":"10.8.0.0/16","gw":"10.7.0.1"}]}
            """);

        var result = runtime.on("net1").add(config("1.0.0"));

        assertThat(result.ips()).extracting(ip -> ip.address().toString()).containsExactly("10.7.0.5/16");
        assertThat(result.routes())
                .extracting(route -> route.destination().toString())
                .containsExactly("10.8.0.0/16");
        assertThat(result.interfaces()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"ips\":[{\"version\":4,\"address\":\"10.6.0.5/16\",\"nic\":\"net1\"}]}| no"
                        + " Interface eth0 IP allocation found",
                "{\"ips\":null,\"routes\":null}| validation failure list:\\n" + "ips in body is required",
                "oops| [POST /ipam/ip][200] the answer is unreadable: Unrecognized token 'oops'",
                "{\"ips\":[{\"version\":4| [POST /ipam/ip][200] the answer is unreadable:"
                        + " unexpected end of JSON input",
            })
    void answersWithoutAnAddressForTheInterfaceAreErrors(String body, String fault) {
        peer.answering(FakeSpiderpoolAgent.ALLOCATE, 200, body);

        var error = runtime.refusal(CniVerb.ADD, config("1.0.0"));

        assertThat(error.msg()).startsWith("spiderpool IP allocation error: " + fault.replace("\\n", "\n"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\n{\"ips\":[]}",
                "HTTP/1.1 200 OK\r\nContent-Le",
                "SSH-2.0-OpenSSH_9.2\r\n",
                "HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.1 422 No\r\n\r\n{\"code\":602,\"message\":\"ifName in body is required\"}",
            })
    void brokenAnswersAreErrors(String bytes) {
        peer.sending(FakeSpiderpoolAgent.ALLOCATE, bytes).sending(FakeSpiderpoolAgent.RELEASE, bytes);

        var addition = runtime.refusal(CniVerb.ADD, config("1.0.0"));
        var removal = runtime.refusal(CniVerb.DEL, config("1.0.0"));

        assertThat(addition.msg()).startsWith("spiderpool IP allocation error: ");
        assertThat(removal.msg()).startsWith("failed to release IP: ");
    }

    @Test
    void agentThatIsNotThereIsToBeTriedLater() {
        var absent = CallingRuntime.with(folder.resolve("absent.sock"));

        var addition = absent.refusal(CniVerb.ADD, config("1.0.0"));
        var removal = absent.refusal(CniVerb.DEL, config("1.0.0"));
        var status = absent.refusal(CniVerb.STATUS, config("1.1.0"));

        var words = "unhealthy spiderpool-agent backend, failed to check: ";
        assertThat(addition.is(CniCode.TRY_AGAIN_LATER)).isTrue();
        assertThat(addition.msg()).startsWith(words).contains("absent.sock");
        assertThat(removal.msg()).startsWith(words);
        assertThat(status.is(CniCode.PLUGIN_NOT_AVAILABLE)).isTrue();
        assertThat(status.msg()).startsWith(words);
    }

    @Test
    void agentThatHangsIsNotWaitedForBeyondTheLimit() {
        peer.silentAt(FakeSpiderpoolAgent.ALLOCATE).silentAt(FakeSpiderpoolAgent.RELEASE);
        // Ample for the question whether it is healthy, little for the next.
        var patience = List.of(CallingRuntime.PATIENCE, Duration.ofMillis(50));
        var limits = Stream.generate(() -> patience).flatMap(List::stream).iterator();
        var hasty = CallingRuntime.with(
                new HttpSpiderpoolAgent(peer.socket(), limits::next),
                CallingRuntime.PATIENCE,
                ProbeTiming.DEFAULT,
                Thread::sleep);

        var addition = hasty.refusal(CniVerb.ADD, config("1.0.0"));
        var removal = hasty.refusal(CniVerb.DEL, config("1.0.0"));

        assertThat(addition.is(CniCode.TRY_AGAIN_LATER)).isTrue();
        assertThat(addition.msg()).contains("POST /ipam/ip: no answer in");
        assertThat(removal.msg()).contains("DELETE /ipam/ip: no answer in");
    }

    @ParameterizedTest
    @EnumSource(names = {"ADD", "DEL", "CHECK", "STATUS"})
    void agentIsNotAskedForAnAnswerThatIsTooLate(CniVerb verb) {
        var named = config("1.1.0", ",\"ipam_unix_socket_path\":\"%s\"".formatted(peer.socket()));

        var answer = runtime.call(verb, named, Undelivered.late());

        assertThat(answer.exitCode()).isEqualTo(1);
        assertThat(peer.asked()).isEmpty();
    }

    // ---- the namespace ----

    @Test
    void namespaceMustBeOneEvenIfNothingIsDoneInIt() throws IOException {
        var file = Files.createFile(folder.resolve("file"));
        var nothing = folder.resolve("nothing");

        var none = runtime.in(nothing.toString()).refusal(CniVerb.ADD, config("1.0.0"));
        var other = runtime.in(file.toString()).refusal(CniVerb.ADD, config("1.0.0"));

        assertThat(none.msg())
                .isEqualTo("failed to GetNS \"%s\" for pod: failed to Statfs \"%s\": no such file or directory"
                        .formatted(nothing, nothing));
        assertThat(other.msg())
                .startsWith("failed to GetNS \"%s\" for pod: unknown FS magic on \"%s\": ".formatted(file, file));
        assertThat(peer.asked()).isEmpty();
    }

    // ---- the other verbs ----

    @Test
    void podThatHasWhatTheResultSaysIsInOrder() {
        peer.answering(endpointOf("shop", "cart-0"), 200, endpoint("6d0e", "10.6.168.101/16"));

        runtime.succeed(CniVerb.CHECK, checking("10.6.168.101/16"));

        assertThat(peer.calls()).containsExactly(endpointOf("shop", "cart-0"));
    }

    @ParameterizedTest
    @CsvSource({"6d0e, 10.6.168.102/16", "0000, 10.6.168.101/16", "6d0e, ''"})
    void podThatHasSomethingElseIsNotInOrder(String uid, String address) {
        peer.answering(endpointOf("shop", "cart-0"), 200, endpoint(uid, address));

        var error = runtime.refusal(CniVerb.CHECK, checking("10.6.168.101/16"));

        assertThat(error.msg()).startsWith("no address").endsWith("is reserved for interface eth0 of pod shop/cart-0");
    }

    @Test
    void podThatHasNothingIsNotInOrder() {
        var error = runtime.refusal(CniVerb.CHECK, checking("10.6.168.101/16"));

        assertThat(error.msg()).isEqualTo("no address is reserved for interface eth0 of pod shop/cart-0");
    }

    @Test
    void statusIsThatOfTheAgent() {
        runtime.succeed(CniVerb.STATUS, config("1.1.0"));
        peer.answering(FakeSpiderpoolAgent.HEALTH, 500, "\"starting\"");

        var error = runtime.refusal(CniVerb.STATUS, config("1.1.0"));

        assertThat(error.is(CniCode.PLUGIN_NOT_AVAILABLE)).isTrue();
        assertThat(error.msg())
                .isEqualTo(
                        "unhealthy spiderpool-agent backend, failed to check: [GET" + " /ipam/healthy][500] starting");
    }

    @Test
    void collectionOfContainersLeavesTheAddressesOfPodsAlone() {
        runtime.succeed(
                CniVerb.GC,
                "{\"cniVersion\":\"1.1.0\",\"name\":\"net\",\"type\":\"macvlan\",\"ipam\":{\"type\":\"spiderpool\"},"
                        + "\"cni.dev/valid-attachments\":null}");

        assertThat(peer.asked()).isEmpty();
    }

    // ---- answers that do not arrive ----

    @Test
    void additionWhoseAnswerDoesNotArriveIsTakenBack() {
        peer.answering(FakeSpiderpoolAgent.ALLOCATE, 200, TWO_FAMILIES);
        var withdrawal = new Withdrawal();

        var answer = runtime.call(CniVerb.ADD, config("1.0.0"), withdrawal);
        Undelivered.of(withdrawal);

        assertThat(answer.exitCode()).isZero();
        assertThat(IpamDelArgs.parse(Bytes.ofUtf8(peer.bodyOf(FakeSpiderpoolAgent.RELEASE))))
                .isEqualTo(new IpamDelArgs("c9", "eth0", CallingRuntime.SOME_NAMESPACE, POD));
    }

    // ---- fixtures ----

    private static String endpointOf(String namespace, String pod) {
        return "GET /v1/workloadendpoint?podNamespace=%s&podName=%s".formatted(namespace, pod);
    }

    private static String endpoint(String uid, String ipv4) {
        return """
            {"interfaces":[{"interface":"eth0","ipv4":"%s","ipv4Pool":"p4","routes":null}],
             "node":"n1","podName":"cart-0","podNamespace":"shop","podUID":"%s"}
            """.formatted(ipv4, uid);
    }

    private static String checking(String address) {
        return """
            {"cniVersion":"1.0.0","name":"net","type":"macvlan","ipam":{"type":"spiderpool"},
             "prevResult":{"cniVersion":"1.0.0","ips":[{"address":"%s"}]}}
            """.formatted(address);
    }
}
