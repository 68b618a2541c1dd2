package io.cadastre.engine.block;

import io.cadastre.address.Prefix;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/// The parts of a stored block. What is not set is absent or empty.
public final class StoredBlock {

    private final Prefix cidr;
    private @Nullable Owner owner;
    private @Nullable Instant claimedAt;
    private int[] allocations;
    private int[] unallocated = {};
    private List<Attribute> attributes = List.of();
    private long sequence;
    private Sequences sequences;
    private boolean deleted;

    StoredBlock(Prefix cidr) {
        this.cidr = cidr;
        this.allocations = new int[Block.size(cidr)];
        this.sequences = Sequences.none(allocations.length);
        Arrays.fill(allocations, Block.FREE);
    }

    public StoredBlock owner(Owner holder) {
        owner = holder;
        return this;
    }

    public StoredBlock claimedAt(Instant time) {
        claimedAt = time;
        return this;
    }

    /// For each ordinal the index of its attribute, or [Block#FREE].
    public StoredBlock allocations(int... indexes) {
        allocations = indexes.clone();
        return this;
    }

    public StoredBlock unallocated(int... ordinals) {
        unallocated = ordinals.clone();
        return this;
    }

    public StoredBlock attributes(List<Attribute> all) {
        attributes = List.copyOf(all);
        return this;
    }

    public StoredBlock sequence(long number) {
        sequence = number;
        return this;
    }

    /// At which sequence number each ordinal was given away.
    ///
    /// @throws IllegalArgumentException if an ordinal is not in the block
    public StoredBlock sequences(SortedMap<Integer, Long> numbers) {
        int size = Block.size(cidr);
        if (!numbers.isEmpty() && (numbers.firstKey() < 0 || numbers.lastKey() >= size)) {
            throw new IllegalArgumentException(
                    "block %s has sequence numbers of ordinals it does not have: %s".formatted(cidr, numbers.keySet()));
        }
        sequences = Sequences.of(size, numbers);
        return this;
    }

    /// At which sequence number one more ordinal was given away.
    ///
    /// @throws IllegalArgumentException if it is not in the block, or was given before
    public StoredBlock sequenceOf(int ordinal, long number) {
        if (ordinal < 0 || ordinal >= Block.size(cidr) || sequences.has(ordinal)) {
            throw new IllegalArgumentException("block %s has no ordinal %d, or has it twice".formatted(cidr, ordinal));
        }
        sequences.put(ordinal, number);
        return this;
    }

    public StoredBlock deleted(boolean marked) {
        deleted = marked;
        return this;
    }

    public Block build() {
        return new Block(
                cidr, owner, claimedAt, allocations, unallocated, attributes, sequence, sequences.copy(), deleted);
    }
}
