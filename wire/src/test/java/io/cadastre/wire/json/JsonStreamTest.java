package io.cadastre.wire.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class JsonStreamTest {

    @Test
    void piecesBecomeOneCompactDocument() {
        var written = Json.write(0, json -> {
            json.writeStartObject();
            json.writeObjectFieldStart("empty");
            json.writeEndObject();
            json.writeArrayFieldStart("list");
            json.writeNumber(0);
            json.writeNull();
            json.writeString("a");
            json.writeStartArray();
            json.writeEndArray();
            json.writeEndArray();
            json.writeBooleanField("flag", true);
            json.writePOJOField(
                    "given",
                    Json.emptyObject().set("a", Json.emptyObject().arrayNode().add(1)));
            json.writeEndObject();
        });

        assertThat(written)
                .hasToString("{\"empty\":{},\"list\":[0,null,\"a\",[]],\"flag\":true,\"given\":{\"a\":[1]}}");
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

            var written = Json.write(8, json -> {
                json.writeStartObject();
                json.writeStringField(text.toString(), text.toString());
                json.writeEndObject();
            });

            assertThat(written).isEqualTo(Json.write(tree));
        }
    }

    @Test
    void halfASurrogatePairIsReplacedAsGoDoes() {
        var written = Json.write(8, json -> json.writeString(Json.wellFormed("x\udc00y\ud83d\ude00z\ud83d")));

        assertThat(written).hasToString("\"x\ufffdy\ud83d\ude00z\ufffd\"");
    }
}
