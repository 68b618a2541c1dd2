package io.cadastre.wire.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.cadastre.datastore.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"b\":1,\"a\":2}",
                "{\"numbers\":[0,-0,1.10,1e5,1E+5,12345678901234567890123,-0.5e-7]}",
                "{\"nested\":{\"a\":[[],{},[{\"b\":null}]]},\"yes\":true,\"no\":false}",
                "{\"go\":\"a\\u003cb \\u0026\\u0026 c\\u003ed \\u2028\\u2029 \\u0001\\u001f\"}",
                "{\"short\":\"\\b\\f\\n\\r\\t\\\"\\\\ / \"}",
                "{\"text\":\"äöü 日本 \uD83D\uDE00\"}",
                "{\"a\\u003cb\":1}",
            })
    void compactJsonOfGoComesBackByteForByte(String text) {
        var document = Bytes.ofUtf8(text);

        var written = Json.write(Json.readObject("k", document));

        assertThat(written).isEqualTo(document);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[]|it is not a JSON object",
                "''|it is not a JSON object",
                "null|it is not a JSON object",
                "{}{}|something follows the JSON object",
                "{\"a\":1,\"a\":2}|it is not JSON: Duplicate field 'a'",
                "{\"a\":|it is not JSON: Unexpected end-of-input",
                "{'a':1}|it is not JSON: Unexpected character",
                "{\"a\":01}|it is not JSON: Invalid numeric value",
                "{\"a\":NaN}|it is not JSON: ",
            })
    void textThatIsNotOneObjectIsUnreadableAndTheKeyIsNamed(String text, String fault) {
        assertThatExceptionOfType(UnreadableDocumentException.class)
                .isThrownBy(() -> Json.readObject("/some/key", Bytes.ofUtf8(text)))
                .withMessageStartingWith("cannot read /some/key: " + fault);
    }

    @Test
    void onlyTheWantedFieldsAreRead() {
        var wanted = FieldSelection.of(List.of(List.of("a", "b"), List.of("a", "list"), List.of("c")));

        var read = Json.readObject("k", Bytes.ofUtf8("""
            {"x":{"a":[1,{"b":2}]},"a":{"y":"}","b":{"deep":[1.10]},"list":[{"e":1}]},"c":null,"z":[]}\
            """), wanted);

        assertThat(Json.write(read)).hasToString("{\"a\":{\"b\":{\"deep\":[1.10]},\"list\":[{\"e\":1}]},\"c\":null}");
    }

    @Test
    void selectedFieldsOfANonObjectAreTheWhole() {
        var wanted = FieldSelection.of(List.of(List.of("a", "b")));

        var read = Json.readObject("k", Bytes.ofUtf8("{\"a\":[{\"c\":1}]}"), wanted);

        assertThat(Json.write(read)).hasToString("{\"a\":[{\"c\":1}]}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"x\":{\"b\":1,\"b\":2}}", "{\"x\":[1}", "{\"x\":01}", "{\"x\":1}{}"})
    void fieldsThatAreNotWantedMustBeJson(String text) {
        var wanted = FieldSelection.of(List.of(List.of("a")));

        assertThatExceptionOfType(UnreadableDocumentException.class)
                .isThrownBy(() -> Json.readObject("k", Bytes.ofUtf8(text), wanted));
    }

    @Test
    void halfASurrogatePairIsReplacedAsGoDoes() {
        var document = Bytes.ofUtf8("{\"a\":\"x\\udc00y\\ud83d\\ude00\"}");

        var written = Json.write(Json.readObject("k", document));

        assertThat(written).hasToString("{\"a\":\"x\ufffdy\uD83D\uDE00\"}");
    }

    @Test
    void nestingIsBounded() {
        var deep = "{\"a\":".repeat(65) + "1" + "}".repeat(65);
        var deepArrays = "{\"a\":" + "[".repeat(100_000);

        assertThatExceptionOfType(UnreadableDocumentException.class)
                .isThrownBy(() -> Json.readObject("k", Bytes.ofUtf8(deep)));
        assertThatExceptionOfType(UnreadableDocumentException.class)
                .isThrownBy(() -> Json.readObject("k", Bytes.ofUtf8(deepArrays)));
    }

    @Test
    void sizeIsBounded() {
        var big = "{\"a\":\"" + "x".repeat(Json.DOCUMENT_BYTES_MAX) + "\"}";

        assertThatExceptionOfType(UnreadableDocumentException.class)
                .isThrownBy(() -> Json.readObject("k", Bytes.ofUtf8(big)))
                .withMessage("cannot read k: it has 8388616 bytes, more than 8388608");
    }

    @Test
    void damagedBytesAreReadOrUnreadableAndNothingElse() {
        var sound = "{\"a\":[1,2.5e3,\"t\\u003c\"],\"b\":{\"c\":null,\"d\":true},\"é\":\"日\"}";
        var bytes = sound.getBytes(StandardCharsets.UTF_8);
        int unreadable = 0;
        for (long seed = 1; seed <= 5000; seed++) {
            var random = new Random(seed);
            var damaged = bytes.clone();
            for (int i = 0; i <= random.nextInt(3); i++) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
            }

            try {
                var read = Json.readObject("k", Bytes.of(damaged));
                var again = Json.readObject("k", Json.write(read));
                assertThat(Json.write(again)).as("seed %d", seed).isEqualTo(Json.write(read));
            } catch (UnreadableDocumentException expected) {
                assertThat(expected).hasMessageStartingWith("cannot read k: ");
                unreadable++;
            }
        }
        assertThat(unreadable).isBetween(500, 4999);
    }
}
