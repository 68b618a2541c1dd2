package io.cadastre.agent.spiderpool;

import io.cadastre.datastore.Bytes;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Pattern;

/// The parts of a message of HTTP/1.1 that requests and answers have in common. Each part has a bound.
final class HttpMessage {

    private static final int LINE_BYTES_MAX = 8 * 1024;
    private static final int HEADERS_MAX = 100;
    private static final int CHUNKS_MAX = 64 * 1024;

    private static final Pattern LENGTH = Pattern.compile("[0-9]{1,9}");
    private static final Pattern CHUNK_LENGTH = Pattern.compile("([0-9a-fA-F]{1,7})[ \t]*(;.*)?");

    private HttpMessage() {}

    /// How the end of a body is found.
    sealed interface Framing {

        /// It has a known number of bytes.
        record Counted(int bytes) implements Framing {}

        /// It comes in pieces, the last of which is empty.
        record Chunked() implements Framing {}

        /// No header names it: the body of an answer ends with the connection, and a request has none.
        record UntilClosed() implements Framing {}
    }

    /// Reads the lines up to the first empty one.
    static Framing readHeaders(InputStream in) throws IOException {
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

    /// Reads what follows the headers.
    static Bytes readBody(InputStream in, Framing framing, int bytesMax) throws IOException {
        return switch (framing) {
            case Framing.Counted(int bytes) -> {
                checkSize(bytes, bytesMax);
                yield Bytes.of(readExactly(in, bytes));
            }
            case Framing.Chunked _ -> readChunks(in, bytesMax);
            case Framing.UntilClosed _ -> {
                // One more than is allowed, so that what is cut off is not taken for a whole.
                var bytes = in.readNBytes(bytesMax + 1);
                checkSize(bytes.length, bytesMax);
                yield Bytes.of(bytes);
            }
        };
    }

    private static Bytes readChunks(InputStream in, int bytesMax) throws IOException {
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
            checkSize(body.size() + bytes, bytesMax);
            body.write(readExactly(in, bytes));
            if (!readLine(in).isEmpty()) {
                throw new ProtocolException("a chunk is longer than its stated length");
            }
        }
        throw new ProtocolException("more than %d chunks".formatted(CHUNKS_MAX));
    }

    private static void checkSize(int bytes, int bytesMax) throws ProtocolException {
        if (bytes > bytesMax) {
            throw new ProtocolException("a body of more than %d bytes".formatted(bytesMax));
        }
    }

    private static byte[] readExactly(InputStream in, int count) throws IOException {
        var bytes = in.readNBytes(count);
        if (bytes.length < count) {
            throw new EOFException("it ends after %d of %d bytes".formatted(bytes.length, count));
        }
        return bytes;
    }

    static String readLine(InputStream in) throws IOException {
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

    static String shown(String text) {
        var end = Math.min(text.length(), 80);
        return text.substring(0, end).replaceAll("\\p{Cntrl}", "?");
    }
}
