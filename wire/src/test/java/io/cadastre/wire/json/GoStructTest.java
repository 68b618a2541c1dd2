package io.cadastre.wire.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.datastore.Bytes;
import io.cadastre.wire.json.GoStruct.Spelling;
import io.cadastre.wire.json.GoStruct.Unknown;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GoStructTest {

    private static final GoStruct STRUCT = GoStruct.of("cidr", "blockSize", "uses", "labels", "mode*")
            .with("spec", GoStruct.of("sink", "list"))
            .with("rules", GoStruct.of("action"));

    /// What Go's `encoding/json` makes of them was seen by running it.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"blocksize\":28} | {\"blockSize\":28}",
                "{\"BLOCKSIZE\":1,\"blockSize\":2} | {\"blockSize\":2}",
                "{\"blockSize\":2,\"BLOCKSIZE\":1} | {\"blockSize\":1}",
                "{\"bloc\u212a\u017fize\":28} | {\"blockSize\":28}",
                "{\"c\u0131dr\":1,\"c\u0130dr\":2} | {\"c\u0131dr\":1,\"c\u0130dr\":2}",
                "{\"CIDR\":\"a\",\"future\":1} | {\"cidr\":\"a\",\"future\":1}",
                "{\"cidr\":\"a\",\"CIDR\":null} | {\"cidr\":\"a\"}",
                "{\"mode\":\"a\",\"Mode\":null} | {\"mode\":null}",
                "{\"uses\":[1],\"Uses\":null} | {\"uses\":null}",
                "{\"uses\":[1,2],\"Uses\":[3]} | {\"uses\":[3]}",
                "{\"labels\":{\"a\":1},\"Labels\":{\"A\":2}} | {\"labels\":{\"a\":1,\"A\":2}}",
                "{\"labels\":{\"a\":1},\"Labels\":null} | {\"labels\":null}",
                "{\"spec\":{\"Sink\":1},\"Spec\":{\"LIST\":2}} |" + " {\"spec\":{\"sink\":1,\"list\":2}}",
                "{\"spec\":{\"sink\":1},\"Spec\":null} | {\"spec\":{\"sink\":1}}",
                "{\"Rules\":[{\"Action\":1},null]} | {\"rules\":[{\"action\":1},null]}",
            })
    void namesAreReadAsGoReadsThem(String stored, String read) {
        assertThat(STRUCT.read(json(stored))).isEqualTo(json(read));
    }

    @Test
    void inAFileTheNameThatSortsLastCounts() {
        var read = STRUCT.readSorted(json("{\"blocksize\":28,\"blockSize\":26}"));

        assertThat(read).isEqualTo(json("{\"blockSize\":28}"));
    }

    @Test
    void exactNamesCostNoCopy() {
        var json = json("{\"blockSize\":26,\"future\":1,\"rules\":[{\"action\":1}]}");

        assertThat(STRUCT.read(json)).isSameAs(json);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"blokSize\":1}|blokSize|blockSize",
                "{\"block-size\":1}|block-size|blockSize",
                "{\"sink\":1}|sink|spec.sink",
                "{\"spec\":{\"cidr\":1}}|spec.cidr|cidr",
                "{\"rules\":[{},{\"actoin\":1}]}|rules[1].actoin|rules[1].action",
                "{\"zebra\":1}|zebra|``",
                "{\"x\":1}|x|``",
            })
    void unknownNameIsReportedWithTheLikelyIntendedOne(String given, String path, String meant) {
        assertThat(STRUCT.unknown(json(given), Spelling.ANY_CASE)).containsExactly(new Unknown(path, meant));
    }

    @Test
    void lettersOfAnotherCaseAreUnknownOnlyWhereSpellingIsExact() {
        var json = json("{\"CIDR\":1}");

        assertThat(STRUCT.unknown(json, Spelling.ANY_CASE)).isEmpty();
        assertThat(STRUCT.unknown(json, Spelling.EXACT)).containsExactly(new Unknown("CIDR", "cidr"));
    }

    private static ObjectNode json(String text) {
        return Json.readObject("key", Bytes.ofUtf8(text));
    }
}
