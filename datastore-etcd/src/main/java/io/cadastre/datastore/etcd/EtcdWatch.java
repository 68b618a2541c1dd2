package io.cadastre.datastore.etcd;

import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.DatastoreException.Kind;
import io.cadastre.datastore.Watch;
import io.cadastre.datastore.WatchMailbox;
import io.grpc.ClientCall;
import io.grpc.Deadline;
import io.grpc.Metadata;
import io.grpc.Status;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/// The changes under a prefix, from one etcd stream after another.
///
/// The thread that waits in [#next(Duration)] does all the work: it opens the stream, reads what has
/// come, and opens the next stream at the first revision not yet read when one breaks. The thread of
/// the connection only puts messages into the stream's box. A box that is not emptied is closed with
/// its stream when it is full, so that a slow reader costs neither memory nor the other calls on the
/// connection; the revisions that are missing are asked for again once the box is empty.
///
/// A commit is reported when it is complete: when an event of a later revision follows, or a message
/// ends that is not a fragment.
final class EtcdWatch implements Watch, WatchMailbox.Source {

    /// What a box holds before its stream is closed. One message is always taken, whatever its size.
    static final int BOX_BYTES_MAX = 8 << 20;

    static final int BOX_MESSAGES_MAX = 1024;

    private static final Duration REOPEN_PAUSE = Duration.ofMillis(50);

    private final EtcdClient client;
    private final KeySpan span;
    private final Consumer<EtcdWatch> whenClosed;

    private final WatchMailbox mailbox = new WatchMailbox();

    /// Guards the box of the stream, and the closing of the mailbox.
    private final ReentrantLock lock = new ReentrantLock();

    private final Condition changed = lock.newCondition();

    private final List<Change> unfinished = new ArrayList<>();
    private long unfinishedRevision;
    private long nextRevision;
    private Stream stream = new Stream(Optional.empty());
    private boolean tokenRenewed;
    private long lastOpenNanos = System.nanoTime() - REOPEN_PAUSE.toNanos();
    private long connectedNanos = System.nanoTime();

    EtcdWatch(EtcdClient client, KeySpan span, long after, Consumer<EtcdWatch> whenClosed) {
        this.client = client;
        this.span = span;
        this.nextRevision = after + 1;
        this.whenClosed = whenClosed;
        this.stream.over = true;
    }

    /// While no stream can be opened, the watch is quiet for as long as a call may take, and then
    /// says at the end of each wait that etcd is unreachable. It goes on where it was when etcd comes
    /// back.
    @Override
    public Notice next(Duration limit) {
        return mailbox.next(limit, this);
    }

