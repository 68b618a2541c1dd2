package io.cadastre.verification.benchmarks;

import io.cadastre.datastore.Commit;
import io.cadastre.datastore.kubernetes.ObjectPatch;
import io.cadastre.datastore.kubernetes.ObjectPatch.Merge;
import io.cadastre.datastore.resource.ApiResource.Rewriting;
import io.cadastre.wire.kubernetes.CoreKeys;
import io.cadastre.wire.kubernetes.NodeObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Nodes of a real API server get their CIDRs: by the controller as it ships, in a process of its own, and by
/// kube-controller-manager, beside the rate of plain patches of the same server.
public final class NodeIpamBenchmark {

    private static final int NODES = 5000;
    private static final int NODES_LIMITED = 300;
    private static final int RAW_NODES = 3000;
    private static final int CLIENTS = 30;
    private static final String CLUSTER = "10.128.0.0/11";
    private static final String UNLIMITED = "100000";
    private static final int IMAGES = 45;
    private static final int UPDATES = 1000;
    private static final double RAW_PERCENT_MIN = 80;
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final Duration LOOK = Duration.ofMillis(20);
    private static final Duration SETTLING = Duration.ofSeconds(3);
    private static final String NODES_PATH = "/api/v1/nodes";
    private static final String LEASES = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/";

    private final PrintStream out;
    private final BenchContext means;
    private final Map<String, String> environment;

    public NodeIpamBenchmark(PrintStream out, BenchContext means, Map<String, String> environment) {
        this.out = out;
        this.means = means;
        this.environment = environment;
    }

    public void measure() throws IOException, InterruptedException, GeneralSecurityException {
        var assets = Path.of(environment.getOrDefault("KUBEBUILDER_ASSETS", ""));
        if (!Files.isExecutable(assets.resolve("kube-apiserver")) || !Files.isExecutable(Path.of("cadastre"))) {
            throw new IllegalStateException("W4 runs in a checkout and needs a kube-apiserver:"
                    + " KUBEBUILDER_ASSETS=$(testbed/kubernetes kube-apiserver) ./cadastre bench W4");
        }
        try (var server = ApiServerPeer.start(means, assets)) {
            server.install(Path.of("deploy/crds/crd.projectcalico.org-v1.yaml"));
            say("load average %s, a Node has %d bytes", loadAverage(), node("n").length());
            double before = rawRate(server, "before");
            var run = controller(server, NODES, UNLIMITED, UNLIMITED);
            double after = rawRate(server, "after");
            judge(run, (before + after) / 2);
            bareRate(server);
            if (Files.isExecutable(assets.resolve("kube-controller-manager"))) {
                peer(server);
            } else {
                say("kube-controller-manager was not run: KUBEBUILDER_ASSETS has none, and"
                        + " testbed/kubernetes kube-apiserver kube-controller-manager builds it");
            }
            var _ = controller(server, NODES_LIMITED, "20", "30");
            say("by its limit: %.1f s", (NODES_LIMITED - 30) / 20.0);
        }
    }

    private void judge(Run run, double raw) {
        double percent = 100 * run.rate() / raw;
        say(
                "of raw patches, %.0f/s: %.0f %% (bar %.0f), %s",
                raw, percent, RAW_PERCENT_MIN, words(percent >= RAW_PERCENT_MIN));
        judge("all Nodes, seconds after the lease", run.seconds(), 15);
        judge("first patch, seconds after the lease", run.firstSeconds(), 3);
        judge("LISTs of Nodes", (double) run.lists(), 12);
        judge("resident at most, MiB", (double) run.residentMiB(), 512);
        judge("patches for %d updates of a Node".formatted(UPDATES), (double) run.patchesForUpdates(), 0);
        say("a missed bar does not fail this run");
    }

    private void judge(String what, double value, double bar) {
        say("%s: %.1f (bar %.0f), %s", what, value, bar, words(value <= bar));
    }

    private static String words(boolean met) {
        return met ? "met" : "missed";
    }

    private void say(String format, Object... values) {
        out.printf(Locale.ROOT, "W4 " + format + "%n", values);
        out.flush();
    }

    private static String loadAverage() throws IOException {
        return Files.readString(Path.of("/proc/loadavg")).split(" ", 2)[0];
    }

    // ---- the Nodes ----

