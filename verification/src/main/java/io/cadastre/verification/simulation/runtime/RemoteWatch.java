package io.cadastre.verification.simulation.runtime;

import io.cadastre.datastore.Watch;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicBoolean;

/// A watch through the network: it may report late, it may report twice, and what it has not reported yet
/// may be compacted away.
final class RemoteWatch implements Watch {

    private static final Duration ON_THE_WAY = Duration.ofMillis(20);

    private final Network network;
    private final ProcessLife life;
    private final String prefix;
    private final Watch watch;
    private final ArrayDeque<Notice> repeated = new ArrayDeque<>();
    private boolean compacted;

    RemoteWatch(Network network, ProcessLife life, String prefix, Watch watch) {
        this.network = network;
        this.life = life;
        this.prefix = prefix;
        this.watch = watch;
    }

    @Override
    public Notice next(Duration limit) {
        life.dieIfDead();
        if (network.strikes(Fault.WATCH_STALE, life.name())) {
            network.scheduler().pause(network.faults().delay(network.dice()));
            life.dieIfDead();
        }
        if (compacted) {
            // A watcher that got the notice and asks again, instead of listing, is expected to know
            // everything.
            life.watched(prefix, Long.MAX_VALUE);
        }
        if (compacted || network.strikes(Fault.WATCH_COMPACTED, life.name())) {
            compacted = true;
            network.scheduler().pause(ON_THE_WAY);
            life.dieIfDead();
            return new Notice.Compacted(revision());
        }
        if (!repeated.isEmpty()) {
            network.scheduler().handBack();
            life.dieIfDead();
            return repeated.remove();
        }
        var end = network.scheduler().instant().plus(limit);
        var notice = watch.next(Duration.ZERO);
        while (notice instanceof Notice.Quiet && network.scheduler().instant().isBefore(end)) {
            awaitChange(end);
            life.dieIfDead();
            notice = watch.next(Duration.ZERO);
        }
        if (notice instanceof Notice.Changed(long revision, var _)) {
            if (network.strikes(Fault.WATCH_REPEATED, life.name())) {
                repeated.add(notice);
            }
            network.scheduler().pause(ON_THE_WAY);
            life.dieIfDead();
            life.watched(prefix, revision);
        }
        return notice;
    }

    /// A watcher that waits knows everything until something changes.
    private void awaitChange(Instant end) {
        life.watched(prefix, Long.MAX_VALUE);
        var missing = new AtomicBoolean();
        network.bell().listen(prefix, Duration.between(network.scheduler().instant(), end), () -> {
            missing.set(true);
            life.watched(prefix, revision() - 1);
        });
        if (!missing.get()) {
            life.watched(prefix, revision());
        }
    }

    private long revision() {
        return network.store().list(prefix, 1).revision();
    }

    @Override
    public void close() {
        watch.close();
    }
}
