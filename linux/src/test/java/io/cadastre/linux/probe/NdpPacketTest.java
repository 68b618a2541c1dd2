package io.cadastre.linux.probe;

import static io.cadastre.linux.NetworkNamespaces.address;
import static io.cadastre.linux.NetworkNamespaces.mac;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.cadastre.address.Address;
import io.cadastre.linux.MacAddress;
import org.junit.jupiter.api.Test;

class NdpPacketTest {

    private static final MacAddress OWN = mac("02:00:00:00:00:01");
    private static final Address CANDIDATE = address("fd00::12:3456:789a");

    @Test
    void questionGoesToTheGroupOfTheTarget() {
        var probe = NdpPacket.probe(CANDIDATE);

        assertThat(probe.group()).isEqualTo(address("ff02::1:ff56:789a"));
        assertThat(probe.groupMac()).isEqualTo(mac("33:33:ff:56:78:9a"));
    }

    @Test
    void probeClaimsNoAddressAndDoesNotTellWhoAsks() {
        var bytes = NdpPacket.probe(CANDIDATE).bytes();

        assertThat(bytes).hasSize(64);
        assertThat(NdpPacket.read(bytes)).contains(NdpPacket.probe(CANDIDATE));
    }

    @Test
    void requestTellsWhoAsks() {
        var request = NdpPacket.request(OWN, address("fe80::1"), CANDIDATE);

        assertThat(request.bytes()).hasSize(72);
        assertThat(NdpPacket.read(request.bytes())).contains(request);
    }

    @Test
    void announcementGoesToEverybodyAndOverridesWhatTheyRemember() {
        var announcement = NdpPacket.announcement(OWN, CANDIDATE);
        var bytes = announcement.bytes();

        assertThat(announcement.group()).isEqualTo(address("ff02::1"));
        assertThat(announcement.groupMac()).isEqualTo(mac("33:33:00:00:00:01"));
        assertThat(bytes).hasSize(72);
        assertThat(bytes[44]).isEqualTo((byte) 0x20);
        assertThat(NdpPacket.read(bytes)).contains(announcement);
    }

    @Test
    void packetThatCameThroughARouterIsPassedOver() {
        var bytes = NdpPacket.probe(CANDIDATE).bytes();
        bytes[7] = (byte) 254;

        assertThat(NdpPacket.read(bytes)).isEmpty();
    }

    @Test
    void optionWithoutALengthEndsTheSearch() {
        var bytes = NdpPacket.request(OWN, address("fe80::1"), CANDIDATE).bytes();
        bytes[65] = 0;

        assertThat(NdpPacket.read(bytes).orElseThrow().mac()).isEqualTo(MacAddress.NONE);
    }

    @Test
    void whoAdvertisesOrProbesContests() {
        var advertisement = new NdpPacket(NdpPacket.Kind.ADVERTISEMENT, address("fe80::2"), CANDIDATE, OWN);

        assertThat(advertisement.contests(CANDIDATE)).isTrue();
        assertThat(NdpPacket.probe(CANDIDATE).contests(CANDIDATE)).isTrue();
        assertThat(NdpPacket.request(OWN, CANDIDATE, address("fd00::1")).contests(CANDIDATE))
                .isTrue();
        assertThat(NdpPacket.request(OWN, address("fd00::1"), CANDIDATE).contests(CANDIDATE))
                .isFalse();
        assertThat(NdpPacket.probe(address("fd00::1")).contests(CANDIDATE)).isFalse();
    }

    @Test
    void ipv4AddressIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> NdpPacket.probe(address("10.0.0.7")));
    }
}
