package io.cadastre.address;

/// A prefix divided into equal parts. Parts are numbered from zero.
///
/// There are at most 2^64 parts, so an ordinal is a `long` read as unsigned.
public record Subdivision(Prefix whole, int partLength) {

    private static final int PART_BITS_MAX = 64;

    public Subdivision {
        if (partLength < whole.length() || partLength > whole.family().bits()) {
            throw new IllegalArgumentException("cannot divide %s into /%d".formatted(whole, partLength));
        }
        if (partLength - whole.length() > PART_BITS_MAX) {
            throw new IllegalArgumentException(
                    "dividing %s into /%d gives more than 2^%d parts".formatted(whole, partLength, PART_BITS_MAX));
        }
    }

    /// The number of the last part, unsigned; one less than the number of parts.
    public long lastOrdinal() {
        int partBits = partLength - whole.length();
        return partBits == 64 ? -1L : (1L << partBits) - 1;
    }

    /// The part with this number.
    ///
    /// @throws IndexOutOfBoundsException if the number is beyond the last part
    public Prefix part(long ordinal) {
        if (Long.compareUnsigned(ordinal, lastOrdinal()) > 0) {
            throw new IndexOutOfBoundsException("%s has no part %s".formatted(this, Long.toUnsignedString(ordinal)));
        }
        int shift = whole.family().bits() - partLength;
        long low = shift >= 64 ? 0 : ordinal << shift;
        long high = shift >= 64 ? ordinal << (shift - 64) : aboveLow(ordinal, shift);
        return new Prefix(
                new Address(
                        whole.family(),
                        whole.address().high() | high,
                        whole.address().low() | low),
                partLength);
    }

    /// The number of the part that contains the address, unsigned.
    ///
    /// @throws IllegalArgumentException if the whole does not contain it
    public long ordinal(Address address) {
        if (!whole.contains(address)) {
            throw new IllegalArgumentException("%s is not in %s".formatted(address, whole));
        }
        int shift = whole.family().bits() - partLength;
        long high = address.high() ^ whole.address().high();
        long low = address.low() ^ whole.address().low();
        if (shift >= 128) {
            return 0;
        }
        if (shift >= 64) {
            return high >>> (shift - 64);
        }
        return shift == 0 ? low : low >>> shift | high << (64 - shift);
    }

    @Override
    public String toString() {
        return "%s in parts of /%d".formatted(whole, partLength);
    }

    /// The bits that leave a `long` at the top when it is shifted left. Java would shift by 64 as by
    /// 0, hence the exception.
    private static long aboveLow(long bits, int shift) {
        return shift == 0 ? 0 : bits >>> (64 - shift);
    }
}
