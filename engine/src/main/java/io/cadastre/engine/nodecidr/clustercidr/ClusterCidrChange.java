package io.cadastre.engine.nodecidr.clustercidr;

import io.cadastre.address.Prefix;
import io.cadastre.engine.Change;
import io.cadastre.engine.Holding;
import io.cadastre.engine.nodecidr.NodeCidrHoldings;
import java.util.List;
import java.util.stream.Collectors;

/// One step that this law asks for. Most concern only what a controller remembers; an [ObjectWrite] is
/// also written to the cluster, and must have been written before the steps behind it are taken.
public sealed interface ClusterCidrChange extends Change {

    @Override
    default String sentence() {
        return switch (this) {
            case Reserve(var reservation) ->
                "reserve %s of ClusterCIDR %s for node %s"
                        .formatted(words(reservation.blocks()), reservation.clusterCidr(), reservation.node());
            case Confirm(var reservation) ->
                "node %s has %s".formatted(reservation.node(), words(reservation.blocks()));
            case GiveBack(var reservation) ->
                "give back %s, which node %s did not get".formatted(words(reservation.blocks()), reservation.node());
            case Hold(var hold) ->
                hold.associated()
                        ? "node %s has %s of ClusterCIDR %s"
                                .formatted(hold.node(), words(hold.cidrs()), hold.clusterCidr())
                        : "node %s has %s of no ClusterCIDR".formatted(hold.node(), words(hold.cidrs()));
            case Release(var hold) -> "take back %s of node %s".formatted(words(hold.cidrs()), hold.node());
            case Register(var clusterCidr) -> "use ClusterCIDR %s".formatted(clusterCidr.name());
            case Terminate(var name) -> "give nothing more out of ClusterCIDR %s".formatted(name);
            case Unregister(var name) -> "forget ClusterCIDR %s".formatted(name);
            case AwaitFinalizer(var name) ->
                "give nothing out of ClusterCIDR %s before its finalizer is written".formatted(name);
            case NoteFinalizer(var name) -> "ClusterCIDR %s has its finalizer".formatted(name);
            case CreateObject(var clusterCidr) -> "create ClusterCIDR %s".formatted(clusterCidr.name());
            case AddFinalizer(var name) -> "add the finalizer to ClusterCIDR %s".formatted(name);
            case RemoveFinalizer(var name) -> "remove the finalizer from ClusterCIDR %s".formatted(name);
        };
    }

    @Override
    default List<Holding> granted() {
        return switch (this) {
            case Reserve(var reservation) -> NodeCidrHoldings.of(reservation.node(), reservation.blocks());
            case Hold(var hold) -> NodeCidrHoldings.of(hold.node(), hold.cidrs());
            case Confirm _,
                    GiveBack _,
                    Release _,
                    Register _,
                    Terminate _,
                    AwaitFinalizer _,
                    NoteFinalizer _,
                    Unregister _,
                    ObjectWrite _ -> List.of();
        };
    }

    @Override
    default List<Holding> returned() {
        return switch (this) {
            case GiveBack(var reservation) -> NodeCidrHoldings.of(reservation.node(), reservation.blocks());
            case Release(var hold) -> NodeCidrHoldings.of(hold.node(), hold.cidrs());
            case Reserve _,
                    Confirm _,
                    Hold _,
                    Register _,
                    Terminate _,
                    AwaitFinalizer _,
                    NoteFinalizer _,
                    Unregister _,
                    ObjectWrite _ -> List.of();
        };
    }

    private static String words(List<Prefix> cidrs) {
        return cidrs.isEmpty()
                ? "nothing"
                : cidrs.stream().map(Prefix::toString).collect(Collectors.joining(", "));
    }

    /// Keeps free blocks for a node and moves the cursors behind them. A node has at most one reservation.
    record Reserve(Reservation reservation) implements ClusterCidrChange {}

    /// The reserved blocks were written to the node.
    record Confirm(Reservation reservation) implements ClusterCidrChange {}

    /// The reserved blocks were not written, and never will be.
    record GiveBack(Reservation reservation) implements ClusterCidrChange {}

    /// A node has these CIDRs, in place of those it was thought to have.
    record Hold(NodeHold hold) implements ClusterCidrChange {}

    /// A node is gone.
    record Release(NodeHold hold) implements ClusterCidrChange {}

    /// A ClusterCIDR is used from now on, unless it is terminating.
    record Register(ClusterCidr clusterCidr) implements ClusterCidrChange {}

    /// A ClusterCIDR gives nothing more.
    record Terminate(String name) implements ClusterCidrChange {}

    /// A ClusterCIDR without a finalizer gives nothing, since it could vanish under a node.
    record AwaitFinalizer(String name) implements ClusterCidrChange {}

    /// A ClusterCIDR got its finalizer after it was taken into use.
    record NoteFinalizer(String name) implements ClusterCidrChange {}

    /// A ClusterCIDR is no longer used. Nodes that have blocks of it keep them.
    record Unregister(String name) implements ClusterCidrChange {}

    /// A step that is also written to the cluster.
    sealed interface ObjectWrite extends ClusterCidrChange {}

    /// Creates the object, with the finalizer.
    record CreateObject(ClusterCidr clusterCidr) implements ObjectWrite {}

    /// Adds the finalizer to the object.
    record AddFinalizer(String name) implements ObjectWrite {}

    /// Removes the finalizer from the object, so that it can vanish.
    record RemoveFinalizer(String name) implements ObjectWrite {}
}
