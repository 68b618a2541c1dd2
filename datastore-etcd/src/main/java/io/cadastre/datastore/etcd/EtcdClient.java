package io.cadastre.datastore.etcd;

import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.DatastoreException.Kind;
import io.cadastre.datastore.StoreIdentity;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ConnectivityState;
import io.grpc.Deadline;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.ChannelOption;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioSocketChannel;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import java.util.logging.Level;
import java.util.logging.Logger;

/// Calls to an etcd cluster: which member is asked, with which login, and what is retried.
///
/// Calls go to one preferred member, over one connection. When it fails, the first member that
/// answers the dial becomes the preferred one. What was certainly never sent is tried on the other
/// members; what may have been sent is tried again only if it is a read. gRPC's own retries are off,
/// so that nothing is sent twice behind our back.
final class EtcdClient implements AutoCloseable {

    /// As Calico has them.
    private static final Duration DIAL_LIMIT = Duration.ofSeconds(10);

    private static final Duration KEEPALIVE_INTERVAL = Duration.ofSeconds(30);
    private static final Duration KEEPALIVE_LIMIT = Duration.ofSeconds(10);

    /// Larger answers are asked for again in smaller pages.
    static final int ANSWER_BYTES_MAX = 64 << 20;

    private static final Duration READ_PAUSE = Duration.ofMillis(20);
    private static final Duration READ_PAUSE_MAX = Duration.ofMillis(500);
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(1);

    /// One with the token we have, one with a fresh one.
    private static final int TOKENS_MAX = 2;

    static final Metadata.Key<String> TOKEN = Metadata.Key.of("token", Metadata.ASCII_STRING_MARSHALLER);
    static final Metadata.Key<String> REQUIRE_LEADER = Metadata.Key.of("hasleader", Metadata.ASCII_STRING_MARSHALLER);

    /// gRPC and netty write to standard error, with stack traces, what the status of a call says too, and
    /// callers print that in a sentence. Held here, since the log manager holds loggers weakly.
    private static final Logger GRPC_LOGGER = Logger.getLogger("io.grpc");

    static {
        if (GRPC_LOGGER.getLevel() == null) {
            GRPC_LOGGER.setLevel(Level.OFF);
        }
    }

    private final EtcdSettings settings;
    private final EventLoopGroup eventLoop;
    private final List<Connection> connections;
    private final AuthTokens tokens;
    private final StoreIdentityCheck lineage = new StoreIdentityCheck();
    private volatile int preferred;
    private volatile boolean closed;

    EtcdClient(EtcdSettings settings, List<EtcdEndpoint> endpoints) {
        this.settings = settings;
        var tls = endpoints.getFirst().scheme() == EtcdEndpoint.Scheme.HTTPS;
        var context = tls ? Optional.of(TlsContext.of(settings.tls())) : Optional.<SslContext>empty();
        // One thread moves the bytes of one connection; more would have nothing to do.
        this.eventLoop = new MultiThreadIoEventLoopGroup(
                1, Thread.ofPlatform().daemon().name("etcd-", 0).factory(), NioIoHandler.newFactory());
        this.connections = endpoints.stream()
                .map(endpoint -> new Connection(endpoint, at -> dial(at, context)))
                .toList();
        this.tokens = new AuthTokens(settings.login(), this);
    }

    Deadline deadline() {
        return Deadline.after(settings.callLimit().toNanos(), TimeUnit.NANOSECONDS);
    }

    Duration callLimit() {
        return settings.callLimit();
    }

    AuthTokens tokens() {
        return tokens;
    }

    /// The endpoints, for messages.
    String names() {
        return String.join(
                ", ",
                connections.stream().map(each -> each.endpoint().toString()).toList());
    }

    /// Waits until a member is connected or all have failed. The time runs from here, when everything
    /// that connecting takes is loaded.
    ///
    /// @throws DatastoreException if none answers the dial in time
    void connect(Duration limit) {
        var lines = lines(Deadline.after(limit.toNanos(), TimeUnit.NANOSECONDS));
        boolean waiting = lines.stream()
                .map(line -> line.channel.getState(false))
                .allMatch(state -> state == ConnectivityState.CONNECTING || state == ConnectivityState.IDLE);
        if (waiting) {
            throw unreachable("%s: no connection within %s".formatted(names(), EtcdFailures.seconds(limit)));
        }
    }

