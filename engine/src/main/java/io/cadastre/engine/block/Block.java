package io.cadastre.engine.block;

import io.cadastre.address.Address;
import io.cadastre.address.Prefix;
import io.cadastre.engine.block.Attribute.Cooling;
import io.cadastre.engine.block.Attribute.Held;
import io.cadastre.engine.block.assign.Requester;
import io.cadastre.engine.block.release.ReleaseOption;
import io.cadastre.engine.block.release.SequenceCheck;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// A block: up to 4096 addresses that are claimed, given away and taken back together, since they are
/// written together.
///
/// An ordinal is an address's place in the block. It is free and waits in a queue, or it points to an
/// attribute that says what holds it or since when it cools. The queue is oldest first, so that an
/// address rests as long as possible before it is used again; a cold ordinal joins it at the tail, and
/// nothing else brings an ordinal back.
///
/// A block is a value, packed into a few arrays. The operations return another block with the same
/// sequence number; what is stored is [#written()], which has the next one. So an ordinal records the
/// number that the block had before the write, and a release that names another number is refused.
///
/// A block as it was stored may contradict itself; [#faults(Instant)] lists how. In one that is
/// [#damaged()], free and held addresses cannot be distinguished with certainty, and all operations
/// refuse it.
public final class Block {

    static final int HOST_BITS_MAX = 12;

    /// How many addresses a block may have.
    public static final int SIZE_MAX = 1 << HOST_BITS_MAX;

    /// What stands in place of an attribute's index for a free ordinal.
    public static final int FREE = -1;

    private final Prefix cidr;
    private final int size;
    private final @Nullable Owner owner;
    private final @Nullable Instant claimedAt;
    private final int[] allocations;
    private final int[] unallocated;
    private final List<Attribute> attributes;
    private final long sequence;
    private final Sequences sequences;
    private final boolean deleted;
    private final Digest digest;

    private Block(
            Prefix cidr,
            @Nullable Owner owner,
            @Nullable Instant claimedAt,
            int[] allocations,
            int[] unallocated,
            List<Attribute> attributes,
            long sequence,
            Sequences sequences,
            boolean deleted) {
        this.cidr = cidr;
        this.size = size(cidr);
        this.owner = owner;
        this.claimedAt = claimedAt;
        this.allocations = allocations;
        this.unallocated = unallocated;
        this.attributes = List.copyOf(attributes);
        this.sequence = sequence;
        this.sequences = sequences;
        this.deleted = deleted;
        this.digest = digest();
    }

    /// A block that was not claimed before, for its first owner.
    ///
    /// @throws IllegalArgumentException if the host reserves more addresses than there are
    public static Block fresh(Prefix cidr, Owner owner, HostReserve reserve, Instant now) {
        int size = size(cidr);
        int[] allocations = new int[size];
        Arrays.fill(allocations, FREE);
        var attributes = new ArrayList<Attribute>();
        int from = 0;
        int to = size;
        if (reserve instanceof HostReserve.Ends ends) {
            if (ends.count() > size) {
                throw new IllegalArgumentException(
                        "%s cannot have %d reserved addresses".formatted(cidr, ends.count()));
            }
            from = ends.first();
            to = size - ends.last();
            Arrays.fill(allocations, 0, from, 0);
            Arrays.fill(allocations, to, size, 0);
            attributes.add(Held.by(ends.handle(), new TreeMap<>(Collections.singletonMap("note", ends.note()))));
        }
        int[] unallocated = new int[to - from];
        for (int index = 0; index < unallocated.length; index++) {
            unallocated[index] = from + index;
        }
        return new Block(
                cidr,
                owner,
                now.truncatedTo(ChronoUnit.SECONDS),
                allocations,
                unallocated,
                attributes,
                nanos(now),
                Sequences.none(size),
                false);
    }

    /// A block as a document has it, to be filled in.
    public static Stored stored(Prefix cidr) {
        return new Stored(cidr);
    }

    private static long nanos(Instant now) {
        return now.getEpochSecond() * 1_000_000_000L + now.getNano();
    }

