package io.cadastre.agent.spiderpool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.cadastre.agent.spiderpool.SpiderpoolAgentException.Reason;
import io.cadastre.datastore.Bytes;
import io.cadastre.wire.cni.CniException;
import io.cadastre.wire.cni.CniJson;
import io.cadastre.wire.spiderpool.IpamAddArgs;
import io.cadastre.wire.spiderpool.IpamAddResponse;
import io.cadastre.wire.spiderpool.IpamBatchDelArgs;
import io.cadastre.wire.spiderpool.IpamDelArgs;
import io.cadastre.wire.spiderpool.PodIdentity;
import io.cadastre.wire.spiderpool.UnreadableFormException;
import io.cadastre.wire.spiderpool.WorkloadEndpoint;
import java.io.EOFException;
import java.io.IOException;
import java.net.ProtocolException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/// An agent behind a unix socket, such as Spiderpool's own.
public final class HttpSpiderpoolAgent implements SpiderpoolAgent {

    private static final String BASE = "/v1";
    private static final Bytes NO_BODY = Bytes.of(new byte[0]);
    private static final int WORDS_CHARACTERS_MAX = 1024;

    private static final int NOT_FOUND = 404;
    private static final int SERVER_ERROR_MIN = 500;
    private static final int STATELESS_RELEASE_FORBIDDEN = 521;
    private static final int STATEFUL_RELEASE_FORBIDDEN = 522;

    private final UnixHttp http;
    private final Supplier<Duration> left;

    /// The agent that listens at a socket, whether it listens yet or not.
    ///
    /// @param left how long the next request may take
    public HttpSpiderpoolAgent(Path socket, Supplier<Duration> left) {
        this.http = new UnixHttp(socket);
        this.left = left;
    }

    @Override
    public void checkHealth() {
        var call = new Call("GET", "/ipam/healthy", NO_BODY);
        var reply = ask(call);
        if (!reply.succeeded()) {
            throw new SpiderpoolAgentException(Reason.UNHEALTHY, "%s %s".formatted(call.status(reply), words(reply)));
        }
    }

    @Override
    public IpamAddResponse allocate(IpamAddArgs args) {
        var call = new Call("POST", "/ipam/ip", args.encode());
        return read(call, succeeding(call), IpamAddResponse::parse);
    }

    @Override
    public void release(IpamDelArgs args) {
        succeeding(new Call("DELETE", "/ipam/ip", args.encode()));
    }

    @Override
    public void releaseAll(IpamBatchDelArgs args) {
        succeeding(new Call("DELETE", "/ipam/ips", args.encode()));
    }

    @Override
    public Optional<WorkloadEndpoint> findEndpoint(PodIdentity pod) {
        var call = new Call(
                "GET",
                "/workloadendpoint?podNamespace=%s&podName=%s".formatted(encoded(pod.namespace()), encoded(pod.name())),
                NO_BODY);
        var reply = ask(call);
        if (reply.status() == NOT_FOUND) {
            return Optional.empty();
        }
        check(call, reply);
        return Optional.of(read(call, reply, WorkloadEndpoint::parse));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    /// One request.
    ///
    /// @param target below the base of the API
    private record Call(String method, String target, Bytes body) {

        private String status(HttpReply reply) {
            return "[%s %s][%d]".formatted(method, target, reply.status());
        }
    }

    private HttpReply succeeding(Call call) {
        var reply = ask(call);
        check(call, reply);
        return reply;
    }

    private static void check(Call call, HttpReply reply) {
        if (reply.succeeded()) {
            return;
        }
        var words = words(reply);
        throw switch (reply.status()) {
            case STATELESS_RELEASE_FORBIDDEN -> new SpiderpoolAgentException(Reason.STATELESS_RELEASE_FORBIDDEN, words);
            case STATEFUL_RELEASE_FORBIDDEN -> new SpiderpoolAgentException(Reason.STATEFUL_RELEASE_FORBIDDEN, words);
            default ->
                reply.status() >= SERVER_ERROR_MIN
                        ? new SpiderpoolAgentException(Reason.REFUSED, words)
                        : new SpiderpoolAgentException(Reason.UNREADABLE, "%s %s".formatted(call.status(reply), words));
        };
    }

    private HttpReply ask(Call call) {
        try {
            return http.ask(call.method(), BASE + call.target(), call.body(), left.get());
        } catch (ProtocolException broken) {
            throw new SpiderpoolAgentException(
                    Reason.UNREADABLE,
                    "%s %s: the answer is broken: %s".formatted(call.method(), call.target(), broken.getMessage()),
                    broken);
        } catch (EOFException cut) {
            throw new SpiderpoolAgentException(
                    Reason.UNREACHABLE,
                    "%s %s: the answer is cut off: %s".formatted(call.method(), call.target(), cut.getMessage()),
                    cut);
        } catch (IOException gone) {
            throw new SpiderpoolAgentException(
                    Reason.UNREACHABLE, "%s %s: %s".formatted(call.method(), call.target(), gone.getMessage()), gone);
        }
    }

    private static <T> T read(Call call, HttpReply reply, Function<Bytes, T> reading) {
        try {
            return reading.apply(reply.body());
        } catch (UnreadableFormException unreadable) {
            throw new SpiderpoolAgentException(
                    Reason.UNREADABLE,
                    unreadable.missing().isEmpty()
                            ? "%s the answer is unreadable: %s".formatted(call.status(reply), unreadable.getMessage())
                            : String.valueOf(unreadable.getMessage()),
                    unreadable);
        }
    }

    /// What the agent says in a body that is a text in JSON, an object with a message, or something else.
    private static String words(HttpReply reply) {
        var words = spoken(reply.body());
        return words.length() > WORDS_CHARACTERS_MAX ? words.substring(0, WORDS_CHARACTERS_MAX) + "…" : words;
    }

    private static String spoken(Bytes body) {
        try {
            return switch (CniJson.read(body)) {
                case TextNode text -> text.textValue();
                case ObjectNode object
                when object.path("message").isTextual() ->
                    object.path("message").textValue();
                case JsonNode other -> CniJson.compact(other);
            };
        } catch (CniException _) {
            return body.utf8().strip();
        }
    }
}
