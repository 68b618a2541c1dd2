package io.cadastre.linux;

/// A network interface as it was when it was read.
///
/// @param kind what made it, such as `veth`; empty for hardware and loopback
/// @param mac [MacAddress#NONE] where it has none, or none of six bytes
/// @param up whether it was set up
/// @param carrier whether its other end is up too
/// @param device the hardware that it is of, as its bus names it, such as `0000:01:00.1`; empty if it is of none
public record Link(
        int index,
        String name,
        String kind,
        MacAddress mac,
        int mtu,
        boolean up,
        boolean carrier,
        int transmitQueues,
        int receiveQueues,
        Counterpart counterpart,
        String device) {

    /// The link that this one depends on: a veth's other end, the device below a VLAN.
    public sealed interface Counterpart {

        /// There is none.
        record None() implements Counterpart {}

        /// It is in the same namespace.
        record Here(int index) implements Counterpart {}

        /// It is in another namespace.
        ///
        /// @param index its index there
        /// @param namespaceId the number by which this namespace knows that one
        record Elsewhere(int index, int namespaceId) implements Counterpart {}
    }
}
