package io.cadastre.datastore;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Passes bytes between a client and a server, and swallows what the test wants lost.
public final class TcpProxy implements AutoCloseable {

    /// What becomes of the bytes that come.
    public enum Plan {
        PASS,
        SWALLOW_REQUESTS,
        SWALLOW_ANSWERS
    }

    private final ServerSocket listener;
    private final int serverPort;
    private final ByteArrayOutputStream swallowed = new ByteArrayOutputStream();
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private volatile Plan plan = Plan.PASS;
    private volatile Optional<Trigger> trigger = Optional.empty();

    public TcpProxy(int serverPort) throws IOException {
        this.serverPort = serverPort;
        this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.startVirtualThread(this::accept);
    }

    public int port() {
        return listener.getLocalPort();
    }

    public void plan(Plan next) {
        plan = next;
    }

    /// Changes the plan when a request with this text comes, which is the first it applies to.
    public void planFrom(String text, Plan next) {
        trigger = Optional.of(new Trigger(text, next));
    }

    /// Whether anything was swallowed. Of what is enciphered no more can be seen.
    public boolean hasSwallowed() {
        return swallowed.size() > 0;
    }

    /// Whether this text was among what was swallowed.
    public boolean hasSwallowed(String text) {
        return swallowed.toString(StandardCharsets.ISO_8859_1).contains(text);
    }

    /// Cuts all connections.
    public void cut() {
        sockets.forEach(this::close);
    }

    /// Ends: closing the proxy closes the listener.
    private void accept() {
        while (!listener.isClosed()) {
            try {
                var client = listener.accept();
                var server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
                client.setTcpNoDelay(true);
                server.setTcpNoDelay(true);
                sockets.add(client);
                sockets.add(server);
                Thread.startVirtualThread(() -> pass(client, server, Plan.SWALLOW_REQUESTS));
                Thread.startVirtualThread(() -> pass(server, client, Plan.SWALLOW_ANSWERS));
            } catch (IOException closed) {
                // The proxy was closed, or the server is down and the client will notice.
            }
        }
    }

    private void pass(Socket from, Socket to, Plan swallowing) {
        var buffer = new byte[1 << 16];
        try {
            var source = from.getInputStream();
            // Ends: a closed socket ends the reading.
            for (int count = source.read(buffer); count >= 0; count = source.read(buffer)) {
                if (swallowing == Plan.SWALLOW_REQUESTS) {
                    pull(new String(buffer, 0, count, StandardCharsets.ISO_8859_1));
                }
                if (plan == swallowing) {
                    swallowed.write(buffer, 0, count);
                } else {
                    to.getOutputStream().write(buffer, 0, count);
                }
            }
        } catch (IOException ended) {
            // The connection was cut, or a peer left.
        } finally {
            close(from);
            close(to);
        }
    }

    private void pull(String request) {
        trigger.filter(each -> request.contains(each.text)).ifPresent(each -> {
            plan = each.next;
            trigger = Optional.empty();
        });
    }

    private void close(Socket socket) {
        sockets.remove(socket);
        try {
            socket.close();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        cut();
    }

    private record Trigger(String text, Plan next) {}
}