    @Override
    public void close() {
        lock.lock();
        try {
            mailbox.close();
            stream.cancel();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        whenClosed.accept(this);
    }

    @Override
    public boolean read(long nanosMax) {
        var message = take(Deadline.after(nanosMax, TimeUnit.NANOSECONDS));
        message.ifPresent(this::read);
        return message.isPresent();
    }

    @Override
    public Notice quiet() {
        boolean connected = stream.created && !stream.isOver();
        long silentNanos = System.nanoTime() - lastConnectedNanos();
        if (connected || silentNanos < client.callLimit().toNanos()) {
            return new Notice.Quiet();
        }
        throw new DatastoreException(Kind.UNREACHABLE, "a watch cannot reach etcd at %s".formatted(client.names()));
    }

    /// The next message, if one comes in time. Opens a stream where there is none.
    private Optional<ProtoReader> take(Deadline deadline) {
        lock.lock();
        try {
            var message = stream.poll();
            if (message.isPresent()) {
                return message;
            }
            if (!stream.over) {
                await(Math.min(nanosLeft(deadline), stream.patienceNanos()));
                if (stream.patienceNanos() <= 0) {
                    giveUp();
                }
                return Optional.empty();
            }
            long pauseNanos = lastOpenNanos + REOPEN_PAUSE.toNanos() - System.nanoTime();
            if (pauseNanos > 0) {
                await(Math.min(nanosLeft(deadline), pauseNanos));
                return Optional.empty();
            }
        } finally {
            lock.unlock();
        }
        var status = stream.status;
        stream.status = Status.OK;
        checkDenied(status);
        open(deadline);
        return Optional.empty();
    }

    private void open(Deadline deadline) {
        unfinished.clear();
        lastOpenNanos = System.nanoTime();
        var soonest = deadline.minimum(client.deadline());
        var line = client.findLine(soonest);
        if (line.isEmpty()) {
            return;
        }
        var headers = new Metadata();
        // A member that lost its leader would keep the stream open and report nothing.
        headers.put(EtcdClient.REQUIRE_LEADER, "true");
        try {
            client.tokens().current(client.deadline()).ifPresent(token -> headers.put(EtcdClient.TOKEN, token));
        } catch (DatastoreException failed) {
            if (failed.kind() == Kind.DENIED || failed.kind() == Kind.CLOSED) {
                throw failed;
            }
            return;
        }
        var opened = new Stream(line);
        lock.lock();
        try {
            if (mailbox.isClosed()) {
                return;
            }
            connectedNanos = lastConnectedNanos();
            stream = opened;
            opened.begin(headers, Requests.watch(span, nextRevision));
        } finally {
            lock.unlock();
        }
    }

    /// When there was last a stream that etcd had confirmed.
    private long lastConnectedNanos() {
        return stream.created ? stream.overNanos : connectedNanos;
    }

    /// A stream that etcd does not confirm in time is left, and so is the member.
    private void giveUp() {
        stream.cancel();
        stream.line.ifPresent(line -> client.avoid(line.connection()));
    }

    private void read(ProtoReader message) {
        WatchAnswer answer;
        try {
            answer = WatchAnswer.read(message);
        } catch (ProtoReader.MalformedException malformed) {
            throw new DatastoreException(
                    Kind.CORRUPT,
                    "etcd told a watch something malformed: %s".formatted(malformed.getMessage()),
                    malformed);
        }
        if (answer.cancelled()) {
            cancelled(answer);
        } else if (answer.created()) {
            created();
        } else {
            changed(answer);
        }
    }

    private void cancelled(WatchAnswer answer) {
        stream.cancel();
        if (answer.compactRevision() != 0) {
            mailbox.end(new Notice.Compacted(answer.compactRevision()));
        } else {
            checkDenied(Status.UNKNOWN.withDescription(answer.cancelReason()));
        }
    }

    /// etcd lets a watch begin at the very revision it compacted to, although it may have dropped the
    /// deletions of that revision. So we ask for the revision before it, which must still be known.
    private void created() {
        stream.created = true;
        tokenRenewed = false;
        if (nextRevision == 1) {
            return;
        }
        try {
            client.read(Rpc.RANGE, Requests.probe(span, nextRevision - 1), client.deadline());
        } catch (DatastoreException failed) {
            var status = Status.fromThrowable(failed);
            if (EtcdFailures.compacted(status)) {
                // Let etcd say so itself: it reports the oldest revision to a watch from the first one.
                nextRevision = 1;
                stream.cancel();
            } else if (!EtcdFailures.futureRevision(status)) {
                if (failed.kind() == Kind.CLOSED) {
                    throw failed;
                }
                stream.created = false;
                stream.cancel();
            }
        }
    }

    private void changed(WatchAnswer answer) {
        for (var event : answer.events()) {
            var keyValue = event.keyValue();
            if (keyValue.modRevision() < nextRevision) {
                continue;
            }
            if (keyValue.modRevision() != unfinishedRevision) {
                finish();
                unfinishedRevision = keyValue.modRevision();
            }
            unfinished.add(
                    event.deleted()
                            ? new Change.Deleted(keyValue.key(), keyValue.modRevision())
                            : new Change.Put(keyValue.document()));
        }
        if (!answer.fragment()) {
            finish();
            if (answer.events().isEmpty()) {
                nextRevision = Math.max(nextRevision, answer.revision() + 1);
            }
        }
    }

    private void finish() {
        if (!unfinished.isEmpty()) {
            mailbox.put(new Notice.Changed(unfinishedRevision, unfinished));
            nextRevision = unfinishedRevision + 1;
            unfinished.clear();
        }
    }

    /// A refusal may be about a token that is out of date, once.
    private void checkDenied(Status status) {
        if (!EtcdFailures.denied(status)) {
            return;
        }
        var token = client.tokens().current(client.deadline());
        if (tokenRenewed || token.isEmpty()) {
            throw new DatastoreException(
                    Kind.DENIED,
                    "etcd at %s denies this user a watch: it lacks the right to read all keys from '%s' on; grant it with 'etcdctl role grant-permission'"
                            .formatted(client.names(), span.first().utf8()));
        }
        tokenRenewed = true;
        client.tokens().forget(token.get());
    }

    @Override
    public void checkOpen() {
        client.checkOpen();
    }

    /// Waits for a change, or for nothing at all: the mailbox asks again.
    @SuppressWarnings("WaitNotInLoop")
    private void await(long nanos) {
        if (mailbox.isClosed() || nanos <= 0) {
            return;
        }
        try {
            changed.awaitNanos(nanos);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new DatastoreException(Kind.FAILED, "interrupted while watching etcd", interrupted);
        }
    }

    private static long nanosLeft(Deadline deadline) {
        return deadline.timeRemaining(TimeUnit.NANOSECONDS);
    }

    /// One stream and its box. Guarded by the lock of the watch, but for `created`, which only the
    /// reading thread looks at.
    private final class Stream extends ClientCall.Listener<ProtoReader> {

        private final Optional<EtcdClient.Line> line;
        private final Optional<ClientCall<ProtoWriter, ProtoReader>> call;
        private final Deque<ProtoReader> box = new ArrayDeque<>();
        private final long openedNanos = System.nanoTime();
        private long boxBytes;
        private boolean over;
        private volatile long overNanos;
        private boolean created;
        private volatile Status status = Status.OK;

        Stream(Optional<EtcdClient.Line> line) {
            this.line = line;
            this.call = line.map(each -> each.stream(Rpc.WATCH));
        }

        void begin(Metadata headers, ProtoWriter request) {
            var begun = call.orElseThrow();
            begun.start(this, headers);
            begun.sendMessage(request);
            begun.request(1);
        }

        void cancel() {
            lock.lock();
            try {
                if (!over) {
                    over = true;
                    overNanos = System.nanoTime();
                    call.ifPresent(begun -> begun.cancel("the watch has left", null));
                }
            } finally {
                lock.unlock();
            }
        }

        boolean isOver() {
            lock.lock();
            try {
                return over;
            } finally {
                lock.unlock();
            }
        }

        Optional<ProtoReader> poll() {
            var message = Optional.ofNullable(box.pollFirst());
            message.ifPresent(taken -> boxBytes -= taken.size());
            return message;
        }

        /// How long etcd may still take to confirm the stream.
        long patienceNanos() {
            return created ? Long.MAX_VALUE : openedNanos + client.callLimit().toNanos() - System.nanoTime();
        }

        @Override
        public void onMessage(ProtoReader message) {
            lock.lock();
            try {
                if (over) {
                    return;
                }
                box.addLast(message);
                boxBytes += message.size();
                if (boxBytes >= BOX_BYTES_MAX || box.size() >= BOX_MESSAGES_MAX) {
                    cancel();
                } else {
                    call.orElseThrow().request(1);
                }
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void onClose(Status closing, Metadata trailers) {
            lock.lock();
            try {
                if (!over) {
                    over = true;
                    overNanos = System.nanoTime();
                    status = closing;
                }
                changed.signalAll();
            } finally {
                lock.unlock();
            }
            if (EtcdFailures.blamesMember(closing)) {
                line.ifPresent(each -> client.avoid(each.connection()));
            }
        }
    }
}
