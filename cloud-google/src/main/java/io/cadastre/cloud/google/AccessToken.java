package io.cadastre.cloud.google;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.cloud.google.GoogleCloudConfig.TokenUrl;
import io.cadastre.controller.election.MonotonicClock;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.UnreadableDocumentException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The token that requests bear, fetched when it is needed and kept until shortly before it expires.
final class AccessToken {

    /// A token that expires sooner than this is not used any more.
    private static final Duration MARGIN = Duration.ofMinutes(1);

    /// A token is not kept for longer than this, whatever the server says.
    private static final Duration KEPT_MAX = Duration.ofHours(12);

    /// After a failure the server is left alone for this long.
    private static final Duration REST = Duration.ofSeconds(1);

    /// What may stand in a header.
    private static final Pattern FORM = Pattern.compile("[\\x21-\\x7e]{1,8192}");

    private final BoundedHttp http;
    private final TokenUrl source;
    private final MonotonicClock stopwatch;
    private final InstantSource clock;

    /// Guards everything below, so that one thread fetches and the others wait for what it gets.
    private final ReentrantLock lock = new ReentrantLock();

    private Optional<Kept> kept = Optional.empty();
    private Optional<Failure> failure = Optional.empty();

    private record Kept(Secret secret, long untilNanos) {}

    private record Failure(String sentence, long untilNanos) {}

    /// What asking for a token came to.
    sealed interface Fetched {

        record Token(Secret secret) implements Fetched {}

        record Failed(String sentence) implements Fetched {}
    }

    AccessToken(BoundedHttp http, TokenUrl source, MonotonicClock stopwatch, InstantSource clock) {
        this.http = http;
        this.source = source;
        this.stopwatch = stopwatch;
        this.clock = clock;
    }

    Fetched fetch() {
        lock.lock();
        try {
            long now = stopwatch.nanos();
            if (kept.isPresent() && kept.get().untilNanos() - now > 0) {
                return new Fetched.Token(kept.get().secret());
            }
            if (failure.isPresent() && failure.get().untilNanos() - now > 0) {
                return new Fetched.Failed(failure.get().sentence());
            }
            return fetchAnew();
        } finally {
            lock.unlock();
        }
    }

    /// Forgets the token if it still is the one that a server did not accept.
    void forget(Secret refused) {
        lock.lock();
        try {
            kept = kept.filter(one -> !one.secret().equals(refused));
        } finally {
            lock.unlock();
        }
    }

    private Fetched fetchAnew() {
        kept = Optional.empty();
        failure = Optional.empty();
        var fetched = ask();
        if (fetched instanceof Fetched.Failed(var sentence)) {
            failure = Optional.of(new Failure(sentence, stopwatch.nanos() + REST.toNanos()));
        }
        return fetched;
    }

    private Fetched ask() {
        return switch (source) {
            case TokenUrl.Nowhere _ -> throw new IllegalStateException("there is no server of tokens");
            case TokenUrl.At(var url) ->
                ask(
                        url,
                        "",
                        HttpRequest.newBuilder(url)
                                .header("Metadata-Flavor", "Google")
                                .GET(),
                        this::keepFor);
            case TokenUrl.For(var url, var body) ->
                ask(
                        url,
                        body.text(),
                        HttpRequest.newBuilder(url).POST(BodyPublishers.ofString(body.text())),
                        this::keepUntil);
        };
    }

    private Fetched ask(
            URI url, String secret, HttpRequest.Builder request, Function<ObjectNode, Optional<Kept>> keep) {
        try {
            var answer = http.send(request);
            if (!answer.successful()) {
                return failed(url, "the server answered %d: %s".formatted(answer.status(), answer.words(secret)));
            }
            if (answer.body().isEmpty()) {
                return failed(url, answer.fault());
            }
            kept = keep.apply(answer.body().get());
            return kept.<Fetched>map(one -> new Fetched.Token(one.secret()))
                    .orElseGet(() -> failed(url, "the answer has no usable token"));
        } catch (IOException lost) {
            return failed(url, String.valueOf(lost.getMessage()));
        } catch (UnreadableDocumentException garbage) {
            return failed(url, garbage.getMessage());
        }
    }

    /// The answer of a metadata server: `access_token` and `expires_in`.
    private Optional<Kept> keepFor(ObjectNode body) {
        var fields = new Fields("the answer");
        return keep(fields.text(body, "access_token"), Duration.ofSeconds(fields.count(body, "expires_in")));
    }

    /// The answer of a control plane: `accessToken` and `expireTime`.
    private Optional<Kept> keepUntil(ObjectNode body) {
        var fields = new Fields("the answer");
        try {
            var end = OffsetDateTime.parse(fields.text(body, "expireTime")).toInstant();
            return keep(fields.text(body, "accessToken"), Duration.between(clock.instant(), end));
        } catch (DateTimeException _) {
            return Optional.empty();
        }
    }

    /// A token that is out of date already is used once.
    private Optional<Kept> keep(String text, Duration given) {
        if (!FORM.matcher(text).matches()) {
            return Optional.empty();
        }
        var lifetime = given.compareTo(KEPT_MAX) > 0 ? KEPT_MAX : given.isNegative() ? Duration.ZERO : given;
        // A short life is used for its first half.
        var margin = lifetime.dividedBy(2).compareTo(MARGIN) < 0 ? lifetime.dividedBy(2) : MARGIN;
        return Optional.of(new Kept(
                new Secret(text), stopwatch.nanos() + lifetime.minus(margin).toNanos()));
    }

    private static Fetched failed(URI url, @Nullable String fault) {
        return new Fetched.Failed("cannot get a token from %s: %s".formatted(url, fault));
    }
}
