package io.cadastre.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.cadastre.address.Family;
import io.cadastre.linux.probe.ArpPacket;
import io.cadastre.linux.probe.NdpPacket;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Whatever arrives, a decoder gives a value or a [LinuxException].
class DecodingFuzzTest {

    private static final int ROUNDS = 20_000;
    private static final int BYTES_MAX = 256;

    @ParameterizedTest
    @EnumSource
    void randomBytesAreAValueOrATypedError(Decoder decoder) {
        for (int seed = 0; seed < ROUNDS; seed++) {
            var dice = new Random(seed);
            var bytes = new byte[dice.nextInt(BYTES_MAX)];
            dice.nextBytes(bytes);

            decoder.endure(bytes, seed);
        }
    }

    /// Most random bytes are refused early; a real message with a few wrong bytes gets further.
    @ParameterizedTest
    @EnumSource
    void damagedMessagesAreAValueOrATypedError(Decoder decoder) {
        var samples = decoder.samples();
        assertThat(samples).isNotEmpty();

        for (int seed = 0; seed < ROUNDS; seed++) {
            var dice = new Random(seed);
            var sample = samples.get(dice.nextInt(samples.size()));

            decoder.endure(damaged(sample, dice), seed);
        }
    }

    private static byte[] damaged(byte[] sample, RandomGenerator dice) {
        var copy = Arrays.copyOf(sample, dice.nextInt(sample.length + 1));
        for (int count = dice.nextInt(4); count > 0 && copy.length > 0; count--) {
            copy[dice.nextInt(copy.length)] = (byte) dice.nextInt();
        }
        return copy;
    }

    enum Decoder {
        DATAGRAM,
        LINK,
        ADDRESS,
        ROUTE,
        NEIGHBOUR,
        ARP,
        NDP;

        private Object decode(byte[] bytes) {
            return switch (this) {
                case DATAGRAM ->
                    NetlinkReply.split(bytes).stream()
                            .map(NetlinkReply::explanation)
                            .toList();
                case LINK -> LinkMessages.read(Payload.of(bytes));
                case ADDRESS -> AddressMessages.read(Payload.of(bytes));
                case ROUTE -> RouteMessages.read(Payload.of(bytes));
                case NEIGHBOUR -> NeighbourMessages.read(Payload.of(bytes));
                case ARP -> ArpPacket.read(bytes);
                case NDP -> NdpPacket.read(bytes);
            };
        }

        void endure(byte[] bytes, int seed) {
            try {
                assertThat(decode(bytes)).isNotNull();
            } catch (LinuxException refused) {
                assertThat(refused.errno()).isEqualTo(Errno.EBADMSG);
            } catch (RuntimeException unexpected) {
                fail("%s, seed %d: %s".formatted(this, seed, Arrays.toString(bytes)), unexpected);
            }
        }

        /// Well-formed messages: what this machine's kernel says where any user may ask it.
        List<byte[]> samples() {
            return switch (this) {
                case DATAGRAM ->
                    List.of(
                            NetlinkMessages.refusal(1, Errno.EEXIST, "already there"),
                            NetlinkMessages.acknowledgement(2),
                            NetlinkMessages.done(3, 0));
                case LINK -> dumped(LinkMessages.all());
                case ADDRESS -> dumped(AddressMessages.all());
                case ROUTE -> dumped(RouteMessages.all(Family.IPV4));
                case NEIGHBOUR ->
                    List.of(body(NeighbourMessages.put(
                            Neighbour.permanent(1, NetworkNamespaces.address("10.0.0.1"), MacAddress.BROADCAST))));
                case ARP ->
                    List.of(ArpPacket.announcement(MacAddress.BROADCAST, NetworkNamespaces.address("10.0.0.1"))
                            .bytes());
                case NDP ->
                    Stream.of(
                                    NdpPacket.probe(NetworkNamespaces.address("fd00::1")),
                                    NdpPacket.request(
                                            MacAddress.BROADCAST,
                                            NetworkNamespaces.address("fe80::1"),
                                            NetworkNamespaces.address("fe80::2")))
                            .map(NdpPacket::bytes)
                            .toList();
            };
        }

        private static List<byte[]> dumped(NetlinkRequest request) {
            try (var conversation = new Conversation(KernelSocket.open(), Duration.ofSeconds(5))) {
                return conversation.dump("sample", request).stream()
                        .map(Payload::bytes)
                        .toList();
            }
        }

        private static byte[] body(NetlinkRequest request) {
            var bytes = request.bytes(1);
            return Arrays.copyOfRange(bytes, NetlinkRequest.HEADER_BYTES, bytes.length);
        }
    }
}
