package io.cadastre.controller.nodecidr.cloud;

import io.cadastre.engine.Decision;
import io.cadastre.engine.nodecidr.cloud.AliasRanges;
import io.cadastre.engine.nodecidr.cloud.CloudChange;
import io.cadastre.engine.nodecidr.cloud.CloudEngine;
import io.cadastre.engine.nodecidr.cloud.CloudEvent;
import io.cadastre.engine.nodecidr.cloud.CloudNode;
import io.cadastre.engine.nodecidr.cloud.CloudOutcome;
import io.cadastre.engine.nodecidr.cloud.CloudRetry;
import io.cadastre.wire.pages.Metric;
import java.util.List;
import java.util.random.RandomGenerator;

/// Gives Nodes the alias ranges of their machines (`CloudAllocator`). It knows nothing that the Nodes and the cloud do
/// not know.
record AliasCopying() implements CloudAllocator {

    /// A node that waits for its next attempt does not get it sooner because it reports its state.
    @Override
    public boolean concerns(CloudNode node, int failures) {
        return failures == 0 && CloudEngine.concerns(node);
    }

    @Override
    public Decision<CloudChange, CloudOutcome> decide(CloudNode node, AliasRanges answer) {
        return CloudEngine.follow(node, answer);
    }

    @Override
    public void refused(CloudNode node) {
        throw new IllegalStateException("no alias range is added for node " + node.name());
    }

    @Override
    public void finished(CloudNode node) {
        // The next decision is made on what the node has then.
    }

    /// The range is the cloud's.
    @Override
    public List<CloudEvent> gone(CloudNode node) {
        return List.of();
    }

    @Override
    public Pace pace(int failures, RandomGenerator dice) {
        if (failures == 0) {
            return new Pace.WhenItChanges();
        }
        return switch (CloudRetry.afterFailures(failures, dice)) {
            case CloudRetry.After(var delay) -> new Pace.After(delay);
            case CloudRetry.Dropped dropped -> new Pace.Dropped(dropped.sentence());
        };
    }

    @Override
    public List<Metric> figures() {
        return List.of();
    }
}
