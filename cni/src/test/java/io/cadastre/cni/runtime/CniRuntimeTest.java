package io.cadastre.cni.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import io.cadastre.cni.runtime.AttachmentRequest.Argument;
import io.cadastre.datastore.Bytes;
import io.cadastre.wire.cni.CniAttachment;
import io.cadastre.wire.cni.CniCode;
import io.cadastre.wire.cni.CniError;
import io.cadastre.wire.cni.CniException;
import io.cadastre.wire.cni.CniIp;
import io.cadastre.wire.cni.CniJson;
import io.cadastre.wire.cni.CniResult;
import io.cadastre.wire.cni.InterfaceAddress;
import io.cadastre.wire.cni.Members;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CniRuntimeTest {

    private static final AttachmentRequest ETH0 = AttachmentRequest.of("c1", "/run/netns/c1", "eth0");

    private static final String ADDRESS = "{\"cniVersion\":\"1.1.0\",\"ips\":[{\"address\":\"10.9.0.7/24\"}]}";

    @TempDir
    Path folder;

    private RuntimeFixture bench;

    @BeforeEach
    void setUp() {
        bench = new RuntimeFixture(folder);
    }

    @Test
    void r11OnlyEnabledAndKnownCapabilitiesArePassedOn() {
        bench.answering("pa", ADDRESS);
        var list = list("1.1.0", "{\"type\":\"pa\",\"capabilities\":{\"portMappings\":true,\"x\":false}}");
        var known = "{\"portMappings\":[9007199254740993],\"x\":1,\"y\":2}";

        bench.runtime().add(list, ETH0.withCapabilityArgs(members(known)), RuntimeFixture.soon());

        assertThat(bench.calls())
                .singleElement()
                .extracting(RuntimeFixture.Call::stdin)
                .isEqualTo(
                        "{\"cniVersion\":\"1.1.0\",\"name\":\"blue\",\"runtimeConfig\":{\"portMappings\":[9007199254740993]},\"type\":\"pa\"}");
    }

    @Test
    void r12WithoutAMatchingCapabilityThereIsNoRuntimeConfig() {
        bench.answering("pa", ADDRESS);
        var list = list("1.1.0", "{\"type\":\"pa\",\"capabilities\":{\"mac\":true}}");

        bench.runtime().add(list, ETH0.withCapabilityArgs(members("{\"y\":2}")), RuntimeFixture.soon());

        assertThat(stdin(0).has("runtimeConfig")).isFalse();
    }

    @Test
    void runtimeConfigOfTheFileSurvivesIfNothingReplacesIt() {
        bench.answering("pa", ADDRESS);
        var list = list("1.1.0", "{\"type\":\"pa\",\"runtimeConfig\":{\"mac\":\"m\"}}");

        bench.runtime().add(list, ETH0, RuntimeFixture.soon());

        assertThat(stdin(0).at("/runtimeConfig/mac").textValue()).isEqualTo("m");
    }

    @Test
    void r13PluginsAreCalledInOrderAndTheLastResultIsRemembered() {
        var list = threePlugins();

        var result = bench.runtime().add(list, ETH0, RuntimeFixture.soon());

        assertThat(bench.order()).containsExactly("pa ADD", "pb ADD", "pc ADD");
        assertThat(stdin(0).has("prevResult")).isFalse();
        assertThat(stdin(1).at("/prevResult/ips/0/address").textValue()).isEqualTo("10.9.0.1/24");
        assertThat(stdin(2).at("/prevResult/ips/0/address").textValue()).isEqualTo("10.9.0.2/24");
        assertThat(addresses(result)).containsExactly("10.9.0.3/24");
        var cached = CniJson.read(Bytes.ofUtf8(RuntimeFixture.read(bench.cacheFile("blue-c1-eth0"))));
        assertThat(cached.get("kind").textValue()).isEqualTo("cniCacheV1");
        assertThat(cached.at("/result/ips/0/address").textValue()).isEqualTo("10.9.0.3/24");
        assertThat(bench.runtime().cachedConfig("blue", ETH0))
                .hasValueSatisfying(
                        attachment -> assertThat(attachment.config()).isEqualTo(list.raw()));
    }

    @Test
    void r14PluginThatFailsEndsTheAddAndNothingIsUndone() {
        bench.answering("pa", ADDRESS);
        bench.plugin("pb", "echo '{\"code\":111,\"msg\":\"banana\"}'; exit 1");
        bench.answering("pc", ADDRESS);
        var list = list("1.1.0", "{\"type\":\"pa\"}", "{\"type\":\"pb\"}", "{\"type\":\"pc\"}");

        assertThatExceptionOfType(CniException.class)
                .isThrownBy(() -> bench.runtime().add(list, ETH0, RuntimeFixture.soon()))
                .withMessage("plugin type=\"pb\" failed (add): banana")
                .satisfies(thrown -> {
                    assertThat(thrown.error().code()).isEqualTo(111);
                    assertThat(thrown.getCause()).hasMessage("banana");
                });

        assertThat(bench.order()).containsExactly("pa ADD", "pb ADD");
        assertThat(bench.cacheFolder()).doesNotExist();
    }

    @Test
    void pluginWithANameIsNamedWhenItFails() {
        bench.plugin("pa", "exit 1");
        var list = list("1.1.0", "{\"type\":\"pa\",\"name\":\"mine\"}");

        assertThatExceptionOfType(CniException.class)
                .isThrownBy(() -> bench.runtime().add(list, ETH0, RuntimeFixture.soon()))
                .withMessageStartingWith("plugin type=\"pa\" name=\"mine\" failed (add): ");
        assertThatExceptionOfType(CniException.class)
                .isThrownBy(() -> bench.runtime().del(list, ETH0, RuntimeFixture.soon()))
                .withMessageStartingWith("plugin type=\"pa\" name=\"mine\" failed (delete): ");
    }

    @Test
    void r15DelGoesBackwardsWithTheLastResultAndMayBeRepeated() {
        var list = threePlugins();
        bench.runtime().add(list, ETH0, RuntimeFixture.soon());
        bench.forgetCalls();

        bench.runtime().del(list, ETH0, RuntimeFixture.soon());

        assertThat(bench.order()).containsExactly("pc DEL", "pb DEL", "pa DEL");
        for (int call = 0; call < 3; call++) {
            assertThat(stdin(call).at("/prevResult/ips/0/address").textValue()).isEqualTo("10.9.0.3/24");
        }
        assertThat(bench.cacheFile("blue-c1-eth0")).doesNotExist();
        bench.runtime().del(list, ETH0, RuntimeFixture.soon());
        assertThat(bench.order()).hasSize(6);
    }

    @Test
    void delThatFailsKeepsTheCachedResult() {
        bench.plugin("pa", "[ \"$CNI_COMMAND\" = ADD ] && echo '%s'".formatted(ADDRESS));
        var list = list("1.1.0", "{\"type\":\"pa\"}");
        bench.runtime().add(list, ETH0, RuntimeFixture.soon());

        assertThatExceptionOfType(CniException.class)
                .isThrownBy(() -> bench.runtime().del(list, ETH0, RuntimeFixture.soon()));

        assertThat(bench.cacheFile("blue-c1-eth0")).exists();
    }

    @Test
    void r16OldNetworksHaveNoPreviousResultAndNoCheck() {
        bench.answering("pa", "{\"cniVersion\":\"0.3.1\",\"ips\":[{\"version\":\"4\",\"address\":\"10.9.0.7/24\"}]}");
        var list = list("0.3.1", "{\"type\":\"pa\"}");
        bench.runtime().add(list, ETH0, RuntimeFixture.soon());

        assertThatExceptionOfType(CniException.class)
                .isThrownBy(() -> bench.runtime().check(list, ETH0, RuntimeFixture.soon()))
                .withMessage("configuration version \"0.3.1\" does not support the CHECK command");
        bench.runtime().del(list, ETH0, RuntimeFixture.soon());

        assertThat(bench.order()).containsExactly("pa ADD", "pa DEL");
        assertThat(stdin(1).has("prevResult")).isFalse();
    }

    @Test
    void r17CheckThatIsSwitchedOffRunsNothing() {
        bench.answering("pa", ADDRESS);
        var list = NetworkList.parse(Bytes.ofUtf8(
                "{\"cniVersion\":\"1.1.0\",\"name\":\"blue\",\"disableCheck\":true,\"plugins\":[{\"type\":\"pa\"}]}"));

        bench.runtime().check(list, ETH0, RuntimeFixture.soon());

        assertThat(bench.calls()).isEmpty();
    }

    @Test
    void r18UnreadableCacheFailsACheckAndIsForgottenByADel() {
        bench.answering("pa", ADDRESS);
        var list = list("1.1.0", "{\"type\":\"pa\"}");
        remember("adfad");

        assertThatExceptionOfType(CniException.class)
                .isThrownBy(() -> bench.runtime().check(list, ETH0, RuntimeFixture.soon()))
                .withMessageStartingWith("failed to get network \"blue\" cached result: ");
        bench.runtime().del(list, ETH0, RuntimeFixture.soon());

        assertThat(bench.order()).containsExactly("pa DEL");
        assertThat(stdin(0).has("prevResult")).isFalse();
        assertThat(bench.cacheFile("blue-c1-eth0")).doesNotExist();
    }

    @Test
    void r19PlainResultOfAnOldReleaseIsConvertedToTheVersionOfTheNetwork() {
        bench.answering("pa", ADDRESS);
        var list = list("1.0.0", "{\"type\":\"pa\"}");
        remember("{\"cniVersion\":\"0.4.0\",\"ips\":[{\"version\":\"4\",\"address\":\"10.9.0.7/24\"}],\"dns\":{}}");

        bench.runtime().check(list, ETH0, RuntimeFixture.soon());

        assertThat(CniJson.compact(stdin(0).get("prevResult")))
                .isEqualTo("{\"cniVersion\":\"1.0.0\",\"ips\":[{\"address\":\"10.9.0.7/24\"}]}");
    }

    @Test
    void checkWithoutAnythingRememberedHasNoPreviousResult() {
        bench.answering("pa", ADDRESS);

        bench.runtime().check(list("1.1.0", "{\"type\":\"pa\"}"), ETH0, RuntimeFixture.soon());

        assertThat(stdin(0).has("prevResult")).isFalse();
    }

    @Test
    void checkThatFailsIsInTheWordsOfThePlugin() {
        bench.plugin("pa", "echo '{\"code\":7,\"msg\":\"gone\"}'; exit 1");
        var list = list("1.1.0", "{\"type\":\"pa\"}");

        assertThatExceptionOfType(CniException.class)
                .isThrownBy(() -> bench.runtime().check(list, ETH0, RuntimeFixture.soon()))
                .withMessage("gone");
    }

    @Test
    void r22ResultWithoutAVersionIsOfTheVersionOfTheNetwork() {
        bench.answering("pa", "{\"ips\":[{\"version\":\"4\",\"address\":\"10.9.0.7/24\"}]}");

        var result = bench.runtime().add(list("0.3.1", "{\"type\":\"pa\"}"), ETH0, RuntimeFixture.soon());

        assertThat(result.cniVersion()).isEqualTo("0.3.1");
        assertThat(addresses(result)).containsExactly("10.9.0.7/24");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "failed to unmarshal raw result: unexpected end of JSON input|",
                "failed to unmarshal raw result: |nonsense",
                "unsupported CNI result version \"9.9.9\"|{\"cniVersion\":\"9.9.9\"}",
                "invalid CIDR address: x|{\"cniVersion\":\"1.1.0\",\"ips\":[{\"address\":\"x\"}]}"
            })
    void invalidResultIsRefused(String messageAndOutput) {
        var parts = messageAndOutput.split("\\|", -1);
        bench.plugin("pa", "printf '%%s' '%s'".formatted(parts[1]));

        assertThatExceptionOfType(CniException.class)
                .isThrownBy(() -> bench.runtime().add(list("1.1.0", "{\"type\":\"pa\"}"), ETH0, RuntimeFixture.soon()))
                .withMessageStartingWith("plugin type=\"pa\" failed (add): " + parts[0]);
    }

    @Test
    void plainNullIsAnEmptyResult() {
        bench.answering("pa", "null");

        var result = bench.runtime().add(list("1.0.0", "{\"type\":\"pa\"}"), ETH0, RuntimeFixture.soon());

        assertThat(result).isEqualTo(CniResult.empty("1.0.0"));
    }

    @Test
    void r23GcKeepsValidAttachmentsAndReleasesTheOthers() {
        bench.answering("pa", ADDRESS);
        var list = list("1.1.0", "{\"type\":\"pa\"}");
        bench.runtime().add(list, ETH0, RuntimeFixture.soon());
        bench.forgetCalls();

        bench.runtime().gc(list, List.of(new CniAttachment("c1", "eth0")), RuntimeFixture.soon());
        assertThat(bench.order()).containsExactly("pa GC");
        assertThat(stdin(0).get("cni.dev/valid-attachments")).hasSize(1);
        bench.forgetCalls();
        bench.runtime().gc(list, List.of(), RuntimeFixture.soon());

        assertThat(bench.order()).containsExactly("pa DEL", "pa GC");
        assertThat(bench.calls().getFirst().variable("CNI_NETNS")).isEqualTo("/run/netns/c1");
        assertThat(stdin(1).get("cni.dev/valid-attachments")).isEmpty();
        assertThat(bench.runtime().attachments()).isEmpty();
    }

    @Test
    void gcLeavesOtherNetworksAlone() {
        bench.answering("pa", ADDRESS);
        bench.runtime().add(list("1.1.0", "{\"type\":\"pa\"}"), ETH0, RuntimeFixture.soon());
        var other = NetworkList.parse(
                Bytes.ofUtf8("{\"cniVersion\":\"1.0.0\",\"name\":\"green\",\"plugins\":[{\"type\":\"pa\"}]}"));

        bench.runtime().gc(other, List.of(), RuntimeFixture.soon());

        assertThat(bench.order()).containsExactly("pa ADD");
        assertThat(bench.runtime().attachments()).hasSize(1);
    }

    @Test
    void gcTriesEverythingAndTellsAllThatWentWrong() {
        bench.plugin(
                "pa",
                "case $CNI_COMMAND in ADD) echo '%s';; *) echo '{\"code\":12,\"msg\":\"no '$CNI_COMMAND'\"}'; exit 1;; esac"
                        .formatted(ADDRESS));
        bench.answering("pb", ADDRESS);
        var list = list("1.1.0", "{\"type\":\"pa\"}", "{\"type\":\"pb\"}");
        bench.runtime().add(list, ETH0, RuntimeFixture.soon());
        bench.forgetCalls();

        assertThatExceptionOfType(CniException.class)
                .isThrownBy(() -> bench.runtime().gc(list, RuntimeFixture.soon()))
                .withMessage("failed to delete stale attachment c1 eth0: plugin type=\"pa\" failed"
                        + " (delete): no DEL\n"
                        + "failed to GC plugin pa: no GC")
                .satisfies(thrown -> assertThat(thrown.error().code()).isEqualTo(12));

        assertThat(bench.order()).containsExactly("pb DEL", "pa DEL", "pa GC", "pb GC");
    }

    @Test
    void r24GcThatIsSwitchedOffRunsNothing() {
        bench.answering("pa", ADDRESS);
        bench.runtime().add(list("1.1.0", "{\"type\":\"pa\"}"), ETH0, RuntimeFixture.soon());
        bench.forgetCalls();
        var off = NetworkList.parse(Bytes.ofUtf8(
                "{\"cniVersion\":\"1.1.0\",\"name\":\"blue\",\"disableGC\":true,\"plugins\":[{\"type\":\"pa\"}]}"));

        bench.runtime().gc(off, RuntimeFixture.soon());

        assertThat(bench.calls()).isEmpty();
    }

    @Test
    void r25FirstPluginThatIsNotReadyIsReported() {
        bench.answering("pa", ADDRESS);
        bench.plugin("pb", "echo '{\"code\":50,\"msg\":\"not ready\"}'; exit 1");
        bench.answering("pc", ADDRESS);
        var list = list("1.1.0", "{\"type\":\"pa\"}", "{\"type\":\"pb\"}", "{\"type\":\"pc\"}");

        assertThatExceptionOfType(CniException.class)
                .isThrownBy(() -> bench.runtime().status(list, RuntimeFixture.soon()))
                .satisfies(thrown ->
                        assertThat(thrown.error()).isEqualTo(CniError.of(CniCode.PLUGIN_NOT_AVAILABLE, "not ready")));

        assertThat(bench.order()).containsExactly("pa STATUS", "pb STATUS");
    }

    @Test
    void networkThatIsTooOldToBeAskedIsReady() {
        bench.plugin("pa", "exit 1");

        bench.runtime().status(list("1.0.0", "{\"type\":\"pa\"}"), RuntimeFixture.soon());

        assertThat(bench.calls()).isEmpty();
    }

    @Test
    void r26EachInterfaceIsRememberedApart() {
        bench.answering("pa", ADDRESS);
        var list = list("1.1.0", "{\"type\":\"pa\"}");

        bench.runtime().add(list, ETH0, RuntimeFixture.soon());
        bench.runtime().add(list, AttachmentRequest.of("c1", "/run/netns/c1", "eth1"), RuntimeFixture.soon());

        assertThat(bench.cacheFile("blue-c1-eth0")).exists();
        assertThat(bench.cacheFile("blue-c1-eth1")).exists();
        assertThat(bench.runtime().attachments("c1")).hasSize(2);
        assertThat(bench.runtime().attachments("c2")).isEmpty();
    }

    @Test
    void r27PluginThatLacksTheVersionIsNamed() {
        bench.supporting("pa", "0.4.0", "1.0.0");
        bench.supporting("pb", "0.4.0");
        var list = list("1.0.0", "{\"type\":\"pa\",\"capabilities\":{\"mac\":true,\"no\":false}}", "{\"type\":\"pb\"}");
        var good = list("0.4.0", "{\"type\":\"pa\",\"capabilities\":{\"mac\":true,\"no\":false}}");

        assertThatExceptionOfType(CniException.class)
                .isThrownBy(() -> bench.runtime().validate(list, RuntimeFixture.soon()))
                .withMessage("[plugin pb does not support config version \"1.0.0\"]");
        assertThat(bench.runtime().validate(good, RuntimeFixture.soon())).containsExactly("mac");
    }

    @Test
    void missingPluginsAreAllNamed() {
        var list = list("1.0.0", "{\"type\":\"x\"}", "{\"type\":\"y\"}");

        assertThatExceptionOfType(CniException.class)
                .isThrownBy(() -> bench.runtime().validate(list, RuntimeFixture.soon()))
                .withMessage("[failed to find plugin \"x\" in path [%1$s] failed to find plugin \"y\" in path [%1$s]]"
                        .formatted(bench.bin()));
    }

    @Test
    void r28VeryOldPluginSupportsTheOldestVersionOnly() {
        bench.plugin("pa", "echo '{\"code\":4,\"msg\":\"unknown CNI_COMMAND: VERSION\"}'; exit 1");

        var versions = bench.runtime().versions("pa", RuntimeFixture.soon());

        assertThat(versions.supportedVersions()).containsExactly("0.1.0");
    }

    @Test
    void r29PluginSeesTheVariablesOfTheRuntimeOnly() {
        bench.answering("pa", ADDRESS);
        var runtime = bench.runtime(Map.of(
                "PATH", "/usr/bin:/bin",
                "CNI_IFNAME", "bad",
                "CNI_ARGS", "bad",
                "TRACEPARENT", "t"));

        runtime.add(list("1.1.0", "{\"type\":\"pa\"}"), ETH0, RuntimeFixture.soon());

        var call = bench.calls().getFirst();
        assertThat(call.variable("CNI_IFNAME")).isEqualTo("eth0");
        assertThat(call.variable("CNI_ARGS")).isEmpty();
        assertThat(call.variable("CNI_PATH")).isEqualTo(bench.bin().toString());
        assertThat(call.variable("TRACEPARENT")).isEqualTo("t");
    }

    @Test
    void r32PreviousResultIsConvertedToTheVersionOfTheNetwork() {
        bench.answering("pa", "{\"cniVersion\":\"0.4.0\",\"ips\":[{\"version\":\"4\",\"address\":\"10.9.0.7/24\"}]}");
        bench.answering("pb", ADDRESS);

        bench.runtime().add(list("1.1.0", "{\"type\":\"pa\"}", "{\"type\":\"pb\"}"), ETH0, RuntimeFixture.soon());

        assertThat(CniJson.compact(stdin(1).get("prevResult")))
                .isEqualTo("{\"cniVersion\":\"1.1.0\",\"ips\":[{\"address\":\"10.9.0.7/24\"}]}");
    }

    @Test
    void namesAreCheckedBeforeAnAddAndNotBeforeADel() {
        bench.answering("pa", ADDRESS);
        var list = list("1.1.0", "{\"type\":\"pa\"}");
        var malformed = AttachmentRequest.of("../c1", "", "eth0");

        assertThatExceptionOfType(CniException.class)
                .isThrownBy(() -> bench.runtime().add(list, malformed, RuntimeFixture.soon()))
                .withMessageContaining("invalid characters in containerID");
        assertThatExceptionOfType(CniException.class)
                .isThrownBy(
                        () -> bench.runtime().check(list, AttachmentRequest.of("", "", "eth0"), RuntimeFixture.soon()))
                .withMessageEndingWith("cache file path requires network name (\"blue\"), container ID (\"\"), and"
                        + " interface name (\"eth0\")");
        bench.runtime().del(list, malformed, RuntimeFixture.soon());

        assertThat(bench.order()).containsExactly("pa DEL");
    }

    @Test
    void cacheThatCannotBeWrittenFailsTheAdd() {
        bench.answering("pa", ADDRESS);
        RuntimeFixture.write(bench.cacheFolder(), "in the way");

        assertThatExceptionOfType(CniException.class)
                .isThrownBy(() -> bench.runtime().add(list("1.1.0", "{\"type\":\"pa\"}"), ETH0, RuntimeFixture.soon()))
                .withMessageStartingWith("failed to set network \"blue\" cached result: ");
    }

    /// The plugin fails if another call for its container is under way.
    @Test
    void operationsOnOneContainerTakeTurns() throws Exception {
        bench.plugin("pa", """
            mkdir '%1$s' || exit 9
            sleep 0.05
            rmdir '%1$s'
            [ "$CNI_COMMAND" = ADD ] && echo '%2$s'
            true
            """.formatted(folder.resolve("busy"), ADDRESS));
        var list = list("1.1.0", "{\"type\":\"pa\"}");
        var runtime = bench.runtime();

        var calls = new ArrayList<Callable<Boolean>>();
        for (int round = 0; round < 3; round++) {
            calls.add(done(() -> runtime.add(list, ETH0, RuntimeFixture.soon())));
            calls.add(done(() -> runtime.del(list, ETH0, RuntimeFixture.soon())));
            calls.add(done(() -> runtime.gc(list, List.of(), RuntimeFixture.soon())));
        }

        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            assertThat(threads.invokeAll(calls)).extracting(Future::get).containsOnly(true);
        }
    }

    private static Callable<Boolean> done(Runnable operation) {
        return () -> {
            operation.run();
            return true;
        };
    }

    /// What the reference code gives to its plugins, but for `capabilities`, which plugins are not meant
    /// to see. RQ-16 has no counterpart: a list of attachments is given here, or none.
    @Test
    void requestsAreThoseOfTheReferenceCode() {
        var vectors = CniJson.read(RuntimeFixture.bytes("/cni/requests.json"));
        for (var output : vectors.get("pluginOutput").properties()) {
            bench.answering(output.getKey(), output.getValue().textValue());
        }
        var blue = parsed(vectors, "blue");
        var green = parsed(vectors, "green");
        var g = parsed(vectors, "g");
        var plain = CniTool.request("/var/run/netns/testing", "eth0", "", "");
        var told = CniTool.request(
                "/var/run/netns/testing",
                "eth0",
                "IgnoreUnknown=1;K8S_POD_NAME=web-0",
                "{\"portMappings\":[{\"hostPort\":8080,\"containerPort\":80,\"protocol\":\"tcp\"}],\"x\":1}");
        var c1 = new CniAttachment("c1", "eth0");
        var runtime = bench.runtime();
        var soon = RuntimeFixture.soon();

        runtime.add(blue, told, soon);
        assertThat(RuntimeFixture.read(cacheFile("blue"))).isEqualTo(golden("blue"));
        runtime.check(blue, plain, soon);
        runtime.status(blue, soon);
        runtime.del(blue, plain, soon);
        compare(vectors, 1, 8);
        runtime.add(blue, told, soon);
        bench.forgetCalls();
        runtime.gc(blue, soon);
        compare(vectors, 9, 12);
        runtime.add(green, plain, soon);
        assertThat(RuntimeFixture.read(cacheFile("green"))).isEqualTo(golden("green"));
        runtime.del(green, plain, soon);
        compare(vectors, 13, 14);
        runtime.gc(g, soon);
        compare(vectors, 15, 15);
        runtime.gc(g, List.of(), soon);
        runtime.gc(g, List.of(c1), soon);
        runtime.gc(g, List.of(c1, new CniAttachment("c2", "net1")), soon);
        runtime.status(g, soon);
        compare(vectors, 17, 20);
    }

    private Path cacheFile(String network) {
        return bench.cacheFile(network + "-cnitool-77383ca0a0715733ca6f-eth0");
    }

    private static String golden(String network) {
        return RuntimeFixture.bytes("/cni/cache/%s-cnitool-77383ca0a0715733ca6f-eth0.json".formatted(network))
                .utf8();
    }

    private void compare(JsonNode vectors, int first, int last) {
        var calls = bench.calls();
        assertThat(calls).hasSize(last - first + 1);
        for (int number = first; number <= last; number++) {
            var vector = vectors.get("requests").get(number - 1);
            var call = calls.get(number - first);
            assertThat(vector.get("id").textValue()).isEqualTo("RQ-%02d".formatted(number));
            assertThat(call.plugin()).isEqualTo(vector.get("plugin").textValue());
            assertThat(call.stdin())
                    .as("stdin of %s", vector.get("id"))
                    .isEqualTo(members(vector.get("stdin").textValue())
                            .without("capabilities")
                            .toString());
            for (var variable : vector.get("env").properties()) {
                assertThat(call.variable(variable.getKey()))
                        .as("%s of %s", variable.getKey(), vector.get("id"))
                        .isEqualTo(
                                variable.getKey().equals("CNI_PATH")
                                        ? bench.bin().toString()
                                        : variable.getValue().textValue());
            }
        }
        bench.forgetCalls();
    }

    @Test
    void versionProbeIsThatOfTheReferenceCode() {
        var probe = CniJson.read(RuntimeFixture.bytes("/cni/requests.json")).get("versionProbe");
        bench.supporting("pa", "1.0.0");

        bench.runtime().versions("pa", RuntimeFixture.soon());

        var call = bench.calls().getFirst();
        assertThat(call.stdin()).isEqualTo(probe.get("stdin").textValue());
        for (var variable : probe.get("env").properties()) {
            assertThat(call.variable(variable.getKey()))
                    .isEqualTo(variable.getValue().textValue());
        }
    }

    @Test
    void argumentsAreJoinedInOrder() {
        bench.answering("pa", ADDRESS);
        var request = ETH0.withArgs(List.of(new Argument("B", "2"), new Argument("A", "1")));

        bench.runtime().add(list("1.1.0", "{\"type\":\"pa\"}"), request, RuntimeFixture.soon());

        assertThat(bench.calls().getFirst().variable("CNI_ARGS")).isEqualTo("B=2;A=1");
    }

    private NetworkList threePlugins() {
        int last = 1;
        for (var type : List.of("pa", "pb", "pc")) {
            bench.answering(
                    type, "{\"cniVersion\":\"1.1.0\",\"ips\":[{\"address\":\"10.9.0.%d/24\"}]}".formatted(last++));
        }
        return list("1.1.0", "{\"type\":\"pa\"}", "{\"type\":\"pb\"}", "{\"type\":\"pc\"}");
    }

    private void remember(String content) {
        RuntimeFixture.make(bench.cacheFolder().resolve("results"));
        RuntimeFixture.write(bench.cacheFile("blue-c1-eth0"), content);
        assertThat(Files.exists(bench.cacheFile("blue-c1-eth0"))).isTrue();
    }

    private JsonNode stdin(int call) {
        return CniJson.read(Bytes.ofUtf8(bench.calls().get(call).stdin()));
    }

    private static List<String> addresses(CniResult result) {
        return result.ips().stream()
                .map(CniIp::address)
                .map(InterfaceAddress::toString)
                .toList();
    }

    private static Members members(String document) {
        return Members.parse(Bytes.ofUtf8(document));
    }

    private static NetworkList parsed(JsonNode vectors, String name) {
        return NetworkList.parse(Bytes.ofUtf8(vectors.at("/lists/" + name).textValue()));
    }

    private static NetworkList list(String version, String... plugins) {
        return NetworkList.parse(Bytes.ofUtf8("{\"cniVersion\":\"%s\",\"name\":\"blue\",\"plugins\":[%s]}"
                .formatted(version, String.join(",", plugins))));
    }
}
