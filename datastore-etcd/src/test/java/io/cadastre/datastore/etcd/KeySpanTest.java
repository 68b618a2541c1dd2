package io.cadastre.datastore.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.datastore.Bytes;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class KeySpanTest {

    @Test
    void prefixEndsBeforeTheNextNameOfItsLength() {
        assertThat(KeySpan.ofPrefix("a/")).isEqualTo(span("612f", "6130"));
    }

    @Test
    void emptyPrefixIsTheWholeKeySpace() {
        assertThat(KeySpan.ofPrefix("")).isEqualTo(span("00", "00"));
    }

    @Test
    void prefixThatEndsInTheLastCharacterIsCarriedOver() {
        // U+10FFFF is f4 8f bf bf, and no byte of it is ff.
        assertThat(KeySpan.ofPrefix("\udbff\udfff")).isEqualTo(span("f48fbfbf", "f48fbfc0"));
    }

    @Test
    void restOfAPrefixBeginsJustAfterTheKey() {
        assertThat(KeySpan.ofPrefixAfter("a/", "a/b")).isEqualTo(span("612f6200", "6130"));
        assertThat(KeySpan.ofPrefixAfter("", "z")).isEqualTo(span("7a00", "00"));
    }

    private static KeySpan span(String first, String end) {
        var hex = HexFormat.of();
        return new KeySpan(Bytes.of(hex.parseHex(first)), Bytes.of(hex.parseHex(end)));
    }
}
