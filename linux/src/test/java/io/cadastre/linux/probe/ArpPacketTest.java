package io.cadastre.linux.probe;

import static io.cadastre.linux.NetworkNamespaces.address;
import static io.cadastre.linux.NetworkNamespaces.mac;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.cadastre.address.Address;
import io.cadastre.linux.MacAddress;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class ArpPacketTest {

    private static final MacAddress OWN = mac("02:00:00:00:00:01");
    private static final MacAddress OTHER = mac("02:00:00:00:00:02");
    private static final Address CANDIDATE = address("10.0.0.7");

    @Test
    void probeClaimsNoAddress() {
        var bytes = ArpPacket.probe(OWN, CANDIDATE).bytes();

        assertThat(HexFormat.of().formatHex(bytes))
                .isEqualTo("0001080006040001" + "020000000001" + "00000000" + "000000000000" + "0a000007");
    }

    @Test
    void announcementNamesTheAddressTwice() {
        var bytes = ArpPacket.announcement(OWN, CANDIDATE).bytes();

        assertThat(HexFormat.of().formatHex(bytes))
                .isEqualTo("0001080006040001" + "020000000001" + "0a000007" + "000000000000" + "0a000007");
    }

    @Test
    void writtenDataIsReadBack() {
        var packet = new ArpPacket(ArpPacket.Operation.REPLY, OTHER, CANDIDATE, OWN, address("10.0.0.1"));

        assertThat(ArpPacket.read(packet.bytes())).contains(packet);
    }

    @Test
    void replyAndRequestOfTheHolderBothContest() {
        var reply = new ArpPacket(ArpPacket.Operation.REPLY, OTHER, CANDIDATE, OWN, ArpPacket.UNSPECIFIED);
        var request = ArpPacket.request(OTHER, CANDIDATE, address("10.0.0.1"));

        assertThat(reply.contests(CANDIDATE, OWN)).isTrue();
        assertThat(request.contests(CANDIDATE, OWN)).isTrue();
    }

    @Test
    void probeOfAnotherForTheSameAddressContests() {
        assertThat(ArpPacket.probe(OTHER, CANDIDATE).contests(CANDIDATE, OWN)).isTrue();
    }

    @Test
    void nothingElseContests() {
        assertThat(ArpPacket.probe(OWN, CANDIDATE).contests(CANDIDATE, OWN)).isFalse();
        assertThat(ArpPacket.probe(OTHER, address("10.0.0.8")).contests(CANDIDATE, OWN))
                .isFalse();
        assertThat(ArpPacket.request(OTHER, address("10.0.0.1"), CANDIDATE).contests(CANDIDATE, OWN))
                .isFalse();
    }

    @Test
    void ipv6AddressIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> ArpPacket.probe(OWN, address("fd00::7")));
    }
}
