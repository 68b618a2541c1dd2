package io.cadastre.cloud.google;

import io.cadastre.address.Prefix;
import io.cadastre.cloud.google.ComputeApi.Request;
import io.cadastre.controller.election.MonotonicClock;
import io.cadastre.controller.nodecidr.cloud.AliasAddition;
import io.cadastre.controller.nodecidr.cloud.CloudProvider;
import io.cadastre.engine.nodecidr.cloud.AliasRanges;
import io.cadastre.registry.Pause;
import io.cadastre.wire.json.UnreadableDocumentException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Google Compute Engine. Safe for use by any number of threads.
///
/// **Adding a range** writes all ranges of the interface anew, under its fingerprint: a change by another between
/// reading and writing is a conflict, and is read again. Upstream writes the new range alone, which takes the others
/// away. Where the answer to the write is lost, the interface is read once more: the range is there or it is not
/// known whether it comes.
public final class GoogleCloud implements CloudProvider, AutoCloseable {

    private static final int NOT_FOUND = 404;
    private static final int BAD_REQUEST = 400;
    private static final int CONFLICT = 412;

    /// Errors of an operation that name the fingerprint.
    private static final Set<String> CONFLICTS = Set.of("CONDITION_NOT_MET", "INVALID_FINGERPRINT");

    private final GoogleCloudConfig config;
    private final Limits limits;
    private final ComputeApi api;
    private final MonotonicClock stopwatch;
    private final Pause pause;

    /// How long a call may take.
    ///
    /// @param answer one answer of a server
    /// @param firstPoll between the first two looks at an operation; each further wait is twice as long
    /// @param longestPoll no wait is longer
    /// @param operation from the beginning of an operation to its end
    /// @param attemptsMax how often a range is written that conflicts
    public record Limits(
            Duration answer, Duration firstPoll, Duration longestPoll, Duration operation, int attemptsMax) {

        public static final Limits DEFAULT = new Limits(
                Duration.ofSeconds(10), Duration.ofMillis(250), Duration.ofSeconds(2), Duration.ofSeconds(60), 4);

        public Limits {
            if (!answer.isPositive() || !firstPoll.isPositive() || attemptsMax < 1) {
                throw new IllegalArgumentException("invalid limits: %s for an answer, %s between looks, %d attempts"
                        .formatted(answer, firstPoll, attemptsMax));
            }
        }
    }

    public GoogleCloud(
            GoogleCloudConfig config, Limits limits, MonotonicClock stopwatch, InstantSource clock, Pause pause) {
        this.config = config;
        this.limits = limits;
        this.api = new ComputeApi(config, limits.answer(), stopwatch, clock);
        this.stopwatch = stopwatch;
        this.pause = pause;
    }

    /// What reading a machine came to.
    private sealed interface Reading {

        record Read(List<InstanceInterface> interfaces) implements Reading {}

        record Missing(String sentence) implements Reading {}

        record Failed(String sentence) implements Reading {}
    }

    /// How one attempt to write ended.
    private sealed interface Attempt {

        record Ended(AliasAddition result) implements Attempt {}

        /// Another change came between.
        record Conflicted(String sentence) implements Attempt {}

        /// The range may have been added.
        record Doubtful(String sentence) implements Attempt {}
    }

    /// Which machine of which project it is, or why it is not one of ours.
    private sealed interface Machine {

        record Known(ProviderId id) implements Machine {}

        record Unknown(String sentence) implements Machine {}
    }

    @Override
    public AliasRanges aliasRanges(String providerId) {
        return switch (machine(providerId)) {
            case Machine.Unknown(var sentence) -> new AliasRanges.Failed(sentence);
            case Machine.Known(var id) ->
                switch (read(id)) {
                    case Reading.Failed(var sentence) -> new AliasRanges.Failed(sentence);
                    case Reading.Missing(var sentence) -> new AliasRanges.NoSuchInstance(sentence);
                    case Reading.Read(var interfaces) ->
                        new AliasRanges.Found(interfaces.stream()
                                .flatMap(each -> each.ranges().stream())
                                .toList());
                };
        };
    }

    @Override
    public AliasAddition addAlias(String providerId, Prefix range, Runnable beforeSending) {
        return switch (machine(providerId)) {
            case Machine.Unknown(var sentence) -> new AliasAddition.Failed(sentence);
            case Machine.Known(var id) -> new Addition(id, range, beforeSending).add();
        };
    }

