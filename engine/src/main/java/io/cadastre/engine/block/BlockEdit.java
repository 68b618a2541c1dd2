package io.cadastre.engine.block;

import io.cadastre.address.Address;
import io.cadastre.engine.block.Attribute.Cooling;
import io.cadastre.engine.block.Attribute.Held;
import io.cadastre.engine.block.assign.Requester;
import io.cadastre.engine.block.release.ReleaseOption;
import io.cadastre.engine.block.release.SequenceCheck;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// The arrays of a block on the way to the next one. What cannot be done leaves the block as it is.
final class BlockEdit {

    private final Block block;
    private final int[] allocations;
    private final Sequences sequences;
    private final List<Attribute> attributes;
    private int[] unallocated;
    private boolean changed;

    BlockEdit(Block block) {
        this.block = block;
        this.allocations = block.allocations.clone();
        this.sequences = block.sequences.copy();
        this.attributes = new ArrayList<>(block.attributes);
        this.unallocated = block.unallocated;
    }

    Block normalised(int cooldownSeconds, Instant now) {
        normalise(cooldownSeconds, now);
        return changed ? build() : block;
    }

    Block.Grant take(int count, Requester requester, Reservations reservations) {
        boolean reserved = reservations.addresses().overlaps(block.cidr().range());
        int[] taken = new int[Math.min(count, unallocated.length)];
        int[] left = new int[unallocated.length];
        int takenCount = 0;
        int leftCount = 0;
        for (int ordinal : unallocated) {
            if (takenCount == count || (reserved && reservations.contains(block.address(ordinal)))) {
                left[leftCount++] = ordinal;
            } else {
                taken[takenCount++] = ordinal;
            }
        }
        taken = Arrays.copyOf(taken, takenCount);
        if (takenCount == 0) {
            return new Block.Grant(block, List.of());
        }
        unallocated = Arrays.copyOf(left, leftCount);
        point(taken, indexOf(requester));
        return new Block.Grant(build(), block.addresses(taken));
    }

    Block take(int ordinal, Requester requester) {
        if (allocations[ordinal] != Block.FREE) {
            throw new IllegalStateException("%s is not free".formatted(block.address(ordinal)));
        }
        unallocated = Arrays.stream(unallocated).filter(free -> free != ordinal).toArray();
        point(new int[] {ordinal}, indexOf(requester));
        return build();
    }

    Freeing release(SortedMap<Integer, ReleaseOption> items, int cooldownSeconds, Instant now) {
        var free = new ArrayList<Address>();
        var counts = new TreeMap<String, Integer>();
        int[] freed = new int[items.size()];
        int freedCount = 0;
        for (var item : items.entrySet()) {
            int ordinal = item.getKey();
            var option = item.getValue();
            long expected = sequences.orZero(ordinal);
            if (!option.sequence().accepts(expected)) {
                return new Freeing.BadSequence(block.address(ordinal), option.sequence(), expected);
            }
            if (!(block.attribute(ordinal).orElse(null) instanceof Held held)) {
                free.add(block.address(ordinal));
                continue;
            }
            var handle = held.cleanHandle();
            if (!option.handle().isEmpty() && !option.handle().equals(handle)) {
                return new Freeing.BadHandle(block.address(ordinal), option.handle(), handle);
            }
            if (!handle.isEmpty()) {
                counts.merge(handle, 1, Integer::sum);
            }
            freed[freedCount++] = ordinal;
        }
        if (freedCount == 0) {
            return new Freeing.Freed(block, free, List.of(), counts);
        }
        freed = Arrays.copyOf(freed, freedCount);
        cool(freed, now);
        for (int ordinal : freed) {
            sequences.put(ordinal, block.sequence());
        }
        normalise(cooldownSeconds, now);
        return new Freeing.Freed(build(), free, block.addresses(freed), counts);
    }

