package io.cadastre.agent.spiderpool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.cadastre.agent.spiderpool.SpiderpoolAgentException.Reason;
import io.cadastre.wire.spiderpool.IpamBatchDelArgs;
import io.cadastre.wire.spiderpool.PodIdentity;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(120)
class HttpSpiderpoolAgentTest {

    private static final IpamBatchDelArgs ALL =
            new IpamBatchDelArgs("c9", "/n", new PodIdentity("shop", "cart-0", "6d0e"), false);

    @TempDir
    Path folder;

    @AutoClose
    private final FakeSpiderpoolAgent peer = FakeSpiderpoolAgent.open();

    @ParameterizedTest
    @CsvSource({
        "500, REFUSED",
        "521, STATELESS_RELEASE_FORBIDDEN",
        "522, STATEFUL_RELEASE_FORBIDDEN",
        "503, REFUSED",
        "404, UNREADABLE",
        "301, UNREADABLE"
    })
    void statusSaysWhyNothingWasReleased(int status, Reason reason) {
        peer.answering(FakeSpiderpoolAgent.RELEASE_ALL, status, "\"forbid releasing IPs\"");

        var failure = failure(() -> agent().releaseAll(ALL));

        assertThat(failure.reason()).isEqualTo(reason);
        assertThat(failure.words()).endsWith("forbid releasing IPs");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"text\"| text",
                "{\"code\":602,\"message\":\"ifName in body is required\"}| ifName in body is" + " required",
                "{\"code\":602}| {\"code\":602}",
                "plain text| plain text",
            })
    void wordsOfTheAgentAreFoundInWhateverItSays(String body, String words) {
        peer.answering(FakeSpiderpoolAgent.RELEASE_ALL, 500, body);

        assertThat(failure(() -> agent().releaseAll(ALL)).words()).isEqualTo(words);
    }

    @Test
    void wordsWithoutEndAreCutOff() {
        peer.answering(FakeSpiderpoolAgent.RELEASE_ALL, 500, "x".repeat(100_000));

        assertThat(failure(() -> agent().releaseAll(ALL)).words()).hasSize(1025);
    }

    @Test
    void nameOfThePodIsEncodedInTheAddressOfItsEndpoint() {
        var found = agent().findEndpoint(new PodIdentity("shop", "a b&c", ""));

        assertThat(found).isEmpty();
        assertThat(peer.calls()).containsExactly("GET /v1/workloadendpoint?podNamespace=shop&podName=a+b%26c");
    }

    @Test
    void socketWithoutAListenerIsReported() throws IOException {
        var left = folder.resolve("left.sock");
        try (var server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(left));
        }
        var file = Files.createFile(folder.resolve("file"));
        var longName = folder.resolve("x".repeat(150));

        for (var socket : new Path[] {left, file, folder.resolve("none"), longName}) {
            var failure = failure(new HttpSpiderpoolAgent(socket, CallingRuntime.PATIENT)::checkHealth);

            assertThat(failure.reason()).isEqualTo(Reason.UNREACHABLE);
            assertThat(failure.words()).contains("cannot connect to " + socket);
        }
    }

    @Test
    void unacceptedConnectionsAreNotWaitedForBeyondTheLimit() throws IOException {
        var busy = folder.resolve("busy.sock");
        try (var server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(busy), 1);

            for (int caller = 0; caller < 5; caller++) {
                var failure = failure(new HttpSpiderpoolAgent(busy, () -> Duration.ofMillis(50))::checkHealth);

                assertThat(failure.reason()).isEqualTo(Reason.UNREACHABLE);
            }
        }
    }

    @Test
    void timeThatIsOverIsNotUsed() {
        var agent = new HttpSpiderpoolAgent(peer.socket(), () -> Duration.ZERO);

        assertThatExceptionOfType(SpiderpoolAgentException.class)
                .isThrownBy(() -> agent.releaseAll(ALL))
                .satisfies(failure -> assertThat(failure.reason()).isEqualTo(Reason.UNREACHABLE));
    }

    private HttpSpiderpoolAgent agent() {
        return new HttpSpiderpoolAgent(peer.socket(), CallingRuntime.PATIENT);
    }

    private static SpiderpoolAgentException failure(ThrowingCallable call) {
        var failure = catchThrowableOfType(SpiderpoolAgentException.class, call);
        assertThat(failure).isNotNull();
        return failure;
    }
}
