package io.cadastre.cni.doorbell;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.datastore.Bytes;
import io.cadastre.wire.cni.CniAnswer;
import io.cadastre.wire.cni.CniCode;
import io.cadastre.wire.cni.CniError;
import io.cadastre.wire.cni.CniVerb;
import io.cadastre.wire.cni.DoorbellFrame;
import io.cadastre.wire.cni.DoorbellFrame.Call;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What every doorbell does, in whatever language.
abstract class DoorbellContract {

    private static final int MEBIBYTE = 1 << 20;
    private static final Duration AMPLE = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    private Path socket = Path.of("");
    private Path spool = Path.of("");

    @BeforeEach
    void makePlaces() throws IOException {
        socket = folder.resolve("a.sock");
        spool = folder.resolve("spool");
        install(DoorbellSettings.of(socket, spool).within(AMPLE));
    }

    /// Puts the doorbell where it is called, with these settings.
    abstract void install(DoorbellSettings settings) throws IOException;

    /// Calls it by a name.
    abstract CniAnswer ring(String name, Map<String, String> environment, byte[] stdin);

    /// Long enough to read an input, and short enough to wait for its end.
    Duration patience() {
        return Duration.ofSeconds(1);
    }

    /// How many ring at once.
    int callers() {
        return 40;
    }

    private CniAnswer ring(CniVerb verb) {
        return ring("cadastre-ipam", environment(verb), "{}".getBytes(UTF_8));
    }

    private static Map<String, String> environment(CniVerb verb) {
        return Map.of("CNI_COMMAND", verb.name(), "CNI_CONTAINERID", "c1");
    }

    private static CniAnswer answer(String stdout, String stderr, int exitCode) {
        return new CniAnswer(Bytes.ofUtf8(stdout), Bytes.ofUtf8(stderr), exitCode);
    }

    private static void assertRefused(CniAnswer answer, CniCode code, String words) {
        assertThat(answer.exitCode()).isEqualTo(1);
        assertThat(answer.stderr().utf8()).isEmpty();
        var error = CniError.parse(answer.stdout());
        assertThat(error.code()).isEqualTo(code.number());
        assertThat(error.sentence()).contains(words);
    }

    private List<Call> spooled() throws IOException {
        if (!Files.exists(spool)) {
            return List.of();
        }
        try (var files = Files.list(spool)) {
            return files.map(DoorbellContract::read).toList();
        }
    }

