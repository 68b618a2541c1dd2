package io.cadastre.linux;

import io.cadastre.address.Address;
import io.cadastre.address.Family;
import java.nio.ByteBuffer;

/// Addresses as the kernel and the network have them: four or sixteen bytes, most significant first.
public final class AddressBytes {

    private static final int AF_INET = 2;
    private static final int AF_INET6 = 10;

    private AddressBytes() {}

    public static byte[] of(Address address) {
        return switch (address.family()) {
            case IPV4 -> ByteBuffer.allocate(4).putInt((int) address.low()).array();
            case IPV6 ->
                ByteBuffer.allocate(16)
                        .putLong(address.high())
                        .putLong(address.low())
                        .array();
        };
    }

    /// @throws LinuxException if there are neither four nor sixteen bytes
    static Address read(byte[] bytes) {
        var buffer = ByteBuffer.wrap(bytes);
        return switch (bytes.length) {
            case 4 -> Address.ipv4(buffer.getInt());
            case 16 -> Address.ipv6(buffer.getLong(), buffer.getLong());
            default -> throw LinuxException.malformed("read an address", "it has %d bytes".formatted(bytes.length));
        };
    }

    /// The first address of a family: `0.0.0.0` or `::`.
    public static Address zero(Family family) {
        return new Address(family, 0, 0);
    }

    static int numberOf(Family family) {
        return switch (family) {
            case IPV4 -> AF_INET;
            case IPV6 -> AF_INET6;
        };
    }

    /// Whether the kernel means one of our two families. It has others, and reports them too.
    static boolean known(int number) {
        return number == AF_INET || number == AF_INET6;
    }

    /// @throws LinuxException if it is neither of the two
    static Family familyOf(int number) {
        return switch (number) {
            case AF_INET -> Family.IPV4;
            case AF_INET6 -> Family.IPV6;
            default -> throw LinuxException.malformed("read an address family", "there is no %d".formatted(number));
        };
    }
}
