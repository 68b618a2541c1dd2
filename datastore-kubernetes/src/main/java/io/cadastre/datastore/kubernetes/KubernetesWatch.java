package io.cadastre.datastore.kubernetes;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.DatastoreException.Kind;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Watch;
import io.cadastre.datastore.WatchMailbox;
import io.cadastre.datastore.kubernetes.SeenObjects.Seen;
import io.cadastre.datastore.kubernetes.WatchStream.Signal;
import io.cadastre.datastore.resource.Content;
import io.cadastre.datastore.resource.ResourceMap;
import io.cadastre.datastore.resource.Scope;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/// The changes under a prefix, from one stream after another for each collection.
///
/// The thread that waits in [#next(Duration)] does all the work: it opens streams, reads what came, and
/// opens the next at the last revision it knows when one ends. Bookmarks move that revision on while
/// nothing happens, so that it is seldom forgotten.
///
/// A tombstone is reported as the deletion that it is. The later removal of its object is not reported.
final class KubernetesWatch implements Watch, WatchMailbox.Source {

    private static final Duration PAUSE_FIRST = Duration.ofMillis(50);
    private static final Duration PAUSE_MAX = Duration.ofSeconds(5);

    /// A stream on which nothing has come for so long, not even a bookmark, which the server sends every
    /// minute, may be dead though its connection is not.
    private static final Duration SILENCE_MAX = Duration.ofSeconds(150);

    /// How the server words it: `too old resource version: 12 (345)`.
    private static final Pattern TOO_OLD = Pattern.compile("too old resource version: \\d+ \\((\\d+)\\)");

    private static final int GONE = 410;

    private final ApiClient client;
    private final ResourceMap map;
    private final SeenObjects seen;
    private final String prefix;
    private final Consumer<KubernetesWatch> whenClosed;
    private final List<Line> lines;
    private final BlockingQueue<Signal> signals = new LinkedBlockingQueue<>();
    private final WatchMailbox mailbox = new WatchMailbox();

    KubernetesWatch(
            ApiClient client,
            ResourceMap map,
            SeenObjects seen,
            String prefix,
            long after,
            Consumer<KubernetesWatch> whenClosed) {
        this.client = client;
        this.map = map;
        this.seen = seen;
        this.prefix = prefix;
        this.whenClosed = whenClosed;
        this.lines =
                map.scopes(prefix).stream().map(scope -> new Line(scope, after)).toList();
    }

    /// While a stream cannot be opened, the watch is quiet for as long as a call may take, and then says
    /// at the end of each wait that the server is unreachable. It goes on where it was when the server
    /// comes back.
    @Override
    public Notice next(Duration limit) {
        return mailbox.next(limit, this);
    }

    @Override
    public void close() {
        mailbox.close();
        signals.add(new Signal.Closed());
        lines.forEach(line -> line.stream.ifPresent(WatchStream::cancel));
        whenClosed.accept(this);
    }

    @Override
    public boolean read(long nanosMax) {
        var signal = poll(Math.min(nanosMax, openDueStreams()));
        signal.ifPresent(this::read);
        return signal.isPresent();
    }

    @Override
    public Notice quiet() {
        long now = System.nanoTime();
        for (var line : lines) {
            boolean late = now - line.connectedNanos > client.callLimit().toNanos();
            if (!line.connected && late) {
                throw new DatastoreException(
                        Kind.UNREACHABLE,
                        "a watch of %s cannot reach the Kubernetes API at %s: %s"
                                .formatted(line.scope.resource().qualifiedPlural(), client.server(), line.trouble));
            }
        }
        return new Notice.Quiet();
    }

