package io.cadastre.verification.simulation;

import io.cadastre.datastore.Watch;

import java.time.Duration;
import java.util.ArrayDeque;

/// A watch through the network: it may tell late, and it may tell twice.
final class RemoteWatch implements Watch {

    private static final Duration POLL = Duration.ofMillis(20);

    private final Network network;
    private final Life life;
    private final Watch watch;
    private final ArrayDeque<Notice> repeated = new ArrayDeque<>();

    RemoteWatch(Network network, Life life, Watch watch) {
        this.network = network;
        this.life = life;
        this.watch = watch;
    }

    @Override
    public Notice next(Duration limit) {
        life.dieIfDead();
        if (network.strikes(Fault.WATCH_STALE, life.name())) {
            network.scheduler().pause(network.weather().delay(network.dice()));
            life.dieIfDead();
        }
        if (!repeated.isEmpty()) {
            network.scheduler().handBack();
            life.dieIfDead();
            return repeated.remove();
        }
        var end = network.scheduler().instant().plus(limit);
        while (true) {
            var notice = watch.next(Duration.ZERO);
            if (notice instanceof Notice.Changed
                    && network.strikes(Fault.WATCH_REPEATED, life.name())) {
                repeated.add(notice);
            }
            boolean quiet = notice instanceof Notice.Quiet;
            network.scheduler().pause(POLL);
            life.dieIfDead();
            if (!quiet || !network.scheduler().instant().isBefore(end)) {
                return notice;
            }
        }
    }

    @Override
    public void close() {
        watch.close();
    }
}
