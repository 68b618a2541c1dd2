package io.cadastre.cloud.google;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Datastore;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.json.UnreadableDocumentException;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Requests that end in time, and answers that fit into memory.
final class BoundedHttp implements AutoCloseable {

    private static final int MESSAGE_CHARACTERS_MAX = 300;

    private final HttpClient client;
    private final Duration limit;

    /// @param limit how long one answer may take, up to its last byte
    BoundedHttp(Duration limit) {
        this.limit = limit;
        // A redirection would carry the token to another server.
        client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(limit)
                .build();
    }

    /// An answer of a server.
    ///
    /// @param body the JSON object that it is, or empty if it is not one
    /// @param fault why it is not one
    record Answer(int status, Optional<ObjectNode> body, String fault) {

        boolean successful() {
            return status >= 200 && status < 300;
        }

        /// What the server said, in one line and shortened.
        ///
        /// @param secret is left out if the server repeats it; empty if there is none
        String words(String secret) {
            var message = body.map(BoundedHttp::message).orElse(fault);
            var hidden = secret.isEmpty() ? message : message.replace(secret, "(the token)");
            var line = hidden.replaceAll("\\p{Cntrl}+", " ").strip();
            return line.length() <= MESSAGE_CHARACTERS_MAX ? line : line.substring(0, MESSAGE_CHARACTERS_MAX) + "...";
        }
    }

    private static String message(ObjectNode body) {
        return body.path("error").path("message").asText("without a message");
    }

    /// Sends a request and waits for its whole answer.
    ///
    /// @throws IOException if there is none in time, or if it is too long
    Answer send(HttpRequest.Builder request) throws IOException {
        var sent = client.sendAsync(
                request.timeout(limit).build(),
                BodyHandlers.limiting(BodyHandlers.ofByteArray(), Datastore.VALUE_BYTES_MAX));
        try {
            var response = sent.get(limit.toNanos(), TimeUnit.NANOSECONDS);
            return read(response.statusCode(), Bytes.of(response.body()));
        } catch (TimeoutException late) {
            sent.cancel(true);
            throw new IOException("no answer within %d ms".formatted(limit.toMillis()), late);
        } catch (ExecutionException failed) {
            throw new IOException(words(failed), failed);
        } catch (InterruptedException interrupted) {
            sent.cancel(true);
            Thread.currentThread().interrupt();
            throw new IOException("the wait for the answer was interrupted", interrupted);
        }
    }

    private String words(ExecutionException failed) {
        var cause = failed.getCause() == null ? failed : failed.getCause();
        return switch (cause) {
            case java.net.http.HttpTimeoutException _ -> "no answer within %d ms".formatted(limit.toMillis());
            case java.net.ConnectException _ -> "the server cannot be reached";
            case Throwable other ->
                other.getMessage() == null ? other.getClass().getSimpleName() : other.getMessage();
        };
    }

    private static Answer read(int status, Bytes body) {
        try {
            return new Answer(status, Optional.of(Json.readObject("the answer", body)), "");
        } catch (UnreadableDocumentException garbage) {
            return new Answer(status, Optional.empty(), String.valueOf(garbage.getMessage()));
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
        client.close();
    }
}
