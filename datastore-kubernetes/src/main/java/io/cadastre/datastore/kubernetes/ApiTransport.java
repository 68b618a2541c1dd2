package io.cadastre.datastore.kubernetes;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/// One HTTP client with its connections, and what is under way on them.
final class ApiTransport {

    private final HttpClient http;
    private final java.net.http.HttpClient connections;
    private final Set<UnderWay> underWay = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile boolean heard;
    private volatile long heardNanos;

    /// @param connections what `http` sends by; fabric8 leaves its connections to the garbage collector
    ApiTransport(HttpClient http, java.net.http.HttpClient connections) {
        this.http = http;
        this.connections = connections;
    }

    /// A request that was sent and whose answer has not ended.
    interface UnderWay {

        /// No more will come. It may be called after the end.
        void lost(String sentence);
    }

    HttpRequest.Builder request() {
        return http.newHttpRequestBuilder();
    }

    /// What is begun before it is sent is certainly lost with this transport, and never forgotten.
    ///
    /// @return whether it may be sent: this transport has not ended
    boolean begin(UnderWay request) {
        underWay.add(request);
        // An end that came before may have missed this one.
        if (ended.get()) {
            underWay.remove(request);
            return false;
        }
        return true;
    }

    void done(UnderWay request) {
        underWay.remove(request);
    }

    /// @throws IllegalStateException if this transport has ended, and nothing was sent
    CompletableFuture<HttpResponse<AsyncBody>> send(
            HttpRequest request, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
        return http.consumeBytes(request, (buffers, body) -> {
                    hear();
                    consumer.consume(buffers, body);
                })
                .thenApply(response -> {
                    hear();
                    return response;
                });
    }

    private void hear() {
        heardNanos = System.nanoTime();
        heard = true;
    }

    /// Whether the server has ever answered over this transport.
    boolean heard() {
        return heard;
    }

    boolean heardSince(long nanos) {
        return heard && heardNanos - nanos >= 0;
    }

    /// Ends what is under way, and cuts all connections.
    void end(String sentence) {
        if (!ended.compareAndSet(false, true)) {
            return;
        }
        underWay.forEach(request -> request.lost(sentence));
        underWay.clear();
        connections.shutdownNow();
        http.close();
    }
}
