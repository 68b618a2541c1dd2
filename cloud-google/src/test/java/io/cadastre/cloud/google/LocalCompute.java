package io.cadastre.cloud.google;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.cadastre.address.Prefix;
import io.cadastre.datastore.Bytes;
import io.cadastre.wire.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;

/// A Compute API with the requests that concern alias ranges, and the token of a metadata server, over HTTP.
///
/// As in the cloud, a change is an operation, a fingerprint names the state of an interface that is to be changed, and
/// an alias range belongs to one machine. `v1` and `beta` are the same.
final class LocalCompute implements AutoCloseable {

    private static final String TOKEN_PATH = "/computeMetadata/v1/instance/service-accounts/default/token";

    private static final Pattern INSTANCE =
            Pattern.compile("/compute/(v1|beta)/projects/([^/]+)/zones/([^/]+)/instances/([^/]+)(/[^/]+)?");
    private static final Pattern OPERATION =
            Pattern.compile("/compute/(v1|beta)/projects/([^/]+)/zones/([^/]+)/operations/([^/]+)");

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final CountDownLatch closed = new CountDownLatch(1);

    /// Guarded by this, as all below.
    private final Map<String, Machine> machines = new TreeMap<>();

    private final Map<String, Change> operations = new TreeMap<>();
    private final Map<String, Deque<ComputeFault>> faults = new TreeMap<>();
    private final List<String> requests = new ArrayList<>();
    private final Set<String> validTokens = new HashSet<>();
    private boolean tokensAreChecked;
    private int tokensIssued;
    private long tokenSeconds = 3600;
    private Instant tokensUntil = Instant.EPOCH;
    private int pollsUntilDone = 1;
    private String interfaceName = "nic";
    private long changes;

    private record Interface(String name, String fingerprint, List<ObjectNode> aliases) {}

    private record Machine(String project, String zone, String name, List<Interface> interfaces) {}

    /// @param pollsLeft until it is done
    private record Change(String zone, ObjectNode answer, int pollsLeft) {}

    private record Answer(int status, String body) {}

    private LocalCompute(HttpServer server) {
        this.server = server;
    }

    static LocalCompute open() {
        try {
            var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            var compute = new LocalCompute(server);
            server.setExecutor(compute.threads);
            server.createContext("/", compute::handle);
            server.start();
            return compute;
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        }
    }

    String host() {
        return "127.0.0.1:" + server.getAddress().getPort();
    }

    String endpoint() {
        return "http://%s/compute/v1/".formatted(host());
    }

    /// Adds a machine of project `p` in zone `z-1`.
    ///
    /// @param interfaces the alias ranges of each, with a blank between them
    synchronized LocalCompute withMachine(String name, String... interfaces) {
        var all = new ArrayList<Interface>();
        for (var ranges : interfaces) {
            var aliases = new ArrayList<ObjectNode>();
            for (var range : ranges.isEmpty() ? new String[0] : ranges.split(" ")) {
                aliases.add(Json.emptyObject().put("ipCidrRange", range).put("subnetworkRangeName", "of-" + name));
            }
            all.add(new Interface(interfaceName + all.size(), fingerprint(), aliases));
        }
        machines.put(name, new Machine("p", "z-1", name, all));
        return this;
    }

    /// The interfaces of machines that come are called this, and a number.
    synchronized LocalCompute withInterfacesCalled(String name) {
        interfaceName = name;
        return this;
    }

    /// From now on requests need a token that was issued here.
    synchronized LocalCompute withTokens(long seconds) {
        tokensAreChecked = true;
        tokenSeconds = seconds;
        return this;
    }

    synchronized LocalCompute withTokensUntil(Instant end) {
        tokensUntil = end;
        return this;
    }

    /// No token that was issued so far is accepted any more.
    synchronized void revokeTokens() {
        validTokens.clear();
    }

    synchronized int tokensIssued() {
        return tokensIssued;
    }

    synchronized LocalCompute withPollsUntilDone(int polls) {
        pollsUntilDone = polls;
        return this;
    }

    /// The next request of this kind goes wrong: `get`, `patch`, `operation` or `token`.
    synchronized LocalCompute failing(String kind, ComputeFault fault) {
        faults.computeIfAbsent(kind, _ -> new ArrayDeque<>()).add(fault);
        return this;
    }

    /// The kinds of the requests so far.
    synchronized List<String> requests() {
        return List.copyOf(requests);
    }

    /// The alias ranges of all interfaces of a machine, with the names of their secondary ranges.
    synchronized List<String> aliases(String machine) {
        return Optional.ofNullable(machines.get(machine)).orElseThrow().interfaces().stream()
                .flatMap(each -> each.aliases().stream())
                .map(alias -> "%s %s"
                        .formatted(
                                alias.path("ipCidrRange").asText(),
                                alias.path("subnetworkRangeName").asText("-")))
                .toList();
    }

