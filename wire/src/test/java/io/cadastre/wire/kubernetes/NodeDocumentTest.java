package io.cadastre.wire.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.cadastre.datastore.Bytes;
import io.cadastre.engine.nodecidr.NodeEntry;
import io.cadastre.wire.json.UnreadableDocumentException;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NodeDocumentTest {

    @ParameterizedTest
    @ValueSource(strings = {"node-without-cidrs.json", "node-with-cidrs.json"})
    void aGoldenNodeComesBackByteForByte(String file) throws IOException {
        var golden = golden(file);

        var node = NodeDocument.decode("k", "worker-1", golden);

        assertThat(node.encode()).isEqualTo(golden);
    }

    @Test
    void givingCidrsChangesNothingElse() throws IOException {
        var node = NodeDocument.decode("k", "worker-1", golden("node-without-cidrs.json"));

        var given = node.withPodCidrs(List.of("10.244.3.0/24", "fd00:10:20:3::/64"));

        assertThat(given.encode()).isEqualTo(golden("node-with-cidrs.json"));
        assertThat(given.entry())
                .isEqualTo(new NodeEntry(
                        "worker-1",
                        List.of("10.244.3.0/24", "fd00:10:20:3::/64"),
                        false,
                        "3c1f2a54-6a0e-4b0e-9d55-5f3f1f2b7a11"));
        assertThat(node.encode()).isEqualTo(golden("node-without-cidrs.json"));
    }

    @Test
    void aNodeWithoutSpecGetsOne() {
        var node = NodeDocument.decode(
                "k",
                "a",
                Bytes.ofUtf8("{\"kind\":\"Node\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"a\"},\"spec\":null}"));

        var given = node.withPodCidrs(List.of("10.244.3.0/24"));

        assertThat(given.encode())
                .hasToString(
                        "{\"kind\":\"Node\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"a\"},\"spec\":{\"podCIDR\":\"10.244.3.0/24\",\"podCIDRs\":[\"10.244.3.0/24\"]}}");
    }

    @Test
    void aNewNodeSaysWhatItIsAndSinceWhen() {
        var node = NodeDocument.create(
                new NodeEntry("node-1", List.of("10.244.0.0/24"), false, "u-1"),
                Instant.parse("2026-01-02T03:04:05.678Z"));

        assertThat(node.encode())
                .hasToString(
                        "{\"kind\":\"Node\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"node-1\",\"uid\":\"u-1\",\"creationTimestamp\":\"2026-01-02T03:04:05Z\"},\"spec\":{\"podCIDR\":\"10.244.0.0/24\",\"podCIDRs\":[\"10.244.0.0/24\"]}}");
        assertThat(NodeDocument.decode("k", "node-1", node.encode()).entry()).isEqualTo(node.entry());
    }

    @ParameterizedTest(name = "{0} is read as {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "{}|''",
                "{\"podCIDR\":\"\",\"podCIDRs\":[]}|''",
                "{\"podCIDR\":null,\"podCIDRs\":null}|''",
                "{\"podCIDR\":\"10.0.0.0/24\"}|10.0.0.0/24",
                "{\"podCIDRs\":[\"10.0.0.0/24\",\"fd00::/64\"]}|10.0.0.0/24 fd00::/64",
                "{\"podCIDR\":\"10.0.0.0/24\",\"podCIDRs\":[\"10.0.0.0/24\",\"fd00::/64\"]}|10.0.0.0/24" + " fd00::/64",
                "{\"podCIDR\":\"10.0.1.0/24\",\"podCIDRs\":[\"10.0.0.0/24\",\"fd00::/64\"]}|10.0.1.0/24",
            })
    void podCidrAndPodCidrsAreReadAsTheApiServerDoes(String spec, String podCidrs) {
        var node = NodeDocument.decode("k", "a", withSpec(spec));

        assertThat(String.join(" ", node.entry().podCidrs())).isEqualTo(podCidrs);
    }

    @Test
    void aNodeWithADeletionTimestampIsTerminating() {
        var going = Bytes.ofUtf8(
                "{\"kind\":\"Node\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"a\",\"deletionTimestamp\":\"2026-01-01T00:00:00Z\"}}");

        assertThat(NodeDocument.decode("k", "a", going).entry().terminating()).isTrue();
        assertThat(NodeDocument.decode("k", "a", withSpec("{}")).entry().terminating())
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"kind\":\"Pod\"}|its kind is 'Pod' and not 'Node'",
                "{\"kind\":\"Node\",\"apiVersion\":\"v2\"}|its apiVersion is 'v2' and not 'v1'",
                "{\"kind\":\"Node\",\"apiVersion\":\"v1\"}|its name is '' and not 'a'",
                "{\"kind\":\"Node\",\"apiVersion\":\"v1\",\"metadata\":[]}|its metadata is not an" + " object",
                "{\"kind\":\"Node\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"b\"}}|its name"
                        + " is 'b' and not 'a'",
                "{\"kind\":\"Node\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"a\"},\"spec\":7}|its"
                        + " spec is not an object",
                "{\"kind\":\"Node\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"a\"},\"spec\":{\"podCIDR\":7}}|its"
                        + " podCIDR is not text",
                "{\"kind\":\"Node\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"a\"},\"spec\":{\"podCIDRs\":\"x\"}}|its"
                    + " podCIDRs is not an array",
                "{\"kind\":\"Node\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"a\"},\"spec\":{\"podCIDRs\":[{}]}}|its"
                    + " podCIDRs is not text",
                "not json|it is not JSON: ",
            })
    void documentThatIsNotANodeIsUnreadableAndTheKeyIsNamed(String text, String fault) {
        assertThatExceptionOfType(UnreadableDocumentException.class)
                .isThrownBy(() -> NodeDocument.decode("/nodes/a", "a", Bytes.ofUtf8(text)))
                .withMessageStartingWith("cannot read /nodes/a: " + fault);
    }

    @Test
    @DisplayName("NP-01: the patch by which upstream gives CIDRs")
    void np01_patch() throws IOException {
        var vector =
                new ObjectMapper().readTree(golden("node-patch.json").utf8()).get(0);
        var podCidrs = new ArrayList<String>();
        vector.get("podCIDRs").forEach(cidr -> podCidrs.add(cidr.textValue()));

        var patch = NodeDocument.patch(podCidrs);

        assertThat(vector.get("id").textValue()).isEqualTo("NP-01");
        assertThat(patch).hasToString(vector.get("body").textValue());
    }

    private static Bytes withSpec(String spec) {
        return Bytes.ofUtf8(
                "{\"kind\":\"Node\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"a\"},\"spec\":%s}".formatted(spec));
    }

    private static Bytes golden(String file) throws IOException {
        try (var stream = Objects.requireNonNull(NodeDocumentTest.class.getResourceAsStream(file))) {
            return Bytes.of(stream.readAllBytes());
        }
    }
}
