package io.cadastre.engine.block.index;

import io.cadastre.address.Address;
import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.engine.SortedIndex;
import io.cadastre.engine.block.Block;
import io.cadastre.engine.block.Owner;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Blocks by their place, such that the next one that is not there, or that has something to give, is
/// found without walking those between.
///
/// Blocks of one length are a tree of their own. There, a stretch of a pool that is fully claimed has
/// exactly as many blocks as it has parts, so the first gap is found by counting subtrees. A pool that
/// was made anew with another block length may still have blocks of the old length in it; a part that
/// such a block overlaps is not a gap.
final class BlockIndex {

    private static final int OPEN = 1;
    private static final int HOLLOW = 2;

    static final BlockIndex EMPTY = new BlockIndex(SortedIndex.empty(), SortedIndex.empty());

    private final SortedIndex<Shape, SortedIndex<Prefix, Block>> byShape;
    private final SortedIndex<Owner, SortedIndex<Prefix, Block>> byOwner;

    private BlockIndex(
            SortedIndex<Shape, SortedIndex<Prefix, Block>> byShape,
            SortedIndex<Owner, SortedIndex<Prefix, Block>> byOwner) {
        this.byShape = byShape;
        this.byOwner = byOwner;
    }

    private record Shape(Family family, int length) implements Comparable<Shape> {

        static Shape of(Prefix cidr) {
            return new Shape(cidr.family(), cidr.length());
        }

        @Override
        public int compareTo(Shape other) {
            int order = family.compareTo(other.family);
            return order == 0 ? Integer.compare(length, other.length) : order;
        }
    }

    private static int marks(Block block) {
        return (block.open() ? OPEN : 0) | (block.hollow() && !block.damaged() ? HOLLOW : 0);
    }

    Optional<Block> find(Prefix cidr) {
        return byShape.find(Shape.of(cidr)).flatMap(blocks -> blocks.find(cidr));
    }

    BlockIndex with(Block block) {
        var cidr = block.cidr();
        var without = disowned(cidr);
        var shape = Shape.of(cidr);
        var blocks = byShape.find(shape)
                .orElseGet(() -> SortedIndex.marked(BlockIndex::marks))
                .with(cidr, block);
        var owners = without;
        if (block.owner().isPresent()) {
            var owner = block.owner().get();
            var owned = without.find(owner).orElseGet(SortedIndex::empty).with(cidr, block);
            owners = without.with(owner, owned);
        }
        return new BlockIndex(byShape.with(shape, blocks), owners);
    }

    BlockIndex without(Prefix cidr) {
        if (find(cidr).isEmpty()) {
            return this;
        }
        var shape = Shape.of(cidr);
        var blocks = byShape.find(shape).orElseThrow().without(cidr);
        var shapes = blocks.size() == 0 ? byShape.without(shape) : byShape.with(shape, blocks);
        return new BlockIndex(shapes, disowned(cidr));
    }

    private SortedIndex<Owner, SortedIndex<Prefix, Block>> disowned(Prefix cidr) {
        var owner = find(cidr).flatMap(Block::owner);
        if (owner.isEmpty()) {
            return byOwner;
        }
        var left = byOwner.find(owner.get()).orElseThrow().without(cidr);
        return left.size() == 0 ? byOwner.without(owner.get()) : byOwner.with(owner.get(), left);
    }

    /// All blocks of the family, in the order of their addresses, those of one length after another.
    List<Block> all(Family family) {
        var all = new ArrayList<Block>();
        for (var blocks : byShape.between(new Shape(family, 0), new Shape(family, family.bits()))) {
            all.addAll(blocks.values());
        }
        return all;
    }

    List<Block> ownedBy(Owner owner, Family family) {
        return byOwner.find(owner).map(SortedIndex::values).orElse(List.of()).stream()
                .filter(block -> block.cidr().family() == family)
                .toList();
    }

    /// The block that has the address, of whichever length.
    Optional<Block> around(Address address) {
        return shapes(address.family()).stream()
                .flatMap(shape -> find(Prefix.containing(address, shape.length())).stream())
                .findFirst();
    }

    /// The first block of this length, from this address to the end of the whole, that may give an
    /// address.
    Optional<Block> firstOpen(Prefix whole, int length, Address from) {
        return firstMarked(whole, length, from, OPEN);
    }

    /// The first block of this length, from this address to the end of the whole, in which no address
    /// is held.
    Optional<Block> firstHollow(Prefix whole, int length, Address from) {
        return firstMarked(whole, length, from, HOLLOW);
    }

