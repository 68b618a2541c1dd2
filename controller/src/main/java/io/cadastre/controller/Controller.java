package io.cadastre.controller;

import io.cadastre.controller.election.LeaderElectionLoop;
import io.cadastre.controller.election.LeaderElector;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.wire.pages.HealthCheck;
import io.cadastre.wire.pages.Metric;
import io.cadastre.wire.pages.Metric.Sample;
import io.cadastre.wire.pages.Pages;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A process that runs control loops behind one lease, from its beginning until it is closed.
public final class Controller implements AutoCloseable {

    /// An election loop that has not looked for this long is stuck.
    private static final Duration SILENCE_MAX = Duration.ofMinutes(2);

    /// A turn of a control loop that takes this long is stuck.
    private static final Duration TURN_MAX = Duration.ofMinutes(30);

    private final List<ControlLoop> loops;
    private final ControlLoops running;
    private final LeaderElectionLoop election;
    private final Pages pages;

    private Controller(ControllerSettings settings, ControllerContext context, List<? extends ControlLoop> loops) {
        this.loops = List.copyOf(loops);
        var elector = new LeaderElector(context.store(), settings.election(), context.stopwatch(), context.clock());
        observe(elector);
        running = ControlLoops.begin(context, settings.election().identity(), loops);
        election = new LeaderElectionLoop(
                elector,
                settings.election(),
                context.stopwatch(),
                context.dice(),
                context.pause(),
                running,
                context.reports());
        try {
            pages = Pages.open(settings.listen(), new Pages.Content(alive(), ready(), this::metrics));
        } catch (RuntimeException refused) {
            running.close();
            throw refused;
        }
    }

    /// Begins to watch and to take part in the election.
    ///
    /// @throws java.io.UncheckedIOException if its pages cannot be served
    public static Controller start(
            ControllerSettings settings, ControllerContext context, List<? extends ControlLoop> loops) {
        var controller = new Controller(settings, context, loops);
        controller.election.begin();
        return controller;
    }

    /// Before the loops list anything, so that their lists are known to be new if the lease is free.
    private static void observe(LeaderElector elector) {
        try {
            elector.observe();
        } catch (DatastoreException _) {
            // It looks again when it stands for election, and the loops list again then.
        }
    }

    private List<HealthCheck> alive() {
        var checks = new ArrayList<HealthCheck>();
        checks.add(new HealthCheck("election", () -> overdue(election.sinceLastLook(), SILENCE_MAX)));
        loops.forEach(loop -> checks.add(new HealthCheck(loop.name(), () -> overdue(loop.sinceLastTurn(), TURN_MAX))));
        return checks;
    }

    private List<HealthCheck> ready() {
        var checks = new ArrayList<HealthCheck>();
        checks.add(new HealthCheck("in-sync", this::notRead));
        loops.forEach(loop -> checks.add(new HealthCheck(loop.name(), loop::fault)));
        return checks;
    }

    private static Optional<String> overdue(Duration since, Duration limit) {
        return since.compareTo(limit) > 0
                ? Optional.of("no activity for %d seconds".formatted(since.toSeconds()))
                : Optional.empty();
    }

    private Optional<String> notRead() {
        var missing = running.missing();
        return missing.isEmpty() ? Optional.empty() : Optional.of("not read yet: " + String.join(", ", missing));
    }

    private List<Metric> metrics() {
        var metrics = new ArrayList<Metric>();
        loops.forEach(loop -> metrics.addAll(loop.figures()));
        metrics.add(Metric.gauge(
                "cadastre_controller_leading",
                "Whether this process is the leader.",
                List.of(Sample.of(running.leading() ? 1 : 0))));
        return metrics;
    }

    /// Where its pages are.
    public InetSocketAddress address() {
        return pages.address();
    }

    /// Stops writing, waits for what is under way, and lets another controller take over: at once, or when the lease
    /// expires if a write may yet be carried out.
    @Override
    public void close() {
        election.stop();
        running.close();
        if (!running.unsettled()) {
            election.vacate();
        }
        pages.close();
    }
}
