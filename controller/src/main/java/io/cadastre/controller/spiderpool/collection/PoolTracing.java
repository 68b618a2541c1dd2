package io.cadastre.controller.spiderpool.collection;

import io.cadastre.controller.ControllerContext;
import io.cadastre.controller.election.LeadershipLostException;
import io.cadastre.controller.spiderpool.collection.PodTraces.Happening;
import io.cadastre.controller.spiderpool.collection.PodTraces.TracedPod;
import io.cadastre.controller.spiderpool.collection.PoolReleases.Ending;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.engine.pool.collect.PodTrace;
import io.cadastre.engine.pool.collect.PodTrace.PodEvent;
import io.cadastre.wire.json.UnreadableDocumentException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;

/// One round over the pods that end or are gone: what has happened to them gets them a time, and those whose time has
/// come are released.
final class PoolTracing {

    private final ControllerContext context;
    private final PoolGcSettings settings;
    private final PoolReleases releases;
    private final PodTraces traces;
    private final BooleanSupplier stopped;

    /// @param stopped whether to go no further
    PoolTracing(
            ControllerContext context,
            PoolGcSettings settings,
            PoolReleases releases,
            PodTraces traces,
            BooleanSupplier stopped) {
        this.context = context;
        this.settings = settings;
        this.releases = releases;
        this.traces = traces;
        this.stopped = stopped;
    }

    void run() {
        for (var happening : traces.takeHappenings()) {
            if (stopped.getAsBoolean()) {
                return;
            }
            look(happening);
        }
        release(traces.due(context.now()));
    }

    /// What cannot be looked at now is looked at in the next round.
    private void look(Happening happening) {
        try {
            if (PodTrace.of(event(releases.facts(), happening), settings.rules(), context.now())
                    instanceof PodTrace.Until(var stop, var _)) {
                traces.trace(
                        new TracedPod(happening.pod().key(), happening.pod().uid()), stop);
            }
        } catch (UnreadableDocumentException _) {
            traces.leaveToScan(happening);
        } catch (DatastoreException failed) {
            traces.putBack(happening);
            context.reports()
                    .accept("cannot look at pod %s: %s"
                            .formatted(happening.pod().key(), failed.getMessage()));
        }
    }

    private static PodEvent event(CollectionFacts facts, Happening happening) {
        var pod = facts.observed(happening.pod());
        return switch (happening) {
            case Happening.Gone _ -> new PodEvent.Gone(pod);
            case Happening.Appeared _ -> new PodEvent.Appeared(pod);
            case Happening.Changed(var before, var _) ->
                new PodEvent.Changed(before.observed(pod.keeping(), pod.node()), pod);
        };
    }

    /// Several at once, since each waits for the store.
    private void release(List<TracedPod> due) {
        var left = new ConcurrentLinkedQueue<>(due);
        var threads = new ArrayList<Thread>();
        for (int worked = 0; worked < Math.min(settings.workers(), due.size()); worked++) {
            threads.add(Thread.ofVirtual().name("pool-release-" + worked).start(() -> releaseAll(left)));
        }
        try {
            for (var thread : threads) {
                thread.join();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void releaseAll(ConcurrentLinkedQueue<TracedPod> left) {
        // Ends: nothing is added to them.
        for (var next = Optional.ofNullable(left.poll());
                next.isPresent() && !stopped.getAsBoolean();
                next = Optional.ofNullable(left.poll())) {
            try {
                if (releases.release(next.get()) == Ending.SETTLED) {
                    traces.forget(next.get());
                } else {
                    traces.failed(next.get(), settings.triesMax());
                }
            } catch (LeadershipLostException _) {
                return;
            }
        }
    }
}