    private static int size(Prefix cidr) {
        int hostBits = cidr.family().bits() - cidr.length();
        if (hostBits > HOST_BITS_MAX) {
            throw new IllegalArgumentException(
                    "%s has more than %d addresses, too many for a block".formatted(cidr, SIZE_MAX));
        }
        return 1 << hostBits;
    }

    // ---- what it says ----

    public Prefix cidr() {
        return cidr;
    }

    /// How many addresses it spans.
    public int size() {
        return size;
    }

    public Optional<Owner> owner() {
        return Optional.ofNullable(owner);
    }

    public boolean ownedBy(Owner somebody) {
        return somebody.equals(owner);
    }

    /// When its owner claimed it; empty if that is not known, which means long ago.
    public Optional<Instant> claimedAt() {
        return Optional.ofNullable(claimedAt);
    }

    /// For each ordinal the index of its attribute, or [#FREE].
    public int[] allocations() {
        return allocations.clone();
    }

    /// The free ordinals, the next one to be given first.
    public int[] unallocated() {
        return unallocated.clone();
    }

    public List<Attribute> attributes() {
        return attributes;
    }

    /// How often it was written, counted from where it began. Unsigned.
    public long sequence() {
        return sequence;
    }

    /// At which sequence number each ordinal was given away, where that is recorded.
    public SortedMap<Integer, Long> sequences() {
        return sequences.map();
    }

    /// At which sequence number the ordinal was given away; zero if that is not recorded.
    public long sequenceOf(int ordinal) {
        return sequences.orZero(ordinal);
    }

    /// The ordinals of which it is recorded at which sequence number they were given away, in order.
    public int[] sequencedOrdinals() {
        return sequences.ordinals();
    }

    /// Whether it is about to be deleted, in a store that deletes in two steps.
    public boolean deleted() {
        return deleted;
    }

    public Address address(int ordinal) {
        return cidr.first().plus(Objects.checkIndex(ordinal, size));
    }

    public OptionalInt ordinal(Address address) {
        return cidr.contains(address)
                ? OptionalInt.of((int) (address.low() - cidr.first().low()))
                : OptionalInt.empty();
    }

    /// What is said about the ordinal, if it is not free.
    public Optional<Attribute> attribute(int ordinal) {
        int index = allocations[ordinal];
        return index == FREE ? Optional.empty() : Optional.of(attributes.get(index));
    }

    /// Whether both, of one size, say the same about the ordinal.
    boolean sameAt(int ordinal, Block other) {
        int index = allocations[ordinal];
        int otherIndex = other.allocations[ordinal];
        boolean oneIsFree = index == FREE || otherIndex == FREE;
        return oneIsFree ? index == otherIndex : attributes.get(index).equals(other.attributes.get(otherIndex));
    }

    /// Whether it has no address that is held or cools, apart from those that Windows keeps for itself.
    public boolean empty() {
        return digest.hollow && !digest.cooling;
    }

    /// Whether it is empty, or will be as soon as nothing cools any more.
    public boolean hollow() {
        return digest.hollow;
    }

    /// Whether it may have something to give, now or as soon as something is cold.
    public boolean open() {
        return !digest.damaged && (unallocated.length > 0 || digest.cooling);
    }

    /// How many addresses are free.
    public int freeCount() {
        return unallocated.length;
    }

    /// How many addresses can be assigned to requests that do not name an address.
    public int free(Reservations reservations) {
        if (!reservations.addresses().overlaps(cidr.range())) {
            return unallocated.length;
        }
        int free = 0;
        for (int ordinal : unallocated) {
            if (!reservations.contains(address(ordinal))) {
                free++;
            }
        }
        return free;
    }

    /// The ordinals that the handle holds, ascending.
    public int[] ordinalsOf(String handle) {
        var matching = new boolean[attributes.size()];
        boolean any = false;
        for (int index = 0; index < matching.length; index++) {
            matching[index] = attributes.get(index) instanceof Held held
                    && held.cleanHandle().equals(handle);
            any |= matching[index];
        }
        return any ? ordinals(matching) : new int[0];
    }

