package io.cadastre.datastore.kubernetes;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.resource.Scope;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/// One answer of the server to a watch of one collection: lines, as long as it lasts.
///
/// The threads of the connection put what comes into a queue and go; the thread that waits in the watch
/// does the rest. What is left on the connection would stop the other streams on it, since all share one window, so
/// it is taken at once. A stream whose reader is too slow is ended; the reader reads what came and has the rest sent
/// again.
final class WatchStream implements ApiClient.StreamListener {

    /// The server ends a watch after this time by itself.
    private static final Duration LIFE = Duration.ofMinutes(5);

    private static final int LINE_BYTES_MAX = 64 << 20;

    /// A stream is ended when so much of it was received and not read.
    private static final int UNREAD_BYTES_MAX = 8 << 20;

    private final BlockingQueue<Signal> signals;
    private final AtomicBoolean cancelled = new AtomicBoolean();
    private final AtomicInteger unreadBytes = new AtomicInteger();
    private volatile Optional<AsyncBody> body = Optional.empty();

    /// The line that has begun and not ended. Only the reading thread uses it.
    private ByteArrayOutputStream line = new ByteArrayOutputStream();

    private WatchStream(BlockingQueue<Signal> signals) {
        this.signals = signals;
    }

    /// Something that came over a stream.
    sealed interface Signal {

        /// The server has answered, with this code.
        record Opened(WatchStream stream, int code, Duration retryAfter) implements Signal {}

        record Received(WatchStream stream, Bytes bytes) implements Signal {}

        record Ended(WatchStream stream, String sentence) implements Signal {}

        /// No more is wanted.
        record Closed() implements Signal {}
    }

    static WatchStream open(ApiClient client, Scope scope, long after, BlockingQueue<Signal> signals) {
        var query = new LinkedHashMap<String, String>();
        query.put("watch", "true");
        query.put("allowWatchBookmarks", "true");
        // Zero would mean "from anywhere": the server would begin with what there is.
        query.put("resourceVersion", Long.toString(Math.max(1, after)));
        query.put("timeoutSeconds", Long.toString(LIFE.toSeconds()));
        if (!scope.labelSelector().isEmpty()) {
            query.put("labelSelector", scope.labelSelector());
        }
        var stream = new WatchStream(signals);
        client.stream(ApiRequest.watch(scope, query), stream);
        return stream;
    }

    @Override
    public void opened(HttpResponse<AsyncBody> response) {
        body = Optional.of(response.body());
        if (cancelled.get()) {
            response.body().cancel();
            return;
        }
        signals.add(new Signal.Opened(this, response.code(), ApiClient.retryAfter(response)));
        var _ = response.body()
                .done()
                .whenComplete((_, thrown) -> signals.add(new Signal.Ended(
                        this, thrown == null ? "the server ended it" : String.valueOf(thrown.getMessage()))));
        response.body().consume();
    }

    @Override
    public void received(byte[] bytes, AsyncBody source) {
        int unread = unreadBytes.addAndGet(bytes.length);
        signals.add(new Signal.Received(this, Bytes.of(bytes)));
        if (unread > UNREAD_BYTES_MAX) {
            ended("%d bytes came that were not read".formatted(unread));
            source.cancel();
        } else {
            source.consume();
        }
    }

    @Override
    public void ended(String sentence) {
        signals.add(new Signal.Ended(this, sentence));
    }

    /// The whole lines that these bytes end.
    List<byte[]> lines(Bytes received) {
        var bytes = received.toByteArray();
        unreadBytes.addAndGet(-bytes.length);
        var lines = new ArrayList<byte[]>();
        int from = 0;
        for (int index = 0; index < bytes.length; index++) {
            if (bytes[index] == '\n') {
                line.write(bytes, from, index - from);
                lines.add(line.toByteArray());
                line = new ByteArrayOutputStream();
                from = index + 1;
            }
        }
        line.write(bytes, from, bytes.length - from);
        if (line.size() > LINE_BYTES_MAX) {
            throw new IllegalStateException("an object of more than %d bytes in a watch".formatted(LINE_BYTES_MAX));
        }
        return lines;
    }

    /// The words of an answer that has no whole line.
    byte[] rest() {
        return line.toByteArray();
    }

    void cancel() {
        cancelled.set(true);
        body.ifPresent(AsyncBody::cancel);
    }
}
