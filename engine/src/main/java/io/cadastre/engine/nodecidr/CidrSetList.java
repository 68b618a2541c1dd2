package io.cadastre.engine.nodecidr;

import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.address.SloppyText;
import io.cadastre.address.Subdivision;
import io.cadastre.engine.nodecidr.CidrSet.Next;
import io.cadastre.engine.nodecidr.CidrSet.Reach;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// Several CIDRs of one family, cut into blocks of one length, in the order in which they give them: each is used up
/// before the next one gives anything. As Cilium's operator has them.
///
/// A value: taking, claiming and releasing return another list.
public final class CidrSetList {

    private final Family family;
    private final int mask;
    private final List<Member> members;

    private CidrSetList(Family family, int mask, List<Member> members) {
        this.family = family;
        this.mask = mask;
        this.members = List.copyOf(members);
    }

    /// One CIDR of the list.
    public sealed interface Member {

        Prefix whole();

        /// One that has blocks.
        record Divided(CidrSet set) implements Member {
            @Override
            public Prefix whole() {
                return set.cluster().whole();
            }
        }

        /// One that is smaller than a block, and so gives nothing.
        record WithoutBlocks(Prefix whole) implements Member {}
    }

    /// Reads the list.
    public sealed interface Setup {

        record Configured(CidrSetList list) implements Setup {}

        /// It breaks a rule, in the words of upstream.
        record Rejected(String error) implements Setup {}
    }

    /// A list of which nothing is used, or the first rule that it breaks.
    public static Setup of(Family family, List<String> cidrs, int mask) {
        if (mask > family.bits()) {
            return new Setup.Rejected(
                    "SubNetMask is invalid, should be lower or equal to 32 for IPv4 and to 128 for IPv6");
        }
        if (mask < 0) {
            return new Setup.Rejected("the mask size %d is less than 0".formatted(mask));
        }
        var list = new CidrSetList(family, mask, List.of());
        for (var text : cidrs) {
            var cidr = SloppyText.parsePrefix(text);
            if (cidr.isEmpty()) {
                return new Setup.Rejected("invalid CIDR address: " + text);
            }
            var fault = list.fault(cidr.get());
            if (fault.isPresent()) {
                return new Setup.Rejected(fault.get());
            }
            list = list.with(cidr.get());
        }
        return new Setup.Configured(list);
    }

    /// Why a CIDR cannot be added, if it cannot.
    public Optional<String> fault(Prefix cidr) {
        if (cidr.family() != family) {
            return Optional.of("CIDR is not %s family: %s".formatted(family == Family.IPV4 ? "v4" : "v6", cidr));
        }
        var collision =
                members.stream().filter(member -> member.whole().overlaps(cidr)).findFirst();
        if (collision.isPresent()) {
            return Optional.of("requested CIDR %s collides with %s".formatted(cidr, label(collision.get())));
        }
        return mask < cidr.length() ? Optional.empty() : CidrSet.sizeFault(new Subdivision(cidr, mask));
    }

    /// This with one more CIDR, of which nothing is used, behind the others.
    ///
    /// @throws IllegalArgumentException if [#fault(Prefix)] has something against it
    public CidrSetList with(Prefix cidr) {
        fault(cidr).ifPresent(fault -> {
            throw new IllegalArgumentException(fault);
        });
        var more = new ArrayList<>(members);
        more.add(
                mask < cidr.length()
                        ? new Member.WithoutBlocks(cidr)
                        : new Member.Divided(CidrSet.empty(new Subdivision(cidr, mask))));
        return new CidrSetList(family, mask, more);
    }

    /// This without a CIDR.
    public CidrSetList without(Prefix cidr) {
        return new CidrSetList(
                family,
                mask,
                members.stream().filter(member -> !member.whole().equals(cidr)).toList());
    }

    public Family family() {
        return family;
    }

    public int mask() {
        return mask;
    }

    /// The CIDRs in their order.
    public List<Prefix> cidrs() {
        return members.stream().map(Member::whole).toList();
    }

    /// The sets of those that have blocks, in their order.
    public List<CidrSet> sets() {
        return members.stream()
                .flatMap(member -> member instanceof Member.Divided(var set)
                        ? Optional.of(set).stream()
                        : Optional.<CidrSet>empty().stream())
                .toList();
    }

    /// As upstream names a CIDR in errors.
    private String label(Member member) {
        return "clusterCIDR: %s, nodeMask: %d".formatted(member.whole(), mask);
    }

