package io.cadastre.datastore.kubernetes;

import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.DatastoreException.Kind;
import io.cadastre.datastore.kubernetes.ApiJson.Status;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLHandshakeException;

/// What answers that are not good mean, and connections that end without one.
///
/// Codes and reasons are those of the API conventions, see
/// <https://github.com/kubernetes/community/blob/master/contributors/devel/sig-architecture/api-conventions.md>.
final class ApiFailures {

    private ApiFailures() {}

    /// Whether the server turned the request away before it acted on it. Any other code from 500 on may
    /// come from a server that stopped half way, or from a proxy that lost the server's answer.
    static boolean turnedAway(ApiReply.Answered answer) {
        return answer.code() == 429
                || (answer.code() == 503 && answer.retryAfter().isPositive());
    }

    static boolean serverFailed(ApiReply.Answered answer) {
        return answer.code() >= 500;
    }

    /// Whether the object is not there. The same code without the object's name says that the server
    /// does not know the resource.
    static boolean absent(Status status) {
        return status.code() == 404
                && status.reason().equals("NotFound")
                && !status.name().isEmpty();
    }

    static boolean expired(int code) {
        return code == 410;
    }

    static boolean alreadyExists(Status status) {
        return status.code() == 409 && status.reason().equals("AlreadyExists");
    }

    /// The exception for an answer that certainly is a no.
    static DatastoreException refusal(String server, ApiRequest request, Status status) {
        var asked = "to %s %s".formatted(request.verb().word(), request.target());
        return switch (status.code()) {
            case 401 ->
                new DatastoreException(
                        Kind.DENIED,
                        "the Kubernetes API at %s does not accept our credentials %s".formatted(server, asked));
            case 403 ->
                new DatastoreException(
                        Kind.DENIED,
                        "the Kubernetes API at %s does not allow us %s: %s".formatted(server, asked, status.message()));
            case 404 ->
                new DatastoreException(
                        Kind.NOT_INSTALLED,
                        "the Kubernetes API at %s refuses %s: it does not know %s in version %s (%s); is it installed?"
                                .formatted(
                                        server,
                                        asked,
                                        request.resource().qualifiedPlural(),
                                        request.resource().version(),
                                        said(status)));
            case 429 ->
                new DatastoreException(
                        Kind.FAILED, "the Kubernetes API at %s has too much to do %s".formatted(server, asked));
            default ->
                new DatastoreException(
                        Kind.FAILED, "the Kubernetes API at %s refuses %s: %s".formatted(server, asked, said(status)));
        };
    }

    static String said(Status status) {
        return status.message().isEmpty()
                ? "code %d".formatted(status.code())
                : "%s (code %d)".formatted(status.message(), status.code());
    }

    static DatastoreException unanswered(ApiReply.Cause cause, String sentence) {
        return new DatastoreException(
                switch (cause) {
                    case TIME -> Kind.DEADLINE;
                    case CONNECTION -> Kind.UNREACHABLE;
                    case SIZE -> Kind.FAILED;
                },
                sentence);
    }

    /// What a connection's end says of the request that was to go over it.
    static ApiReply reply(String server, Throwable thrown, Duration limit) {
        var cause = thrown;
        // Ends: Throwable forbids circles of causes.
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return switch (cause) {
            case HttpConnectTimeoutException _ ->
                new ApiReply.Unsent(
                        ApiReply.Cause.TIME,
                        "no connection to the Kubernetes API at %s within %s".formatted(server, seconds(limit)));
            case HttpTimeoutException _ -> tooLate(server, limit);
            case TimeoutException _ -> tooLate(server, limit);
            case ConnectException refused ->
                new ApiReply.Unsent(
                        ApiReply.Cause.CONNECTION,
                        "the Kubernetes API at %s cannot be reached: %s".formatted(server, why(refused)));
            // The server, or we, did not accept the other's certificate: no request passed.
            case SSLHandshakeException tls ->
                new ApiReply.Unsent(
                        ApiReply.Cause.CONNECTION,
                        "TLS with the Kubernetes API at %s failed: %s".formatted(server, tls.getMessage()));
            default ->
                new ApiReply.Lost(
                        ApiReply.Cause.CONNECTION,
                        "the connection to the Kubernetes API at %s broke before the answer came: %s"
                                .formatted(server, cause.getMessage()));
        };
    }

    static ApiReply tooLate(String server, Duration limit) {
        return new ApiReply.Lost(
                ApiReply.Cause.TIME,
                "the Kubernetes API at %s did not answer within %s".formatted(server, seconds(limit)));
    }

    static String seconds(Duration limit) {
        return "%s s".formatted(limit.toMillis() / 1000.0).replace(".0 s", " s");
    }

    private static String why(ConnectException refused) {
        Throwable cause = refused;
        // Ends: Throwable forbids circles of causes.
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        if (cause instanceof UnresolvedAddressException) {
            return "no such host";
        }
        return refused.getMessage() == null ? "the connection was refused" : refused.getMessage();
    }
}
