package io.cadastre.datastore.kubernetes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/// Passes bytes between a client and a server, and swallows what the test wants lost.
final class TcpProxy implements AutoCloseable {

    /// What becomes of the bytes that come.
    enum Plan {
        PASS,
        SWALLOW_REQUESTS,
        SWALLOW_ANSWERS
    }

    private final ServerSocket listener;
    private final int serverPort;
    private final AtomicLong swallowed = new AtomicLong();
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private volatile Plan plan = Plan.PASS;

    TcpProxy(int serverPort) throws IOException {
        this.serverPort = serverPort;
        this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.startVirtualThread(this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    void plan(Plan next) {
        plan = next;
    }

    /// Whether anything was swallowed. What it was cannot be seen: it is enciphered.
    boolean hasSwallowed() {
        return swallowed.get() > 0;
    }

    /// Cuts all connections.
    void cut() {
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
                if (plan == swallowing) {
                    swallowed.addAndGet(count);
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
}