    /// Calls until there is an answer, a refusal, or no time left: for what may be asked twice.
    ProtoReader read(MethodDescriptor<ProtoWriter, ProtoReader> method, ProtoWriter request, Deadline deadline) {
        var pause = READ_PAUSE;
        // Ends: every turn spends some of the limit.
        while (true) {
            switch (call(method, request, deadline, this::share)) {
                case EtcdReply.Answer(var message, var _, var _) -> {
                    return message;
                }
                case EtcdReply.Unsent(var reason) -> throw unreachable(reason);
                case EtcdReply.Ended ended -> {
                    if (!EtcdFailures.mayPass(ended.status()) || deadline.isExpired()) {
                        throw EtcdFailures.of(ended, settings.callLimit());
                    }
                }
            }
            LockSupport.parkNanos(Math.min(pause.toNanos(), deadline.timeRemaining(TimeUnit.NANOSECONDS)));
            pause = longer(pause);
        }
    }

    /// Calls once: for what must not be asked twice.
    EtcdReply callOnce(MethodDescriptor<ProtoWriter, ProtoReader> method, ProtoWriter request, Deadline deadline) {
        return call(method, request, deadline, UnaryOperator.identity());
    }

    /// A token that etcd no longer knows is replaced first: etcd looks at the token before it looks at
    /// the request.
    ///
    /// @param answerBy how long to wait for the answer, of the time that is left once connected
    private EtcdReply call(
            MethodDescriptor<ProtoWriter, ProtoReader> method,
            ProtoWriter request,
            Deadline deadline,
            UnaryOperator<Deadline> answerBy) {
        for (int attempt = 1; ; attempt++) {
            var headers = new Metadata();
            var token = tokens.current(deadline);
            token.ifPresent(text -> headers.put(TOKEN, text));
            var reply = send(new Outgoing(method, request, headers), deadline, answerBy);
            boolean stale = reply instanceof EtcdReply.Ended(var status, var _) && EtcdFailures.staleToken(status);
            if (!stale || token.isEmpty() || attempt == TOKENS_MAX) {
                return reply;
            }
            tokens.forget(token.get());
        }
    }

    /// Sends to the first member that can be reached.
    EtcdReply send(Outgoing outgoing, Deadline deadline, UnaryOperator<Deadline> answerBy) {
        var reasons = new ArrayList<String>();
        for (var line : lines(deadline)) {
            checkOpen();
            var exchange = new Exchange();
            var known = lineage.newest();
            exchange.begin(line.channel, outgoing, answerBy.apply(deadline));
            var status = exchange.await();
            if (status.isOk()) {
                return plan(outgoing, exchange.message(), known, line.connection.endpoint());
            }
            if (exchange.sent()) {
                if (EtcdFailures.blamesMember(status)) {
                    avoid(line.connection);
                }
                return new EtcdReply.Ended(status, line.connection.endpoint());
            }
            reasons.add("%s: %s"
                    .formatted(line.connection.endpoint(), EtcdFailures.whyUnsent(status, settings.callLimit())));
        }
        checkOpen();
        return new EtcdReply.Unsent(String.join("; ", reasons));
    }

    /// An answer of an etcd that is not the one that answered before counts as lost: a commit may have been
    /// applied there. Logins are answered without asking the other members, and are not compared.
    private EtcdReply plan(
            Outgoing outgoing, ProtoReader message, Optional<StoreIdentity> known, EtcdEndpoint endpoint) {
        if (outgoing.method().equals(Rpc.AUTHENTICATE)) {
            return new EtcdReply.Answer(message, known, endpoint);
        }
        return Header.find(message.again())
                .flatMap(header -> lineage.note(known, header.identity(), endpoint))
                .<EtcdReply>map(wrong -> new EtcdReply.Ended(
                        Status.DATA_LOSS.withDescription(wrong.getMessage()).withCause(wrong), endpoint))
                .orElseGet(() -> new EtcdReply.Answer(message, known, endpoint));
    }

    /// Whether a commit came to be where it can be: after all that was known when it was sent. etcd gives
    /// every transaction that writes a revision of its own.
    Optional<DatastoreException> plan(EtcdReply.Answer answer, long revision) {
        return answer.known()
                .filter(known -> revision <= known.revision())
                .map(known -> lineage.noticed(
                        known, new StoreIdentity(known.name(), known.term(), revision), answer.endpoint()));
    }

    /// The furthest state that etcd reported, if it answered.
    Optional<StoreIdentity> identity() {
        return lineage.newest();
    }

    /// A connected channel for a stream, if there is one before the deadline.
    Optional<Line> findLine(Deadline deadline) {
        checkOpen();
        var first = lines(deadline).getFirst();
        return first.channel.getState(false) == ConnectivityState.READY ? Optional.of(first) : Optional.empty();
    }

    /// Prefers the next member, if this one is preferred.
    void avoid(Connection failed) {
        int index = connections.indexOf(failed);
        if (preferred == index) {
            preferred = (index + 1) % connections.size();
        }
    }

