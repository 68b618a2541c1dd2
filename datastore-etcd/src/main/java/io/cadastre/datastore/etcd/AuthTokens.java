package io.cadastre.datastore.etcd;

import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.DatastoreException.Kind;
import io.grpc.Deadline;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;

/// The token that stands for a user name and password, asked for when there is none.
final class AuthTokens {

    private final EtcdSettings.Login login;
    private final EtcdClient client;

    /// Lets one caller ask for a token while the others wait for it.
    private final ReentrantLock lock = new ReentrantLock();

    private volatile Token token = new Token.Unknown();

    AuthTokens(EtcdSettings.Login login, EtcdClient client) {
        this.login = login;
        this.client = client;
    }

    /// The token to call with; none for an anonymous caller, or where etcd does not ask for one.
    Optional<String> current(Deadline deadline) {
        return switch (login) {
            case EtcdSettings.Login.Anonymous() -> Optional.empty();
            case EtcdSettings.Login.Password password ->
                switch (token) {
                    case Token.Known(var text) -> Optional.of(text);
                    case Token.NotNeeded() -> Optional.empty();
                    case Token.Unknown() -> fetch(password, deadline);
                };
        };
    }

    /// Says that etcd no longer takes this token.
    void forget(String refused) {
        lock.lock();
        try {
            if (token.equals(new Token.Known(refused))) {
                token = new Token.Unknown();
            }
        } finally {
            lock.unlock();
        }
    }

    private Optional<String> fetch(EtcdSettings.Login.Password password, Deadline deadline) {
        lock.lock();
        try {
            if (token instanceof Token.Unknown) {
                token = authenticate(password, deadline);
            }
            return token instanceof Token.Known(var text) ? Optional.of(text) : Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    private Token authenticate(EtcdSettings.Login.Password password, Deadline deadline) {
        var request = Requests.authenticate(password.username(), password.password());
        var outgoing = new EtcdClient.Outgoing(Rpc.AUTHENTICATE, request, new Metadata());
        return switch (client.send(outgoing, deadline, UnaryOperator.identity())) {
            case EtcdReply.Answer(var message, var _, var _) -> read(message);
            case EtcdReply.Unsent(var reason) -> throw client.unreachable(reason);
            case EtcdReply.Ended ended -> {
                if (EtcdFailures.authenticationDisabled(ended.status())) {
                    yield new Token.NotNeeded();
                }
                if (ended.status().getCode() == Status.Code.INVALID_ARGUMENT) {
                    throw new DatastoreException(
                            Kind.DENIED,
                            "etcd at %s does not accept the password of user %s"
                                    .formatted(ended.endpoint(), password.username()));
                }
                throw EtcdFailures.of(ended, client.callLimit());
            }
        };
    }

    private static Token read(ProtoReader message) {
        var reader = message;
        var token = "";
        while (reader.next()) {
            if (reader.field() == 2) {
                token = reader.text();
            }
        }
        return new Token.Known(token);
    }

    private sealed interface Token {

        record Unknown() implements Token {}

        record Known(String text) implements Token {

            /// Without the token, which is as good as a password while it lasts.
            @Override
            public String toString() {
                return "Known[]";
            }
        }

        record NotNeeded() implements Token {}
    }
}
