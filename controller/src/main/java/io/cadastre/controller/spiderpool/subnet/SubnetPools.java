package io.cadastre.controller.spiderpool.subnet;

import io.cadastre.controller.ControlLoop;
import io.cadastre.controller.ControllerContext;
import io.cadastre.controller.FailureReports;
import io.cadastre.controller.LoopThreads;
import io.cadastre.controller.election.FencedDatastore;
import io.cadastre.controller.election.LeadershipLostException;
import io.cadastre.controller.queue.Backoff;
import io.cadastre.controller.queue.WorkQueue;
import io.cadastre.controller.watch.KindHandler;
import io.cadastre.controller.watch.SharedWatches;
import io.cadastre.controller.watch.StoredKind;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.registry.PageFullException;
import io.cadastre.registry.UnrecordedException;
import io.cadastre.registry.UnsettledException;
import io.cadastre.wire.json.UnreadableDocumentException;
import io.cadastre.wire.pages.Metric;
import io.cadastre.wire.pages.Metric.Sample;
import io.cadastre.wire.spiderpool.objects.SpiderKeys;
import io.cadastre.wire.spiderpool.workload.WorkloadKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Follows applications, subnets and pools and, while it is elected, has each application have its pools.
///
/// It has watches of its own and begins them when a subnet is found, since a cluster without subnets need not let it
/// follow anything.
public final class SubnetPools implements ControlLoop {

    public static final String NAME = "spiderpool-subnet";

    /// How many tasks one pass takes at most.
    private static final int PASS_MAX = 1000;

    private static final Duration LOOK_UP = Duration.ofSeconds(1);

