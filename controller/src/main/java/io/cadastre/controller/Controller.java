package io.cadastre.controller;

import io.cadastre.controller.collection.GarbageCollection;
import io.cadastre.controller.election.Campaign;
import io.cadastre.controller.election.Candidate;
import io.cadastre.controller.election.FencedDatastore;
import io.cadastre.controller.election.Mandate;
import io.cadastre.controller.pages.Check;
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

    /// A campaign that has not looked for so long is stuck.
    private static final Duration SILENCE_MAX = Duration.ofMinutes(2);

    /// A look at a cluster that takes so long is stuck.
    private static final Duration TURN_MAX = Duration.ofMinutes(30);

    private final GarbageCollection collection;
    private final Campaign campaign;
    private final Pages pages;
    private volatile boolean leading;

    private Controller(ControllerSettings settings, Means means) {
        collection = GarbageCollection.begin(means, settings.leakGrace(), settings.source());
        campaign =
                new Campaign(
                        new Candidate(
                                means.store(),
                                settings.election(),
                                means.stopwatch(),
                                means.clock()),
                        settings.election(),
                        means.stopwatch(),
                        means.dice(),
                        means.pause(),
                        new Appointment(settings, means),
                        means.reports());
        try {
            pages =
                    Pages.open(
                            settings.listen(),
                            new Pages.Content(
                                    List.of(
                                            new Check(
                                                    "election",
                                                    () ->
                                                            overdue(
                                                                    campaign.sinceLastLook(),
                                                                    SILENCE_MAX)),
                                            new Check(
                                                    "collection",
                                                    () ->
                                                            overdue(
                                                                    collection.sinceLastTurn(),
                                                                    TURN_MAX))),
                                    List.of(new Check("in-sync", collection::ignorance)),
                                    this::metrics));
        } catch (RuntimeException refused) {
            collection.close();
            throw refused;
        }
    }

    /// Begins to watch and to stand for election.
    ///
    /// @throws java.io.UncheckedIOException if its pages cannot be served
    public static Controller start(ControllerSettings settings, Means means) {
        var controller = new Controller(settings, means);
        controller.campaign.begin();
        return controller;
    }

    private final class Appointment implements Campaign.Office {

        private final ControllerSettings settings;
        private final Means means;

        Appointment(ControllerSettings settings, Means means) {
            this.settings = settings;
            this.means = means;
        }

        @Override
        public void elected(Mandate mandate) {
            leading = true;
            collection.appoint(
                    new FencedDatastore(means.store(), mandate, settings.election().identity()));
        }

        @Override
        public void dismissed() {
            leading = false;
            collection.dismiss();
        }
    }

    private static Optional<String> overdue(Duration since, Duration limit) {
        return since.compareTo(limit) > 0
                ? Optional.of("nothing happened for %d seconds".formatted(since.toSeconds()))
                : Optional.empty();
    }

    private List<Metric> metrics() {
        var metrics = new ArrayList<>(collection.figures());
        metrics.add(
                Metric.gauge(
                        "cadastre_controller_leading",
                        "Whether this process is the one that works.",
                        List.of(Sample.of(leading ? 1 : 0))));
        return metrics;
    }

    /// Where its pages are.
    public InetSocketAddress address() {
        return pages.address();
    }

    /// Stops writing, waits for what is under way, and lets another take over.
    @Override
    public void close() {
        campaign.stop();
        collection.close();
        campaign.vacate();
        pages.close();
    }
}