    Freeing.Freed releaseByHandle(String handle, SequenceCheck check, int cooldownSeconds, Instant now) {
        int[] freed = Arrays.stream(block.ordinalsOf(handle))
                .filter(ordinal -> check.accepts(sequences.orZero(ordinal)))
                .toArray();
        var counts = new TreeMap<String, Integer>();
        if (freed.length == 0) {
            return new Freeing.Freed(block, List.of(), List.of(), counts);
        }
        counts.put(handle, freed.length);
        cool(freed, now);
        normalise(cooldownSeconds, now);
        return new Freeing.Freed(build(), List.of(), block.addresses(freed), counts);
    }

    Block withAttribute(int ordinal, Held attribute) {
        int index = allocations[ordinal];
        if (Arrays.stream(allocations).filter(used -> used == index).count() == 1) {
            // Where it was, as Calico writes it.
            attributes.set(index, attribute);
        } else {
            attributes.add(attribute);
            allocations[ordinal] = attributes.size() - 1;
        }
        compact();
        return build();
    }

    /// The index of an attribute for the claimant, shared with one that says the same or new.
    private int indexOf(Requester requester) {
        var attribute = requester.attribute();
        int found = requester.sharing() == Requester.Sharing.SHARED ? find(attribute) : Block.FREE;
        if (found != Block.FREE) {
            return found;
        }
        attributes.add(attribute);
        return attributes.size() - 1;
    }

    /// Handles differ where they end. Their hashes, which texts remember, differ at once.
    private int find(Held wanted) {
        int hash = wanted.handle().hashCode();
        for (int index = 0; index < attributes.size(); index++) {
            if (attributes.get(index) instanceof Held held && held.handle().hashCode() == hash && held.equals(wanted)) {
                return index;
            }
        }
        return Block.FREE;
    }

    private void point(int[] ordinals, int index) {
        for (int ordinal : ordinals) {
            allocations[ordinal] = index;
            sequences.put(ordinal, block.sequence());
        }
    }

    private void cool(int[] ordinals, Instant now) {
        attributes.add(new Cooling(now.truncatedTo(ChronoUnit.SECONDS)));
        for (int ordinal : ordinals) {
            allocations[ordinal] = attributes.size() - 1;
        }
    }

    private void normalise(int cooldownSeconds, Instant now) {
        var cold = new boolean[attributes.size()];
        boolean any = false;
        for (int index = 0; index < cold.length; index++) {
            cold[index] =
                    attributes.get(index) instanceof Cooling(var releasedAt) && cold(releasedAt, cooldownSeconds, now);
            any |= cold[index];
        }
        if (any) {
            free(cold);
        }
        compact();
    }

    private void free(boolean[] cold) {
        int[] queue = Arrays.copyOf(unallocated, block.size());
        int count = unallocated.length;
        for (int ordinal = 0; ordinal < allocations.length; ordinal++) {
            if (allocations[ordinal] != Block.FREE && cold[allocations[ordinal]]) {
                allocations[ordinal] = Block.FREE;
                queue[count++] = ordinal;
                sequences.remove(ordinal);
            }
        }
        unallocated = Arrays.copyOf(queue, count);
        changed = true;
    }

    /// Drops the attributes that nothing points to; the others keep their order.
    private void compact() {
        var places = new int[attributes.size()];
        for (int index : allocations) {
            if (index != Block.FREE) {
                places[index] = 1;
            }
        }
        var kept = new ArrayList<Attribute>();
        for (int index = 0; index < places.length; index++) {
            if (places[index] == 1) {
                places[index] = kept.size();
                kept.add(attributes.get(index));
            }
        }
        if (kept.size() == attributes.size()) {
            return;
        }
        changed = true;
        attributes.clear();
        attributes.addAll(kept);
        for (int ordinal = 0; ordinal < allocations.length; ordinal++) {
            if (allocations[ordinal] != Block.FREE) {
                allocations[ordinal] = places[allocations[ordinal]];
            }
        }
    }

    /// Calico compares strictly and with what the clock shows after the release, so that without a
    /// cooldown it depends on the clock's steps whether the address is free at once; here it is.
    private static boolean cold(Instant releasedAt, int cooldownSeconds, Instant now) {
        return cooldownSeconds <= 0 || releasedAt.isBefore(now.minusSeconds(cooldownSeconds));
    }

    private Block build() {
        return block.with(allocations, unallocated, attributes, sequences);
    }
}
