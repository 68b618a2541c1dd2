package io.cadastre.cli.cni;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cadastre.address.Address;
import io.cadastre.datastore.Bytes;
import io.cadastre.wire.cni.CniDns;
import io.cadastre.wire.cni.CniIp;
import io.cadastre.wire.cni.InterfaceAddress;
import io.cadastre.wire.spiderpool.AllocatedIp;
import io.cadastre.wire.spiderpool.IpamAddArgs;
import io.cadastre.wire.spiderpool.IpamAddResponse;
import io.cadastre.wire.spiderpool.IpamBatchDelArgs;
import io.cadastre.wire.spiderpool.IpamDelArgs;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;

/// An agent of Spiderpool's kind with a pool of a few addresses, of which it gives a pod the lowest that is
/// free, and which it wants to be looked for before they are used. It stands for another program, so it
/// shares nothing with the agent but the forms.
final class PoolPeer implements AutoCloseable {

    private static final int POOL_SIZE = 8;

    private final ServerSocketChannel server;

    /// By address, who has it.
    private final Map<String, String> held = new ConcurrentSkipListMap<>();

    private final List<String> calls = new CopyOnWriteArrayList<>();

    private PoolPeer(Path socket) throws IOException {
        server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        server.bind(UnixDomainSocketAddress.of(socket));
    }

    static PoolPeer at(Path socket) throws IOException {
        var peer = new PoolPeer(socket);
        Thread.ofVirtual().start(peer::accept);
        return peer;
    }

    Map<String, String> held() {
        return Map.copyOf(held);
    }

    /// Method and path of what it was asked.
    List<String> calls() {
        return List.copyOf(calls);
    }

    /// It loses what it wrote down.
    void forget() {
        held.clear();
    }

    private void accept() {
        try {
            while (true) {
                var client = server.accept();
                Thread.ofVirtual().start(() -> serve(client));
            }
        } catch (ClosedChannelException ended) {
            // The test is over.
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private void serve(SocketChannel client) {
        try (client) {
            var in = new BufferedInputStream(Channels.newInputStream(client));
            var words = line(in).split(" ", -1);
            var body = Bytes.of(in.readNBytes(length(in)));
            var call = words[0] + " " + words[1];
            calls.add(call);
            var answer = answer(call, body).toByteArray();
            var head = "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n".formatted(answer.length);
            send(client, head.getBytes(UTF_8));
            send(client, answer);
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }

    private Bytes answer(String call, Bytes body) {
        return switch (call) {
            case "POST /v1/ipam/ip" -> allocate(IpamAddArgs.parse(body));
            case "DELETE /v1/ipam/ip" -> release(IpamDelArgs.parse(body).pod().name());
            case "DELETE /v1/ipam/ips" ->
                release(IpamBatchDelArgs.parse(body).pod().name());
            case "GET /v1/ipam/healthy" -> Bytes.ofUtf8("");
            default -> throw new AssertionError("asked for " + call);
        };
    }

    private synchronized Bytes allocate(IpamAddArgs args) {
        for (int index = 2; index < 2 + POOL_SIZE; index++) {
            var text = "10.79.0.%d".formatted(index);
            if (held.putIfAbsent(text, args.pod().name()) == null) {
                var address = new InterfaceAddress(Address.parse(text), 24);
                var ip = AllocatedIp.of(args.ifName(), CniIp.of(address), "few");
                return new IpamAddResponse(List.of(ip.detecting(false, true)), List.of(), CniDns.NONE).encode();
            }
        }
        throw new AssertionError("no address is free");
    }

    private synchronized Bytes release(String pod) {
        held.values().removeIf(pod::equals);
        return Bytes.ofUtf8("");
    }

    private static void send(SocketChannel client, byte[] bytes) throws IOException {
        var buffer = ByteBuffer.wrap(bytes);
        while (buffer.hasRemaining()) {
            client.write(buffer);
        }
    }

    private static int length(InputStream in) throws IOException {
        int length = 0;
        for (var line = line(in); !line.isEmpty(); line = line(in)) {
            if (line.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
                length = Integer.parseInt(line.substring(line.indexOf(':') + 1).strip());
            }
        }
        return length;
    }

    private static String line(InputStream in) throws IOException {
        var line = new StringBuilder();
        for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
            line.append((char) next);
        }
        return line.toString().strip();
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