    /// How many ordinals handles hold that differ from this one in the case of letters at most. In
    /// Kubernetes such handles are one document.
    public int countIgnoringCase(String handle) {
        var matching = new boolean[attributes.size()];
        for (int index = 0; index < matching.length; index++) {
            matching[index] = attributes.get(index) instanceof Held held
                    && held.cleanHandle().equalsIgnoreCase(handle);
        }
        return ordinals(matching).length;
    }

    private int[] ordinals(boolean[] matchingAttributes) {
        int[] found = new int[allocations.length];
        int count = 0;
        for (int ordinal = 0; ordinal < allocations.length; ordinal++) {
            if (allocations[ordinal] != FREE && matchingAttributes[allocations[ordinal]]) {
                found[count++] = ordinal;
            }
        }
        return Arrays.copyOf(found, count);
    }

    /// The addresses that the handle holds, ascending.
    public List<Address> addressesOf(String handle) {
        return addresses(ordinalsOf(handle));
    }

    private List<Address> addresses(int[] ordinals) {
        return Arrays.stream(ordinals).mapToObj(this::address).toList();
    }

    /// When the first address began to cool that still does.
    public Optional<Instant> coolingSince() {
        return attributes.stream()
                .filter(Cooling.class::isInstance)
                .map(attribute -> ((Cooling) attribute).releasedAt())
                .min(Instant::compareTo);
    }

    // ---- what can be done with it ----

    /// This as it is written: with the next sequence number.
    public Block written() {
        return new Block(
                cidr, owner, claimedAt, allocations, unallocated, attributes, sequence + 1, sequences, deleted);
    }

    /// This without an owner.
    public Block disowned() {
        return new Block(cidr, null, null, allocations, unallocated, attributes, sequence, sequences, deleted);
    }

    /// This with what is cold free again, and without attributes that nothing points to. Every
    /// operation begins with this.
    ///
    /// @param cooldownSeconds how long an address rests; none at all if this is not positive
    public Block normalised(int cooldownSeconds, Instant now) {
        if (digest.damaged || (!digest.cooling && !digest.loose)) {
            return this;
        }
        var edit = new Edit();
        edit.normalise(cooldownSeconds, now);
        return edit.changed ? edit.build() : this;
    }

    /// Gives away free addresses from the head of the queue, as many as there are but not more than
    /// asked for. Reserved ones are passed over and keep their place.
    public Grant take(int count, Requester requester, Reservations reservations) {
        checkSound();
        boolean reserved = reservations.addresses().overlaps(cidr.range());
        int[] taken = new int[Math.min(count, unallocated.length)];
        int[] left = new int[unallocated.length];
        int takenCount = 0;
        int leftCount = 0;
        for (int ordinal : unallocated) {
            if (takenCount == count || (reserved && reservations.contains(address(ordinal)))) {
                left[leftCount++] = ordinal;
            } else {
                taken[takenCount++] = ordinal;
            }
        }
        taken = Arrays.copyOf(taken, takenCount);
        if (takenCount == 0) {
            return new Grant(this, List.of());
        }
        var edit = new Edit();
        edit.unallocated = Arrays.copyOf(left, leftCount);
        edit.point(taken, edit.indexOf(requester));
        return new Grant(edit.build(), addresses(taken));
    }

    /// Gives away this address, which must be free.
    public Block take(int ordinal, Requester requester) {
        checkSound();
        if (allocations[ordinal] != FREE) {
            throw new IllegalStateException("%s is not free".formatted(address(ordinal)));
        }
        var edit = new Edit();
        edit.unallocated =
                Arrays.stream(unallocated).filter(free -> free != ordinal).toArray();
        edit.point(new int[] {ordinal}, edit.indexOf(requester));
        return edit.build();
    }

