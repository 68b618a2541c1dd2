package io.cadastre.wire.spiderpool.multus;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.datastore.Bytes;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.spiderpool.objects.MultusConfigRules;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// SpiderMultusConfigs and the NetworkAttachmentDefinitions that are made from them, byte for byte.
class AttachmentFormTest {

    /// One golden pair.
    record Golden(String name, String annotations, String spec, String madeAnnotations, String config) {

        @Override
        public String toString() {
            return name;
        }

        static Golden of(JsonNode json) {
            return new Golden(
                    json.path("name").asText(),
                    json.path("annotations").toString(),
                    json.path("spec").toString(),
                    json.path("madeAnnotations").toString(),
                    json.path("config").asText());
        }
    }

    static final List<Golden> GOLDEN = golden();

    private static List<Golden> golden() {
        try (var stream =
                Objects.requireNonNull(AttachmentFormTest.class.getResourceAsStream("/spiderpool/multus.json"))) {
            return new ObjectMapper()
                    .readTree(stream)
                    .valueStream()
                    .map(Golden::of)
                    .toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    static ObjectNode config(String annotations, String spec) {
        return Json.readObject("config", Bytes.ofUtf8("""
            {"apiVersion":"spiderpool.spidernet.io/v2beta1","kind":"SpiderMultusConfig",
             "metadata":{"name":"net","namespace":"ns1","uid":"u1","annotations":%s},"spec":%s}
            """.formatted(annotations, spec)));
    }

    @ParameterizedTest
    @FieldSource("GOLDEN")
    void attachmentIsThatOfItsConfiguration(Golden golden) {
        var config = config(golden.annotations(), golden.spec());

        var object = new AttachmentForm(config).object();

        assertThat(MultusConfigRules.faults(config)).isEmpty();
        assertThat(object.at("/spec/config").asText()).isEqualTo(golden.config());
        assertThat(new AttachmentForm(config).annotationsJson()).hasToString(golden.madeAnnotations());
        assertThat(object.at("/metadata").has("annotations"))
                .isEqualTo(!golden.madeAnnotations().equals("{}"));
    }

    @Test
    void attachmentIsNamedAndOwnedByItsConfiguration() {
        var config = config(
                "{\"multus.spidernet.io/cr-name\":\"other\",\"kubectl.kubernetes.io/last-applied-configuration\":\"{}\"}",
                "{\"cniType\":\"custom\",\"customCNI\":\"{\\\"type\\\":\\\"bridge\\\"}\"}");

        assertThat(Json.write(new AttachmentForm(config).object()).utf8()).isEqualTo("""
            {"apiVersion":"k8s.cni.cncf.io/v1","kind":"NetworkAttachmentDefinition",\
            "metadata":{"annotations":{"multus.spidernet.io/cr-name":"other"},"name":"other","namespace":"ns1",\
            "ownerReferences":[{"apiVersion":"spiderpool.spidernet.io/v2beta1","kind":"SpiderMultusConfig","name":"net",\
            "uid":"u1","controller":true,"blockOwnerDeletion":true}]},"spec":{"config":"{\\"type\\":\\"bridge\\"}"}}\
            """);
    }
}
