package io.cadastre.agent.spiderpool;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Deadline;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/// A client of HTTP/1.1 over a unix socket, with a connection for each request.
///
/// Java's own client knows no unix sockets, and all that is needed of the protocol is one request and one
/// answer.
record UnixHttp(Path socket) {

    static final Duration CONNECT_MAX = Duration.ofSeconds(2);

    /// No server listens at the socket.
    static final class NotListeningException extends IOException {

        private static final long serialVersionUID = 1;

        NotListeningException(Path socket, IOException cause) {
            super("cannot connect to %s: %s".formatted(socket, cause.getMessage()), cause);
        }
    }

    /// Something that a closed channel ends.
    @FunctionalInterface
    interface Work<T> {
        T run() throws IOException;
    }

    /// Asks, and waits for the answer.
    ///
    /// @param target the path and the query, as they stand in the request
    /// @param body empty for none
    /// @throws SocketTimeoutException if it takes longer
    HttpReply ask(String method, String target, Bytes body, Duration limit) throws IOException {
        var deadline = Deadline.after(limit);
        try (var channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            connect(channel, deadline);
            return within(deadline.left(), channel, () -> {
                send(channel, request(method, target, body));
                return HttpReply.read(new BufferedInputStream(Channels.newInputStream(channel)));
            });
        }
    }

    private void connect(SocketChannel channel, Deadline deadline) throws IOException {
        var left = deadline.left();
        try {
            within(
                    left.compareTo(CONNECT_MAX) < 0 ? left : CONNECT_MAX,
                    channel,
                    () -> channel.connect(UnixDomainSocketAddress.of(socket)));
        } catch (IOException refused) {
            throw new NotListeningException(socket, refused);
        }
    }

    private static byte[] request(String method, String target, Bytes body) {
        var head = new StringBuilder()
                .append("%s %s HTTP/1.1\r\n".formatted(method, target))
                .append("Host: localhost\r\n")
                .append("Accept: application/json\r\n")
                .append("Connection: close\r\n");
        if (body.size() > 0) {
            head.append("Content-Type: application/json\r\n").append("Content-Length: %d\r\n".formatted(body.size()));
        }
        var bytes = head.append("\r\n").toString().getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocate(bytes.length + body.size())
                .put(bytes)
                .put(body.toByteArray())
                .array();
    }

    static void send(SocketChannel channel, byte[] bytes) throws IOException {
        var buffer = ByteBuffer.wrap(bytes);
        // Ends: each round sends some.
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
    }

    /// Does the work, and closes its channel if it takes longer: there is no other way to end a call of the
    /// kernel.
    static <T> T within(Duration limit, SocketChannel channel, Work<T> work) throws IOException {
        if (!limit.isPositive()) {
            throw new SocketTimeoutException("timed out");
        }
        var done = new CountDownLatch(1);
        var late = new AtomicBoolean();
        Thread.ofVirtual().name("unix-http-alarm").start(() -> {
            try {
                if (!done.await(limit.toNanos(), TimeUnit.NANOSECONDS)) {
                    late.set(true);
                    channel.close();
                }
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            } catch (IOException _) {
                // It is closed as well as it can be.
            }
        });
        try {
            return work.run();
        } catch (ClosedChannelException closed) {
            if (late.get()) {
                var timeout = new SocketTimeoutException("no answer in %d ms".formatted(limit.toMillis()));
                timeout.initCause(closed);
                throw timeout;
            }
            throw closed;
        } finally {
            done.countDown();
        }
    }
}