    /// @return after how many nanoseconds to look again
    private long openDueStreams() {
        long soonest = Long.MAX_VALUE;
        for (var line : lines) {
            long now = System.nanoTime();
            if (line.stream.isPresent() && line.silentNanos(now) > SILENCE_MAX.toNanos()) {
                line.leave("nothing came for " + ApiFailures.seconds(SILENCE_MAX));
            }
            if (line.stream.isEmpty() && line.reopenNanos - now <= 0) {
                line.open();
            }
            if (line.stream.isPresent()
                    && !line.suspect
                    && line.silentNanos(now) > client.streamSilence().toNanos()) {
                line.suspect = true;
                client.suspectConnections();
            }
            soonest = Math.min(soonest, line.nextNanos() - now);
        }
        return Math.max(1, soonest);
    }

    private Optional<Signal> poll(long nanos) {
        try {
            return Optional.ofNullable(signals.poll(Math.max(0, nanos), TimeUnit.NANOSECONDS));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new DatastoreException(Kind.FAILED, "interrupted while watching the Kubernetes API", interrupted);
        }
    }

    private void read(Signal signal) {
        switch (signal) {
            case Signal.Opened opened -> line(opened.stream()).ifPresent(line -> line.opened(opened));
            case Signal.Received received -> line(received.stream()).ifPresent(line -> line.received(received));
            case Signal.Ended ended -> line(ended.stream()).ifPresent(line -> line.ended(ended));
            // The mailbox looks whether the watch is open.
            case Signal.Closed _ -> {}
        }
    }

    /// The line that the stream is the present one of: what comes late over one that was left is not
    /// read.
    private Optional<Line> line(WatchStream stream) {
        return lines.stream().filter(line -> line.isOn(stream)).findFirst();
    }

    /// The revision up to which every collection has reported its changes.
    private long toldByAll() {
        return lines.stream().mapToLong(line -> line.told).min().orElse(0);
    }

    private void tell(Change change) {
        mailbox.put(new Notice.Changed(toldByAll(), List.of(change)));
    }

    @Override
    public void checkOpen() {
        client.checkOpen();
    }

    private static Optional<Long> oldest(String message) {
        var matcher = TOO_OLD.matcher(message);
        return matcher.find() ? Optional.of(Long.parseLong(matcher.group(1))) : Optional.empty();
    }

    /// One collection, and where its reading stands.
    private final class Line {

        private final Scope scope;
        private volatile Optional<WatchStream> stream = Optional.empty();
        private long told;
        private boolean connected;
        private int codeOfRefusal;
        private long connectedNanos = System.nanoTime();
        private long heardNanos = System.nanoTime();
        private boolean suspect;
        private long reopenNanos = System.nanoTime();
        private long pauseNanos;
        private String trouble = "it has not answered yet";

        Line(Scope scope, long after) {
            this.scope = scope;
            this.told = after;
        }

        private void hear() {
            heardNanos = System.nanoTime();
            suspect = false;
        }

        long silentNanos(long now) {
            return now - heardNanos;
        }

        /// When there is something to do if nothing comes.
        long nextNanos() {
            if (stream.isEmpty()) {
                return reopenNanos;
            }
            return heardNanos + (suspect ? SILENCE_MAX : client.streamSilence()).toNanos();
        }

        void open() {
            hear();
            codeOfRefusal = 0;
            var deadline = client.deadline();
            if (!client.permitted(deadline)) {
                trouble = "more requests wait than the limit of requests lets through";
                rest(Duration.ZERO);
                return;
            }
            stream = Optional.of(WatchStream.open(client, scope, told, signals));
            if (mailbox.isClosed()) {
                stream.get().cancel();
            }
        }

        boolean isOn(WatchStream other) {
            return stream.isPresent() && stream.get() == other;
        }

        void received(Signal.Received signal) {
            hear();
            try {
                for (var line : signal.stream().lines(signal.bytes())) {
                    // An event may have ended the stream.
                    if (isOn(signal.stream())) {
                        read(line);
                    }
                }
            } catch (RuntimeException unreadable) {
                // What came after the line must not be passed over.
                leave(String.valueOf(unreadable.getMessage()));
                throw unreadable;
            }
        }

