package io.cadastre.linux;

import io.cadastre.address.Address;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// The attributes of a netlink message, or of an attribute that holds others, by type.
final class Attributes {

    private static final int HEADER_BYTES = 4;
    private static final int TYPE_BITS = 0x3fff;

    private final Map<Integer, Payload> values;

    private Attributes(Map<Integer, Payload> values) {
        this.values = values;
    }

    /// @throws LinuxException if an attribute does not end where it should
    static Attributes read(Payload payload) {
        var values = new HashMap<Integer, Payload>();
        int offset = 0;
        // Ends: every attribute has at least its header.
        while (payload.size() - offset >= HEADER_BYTES) {
            int size = payload.u16(offset);
            if (size < HEADER_BYTES) {
                throw LinuxException.malformed("read netlink attributes", "one of %d bytes".formatted(size));
            }
            values.put(payload.u16(offset + 2) & TYPE_BITS, payload.part(offset + HEADER_BYTES, size - HEADER_BYTES));
            offset += NetlinkRequest.aligned(size);
        }
        return new Attributes(values);
    }

    Optional<Payload> find(int type) {
        return Optional.ofNullable(values.get(type));
    }

    /// Absent means zero, as in most of what the kernel leaves out.
    int i32(int type) {
        return find(type).map(value -> value.i32(0)).orElse(0);
    }

    /// Absent means empty.
    String text(int type) {
        return find(type).map(Payload::text).orElse("");
    }

    Optional<Address> findAddress(int type) {
        return find(type).map(value -> AddressBytes.read(value.bytes()));
    }

    /// An address of another length than six bytes is not an Ethernet address.
    MacAddress mac(int type) {
        return find(type)
                .map(Payload::bytes)
                .filter(bytes -> bytes.length == MacAddress.BYTES)
                .map(MacAddress::of)
                .orElse(MacAddress.NONE);
    }

    /// Absent means without any.
    Attributes nested(int type) {
        return find(type).map(Attributes::read).orElseGet(() -> new Attributes(Map.of()));
    }
}
