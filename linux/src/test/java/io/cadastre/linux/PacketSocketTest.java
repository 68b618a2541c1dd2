package io.cadastre.linux;

import static io.cadastre.linux.NetworkNamespaces.address;
import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.linux.probe.ArpPacket;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class PacketSocketTest {

    private static final Duration AMPLE = Duration.ofSeconds(60);

    @AutoClose
    private final NetworkNamespaces namespaces = NetworkNamespaces.open();

    private final NetworkNamespaces.Wire wire = namespaces.wire();

    @Test
    void answerThatIsWaitingIsHeardByAReaderWhoIsLate() {
        wire.onThere().addresses().add(LinkAddress.within(wire.right().index(), address("10.9.0.7"), 24));
        var probe = ArpPacket.probe(wire.left().mac(), address("10.9.0.7"));

        var heard = wire.here().inside(() -> {
            try (var late = open();
                    var other = open()) {
                late.send("probe", probe.bytes(), MacAddress.BROADCAST);
                other.receive("first", KernelDeadline.after(AMPLE));
                // What is heard now comes after what the first has heard.
                other.send("probe", probe.bytes(), MacAddress.BROADCAST);
                other.receive("second", KernelDeadline.after(AMPLE));
                return late.receive("read", KernelDeadline.after(Duration.ZERO));
            }
        });

        assertThat(heard)
                .map(packet -> ArpPacket.read(packet.bytes()).orElseThrow().sender())
                .contains(address("10.9.0.7"));
    }

    @Test
    void readerWhoIsLateDoesNotWaitForMore() {
        var heard = wire.here().inside(() -> {
            try (var socket = open()) {
                return socket.receive("read", KernelDeadline.after(Duration.ZERO));
            }
        });

        assertThat(heard).isEmpty();
    }

    private PacketSocket open() {
        return PacketSocket.open(wire.left().index(), PacketSocket.EtherType.ARP);
    }
}
