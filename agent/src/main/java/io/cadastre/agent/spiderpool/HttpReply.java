package io.cadastre.agent.spiderpool;

import io.cadastre.datastore.Bytes;
import io.cadastre.wire.cni.CniJson;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Pattern;

/// An answer of HTTP/1.1, as far as a client needs it that asks once on each connection.
record HttpReply(int status, Bytes body) {

    private static final int BODY_BYTES_MAX = CniJson.BYTES_MAX;
    private static final int LINE_BYTES_MAX = 8 * 1024;
    private static final int HEADERS_MAX = 100;
    private static final int INTERIM_REPLIES_MAX = 8;
    private static final int CHUNKS_MAX = 64 * 1024;

    private static final Pattern STATUS_LINE = Pattern.compile("HTTP/1\\.[01] ([1-9][0-9]{2})( .*)?");
    private static final Pattern LENGTH = Pattern.compile("[0-9]{1,9}");
    private static final Pattern CHUNK_LENGTH = Pattern.compile("([0-9a-fA-F]{1,7})[ \t]*(;.*)?");

    /// How the end of a body is found.
    private sealed interface Framing {

        /// It has a known number of bytes.
        record Counted(int bytes) implements Framing {}

        /// It comes in pieces, the last of which is empty.
        record Chunked() implements Framing {}

        /// It ends with the connection.
        record UntilClosed() implements Framing {}
    }

    /// Reads an answer, and nothing after it.
    ///
    /// @throws EOFException if it ends before its end
    /// @throws ProtocolException if it is not an answer, or larger than any should be
    static HttpReply read(InputStream in) throws IOException {
        for (int reply = 0; reply <= INTERIM_REPLIES_MAX; reply++) {
            int status = readStatus(in);
            var framing = readHeaders(in);
            if (status >= 200) {
                boolean bodiless = status == 204 || status == 304;
                return new HttpReply(status, bodiless ? Bytes.of(new byte[0]) : readBody(in, framing));
            }
        }
        throw new ProtocolException("more than %d interim answers".formatted(INTERIM_REPLIES_MAX));
    }

    boolean succeeded() {
        return status == 200;
    }

    private static int readStatus(InputStream in) throws IOException {
        var line = readLine(in);
        var matcher = STATUS_LINE.matcher(line);
        if (!matcher.matches()) {
            throw new ProtocolException("'%s' is not an HTTP/1.1 status line".formatted(shown(line)));
        }
        return Integer.parseInt(matcher.group(1));
    }

    private static Framing readHeaders(InputStream in) throws IOException {
        Framing framing = new Framing.UntilClosed();
        for (int header = 0; header <= HEADERS_MAX; header++) {
            var line = readLine(in);
            if (line.isEmpty()) {
                return framing;
            }
            int colon = line.indexOf(':');
            if (colon <= 0) {
                throw new ProtocolException("'%s' is not a header".formatted(shown(line)));
            }
            var value = line.substring(colon + 1).strip();
            framing = switch (line.substring(0, colon).toLowerCase(Locale.ROOT)) {
                case "content-length" -> counted(framing, value);
                case "transfer-encoding" -> chunked(value);
                default -> framing;
            };
        }
        throw new ProtocolException("more than %d headers".formatted(HEADERS_MAX));
    }

    /// The pieces go before the length if both are given.
    private static Framing counted(Framing before, String value) throws ProtocolException {
        if (!LENGTH.matcher(value).matches()) {
            throw new ProtocolException("Content-Length: '%s' is not a length".formatted(shown(value)));
        }
        var counted = new Framing.Counted(Integer.parseInt(value));
        return switch (before) {
            case Framing.UntilClosed _ -> counted;
            case Framing.Chunked chunked -> chunked;
            case Framing.Counted first -> {
                if (!first.equals(counted)) {
                    throw new ProtocolException("Content-Length is given twice");
                }
                yield first;
            }
        };
    }

    private static Framing chunked(String value) throws ProtocolException {
        if (!value.equalsIgnoreCase("chunked")) {
            throw new ProtocolException("Transfer-Encoding: '%s' is unknown".formatted(shown(value)));
        }
        return new Framing.Chunked();
    }

    private static Bytes readBody(InputStream in, Framing framing) throws IOException {
        return switch (framing) {
            case Framing.Counted(int bytes) -> {
                checkSize(bytes);
                yield Bytes.of(readExactly(in, bytes));
            }
            case Framing.Chunked _ -> readChunks(in);
            case Framing.UntilClosed _ -> {
                // One more than is allowed, so that what is cut off is not taken for a whole.
                var bytes = in.readNBytes(BODY_BYTES_MAX + 1);
                checkSize(bytes.length);
                yield Bytes.of(bytes);
            }
        };
    }

    private static Bytes readChunks(InputStream in) throws IOException {
        var body = new ByteArrayOutputStream();
        for (int chunk = 0; chunk < CHUNKS_MAX; chunk++) {
            var line = readLine(in);
            var matcher = CHUNK_LENGTH.matcher(line);
            if (!matcher.matches()) {
                throw new ProtocolException("'%s' is not a chunk length".formatted(shown(line)));
            }
            int bytes = Integer.parseInt(matcher.group(1), 16);
            if (bytes == 0) {
                // What may follow are headers that are not needed.
                return Bytes.of(body.toByteArray());
            }
            checkSize(body.size() + bytes);
            body.write(readExactly(in, bytes));
            if (!readLine(in).isEmpty()) {
                throw new ProtocolException("a chunk is longer than its stated length");
            }
        }
        throw new ProtocolException("more than %d chunks".formatted(CHUNKS_MAX));
    }

    private static void checkSize(int bytes) throws ProtocolException {
        if (bytes > BODY_BYTES_MAX) {
            throw new ProtocolException("a body of more than %d bytes".formatted(BODY_BYTES_MAX));
        }
    }

    private static byte[] readExactly(InputStream in, int count) throws IOException {
        var bytes = in.readNBytes(count);
        if (bytes.length < count) {
            throw new EOFException("it ends after %d of %d bytes".formatted(bytes.length, count));
        }
        return bytes;
    }

    private static String readLine(InputStream in) throws IOException {
        var line = new ByteArrayOutputStream();
        while (line.size() < LINE_BYTES_MAX) {
            int next = in.read();
            if (next < 0) {
                throw new EOFException("it ends in the middle of a line");
            }
            if (next == '\n') {
                var text = line.toString(StandardCharsets.ISO_8859_1);
                return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
            }
            line.write(next);
        }
        throw new ProtocolException("a line of more than %d bytes".formatted(LINE_BYTES_MAX));
    }

    private static String shown(String text) {
        var end = Math.min(text.length(), 80);
        return text.substring(0, end).replaceAll("\\p{Cntrl}", "?");
    }
}
