package io.cadastre.controller.spiderpool.webhook;

import io.cadastre.controller.ControlLoop;
import io.cadastre.controller.ControllerContext;
import io.cadastre.controller.FailureReports;
import io.cadastre.controller.LoopThreads;
import io.cadastre.controller.election.FencedDatastore;
import io.cadastre.controller.election.LeadershipLostException;
import io.cadastre.controller.queue.Backoff;
import io.cadastre.controller.queue.WorkQueue;
import io.cadastre.controller.watch.KindHandler;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.wire.json.UnreadableDocumentException;
import io.cadastre.wire.pages.Metric;
import io.cadastre.wire.pages.Metric.Sample;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Serves the admission webhooks, in every process, and keeps their keys; the leader also tells the API server of them.
public final class SpiderWebhook implements ControlLoop {

    public static final String NAME = "spiderpool-webhook";

    /// How often the Secret and the configurations are looked at.
    private static final Duration PERIOD = Duration.ofSeconds(30);

    private static final Duration LOOK_UP = Duration.ofSeconds(1);

    private final ControllerContext context;
    private final Duration period;
    private final WebhookKeys keys;
    private final WebhookConfigurations configurations;
    private final Reviews reviews;
    private final ReviewServer server;
    private final WorkQueue<Turn> queue;
    private final LoopThreads threads;
    private final FailureReports failures;

    private volatile @Nullable FencedDatastore fenced;
    private volatile long lastTurnNanos;

    /// Why there is no key to serve with.
    private volatile String missingKey = "the Secret of its keys was not read yet";

    /// What is to be done again and again.
    private enum Turn {
        KEYS("keep the keys of the webhooks"),
        CONFIGURATIONS("tell the API server of the webhooks");

        private final String words;

        Turn(String words) {
            this.words = words;
        }
    }

    /// Serves from now on; connections come about once there is a key.
    ///
    /// @throws java.io.UncheckedIOException if it cannot listen where it should
    public SpiderWebhook(ControllerContext context, WebhookSettings settings) {
        this(context, settings, PERIOD);
    }

    SpiderWebhook(ControllerContext context, WebhookSettings settings, Duration period) {
        this.context = context;
        this.period = period;
        this.keys = new WebhookKeys(context.store(), settings, context.clock());
        this.configurations = new WebhookConfigurations(settings);
        this.failures = new FailureReports(context);
        this.reviews = new Reviews(context.store(), settings, sentence -> failures.report("mutation", sentence));
        this.queue = new WorkQueue<>(context.stopwatch(), context.pause(), Backoff.DEFAULT);
        this.threads = new LoopThreads(context);
        this.lastTurnNanos = context.stopwatch().nanos();
        this.server = ReviewServer.open(
                settings.listen(),
                ServedKey.context(() -> keys.current().map(WebhookSecret::server)),
                reviews,
                sentence -> failures.report("review", sentence));
    }

    /// Where it serves, for when any free port was asked for.
    public InetSocketAddress address() {
        return server.address();
    }

    @Override
    public String name() {
        return NAME;
    }

    /// What a review depends on is read for it.
    @Override
    public List<KindHandler> handlers() {
        return List.of();
    }

    @Override
    public void start() {
        queue.add(Turn.KEYS);
        threads.repeat("webhook-keys", this::work);
    }

    @Override
    public void elected(FencedDatastore leading) {
        fenced = leading;
        queue.add(Turn.CONFIGURATIONS);
    }

    @Override
    public void dismissed() {
        fenced = null;
    }

    private void work() throws InterruptedException {
        lastTurnNanos = context.stopwatch().nanos();
        queue.take(LOOK_UP).ifPresent(this::turn);
    }

    private void turn(Turn turn) {
        try {
            queue.addAfter(turn, period);
            switch (turn) {
                case KEYS -> keepKeys();
                case CONFIGURATIONS -> configure();
            }
            failures.forget(turn.name());
        } catch (LeadershipLostException _) {
            // The next leader writes the configurations.
        } catch (DatastoreException | UnreadableDocumentException failed) {
            var sentence = "cannot %s: %s".formatted(turn.words, failed.getMessage());
            failures.report(turn.name(), sentence);
            if (turn == Turn.KEYS) {
                missingKey = sentence;
            }
        } finally {
            queue.done(turn);
        }
    }

    private void keepKeys() {
        var before = keys.current().map(WebhookSecret::authorityPem);
        keys.refresh();
        if (!before.equals(keys.current().map(WebhookSecret::authorityPem))) {
            queue.add(Turn.CONFIGURATIONS);
        }
    }

    /// Without a key nothing is served, and a server that asks would be refused.
    private void configure() {
        var store = fenced;
        var secret = keys.current();
        if (store != null && secret.isPresent()) {
            configurations.write(store, secret.get().authorityPem());
        }
    }

    /// A process without a key serves nothing; another one may have more luck.
    @Override
    public Optional<String> fault() {
        return keys.current().isPresent() ? Optional.empty() : Optional.of(missingKey);
    }

    @Override
    public List<Metric> figures() {
        var figures = new ArrayList<Metric>();
        figures.add(reviews.figures());
        keys.current()
                .ifPresent(secret -> figures.add(Metric.gauge(
                        "cadastre_webhook_certificate_expiry_timestamp_seconds",
                        "When the certificate of the webhooks expires, in seconds since 1970.",
                        List.of(Sample.of((double) secret.server().until().getEpochSecond())))));
        return figures;
    }

    @Override
    public Duration sinceLastTurn() {
        return Duration.ofNanos(context.stopwatch().nanos() - lastTurnNanos);
    }

    @Override
    public void close() {
        server.close();
        threads.close();
    }
}
