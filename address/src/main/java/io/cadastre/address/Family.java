package io.cadastre.address;

/// One of the two address families.
public enum Family {
    IPV4(32, "IPv4"),
    IPV6(128, "IPv6");

    private final int bits;
    private final String words;

    Family(int bits, String words) {
        this.bits = bits;
        this.words = words;
    }

    /// The width of an address of this family.
    public int bits() {
        return bits;
    }

    @Override
    public String toString() {
        return words;
    }
}
