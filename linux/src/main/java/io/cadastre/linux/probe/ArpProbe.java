package io.cadastre.linux.probe;

import io.cadastre.address.Address;
import io.cadastre.linux.Link;
import io.cadastre.linux.MacAddress;
import io.cadastre.linux.Namespace;
import io.cadastre.linux.PacketSocket;
import java.util.Optional;
import java.util.function.Predicate;

/// Asks on a link which host has an IPv4 address.
///
/// A probe claims no address, so the kernel of a neighbour answers it only for addresses of its own: a
/// router that answers for others does not disturb it. A gateway that answers for others only, such as
/// 169.254.1.1, is therefore asked with an address of ours as the sender.
public final class ArpProbe {

    private final Namespace namespace;
    private final Link link;
    private final ProbeTiming timing;

    /// Probes on one link.
    ///
    /// @param link a link of the namespace, which must be up
    public ArpProbe(Namespace namespace, Link link, ProbeTiming timing) {
        this.namespace = namespace;
        this.link = link;
        this.timing = timing;
    }

    /// The other host that has the candidate or is about to take it. Requests count as much as replies,
    /// since both show which host has which address.
    public Optional<MacAddress> findHolder(Address candidate) {
        var probe = ArpPacket.probe(link.mac(), candidate);
        return ask(
                "probe for %s on link %s".formatted(candidate, link.name()),
                probe,
                heard -> heard.contests(candidate, link.mac()));
    }

    /// The gateway's hardware address, if it answers.
    ///
    /// @param own an address that the gateway has a way back to
    public Optional<MacAddress> findGateway(Address own, Address gateway) {
        var query = ArpPacket.request(link.mac(), own, gateway);
        return ask(
                "ask for gateway %s on link %s".formatted(gateway, link.name()),
                query,
                heard -> heard.operation() == ArpPacket.Operation.REPLY
                        && heard.sender().equals(gateway));
    }

    /// Announces on the link that an address is this link's, so that no host keeps sending to its last
    /// holder.
    public void announce(Address own) {
        var operation = "announce %s on link %s".formatted(own, link.name());
        var packet = ArpPacket.announcement(link.mac(), own).bytes();
        namespace.inside(() -> {
            try (var socket = PacketSocket.open(link.index(), PacketSocket.EtherType.ARP)) {
                socket.send(operation, packet, MacAddress.BROADCAST);
            }
        });
    }

    private Optional<MacAddress> ask(String operation, ArpPacket question, Predicate<ArpPacket> answer) {
        return new Solicitation(
                        operation,
                        PacketSocket.EtherType.ARP,
                        question::bytes,
                        MacAddress.BROADCAST,
                        packet -> ArpPacket.read(packet.bytes()).filter(answer).map(ArpPacket::senderMac))
                .ask(namespace, link.index(), timing);
    }
}
