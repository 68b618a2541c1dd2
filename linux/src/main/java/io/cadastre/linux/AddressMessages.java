package io.cadastre.linux;

import java.util.Optional;

/// Addresses of links as netlink writes them.
final class AddressMessages {

    private static final int NEW = 20;
    private static final int DELETE = 21;
    private static final int GET = 22;

    private static final int FIXED_BYTES = 8;

    private static final int ADDRESS = 1;
    private static final int LOCAL = 2;
    private static final int FLAGS = 8;

    private AddressMessages() {}

    static NetlinkRequest add(LinkAddress address) {
        return of(NetlinkRequest.of(NEW, NetlinkRequest.CREATE | NetlinkRequest.EXCLUSIVE), address)
                .attributeUnlessZero(FLAGS, LinkAddress.Flag.bitsOf(address.flags()));
    }

    static NetlinkRequest delete(LinkAddress address) {
        return of(NetlinkRequest.of(DELETE, 0), address);
    }

    static NetlinkRequest all() {
        return NetlinkRequest.dump(GET).i32(0).i32(0);
    }

    static NetlinkRequest ofLink(int linkIndex) {
        return NetlinkRequest.dump(GET).i32(0).i32(linkIndex);
    }

    /// Empty for an address of a family that is not ours.
    static Optional<LinkAddress> read(Payload payload) {
        int family = payload.u8(0);
        if (!AddressBytes.known(family)) {
            return Optional.empty();
        }
        int prefixLength = payload.u8(1);
        var attributes = Attributes.read(payload.from(FIXED_BYTES));
        // Where both are there, the other one is the far end of a line.
        var address = attributes
                .findAddress(LOCAL)
                .or(() -> attributes.findAddress(ADDRESS))
                .orElseThrow(() -> malformed("without an address"));
        if (address.family() != AddressBytes.familyOf(family)
                || prefixLength > address.family().bits()) {
            throw malformed("with an address of another family");
        }
        int flags = attributes.find(FLAGS).map(value -> value.i32(0)).orElse(payload.u8(2));
        return Optional.of(new LinkAddress(payload.i32(4), address, prefixLength, LinkAddress.Flag.ofBits(flags)));
    }

    private static LinuxException malformed(String fault) {
        return LinuxException.malformed("read an address of a link", fault);
    }

    private static NetlinkRequest of(NetlinkRequest request, LinkAddress address) {
        return request.u8(AddressBytes.numberOf(address.address().family()))
                .u8(address.prefixLength())
                .u8(0)
                .u8(0)
                .i32(address.linkIndex())
                .attribute(LOCAL, address.address())
                .attribute(ADDRESS, address.address());
    }
}
