package io.cadastre.datastore.etcd;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// A DNS server on loopback that knows a few service records and nothing else (RFC 1035, RFC 2782).
final class DnsServer implements AutoCloseable {

    private static final int HEADER_BYTES = 12;
    private static final int ANSWER_AUTHORITATIVE = 0x8580;
    private static final int NAME_UNKNOWN = 3;
    private static final int TYPE_SRV = 33;
    private static final int CLASS_INTERNET = 1;
    private static final int NAME_OF_THE_QUESTION = 0xc00c;

    private final DatagramSocket socket;
    private final Map<String, List<Service>> services;

    DnsServer(Map<String, List<Service>> services) throws IOException {
        this.services = services;
        this.socket = new DatagramSocket(0, InetAddress.getLoopbackAddress());
        Thread.startVirtualThread(this::serve);
    }

    record Service(int priority, int weight, int port, String host) {}

    /// As JNDI wants it.
    String url() {
        return "dns://127.0.0.1:" + socket.getLocalPort();
    }

    @Override
    public void close() {
        socket.close();
    }

    /// Ends: closing the socket ends the receiving.
    private void serve() {
        while (!socket.isClosed()) {
            try {
                var packet = new DatagramPacket(new byte[512], 512);
                socket.receive(packet);
                var answer = answer(ByteBuffer.wrap(packet.getData(), 0, packet.getLength()));
                socket.send(new DatagramPacket(answer, answer.length, packet.getSocketAddress()));
            } catch (IOException closed) {
                // The server was closed.
            }
        }
    }

    private byte[] answer(ByteBuffer query) throws IOException {
        short id = query.getShort(0);
        query.position(HEADER_BYTES);
        var name = new StringBuilder();
        for (int length = query.get(); length > 0; length = query.get()) {
            var label = new byte[length];
            query.get(label);
            name.append(name.isEmpty() ? "" : ".").append(new String(label, StandardCharsets.US_ASCII));
        }
        int questionEnd = query.position() + 2 * Short.BYTES;
        var found = services.getOrDefault(name.toString().toLowerCase(Locale.ROOT), List.of());

        var bytes = new ByteArrayOutputStream();
        var out = new DataOutputStream(bytes);
        out.writeShort(id);
        out.writeShort(ANSWER_AUTHORITATIVE | (found.isEmpty() ? NAME_UNKNOWN : 0));
        out.writeShort(1);
        out.writeShort(found.size());
        out.writeInt(0);
        var question = new byte[questionEnd - HEADER_BYTES];
        query.get(HEADER_BYTES, question);
        out.write(question);
        for (var service : found) {
            write(service, out);
        }
        return bytes.toByteArray();
    }

    private static void write(Service service, DataOutputStream out) throws IOException {
        var target = new ByteArrayOutputStream();
        for (var label : service.host().split("\\.", -1)) {
            target.write(label.length());
            target.writeBytes(label.getBytes(StandardCharsets.US_ASCII));
        }
        target.write(0);
        out.writeShort(NAME_OF_THE_QUESTION);
        out.writeShort(TYPE_SRV);
        out.writeShort(CLASS_INTERNET);
        out.writeInt(60);
        out.writeShort(3 * Short.BYTES + target.size());
        out.writeShort(service.priority());
        out.writeShort(service.weight());
        out.writeShort(service.port());
        target.writeTo(out);
    }
}
