package io.cadastre.controller.nodecidr;

import io.cadastre.controller.election.FencedDatastore;
import io.cadastre.controller.watch.KindHandler;
import io.cadastre.wire.kubernetes.NodeObject;
import io.cadastre.wire.pages.Metric;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// One type of node allocator: its law, and what it follows and does beside Nodes.
interface Allocator extends AutoCloseable {

    /// The component that its events name.
    String component();

    /// The name of the queue of Nodes in the metrics.
    String queue();

    /// What it follows beside Nodes.
    default List<KindHandler> handlers() {
        return List.of();
    }

    /// Whether it knows enough beside the Nodes.
    default boolean ready() {
        return true;
    }

    /// The law at the beginning of a term.
    CidrLaw begin(Collection<NodeObject> nodes);

    /// Begins to work, once in its life.
    default void start(Leadership leadership) {}

    /// A term has begun.
    default void elected() {}

    /// What it counts beside the law.
    default List<Metric> figures() {
        return List.of();
    }

    @Override
    default void close() {}

    /// The present term, if there is one.
    interface Leadership {

        /// Lets the work look at the law and change it, while nothing else does.
        ///
        /// @return empty if this process does not lead, or does not know enough to begin
        <T> Optional<T> withLaw(Function<CidrLaw, T> work);

        Optional<FencedDatastore> store();

        /// Lets the Nodes try again that found nothing free, and begins the term if it waited for this.
        void moreIsFree();
    }
}
