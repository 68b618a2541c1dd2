package io.cadastre.engine.block.index;

import io.cadastre.address.Address;
import io.cadastre.address.Prefix;
import java.math.BigInteger;
import java.time.Instant;
import java.util.Collections;
import java.util.Iterator;
import java.util.NoSuchElementException;

/// The blocks of a pool in the order in which a host tries them: from its start on, round to the
/// block before it, each once.
///
/// All processes of one host start at the same block and different hosts at different ones, so hosts
/// rarely compete for a block and a host finds again what it began. The start is the one that Calico
/// chooses, bit for bit, so that both agree on one cluster. Pools whose blocks are single addresses
/// are the exception there and here: the start changes with the time.
///
/// A pool of IPv6 addresses may have up to 2^128 blocks, too many to visit, so a caller that iterates
/// needs its own bound.
///
/// @param start the number of the block that is tried first; zero if there are no blocks
public record BlockGenerator(Prefix pool, int blockLength, BigInteger start) implements Iterable<Prefix> {

    private static final long NANOS_PER_SECOND = 1_000_000_000;

    public BlockGenerator {
        var count = count(pool, blockLength);
        boolean none = count.signum() == 0 && start.signum() == 0;
        if (!none && (start.signum() < 0 || start.compareTo(count) >= 0)) {
            throw new IllegalArgumentException("%s has no /%d block %s".formatted(pool, blockLength, start));
        }
    }

    /// The order in which this host tries the blocks of the pool.
    ///
    /// @param now looked at only if a block is a single address
    public static BlockGenerator of(String host, Prefix pool, int blockLength, Instant now) {
        long seed = blockLength == pool.family().bits()
                ? now.getEpochSecond() * NANOS_PER_SECOND + now.getNano()
                : Fnv1.hash(host);
        return of(seed, pool, blockLength);
    }

    /// The order that a given seed leads to.
    public static BlockGenerator of(long seed, Prefix pool, int blockLength) {
        var count = count(pool, blockLength);
        var start = count.signum() == 0 ? BigInteger.ZERO : below(count, LaggedFibonacci.seeded(seed));
        return new BlockGenerator(pool, blockLength, start);
    }

    /// How many blocks there are: none if the pool is smaller than a block.
    public BigInteger count() {
        return count(pool, blockLength);
    }

    /// The block that is tried after this many others.
    ///
    /// @throws IndexOutOfBoundsException if there are not that many blocks
    public Prefix block(BigInteger step) {
        if (step.signum() < 0 || step.compareTo(count()) >= 0) {
            throw new IndexOutOfBoundsException(
                    "%s has %s blocks of /%d, so none after %s others".formatted(pool, count(), blockLength, step));
        }
        var ordinal = start.add(step).mod(count());
        var offset = ordinal.shiftLeft(pool.family().bits() - blockLength);
        return new Prefix(pool.first().plus(offset), blockLength);
    }

    @Override
    public Iterator<Prefix> iterator() {
        return count().signum() == 0 ? Collections.emptyIterator() : new Round(block(BigInteger.ZERO));
    }

    /// Steps from block to block by address, since numbers of 128 bits would be slow.
    private final class Round implements Iterator<Prefix> {

        private final Prefix startBlock;
        private Prefix next;
        private boolean finished;

        private Round(Prefix startBlock) {
            this.startBlock = startBlock;
            this.next = startBlock;
        }

        @Override
        public boolean hasNext() {
            return !finished;
        }

        @Override
        public Prefix next() {
            if (finished) {
                throw new NoSuchElementException("all blocks of %s were tried".formatted(pool));
            }
            var block = next;
            next = new Prefix(addressAfter(block), blockLength);
            finished = next.equals(startBlock);
            return block;
        }

        private Address addressAfter(Prefix block) {
            return block.last().equals(pool.last())
                    ? pool.first()
                    : block.last().next();
        }
    }

    private static BigInteger count(Prefix pool, int blockLength) {
        if (blockLength < 0 || blockLength > pool.family().bits()) {
            throw new IllegalArgumentException("%s cannot have blocks of /%d".formatted(pool, blockLength));
        }
        return blockLength < pool.length() ? BigInteger.ZERO : BigInteger.ONE.shiftLeft(blockLength - pool.length());
    }

    /// A number below the bound, drawn as Go draws big ones: as many bits as the bound has, and again
    /// while they are too many. Half of the draws succeed or more, so this ends.
    private static BigInteger below(BigInteger bound, LaggedFibonacci random) {
        int bits = bound.bitLength();
        int words = Math.ceilDiv(bits, Long.SIZE);
        var mask = BigInteger.ONE.shiftLeft(bits).subtract(BigInteger.ONE);
        BigInteger drawn;
        do {
            drawn = BigInteger.ZERO;
            for (int word = 0; word < words; word++) {
                drawn = drawn.or(word(random).shiftLeft(word * Long.SIZE));
            }
            drawn = drawn.and(mask);
        } while (drawn.compareTo(bound) >= 0);
        return drawn;
    }

    /// 64 bits, the lower half first.
    private static BigInteger word(LaggedFibonacci random) {
        var low = BigInteger.valueOf(random.next32());
        var high = BigInteger.valueOf(random.next32());
        return high.shiftLeft(Integer.SIZE).or(low);
    }
}
