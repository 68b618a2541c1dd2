package io.cadastre.wire.json;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.datastore.Bytes;
import java.util.Random;
import org.junit.jupiter.api.Test;

class JsonLineTest {

    @Test
    void piecesBecomeOneCompactDocument() {
        var json = new JsonLine(0);

        json.startObject();
        json.name("empty").startObject().endObject();
        json.name("list")
                .startList()
                .number(0)
                .nothing()
                .text("a")
                .startList()
                .endList()
                .endList();
        json.name("flags").startList().flag(true).flag(false).endList();
        json.name("given").value(Bytes.ofUtf8("{\"a\":[1]}"));
        json.endObject();

        assertThat(json.toBytes())
                .hasToString(
                        "{\"empty\":{},\"list\":[0,null,\"a\",[]],\"flags\":[true,false]," + "\"given\":{\"a\":[1]}}");
    }

    @Test
    void numbersAreUnsigned() {
        var json = new JsonLine(16);

        json.startList();
        for (long number : new long[] {7, 10, 99, 100, 999, 1000, 1772360430000000007L, -1}) {
            json.number(number);
        }
        json.endList();

        assertThat(json.toBytes()).hasToString("[7,10,99,100,999,1000,1772360430000000007,18446744073709551615]");
    }

    /// Text of any characters is written as a tree would be.
    @Test
    void textIsEscapedAsInEveryOtherDocument() {
        var random = new Random(4711);
        int[] beyondAscii = {0x7f, 0x80, 0x7ff, 0x800, 0x2028, 0x2029, 0xffff, 0x10000, 0x1f600};
        for (int round = 0; round < 2_000; round++) {
            var text = new StringBuilder();
            for (int count = random.nextInt(20); count > 0; count--) {
                text.appendCodePoint(
                        random.nextInt(4) == 0
                                ? beyondAscii[random.nextInt(beyondAscii.length)]
                                : random.nextInt(0x80));
            }
            var tree = Json.emptyObject().put(text.toString(), text.toString());

            var line = new JsonLine(8).startObject();
            line.name(text.toString()).text(text.toString()).endObject();

            assertThat(line.toBytes()).isEqualTo(Json.write(tree));
        }
    }

    @Test
    void halfASurrogatePairIsReplacedAsGoDoes() {
        var json = new JsonLine(8).text("x\udc00y\ud83d\ude00z\ud83d");

        assertThat(json.toBytes()).hasToString("\"x\ufffdy\ud83d\ude00z\ufffd\"");
    }
}
