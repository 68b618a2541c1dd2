package io.cadastre.datastore.kubernetes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/// Passes bytes on, but not for connections that were open at the last [#kill()]: these swallow what comes from
/// either side, and the peers hear nothing of each other any more, not even the end.
final class DyingProxy implements AutoCloseable {

    private final ServerSocket listener = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
    private final int serverPort;
    private final AtomicInteger generation = new AtomicInteger();
    private final AtomicInteger opened = new AtomicInteger();
    private final Set<Socket> clients = ConcurrentHashMap.newKeySet();

    DyingProxy(int serverPort) throws IOException {
        this.serverPort = serverPort;
        Thread.ofVirtual().start(this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    /// Lets all connections die that are open.
    ///
    /// @return how many were opened since the last time
    int kill() {
        generation.incrementAndGet();
        return opened.getAndSet(0);
    }

    /// How many connections were opened since the last [#kill()].
    int opened() {
        return opened.get();
    }

    /// How many connections their clients have not closed, dead or alive.
    int open() {
        return clients.size();
    }

    /// Ends: closing the proxy closes the listener.
    private void accept() {
        while (!listener.isClosed()) {
            try {
                var client = listener.accept();
                var server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
                client.setTcpNoDelay(true);
                server.setTcpNoDelay(true);
                opened.incrementAndGet();
                clients.add(client);
                int born = generation.get();
                Thread.ofVirtual().start(() -> {
                    pass(client, server, born);
                    clients.remove(client);
                    close(client);
                    close(server);
                });
                Thread.ofVirtual().start(() -> {
                    pass(server, client, born);
                    if (born == generation.get()) {
                        close(client);
                    }
                });
            } catch (IOException closed) {
                // The proxy was closed, or the server is down and the client will notice.
            }
        }
    }

    private void pass(Socket from, Socket to, int born) {
        var buffer = new byte[1 << 16];
        try {
            var source = from.getInputStream();
            // Ends: a closed socket ends the reading.
            for (int count = source.read(buffer); count >= 0; count = source.read(buffer)) {
                if (born == generation.get()) {
                    to.getOutputStream().write(buffer, 0, count);
                }
            }
        } catch (IOException ended) {
            // A peer left.
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        clients.forEach(DyingProxy::close);
    }
}
