package io.cadastre.linux;

import io.cadastre.address.Address;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.regex.Pattern;

/// The hardware address of an Ethernet interface: the low 48 bits of a number.
public record MacAddress(long bits) {

    /// What stands where there is no address.
    public static final MacAddress NONE = new MacAddress(0);

    public static final MacAddress BROADCAST = new MacAddress(0xffff_ffff_ffffL);

    public static final int BYTES = 6;

    private static final long GROUP = 0x0100_0000_0000L;
    private static final long LOCAL = 0x0200_0000_0000L;
    private static final long LINK_LOCAL_HIGH = 0xfe80_0000_0000_0000L;
    private static final Pattern TEXT = Pattern.compile("[0-9a-fA-F]{2}(:[0-9a-fA-F]{2}){5}"
            + "|[0-9a-fA-F]{2}(-[0-9a-fA-F]{2}){5}"
            + "|[0-9a-fA-F]{4}(\\.[0-9a-fA-F]{4}){2}");

    public MacAddress {
        if (bits >>> 48 != 0) {
            throw new IllegalArgumentException("a MAC address has 48 bits, not %x".formatted(bits));
        }
    }

    /// Reads `02:00:5e:00:53:01`, `02-00-5e-00-53-01` or `0200.5e00.5301`.
    ///
    /// @throws IllegalArgumentException naming the text
    public static MacAddress parse(String text) {
        if (!TEXT.matcher(text).matches()) {
            throw new IllegalArgumentException("%s is not a MAC address".formatted(Quote.of(text)));
        }
        return new MacAddress(Long.parseLong(text.replaceAll("[:.-]", ""), 16));
    }

    public static MacAddress of(byte[] bytes) {
        if (bytes.length != BYTES) {
            throw new IllegalArgumentException("a MAC address has %d bytes, not %d".formatted(BYTES, bytes.length));
        }
        return new MacAddress(ByteBuffer.allocate(Long.BYTES).put(2, bytes).getLong());
    }

    public byte[] bytes() {
        var bytes = new byte[BYTES];
        ByteBuffer.allocate(Long.BYTES).putLong(0, bits).get(2, bytes);
        return bytes;
    }

    /// Whether it addresses a group; no interface may have such an address.
    public boolean multicast() {
        return (bits & GROUP) != 0;
    }

    /// The IPv6 address that an interface with this address gives itself (RFC 4291, appendix A).
    public Address linkLocal() {
        long low = (bits >>> 24 << 40) | 0xff_fe00_0000L | (bits & 0xff_ffff);
        return Address.ipv6(LINK_LOCAL_HIGH, low ^ (LOCAL << 16));
    }

    /// The text with colons.
    @Override
    public String toString() {
        return HexFormat.ofDelimiter(":").formatHex(bytes());
    }
}
