package io.cadastre.linux;

import io.cadastre.address.Address;

/// What the kernel knows about the holder of an address on a link.
///
/// @param mac [MacAddress#NONE] while it is not known
public record Neighbour(int linkIndex, Address address, MacAddress mac, State state) {

    /// An entry that nothing but its deletion ends.
    public static Neighbour permanent(int linkIndex, Address address, MacAddress mac) {
        return new Neighbour(linkIndex, address, mac, State.PERMANENT);
    }

    /// How reliable the entry is.
    public enum State {
        /// Nothing was asked yet.
        NONE(0),
        INCOMPLETE(0x1),
        REACHABLE(0x2),
        STALE(0x4),
        DELAY(0x8),
        PROBE(0x10),
        FAILED(0x20),
        NO_ARP(0x40),
        PERMANENT(0x80);

        private final int number;

        State(int number) {
            this.number = number;
        }

        int number() {
            return number;
        }

        static State of(int number) {
            for (var state : values()) {
                if (state.number == number) {
                    return state;
                }
            }
            throw LinuxException.malformed("read the state of a neighbour", "there is no %d".formatted(number));
        }
    }
}
