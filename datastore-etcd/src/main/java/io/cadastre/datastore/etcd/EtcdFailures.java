package io.cadastre.datastore.etcd;

import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.DatastoreException.Kind;
import io.grpc.Status;
import java.io.IOException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import javax.net.ssl.SSLException;

/// What the statuses that calls end with mean.
///
/// Status codes are those of etcd's `rpctypes`; where one code has several meanings, its words
/// decide. See <https://github.com/etcd-io/etcd/blob/main/api/v3rpc/rpctypes/error.go>.
final class EtcdFailures {

    private EtcdFailures() {}

    /// Whether etcd said no before it applied anything. Everything else may have been applied, or may
    /// yet be.
    static boolean certainlyNotApplied(Status status) {
        return switch (status.getCode()) {
            case INVALID_ARGUMENT,
                    PERMISSION_DENIED,
                    UNAUTHENTICATED,
                    FAILED_PRECONDITION,
                    OUT_OF_RANGE,
                    NOT_FOUND,
                    UNIMPLEMENTED -> true;
            // Not "database space exceeded": see outOfSpace.
            case RESOURCE_EXHAUSTED -> tooLarge(status) || overloaded(status);
            case OK, CANCELLED, UNKNOWN, DEADLINE_EXCEEDED, ALREADY_EXISTS, ABORTED, INTERNAL, UNAVAILABLE, DATA_LOSS ->
                false;
        };
    }

    /// Whether the request exceeds what etcd takes, by its own count or by its gRPC server's.
    static boolean tooLarge(Status status) {
        return says(status, "request is too large") || says(status, "received message larger than");
    }

    /// Whether etcd has more to do than it can, and takes nothing more for now.
    static boolean overloaded(Status status) {
        return says(status, "too many requests");
    }

    /// Whether the answer exceeds what we take.
    static boolean answerTooLarge(Status status) {
        return status.getCode() == Status.Code.RESOURCE_EXHAUSTED && says(status, "exceeds maximum size");
    }

    /// Whether etcd's space quota is used up. The transaction that crosses the quota is applied and
    /// yet answered with this status; the ones after it are not applied.
    static boolean outOfSpace(Status status) {
        return says(status, "database space exceeded");
    }

    static boolean compacted(Status status) {
        return status.getCode() == Status.Code.OUT_OF_RANGE && says(status, "compacted");
    }

    static boolean futureRevision(Status status) {
        return status.getCode() == Status.Code.OUT_OF_RANGE && says(status, "future revision");
    }

    static boolean authenticationDisabled(Status status) {
        return says(status, "authentication is not enabled");
    }

    /// Whether etcd no longer knows the token, or rights have changed since it was given.
    static boolean staleToken(Status status) {
        return says(status, "invalid auth token") || says(status, "auth store is old");
    }

    /// Whether a watch was refused to this user, or to this token.
    static boolean denied(Status status) {
        return status.getCode() == Status.Code.PERMISSION_DENIED
                || staleToken(status)
                || says(status, "permission denied")
                || says(status, "user name is empty");
    }

    /// Whether the same read may succeed a moment later or on another member.
    static boolean mayPass(Status status) {
        return switch (status.getCode()) {
            case UNAVAILABLE, DEADLINE_EXCEEDED, INTERNAL -> true;
            case RESOURCE_EXHAUSTED -> overloaded(status);
            // What etcd forwards of its own time limits.
            case UNKNOWN ->
                says(status, "context deadline exceeded") || says(status, "stopped") || connectionBroke(status);
            default -> false;
        };
    }

    /// Whether the connection ended below gRPC, which has no status of its own for it.
    private static boolean connectionBroke(Status status) {
        return status.getCode() == Status.Code.UNAVAILABLE
                || says(status, "channel closed")
                || status.getCause() instanceof IOException;
    }

    /// Whether another member may serve better.
    static boolean blamesMember(Status status) {
        return switch (status.getCode()) {
            case UNAVAILABLE, DEADLINE_EXCEEDED, INTERNAL, UNKNOWN, DATA_LOSS -> true;
            default -> false;
        };
    }

    static DatastoreException of(EtcdReply.Ended ended, Duration limit) {
        var status = ended.status();
        return status.getCause() instanceof DatastoreException noticed
                ? noticed
                : new DatastoreException(kind(status), sentence(ended, limit), status.asRuntimeException());
    }

    private static Kind kind(Status status) {
        if (says(status, "user name is empty")) {
            return Kind.DENIED;
        }
        return switch (status.getCode()) {
            case DEADLINE_EXCEEDED -> Kind.DEADLINE;
            case UNAVAILABLE -> Kind.UNREACHABLE;
            case PERMISSION_DENIED, UNAUTHENTICATED -> Kind.DENIED;
            case DATA_LOSS -> Kind.CORRUPT;
            case RESOURCE_EXHAUSTED -> outOfSpace(status) ? Kind.FULL : Kind.FAILED;
            default -> Kind.FAILED;
        };
    }

    /// What happened, in one sentence that names the endpoint.
    static String sentence(EtcdReply.Ended ended, Duration limit) {
        var status = ended.status();
        var endpoint = ended.endpoint();
        if (status.getCause() instanceof DatastoreException noticed) {
            return String.valueOf(noticed.getMessage());
        }
        if (says(status, "user name is empty")) {
            return "etcd at %s asks for a user name and password; none is set".formatted(endpoint);
        }
        if (status.getCode() == Status.Code.DEADLINE_EXCEEDED) {
            return "etcd at %s did not answer within %s".formatted(endpoint, seconds(limit));
        }
        if (status.getCode() == Status.Code.PERMISSION_DENIED) {
            return "etcd at %s denies this user".formatted(endpoint);
        }
        if (outOfSpace(status)) {
            return "etcd at %s has used up its space quota".formatted(endpoint);
        }
        var description = status.getDescription();
        if (description != null && description.startsWith("etcdserver: ")) {
            return "etcd at %s answered: %s".formatted(endpoint, description.substring("etcdserver: ".length()));
        }
        if (connectionBroke(status)) {
            return "the connection to etcd at %s broke before the answer came".formatted(endpoint);
        }
        return "the call to etcd at %s ended as %s%s"
                .formatted(endpoint, status.getCode(), description == null ? "" : ": " + description);
    }

    /// Why a call found no connection.
    static String whyUnsent(Status status, Duration limit) {
        if (status.getCode() == Status.Code.DEADLINE_EXCEEDED) {
            return "no connection within %s".formatted(seconds(limit));
        }
        var description = status.getDescription();
        var cause = status.getCause();
        if (cause == null) {
            return description == null || description.contains("shutdown")
                    ? "the connection failed a moment ago"
                    : description;
        }
        // Ends: Throwable forbids circles of causes.
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return switch (cause) {
            case UnknownHostException _ -> "no such host";
            case SSLException tls -> "TLS failed: %s".formatted(words(tls));
            case GeneralSecurityException tls -> "TLS failed: %s".formatted(words(tls));
            case ClosedChannelException _ ->
                "the server closed the connection; is the endpoint's scheme, http or https, the" + " server's?";
            default -> words(cause);
        };
    }

    /// What an exception says, or its kind where it says nothing.
    private static String words(Throwable cause) {
        var message = cause.getMessage();
        return message == null || message.isBlank() ? cause.getClass().getSimpleName() : message;
    }

    static String seconds(Duration limit) {
        return "%s s".formatted(limit.toMillis() / 1000.0).replace(".0 s", " s");
    }

    private static boolean says(Status status, String words) {
        var description = status.getDescription();
        return description != null && description.contains(words);
    }
}