    /// As large as that of a kubelet with some images.
    private static String node(String name) {
        var images = IntStream.range(0, IMAGES)
                .mapToObj(image -> """
                    {"names":["registry.example/some/repository/image-%1$d@sha256:%1$064d",\
                    "registry.example/some/repository/image-%1$d:v1"],"sizeBytes":%1$d}\
                    """.formatted(100_000 + image))
                .collect(Collectors.joining(","));
        return """
            {"kind":"Node","apiVersion":"v1","metadata":{"name":"%s",\
            "labels":{"kubernetes.io/hostname":"%s","kubernetes.io/os":"linux","topology.kubernetes.io/zone":"a"},\
            "annotations":{"node.alpha.kubernetes.io/ttl":"0"}},\
            "status":{"capacity":{"cpu":"8","memory":"32Gi","pods":"110"},"images":[%s]}}\
            """.formatted(name, name, images);
    }

    private void create(ApiServerPeer server, String word, int count) throws InterruptedException {
        forEach(word, count, name -> server.send("POST", NODES_PATH, "application/json", node(name)));
    }

    private void delete(ApiServerPeer server, String word, int count) throws InterruptedException {
        forEach(word, count, name -> server.send("DELETE", NODES_PATH + "/" + name, "application/json", "{}"));
    }

    /// What a caller does to one Node.
    @FunctionalInterface
    private interface OnNode {
        void run(String name);
    }

    private static void forEach(String word, int count, OnNode work) throws InterruptedException {
        ConcurrentCallers.measure(CLIENTS, count / CLIENTS + 1, (caller, number) -> {
            int index = number * CLIENTS + caller;
            if (index < count) {
                work.run(word + index);
            }
        });
    }

    private static List<String> cidr(int index) {
        return List.of("10.%d.%d.0/24".formatted(64 + index / 256, index % 256));
    }

    // ---- plain patches ----

    private double rawRate(ApiServerPeer server, String word) throws InterruptedException, IOException {
        create(server, word, RAW_NODES);
        try (var store = server.open();
                var watch = new NodeWatch(server.watchNodes())) {
            var figures = ConcurrentCallers.measure(CLIENTS, RAW_NODES / CLIENTS, (caller, number) -> {
                int index = number * CLIENTS + caller;
                var commit = store.patch(new ObjectPatch(
                        NodeObject.key(word + index),
                        Merge.STRATEGIC,
                        Rewriting.WHOLE,
                        NodeObject.patchOf(cidr(index))));
                if (!(commit instanceof Commit.Done)) {
                    throw new IllegalStateException("not patched: " + commit);
                }
            });
            watch.await(RAW_NODES);
            say("raw %s, %d clients: %s", word, CLIENTS, figures.words());
            return figures.perSecond();
        } finally {
            delete(server, word, RAW_NODES);
        }
    }

    private void bareRate(ApiServerPeer server) throws InterruptedException {
        create(server, "bare", RAW_NODES);
        var figures = ConcurrentCallers.measure(CLIENTS, RAW_NODES / CLIENTS, (caller, number) -> {
            int index = number * CLIENTS + caller;
            server.send(
                    "PATCH",
                    NODES_PATH + "/bare" + index,
                    "application/strategic-merge-patch+json",
                    NodeObject.patchOf(cidr(index)).utf8());
        });
        say("raw by java.net.http: %s", figures.words());
        delete(server, "bare", RAW_NODES);
    }

    // ---- who gives CIDRs ----

    /// What a run came to.
    private record Run(
            double rate, double seconds, double firstSeconds, long lists, long residentMiB, long patchesForUpdates) {}

    private Run controller(ApiServerPeer server, int count, String qps, String burst)
            throws IOException, InterruptedException {
        var words = List.of(
                "./cadastre",
                "controller",
                "--datastore=kubernetes",
                "--data-dir=" + server.directory().resolve("data"),
                "--listen=127.0.0.1:" + EtcdPeer.freePort(),
                "--allocate-node-cidrs",
                "--cluster-cidr=" + CLUSTER,
                "--kube-api-qps=" + qps,
                "--kube-api-burst=" + burst);
        return measure(server, "controller at %s/%s".formatted(qps, burst), "cadastre-controller", words, count);
    }

    private void peer(ApiServerPeer server) throws IOException, InterruptedException {
        var words = List.of(
                server.assets().resolve("kube-controller-manager").toString(),
                "--kubeconfig=" + server.kubeconfig(),
                "--controllers=node-ipam-controller",
                "--allocate-node-cidrs=true",
                "--cluster-cidr=" + CLUSTER,
                "--node-cidr-mask-size=24",
                "--kube-api-qps=" + UNLIMITED,
                "--kube-api-burst=" + UNLIMITED,
                "--bind-address=127.0.0.1",
                "--secure-port=" + EtcdPeer.freePort());
        var _ = measure(server, "kube-controller-manager", "kube-controller-manager", words, NODES);
    }

