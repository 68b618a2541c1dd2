package io.cadastre.agent.spiderpool;

import io.cadastre.datastore.Bytes;
import io.cadastre.wire.spiderpool.IpamAddArgs;
import io.cadastre.wire.spiderpool.IpamAddResponse;
import io.cadastre.wire.spiderpool.IpamBatchDelArgs;
import io.cadastre.wire.spiderpool.IpamDelArgs;
import io.cadastre.wire.spiderpool.PodIdentity;
import io.cadastre.wire.spiderpool.UnreadableFormException;
import io.cadastre.wire.spiderpool.WorkloadEndpoint;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;

/// The calls of the API of Spiderpool's agent, answered by the agent in this process.
///
/// @param refusals takes each pod that gets no address, and why
record SpiderpoolApi(PoolAgent agent, BiConsumer<PodIdentity, String> refusals) {

    private static final String BASE = "/v1";

    private static final int BAD_REQUEST = 400;
    private static final int NOT_FOUND = 404;
    private static final int METHOD_NOT_ALLOWED = 405;
    private static final int INVALID = 422;
    private static final int FAILURE = 500;
    private static final int STATELESS_RELEASE_FORBIDDEN = 521;
    private static final int STATEFUL_RELEASE_FORBIDDEN = 522;

    /// The code of a member or parameter that is required and missing.
    private static final int REQUIRED = 602;

    HttpAnswer answer(HttpRequest request) {
        try {
            return switch (request.path()) {
                case BASE + "/ipam/healthy" -> healthy(request);
                case BASE + "/ipam/ip" -> address(request);
                case BASE + "/ipam/ips" -> addresses(request);
                case BASE + "/workloadendpoint" -> endpoint(request);
                case BASE + "/coordinator/config" -> coordinator(request);
                default -> HttpAnswer.fault(NOT_FOUND, NOT_FOUND, "path %s was not found".formatted(request.path()));
            };
        } catch (UnreadableFormException unreadable) {
            return unreadable.missing().isEmpty()
                    ? HttpAnswer.fault(BAD_REQUEST, BAD_REQUEST, unreadable.firstFault())
                    : HttpAnswer.fault(INVALID, REQUIRED, unreadable.firstFault());
        } catch (SpiderpoolAgentException failed) {
            return HttpAnswer.saying(
                    switch (failed.reason()) {
                        case STATELESS_RELEASE_FORBIDDEN -> STATELESS_RELEASE_FORBIDDEN;
                        case STATEFUL_RELEASE_FORBIDDEN -> STATEFUL_RELEASE_FORBIDDEN;
                        case REFUSED, UNREACHABLE, UNHEALTHY, UNREADABLE -> FAILURE;
                    },
                    failed.words());
        }
    }

    private HttpAnswer healthy(HttpRequest request) {
        return switch (request.method()) {
            case "GET" -> {
                agent.checkHealth();
                yield HttpAnswer.DONE;
            }
            default -> notAllowed(request, "GET");
        };
    }

    private HttpAnswer address(HttpRequest request) {
        return switch (request.method()) {
            case "POST" ->
                HttpAnswer.of(allocate(form(request, "ipamAddArgs", IpamAddArgs::parse))
                        .encode());
            case "DELETE" -> {
                agent.release(form(request, "ipamDelArgs", IpamDelArgs::parse));
                yield HttpAnswer.DONE;
            }
            default -> notAllowed(request, "DELETE", "POST");
        };
    }

    private IpamAddResponse allocate(IpamAddArgs args) {
        try {
            return agent.allocate(args);
        } catch (SpiderpoolAgentException failed) {
            refusals.accept(args.pod(), failed.words());
            throw failed;
        }
    }

    private HttpAnswer addresses(HttpRequest request) {
        return switch (request.method()) {
            // It does nothing with Spiderpool either.
            case "POST" -> HttpAnswer.DONE;
            case "DELETE" -> {
                agent.releaseUnexplained(form(request, "ipamBatchDelArgs", IpamBatchDelArgs::parse));
                yield HttpAnswer.DONE;
            }
            default -> notAllowed(request, "DELETE", "POST");
        };
    }

    private HttpAnswer endpoint(HttpRequest request) {
        if (!request.method().equals("GET")) {
            return notAllowed(request, "GET");
        }
        for (var name : List.of("podNamespace", "podName")) {
            if (request.find(name).isEmpty()) {
                return HttpAnswer.fault(INVALID, REQUIRED, name + " in query is required");
            }
        }
        var pod = new PodIdentity(
                request.find("podNamespace").orElseThrow(),
                request.find("podName").orElseThrow(),
                "");
        return agent.findPodEndpoint(pod)
                .map(endpoint -> HttpAnswer.of(WorkloadEndpoint.encode(pod, endpoint)))
                .orElseGet(() -> HttpAnswer.saying(
                        NOT_FOUND, "SpiderEndpoint not found for pod %s/%s".formatted(pod.namespace(), pod.name())));
    }

    /// A plugin names its pod in the body.
    private HttpAnswer coordinator(HttpRequest request) {
        return request.method().equals("GET")
                ? HttpAnswer.of(agent.coordinator(form(request, "get-coordinator-config", PodIdentity::parse)))
                : notAllowed(request, "GET");
    }

    private static <T> T form(HttpRequest request, String name, Function<Bytes, T> reading) {
        if (request.body().size() == 0) {
            throw UnreadableFormException.incomplete(List.of(name));
        }
        return reading.apply(request.body());
    }

    private static HttpAnswer notAllowed(HttpRequest request, String... allowed) {
        return HttpAnswer.fault(
                METHOD_NOT_ALLOWED,
                METHOD_NOT_ALLOWED,
                "method %s is not allowed, but [%s] are".formatted(request.method(), String.join(",", allowed)));
    }
}
