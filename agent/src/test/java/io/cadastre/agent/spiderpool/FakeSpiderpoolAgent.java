package io.cadastre.agent.spiderpool;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.EOFException;
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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/// An agent of Spiderpool's kind: HTTP on a unix socket. It is healthy, takes everything back and gives
/// nothing, unless the test sets another answer.
final class FakeSpiderpoolAgent implements AutoCloseable {

    static final String HEALTH = "GET /v1/ipam/healthy";
    static final String ALLOCATE = "POST /v1/ipam/ip";
    static final String RELEASE = "DELETE /v1/ipam/ip";
    static final String RELEASE_ALL = "DELETE /v1/ipam/ips";

    private static final String SILENCE = "";

    /// What was asked of it.
    ///
    /// @param call method and target
    record Asked(String call, String body) {}

    private final Path socket;
    private final ServerSocketChannel server;
    private final Map<String, String> replies = new ConcurrentHashMap<>();
    private final List<Asked> asked = new CopyOnWriteArrayList<>();
    private final List<SocketChannel> clients = new CopyOnWriteArrayList<>();

    private FakeSpiderpoolAgent(Path socket) throws IOException {
        this.socket = socket;
        this.server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        server.bind(UnixDomainSocketAddress.of(socket));
        answering(HEALTH, 200, "");
        answering(ALLOCATE, 200, "{\"ips\":null,\"routes\":null}");
        answering(RELEASE, 200, "");
        answering(RELEASE_ALL, 200, "");
    }

    /// Listens in a folder of its own.
    static FakeSpiderpoolAgent open() {
        try {
            var peer = new FakeSpiderpoolAgent(Files.createTempDirectory("peer").resolve("s.sock"));
            Thread.ofVirtual().start(peer::accept);
            return peer;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /// Answers so from now on.
    FakeSpiderpoolAgent answering(String call, int status, String body) {
        return sending(
                call,
                "HTTP/1.1 %d Some\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
                        .formatted(status, body.getBytes(UTF_8).length, body));
    }

    /// Sends these very bytes from now on, and then hangs up.
    FakeSpiderpoolAgent sending(String call, String bytes) {
        replies.put(call, bytes);
        return this;
    }

    /// Answers nothing from now on, and does not hang up.
    FakeSpiderpoolAgent silentAt(String call) {
        return sending(call, SILENCE);
    }

    Path socket() {
        return socket;
    }

    List<Asked> asked() {
        return List.copyOf(asked);
    }

    List<String> calls() {
        return asked.stream().map(Asked::call).toList();
    }

    /// The body of the only such call.
    String bodyOf(String call) {
        var bodies = asked.stream().filter(one -> one.call().equals(call)).toList();
        if (bodies.size() != 1) {
            throw new AssertionError("not one %s in %s".formatted(call, asked));
        }
        return bodies.getFirst().body();
    }

    private void accept() {
        try {
            while (true) {
                var client = server.accept();
                clients.add(client);
                Thread.ofVirtual().start(() -> serve(client));
            }
        } catch (ClosedChannelException ended) {
            // The test is over.
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private void serve(SocketChannel client) {
        try {
            var in = new BufferedInputStream(Channels.newInputStream(client));
            var words = line(in).split(" ", -1);
            var call = words[0] + " " + words[1];
            asked.add(new Asked(call, new String(in.readNBytes(length(in)), UTF_8)));
            var reply = replies.getOrDefault(call, "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
            if (!reply.equals(SILENCE)) {
                var bytes = ByteBuffer.wrap(reply.getBytes(UTF_8));
                while (bytes.hasRemaining()) {
                    client.write(bytes);
                }
                client.close();
            }
        } catch (IOException gone) {
            // The caller has hung up.
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
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException();
            }
            line.append(new String(new byte[] {(byte) next}, ISO_8859_1));
        }
        return line.toString().strip();
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (var client : clients) {
            client.close();
        }
        Files.deleteIfExists(socket);
        Files.deleteIfExists(Objects.requireNonNull(socket.getParent()));
    }
}