    private Run measure(ApiServerPeer server, String title, String lease, List<String> words, int count)
            throws IOException, InterruptedException {
        create(server, "node", count);
        if (server.find(LEASES + lease).isPresent()) {
            server.send("DELETE", LEASES + lease, "application/json", "{}");
        }
        means.pause().pause(SETTLING);
        try (var watch = new NodeWatch(server.watchNodes())) {
            long lists = server.nodeRequests("LIST");
            var process = server.launch(lease, words);
            try {
                watch.await(count);
                long listed = server.nodeRequests("LIST") - lists;
                // What is left to do by then is done before its memory is read.
                means.pause().pause(SETTLING);
                var elected = Instant.parse(server.find(LEASES + lease)
                        .orElseThrow()
                        .at("/spec/acquireTime")
                        .asText());
                var first = Duration.between(elected, watch.at(1));
                var all = Duration.between(elected, watch.at(count));
                var patches = Duration.between(watch.at(1), watch.at(count));
                double rate = (count - 1) / (patches.toNanos() / 1e9);
                say(
                        "%s: %d Nodes %.1f s after the lease, the first after %.2f s, %.0f patches/s, %d LISTs, %s"
                                + " resident",
                        title, count, all.toNanos() / 1e9, first.toNanos() / 1e9, rate, listed, resident(process));
                requireDistinct(server, count);
                long more = patchesForUpdates(server);
                return new Run(rate, all.toNanos() / 1e9, first.toNanos() / 1e9, listed, residentMiB(process), more);
            } finally {
                process.destroy();
                process.onExit().join();
                delete(server, "node", count);
            }
        }
    }

    /// How often the controller patches Nodes when one of them changes again and again.
    private long patchesForUpdates(ApiServerPeer server) throws IOException, InterruptedException {
        long before = server.nodeRequests("PATCH");
        for (int update = 1; update <= UPDATES; update++) {
            server.send(
                    "PATCH",
                    NODES_PATH + "/node0",
                    "application/merge-patch+json",
                    "{\"metadata\":{\"annotations\":{\"update\":\"%d\"}}}".formatted(update));
        }
        means.pause().pause(SETTLING);
        return server.nodeRequests("PATCH") - before - UPDATES;
    }

    private static long residentMiB(Process process) throws IOException {
        var status = Files.readString(Path.of("/proc/%d/status".formatted(process.pid())));
        var found = Pattern.compile("(?m)^VmHWM:\\s+(\\d+) kB").matcher(status);
        if (!found.find()) {
            throw new IllegalStateException("no VmHWM of process " + process.pid());
        }
        return Long.parseLong(found.group(1)) / 1024;
    }

    /// Now and at most.
    private static String resident(Process process) throws IOException {
        var status = Files.readString(Path.of("/proc/%d/status".formatted(process.pid())));
        return Pattern.compile("(?m)^Vm(HWM|RSS):\\s+(\\d+) kB")
                .matcher(status)
                .results()
                .map(found -> "%s %d MiB".formatted(found.group(1), Long.parseLong(found.group(2)) / 1024))
                .collect(Collectors.joining(", "));
    }

    private static void requireDistinct(ApiServerPeer server, int count) {
        try (var store = server.open()) {
            var given = new ArrayList<String>();
            store.scan(
                    CoreKeys.NODES,
                    page -> page.stream().map(NodeObject::read).forEach(node -> given.addAll(node.podCidrs())));
            if (given.size() != count || new HashSet<>(given).size() != count) {
                throw new IllegalStateException("%d Nodes have %d CIDRs, %d of them different"
                        .formatted(count, given.size(), new HashSet<>(given).size()));
            }
        }
    }

    /// Notes when Nodes changed.
    private final class NodeWatch implements AutoCloseable {

        private final InputStream stream;
        private final List<Instant> changes = new CopyOnWriteArrayList<>();
        private final Thread reader;

        NodeWatch(InputStream stream) {
            this.stream = stream;
            this.reader = Thread.ofPlatform().daemon().name("node-watch").start(this::read);
        }

        private void read() {
            try (var lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
                // Ends: when the stream is closed.
                for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                    if (line.startsWith("{\"type\":\"MODIFIED\"")) {
                        changes.add(means.clock().instant());
                    }
                }
            } catch (IOException | UncheckedIOException closed) {
                // It was closed.
            }
        }

        /// When this many Nodes had changed.
        Instant at(int number) {
            return changes.get(number - 1);
        }

        void await(int count) throws InterruptedException {
            var end = means.clock().instant().plus(PATIENCE);
            while (changes.size() < count) {
                if (means.clock().instant().isAfter(end)) {
                    throw new IllegalStateException("only %d of %d Nodes changed".formatted(changes.size(), count));
                }
                means.pause().pause(LOOK);
            }
        }

        @Override
        public void close() throws IOException {
            stream.close();
            reader.interrupt();
            try {
                var _ = reader.join(PATIENCE);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