    private Machine machine(String providerId) {
        var id = ProviderId.parse(providerId);
        if (id.isEmpty()) {
            return new Machine.Unknown(
                    "error splitting providerID: '%s' is not gce://PROJECT/ZONE/NAME".formatted(providerId));
        }
        return config.concerns(id.get().project())
                ? new Machine.Known(id.get())
                : new Machine.Unknown("providerID '%s' names a machine of another project than the configured %s"
                        .formatted(providerId, config.projectId()));
    }

    /// Adds a range to a machine. If another adds one meanwhile, the machine is to be looked at anew, since what it has
    /// decides whether it needs a range.
    private final class Addition {

        private final ProviderId id;
        private final Prefix range;
        private final Runnable beforeSending;

        /// The ranges that the machine had at first.
        private @Nullable Set<String> known;

        Addition(ProviderId id, Prefix range, Runnable beforeSending) {
            this.id = id;
            this.range = range;
            this.beforeSending = beforeSending;
        }

        AliasAddition add() {
            var conflict = "";
            for (int attempt = 1; attempt <= limits.attemptsMax(); attempt++) {
                switch (attempt()) {
                    case Attempt.Ended(var result) -> {
                        return result;
                    }
                    case Attempt.Doubtful(var sentence) -> {
                        return isThere() ? new AliasAddition.Added() : new AliasAddition.Failed(sentence);
                    }
                    case Attempt.Conflicted(var sentence) -> conflict = sentence;
                }
            }
            return new AliasAddition.Failed("%s, %d times in a row".formatted(conflict, limits.attemptsMax()));
        }

        private boolean isThere() {
            return read(id) instanceof Reading.Read(var interfaces)
                    && interfaces.stream().anyMatch(each -> each.has(range));
        }

        private Attempt attempt() {
            return switch (read(id)) {
                case Reading.Failed(var sentence) -> new Attempt.Ended(new AliasAddition.Failed(sentence));
                case Reading.Missing(var sentence) -> new Attempt.Ended(new AliasAddition.Failed(sentence));
                case Reading.Read(var interfaces) -> {
                    var added = interfaces.stream()
                            .flatMap(each -> each.ranges().stream())
                            .collect(Collectors.toCollection(TreeSet::new));
                    known = known == null ? Set.copyOf(added) : known;
                    added.removeAll(known);
                    added.remove(range.toString());
                    yield added.isEmpty()
                            ? attempt(interfaces)
                            : new Attempt.Ended(
                                    new AliasAddition.Failed("%s got the alias range %s from another writer meanwhile"
                                            .formatted(id, added.first())));
                }
            };
        }

        private Attempt attempt(List<InstanceInterface> interfaces) {
            if (interfaces.stream().anyMatch(each -> each.has(range))) {
                return new Attempt.Ended(new AliasAddition.Added());
            }
            return interfaces.stream()
                    .findFirst()
                    .filter(first -> !first.fingerprint().isEmpty())
                    .map(this::write)
                    .orElseGet(() -> new Attempt.Ended(new AliasAddition.Failed(
                            "instance %s has no network interfaces with a fingerprint".formatted(id))));
        }

        private Attempt write(InstanceInterface first) {
            var doing = "cannot add the alias range %s to %s".formatted(range, id);
            // As Google's own clients ask.
            var path = "%s/instances/%s/updateNetworkInterface?alt=json&networkInterface=%s&prettyPrint=false"
                    .formatted(zone(id), id.name(), encoded(first.name()));
            var body = first.adding(range, config.secondaryRangeName());
            return switch (api.send(new Request.Patch(path, body, beforeSending))) {
                case ComputeReply.Unasked(var sentence) ->
                    new Attempt.Ended(new AliasAddition.Failed("%s: %s".formatted(doing, sentence)));
                case ComputeReply.Lost(var sentence) -> new Attempt.Doubtful("%s: %s".formatted(doing, sentence));
                case ComputeReply.Declined(int status, var sentence) ->
                    declined(status, "%s: %s".formatted(doing, sentence));
                case ComputeReply.Done(var answer) -> {
                    try {
                        yield follow(id, ZoneOperation.of(answer), doing);
                    } catch (UnreadableDocumentException garbage) {
                        yield new Attempt.Doubtful("%s: %s".formatted(doing, garbage.getMessage()));
                    }
                }
            };
        }
    }

