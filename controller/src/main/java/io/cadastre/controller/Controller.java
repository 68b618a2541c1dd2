package io.cadastre.controller;

import io.cadastre.controller.collection.GarbageCollection;
import io.cadastre.controller.election.FencedDatastore;
import io.cadastre.controller.election.LeaderElectionLoop;
import io.cadastre.controller.election.LeaderElector;
import io.cadastre.controller.election.LeaderTerm;
import io.cadastre.controller.pages.HealthCheck;
import io.cadastre.controller.pages.Metric;
import io.cadastre.controller.pages.Metric.Sample;
import io.cadastre.controller.pages.Pages;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A controller from its beginning until it is closed.
public final class Controller implements AutoCloseable {

    /// An election loop that has not looked for this long is stuck.
    private static final Duration SILENCE_MAX = Duration.ofMinutes(2);

    /// A look at a cluster that takes this long is stuck.
    private static final Duration TURN_MAX = Duration.ofMinutes(30);

    private final GarbageCollection collection;
    private final LeaderElectionLoop loop;
    private final Pages pages;
    private volatile boolean leading;

    private Controller(ControllerSettings settings, ControllerContext context) {
        collection = GarbageCollection.begin(context, settings.leakGrace(), settings.source());
        loop = new LeaderElectionLoop(
                new LeaderElector(context.store(), settings.election(), context.stopwatch(), context.clock()),
                settings.election(),
                context.stopwatch(),
                context.dice(),
                context.pause(),
                new Appointment(settings, context),
                context.reports());
        try {
            pages = Pages.open(
                    settings.listen(),
                    new Pages.Content(
                            List.of(
                                    new HealthCheck("election", () -> overdue(loop.sinceLastLook(), SILENCE_MAX)),
                                    new HealthCheck("collection", () -> overdue(collection.sinceLastTurn(), TURN_MAX))),
                            List.of(new HealthCheck("in-sync", collection::ignorance)),
                            this::metrics));
        } catch (RuntimeException refused) {
            collection.close();
            throw refused;
        }
    }

    /// Begins to watch and to take part in the election.
    ///
    /// @throws java.io.UncheckedIOException if its pages cannot be served
    public static Controller start(ControllerSettings settings, ControllerContext context) {
        var controller = new Controller(settings, context);
        controller.loop.begin();
        return controller;
    }

    private final class Appointment implements LeaderElectionLoop.LeaderCallbacks {

        private final ControllerSettings settings;
        private final ControllerContext context;

        Appointment(ControllerSettings settings, ControllerContext context) {
            this.settings = settings;
            this.context = context;
        }

        @Override
        public void elected(LeaderTerm term) {
            leading = true;
            collection.appoint(new FencedDatastore(
                    context.store(), term, settings.election().identity()));
        }

        @Override
        public void dismissed() {
            leading = false;
            collection.dismiss();
        }
    }

    private static Optional<String> overdue(Duration since, Duration limit) {
        return since.compareTo(limit) > 0
                ? Optional.of("no activity for %d seconds".formatted(since.toSeconds()))
                : Optional.empty();
    }

    private List<Metric> metrics() {
        var metrics = new ArrayList<>(collection.figures());
        metrics.add(Metric.gauge(
                "cadastre_controller_leading",
                "Whether this process is the leader.",
                List.of(Sample.of(leading ? 1 : 0))));
        return metrics;
    }

    /// Where its pages are.
    public InetSocketAddress address() {
        return pages.address();
    }

    /// Stops writing, waits for what is under way, and lets another controller take over.
    @Override
    public void close() {
        loop.stop();
        collection.close();
        loop.vacate();
        pages.close();
    }
}