    /// Takes addresses back, of all or of none.
    ///
    /// @param items by ordinal, each with the conditions of its release
    public Freeing release(SortedMap<Integer, ReleaseOption> items, int cooldownSeconds, Instant now) {
        checkSound();
        var free = new ArrayList<Address>();
        var counts = new TreeMap<String, Integer>();
        int[] freed = new int[items.size()];
        int freedCount = 0;
        for (var item : items.entrySet()) {
            int ordinal = item.getKey();
            var option = item.getValue();
            long expected = sequences.orZero(ordinal);
            if (!option.sequence().accepts(expected)) {
                return new Freeing.BadSequence(address(ordinal), option.sequence(), expected);
            }
            if (!(attribute(ordinal).orElse(null) instanceof Held held)) {
                free.add(address(ordinal));
                continue;
            }
            var handle = held.cleanHandle();
            if (!option.handle().isEmpty() && !option.handle().equals(handle)) {
                return new Freeing.BadHandle(address(ordinal), option.handle(), handle);
            }
            if (!handle.isEmpty()) {
                counts.merge(handle, 1, Integer::sum);
            }
            freed[freedCount++] = ordinal;
        }
        if (freedCount == 0) {
            return new Freeing.Freed(this, free, List.of(), counts);
        }
        freed = Arrays.copyOf(freed, freedCount);
        var edit = new Edit();
        edit.cool(freed, now);
        for (int ordinal : freed) {
            edit.sequences.put(ordinal, sequence);
        }
        edit.normalise(cooldownSeconds, now);
        return new Freeing.Freed(edit.build(), free, addresses(freed), counts);
    }

    /// Takes back all that a handle holds and that was given at an accepted sequence number.
    public Freeing.Freed releaseByHandle(String handle, SequenceCheck check, int cooldownSeconds, Instant now) {
        checkSound();
        int[] freed = Arrays.stream(ordinalsOf(handle))
                .filter(ordinal -> check.accepts(sequences.orZero(ordinal)))
                .toArray();
        var counts = new TreeMap<String, Integer>();
        if (freed.length == 0) {
            return new Freeing.Freed(this, List.of(), List.of(), counts);
        }
        counts.put(handle, freed.length);
        var edit = new Edit();
        edit.cool(freed, now);
        edit.normalise(cooldownSeconds, now);
        return new Freeing.Freed(edit.build(), List.of(), addresses(freed), counts);
    }

    /// Says something else about one ordinal. Others that shared its attribute keep it.
    Block withAttribute(int ordinal, Held attribute) {
        checkSound();
        var edit = new Edit();
        int index = edit.allocations[ordinal];
        if (Arrays.stream(edit.allocations).filter(used -> used == index).count() == 1) {
            // Where it was, as Calico writes it.
            edit.attributes.set(index, attribute);
        } else {
            edit.attributes.add(attribute);
            edit.allocations[ordinal] = edit.attributes.size() - 1;
        }
        edit.compact();
        return edit.build();
    }

    private void checkSound() {
        if (digest.damaged) {
            throw new IllegalStateException("block %s is damaged and must not be changed".formatted(cidr));
        }
    }

    /// Some addresses given away.
    ///
    /// @param addresses which, in the order of the queue
    public record Grant(Block after, List<Address> addresses) {}

    /// What a release came to.
    public sealed interface Freeing {

        /// Held addresses were released.
        ///
        /// @param free those of the addresses that were not held
        /// @param taken which were taken back
        /// @param counts how many were taken back from which handle
        record Freed(Block after, List<Address> free, List<Address> taken, SortedMap<String, Integer> counts)
                implements Freeing {}

        /// The address was given away at another sequence number. Nothing is released.
        record BadSequence(Address address, SequenceCheck given, long expected) implements Freeing {}

        /// Another handle holds the address. Nothing is released.
        record BadHandle(Address address, String given, String expected) implements Freeing {}
    }

    // ---- whether it makes sense ----

    /// Whether free and held addresses cannot be distinguished with certainty, so that it must not be
    /// changed.
    public boolean damaged() {
        return digest.damaged;
    }

