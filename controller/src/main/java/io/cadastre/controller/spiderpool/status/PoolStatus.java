package io.cadastre.controller.spiderpool.status;

import io.cadastre.controller.ControlLoop;
import io.cadastre.controller.ControllerContext;
import io.cadastre.controller.FailureReports;
import io.cadastre.controller.LoopThreads;
import io.cadastre.controller.election.FencedDatastore;
import io.cadastre.controller.election.LeadershipLostException;
import io.cadastre.controller.queue.Backoff;
import io.cadastre.controller.queue.WorkQueue;
import io.cadastre.controller.watch.KindHandler;
import io.cadastre.controller.watch.StoredKind;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.registry.Reflector;
import io.cadastre.registry.Registrar;
import io.cadastre.registry.Request;
import io.cadastre.registry.UnrecordedException;
import io.cadastre.registry.UnsettledException;
import io.cadastre.wire.json.UnreadableDocumentException;
import io.cadastre.wire.kubernetes.CoreBook;
import io.cadastre.wire.pages.Metric;
import io.cadastre.wire.spiderpool.objects.ObjectOutcome;
import io.cadastre.wire.spiderpool.objects.PoolUpkeep;
import io.cadastre.wire.spiderpool.objects.SpiderKeys;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Keeps the counts of pools right and lets deleted pools go, while it is elected.
public final class PoolStatus implements ControlLoop {

    public static final String NAME = "spiderpool-status";

    /// How many pools are worked on at a time.
    private static final int WORKERS = 3;

    /// How often all pools are looked at.
    private static final Duration RESYNC = Duration.ofMinutes(5);

    /// After a failure that is not a conflict.
    private static final Duration FAILURE_DELAY = Duration.ofSeconds(5);

    private static final Duration LOOK_UP = Duration.ofSeconds(1);

    /// A conflict that lasts goes back to the queue soon.
    private static final Registrar.Limits LIMITS = new Registrar.Limits(5, 1, WORKERS, Duration.ofMillis(200));

    /// Not the key of a pool: look at all of them.
    private static final String FIND_POOLS = "";

    private final ControllerContext context;
    private final Duration poolsPeriod;
    private final Duration resync;
    private final WorkQueue<String> queue;
    private final LoopThreads threads;
    private final FailureReports failures;

    private volatile @Nullable Term term;
    private volatile @Nullable Thread ending;
    private volatile long lastTurnNanos;

    /// What one leader term has of its own. The lock guards the watch, which ends with the term.
    private static final class Term {
        private final Datastore store;
        private @Nullable Reflector watch;
        private boolean over;

        Term(Datastore store) {
            this.store = store;
        }

        /// Begins to watch, unless it does or the term is over.
        synchronized void follow(Supplier<Reflector> begin) {
            if (watch == null && !over) {
                watch = begin.get();
            }
        }

        synchronized void unfollow() {
            if (watch != null) {
                watch.close();
                watch = null;
            }
        }

        synchronized void end() {
            over = true;
            unfollow();
        }
    }

    public PoolStatus(ControllerContext context) {
        this(context, StoredKind.PERIOD, RESYNC);
    }

    PoolStatus(ControllerContext context, Duration poolsPeriod, Duration resync) {
        this.context = context;
        this.poolsPeriod = poolsPeriod;
        this.resync = resync;
        this.queue = new WorkQueue<>(context.stopwatch(), context.pause(), Backoff.DEFAULT);
        this.lastTurnNanos = context.stopwatch().nanos();
        this.threads = new LoopThreads(context);
        this.failures = new FailureReports(context);
    }

    @Override
    public String name() {
        return NAME;
    }

    /// Pools are followed by a watch of its own, where the store takes them.
    @Override
    public List<KindHandler> handlers() {
        return List.of();
    }

    @Override
    public void start() {
        for (int worker = 0; worker < WORKERS; worker++) {
            threads.repeat("pool-status-" + worker, this::work);
        }
    }

    @Override
    public void elected(FencedDatastore fenced) {
        term = new Term(fenced);
        queue.add(FIND_POOLS);
    }

    /// The watch writes nothing, and its end may wait for the store.
    @Override
    public void dismissed() {
        var former = term;
        term = null;
        if (former != null) {
            ending = Thread.ofVirtual().name("pool-status-end").start(former::end);
        }
    }

    private void work() throws InterruptedException {
        lastTurnNanos = context.stopwatch().nanos();
        queue.take(LOOK_UP).ifPresent(this::turn);
    }

    private void turn(String key) {
        var current = term;
        try {
            if (current == null) {
                return;
            }
            if (key.equals(FIND_POOLS)) {
                findPools(current);
            } else {
                tend(current, key);
            }
            queue.succeeded(key);
            failures.forget(key);
        } catch (LeadershipLostException _) {
            // The next leader begins with a list.
        } catch (UnsettledException conflict) {
            if (conflict.getCause() instanceof LeadershipLostException) {
                return;
            }
            failed(key, String.valueOf(conflict.getMessage()));
            queue.retry(key);
        } catch (UnreadableDocumentException unreadable) {
            // A change of the pool brings it back.
            failed(key, String.valueOf(unreadable.getMessage()));
        } catch (DatastoreException | UnrecordedException failed) {
            if (failed.getCause() instanceof LeadershipLostException) {
                return;
            }
            failed(key, String.valueOf(failed.getMessage()));
            queue.addAfter(key, FAILURE_DELAY);
        } finally {
            queue.done(key);
        }
    }

    private void failed(String key, String why) {
        failures.report(
                key,
                key.equals(FIND_POOLS)
                        ? "cannot look for pools: " + why
                        : "cannot keep the status of pool %s: %s"
                                .formatted(key.substring(SpiderKeys.POOLS.length()), why));
    }

    /// A watch begins with a list, so beginning anew is looking at all pools again.
    private void findPools(Term current) {
        boolean found = StoredKind.isThere(current.store, SpiderKeys.POOLS);
        current.unfollow();
        if (found) {
            current.follow(() -> Reflector.begin(
                    current.store,
                    context.pause(),
                    List.of(new PoolWatch(
                            queue::add, failure -> failed(FIND_POOLS, String.valueOf(failure.getMessage()))))));
        }
        queue.addAfter(FIND_POOLS, found ? resync : poolsPeriod);
    }

    private void tend(Term current, String key) {
        var name = key.substring(SpiderKeys.POOLS.length());
        var registrar = new Registrar<>(
                new CoreBook(current.store, key),
                context.ledger(),
                LIMITS,
                context.clock(),
                context.dice(),
                context.pause());
        var outcome =
                registrar.enact(new Request<>("controller: keep pool " + name, view -> PoolUpkeep.decide(view.find())));
        if (outcome instanceof ObjectOutcome.Deleted) {
            context.reports().accept("let pool %s go: its deletion has begun and no address is in use".formatted(name));
        }
    }

    @Override
    public List<Metric> figures() {
        return term == null ? List.of() : queue.figures(NAME);
    }

    @Override
    public Duration sinceLastTurn() {
        return Duration.ofNanos(context.stopwatch().nanos() - lastTurnNanos);
    }

    @Override
    public void close() {
        dismissed();
        var last = ending;
        if (last != null) {
            try {
                last.join();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        threads.close();
    }
}
