package io.cadastre.cloud.google;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.cloud.google.GoogleCloudConfig.TokenUrl;
import io.cadastre.controller.election.MonotonicClock;
import io.cadastre.wire.json.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/// Requests to the Compute API, v1. A token that is not accepted is fetched anew once.
final class ComputeApi implements AutoCloseable {

    private static final int UNAUTHORIZED = 401;

    private final URI endpoint;
    private final BoundedHttp http;
    private final Optional<AccessToken> token;

    /// @param limit how long one answer may take
    ComputeApi(GoogleCloudConfig config, Duration limit, MonotonicClock stopwatch, InstantSource clock) {
        endpoint = config.apiEndpoint();
        http = new BoundedHttp(limit);
        token = switch (config.tokenUrl()) {
            case TokenUrl.Nowhere _ -> Optional.empty();
            case TokenUrl.At _, TokenUrl.For _ ->
                Optional.of(new AccessToken(http, config.tokenUrl(), stopwatch, clock));
        };
    }

    /// What is asked of the server.
    sealed interface Request {

        /// Below the endpoint.
        String path();

        record Get(String path) implements Request {}

        /// Changes what it names.
        ///
        /// @param beforeSending runs before each sending, after all waiting for it; what it throws
        ///     is thrown, and the request is not sent
        record Patch(String path, ObjectNode body, Runnable beforeSending) implements Request {}
    }

    ComputeReply send(Request request) {
        return token.map(source -> sendBearing(source, request)).orElseGet(() -> sendOnce(request, ""));
    }

    private ComputeReply sendBearing(AccessToken source, Request request) {
        return switch (source.fetch()) {
            case AccessToken.Fetched.Failed(var sentence) -> new ComputeReply.Unasked(sentence);
            case AccessToken.Fetched.Token first -> {
                var reply = sendOnce(request, first.secret().text());
                if (!(reply instanceof ComputeReply.Declined(int status, var _)) || status != UNAUTHORIZED) {
                    yield reply;
                }
                source.forget(first.secret());
                yield switch (source.fetch()) {
                    case AccessToken.Fetched.Failed(var sentence) -> new ComputeReply.Unasked(sentence);
                    case AccessToken.Fetched.Token second ->
                        sendOnce(request, second.secret().text());
                };
            }
        };
    }

    private ComputeReply sendOnce(Request request, String bearer) {
        var builder = HttpRequest.newBuilder(endpoint.resolve(request.path())).header("Accept", "application/json");
        if (!bearer.isEmpty()) {
            builder.header("Authorization", "Bearer " + bearer);
        }
        switch (request) {
            case Request.Get _ -> builder.GET();
            case Request.Patch(var _, var body, var beforeSending) -> {
                builder.header("Content-Type", "application/json")
                        .method(
                                "PATCH",
                                BodyPublishers.ofByteArray(Json.write(body).toByteArray()));
                beforeSending.run();
            }
        }
        try {
            var answer = http.send(builder);
            if (!answer.successful()) {
                return new ComputeReply.Declined(
                        answer.status(), "the server answered %d: %s".formatted(answer.status(), answer.words(bearer)));
            }
            return answer.body()
                    .<ComputeReply>map(ComputeReply.Done::new)
                    .orElseGet(() -> new ComputeReply.Lost(answer.words(bearer)));
        } catch (IOException lost) {
            return new ComputeReply.Lost(String.valueOf(lost.getMessage()));
        }
    }

    @Override
    public void close() {
        http.close();
    }
}
