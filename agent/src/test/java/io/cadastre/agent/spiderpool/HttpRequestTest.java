package io.cadastre.agent.spiderpool;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.ProtocolException;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HttpRequestTest {

    private static final String CHUNKED =
            "POST /v1/ipam/ip HTTP/1.1|Transfer-Encoding: chunked||3;x=y|abc|a|0123456789|0|X: y||";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "POST /v1/ipam/ip HTTP/1.1|Content-Length: 13||abc0123456789",
                "POST /v1/ipam/ip HTTP/1.0|content-length:13||abc0123456789and more",
                CHUNKED,
            })
    void bodyIsReadInEveryFormItMayHave(String written) throws IOException {
        var request = read(written);

        assertThat(request.method()).isEqualTo("POST");
        assertThat(request.path()).isEqualTo("/v1/ipam/ip");
        assertThat(request.body().utf8()).isEqualTo("abc0123456789");
    }

    @Test
    void queryIsDecoded() throws IOException {
        var request = read("GET /v1/workloadendpoint?podNamespace=ns%201&podName=a+b&podName=c&x HTTP/1.1||");

        assertThat(request.body().size()).isZero();
        assertThat(request.find("podNamespace")).contains("ns 1");
        assertThat(request.find("podName")).contains("a b");
        assertThat(request.find("x")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "POST /x HTTP/1.1",
                "POST /x HTTP/1.1|Content-Length: 5||abcd",
                "POST /x HTTP/1.1|Transfer-Encoding: chunked||5|ab",
                "POST /x HTTP/1.1|Transfer-Encoding: chunked||0|",
            })
    void requestThatEndsBeforeItsEndIsNotTakenForAWhole(String written) {
        assertThatExceptionOfType(EOFException.class).isThrownBy(() -> read(written));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "hello|",
                "post /x HTTP/1.1||",
                "POST x HTTP/1.1||",
                "POST /a b HTTP/1.1||",
                "GET /x?%zz HTTP/1.1||",
                "POST /x HTTP/2||",
                "POST /x HTTP/1.1|no header||",
                "POST /x HTTP/1.1|Content-Length: -1||",
                "POST /x HTTP/1.1|Content-Length: 1048577||",
                "POST /x HTTP/1.1|Transfer-Encoding: gzip||",
                "POST /x HTTP/1.1|Transfer-Encoding: chunked||100001|",
            })
    void bytesThatAreNotARequestAreRefused(String written) {
        assertThatExceptionOfType(ProtocolException.class).isThrownBy(() -> read(written));
    }

    @Test
    void nothingIsReadWithoutABound() {
        var line = "GET /" + "x".repeat(9_000);
        var headers = "GET / HTTP/1.1|" + "X: y|".repeat(101) + "|";
        var chunks = "POST / HTTP/1.1|Transfer-Encoding: chunked||" + "1|x|".repeat(64 * 1024 + 1);

        for (var endless : new String[] {line, headers, chunks}) {
            assertThatExceptionOfType(ProtocolException.class).isThrownBy(() -> read(endless));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void spoiltRequestsAreReadOrRefused(long seed) {
        var chance = new Random(seed);
        for (int round = 0; round < 3_000; round++) {
            var bytes = bytes(CHUNKED);
            int changes = 1 + chance.nextInt(4);
            for (int change = 0; change < changes; change++) {
                bytes[chance.nextInt(bytes.length)] = (byte) chance.nextInt(256);
            }
            try {
                assertThat(HttpRequest.read(new ByteArrayInputStream(bytes)).method())
                        .isNotEmpty();
            } catch (IOException refused) {
                assertThat(refused).hasMessageMatching("(?s).+");
            }
        }
    }

    /// @param written with strokes for the ends of lines
    private static HttpRequest read(String written) throws IOException {
        return HttpRequest.read(new ByteArrayInputStream(bytes(written)));
    }

    private static byte[] bytes(String written) {
        return written.replace("|", "\r\n").getBytes(ISO_8859_1);
    }
}
