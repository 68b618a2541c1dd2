package io.cadastre.datastore.etcd;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;

/// Passes bytes between a client and a server, and loses what the test wants lost.
final class TcpProxy implements AutoCloseable {

    /// What becomes of the bytes that come next.
    enum Plan {
        /// Everything passes.
        PASS,
        /// The connections are cut, once, when the client next sends; nothing of it is passed on.
        CUT_BEFORE_REQUEST,
        /// The connections are cut, once, when the server next sends; nothing of it is passed on.
        CUT_BEFORE_ANSWER
    }

    private final ServerSocket listener;
    private final int serverPort;
    private final AtomicReference<Plan> plan = new AtomicReference<>(Plan.PASS);
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

    TcpProxy(int serverPort) throws IOException {
        this.serverPort = serverPort;
        this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.startVirtualThread(this::accept);
    }

    EtcdEndpoint endpoint() {
        return EtcdEndpoint.parse("http://127.0.0.1:" + listener.getLocalPort());
    }

    void plan(Plan next) {
        plan.set(next);
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
                Thread.startVirtualThread(() -> pass(client, server, Plan.CUT_BEFORE_REQUEST));
                Thread.startVirtualThread(() -> pass(server, client, Plan.CUT_BEFORE_ANSWER));
            } catch (IOException closed) {
                // The proxy was closed, or the server is down and the client will notice.
            }
        }
    }

    private void pass(Socket from, Socket to, Plan cut) {
        var buffer = new byte[1 << 16];
        try {
            InputStream source = from.getInputStream();
            int count = source.read(buffer);
            // Ends: a closed socket ends the reading.
            while (count >= 0) {
                if (plan.compareAndSet(cut, Plan.PASS)) {
                    break;
                }
                to.getOutputStream().write(buffer, 0, count);
                count = source.read(buffer);
            }
        } catch (IOException ended) {
            // The other direction was cut, or a peer left.
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
        sockets.forEach(this::close);
    }
}