    /// Whatever the server says that it is.
    private static String encoded(String name) {
        return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /// A server in trouble may have done what it reports to have failed. Other errors came before anything was done;
    /// only a bad request is about the range.
    private static Attempt declined(int status, String sentence) {
        if (status == CONFLICT) {
            return new Attempt.Conflicted(sentence);
        }
        if (status >= 500) {
            return new Attempt.Doubtful(sentence);
        }
        return new Attempt.Ended(
                status == BAD_REQUEST ? new AliasAddition.Refused(sentence) : new AliasAddition.Failed(sentence));
    }

    private Attempt follow(ProviderId id, ZoneOperation begun, String doing) {
        long end = stopwatch.nanos() + limits.operation().toNanos();
        var wait = limits.firstPoll();
        var latest = begun;
        var fault = "it is not done";
        // Ends: when the operation is done, or at the end of its time.
        while (!latest.done()) {
            if (stopwatch.nanos() - end >= 0) {
                return new Attempt.Doubtful("%s: operation %s did not end within %d s: %s"
                        .formatted(doing, begun.name(), limits.operation().toSeconds(), fault));
            }
            try {
                pause.pause(wait);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                return new Attempt.Doubtful(
                        "%s: the wait for operation %s was interrupted".formatted(doing, begun.name()));
            }
            wait = wait.multipliedBy(2).compareTo(limits.longestPoll()) < 0
                    ? wait.multipliedBy(2)
                    : limits.longestPoll();
            switch (poll(id, begun.name())) {
                case Poll.Seen(var operation) -> latest = operation;
                case Poll.Unseen(var sentence) -> fault = sentence;
            }
        }
        return ended(latest, doing);
    }

    /// What a look at an operation came to.
    private sealed interface Poll {

        record Seen(ZoneOperation operation) implements Poll {}

        record Unseen(String sentence) implements Poll {}
    }

    private Poll poll(ProviderId id, String operation) {
        return switch (api.send(new Request.Get("%s/operations/%s".formatted(zone(id), operation)))) {
            case ComputeReply.Unasked(var sentence) -> new Poll.Unseen(sentence);
            case ComputeReply.Lost(var sentence) -> new Poll.Unseen(sentence);
            case ComputeReply.Declined(int _, var sentence) -> new Poll.Unseen(sentence);
            case ComputeReply.Done(var body) -> {
                try {
                    yield new Poll.Seen(ZoneOperation.of(body));
                } catch (UnreadableDocumentException garbage) {
                    yield new Poll.Unseen(String.valueOf(garbage.getMessage()));
                }
            }
        };
    }

    private static Attempt ended(ZoneOperation operation, String doing) {
        if (operation.errors().isEmpty()) {
            return new Attempt.Ended(new AliasAddition.Added());
        }
        var sentence =
                "%s: operation %s failed: %s".formatted(doing, operation.name(), String.join("; ", operation.errors()));
        boolean conflict = operation.status() == CONFLICT
                || operation.errors().stream().anyMatch(error -> CONFLICTS.contains(error.split(" ", 2)[0]));
        if (conflict) {
            return new Attempt.Conflicted(sentence);
        }
        boolean aboutTheRange = operation.status() == 0 || operation.status() == BAD_REQUEST;
        return new Attempt.Ended(
                aboutTheRange ? new AliasAddition.Refused(sentence) : new AliasAddition.Failed(sentence));
    }

    private Reading read(ProviderId id) {
        var doing = "cannot read instance %s".formatted(id);
        return switch (api.send(new Request.Get("%s/instances/%s".formatted(zone(id), id.name())))) {
            case ComputeReply.Unasked(var sentence) -> new Reading.Failed("%s: %s".formatted(doing, sentence));
            case ComputeReply.Lost(var sentence) -> new Reading.Failed("%s: %s".formatted(doing, sentence));
            case ComputeReply.Declined(int status, var sentence)
            when status == NOT_FOUND -> new Reading.Missing("%s: %s".formatted(doing, sentence));
            case ComputeReply.Declined(int _, var sentence) -> new Reading.Failed("%s: %s".formatted(doing, sentence));
            case ComputeReply.Done(var body) -> {
                try {
                    var interfaces = InstanceInterface.of(body);
                    // They are read now, so that an unreadable one is found here.
                    interfaces.forEach(InstanceInterface::ranges);
                    yield new Reading.Read(interfaces);
                } catch (UnreadableDocumentException garbage) {
                    yield new Reading.Failed("%s: %s".formatted(doing, garbage.getMessage()));
                }
            }
        };
    }

    private String zone(ProviderId id) {
        return "projects/%s/zones/%s".formatted(config.projectId(), id.zone());
    }

    @Override
    public void close() {
        api.close();
    }
}
