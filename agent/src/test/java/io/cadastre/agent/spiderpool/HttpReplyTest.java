package io.cadastre.agent.spiderpool;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.cadastre.datastore.Bytes;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.ProtocolException;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HttpReplyTest {

    private static final String CHUNKED = "HTTP/1.1 200 OK|Transfer-Encoding: chunked||3;x=y|abc|A|0123456789|0||";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK|Content-Length: 13||abc0123456789and more",
                "HTTP/1.0 200|content-length:13|Content-Length: 13|X: y||abc0123456789",
                "HTTP/1.1 200 OK\n\nabc0123456789",
                "HTTP/1.1 100 Continue||HTTP/1.1 200 OK||abc0123456789",
                "HTTP/1.1 200 OK|Content-Length: 5|Transfer-Encoding:" + " CHUNKED||0d|abc0123456789|0||",
                CHUNKED,
            })
    void bodyIsReadInEveryFormItMayHave(String written) throws IOException {
        assertThat(read(written)).isEqualTo(new HttpReply(200, Bytes.ofUtf8("abc0123456789")));
    }

    @Test
    void answerWithoutABodyHasNone() throws IOException {
        assertThat(read("HTTP/1.1 204 No Content||whatever").body().size()).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "HTTP/1.1 200",
                "HTTP/1.1 200 OK|Content-Length: 5||abcd",
                "HTTP/1.1 200 OK|Transfer-Encoding: chunked||5|ab",
                "HTTP/1.1 200 OK|Transfer-Encoding: chunked||2|ab|",
                "HTTP/1.1 100 Continue||",
            })
    void answerThatEndsBeforeItsEndIsNotTakenForAWhole(String written) {
        assertThatExceptionOfType(EOFException.class).isThrownBy(() -> read(written));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/2 200 OK||",
                "HTTP/1.1 20 OK||",
                "hello\n",
                "HTTP/1.1 200 OK|no header||",
                "HTTP/1.1 200 OK|Content-Length: -1||",
                "HTTP/1.1 200 OK|Content-Length: 1|Content-Length: 2||ab",
                "HTTP/1.1 200 OK|Content-Length: 99999999||",
                "HTTP/1.1 200 OK|Transfer-Encoding: gzip||",
                "HTTP/1.1 200 OK|Transfer-Encoding: chunked||x|",
                "HTTP/1.1 200 OK|Transfer-Encoding: chunked||1|ab|",
                "HTTP/1.1 200 OK|Transfer-Encoding: chunked||fffffff|ab|",
            })
    void bytesThatAreNotAnHttpReplyAreRefused(String written) {
        assertThatExceptionOfType(ProtocolException.class).isThrownBy(() -> read(written));
    }

    @Test
    void nothingIsReadWithoutABound() {
        var line = "HTTP/1.1 200 " + "x".repeat(9_000);
        var headers = "HTTP/1.1 200 OK|" + "X: y|".repeat(101) + "|";
        var interim = "HTTP/1.1 100 Continue||".repeat(9) + "HTTP/1.1 200 OK||";
        var body = "HTTP/1.1 200 OK||" + "x".repeat(4 * 1024 * 1024 + 1);

        for (var endless : new String[] {line, headers, interim, body}) {
            assertThatExceptionOfType(ProtocolException.class).isThrownBy(() -> read(endless));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void spoiltAnswersAreReadOrRefused(long seed) {
        var chance = new Random(seed);
        for (int round = 0; round < 3_000; round++) {
            var bytes = bytes(CHUNKED);
            int changes = 1 + chance.nextInt(4);
            for (int change = 0; change < changes; change++) {
                bytes[chance.nextInt(bytes.length)] = (byte) chance.nextInt(256);
            }
            try {
                assertThat(HttpReply.read(new ByteArrayInputStream(bytes)).status())
                        .isPositive();
            } catch (IOException refused) {
                assertThat(refused).hasMessageMatching("(?s).+");
            }
        }
    }

    /// @param written with strokes for the ends of lines
    private static HttpReply read(String written) throws IOException {
        return HttpReply.read(new ByteArrayInputStream(bytes(written)));
    }

    private static byte[] bytes(String written) {
        return written.replace("|", "\r\n").getBytes(ISO_8859_1);
    }
}
