package io.cadastre.wire.cni;

import io.cadastre.datastore.Bytes;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// What a plugin's process and the node's agent send each other: one call, and one answer to it.
///
/// A frame begins with `CAD1` and the size of what follows, four bytes with the big end first. A call is
/// the name of the plugin and each variable, ended by a zero byte each, one more zero byte, and the
/// input. An answer is the exit code in one byte, the size of the output in four, the output, and what
/// goes to the error stream. So a program of a few lines can write and read it.
public final class DoorbellFrame {

    /// More than this follows no header.
    public static final int BYTES_MAX = 8 << 20;

    private static final byte[] MARK = "CAD1".getBytes(StandardCharsets.US_ASCII);

    private static final int HEADER_BYTES = 8;
    private static final int ANSWER_HEADER_BYTES = 5;
    private static final int EXIT_CODE_MAX = 255;

    private DoorbellFrame() {}

    /// How a plugin was called.
    ///
    /// @param plugin the name it was called by, without a folder
    /// @param environment those of its variables that may matter
    public record Call(String plugin, SortedMap<String, String> environment, Bytes stdin) {

        public Call {
            environment = Collections.unmodifiableSortedMap(new TreeMap<>(environment));
        }

        /// Its variable, empty if there is none.
        public String variable(String name) {
            return environment.getOrDefault(name, "");
        }
    }

    /// Whether a variable is one that a call takes with it.
    public static boolean carries(String variable) {
        return variable.startsWith("CNI_") || variable.startsWith("K8S_") || variable.startsWith("TRACE");
    }

    /// The frame of a call.
    ///
    /// @throws FrameException if it would be too large
    public static Bytes encode(Call call) throws FrameException {
        var head = new StringBuilder(call.plugin()).append('\0');
        for (Map.Entry<String, String> variable : call.environment().entrySet()) {
            head.append(variable.getKey())
                    .append('=')
                    .append(variable.getValue())
                    .append('\0');
        }
        var text = head.append('\0').toString().getBytes(StandardCharsets.UTF_8);
        return frame(text, call.stdin().toByteArray());
    }

    /// The frame of an answer.
    ///
    /// @throws FrameException if it would be too large
    public static Bytes encode(CniAnswer answer) throws FrameException {
        if (answer.exitCode() < 0 || answer.exitCode() > EXIT_CODE_MAX) {
            throw new IllegalArgumentException("no process ends with status " + answer.exitCode());
        }
        var stdout = answer.stdout().toByteArray();
        var head = new byte[ANSWER_HEADER_BYTES];
        ByteBuffer.wrap(head).put((byte) answer.exitCode()).putInt(stdout.length);
        return frame(head, stdout, answer.stderr().toByteArray());
    }

    private static Bytes frame(byte[]... parts) throws FrameException {
        long size = 0;
        for (var part : parts) {
            size += part.length;
        }
        if (size > BYTES_MAX) {
            throw tooLarge(size);
        }
        var bytes = new byte[HEADER_BYTES + (int) size];
        var frame = ByteBuffer.wrap(bytes).put(MARK).putInt((int) size);
        for (var part : parts) {
            frame.put(part);
        }
        return Bytes.of(bytes);
    }

    /// Reads a call.
    ///
    /// @throws EOFException if nothing comes, or not all of it
    /// @throws FrameException if it is not one, or is too large
    public static Call readCall(InputStream stream) throws IOException {
        var body = read(stream);
        var environment = new TreeMap<String, String>();
        int from = textEnd(body, 0);
        var plugin = text(body, 0, from);
        from++;
        // Ends: each round goes on after the zero byte that it found.
        for (int end = textEnd(body, from); end > from; end = textEnd(body, from)) {
            var variable = text(body, from, end);
            int equals = variable.indexOf('=');
            if (equals < 0) {
                throw new FrameException("a variable has no value");
            }
            environment.put(variable.substring(0, equals), variable.substring(equals + 1));
            from = end + 1;
        }
        var stdin = Arrays.copyOfRange(body, from + 1, body.length);
        return new Call(plugin, environment, Bytes.of(stdin));
    }

    private static int textEnd(byte[] body, int from) throws FrameException {
        for (int index = from; index < body.length; index++) {
            if (body[index] == 0) {
                return index;
            }
        }
        throw new FrameException("a text has no end");
    }

    private static String text(byte[] body, int from, int end) {
        return new String(body, from, end - from, StandardCharsets.UTF_8);
    }

    /// Reads an answer.
    ///
    /// @throws EOFException if nothing comes, or not all of it
    /// @throws FrameException if it is not one, or is too large
    public static CniAnswer readAnswer(InputStream stream) throws IOException {
        var body = ByteBuffer.wrap(read(stream));
        if (body.remaining() < ANSWER_HEADER_BYTES) {
            throw new FrameException("its reply is not an answer");
        }
        int exitCode = Byte.toUnsignedInt(body.get());
        int size = body.getInt();
        if (size < 0 || size > body.remaining()) {
            throw new FrameException("its answer is cut short");
        }
        var stdout = new byte[size];
        body.get(stdout);
        var stderr = new byte[body.remaining()];
        body.get(stderr);
        return new CniAnswer(Bytes.of(stdout), Bytes.of(stderr), exitCode);
    }

    private static byte[] read(InputStream stream) throws IOException {
        var header = stream.readNBytes(HEADER_BYTES);
        if (header.length == 0) {
            throw new EOFException("it hung up");
        }
        if (header.length < HEADER_BYTES || !Arrays.equals(header, 0, MARK.length, MARK, 0, 4)) {
            throw new FrameException("its reply is not a frame");
        }
        long size = Integer.toUnsignedLong(ByteBuffer.wrap(header).getInt(MARK.length));
        if (size > BYTES_MAX) {
            throw tooLarge(size);
        }
        var body = stream.readNBytes((int) size);
        if (body.length < size) {
            throw new EOFException("it hung up after %d of %d bytes".formatted(body.length, size));
        }
        return body;
    }

    private static FrameException tooLarge(long size) {
        return new FrameException("a frame of %d bytes is larger than %d".formatted(size, BYTES_MAX));
    }
}
