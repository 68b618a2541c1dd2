package io.cadastre.datastore.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cadastre.datastore.DatastoreException;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ProtoTest {

    /// The first two examples of the protobuf documentation on its encoding.
    @Test
    void fieldsAreWrittenAsProtobufHasThem() {
        var number = new ProtoWriter().number(1, 150);
        var text = new ProtoWriter().text(2, "testing");
        var nested = new ProtoWriter().message(3, new ProtoWriter().number(1, 150));

        assertThat(hex(number)).isEqualTo("089601");
        assertThat(hex(text)).isEqualTo("120774657374696e67");
        assertThat(hex(nested)).isEqualTo("1a03089601");
    }

    @Test
    void zeroIsWrittenAndANegativeNumberTakesTenBytes() {
        assertThat(hex(new ProtoWriter().number(6, 0))).isEqualTo("3000");
        assertThat(hex(new ProtoWriter().number(6, -1))).isEqualTo("30ffffffffffffffffff01");
    }

    @Test
    void writtenDataIsReadBack() {
        var random = new Random(11);
        for (int round = 0; round < 1000; round++) {
            long number = random.nextLong() >>> random.nextInt(64);
            var content = new byte[random.nextInt(300)];
            random.nextBytes(content);
            var message = new ProtoWriter()
                    .number(1, number)
                    .bytes(200, content)
                    .message(3, new ProtoWriter().text(1, "é" + round).flag(2));

            var reader = new ProtoReader(bytes(message));

            assertThat(reader.next()).isTrue();
            assertThat(reader.field()).isEqualTo(1);
            assertThat(reader.number()).isEqualTo(number);
            assertThat(reader.next()).isTrue();
            assertThat(reader.field()).isEqualTo(200);
            assertThat(reader.bytes()).isEqualTo(content);
            assertThat(reader.next()).isTrue();
            var inner = reader.message();
            assertThat(inner.next()).isTrue();
            assertThat(inner.text()).isEqualTo("é" + round);
            assertThat(inner.next()).isTrue();
            assertThat(inner.flag()).isTrue();
            assertThat(inner.next()).isFalse();
            assertThat(reader.next()).isFalse();
        }
    }

    @Test
    void unreadFieldsArePassedOver() {
        // Field 1 as a number, 2 as bytes, 3 as 64 fixed bits, 4 as 32, then 5 as a number.
        var reader =
                reader("08" + "9601", "12" + "03aabbcc", "19" + "0102030405060708", "25" + "01020304", "28" + "07");

        int fields = 0;
        long last = 0;
        while (reader.next()) {
            fields++;
            if (reader.field() == 5) {
                last = reader.number();
            }
        }

        assertThat(fields).isEqualTo(5);
        assertThat(last).isEqualTo(7);
    }

    @Test
    void messageThatIsNotWellFormedIsRefused() {
        assertMalformed("08");
        assertMalformed("0880");
        assertMalformed("08ffffffffffffffffff02");
        assertMalformed("08ffffffffffffffffffff01");
        assertMalformed("1205aabb");
        assertMalformed("12ffffffffffffffffff01");
        assertMalformed("1901020304");
        assertMalformed("25010203");
        assertMalformed("00");
        assertMalformed("0b");
        assertMalformed("ffffffffff01");
    }

    @Test
    void valueOfAnotherTypeIsRefused() {
        var reader = reader("0801");
        reader.next();

        assertThatThrownBy(reader::bytes)
                .isInstanceOf(ProtoReader.MalformedException.class)
                .hasMessageContaining("field 1");
    }

    @Test
    void randomBytesAreReadOrRefusedAndNothingElse() {
        var random = new Random(5);
        int refused = 0;
        for (int round = 0; round < 20_000; round++) {
            var content = new byte[random.nextInt(40)];
            random.nextBytes(content);
            try {
                WatchAnswer.read(new ProtoReader(content));
                CommitAnswer.read(new ProtoReader(content));
                RangeAnswer.read(new ProtoReader(content));
            } catch (ProtoReader.MalformedException malformed) {
                refused++;
            } catch (DatastoreException foreign) {
                assertThat(foreign.kind()).isEqualTo(DatastoreException.Kind.FOREIGN);
            }
        }
        assertThat(refused).isGreaterThan(1000);
    }

    private static void assertMalformed(String hex) {
        assertThatThrownBy(() -> {
                    var reader = reader(hex);
                    // Ends: a message has finitely many fields.
                    while (reader.next()) {}
                })
                .as(hex)
                .isInstanceOf(ProtoReader.MalformedException.class);
    }

    private static ProtoReader reader(String... hex) {
        return new ProtoReader(HexFormat.of().parseHex(String.join("", hex)));
    }

    private static String hex(ProtoWriter writer) {
        return HexFormat.of().formatHex(bytes(writer));
    }

    private static byte[] bytes(ProtoWriter writer) {
        return writer.asStream().readAllBytes();
    }
}