    private Optional<Block> firstMarked(Prefix whole, int length, Address from, int mark) {
        return byShape.find(new Shape(whole.family(), length))
                .flatMap(blocks -> blocks.firstMarked(new Prefix(from, length), mark))
                .filter(block -> whole.contains(block.cidr()));
    }

    /// The first part of this length, from one address to another, both included, where no block is
    /// and that no block overlaps.
    Optional<Prefix> firstGap(Address from, Address to, int length) {
        var shape = new Shape(from.family(), length);
        var blocks = byShape.find(shape).orElseGet(SortedIndex::empty);
        var rivals = shapes(from.family()).stream()
                .filter(other -> !other.equals(shape))
                .toList();
        var start = from;
        // Ends: each round starts after a block that the round before met.
        while (start.compareTo(to) <= 0) {
            var gap = gap(blocks.root(), new Stretch(start, to, length), false, false);
            if (gap == null) {
                return Optional.empty();
            }
            var part = new Prefix(gap, length);
            var rival = overlapping(part, rivals);
            if (rival.isEmpty()) {
                return Optional.of(part);
            }
            var end = rival.get().length() < length ? rival.get().last() : part.last();
            if (end.compareTo(to) >= 0) {
                return Optional.empty();
            }
            start = end.next();
        }
        return Optional.empty();
    }

    /// A block that overlaps the one with this prefix and is not of the same length.
    Optional<Prefix> findRival(Prefix cidr) {
        var shape = Shape.of(cidr);
        return overlapping(
                cidr,
                shapes(cidr.family()).stream()
                        .filter(other -> !other.equals(shape))
                        .toList());
    }

    private List<Shape> shapes(Family family) {
        var shapes = new ArrayList<Shape>();
        for (var blocks : byShape.between(new Shape(family, 0), new Shape(family, family.bits()))) {
            if (blocks.root() instanceof SortedIndex.Tree.Fork<Prefix, Block> fork) {
                shapes.add(Shape.of(fork.key()));
            }
        }
        return shapes;
    }

    private Optional<Prefix> overlapping(Prefix part, List<Shape> rivals) {
        for (var rival : rivals) {
            var blocks = byShape.find(rival).orElseThrow();
            var found = rival.length() < part.length()
                    ? blocks.find(Prefix.containing(part.first(), rival.length()))
                    : blocks.firstFrom(new Prefix(part.first(), rival.length()))
                            .filter(block -> part.contains(block.cidr()));
            if (found.isPresent()) {
                return found.map(Block::cidr);
            }
        }
        return Optional.empty();
    }

    /// The parts from one to another, both included, by their first addresses.
    private record Stretch(Address from, Address to, int length) {

        /// How many parts there are, or the largest `long` if there are more.
        long count() {
            int shift = from.family().bits() - length;
            boolean borrow = Long.compareUnsigned(to.low(), from.low()) < 0;
            long high = to.high() - from.high() - (borrow ? 1 : 0);
            long low = to.low() - from.low();
            if (high >>> shift != 0) {
                return Long.MAX_VALUE;
            }
            long steps = shift == 0 ? low : high << (Long.SIZE - shift) | low >>> shift;
            return steps < 0 || steps == Long.MAX_VALUE ? Long.MAX_VALUE : steps + 1;
        }

        private long step() {
            return 1L << (from.family().bits() - length);
        }

        Stretch before(Address part) {
            return new Stretch(from, part.minus(step()), length);
        }

        Stretch after(Address part) {
            return new Stretch(part.plus(step()), to, length);
        }
    }

    /// The first part of the stretch that is not in the tree.
    ///
    /// @param notBefore whether the tree is known to have nothing before the stretch
    /// @param notAfter whether the tree is known to have nothing after the stretch
    private static @Nullable Address gap(
            SortedIndex.Tree<Prefix, Block> tree, Stretch stretch, boolean notBefore, boolean notAfter) {
        if (!(tree instanceof SortedIndex.Tree.Fork<Prefix, Block> fork)) {
            return stretch.from;
        }
        if (notBefore && notAfter && fork.size() == stretch.count()) {
            return null;
        }
        var middle = fork.key().address();
        if (middle.compareTo(stretch.from) < 0) {
            return gap(fork.right(), stretch, false, notAfter);
        }
        if (middle.compareTo(stretch.to) > 0) {
            return gap(fork.left(), stretch, notBefore, false);
        }
        if (!middle.equals(stretch.from)) {
            var left = gap(fork.left(), stretch.before(middle), notBefore, true);
            if (left != null) {
                return left;
            }
        }
        return middle.equals(stretch.to) ? null : gap(fork.right(), stretch.after(middle), true, notAfter);
    }
}
