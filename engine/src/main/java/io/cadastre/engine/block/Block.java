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
    final int[] allocations;
    final int[] unallocated;
    final List<Attribute> attributes;
    private final long sequence;
    final Sequences sequences;
    private final boolean deleted;
    private final BlockCheck check;

    Block(
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
        this.check = BlockCheck.of(this);
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
    public static StoredBlock stored(Prefix cidr) {
        return new StoredBlock(cidr);
    }

    private static long nanos(Instant now) {
        return now.getEpochSecond() * 1_000_000_000L + now.getNano();
    }

    static int size(Prefix cidr) {
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

    public boolean ownedBy(Owner candidate) {
        return candidate.equals(owner);
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

    /// What is recorded about the ordinal, if it is not free.
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
        return check.hollow() && !check.cooling();
    }

    /// Whether it is empty, or will be as soon as nothing cools any more.
    public boolean hollow() {
        return check.hollow();
    }

    /// Whether it may have something to give, now or as soon as something is cold.
    public boolean open() {
        return !check.damaged() && (unallocated.length > 0 || check.cooling());
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

    List<Address> addresses(int[] ordinals) {
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
        return check.damaged() || (!check.cooling() && !check.loose())
                ? this
                : new BlockEdit(this).normalised(cooldownSeconds, now);
    }

    /// Gives away free addresses from the head of the queue, as many as there are but not more than
    /// asked for. Reserved ones are passed over and keep their place.
    public Grant take(int count, Requester requester, Reservations reservations) {
        return edit().take(count, requester, reservations);
    }

    /// Gives away this address, which must be free.
    public Block take(int ordinal, Requester requester) {
        return edit().take(ordinal, requester);
    }

    /// Takes addresses back, of all or of none.
    ///
    /// @param items by ordinal, each with the conditions of its release
    public Freeing release(SortedMap<Integer, ReleaseOption> items, int cooldownSeconds, Instant now) {
        return edit().release(items, cooldownSeconds, now);
    }

    /// Takes back all that a handle holds and that was given at an accepted sequence number.
    public Freeing.Freed releaseByHandle(String handle, SequenceCheck number, int cooldownSeconds, Instant now) {
        return edit().releaseByHandle(handle, number, cooldownSeconds, now);
    }

    /// Says something else about one ordinal. Others that shared its attribute keep it.
    Block withAttribute(int ordinal, Held attribute) {
        return edit().withAttribute(ordinal, attribute);
    }

    private BlockEdit edit() {
        if (check.damaged()) {
            throw new IllegalStateException("block %s is damaged and must not be changed".formatted(cidr));
        }
        return new BlockEdit(this);
    }

    /// This with other contents.
    Block with(
            int[] allocationsAfter, int[] unallocatedAfter, List<Attribute> attributesAfter, Sequences sequencesAfter) {
        return new Block(
                cidr,
                owner,
                claimedAt,
                allocationsAfter,
                unallocatedAfter,
                attributesAfter,
                sequence,
                sequencesAfter,
                deleted);
    }

    /// Some addresses given away.
    ///
    /// @param addresses which, in the order of the queue
    public record Grant(Block after, List<Address> addresses) {}

    // ---- whether it makes sense ----

    /// Whether free and held addresses cannot be distinguished with certainty, so that it must not be
    /// changed.
    public boolean damaged() {
        return check.damaged();
    }

    /// What contradicts itself in it, in Calico's words, the gravest kind first.
    public List<String> faults(Instant now) {
        return BlockCheck.faults(this, now);
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
                        owner == null ? "no owner" : owner,
                        unallocated.length,
                        size,
                        Long.toUnsignedString(sequence));
    }
}
