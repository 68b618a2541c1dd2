package io.cadastre.linux;

/// One end of a veth pair to be created.
///
/// @param mtu zero for the kernel's default
/// @param transmitQueues zero for the kernel's default
/// @param receiveQueues zero for the kernel's default
/// @param mac [MacAddress#NONE] for a random one
public record VethEnd(String name, int mtu, int transmitQueues, int receiveQueues, MacAddress mac) {

    public VethEnd {
        if (mtu < 0 || transmitQueues < 0 || receiveQueues < 0) {
            throw new IllegalArgumentException("%s: no number is negative".formatted(name));
        }
    }

    public static VethEnd named(String name) {
        return new VethEnd(name, 0, 0, 0, MacAddress.NONE);
    }

    public VethEnd withMtu(int newMtu) {
        return new VethEnd(name, newMtu, transmitQueues, receiveQueues, mac);
    }

    public VethEnd withQueues(int transmit, int receive) {
        return new VethEnd(name, mtu, transmit, receive, mac);
    }

    public VethEnd withMac(MacAddress newMac) {
        return new VethEnd(name, mtu, transmitQueues, receiveQueues, newMac);
    }
}