    DatastoreException unreachable(String reason) {
        return new DatastoreException(Kind.UNREACHABLE, "cannot reach etcd at %s".formatted(reason));
    }

    void checkOpen() {
        if (closed) {
            throw new DatastoreException(Kind.CLOSED, "the etcd store was closed");
        }
        lineage.check();
    }

    boolean closed() {
        return closed;
    }

    @Override
    public void close() {
        closed = true;
        connections.forEach(Connection::close);
        connections.forEach(connection -> connection.awaitClosed(CLOSE_LIMIT));
        eventLoop
                .shutdownGracefully(0, CLOSE_LIMIT.toMillis(), TimeUnit.MILLISECONDS)
                .awaitUninterruptibly(CLOSE_LIMIT.toMillis());
    }

    /// All channels, in the order in which they are to be tried: the preferred one if it is connected,
    /// otherwise first the one that connects first. Waits until one is connected, all have failed, or
    /// the deadline.
    private List<Line> lines(Deadline deadline) {
        int start = preferred;
        var lines = new ArrayList<Line>(connections.size());
        for (int index = 0; index < connections.size(); index++) {
            var connection = connections.get((start + index) % connections.size());
            lines.add(new Line(connection, connection.channel()));
            if (index == 0 && connection.ready()) {
                return lines;
            }
        }
        awaitConnected(lines, deadline);
        for (int index = 0; index < lines.size(); index++) {
            if (lines.get(index).channel.getState(false) == ConnectivityState.READY) {
                lines.addFirst(lines.remove(index));
                preferred = connections.indexOf(lines.getFirst().connection);
                break;
            }
        }
        return lines;
    }

    private void awaitConnected(List<Line> lines, Deadline deadline) {
        // Ends: every turn waits for a change of state, and a channel that failed stays so until it
        // is
        // replaced by a later call.
        while (!deadline.isExpired()) {
            var changed = new CompletableFuture<Boolean>();
            boolean waiting = false;
            for (var line : lines) {
                var state = line.channel.getState(true);
                switch (state) {
                    case READY, SHUTDOWN -> {
                        return;
                    }
                    case TRANSIENT_FAILURE -> {}
                    case IDLE, CONNECTING -> {
                        waiting = true;
                        line.channel.notifyWhenStateChanged(state, () -> changed.complete(true));
                    }
                }
            }
            if (!waiting) {
                return;
            }
            try {
                changed.get(deadline.timeRemaining(TimeUnit.NANOSECONDS), TimeUnit.NANOSECONDS);
            } catch (TimeoutException over) {
                return;
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new DatastoreException(Kind.FAILED, "interrupted while connecting to etcd", interrupted);
            } catch (ExecutionException impossible) {
                throw new IllegalStateException(impossible);
            }
        }
    }

    private static Duration longer(Duration pause) {
        var twice = pause.multipliedBy(2);
        return twice.compareTo(READ_PAUSE_MAX) < 0 ? twice : READ_PAUSE_MAX;
    }

    private ManagedChannel dial(EtcdEndpoint endpoint, Optional<SslContext> tls) {
        var builder = NettyChannelBuilder.forAddress(endpoint.host(), endpoint.port())
                .eventLoopGroup(eventLoop)
                .channelType(NioSocketChannel.class, null)
                .withOption(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) DIAL_LIMIT.toMillis())
                .directExecutor()
                .disableRetry()
                .keepAliveTime(KEEPALIVE_INTERVAL.toNanos(), TimeUnit.NANOSECONDS)
                .keepAliveTimeout(KEEPALIVE_LIMIT.toNanos(), TimeUnit.NANOSECONDS)
                .maxInboundMessageSize(ANSWER_BYTES_MAX);
        tls.ifPresentOrElse(builder::sslContext, builder::usePlaintext);
        return builder.build();
    }

    /// Half of the time that is left, so that another member can be asked if this one hangs.
    private Deadline share(Deadline deadline) {
        long nanos = deadline.timeRemaining(TimeUnit.NANOSECONDS);
        return connections.size() == 1 ? deadline : Deadline.after(nanos / 2, TimeUnit.NANOSECONDS);
    }

    /// A request, ready to be sent.
    record Outgoing(MethodDescriptor<ProtoWriter, ProtoReader> method, ProtoWriter request, Metadata headers) {}

    /// A channel as it was when a call chose it.
    record Line(Connection connection, ManagedChannel channel) {

        ClientCall<ProtoWriter, ProtoReader> stream(MethodDescriptor<ProtoWriter, ProtoReader> method) {
            return channel.newCall(method, CallOptions.DEFAULT);
        }
    }
}
