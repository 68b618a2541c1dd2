package io.cadastre.wire.cni;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cadastre.datastore.Bytes;
import io.cadastre.wire.cni.DoorbellFrame.Call;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DoorbellFrameTest {

    private static final Call CALL = new Call(
            "calico-ipam",
            new TreeMap<>(Map.of("CNI_COMMAND", "ADD", "CNI_ARGS", "A=1;B=2", "CNI_X", "")),
            Bytes.ofUtf8("{\0}"));

    private static InputStream stream(byte[] bytes) {
        return new ByteArrayInputStream(bytes);
    }

    private static InputStream stream(String bytes) {
        return stream(bytes.getBytes(StandardCharsets.ISO_8859_1));
    }

    @Test
    void aCallIsWrittenAsTheProgramInCWritesIt() throws IOException {
        var frame = DoorbellFrame.encode(CALL);

        assertThat(frame.utf8())
                .isEqualTo("CAD1\0\0\0\70calico-ipam\0CNI_ARGS=A=1;B=2\0CNI_COMMAND=ADD\0CNI_X=\0\0{\0}");
    }

    @Test
    void aCallComesBack() throws IOException {
        var frame = DoorbellFrame.encode(CALL);

        assertThat(DoorbellFrame.readCall(stream(frame.toByteArray()))).isEqualTo(CALL);
    }

    @Test
    void anAnswerComesBack() throws IOException {
        var answer = new CniAnswer(Bytes.ofUtf8("out"), Bytes.ofUtf8("error"), 255);

        var frame = DoorbellFrame.encode(answer);

        assertThat(frame.toByteArray())
                .startsWith(new byte[] {'C', 'A', 'D', '1', 0, 0, 0, 13, (byte) 255, 0, 0, 0, 3});
        assertThat(DoorbellFrame.readAnswer(stream(frame.toByteArray()))).isEqualTo(answer);
    }

    @Test
    void whatFollowsAFrameIsLeftAlone() throws IOException {
        var stream = stream(DoorbellFrame.encode(CALL).utf8() + "more");

        DoorbellFrame.readCall(stream);

        assertThat(stream.readAllBytes()).isEqualTo("more".getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void everyCutIsNoticed() throws IOException {
        var frame = DoorbellFrame.encode(CALL).toByteArray();

        for (int size = 0; size < frame.length; size++) {
            var cut = Arrays.copyOf(frame, size);
            assertThatThrownBy(() -> DoorbellFrame.readCall(stream(cut)))
                    .isInstanceOfAny(EOFException.class, FrameException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1\r\n",
                "CAD1\0\0\0\0",
                "CAD1\0\0\0\4name",
                "CAD1\0\0\0\5name\0",
                "CAD1\0\0\0\11name\0ab\0\0"
            })
    void bytesThatAreNotACallAreRefused(String bytes) {
        assertThatThrownBy(() -> DoorbellFrame.readCall(stream(bytes)))
                .isInstanceOfAny(FrameException.class, EOFException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"CAD1\0\200\0\1", "CAD1\377\377\377\377", "CAD1\200\0\0\0"})
    void aFrameThatSaysItIsTooLargeIsNotRead(String bytes) {
        assertThatThrownBy(() -> DoorbellFrame.readCall(stream(bytes)))
                .isInstanceOf(FrameException.class)
                .hasMessageContaining("is larger than 8388608");
    }

    @Test
    void aCallThatIsTooLargeIsNotWritten() {
        var large = Bytes.of(new byte[DoorbellFrame.BYTES_MAX]);
        var call = new Call("x", new TreeMap<>(), large);

        assertThatThrownBy(() -> DoorbellFrame.encode(call)).isInstanceOf(FrameException.class);
    }

    @Test
    void anySequenceOfBytesIsReadOrRefused() {
        var dice = new SplittableRandom(7);
        for (int round = 0; round < 20_000; round++) {
            var bytes = new byte[8 + dice.nextInt(60)];
            dice.nextBytes(bytes);
            System.arraycopy(new byte[] {'C', 'A', 'D', '1', 0, 0, 0}, 0, bytes, 0, 7);
            bytes[7] = (byte) (bytes.length - 8);
            for (int index = 8; index < bytes.length; index++) {
                bytes[index] = dice.nextInt(3) == 0 ? 0 : bytes[index];
            }
            try {
                assertThat(DoorbellFrame.readCall(stream(bytes)).plugin()).isNotNull();
            } catch (FrameException refused) {
                assertThat(refused).hasMessageContaining("a ");
            } catch (IOException other) {
                throw new AssertionError("seed 7, round " + round, other);
            }
        }
    }
}
