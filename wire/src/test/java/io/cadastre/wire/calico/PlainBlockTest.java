package io.cadastre.wire.calico;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Prefix;
import io.cadastre.datastore.Bytes;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.json.UnreadableDocumentException;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlainBlockTest {

    private static final Prefix CIDR = Prefix.parse("10.9.0.4/30");

    private static final String USUAL = """
        {"cidr":"10.9.0.4/30","affinity":"host:node-a","affinity_claim_time":"2026-03-01T10:20:30Z",\
        "allocations":[0,1,null,2],"unallocated":[2],\
        "attributes":[{"handle_id":"h","secondary":{"pod":"web-0"},"alternateOwnerAttrs":{"pod":"web-1"}},\
        {"releasedAt":"2026-03-01T10:25:00Z"},{}],"sequenceNumber":1772360430000000007,\
        "sequenceNumberForAllocation":{"0":1772360430000000001,"1":1772360430000000003},"deleted":false}\
        """;

    @Test
    void aBlockAsCalicoWritesItIsReadInOnePass() {
        var plain = PlainBlock.read(CIDR, Bytes.ofUtf8(USUAL));

        assertThat(plain.map(BlockDocument::block)).isEqualTo(readAsTree(USUAL).map(BlockDocument::block));
        assertThat(plain.map(BlockDocument::encode)).contains(Bytes.ofUtf8(USUAL));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"deleted\":false          | \"deleted\":false,\"foo\":1",
                "\"deleted\":false          | \"Deleted\":false",
                "\"handle_id\":\"h\"        | \"handle_id\":null",
                "{\"pod\":\"web-0\"}        | null",
                "1772360430000000007        | 18446744073709551615",
                "\"unallocated\":[2],       | ``",
                "\"cidr\":\"10.9.0.4/30\"   | \"cidr\":\"10.9.0.8/30\"",
                "[0,1,null,2]               | [0,1,null,-2]",
                "[0,1,null,2]               | [0,1,null,2.0]",
            })
    void unusualBlockIsLeftToTheTreeReader(String usual, String odd) {
        var document = USUAL.replace(usual, odd);

        assertThat(document).isNotEqualTo(USUAL);
        assertThat(PlainBlock.read(CIDR, Bytes.ofUtf8(document))).isEmpty();
    }

    /// Documents with a few characters changed: read in one pass or not at all, but never otherwise
    /// than out of a tree.
    @Test
    void bothWaysOfReadingAgree() {
        var random = new Random(4711);
        var characters = "0123456789\"\\{}[],:nulltrefase-. e\u00e9";
        int agreed = 0;
        for (int round = 0; round < 20_000; round++) {
            var text = new StringBuilder(USUAL);
            for (int change = random.nextInt(3); change >= 0; change--) {
                int place = random.nextInt(text.length());
                switch (random.nextInt(3)) {
                    case 0 -> text.deleteCharAt(place);
                    case 1 -> text.insert(place, any(characters, random));
                    default -> text.setCharAt(place, any(characters, random));
                }
            }
            var plain = PlainBlock.read(CIDR, Bytes.ofUtf8(text.toString()));
            if (plain.isPresent()) {
                agreed++;
                var tree = readAsTree(text.toString());
                assertThat(plain.map(BlockDocument::block))
                        .as(text.toString())
                        .isEqualTo(tree.map(BlockDocument::block));
                assertThat(plain.map(BlockDocument::encode))
                        .as(text.toString())
                        .isEqualTo(tree.map(BlockDocument::encode));
            }
        }
        assertThat(agreed).isGreaterThan(500);
    }

    private static char any(String characters, Random random) {
        return characters.charAt(random.nextInt(characters.length()));
    }

    private static Optional<BlockDocument> readAsTree(String text) {
        try {
            var json = Json.readObject("key", Bytes.ofUtf8(text));
            return Optional.of(BlockDocument.read(new Fields("key"), CIDR, json));
        } catch (UnreadableDocumentException | IllegalArgumentException _) {
            return Optional.empty();
        }
    }
}
