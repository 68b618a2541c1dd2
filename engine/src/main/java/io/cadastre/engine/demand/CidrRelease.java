package io.cadastre.engine.demand;

import io.cadastre.address.Prefix;
import io.cadastre.engine.Because;
import io.cadastre.engine.Change;
import io.cadastre.engine.Decision;
import io.cadastre.engine.Holding;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Decides which CIDRs of one pool and family a node gives back, as Cilium's agent does.
///
/// The CIDRs are walked from the last to the first, and one without a pod goes if the others have room enough without
/// it. What is kept is in the order of the walk, so that the next one begins at the other end.
///
/// A CIDR that was given back, and that the object still lists, is the node's for as long as it is listed. If there is
/// too little room these are taken back, the lowest first, before anything is asked for.
public final class CidrRelease {

    private CidrRelease() {}

    /// One step.
    public sealed interface CidrStep extends Change {

        Prefix cidr();

        @Override
        default String sentence() {
            return switch (this) {
                case GiveUp(var cidr) -> "give %s back".formatted(cidr);
                case Reclaim(var cidr) -> "use %s again".formatted(cidr);
            };
        }

        /// Whose it is does not change: the operator's book does.
        @Override
        default List<Holding> granted() {
            return List.of();
        }

        @Override
        default List<Holding> returned() {
            return List.of();
        }

        /// It leaves the list of the node.
        record GiveUp(Prefix cidr) implements CidrStep {}

        /// It was given back, is still listed, and stays.
        record Reclaim(Prefix cidr) implements CidrStep {}
    }

    /// Why a CIDR stays or goes.
    public sealed interface CidrReason extends Because {

        @Override
        default String sentence() {
            return switch (this) {
                case InUse(var cidr, var used) -> "%s stays: %d addresses are in use".formatted(cidr, used);
                case Needed(var cidr, var others, var needed) ->
                    "%s stays: without it %d addresses were free, and %d are needed".formatted(cidr, others, needed);
                case Spare(var cidr, var others, var needed) ->
                    "%s goes: without it %d addresses are free, and %d are needed".formatted(cidr, others, needed);
            };
        }

        record InUse(Prefix cidr, long used) implements CidrReason {}

        record Needed(Prefix cidr, long otherFree, long freeNeeded) implements CidrReason {}

        record Spare(Prefix cidr, long otherFree, long freeNeeded) implements CidrReason {}
    }

    /// The CIDRs that the node goes on with, in their new order.
    public record Kept(List<NodeCidr> cidrs) {
        public Kept {
            cidrs = List.copyOf(cidrs);
        }
    }

    /// Decides what goes and what stays.
    ///
    /// @param held in the node's order
    /// @param givenUp those that were given back and that the object still lists
    /// @param needed how many addresses the node needs, those in use included
    public static Decision<CidrStep, Kept> decide(List<NodeCidr> held, List<NodeCidr> givenUp, long needed) {
        var cidrs = new ArrayList<>(held);
        var steps = new ArrayList<CidrStep>();
        var because = new ArrayList<Because>();
        long used = held.stream().mapToLong(NodeCidr::used).sum();
        long freeNeeded = Math.max(needed - used, 0);
        long free = held.stream().mapToLong(NodeCidr::free).sum();
        var reclaimable =
                givenUp.stream().sorted(Comparator.comparing(NodeCidr::cidr)).toList();
        for (var cidr : reclaimable) {
            if (free >= freeNeeded) {
                break;
            }
            cidrs.add(cidr);
            free += cidr.free();
            steps.add(new CidrStep.Reclaim(cidr.cidr()));
        }
        var kept = new ArrayList<NodeCidr>();
        for (var cidr : cidrs.reversed()) {
            long others = free - cidr.free();
            if (cidr.used() > 0) {
                because.add(new CidrReason.InUse(cidr.cidr(), cidr.used()));
                kept.add(cidr);
            } else if (others < freeNeeded) {
                because.add(new CidrReason.Needed(cidr.cidr(), others, freeNeeded));
                kept.add(cidr);
            } else {
                because.add(new CidrReason.Spare(cidr.cidr(), others, freeNeeded));
                steps.add(new CidrStep.GiveUp(cidr.cidr()));
                free = others;
            }
        }
        return new Decision<>(new Kept(kept), steps, because);
    }
}
