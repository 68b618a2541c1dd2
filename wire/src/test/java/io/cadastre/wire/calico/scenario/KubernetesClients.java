package io.cadastre.wire.calico.scenario;

import io.cadastre.datastore.kubernetes.KubeApiServer;
import io.cadastre.datastore.kubernetes.RawApi;
import io.cadastre.engine.block.BlockSurvey;
import io.cadastre.wire.calico.crd.ApiGroup;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Measures how fast the agents of as many nodes take addresses from blocks on a real kube-apiserver,
/// beside plain updates of objects on the same server, before and after. Arguments: addresses (1000),
/// agents (16), pods at a time on each node (1).
///
/// It ends with an exception if an address was given twice, or given without an answer.
public final class KubernetesClients {

    private static final Duration RAW_ROUND = Duration.ofSeconds(3);

    private static final Pattern COUNTER = Pattern.compile(
            "^apiserver_request_total\\{.*resource=\"([a-z]+)\".*verb=\"([A-Z]+)\".*}" + " ([0-9.e+]+)$");

    private KubernetesClients() {}

    public static void main(String[] arguments) throws Exception {
        int addresses = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 1000;
        int agents = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 16;
        int podsAtOnce = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 1;
        var directory = Files.createTempDirectory("kubernetes-clients");
        try (var server = KubeApiServer.start(directory);
                var raw = RawApi.of(server)) {
            KubernetesPlace.install(server, Path.of("deploy", "crds"));
            raw.updatesPerSecond(agents, RAW_ROUND);
            measure(server, raw, 2 * agents, agents, 1);
            measure(server, raw, addresses, agents, podsAtOnce);
        } finally {
            try (var files = Files.walk(directory)) {
                files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
            }
        }
    }

    private static void measure(KubeApiServer server, RawApi raw, int addresses, int agents, int podsAtOnce)
            throws Exception {
        var cpu = Cpu.now();
        double before = raw.updatesPerSecond(agents, RAW_ROUND);
        var rawCpu = Cpu.now().minus(cpu).each(before * RAW_ROUND.toSeconds());
        try (var place = KubernetesPlace.at(server, ApiGroup.CRD_V1);
                var callers = KubernetesCrowd.gather(
                        place, agents, "10.0.0.0/16", pause -> TimeUnit.NANOSECONDS.sleep(pause.toNanos()))) {
            var askedBefore = requests(place);
            cpu = Cpu.now();
            var answers = callers.take(addresses, podsAtOnce);
            var used = Cpu.now().minus(cpu);
            var asked = requests(place);
            askedBefore.forEach((verb, count) -> asked.merge(verb, -count, Double::sum));
            asked.values().removeIf(count -> count == 0);
            double writes =
                    asked.values().stream().mapToDouble(Double::doubleValue).sum();
            var each = new ArrayList<String>();
            asked.forEach((what, count) -> each.add("%.2f %s".formatted(count / addresses, what)));
            var held = callers.held();
            check(answers, callers, addresses);
            double after = raw.updatesPerSecond(agents, RAW_ROUND);
            var nanos = answers.nanos().stream().sorted().toList();
            double perSecond = answers.perSecond() * writes / addresses;
            System.out.printf(
                    """
                    %d agents, %d pods at a time on each, %d addresses in %d blocks: %.0f/s, p50 %.0f ms, p99 %.0f ms; none doubled, none lost (%d held)
                    plain updates: %.0f/s before, %.0f/s after; %.0f requests/s are %.0f %% of their mean
                    requests for each address: %s
                    CPU of a plain update: %s
                    CPU of a request of an agent: %s
                    """,
                    agents,
                    podsAtOnce,
                    answers.addresses().size(),
                    callers.cluster().blocks().size(),
                    answers.perSecond(),
                    nanos.get(nanos.size() / 2) / 1e6,
                    nanos.get(nanos.size() * 99 / 100) / 1e6,
                    held.size(),
                    before,
                    after,
                    perSecond,
                    200 * perSecond / (before + after),
                    String.join(", ", each),
                    rawCpu,
                    used.each(writes));
        }
    }

    /// The processor time of this process and of those it has started. On a machine that is busy it says more than
    /// the clock.
    private record Cpu(SortedMap<String, Duration> used) {

        static Cpu now() {
            var used = new TreeMap<String, Duration>();
            Stream.concat(
                            Stream.of(ProcessHandle.current()),
                            ProcessHandle.current().descendants())
                    .map(ProcessHandle::info)
                    .forEach(info -> used.merge(
                            Path.of(info.command().orElse("?")).getFileName().toString(),
                            info.totalCpuDuration().orElse(Duration.ZERO),
                            Duration::plus));
            return new Cpu(used);
        }

        Cpu minus(Cpu earlier) {
            var rest = new TreeMap<>(used);
            earlier.used.forEach((name, before) -> rest.merge(name, before.negated(), Duration::plus));
            return new Cpu(rest);
        }

        /// In milliseconds, of each of as many.
        String each(double count) {
            return used.entrySet().stream()
                    .map(entry -> "%s %.2f ms"
                            .formatted(entry.getKey(), entry.getValue().toNanos() / 1e6 / count))
                    .collect(Collectors.joining(", "));
        }
    }

    /// How many requests for Calico's objects and for nodes the server has counted, by verb and kind.
    private static SortedMap<String, Double> requests(KubernetesPlace place) {
        var counts = new TreeMap<String, Double>();
        for (var line : place.client().raw("/metrics").lines().toList()) {
            var found = COUNTER.matcher(line);
            if (found.find()
                    && (line.contains("group=\"" + place.group().group() + "\"")
                            || found.group(1).equals("nodes"))) {
                counts.merge(found.group(2) + " " + found.group(1), Double.parseDouble(found.group(3)), Double::sum);
            }
        }
        return counts;
    }

    private static void check(KubernetesCrowd.Answers answers, KubernetesCrowd callers, int addresses) {
        var distinct = new HashSet<>(answers.addresses());
        if (answers.addresses().size() != addresses || distinct.size() != addresses) {
            throw new AssertionError("%d addresses were answered, of which %d differ"
                    .formatted(answers.addresses().size(), distinct.size()));
        }
        if (!distinct.equals(new HashSet<>(callers.held()))) {
            throw new AssertionError("what is held is not what was answered");
        }
        var faults = BlockSurvey.of(callers.view());
        if (!faults.isEmpty()) {
            throw new AssertionError(faults.toString());
        }
    }
}
