package io.cadastre.linux.probe;

import io.cadastre.address.Address;
import io.cadastre.linux.Link;
import io.cadastre.linux.MacAddress;
import io.cadastre.linux.Namespace;
import io.cadastre.linux.PacketSocket;
import java.util.Optional;
import java.util.function.Predicate;

/// Asks on a link which host has an IPv6 address.
public final class NdpProbe {

    private final Namespace namespace;
    private final Link link;
    private final ProbeTiming timing;

    /// Probes on one link.
    ///
    /// @param link a link of the namespace, which must be up
    public NdpProbe(Namespace namespace, Link link, ProbeTiming timing) {
        this.namespace = namespace;
        this.link = link;
        this.timing = timing;
    }

    /// The other host that has the candidate or is about to take it. The question claims no address, so the
    /// link needs none of its own yet.
    public Optional<MacAddress> findHolder(Address candidate) {
        return ask(
                "probe for %s on link %s".formatted(candidate, link.name()),
                NdpPacket.probe(candidate),
                heard -> heard.contests(candidate));
    }

    /// The gateway's hardware address, if it answers.
    ///
    /// @param own an address of the link
    public Optional<MacAddress> findGateway(Address own, Address gateway) {
        return ask(
                "ask for gateway %s on link %s".formatted(gateway, link.name()),
                NdpPacket.request(link.mac(), own, gateway),
                heard -> heard.kind() == NdpPacket.Kind.ADVERTISEMENT
                        && heard.target().equals(gateway));
    }

    /// Announces on the link that an address is this link's, so that no host keeps sending to its last
    /// holder.
    public void announce(Address own) {
        var operation = "announce %s on link %s".formatted(own, link.name());
        var packet = NdpPacket.announcement(link.mac(), own);
        namespace.inside(() -> {
            try (var socket = PacketSocket.open(link.index(), PacketSocket.EtherType.IPV6)) {
                socket.send(operation, packet.bytes(), packet.groupMac());
            }
        });
    }

    private Optional<MacAddress> ask(String operation, NdpPacket question, Predicate<NdpPacket> answer) {
        return new Solicitation(
                        operation,
                        PacketSocket.EtherType.IPV6,
                        question::bytes,
                        question.groupMac(),
                        packet -> verdict(packet, answer))
                .ask(namespace, link.index(), timing);
    }

    /// What an advertisement says about the target's address counts more than where it came from: a host
    /// may answer for another.
    private Optional<MacAddress> verdict(PacketSocket.Packet packet, Predicate<NdpPacket> answer) {
        return NdpPacket.read(packet.bytes())
                .filter(_ -> !packet.sender().equals(link.mac()))
                .filter(answer)
                .map(heard -> heard.mac().equals(MacAddress.NONE) ? packet.sender() : heard.mac());
    }
}
