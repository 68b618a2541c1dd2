package io.cadastre.linux;

import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/// Links as netlink writes them.
final class LinkMessages {

    private static final int NEW = 16;
    private static final int DELETE = 17;
    private static final int GET = 18;
    private static final int SET = 19;

    private static final int INFO_BYTES = 16;
    private static final int FLAG_UP = 1;
    private static final int FLAG_LOWER_UP = 0x10000;

    private static final int ADDRESS = 1;
    private static final int NAME = 3;
    private static final int MTU = 4;
    private static final int LINK = 5;
    private static final int LINK_INFO = 18;
    private static final int NAMESPACE_DESCRIPTOR = 28;
    private static final int TRANSMIT_QUEUES = 31;
    private static final int RECEIVE_QUEUES = 32;
    private static final int LINK_NAMESPACE_ID = 37;
    private static final int PARENT_DEVICE_NAME = 56;

    private static final int INFO_KIND = 1;
    private static final int INFO_DETAILS = 2;
    private static final int VETH_PEER = 1;
    private static final int NETKIT_PEER = 1;
    private static final int NETKIT_MODE = 5;

    /// With Ethernet headers. The kernel's default is without, and then no host answers for a gateway.
    private static final int NETKIT_LAYER_2 = 0;

    private LinkMessages() {}

    static NetlinkRequest byName(String name) {
        return info(NetlinkRequest.of(GET, 0), 0).attribute(NAME, name);
    }

    static NetlinkRequest byIndex(int index) {
        return info(NetlinkRequest.of(GET, 0), index);
    }

    static NetlinkRequest all() {
        return info(NetlinkRequest.dump(GET), 0);
    }

    /// MTU and queues are set for both ends: what is left out of the peer's half is not taken from the
    /// other. Neither may be set up here, since veth refuses that before both exist.
    static NetlinkRequest createVeth(VethEnd here, VethEnd peer, int peerNamespace) {
        return createPair("veth", here, details -> details.nested(VETH_PEER, half -> peer(half, peer, peerNamespace)));
    }

    static NetlinkRequest createNetkit(VethEnd here, VethEnd peer, int peerNamespace) {
        return createPair(
                "netkit",
                here,
                details -> details.attribute(NETKIT_MODE, NETKIT_LAYER_2)
                        .nested(NETKIT_PEER, half -> peer(half, peer, peerNamespace)));
    }

    private static NetlinkRequest createPair(String kind, VethEnd here, Consumer<NetlinkRequest> details) {
        var request = info(NetlinkRequest.of(NEW, NetlinkRequest.CREATE | NetlinkRequest.EXCLUSIVE), 0);
        end(request, here);
        return request.nested(
                LINK_INFO,
                pair -> pair.attribute(INFO_KIND, kind.getBytes(StandardCharsets.US_ASCII))
                        .nested(INFO_DETAILS, details));
    }

    private static void peer(NetlinkRequest half, VethEnd peer, int namespace) {
        end(info(half, 0), peer).attribute(NAMESPACE_DESCRIPTOR, namespace);
    }

    static NetlinkRequest up(int index) {
        return flags(index, FLAG_UP);
    }

    static NetlinkRequest down(int index) {
        return flags(index, 0);
    }

    static NetlinkRequest mac(int index, MacAddress mac) {
        return info(NetlinkRequest.of(SET, 0), index).attribute(ADDRESS, mac.bytes());
    }

    static NetlinkRequest mtu(int index, int mtu) {
        return info(NetlinkRequest.of(SET, 0), index).attribute(MTU, mtu);
    }

    static NetlinkRequest rename(int index, String name) {
        return info(NetlinkRequest.of(SET, 0), index).attribute(NAME, name);
    }

    static NetlinkRequest move(int index, int namespace) {
        return info(NetlinkRequest.of(SET, 0), index).attribute(NAMESPACE_DESCRIPTOR, namespace);
    }

    static NetlinkRequest delete(int index) {
        return info(NetlinkRequest.of(DELETE, 0), index);
    }

    static Link read(Payload payload) {
        int index = payload.i32(4);
        int flags = payload.i32(8);
        var attributes = Attributes.read(payload.from(INFO_BYTES));
        return new Link(
                index,
                attributes.text(NAME),
                attributes.nested(LINK_INFO).text(INFO_KIND),
                attributes.mac(ADDRESS),
                attributes.i32(MTU),
                (flags & FLAG_UP) != 0,
                (flags & FLAG_LOWER_UP) != 0,
                attributes.i32(TRANSMIT_QUEUES),
                attributes.i32(RECEIVE_QUEUES),
                counterpart(attributes),
                attributes.text(PARENT_DEVICE_NAME));
    }

    private static Link.Counterpart counterpart(Attributes attributes) {
        int index = attributes.i32(LINK);
        if (index == 0) {
            return new Link.Counterpart.None();
        }
        return attributes
                .find(LINK_NAMESPACE_ID)
                .<Link.Counterpart>map(id -> new Link.Counterpart.Elsewhere(index, id.i32(0)))
                .orElseGet(() -> new Link.Counterpart.Here(index));
    }

    private static NetlinkRequest end(NetlinkRequest request, VethEnd end) {
        request.attribute(NAME, end.name())
                .attributeUnlessZero(MTU, end.mtu())
                .attributeUnlessZero(TRANSMIT_QUEUES, end.transmitQueues())
                .attributeUnlessZero(RECEIVE_QUEUES, end.receiveQueues());
        return end.mac().equals(MacAddress.NONE)
                ? request
                : request.attribute(ADDRESS, end.mac().bytes());
    }

    private static NetlinkRequest flags(int index, int flags) {
        return NetlinkRequest.of(NEW, 0).i32(0).i32(index).i32(flags).i32(FLAG_UP);
    }

    private static NetlinkRequest info(NetlinkRequest request, int index) {
        return request.i32(0).i32(index).i32(0).i32(0);
    }
}