    private String fingerprint() {
        changes++;
        return "fingerprint-%d=".formatted(changes);
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            var body = Bytes.of(exchange.getRequestBody().readAllBytes());
            var kind = kind(exchange);
            var fault = next(kind);
            switch (fault.orElse(null)) {
                case ComputeFault.Status(int status, var message) -> send(exchange, error(status, message));
                case ComputeFault.Body(var text) -> send(exchange, new Answer(200, text));
                case ComputeFault.Silence _ -> awaitClosed();
                case ComputeFault.HalfAnswer _ -> {
                    exchange.sendResponseHeaders(200, 1000);
                    exchange.getResponseBody().write("{\"kind\":".getBytes(java.nio.charset.StandardCharsets.UTF_8));
                    exchange.getResponseBody().flush();
                    awaitClosed();
                }
                case ComputeFault.LostAnswer lost -> {
                    var _ = answer(exchange, kind, body, Optional.of(lost));
                }
                case null, default -> send(exchange, answer(exchange, kind, body, fault));
            }
        }
    }

    private void awaitClosed() {
        try {
            closed.await();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private static String kind(HttpExchange exchange) {
        var path = exchange.getRequestURI().getPath();
        if (path.equals(TOKEN_PATH) || path.equals("/token")) {
            return "token";
        }
        if (OPERATION.matcher(path).matches()) {
            return "operation";
        }
        return exchange.getRequestMethod().equals("PATCH") ? "patch" : "get";
    }

    private synchronized Optional<ComputeFault> next(String kind) {
        requests.add(kind);
        return Optional.ofNullable(faults.getOrDefault(kind, new ArrayDeque<>()).poll());
    }

    private synchronized Answer answer(HttpExchange exchange, String kind, Bytes body, Optional<ComputeFault> fault) {
        if (kind.equals("token")) {
            return token(exchange, body);
        }
        var bearer = String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"));
        if (tokensAreChecked && !validTokens.contains(bearer)) {
            return error(401, "Request had invalid authentication credentials: " + bearer);
        }
        var path = exchange.getRequestURI().getPath();
        if (kind.equals("operation")) {
            var operation = OPERATION.matcher(path);
            return operation.matches() ? operation(operation.group(4)) : error(404, "no such path");
        }
        var instance = INSTANCE.matcher(path);
        if (!instance.matches()) {
            return error(404, "no such path: " + path);
        }
        var machine = machines.get(instance.group(4));
        if (machine == null
                || !machine.project().equals(instance.group(2))
                || !machine.zone().equals(instance.group(3))) {
            return error(404, "The resource '%s' was not found".formatted(path.substring(1)));
        }
        return kind.equals("patch")
                ? patch(machine, String.valueOf(exchange.getRequestURI().getQuery()), body, fault)
                : new Answer(200, json(machine).toString());
    }

    private Answer token(HttpExchange exchange, Bytes body) {
        boolean forText = exchange.getRequestMethod().equals("POST");
        if (forText && !body.utf8().equals("for me")) {
            return error(400, "what is '%s'?".formatted(body.utf8()));
        }
        if (!forText && !"Google".equals(exchange.getRequestHeaders().getFirst("Metadata-Flavor"))) {
            return error(403, "Missing Metadata-Flavor:Google header.");
        }
        tokensIssued++;
        var text = "ya29.secret-%d".formatted(tokensIssued);
        validTokens.add("Bearer " + text);
        if (forText) {
            return new Answer(
                    200,
                    Json.emptyObject()
                            .put("accessToken", text)
                            .put("expireTime", tokensUntil.toString())
                            .toString());
        }
        return new Answer(
                200,
                Json.emptyObject()
                        .put("access_token", text)
                        .put("expires_in", tokenSeconds)
                        .put("token_type", "Bearer")
                        .toString());
    }

    private static ObjectNode json(Machine machine) {
        var json = Json.emptyObject()
                .put("kind", "compute#instance")
                .put("name", machine.name())
                .put("zone", machine.zone());
        var interfaces = json.putArray("networkInterfaces");
        for (var each : machine.interfaces()) {
            var one = interfaces
                    .addObject()
                    .put("name", each.name())
                    .put("networkIP", "10.128.0.2")
                    .put("fingerprint", each.fingerprint());
            if (!each.aliases().isEmpty()) {
                each.aliases().forEach(one.putArray("aliasIpRanges")::add);
            }
        }
        return json;
    }

    private Answer patch(Machine before, String query, Bytes body, Optional<ComputeFault> fault) {
        var machine = fault.orElse(null) instanceof ComputeFault.Rival(var range) ? touched(before, range) : before;
        var json = Json.readObject("the request", body);
        var current = machine.interfaces().stream()
                .filter(each -> query.equals("alt=json&networkInterface=%s&prettyPrint=false".formatted(each.name())))
                .findFirst();
        if (current.isEmpty()) {
            return error(400, "Invalid value for field 'networkInterface'");
        }
        if (!current.get().fingerprint().equals(json.path("fingerprint").asText())) {
            return error(412, "Invalid fingerprint.");
        }
        var aliases = new ArrayList<ObjectNode>();
        json.path("aliasIpRanges").forEach(alias -> aliases.add((ObjectNode) alias));
        var answer = Json.emptyObject()
                .put("kind", "compute#operation")
                .put("name", "operation-%d".formatted(operations.size() + 1))
                .put("operationType", "updateNetworkInterface")
                .put("status", "RUNNING");
        var failure = fault.filter(ComputeFault.FailingOperation.class::isInstance)
                .map(ComputeFault.FailingOperation.class::cast)
                .or(() -> overlap(machine, aliases));
        failure.ifPresentOrElse(
                failed -> answer.put("httpErrorStatusCode", failed.status())
                        .putObject("error")
                        .putArray("errors")
                        .addObject()
                        .put("code", failed.code())
                        .put("message", failed.message()),
                () -> write(machine, current.get(), aliases));
        boolean endless = fault.orElse(null) instanceof ComputeFault.EndlessOperation;
        operations.put(
                answer.path("name").asText(),
                new Change(machine.zone(), answer, endless ? Integer.MAX_VALUE : pollsUntilDone));
        var begun = answer.deepCopy();
        begun.remove("error");
        begun.remove("httpErrorStatusCode");
        return new Answer(200, begun.toString());
    }

    private Machine touched(Machine machine, String range) {
        var first = machine.interfaces().getFirst();
        var aliases = new ArrayList<>(first.aliases());
        if (!range.isEmpty()) {
            aliases.add(Json.emptyObject().put("ipCidrRange", range));
        }
        write(machine, first, aliases);
        return Optional.ofNullable(machines.get(machine.name())).orElseThrow();
    }

    private void write(Machine machine, Interface before, List<ObjectNode> aliases) {
        var interfaces = machine.interfaces().stream()
                .map(each -> each.equals(before) ? new Interface(each.name(), fingerprint(), aliases) : each)
                .toList();
        machines.put(machine.name(), new Machine(machine.project(), machine.zone(), machine.name(), interfaces));
    }

    private Optional<ComputeFault.FailingOperation> overlap(Machine machine, List<ObjectNode> aliases) {
        for (var other : machines.values()) {
            for (var held : other.equals(machine) ? List.<Interface>of() : other.interfaces()) {
                for (var alias : held.aliases()) {
                    var range = Prefix.parse(alias.path("ipCidrRange").asText());
                    boolean overlaps = aliases.stream()
                            .map(one -> Prefix.parse(one.path("ipCidrRange").asText()))
                            .anyMatch(range::overlaps);
                    if (overlaps) {
                        return Optional.of(new ComputeFault.FailingOperation(
                                400,
                                "IP_IN_USE_BY_ANOTHER_RESOURCE",
                                "IP '%s' is already being used by another resource.".formatted(range)));
                    }
                }
            }
        }
        return Optional.empty();
    }

    private Answer operation(String name) {
        var change = operations.get(name);
        if (change == null) {
            return error(404, "The resource 'operations/%s' was not found".formatted(name));
        }
        var polled = new Change(change.zone(), change.answer(), change.pollsLeft() - 1);
        operations.put(name, polled);
        if (polled.pollsLeft() <= 0) {
            return new Answer(
                    200, change.answer().deepCopy().put("status", "DONE").toString());
        }
        return new Answer(
                200,
                Json.emptyObject().put("name", name).put("status", "RUNNING").toString());
    }

    private static Answer error(int status, String message) {
        var json = Json.emptyObject();
        json.putObject("error").put("code", status).put("message", message);
        return new Answer(status, json.toString());
    }

    private static void send(HttpExchange exchange, Answer answer) throws IOException {
        var bytes = Bytes.ofUtf8(answer.body()).toByteArray();
        exchange.getResponseHeaders().set("Content-Type", "application/json; charset=UTF-8");
        exchange.sendResponseHeaders(answer.status(), bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    @Override
    public void close() {
        closed.countDown();
        server.stop(0);
        threads.close();
    }
}