    /// What contradicts itself in it, in Calico's words, the gravest kind first.
    public List<String> faults(Instant now) {
        var faults = new ArrayList<String>();
        var pointedTo = new BitSet();
        int allocated = 0;
        for (int ordinal = 0; ordinal < allocations.length; ordinal++) {
            int index = allocations[ordinal];
            if (index != FREE) {
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
        addQueueFaults(faults);
        if (unallocated.length + allocated != size) {
            faults.add("expected %d addresses in this block, but Unallocated (%d) + Allocated (%d) = %d"
                    .formatted(size, unallocated.length, allocated, unallocated.length + allocated));
        }
        return List.copyOf(faults);
    }

    private void addQueueFaults(List<String> faults) {
        var met = new BitSet();
        for (int ordinal : unallocated) {
            if (ordinal < 0 || ordinal >= size) {
                faults.add("ordinal %d appears in the Unallocated array but is out of the block".formatted(ordinal));
                continue;
            }
            if (met.get(ordinal)) {
                faults.add("ordinal %d appears more than once in Unallocated array".formatted(ordinal));
            }
            met.set(ordinal);
            if (ordinal < allocations.length && allocations[ordinal] != FREE) {
                faults.add("ordinal %d is allocated but appears in Unallocated".formatted(ordinal));
            }
        }
    }

    /// What is asked so often that it is found out once.
    ///
    /// @param hollow no address is held, except by Windows
    /// @param cooling some attribute is of cooling addresses
    /// @param loose some attribute is pointed to by nothing
    private record Digest(boolean damaged, boolean hollow, boolean cooling, boolean loose) {}

    private Digest digest() {
        boolean damaged = allocations.length != size;
        boolean hollow = true;
        boolean cooling = false;
        var pointedTo = new boolean[attributes.size()];
        int pointedToCount = 0;
        for (int index : allocations) {
            if (index == FREE) {
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
        return new Digest(damaged || !queueSound(), hollow, cooling, pointedToCount < pointedTo.length);
    }

    private boolean queueSound() {
        var met = new long[Math.ceilDiv(size, Long.SIZE)];
        for (int ordinal : unallocated) {
            if (ordinal < 0
                    || ordinal >= Math.min(size, allocations.length)
                    || allocations[ordinal] != FREE
                    || (met[ordinal / Long.SIZE] >>> ordinal & 1) == 1) {
                return false;
            }
            met[ordinal / Long.SIZE] |= 1L << ordinal;
        }
        return true;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Block that
                && sequence == that.sequence
                && cidr.equals(that.cidr)
                && Objects.equals(owner, that.owner)
                && Objects.equals(claimedAt, that.claimedAt)
                && Arrays.equals(allocations, that.allocations)
                && Arrays.equals(unallocated, that.unallocated)
                && attributes.equals(that.attributes)
                && sequences.equals(that.sequences)
                && deleted == that.deleted;
    }

    @Override
    public int hashCode() {
        return Objects.hash(cidr, sequence);
    }

    @Override
    public String toString() {
        return "block %s of %s, %d of %d free, sequence %s"
                .formatted(
                        cidr,
                        owner == null ? "nobody" : owner,
                        unallocated.length,
                        size,
                        Long.toUnsignedString(sequence));
    }

    /// The arrays of a block on the way to the next one.
    private final class Edit {

        private final int[] allocations = Block.this.allocations.clone();
        private final Sequences sequences = Block.this.sequences.copy();
        private final List<Attribute> attributes = new ArrayList<>(Block.this.attributes);
        private int[] unallocated = Block.this.unallocated;
        private boolean changed;

        /// The index of an attribute for the claimant, shared with one that says the same or new.
        int indexOf(Requester requester) {
            var attribute = requester.attribute();
            int found = requester.sharing() == Requester.Sharing.SHARED ? find(attribute) : FREE;
            if (found != FREE) {
                return found;
            }
            attributes.add(attribute);
            return attributes.size() - 1;
        }

        /// Handles differ where they end. Their hashes, which texts remember, differ at once.
        private int find(Held wanted) {
            int hash = wanted.handle().hashCode();
            for (int index = 0; index < attributes.size(); index++) {
                if (attributes.get(index) instanceof Held held
                        && held.handle().hashCode() == hash
                        && held.equals(wanted)) {
                    return index;
                }
            }
            return FREE;
        }

        void point(int[] ordinals, int index) {
            for (int ordinal : ordinals) {
                allocations[ordinal] = index;
                sequences.put(ordinal, sequence);
            }
        }

        void cool(int[] ordinals, Instant now) {
            attributes.add(new Cooling(now.truncatedTo(ChronoUnit.SECONDS)));
            for (int ordinal : ordinals) {
                allocations[ordinal] = attributes.size() - 1;
            }
        }

        void normalise(int cooldownSeconds, Instant now) {
            var cold = new boolean[attributes.size()];
            boolean any = false;
            for (int index = 0; index < cold.length; index++) {
                cold[index] = attributes.get(index) instanceof Cooling(var releasedAt)
                        && cold(releasedAt, cooldownSeconds, now);
                any |= cold[index];
            }
            if (any) {
                free(cold);
            }
            compact();
        }

        private void free(boolean[] cold) {
            int[] queue = Arrays.copyOf(unallocated, size);
            int count = unallocated.length;
            for (int ordinal = 0; ordinal < allocations.length; ordinal++) {
                if (allocations[ordinal] != FREE && cold[allocations[ordinal]]) {
                    allocations[ordinal] = FREE;
                    queue[count++] = ordinal;
                    sequences.remove(ordinal);
                }
            }
            unallocated = Arrays.copyOf(queue, count);
            changed = true;
        }

        /// Drops the attributes that nothing points to; the others keep their order.
        void compact() {
            var places = new int[attributes.size()];
            for (int index : allocations) {
                if (index != FREE) {
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
                if (allocations[ordinal] != FREE) {
                    allocations[ordinal] = places[allocations[ordinal]];
                }
            }
        }

        Block build() {
            return new Block(
                    cidr, owner, claimedAt, allocations, unallocated, attributes, sequence, sequences, deleted);
        }
    }

    /// Calico compares strictly and with what the clock shows after the release, so that without a
    /// cooldown it depends on the clock's steps whether the address is free at once; here it is.
    private static boolean cold(Instant releasedAt, int cooldownSeconds, Instant now) {
        return cooldownSeconds <= 0 || releasedAt.isBefore(now.minusSeconds(cooldownSeconds));
    }

    /// The parts of a stored block. What is not set is absent or empty.
    public static final class Stored {

        private final Prefix cidr;
        private @Nullable Owner owner;
        private @Nullable Instant claimedAt;
        private int[] allocations;
        private int[] unallocated = {};
        private List<Attribute> attributes = List.of();
        private long sequence;
        private Sequences sequences;
        private boolean deleted;

        private Stored(Prefix cidr) {
            this.cidr = cidr;
            this.allocations = new int[size(cidr)];
            this.sequences = Sequences.none(allocations.length);
            Arrays.fill(allocations, FREE);
        }

        public Stored owner(Owner somebody) {
            owner = somebody;
            return this;
        }

        public Stored claimedAt(Instant time) {
            claimedAt = time;
            return this;
        }

        /// For each ordinal the index of its attribute, or [#FREE].
        public Stored allocations(int... indexes) {
            allocations = indexes.clone();
            return this;
        }

        public Stored unallocated(int... ordinals) {
            unallocated = ordinals.clone();
            return this;
        }

        public Stored attributes(List<Attribute> all) {
            attributes = List.copyOf(all);
            return this;
        }

        public Stored sequence(long number) {
            sequence = number;
            return this;
        }

        /// At which sequence number each ordinal was given away.
        ///
        /// @throws IllegalArgumentException if an ordinal is not in the block
        public Stored sequences(SortedMap<Integer, Long> numbers) {
            int size = size(cidr);
            if (!numbers.isEmpty() && (numbers.firstKey() < 0 || numbers.lastKey() >= size)) {
                throw new IllegalArgumentException("block %s has sequence numbers of ordinals it does not have: %s"
                        .formatted(cidr, numbers.keySet()));
            }
            sequences = Sequences.of(size, numbers);
            return this;
        }

        /// At which sequence number one more ordinal was given away.
        ///
        /// @throws IllegalArgumentException if it is not in the block, or was given before
        public Stored sequenceOf(int ordinal, long number) {
            if (ordinal < 0 || ordinal >= size(cidr) || sequences.has(ordinal)) {
                throw new IllegalArgumentException(
                        "block %s has no ordinal %d, or has it twice".formatted(cidr, ordinal));
            }
            sequences.put(ordinal, number);
            return this;
        }

        public Stored deleted(boolean marked) {
            deleted = marked;
            return this;
        }

        public Block build() {
            return new Block(
                    cidr, owner, claimedAt, allocations, unallocated, attributes, sequence, sequences.copy(), deleted);
        }
    }
}
