package io.cadastre.wire.cni;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.node.TextNode;
import io.cadastre.datastore.Bytes;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NetworkConfigTest {

    @Test
    void numbersKeepTheirSpelling() {
        var config = config("{\"name\":\"n\",\"a\":9007199254740993,\"b\":[1.10,1e5,-0]}");

        assertThat(config.members().encode())
                .hasToString("{\"name\":\"n\",\"a\":9007199254740993,\"b\":[1.10,1e5,-0]}");
    }

    @Test
    void namesMatchInAnyLetterCaseAndTheLastOneCounts() {
        var config = config("{\"name\":\"a\",\"NAME\":\"b\",\"name\":\"c\",\"CNIVersion\":\"0.4.0\"}");

        assertThat(config.name()).isEqualTo("c");
        assertThat(config.cniVersion()).isEqualTo("0.4.0");
    }

    /// Java takes the dotless i for an i in another case, and Go does not.
    @Test
    void lettersMatchOnlyWhereGoMatchesThem() {
        var config = config("{\"name\":\"a\",\"\u0131pam\":{\"type\":\"x\"},\"\u017fome\":true}");

        assertThat(config.ipam()).isEmpty();
        assertThat(config.members().flag("some")).isTrue();
    }

    @Test
    void memberThatIsSetHidesAllOfItsName() {
        var config = config("{\"name\":\"a\",\"Type\":\"x\",\"z\":1}");

        var changed = config.with("type", TextNode.valueOf("y"));

        assertThat(changed.raw()).hasToString("{\"name\":\"a\",\"z\":1,\"type\":\"y\"}");
        assertThat(config.type()).isEqualTo("x");
    }

    @Test
    void treeThatIsGivenAwayIsACopy() {
        var config = config("{\"name\":\"a\",\"ipam\":{\"type\":\"x\"}}");

        config.members().tree().removeAll();

        assertThat(config.ipam()).map(ipam -> ipam.text("type")).contains("x");
    }

    @Test
    void gcWithoutAListLeavesAllAlone() {
        assertThat(config("{\"name\":\"n\"}").validAttachments()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"cni.dev/valid-attachments\":null",
                "\"cni.dev/valid-attachments\":[]",
                "\"cni.dev/attachments\":[]"
            })
    void gcWithAnEmptyListLeavesNothingAlone(String list) {
        var config = config("{\"name\":\"n\",%s}".formatted(list));

        assertThat(config.validAttachments()).contains(new ValidAttachments(List.of()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"cni.dev/valid-attachments", "cni.dev/attachments"})
    void gcKeepsListedAttachments(String name) {
        var config = config("{\"name\":\"n\",\"%s\":[{\"containerID\":\"c1\",\"ifname\":\"eth0\"}]}".formatted(name));

        assertThat(config.validAttachments()).hasValueSatisfying(valid -> {
            assertThat(valid.contains("c1", "eth0")).isTrue();
            assertThat(valid.contains("c1", "eth1")).isFalse();
            assertThat(valid.containsContainer("c1")).isTrue();
            assertThat(valid.containsContainer("c2")).isFalse();
        });
    }

    @Test
    void attachmentThatDoesNotSayWhoseItIsIsRefused() {
        var config = config("{\"name\":\"n\",\"cni.dev/valid-attachments\":[{\"ifname\":\"eth0\"}]}");

        assertThatExceptionOfType(CniException.class)
                .isThrownBy(config::validAttachments)
                .withMessage("a valid attachment has no containerID; {\"ifname\":\"eth0\"}");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        {"name":5}           | json: cannot unmarshal number into Go struct field .name of type string
        {"name":true}        | json: cannot unmarshal bool into Go struct field .name of type string
        {"name":{}}          | json: cannot unmarshal object into Go struct field .name of type string
        []                   | json: cannot unmarshal array into Go value of type object
        {"name":"n"          | unexpected end of JSON input
        """)
    void unreadableConfigurationIsAFaultOfDecoding(String document, String cause) {
        assertThatExceptionOfType(CniException.class)
                .isThrownBy(() -> config(document))
                .satisfies(thrown -> assertThat(thrown.error())
                        .isEqualTo(CniError.of(CniCode.DECODING_FAILURE, "error unmarshall network config: " + cause)));
    }

    @Test
    void bytesThatAreNotTextAreReplaced() {
        var raw = Bytes.ofUtf8("{\"name\":\"n\",\"type\":\"a_b\"}").toByteArray();
        raw[raw.length - 4] = (byte) 0xff;

        var config = NetworkConfig.read(Bytes.of(raw));

        assertThat(config.type()).isEqualTo("a\ufffdb");
    }

    @Test
    void largestConfigurationIsRead() {
        var frame = "{\"name\":\"n\",\"x\":\"%s\"}";
        var padding = "x".repeat(CniJson.BYTES_MAX - frame.formatted("").length());

        assertThat(config(frame.formatted(padding)).name()).isEqualTo("n");
        assertThatExceptionOfType(CniException.class).isThrownBy(() -> config(frame.formatted(padding + "x")));
    }

    private static NetworkConfig config(String document) {
        return NetworkConfig.read(Bytes.ofUtf8(document));
    }
}
