package io.cadastre.cli;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/// An etcd in which nothing is kept, for a [TrainingRun]: whatever it is asked, it answers that it is at
/// revision one. It speaks as much of HTTP/2 (RFC 9113) as a client of gRPC needs that sends one message
/// a call.
final class TrainingEtcd implements AutoCloseable {

    private static final int PREFACE_BYTES = 24;

    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int SETTINGS = 4;
    private static final int PING = 6;

    private static final int ACK = 1;
    private static final int END_STREAM = 1;
    private static final int END_HEADERS = 4;

    /// A header of an answer at revision one, behind the five bytes with which gRPC begins a message.
    private static final byte[] MESSAGE = {0, 0, 0, 0, 4, 0x0a, 2, 0x18, 1};

    /// The status 200 has the number 8 in the table of header fields.
    private static final byte[] OPENING = field(0x88, "content-type", "application/grpc");

    private static final byte[] TRAILER = field(0, "grpc-status", "0");

    private final ServerSocket server;

    private TrainingEtcd(ServerSocket server) {
        this.server = server;
    }

    static TrainingEtcd start() throws IOException {
        var etcd = new TrainingEtcd(new ServerSocket(0, 10, InetAddress.getLoopbackAddress()));
        Thread.ofPlatform().daemon().start(etcd::accept);
        return etcd;
    }

    String endpoint() {
        return "http://127.0.0.1:" + server.getLocalPort();
    }

    private void accept() {
        // Ends: when it is closed.
        while (!server.isClosed()) {
            try {
                var client = server.accept();
                Thread.ofPlatform().daemon().start(() -> answer(client));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private static void answer(Socket client) {
        try (client) {
            var in = new DataInputStream(client.getInputStream());
            var out = client.getOutputStream();
            in.readNBytes(PREFACE_BYTES);
            send(out, SETTINGS, 0, 0, new byte[0]);
            // Ends: when the client hangs up.
            while (true) {
                int size = in.readUnsignedByte() << 16 | in.readUnsignedShort();
                int type = in.readUnsignedByte();
                int flags = in.readUnsignedByte();
                int stream = in.readInt();
                var content = in.readNBytes(size);
                if (type == SETTINGS && (flags & ACK) == 0) {
                    send(out, SETTINGS, ACK, 0, new byte[0]);
                } else if (type == PING && (flags & ACK) == 0) {
                    send(out, PING, ACK, 0, content);
                } else if (type == DATA && (flags & END_STREAM) != 0) {
                    send(out, HEADERS, END_HEADERS, stream, OPENING);
                    send(out, DATA, 0, stream, MESSAGE);
                    send(out, HEADERS, END_HEADERS | END_STREAM, stream, TRAILER);
                }
            }
        } catch (IOException gone) {
            // It has asked all that it wanted.
        }
    }

    private static void send(OutputStream out, int type, int flags, int stream, byte[] content) throws IOException {
        var frame = ByteBuffer.allocate(9 + content.length);
        frame.putInt(content.length << 8 | type)
                .put((byte) flags)
                .putInt(stream)
                .put(content);
        out.write(frame.array());
        out.flush();
    }

    /// A field that is spelled out.
    ///
    /// @param before what stands before it, if it is not zero
    private static byte[] field(int before, String name, String value) {
        var bytes = ByteBuffer.allocate(64);
        if (before != 0) {
            bytes.put((byte) before);
        }
        bytes.put((byte) 0).put((byte) name.length()).put(name.getBytes(StandardCharsets.US_ASCII));
        bytes.put((byte) value.length()).put(value.getBytes(StandardCharsets.US_ASCII));
        var exact = new byte[bytes.position()];
        bytes.flip().get(exact);
        return exact;
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
