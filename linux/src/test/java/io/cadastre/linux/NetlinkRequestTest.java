package io.cadastre.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class NetlinkRequestTest {

    /// The message that creates a veth pair across namespaces, as Linux 6.18 takes it.
    private static final String VETH = """
        84000000 10000506 02000000 00000000
        00000000 00000000 00000000 00000000
        09000300 65746830 00000000
        08000400 a0050000
        08001f00 01000000
        08002000 01000000
        40001200 08000100 76657468
        34000200 30000100 00000000 00000000 00000000 00000000
        14000300 63616c69 31323334 35363738 39303100
        08001c00 03000000
        """;

    @Test
    void vethRequestIsWrittenByteForByte() {
        var here = VethEnd.named("eth0").withMtu(1440).withQueues(1, 1);
        var peer = VethEnd.named("cali12345678901");

        var bytes = LinkMessages.createVeth(here, peer, 3).bytes(2);

        assertThat(HexFormat.of().formatHex(bytes)).hasSize(2 * 132).isEqualTo(VETH.replaceAll("\\s", ""));
    }

    @Test
    void requestMayBeSentTwiceWithAnotherSequence() {
        var request = LinkMessages.byIndex(7);

        var first = request.bytes(1);
        var second = request.bytes(2);

        assertThat(second).hasSameSizeAs(first).isNotEqualTo(first);
    }

    @Test
    void nameWithANulIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LinkMessages.byName("eth\0zero"))
                .withMessage("\"eth\\x00zero\" is not a name");
    }

    @Test
    void nameOfThousandsOfBytesIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> LinkMessages.byName("e".repeat(5_000)));
    }
}
