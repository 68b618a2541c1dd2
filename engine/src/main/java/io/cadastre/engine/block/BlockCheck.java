package io.cadastre.engine.block;

import io.cadastre.engine.block.Attribute.Cooling;
import io.cadastre.engine.block.Attribute.Held;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/// Whether a block makes sense, and what is asked about it so often that it is found out once.
///
/// @param hollow no address is held, except by Windows
/// @param cooling some attribute is of cooling addresses
/// @param loose some attribute is pointed to by nothing
record BlockCheck(boolean damaged, boolean hollow, boolean cooling, boolean loose) {

    static BlockCheck of(Block block) {
        int[] allocations = block.allocations;
        var attributes = block.attributes;
        boolean damaged = allocations.length != block.size();
        boolean hollow = true;
        boolean cooling = false;
        var pointedTo = new boolean[attributes.size()];
        int pointedToCount = 0;
        for (int index : allocations) {
            if (index == Block.FREE) {
                continue;
            }
            if (index < 0 || index >= pointedTo.length) {
                damaged = true;
                hollow = false;
            } else if (!pointedTo[index]) {
                pointedTo[index] = true;
                pointedToCount++;
                switch (attributes.get(index)) {
                    case Held held -> hollow &= held.keptByWindows();
                    case Cooling _ -> cooling = true;
                }
            }
        }
        return new BlockCheck(damaged || !queueSound(block), hollow, cooling, pointedToCount < pointedTo.length);
    }

    private static boolean queueSound(Block block) {
        int[] allocations = block.allocations;
        int size = block.size();
        var met = new long[Math.ceilDiv(size, Long.SIZE)];
        for (int ordinal : block.unallocated) {
            if (ordinal < 0
                    || ordinal >= Math.min(size, allocations.length)
                    || allocations[ordinal] != Block.FREE
                    || (met[ordinal / Long.SIZE] >>> ordinal & 1) == 1) {
                return false;
            }
            met[ordinal / Long.SIZE] |= 1L << ordinal;
        }
        return true;
    }

    /// What contradicts itself in it, in Calico's words, the gravest kind first.
    static List<String> faults(Block block, Instant now) {
        int[] allocations = block.allocations;
        int[] unallocated = block.unallocated;
        var attributes = block.attributes;
        int size = block.size();
        var faults = new ArrayList<String>();
        var pointedTo = new BitSet();
        int allocated = 0;
        for (int ordinal = 0; ordinal < allocations.length; ordinal++) {
            int index = allocations[ordinal];
            if (index != Block.FREE) {
                allocated++;
                if (index < 0 || index >= attributes.size()) {
                    faults.add("allocation %d indexes a nonexistent attribute %d".formatted(ordinal, index));
                } else {
                    pointedTo.set(index);
                }
            }
        }
        for (int index = 0; index < attributes.size(); index++) {
            if (!pointedTo.get(index)) {
                faults.add("attribute index %d exists but is not indexed by an allocation".formatted(index));
            }
        }
        for (int index = 0; index < attributes.size(); index++) {
            if (attributes.get(index) instanceof Cooling cooling
                    && cooling.releasedAt().isAfter(now)) {
                faults.add("attribute index %d has releasedAt in the future, suggesting clock skew".formatted(index));
            }
        }
        addQueueFaults(block, faults);
        if (unallocated.length + allocated != size) {
            faults.add("expected %d addresses in this block, but Unallocated (%d) + Allocated (%d) = %d"
                    .formatted(size, unallocated.length, allocated, unallocated.length + allocated));
        }
        return List.copyOf(faults);
    }

    private static void addQueueFaults(Block block, List<String> faults) {
        int[] allocations = block.allocations;
        int size = block.size();
        var met = new BitSet();
        for (int ordinal : block.unallocated) {
            if (ordinal < 0 || ordinal >= size) {
                faults.add("ordinal %d appears in the Unallocated array but is out of the block".formatted(ordinal));
                continue;
            }
            if (met.get(ordinal)) {
                faults.add("ordinal %d appears more than once in Unallocated array".formatted(ordinal));
            }
            met.set(ordinal);
            if (ordinal < allocations.length && allocations[ordinal] != Block.FREE) {
                faults.add("ordinal %d is allocated but appears in Unallocated".formatted(ordinal));
            }
        }
    }
}
