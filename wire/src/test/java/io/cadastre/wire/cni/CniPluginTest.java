package io.cadastre.wire.cni;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.cadastre.datastore.Bytes;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class CniPluginTest {

    private static final String VERSION_LINE = "    \"cniVersion\": \"[0-9.]+\",\n";

    @Test
    void s01OnlyTheHandlerOfTheVerbRunsAndReceivesTheWholeCall() {
        var stdin = "{ \"cniVersion\": \"1.1.0\", \"name\": \"blue\", \"x\": 9007199254740993 }";
        var trial = PluginCall.of("ADD").stdin(stdin);

        var answer = trial.run();

        assertThat(answer.exitCode()).isZero();
        assertThat(trial.seen()).singleElement().satisfies(call -> {
            assertThat(call.verb()).isEqualTo(CniVerb.ADD);
            assertThat(call.containerId()).isEqualTo("c1");
            assertThat(call.netns()).isEqualTo("/run/netns/c1");
            assertThat(call.ifname()).isEqualTo("eth0");
            assertThat(call.args()).isEqualTo("IgnoreUnknown=1");
            assertThat(call.path()).containsExactly("/opt/cni/bin", "/usr/lib/cni");
            assertThat(call.config().raw().utf8()).isEqualTo(stdin);
            assertThat(call.environment()).containsEntry("CNI_COMMAND", "ADD");
        });
    }

    @Test
    void s02MissingVariablesAreAllNamedInOrder() {
        var trial = PluginCall.of("ADD").without("CNI_PATH", "CNI_IFNAME", "CNI_NETNS");

        var error = trial.error();

        assertThat(error)
                .isEqualTo(CniError.of(
                        CniCode.INVALID_ENVIRONMENT, "required env variables [CNI_NETNS,CNI_IFNAME,CNI_PATH] missing"));
        assertThat(trial.seen()).isEmpty();
    }

    @Test
    void s03DelNeedsNoNamespace() {
        var trial = PluginCall.of("DEL").without("CNI_NETNS");

        var answer = trial.run();

        assertThat(answer).isEqualTo(CniAnswer.success(""));
        assertThat(trial.seen()).singleElement().extracting(CniCall::netns).isEqualTo("");
    }

    @Test
    void s04ContainerIdWithOtherCharactersIsRefused() {
        var error = PluginCall.of("ADD").with("CNI_CONTAINERID", "some-%%id").error();

        assertThat(error)
                .isEqualTo(CniError.of(CniCode.INVALID_ENVIRONMENT, "invalid characters in containerID", "some-%%id"));
    }

    @Test
    void s05InterfaceNameOfSixteenBytesIsRefused() {
        var error = PluginCall.of("ADD").with("CNI_IFNAME", "abcdefghijklmnop").error();

        assertThat(error)
                .isEqualTo(CniError.of(
                        CniCode.INVALID_ENVIRONMENT,
                        "interface name is too long",
                        "interface name should be less than 16 characters"));
    }

    @ParameterizedTest
    @CsvSource({
        ".,interface name is . or ..",
        "..,interface name is . or ..",
        "a/b,interface name contains / or : or whitespace characters",
        "a:b,interface name contains / or : or whitespace characters",
        "a b,interface name contains / or : or whitespace characters"
    })
    void s06InterfaceNameThatTheKernelRefusesIsRefused(String name, String msg) {
        var error = PluginCall.of("ADD").with("CNI_IFNAME", name).error();

        assertThat(error).isEqualTo(CniError.of(CniCode.INVALID_ENVIRONMENT, msg));
    }

    @Test
    void s07ConfigurationWithoutAVersionIsOfTheOldest() {
        var trial = PluginCall.of("ADD").stdin("{\"name\":\"blue\"}");

        var answer = trial.run();

        assertThat(answer.exitCode()).isZero();
        assertThat(answer.stdout().utf8()).contains("\"cniVersion\": \"0.1.0\"", "\"ip4\"");
    }

    @Test
    void s08VersionThatIsNotSupportedIsRefused() {
        var error = PluginCall.of("ADD")
                .stdin("{\"name\":\"blue\"}")
                .supporting("4.3.2")
                .error();

        assertThat(error)
                .isEqualTo(CniError.of(
                        CniCode.INCOMPATIBLE_VERSION,
                        "incompatible CNI versions",
                        "config is \"0.1.0\", plugin supports [\"4.3.2\"]"));
    }

    @Test
    void s09CheckIsNotAllowedBeforeItsVersion() {
        var error = PluginCall.of("CHECK").at("0.3.0").error();

        assertThat(error).isEqualTo(CniError.of(CniCode.INCOMPATIBLE_VERSION, "config version does not allow CHECK"));
    }

    @Test
    void s10CheckIsNotAllowedToAnOldPlugin() {
        var trial = PluginCall.of("CHECK").at("0.4.0").supporting("0.1.0", "0.2.0", "0.3.0");

        var error = trial.error();

        assertThat(error).isEqualTo(CniError.of(CniCode.INCOMPATIBLE_VERSION, "plugin version does not allow CHECK"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"CHECK", "GC", "STATUS"})
    void s11InvalidVersionIsAFaultOfDecodingWhereItIsCompared(String verb) {
        var error = PluginCall.of(verb).at("adsf").error();

        assertThat(error.is(CniCode.DECODING_FAILURE)).isTrue();
        assertThat(error.msg()).startsWith("failed to convert major version part \"adsf\": ");
    }

    @Test
    void invalidSupportedVersionIsAFaultOfDecoding() {
        var error = PluginCall.of("CHECK").supporting("0.3.0", "x", "1.1.0").error();

        assertThat(error.is(CniCode.DECODING_FAILURE)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"GC", "STATUS"})
    void s12GcAndStatusAreNotAllowedBeforeTheirVersion(String verb) {
        var error = PluginCall.of(verb).at("1.0.0").error();

        assertThat(error).isEqualTo(CniError.of(CniCode.INCOMPATIBLE_VERSION, "config version does not allow " + verb));
    }

    @Test
    void s13GcNeedsOnlyTheVerbAndThePath() {
        var trial = PluginCall.bare()
                .with("CNI_COMMAND", "GC")
                .with("CNI_PATH", "/x")
                .at("1.1.0");

        var answer = trial.run();

        assertThat(answer).isEqualTo(CniAnswer.success(""));
        assertThat(trial.seen()).hasSize(1);
    }

    @Test
    void s14VersionReadsNoInput() {
        var trial = PluginCall.bare().with("CNI_COMMAND", "VERSION").stdin(_ -> {
            throw new AssertionError("the input was read");
        });

        var answer = trial.run();

        assertThat(answer.exitCode()).isZero();
        assertThat(PluginVersions.parse(answer.stdout())).isEqualTo(new PluginVersions("1.1.0", CniVersion.KNOWN));
    }

    @Test
    void s15UnknownVerbIsNamed() {
        var error = PluginCall.of("NOPE").error();

        assertThat(error).isEqualTo(CniError.of(CniCode.INVALID_ENVIRONMENT, "unknown CNI_COMMAND: NOPE"));
    }

    @Test
    void s16WithoutAVerbThePluginTellsWhatItIs() {
        var answer =
                PluginCall.bare().supporting("0.4.0", "1.0.0").about("X v1").run();

        assertThat(answer.exitCode()).isZero();
        assertThat(answer.stdout().utf8()).isEmpty();
        assertThat(answer.stderr().utf8()).isEqualTo("X v1\nCNI protocol versions supported: 0.4.0, 1.0.0\n");
    }

    @Test
    void s17TypedErrorOfAHandlerIsPrintedAsItIs() {
        var thrown = new CniError(1234, "typed", "more");
        var trial = PluginCall.of("ADD").plugin(failing(new CniException(thrown)));

        var answer = trial.run();

        assertThat(answer.exitCode()).isOne();
        assertThat(answer.stdout().utf8()).isEqualTo("""
            {
                "cniVersion": "1.1.0",
                "code": 1234,
                "msg": "typed",
                "details": "more"
            }\
            """);
    }

    @Test
    void s18OtherExceptionOfAHandlerIsAnInternalError() {
        var error =
                PluginCall.of("ADD").plugin(failing(new IOException("potato"))).error();

        assertThat(error).isEqualTo(CniError.of(CniCode.INTERNAL, "potato"));
    }

    @Test
    void s27TypedErrorInsideOfAnotherIsPrintedAlone() {
        var inner = new CniException(new CniError(77, "inner", ""));
        var outer = new IllegalStateException("outer", new IOException("middle", inner));

        var error = PluginCall.of("ADD").plugin(failing(outer)).error();

        assertThat(error).isEqualTo(new CniError(77, "inner", ""));
    }

    @Test
    void endlessRecursionOfAHandlerIsAnErrorToo() {
        var plugin = CniPlugin.supporting(CniVersion.KNOWN).onDel(_ -> {
            throw new StackOverflowError();
        });

        var error = PluginCall.of("DEL").plugin(plugin).error();

        assertThat(error).isEqualTo(CniError.of(CniCode.INTERNAL, "java.lang.StackOverflowError"));
    }

    @Test
    void inputThatCannotBeReadIsAFaultOfItsOwn() {
        var trial = PluginCall.of("ADD").stdin(_ -> {
            throw new IOException("pipe is gone");
        });

        var error = trial.error();

        assertThat(error).isEqualTo(CniError.of(CniCode.IO_FAILURE, "error reading from stdin: pipe is gone"));
    }

    @Test
    void inputWithoutEndIsCutOffAndRefused() {
        var trial = PluginCall.of("ADD").stdin(bytesMax -> new byte[bytesMax]);

        var error = trial.error();

        assertThat(error.is(CniCode.DECODING_FAILURE)).isTrue();
        assertThat(error.msg()).startsWith("error unmarshall network config: it has ");
    }

    @Test
    void inputThatIsNestedTooDeepIsRefused() {
        var error = PluginCall.of("ADD").stdin("{\"a\":" + "[".repeat(10_000)).error();

        assertThat(error)
                .isEqualTo(CniError.of(
                        CniCode.DECODING_FAILURE,
                        "error unmarshall network config: it is nested more than 128" + " deep"));
    }

    @Test
    void addIntoThePluginsOwnNamespaceIsRefusedBeforeItIsHandled() {
        var trial = PluginCall.of("ADD").with("CNI_NETNS", PluginCall.OWN_NAMESPACE);

        var error = trial.error();

        assertThat(error)
                .isEqualTo(CniError.of(
                        CniCode.INVALID_NETWORK_NAMESPACE,
                        "plugin's netns and netns from CNI_NETNS should not be the same"));
        assertThat(trial.seen()).isEmpty();
    }

    @Test
    void namespaceThatCannotBeComparedIsAnError() {
        var error = PluginCall.of("DEL")
                .with("CNI_NETNS", PluginCall.LOST_NAMESPACE)
                .error();

        assertThat(error).isEqualTo(CniError.of(CniCode.INVALID_NETWORK_NAMESPACE, "get plugin's netns failed"));
    }

    @Test
    void resultThatTheVersionHasNoWordForIsAnError() {
        var plugin = CniPlugin.supporting(CniVersion.KNOWN).onAdd(_ -> CniResult.empty("1.1.0"));

        var answer = PluginCall.of("ADD").plugin(plugin).at("0.2.0").run();

        assertThat(answer.exitCode()).isOne();
        assertThat(answer.stdout().utf8()).contains("\"cniVersion\": \"0.2.0\"");
        assertThat(CniError.parse(answer.stdout()))
                .isEqualTo(CniError.of(CniCode.INTERNAL, "cannot convert: no valid IP addresses"));
    }

    @Test
    void callOfAnotherPluginOfThisProcessIsAnsweredWithAValue() {
        var given =
                CniResult.ofAddresses(List.of(CniIp.of(InterfaceAddress.parse("10.9.0.7/24"))), List.of(), CniDns.NONE);
        var plugin = CniPlugin.supporting(CniVersion.KNOWN).onAdd(_ -> given);

        assertThat(plugin.perform(call(CniVerb.ADD, "1.0.0"))).contains(given);
        assertThat(plugin.perform(call(CniVerb.DEL, "1.0.0"))).isEmpty();
    }

    @Test
    void callOfAnotherPluginOfThisProcessSaysNoMoreThanItsVersionCan() {
        var two = CniResult.ofAddresses(
                List.of(
                        CniIp.of(InterfaceAddress.parse("10.9.0.7/24")),
                        CniIp.of(InterfaceAddress.parse("10.9.0.8/24"))),
                List.of(),
                CniDns.NONE);
        var plugin = CniPlugin.supporting(CniVersion.KNOWN).onAdd(_ -> two);

        var result = plugin.perform(call(CniVerb.ADD, "0.2.0")).orElseThrow();

        assertThat(result.cniVersion()).isEqualTo(CniVersion.NEWEST);
        assertThat(result.ips()).hasSize(1);
    }

    @Test
    void callOfAnotherPluginOfThisProcessFailsAsTheProgramWould() {
        var plugin = CniPlugin.supporting(List.of("1.0.0")).onAdd(_ -> {
            throw new IllegalStateException("oops", new CniException(CniCode.TRY_AGAIN_LATER, "later"));
        });

        assertThatThrownBy(() -> plugin.perform(call(CniVerb.ADD, "1.0.0")))
                .isInstanceOfSatisfying(
                        CniException.class,
                        failure ->
                                assertThat(failure.error()).isEqualTo(CniError.of(CniCode.TRY_AGAIN_LATER, "later")));
        assertThatThrownBy(() -> plugin.perform(call(CniVerb.ADD, "0.4.0")))
                .isInstanceOfSatisfying(
                        CniException.class,
                        failure -> assertThat(failure.error().is(CniCode.INCOMPATIBLE_VERSION))
                                .isTrue());
    }

    private static CniCall call(CniVerb verb, String version) {
        var config = NetworkConfig.read(Bytes.ofUtf8("{\"cniVersion\":\"%s\",\"name\":\"blue\"}".formatted(version)));
        return new CniCall(verb, "c1", "/run/netns/c1", "eth0", "", List.of(), config, Map.of());
    }

    /// Every line of what the reference code does, byte for byte, but for two things: our errors carry a
    /// version, and the namespace is compared before the handler runs (CE-124).
    @ParameterizedTest
    @MethodSource("vectors")
    void answersAreThoseOfTheReferenceCode(Vector vector) {
        var trial = PluginCall.bare()
                .plugin(vector.plugin())
                .with(CniVectors.texts(vector.tree().get("env")))
                .stdin(vector.tree().get("stdin").textValue());

        var answer = trial.run();

        assertThat(String.valueOf(answer.exitCode()))
                .isEqualTo(vector.tree().get("exitCode").toString());
        var expected = vector.tree().get("stdout").textValue();
        if (vector.tree().has("msgPrefix")) {
            var prefix = vector.tree().get("msgPrefix").textValue();
            assertThat(CniError.parse(answer.stdout()).msg()).startsWith(prefix);
            assertThat(CniError.parse(answer.stdout()).code())
                    .isEqualTo(CniError.parse(Bytes.ofUtf8(expected)).code());
        } else if (answer.exitCode() == 0) {
            assertThat(answer.stdout().utf8()).isEqualTo(expected);
        } else {
            assertThat(answer.stdout().utf8().replaceFirst(VERSION_LINE, "")).isEqualTo(expected);
        }
        if (vector.tree().has("stderr")) {
            assertThat(answer.stderr().utf8())
                    .isEqualTo(vector.tree().get("stderr").textValue());
        }
    }

    static List<Vector> vectors() {
        return CniVectors.read("/cni/errors.json")
                .get("cases")
                .valueStream()
                .map(Vector::new)
                .filter(vector -> !vector.id().equals("CE-124"))
                .toList();
    }

    @Test
    void allVectorsAreTried() {
        assertThat(vectors()).hasSize(123);
    }

    record Vector(JsonNode tree) {

        String id() {
            return tree.get("id").textValue();
        }

        CniPlugin plugin() {
            var how = tree.path("plugin");
            var supported = how.has("supportedVersions")
                    ? how.get("supportedVersions")
                            .valueStream()
                            .map(JsonNode::textValue)
                            .toList()
                    : CniVersion.KNOWN;
            var plugin =
                    CniPlugin.supporting(supported).withAbout(how.path("about").asText(""));
            return how.has("handlerError")
                    ? plugin.onAdd(_ -> {
                        throw failure(how.get("handlerError"));
                    })
                    : plugin;
        }

        private static Exception failure(JsonNode error) {
            if (error.has("message")) {
                return new IOException(error.get("message").textValue());
            }
            return error.has("wraps")
                    ? new IOException("around", failure(error.get("wraps")))
                    : new CniException(CniError.parse(Bytes.ofUtf8(CniJson.compact(error))));
        }

        /// Names the test.
        @Override
        public String toString() {
            return id() + " " + tree.get("name").textValue();
        }
    }

    private static CniPlugin failing(Exception failure) {
        return CniPlugin.supporting(CniVersion.KNOWN).onAdd(_ -> {
            throw failure;
        });
    }
}
