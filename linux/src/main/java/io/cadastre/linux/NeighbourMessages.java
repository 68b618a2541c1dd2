package io.cadastre.linux;

import io.cadastre.address.Address;
import java.util.Optional;

/// Neighbours as netlink writes them.
final class NeighbourMessages {

    private static final int NEW = 28;
    private static final int DELETE = 29;
    private static final int GET = 30;

    private static final int FIXED_BYTES = 12;
    private static final int TYPE_UNICAST = 1;

    private static final int DESTINATION = 1;
    private static final int LINK_LAYER_ADDRESS = 2;
    private static final int LINK = 8;

    private NeighbourMessages() {}

    static NetlinkRequest put(Neighbour neighbour) {
        return fixed(
                        NetlinkRequest.of(NEW, NetlinkRequest.CREATE | NetlinkRequest.REPLACE),
                        neighbour.linkIndex(),
                        neighbour.address(),
                        neighbour.state().number())
                .attribute(LINK_LAYER_ADDRESS, neighbour.mac().bytes());
    }

    static NetlinkRequest delete(int linkIndex, Address address) {
        return fixed(NetlinkRequest.of(DELETE, 0), linkIndex, address, 0);
    }

    static NetlinkRequest all() {
        return NetlinkRequest.dump(GET).i32(0).i32(0).i32(0);
    }

    static NetlinkRequest ofLink(int linkIndex) {
        return all().attribute(LINK, linkIndex);
    }

    /// Empty for a neighbour of a family that is not ours.
    static Optional<Neighbour> read(Payload payload) {
        if (!AddressBytes.known(payload.u8(0))) {
            return Optional.empty();
        }
        var attributes = Attributes.read(payload.from(FIXED_BYTES));
        var address = attributes
                .findAddress(DESTINATION)
                .orElseThrow(() -> LinuxException.malformed("read a neighbour", "without an address"));
        return Optional.of(new Neighbour(
                payload.i32(4), address, attributes.mac(LINK_LAYER_ADDRESS), Neighbour.State.of(payload.u16(8))));
    }

    private static NetlinkRequest fixed(NetlinkRequest request, int linkIndex, Address address, int state) {
        return request.u8(AddressBytes.numberOf(address.family()))
                .u8(0)
                .u16(0)
                .i32(linkIndex)
                .u16(state)
                .u8(0)
                .u8(TYPE_UNICAST)
                .attribute(DESTINATION, address);
    }
}
