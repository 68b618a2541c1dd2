package io.cadastre.controller.nodecidr.cloud;

import io.cadastre.engine.Decision;
import io.cadastre.engine.nodecidr.cloud.AliasRanges;
import io.cadastre.engine.nodecidr.cloud.CloudChange;
import io.cadastre.engine.nodecidr.cloud.CloudEvent;
import io.cadastre.engine.nodecidr.cloud.CloudNode;
import io.cadastre.engine.nodecidr.cloud.CloudOutcome;
import io.cadastre.wire.pages.Metric;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

/// What one type of allocator that asks a cloud knows and decides during one leader term. Safe for use by any number
/// of threads.
sealed interface CloudAllocator permits AliasCopying, AliasSync {

    /// Whether the node is to be looked at, now that it has changed.
    ///
    /// @param failures how many attempts in a row have failed; one more is due
    boolean concerns(CloudNode node, int failures);

    Decision<CloudChange, CloudOutcome> decide(CloudNode node, AliasRanges answer);

    /// The cloud refused to add the alias range that was decided last.
    void refused(CloudNode node);

    /// All changes that were decided last have been written.
    void finished(CloudNode node);

    /// The node was deleted.
    List<CloudEvent> gone(CloudNode node);

    /// When a node is looked at again.
    ///
    /// @param failures attempts that have failed in a row; zero if the last one went well
    Pace pace(int failures, RandomGenerator dice);

    List<Metric> figures();

    /// When a node is looked at again, unless it changes before.
    sealed interface Pace {

        record After(Duration delay) implements Pace {}

        record WhenItChanges() implements Pace {}

        /// Not any more, and why.
        record Dropped(String sentence) implements Pace {}
    }
}
