package io.cadastre.controller.nodecidr.cloud;

import io.cadastre.controller.nodecidr.CidrSetFigures;
import io.cadastre.engine.Because;
import io.cadastre.engine.Decision;
import io.cadastre.engine.nodecidr.cloud.AliasRanges;
import io.cadastre.engine.nodecidr.cloud.CloudChange;
import io.cadastre.engine.nodecidr.cloud.CloudEvent;
import io.cadastre.engine.nodecidr.cloud.CloudNode;
import io.cadastre.engine.nodecidr.cloud.CloudOutcome;
import io.cadastre.engine.nodecidr.cloud.CloudReason;
import io.cadastre.engine.nodecidr.cloud.SyncBackoff;
import io.cadastre.engine.nodecidr.cloud.SyncEngine;
import io.cadastre.engine.nodecidr.cloud.SyncView;
import io.cadastre.wire.pages.Metric;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;

/// Brings the CIDRs of Nodes and the alias ranges of their machines together (`IPAMFromCluster`, `IPAMFromCloud`).
final class AliasSync implements CloudAllocator {

    private final SyncBackoff backoff;
    private final List<String> labels;
    private final CidrSetFigures figures =
            new CidrSetFigures("node_ipam_controller_cidrset", "node_ipam_controller_cirdset_max_cidrs");

    /// Guards everything below.
    private final ReentrantLock lock = new ReentrantLock();

    private SyncView view;

    AliasSync(SyncView.Beginning.Ready ready, SyncBackoff backoff) {
        this.backoff = backoff;
        this.view = ready.view();
        this.labels = List.of("clusterCIDR", view.set().cluster().whole().toString());
        figures.changed(labels, 0, ready.empty().set().usedCount());
        // Upstream takes a block and gives it back, to see whether there is one.
        figures.changed(labels, 0, 1);
        figures.changed(labels, 1, 0);
        figures.tried(labels, ready.tries());
        figures.changed(labels, ready.empty().set().usedCount(), view.set().usedCount());
    }

    @Override
    public boolean concerns(CloudNode node, int failures) {
        return true;
    }

    @Override
    public Decision<CloudChange, CloudOutcome> decide(CloudNode node, AliasRanges answer) {
        lock.lock();
        try {
            var step = SyncEngine.sync(view, node, answer);
            become(step.after());
            step.decision().because().forEach(this::count);
            return step.decision();
        } finally {
            lock.unlock();
        }
    }

    private void count(Because because) {
        if (because instanceof CloudReason.NextBlock(var _, int skipped)) {
            figures.tried(labels, skipped);
        }
    }

    @Override
    public void refused(CloudNode node) {
        lock.lock();
        try {
            become(view.withoutReservation(node));
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void finished(CloudNode node) {
        lock.lock();
        try {
            become(view.finished(node.name()));
        } finally {
            lock.unlock();
        }
    }

    @Override
    public List<CloudEvent> gone(CloudNode node) {
        lock.lock();
        try {
            var forgotten = SyncEngine.forget(view, node);
            become(forgotten.after());
            return forgotten.events();
        } finally {
            lock.unlock();
        }
    }

    /// Only with the lock.
    private void become(SyncView next) {
        figures.changed(labels, view.set().usedCount(), next.set().usedCount());
        view = next;
    }

    @Override
    public Pace pace(int failures, RandomGenerator dice) {
        return new Pace.After(backoff.after(failures));
    }

    @Override
    public List<Metric> figures() {
        lock.lock();
        try {
            return figures.metrics(Map.of(labels, view.set()));
        } finally {
            lock.unlock();
        }
    }
}
