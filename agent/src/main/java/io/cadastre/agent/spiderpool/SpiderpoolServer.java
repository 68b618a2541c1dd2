package io.cadastre.agent.spiderpool;

import io.cadastre.agent.AgentSocket;
import io.cadastre.datastore.Deadline;
import io.cadastre.wire.spiderpool.PodIdentity;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.ProtocolException;
import java.net.SocketTimeoutException;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/// Serves the API of Spiderpool's agent on a unix socket, for Spiderpool's own plugin. Only the owner of the
/// process may open the socket.
///
/// Each connection has one request and a virtual thread. Callers beyond the limit wait to be accepted. A
/// caller that does not send its request in time, or does not take its answer, is cut off.
public final class SpiderpoolServer implements AutoCloseable {

    private static final int CONNECTIONS_MAX = 128;

    /// How many bytes of a request that was refused are read, so that its caller gets the answer.
    private static final int REST_BYTES_MAX = 1024 * 1024;

    private static final Duration FINISH_MAX = Duration.ofSeconds(5);
    private static final Duration REST_AFTER_FAILURE = Duration.ofSeconds(1);

    private final SpiderpoolApi api;
    private final Duration transferMax;
    private final Consumer<String> log;
    private final AgentSocket socket;
    private final Semaphore places = new Semaphore(CONNECTIONS_MAX);
    private final Set<SocketChannel> clients = ConcurrentHashMap.newKeySet();
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final Thread accepting;

    private SpiderpoolServer(AgentSocket socket, SpiderpoolApi api, Duration transferMax, Consumer<String> log) {
        this.socket = socket;
        this.api = api;
        this.transferMax = transferMax;
        this.log = log;
        this.accepting = Thread.ofVirtual().name("spiderpool-api").unstarted(this::accept);
    }

    /// Begins to answer.
    ///
    /// @param transferMax how long a request, and an answer, may take on their way
    /// @param refusals takes each pod that gets no address, and why; the answer does not wait for it
    /// @param log takes a sentence for each failure that is not reported anywhere else
    /// @throws io.cadastre.agent.AgentException if another agent has the socket, or it cannot be had
    public static SpiderpoolServer start(
            Path path,
            PoolAgent agent,
            Duration transferMax,
            BiConsumer<PodIdentity, String> refusals,
            Consumer<String> log) {
        var server = new SpiderpoolServer(AgentSocket.open(path), new SpiderpoolApi(agent, refusals), transferMax, log);
        server.accepting.start();
        return server;
    }

    private void accept() {
        try {
            // Ends: when the socket is closed.
            while (true) {
                places.acquire();
                if (!acceptOne()) {
                    return;
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /// @return whether there may be more
    private boolean acceptOne() throws InterruptedException {
        try {
            var client = socket.accept();
            clients.add(client);
            Thread.ofVirtual().name("spiderpool-call").start(() -> serve(client));
            return true;
        } catch (ClosedChannelException _) {
            places.release();
            return false;
        } catch (IOException broken) {
            places.release();
            log.accept("cannot accept connections to the API of Spiderpool's agent: " + broken.getMessage());
            return !stopped.await(REST_AFTER_FAILURE.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void serve(SocketChannel client) {
        try (client) {
            serveWithin(client);
        } catch (EOFException | ClosedChannelException | SocketTimeoutException _) {
            // The caller left, or was too slow: it notices by itself.
        } catch (IOException broken) {
            log.accept("a call of the API of Spiderpool's agent broke off: " + broken.getMessage());
        } finally {
            clients.remove(client);
            places.release();
        }
    }

    private void serveWithin(SocketChannel client) throws IOException {
        var deadline = Deadline.after(transferMax);
        var in = new BufferedInputStream(Channels.newInputStream(client));
        try {
            var request = UnixHttp.within(deadline.left(), client, () -> HttpRequest.read(in));
            send(client, answer(request));
        } catch (ProtocolException refused) {
            send(client, HttpAnswer.fault(400, 400, String.valueOf(refused.getMessage())));
            client.shutdownOutput();
            UnixHttp.within(deadline.left(), client, () -> {
                in.skipNBytes(REST_BYTES_MAX);
                return client;
            });
        }
    }

    /// A mistake in this program must not leave a caller without an answer.
    private HttpAnswer answer(HttpRequest request) {
        try {
            return api.answer(request);
        } catch (RuntimeException bug) {
            log.accept("%s %s failed: %s".formatted(request.method(), request.path(), bug));
            return HttpAnswer.saying(500, "the agent failed: " + bug);
        }
    }

    private void send(SocketChannel client, HttpAnswer answer) throws IOException {
        UnixHttp.within(transferMax, client, () -> {
            UnixHttp.send(client, answer.encode());
            return answer;
        });
    }

    /// Accepts no more callers, and waits a while for those that are being served.
    @Override
    public void close() {
        stopped.countDown();
        try (socket) {
            socket.shut();
            if (!places.tryAcquire(CONNECTIONS_MAX, FINISH_MAX.toMillis(), TimeUnit.MILLISECONDS)) {
                log.accept("stopping while calls of the API of Spiderpool's agent are still running");
            }
            for (var client : clients) {
                client.close();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (IOException broken) {
            log.accept("the socket of Spiderpool's API cannot be removed: " + broken.getMessage());
        }
    }
}