    private static Call read(Path file) {
        assertThat(file.getFileName().toString()).matches("[0-9]{10}-[0-9]+-[0-9a-f-]{3,36}\\.del");
        try (var stream = Files.newInputStream(file)) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------");
            return DoorbellFrame.readCall(stream);
        } catch (IOException unreadable) {
            throw new AssertionError(unreadable);
        }
    }

    @Test
    void theAgentHearsNameEnvironmentAndInput() throws IOException {
        try (var agent = BellServer.answering(socket, _ -> answer("", "", 0))) {
            var environment = new TreeMap<>(environment(CniVerb.ADD));
            environment.put("K8S_POD_NAME", "web=0");
            environment.put("TRACEPARENT", "00-ü");
            var all = new TreeMap<>(environment);
            all.put("HOME", "/root");
            all.put("XCNI_ARGS", "no");

            ring("calico-ipam", all, "{\"name\": \"net\"}\n".getBytes(UTF_8));

            assertThat(agent.calls())
                    .containsExactly(new Call("calico-ipam", environment, Bytes.ofUtf8("{\"name\": \"net\"}\n")));
        }
    }

    @Test
    void itsAnswerIsGivenAsItIs() throws IOException {
        var said = answer("{\"ips\": []}", "a warning\n", 7);
        try (var _ = BellServer.answering(socket, _ -> said)) {

            var answer = ring(CniVerb.ADD);

            assertThat(answer).isEqualTo(said);
        }
    }

    @Test
    void emptyInputIsSentEmpty() throws IOException {
        try (var agent = BellServer.answering(socket, _ -> answer("", "", 0))) {

            ring("cadastre-ipam", environment(CniVerb.ADD), new byte[0]);

            assertThat(agent.calls()).singleElement().extracting(Call::stdin).isEqualTo(Bytes.ofUtf8(""));
        }
    }

    @Test
    void aMebibyteGoesThroughWholeInBothDirections() throws IOException {
        var much = new byte[MEBIBYTE];
        Arrays.fill(much, (byte) 'x');
        try (var _ = BellServer.answering(socket, call -> new CniAnswer(call.stdin(), Bytes.ofUtf8("e"), 0))) {

            var answer = ring("cadastre-ipam", environment(CniVerb.ADD), much);

            assertThat(answer).isEqualTo(new CniAnswer(Bytes.of(much), Bytes.ofUtf8("e"), 0));
        }
    }

    @Test
    void aCallThatIsTooLargeIsRefusedAndNotSent() throws IOException {
        try (var agent = BellServer.answering(socket, _ -> answer("", "", 0))) {

            var answer = ring("cadastre-ipam", environment(CniVerb.DEL), new byte[DoorbellFrame.BYTES_MAX]);

            assertRefused(answer, CniCode.IO_FAILURE, "larger than");
            assertThat(agent.calls()).isEmpty();
            assertThat(spooled()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = CniVerb.class,
            names = {"ADD", "CHECK", "GC", "VERSION"})
    void withoutAnAgentTheRuntimeIsToTryAgain(CniVerb verb) throws IOException {
        var answer = ring(verb);

        assertRefused(answer, CniCode.TRY_AGAIN_LATER, socket.toString());
        assertThat(spooled()).isEmpty();
    }

    @Test
    void withoutAnAgentThePluginIsNotAvailable() {
        var answer = ring(CniVerb.STATUS);

        assertRefused(answer, CniCode.PLUGIN_NOT_AVAILABLE, socket.toString());
    }

    @Test
    void withoutAnAgentADelIsSpooled() throws IOException {
        var answer = ring(CniVerb.DEL);

        assertThat(answer).isEqualTo(answer("", "", 0));
        assertThat(spooled())
                .containsExactly(
                        new Call("cadastre-ipam", new TreeMap<>(environment(CniVerb.DEL)), Bytes.ofUtf8("{}")));
    }

    @Test
    void aDelThatCannotBeSpooledFails() throws IOException {
        Files.writeString(spool, "a file where a folder should be");

        var answer = ring(CniVerb.DEL);

        assertRefused(answer, CniCode.TRY_AGAIN_LATER, socket.toString());
    }

    @Test
    void aSocketWithoutAnAgentIsRefused() throws IOException {
        BellServer.hanging(socket).close();

        var answer = ring(CniVerb.ADD);

        assertThat(socket).exists();
        assertRefused(answer, CniCode.TRY_AGAIN_LATER, "refused");
    }

    @Test
    void aSocketWhosePathIsTooLongIsRefused() throws IOException {
        install(DoorbellSettings.of(folder.resolve("x".repeat(200)), spool));

        var answer = ring(CniVerb.ADD);

        assertRefused(answer, CniCode.TRY_AGAIN_LATER, "too long");
    }

    @Test
    void anAgentThatHangsIsGivenUp() throws IOException {
        install(DoorbellSettings.of(socket, spool).within(patience()));
        try (var _ = BellServer.hanging(socket)) {

            var added = ring(CniVerb.ADD);
            var deleted = ring(CniVerb.DEL);

            assertRefused(added, CniCode.TRY_AGAIN_LATER, "timed out");
            assertThat(deleted).isEqualTo(answer("", "", 0));
            assertThat(spooled()).hasSize(1);
        }
    }

    @Test
    void anAgentThatHangsWhileItIsSentMuchIsGivenUp() throws IOException {
        install(DoorbellSettings.of(socket, spool).within(patience()));
        try (var _ = BellServer.hanging(socket)) {

            var answer = ring("cadastre-ipam", environment(CniVerb.ADD), new byte[4 * MEBIBYTE]);

            assertRefused(answer, CniCode.TRY_AGAIN_LATER, "timed out");
        }
    }

    @Test
    void limitThatNoClockReachesIsBounded() throws IOException {
        install(DoorbellSettings.of(socket, spool).within(Duration.ofMillis(Long.MAX_VALUE)));
        try (var _ = BellServer.answering(socket, _ -> answer("done", "", 0))) {

            assertThat(ring(CniVerb.ADD)).isEqualTo(answer("done", "", 0));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "C",
                "CAD1\0\0\0",
                "HTTP/1.1 200 OK",
                "CAD2\0\0\0\5\0\0\0\0\0",
                "CAD1\0\0\0\4\0\0\0\0",
                "CAD1\0\0\0\7\0\0\0\0\2o",
                "CAD1\0\0\0\6\0\0\0\0\2o",
                "CAD1\0\0\0\6\0\177\0\0\2o",
                "CAD1\177\0\0\7\0\0\0\0\2ok"
            })
    void incompleteAnswerCountsAsNoAnswer(String said) throws IOException {
        try (var _ = BellServer.saying(socket, said.getBytes(ISO_8859_1))) {

            var added = ring(CniVerb.ADD);
            var deleted = ring(CniVerb.DEL);

            assertRefused(added, CniCode.TRY_AGAIN_LATER, socket.toString());
            assertThat(deleted).isEqualTo(answer("", "", 0));
            assertThat(spooled()).hasSize(1);
        }
    }

    @Test
    void anAgentMayAnswerWithoutListening() throws IOException {
        var said = answer("too many", "", 1);
        try (var _ = BellServer.interrupting(socket, said)) {

            var answer = ring("cadastre-ipam", environment(CniVerb.ADD), new byte[4 * MEBIBYTE]);

            assertThat(answer).isEqualTo(said);
        }
    }

    @Test
    void eachOfManyCallersGetsItsOwnAnswer() throws IOException {
        try (var _ = BellServer.answering(socket, call -> answer(call.variable("CNI_CONTAINERID"), "", 0))) {

            var answers = IntStream.range(0, callers())
                    .mapToObj(caller -> CompletableFuture.supplyAsync(() -> ring(caller), Thread::startVirtualThread))
                    .toList()
                    .stream()
                    .map(CompletableFuture::join)
                    .toList();

            assertThat(answers)
                    .extracting(answer -> answer.stdout().utf8())
                    .containsExactlyElementsOf(IntStream.range(0, callers())
                            .mapToObj(caller -> "c" + caller)
                            .toList());
        }
    }

    private CniAnswer ring(int caller) {
        return ring(
                "cadastre-ipam", Map.of("CNI_COMMAND", "ADD", "CNI_CONTAINERID", "c" + caller), "{}".getBytes(UTF_8));
    }
}