        void opened(Signal.Opened signal) {
            hear();
            if (signal.code() == 200) {
                connected = true;
                pauseNanos = 0;
            } else {
                codeOfRefusal = signal.code();
                rest(signal.retryAfter());
            }
        }

        void ended(Signal.Ended signal) {
            if (codeOfRefusal == 0) {
                leave(signal.sentence());
            } else {
                var status =
                        ApiJson.status(codeOfRefusal, Bytes.of(signal.stream().rest()));
                refused(status);
                leave(ApiFailures.said(status));
            }
        }

        /// Ends the watch, or says in an exception why it cannot begin, or leaves it to be tried again.
        private void refused(ApiJson.Status status) {
            if (status.code() == GONE) {
                compacted(status.message());
            } else if (status.code() < 500 && status.code() != 429) {
                leave(ApiFailures.said(status));
                throw ApiFailures.refusal(client.server(), ApiRequest.watch(scope, Map.of()), status);
            }
        }

        private void compacted(String message) {
            // The server names the last revision that it forgot, or none.
            long oldest = oldest(message).map(forgotten -> forgotten + 1).orElse(told + 1);
            mailbox.end(new Notice.Compacted(Math.max(oldest, told + 1)));
            lines.forEach(line -> line.leave("the revision is forgotten"));
        }

        void leave(String sentence) {
            trouble = sentence;
            stream.ifPresent(WatchStream::cancel);
            stream = Optional.empty();
            if (connected) {
                connectedNanos = System.nanoTime();
                connected = false;
            }
            rest(Duration.ZERO);
        }

        private void rest(Duration asked) {
            pauseNanos = Math.clamp(pauseNanos * 2, PAUSE_FIRST.toNanos(), PAUSE_MAX.toNanos());
            long nanos = Math.clamp(asked.toNanos(), pauseNanos, PAUSE_MAX.toNanos());
            long until = System.nanoTime() + nanos;
            if (until - reopenNanos > 0) {
                reopenNanos = until;
            }
        }

        void read(byte[] bytes) {
            if (codeOfRefusal != 0) {
                refused(ApiJson.status(codeOfRefusal, Bytes.of(bytes)));
                return;
            }
            var event = ApiJson.event(bytes);
            switch (event.type()) {
                case "ADDED", "MODIFIED" -> stored(event.object());
                case "DELETED" -> removed(event.object());
                case "BOOKMARK" ->
                    told = Math.max(told, ApiJson.metadata(event.object()).revision());
                case "ERROR" -> failed(ApiJson.status(500, event.object()));
                default ->
                    throw new DatastoreException(
                            Kind.CORRUPT, "a watch of the Kubernetes API told of '%s'".formatted(event.type()));
            }
        }

        private void stored(Bytes object) {
            var metadata = ApiJson.metadata(object);
            long revision = metadata.revision();
            var content = map.read(scope.resource(), object);
            told = Math.max(told, revision);
            switch (content) {
                case Content.Present(var key, var value) -> {
                    if (key.startsWith(prefix)) {
                        seen.remember(ObjectReader.name(scope, metadata), new Seen(object, revision));
                        tell(new Change.Put(new Document(key, value, revision)));
                    }
                }
                case Content.Tombstone(var key) -> {
                    if (key.startsWith(prefix)) {
                        tell(new Change.Deleted(key, revision));
                    }
                }
                case Content.Foreign _ -> {}
            }
        }

        private void removed(Bytes object) {
            long revision = ApiJson.metadata(object).revision();
            var content = map.read(scope.resource(), object);
            told = Math.max(told, revision);
            if (content instanceof Content.Present(var key, var _) && key.startsWith(prefix)) {
                tell(new Change.Deleted(key, revision));
            }
        }

        private void failed(ApiJson.Status status) {
            if (status.code() == GONE) {
                compacted(status.message());
            } else {
                leave(ApiFailures.said(status));
            }
        }
    }
}
