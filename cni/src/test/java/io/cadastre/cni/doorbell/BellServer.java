package io.cadastre.cni.doorbell;

import io.cadastre.wire.cni.CniAnswer;
import io.cadastre.wire.cni.DoorbellFrame;
import io.cadastre.wire.cni.DoorbellFrame.Call;
import java.io.IOException;
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
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;

/// A server on the agent's socket that behaves as a test wants.
final class BellServer implements AutoCloseable {

    private static final int BACKLOG = 256;

    private final ServerSocketChannel server;
    private final Queue<Call> heard;
    private final Queue<SocketChannel> clients = new ConcurrentLinkedQueue<>();
    private final Thread accepting;

    /// What is done with a caller. Afterwards the connection is closed, unless the caller is to be kept waiting.
    interface Behaviour {
        void serve(SocketChannel client) throws IOException;
    }

    private BellServer(Path socket, Manners manners, Behaviour behaviour) throws IOException {
        this(socket, manners, behaviour, new ConcurrentLinkedQueue<>());
    }

    private BellServer(Path socket, Manners manners, Behaviour behaviour, Queue<Call> heard) throws IOException {
        this.heard = heard;
        server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        server.bind(UnixDomainSocketAddress.of(socket), BACKLOG);
        accepting = Thread.ofVirtual().start(() -> accept(manners, behaviour));
    }

    private enum Manners {
        HANG_UP,
        KEEP_WAITING
    }

    /// Answers each call.
    static BellServer answering(Path socket, Function<Call, CniAnswer> answer) throws IOException {
        var heard = new ConcurrentLinkedQueue<Call>();
        return new BellServer(
                socket,
                Manners.HANG_UP,
                client -> {
                    var call = DoorbellFrame.readCall(Channels.newInputStream(client));
                    heard.add(call);
                    write(client, DoorbellFrame.encode(answer.apply(call)).toByteArray());
                },
                heard);
    }

    /// Reads the call and says these bytes, whatever they are.
    static BellServer saying(Path socket, byte[] bytes) throws IOException {
        return new BellServer(socket, Manners.HANG_UP, client -> {
            DoorbellFrame.readCall(Channels.newInputStream(client));
            write(client, bytes);
        });
    }

    /// Answers without listening.
    static BellServer interrupting(Path socket, CniAnswer answer) throws IOException {
        return new BellServer(
                socket,
                Manners.HANG_UP,
                client -> write(client, DoorbellFrame.encode(answer).toByteArray()));
    }

    /// Never says anything.
    static BellServer hanging(Path socket) throws IOException {
        return new BellServer(socket, Manners.KEEP_WAITING, _ -> {});
    }

    List<Call> calls() {
        return List.copyOf(heard);
    }

    private static void write(SocketChannel client, byte[] bytes) throws IOException {
        var buffer = ByteBuffer.wrap(bytes);
        while (buffer.hasRemaining()) {
            client.write(buffer);
        }
    }

    private void accept(Manners manners, Behaviour behaviour) {
        try {
            while (true) {
                var client = server.accept();
                clients.add(client);
                Thread.ofVirtual().start(() -> serve(client, manners, behaviour));
            }
        } catch (ClosedChannelException closed) {
            // The test is over.
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    private static void serve(SocketChannel client, Manners manners, Behaviour behaviour) {
        try {
            behaviour.serve(client);
            if (manners == Manners.HANG_UP) {
                client.close();
            }
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    /// The socket takes callers as long as a thread is about to accept one; so the end of that thread is awaited.
    @Override
    public void close() throws IOException {
        server.close();
        try {
            accepting.join();
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
        for (var client : clients) {
            client.close();
        }
    }
}