    /// As Spiderpool waits for a pool to become free.
    private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(5), Duration.ofSeconds(1000), 10, 100);

    private final ControllerContext context;
    private final SubnetSettings settings;
    private final WorkQueue<SubnetTask> queue;
    private final LoopThreads threads;
    private final FailureReports failures;

    private volatile @Nullable Term term;
    private volatile long lastTurnNanos;
    private volatile boolean closed;
    private volatile @Nullable Following following;

    /// What one leader term has of its own.
    private record Term(SubnetWorker worker, Datastore store) {}

    /// What is followed during a term, from its beginning, so that nothing is missed between two terms.
    private record Following(Term term, SharedWatches watches, ObjectSightings subnets, ObjectSightings pools) {}

    public SubnetPools(ControllerContext context, SubnetSettings settings) {
        this.context = context;
        this.settings = settings;
        this.queue = new WorkQueue<>(context.stopwatch(), context.pause(), BACKOFF);
        this.lastTurnNanos = context.stopwatch().nanos();
        this.threads = new LoopThreads(context);
        this.failures = new FailureReports(context);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<KindHandler> handlers() {
        return List.of();
    }

    @Override
    public void start() {
        threads.repeat(NAME, this::work);
    }

    @Override
    public void elected(FencedDatastore fenced) {
        term = new Term(new SubnetWorker(context.with(fenced), settings, fenced::checkTerm), fenced);
        queue.add(new SubnetTask.FindSubnets());
    }

    @Override
    public void dismissed() {
        term = null;
    }

    private void work() throws InterruptedException {
        lastTurnNanos = context.stopwatch().nanos();
        var current = following;
        if (current != null && !current.term().equals(term)) {
            rest();
        }
        var tasks = waiting();
        var now = term;
        if (now != null) {
            now.worker().beginPass();
        }
        finishAll(tasks);
    }

    /// Does each, also after a failure that none of them expects.
    private void finishAll(List<SubnetTask> tasks) {
        var failed = new ArrayList<RuntimeException>();
        for (var task : tasks) {
            try {
                turn(task);
            } catch (RuntimeException failure) {
                failed.add(failure);
            }
        }
        if (!failed.isEmpty()) {
            throw failed.getFirst();
        }
    }

    /// The tasks of one pass: all that wait, so that what there is is listed for all of them together.
    private List<SubnetTask> waiting() throws InterruptedException {
        var tasks = new ArrayList<SubnetTask>();
        var next = queue.take(LOOK_UP);
        while (next.isPresent()) {
            tasks.add(next.get());
            next = tasks.size() < PASS_MAX ? queue.poll() : Optional.empty();
        }
        return tasks;
    }

    private void rest() {
        var current = following;
        if (current != null) {
            following = null;
            current.watches().close();
            failures.forgetAll();
        }
    }

    private void turn(SubnetTask task) {
        lastTurnNanos = context.stopwatch().nanos();
        try {
            var current = term;
            if (closed || current == null) {
                return;
            }
            switch (task) {
                case SubnetTask.FindSubnets _ -> findSubnets(current);
                case SubnetTask.Resync _ -> resync();
                case SubnetTask.Serve _,
                        SubnetTask.Reclaim _,
                        SubnetTask.Tend _,
                        SubnetTask.Adopt _,
                        SubnetTask.Judge _ -> work(current, task);
            }
        } finally {
            queue.done(task);
        }
    }

    private void work(Term current, SubnetTask task) {
        try {
            var fault = current.worker().work(task);
            if (fault.isEmpty()) {
                failures.forget(task.toString());
                queue.succeeded(task);
            } else {
                again(task, fault.get());
            }
        } catch (LeadershipLostException _) {
            // The next leader begins with a list of all.
        } catch (UnsettledException
                | UnrecordedException
                | DatastoreException
                | PageFullException
                | UnreadableDocumentException failed) {
            if (!(failed.getCause() instanceof LeadershipLostException)) {
                failures.report(
                        task.toString(), "cannot %s: %s".formatted(SubnetWorker.words(task), failed.getMessage()));
                queue.addAfter(task, settings.retryDelay());
            }
        }
    }

    private void again(SubnetTask task, SubnetWorker.Fault fault) {
        failures.report(task.toString(), "cannot %s: %s".formatted(SubnetWorker.words(task), fault.sentence()));
        switch (fault.retry()) {
            case WITH_OTHER_INPUT -> queue.succeeded(task);
            case SOON -> queue.retry(task);
            case LATER -> queue.addAfter(task, settings.retryDelay());
        }
    }

    // ---- what is followed ----

    private void findSubnets(Term current) {
        boolean found;
        try {
            found = StoredKind.hasAny(current.store(), SpiderKeys.SUBNETS);
            failures.forget(NAME);
        } catch (DatastoreException failed) {
            failures.report(NAME, "cannot look for SpiderSubnets: " + failed.getMessage());
            found = false;
        }
        var former = following;
        if (former != null && former.term().equals(current)) {
            return;
        }
        rest();
        if (found) {
            follow(current);
        } else {
            queue.addAfter(new SubnetTask.FindSubnets(), StoredKind.PERIOD);
        }
    }

    private void follow(Term current) {
        var subnets = new ObjectSightings(ObjectSightings.Kind.SUBNETS, queue::add);
        var pools = new ObjectSightings(ObjectSightings.Kind.POOLS, queue::add);
        var handlers = new ArrayList<KindHandler>(List.of(subnets, pools));
        if (settings.making() == SubnetSettings.Making.ON) {
            for (var kind : WorkloadKind.watched()) {
                handlers.add(new WorkloadSightings(kind, settings.families(), queue::add));
            }
        }
        following = new Following(
                current,
                SharedWatches.begin(context.store(), context.pause(), handlers, context.reports()),
                subnets,
                pools);
        queue.addAfter(new SubnetTask.Resync(), settings.resyncPeriod());
    }

    private void resync() {
        var current = following;
        if (current != null) {
            current.subnets().resync();
            current.pools().resync();
            queue.addAfter(new SubnetTask.Resync(), settings.resyncPeriod());
        }
    }

    // ---- what is shown ----

    @Override
    public Optional<String> fault() {
        var current = following;
        var missing = current == null ? List.<String>of() : current.watches().missing();
        return missing.isEmpty() ? Optional.empty() : Optional.of("not read yet: " + String.join(", ", missing));
    }

    @Override
    public List<Metric> figures() {
        var current = following;
        return term == null || current == null
                ? List.of()
                : List.of(Metric.gauge(
                        "spiderpool_total_subnet_counts",
                        "How many SpiderSubnets there are.",
                        List.of(Sample.of(current.subnets().count()))));
    }

    @Override
    public Duration sinceLastTurn() {
        return Duration.ofNanos(context.stopwatch().nanos() - lastTurnNanos);
    }

    @Override
    public void close() {
        closed = true;
        queue.add(new SubnetTask.FindSubnets());
        threads.close();
        rest();
    }
}
