package io.cadastre.controller.nodecidr;

import io.cadastre.address.Prefix;
import io.cadastre.engine.Because;
import io.cadastre.wire.kubernetes.NodeObject;
import io.cadastre.wire.pages.Metric;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;

/// What one type of allocator knows and decides during one leader term. Calls come one at a time.
interface CidrLaw {

    /// Why it may not begin with the nodes as they are.
    Optional<String> fault();

    /// What an operator should know at the beginning, by the name of a node: it holds what another node holds.
    SequencedMap<String, String> heldTwice();

    /// Takes a node as it is now, in the place of what was known of it.
    ///
    /// @return what an operator should know about it: it holds what another node holds
    Optional<String> seen(NodeObject node);

    /// The node holds nothing any more.
    void gone(String node);

    /// Why the CIDRs of the node do not fit.
    Optional<String> misfit(NodeObject node);

    /// Chooses CIDRs for a node that has none. They are the node's from now on, until it is seen without them or gone.
    Offer offer(NodeObject node);

    /// Whether something may be free for the node.
    boolean hasRoom(NodeObject node);

    /// Keeps CIDRs from all nodes, until [#gone(String)] is called with this holder, which is no name of a node.
    void hold(String holder, List<Prefix> cidrs);

    /// How many CIDRs are in use.
    long usedCount();

    List<Metric> figures();

    /// What a node is to be given.
    sealed interface Offer {

        record Chosen(List<Prefix> cidrs, List<Because> because) implements Offer {
            public Chosen {
                cidrs = List.copyOf(cidrs);
                because = List.copyOf(because);
            }
        }

        /// Everything is used.
        record Exhausted(String sentence) implements Offer {}

        record Refused(String sentence) implements Offer {}

        /// What it would be given of is not ready yet.
        record Awaited() implements Offer {}
    }
}
