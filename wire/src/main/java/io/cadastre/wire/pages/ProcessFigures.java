package io.cadastre.wire.pages;

import io.cadastre.wire.pages.Metric.Sample;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What the process itself costs, under the names that Prometheus has for it. What the system does not
/// report is left out.
final class ProcessFigures {

    private static final Path SELF = Path.of("/proc/self");
    private static final double NANOS_PER_SECOND = 1e9;
    private static final int KIBIBYTE = 1024;

    private ProcessFigures() {}

    static List<Metric> now() {
        var metrics = new ArrayList<Metric>();
        var process = ProcessHandle.current().info();
        add(
                metrics,
                "process_cpu_seconds_total",
                "CPU time used by the process.",
                Metric.Type.COUNTER,
                process.totalCpuDuration().map(ProcessFigures::seconds));
        add(
                metrics,
                "process_start_time_seconds",
                "Start time of the process.",
                Metric.Type.GAUGE,
                process.startInstant().map(start -> seconds(Duration.between(Instant.EPOCH, start))));
        add(
                metrics,
                "process_resident_memory_bytes",
                "Resident memory.",
                Metric.Type.GAUGE,
                field("status", "VmRSS:").map(kibibytes -> kibibytes * KIBIBYTE));
        add(
                metrics,
                "process_virtual_memory_bytes",
                "Virtual memory.",
                Metric.Type.GAUGE,
                field("status", "VmSize:").map(kibibytes -> kibibytes * KIBIBYTE));
        add(metrics, "process_open_fds", "Open file descriptors.", Metric.Type.GAUGE, openFiles());
        add(
                metrics,
                "process_max_fds",
                "Maximum number of open file descriptors.",
                Metric.Type.GAUGE,
                field("limits", "Max open files"));
        var heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        add(metrics, "jvm_memory_heap_used_bytes", "Heap memory in use.", Metric.Type.GAUGE, Optional.of((double)
                heap));
        return metrics;
    }

    private static void add(List<Metric> metrics, String name, String help, Metric.Type type, Optional<Double> value) {
        value.ifPresent(known -> metrics.add(new Metric(name, help, type, List.of(Sample.of(known)))));
    }

    private static double seconds(Duration duration) {
        return duration.getSeconds() + duration.getNano() / NANOS_PER_SECOND;
    }

    /// The first number behind a word in a file about the process.
    private static Optional<Double> field(String file, String word) {
        try {
            return Files.readAllLines(SELF.resolve(file)).stream()
                    .filter(line -> line.startsWith(word))
                    .map(line -> line.substring(word.length()).strip().split("\\s+", 2)[0])
                    .filter(text -> text.chars().allMatch(Character::isDigit))
                    .map(Double::valueOf)
                    .findFirst();
        } catch (IOException | UncheckedIOException none) {
            return Optional.empty();
        }
    }

    private static Optional<Double> openFiles() {
        try (var files = Files.list(SELF.resolve("fd"))) {
            return Optional.of((double) files.count());
        } catch (IOException | UncheckedIOException none) {
            return Optional.empty();
        }
    }
}