    private static boolean full(Member member) {
        return switch (member) {
            case Member.Divided(var set) -> set.usedCount() == set.blockCount();
            case Member.WithoutBlocks _ -> true;
        };
    }

    /// A block was taken.
    ///
    /// @param tries how many used blocks lay between the cursor and the block
    public record Taken(Prefix block, int tries, CidrSetList after) {}

    /// Takes the next block of the first CIDR that has one; empty if none has.
    public Optional<Taken> next() {
        for (int index = 0; index < members.size(); index++) {
            if (members.get(index) instanceof Member.Divided(var set) && set.next() instanceof Next.Took took) {
                return Optional.of(new Taken(took.block(), took.tries(), replaced(index, took.after())));
            }
        }
        return Optional.empty();
    }

    private CidrSetList replaced(int index, CidrSet set) {
        var changed = new ArrayList<>(members);
        changed.set(index, new Member.Divided(set));
        return new CidrSetList(family, mask, changed);
    }

    /// What claiming a CIDR that a node has came to.
    public sealed interface Claim {

        record Occupied(CidrSetList after) implements Claim {}

        /// It was not claimed.
        sealed interface Failed extends Claim {

            Prefix cidr();

            /// In the words of upstream.
            String sentence();

            /// Whether all of it is used already, so that a node that has it too must lose it.
            default boolean usedAlready() {
                return false;
            }
        }

        /// It lies in no CIDR of the list.
        record NotConfigured(Prefix cidr) implements Failed {
            @Override
            public String sentence() {
                return "allocator not configured for the requested CIDR " + cidr;
            }
        }

        /// All blocks of the CIDR that it lies in are used.
        ///
        /// @param label names that CIDR
        record Full(Prefix cidr, String label, boolean usedAlready) implements Failed {
            @Override
            public String sentence() {
                return "allocator %s full".formatted(label);
            }
        }

        /// All its blocks are used.
        record AlreadyAllocated(Prefix cidr) implements Failed {
            @Override
            public String sentence() {
                return "requested CIDR (%s) is already allocated".formatted(cidr);
            }

            @Override
            public boolean usedAlready() {
                return true;
            }
        }
    }

    /// Marks the blocks that a CIDR touches. One of which some blocks are free is claimed, as upstream does.
    public Claim claim(Prefix cidr) {
        for (int index = 0; index < members.size(); index++) {
            var member = members.get(index);
            if (!member.whole().overlaps(cidr)) {
                continue;
            }
            if (full(member)) {
                return new Claim.Full(cidr, label(member), member instanceof Member.Divided);
            }
            if (member instanceof Member.Divided(var set) && set.reach(cidr) instanceof Reach.Blocks blocks) {
                var marked = set.occupy(blocks);
                return marked.flipped() == 0
                        ? new Claim.AlreadyAllocated(cidr)
                        : new Claim.Occupied(replaced(index, marked.after()));
            }
        }
        return new Claim.NotConfigured(cidr);
    }

    /// This with the blocks used that any of the CIDRs touches.
    public CidrSetList withUsed(List<Prefix> cidrs) {
        return withSets(set -> {
            var runs = new ArrayList<Reach.Blocks>();
            for (var cidr : cidrs) {
                if (set.reach(cidr) instanceof Reach.Blocks blocks) {
                    runs.add(blocks);
                }
            }
            return runs.isEmpty() ? set : set.occupy(runs).after();
        });
    }

    /// This with the blocks unused that one of the CIDRs touches and nothing else does.
    ///
    /// @param left all that is still held
    public CidrSetList withUnused(List<Prefix> cidrs, List<Prefix> left) {
        return withSets(set -> {
                    var after = set;
                    for (var cidr : cidrs) {
                        if (set.reach(cidr) instanceof Reach.Blocks blocks) {
                            after = after.release(blocks).after();
                        }
                    }
                    return after;
                })
                .withUsed(left);
    }

    /// This with each cursor behind the block that was looked at last.
    public CidrSetList withCursorBehind(Prefix block) {
        return withSets(set ->
                set.reach(block) instanceof Reach.Blocks reach ? set.at((reach.last() + 1) % set.blockCount()) : set);
    }

    private CidrSetList withSets(UnaryOperator<CidrSet> change) {
        return new CidrSetList(
                family,
                mask,
                members.stream()
                        .<Member>map(member -> switch (member) {
                            case Member.Divided(var set) -> new Member.Divided(change.apply(set));
                            case Member.WithoutBlocks without -> without;
                        })
                        .toList());
    }

    @Override
    public String toString() {
        return members.toString();
    }
}
