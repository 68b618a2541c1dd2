package io.cadastre.wire.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Document;
import io.cadastre.wire.json.Fields.NonObjects;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.json.UnreadableDocumentException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What is read of the metadata of any object.
class ObjectMetaTest {

    private static final Map<String, Consumer<ObjectMeta>> PARTS = Map.of(
            "namespace", ObjectMeta::namespace,
            "name", ObjectMeta::name,
            "uid", ObjectMeta::uid,
            "labels", ObjectMeta::labels,
            "annotations", ObjectMeta::annotations,
            "deletionTimestamp", ObjectMeta::deletionTimestamp,
            "deletionGracePeriodSeconds", ObjectMeta::deletionGracePeriodSeconds,
            "owners", metadata -> metadata.owners(NonObjects.REFUSED),
            "controller", ObjectMeta::findController,
            "kinds", metadata -> metadata.isControlledBy(List.of("Job")));

    private static ObjectMeta metadata(String json) {
        return ObjectMeta.read(new Document("/jobs/a", Bytes.ofUtf8("{\"metadata\":%s}".formatted(json)), 7));
    }

    private static ObjectMeta owned(String references) {
        return metadata("{\"ownerReferences\":%s}".formatted(references));
    }

    @Test
    void allPartsAreRead() {
        var metadata = metadata("""
            {"namespace":"shop","name":"web-0","uid":"u","labels":{"b":"1","a":"2"},"annotations":{"c":"3"},
             "deletionTimestamp":"2026-01-01T00:00:30Z","deletionGracePeriodSeconds":30}
            """);

        assertThat(metadata.namespace()).isEqualTo("shop");
        assertThat(metadata.name()).isEqualTo("web-0");
        assertThat(metadata.uid()).isEqualTo("u");
        assertThat(metadata.labels()).isEqualTo(Map.of("a", "2", "b", "1"));
        assertThat(metadata.annotations()).isEqualTo(Map.of("c", "3"));
        assertThat(metadata.terminating()).isTrue();
        assertThat(metadata.deletionTimestamp()).contains(Instant.parse("2026-01-01T00:00:30Z"));
        assertThat(metadata.deletionGracePeriodSeconds()).hasValue(30);
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "{}", "{\"labels\":null,\"deletionTimestamp\":null,\"ownerReferences\":null}"})
    void absentPartsAreEmpty(String json) {
        var metadata = metadata(json);

        assertThat(metadata.uid()).isEmpty();
        assertThat(metadata.labels()).isEmpty();
        assertThat(metadata.annotations()).isEmpty();
        assertThat(metadata.terminating()).isFalse();
        assertThat(metadata.deletionTimestamp()).isEmpty();
        assertThat(metadata.deletionGracePeriodSeconds()).isEmpty();
        assertThat(metadata.owners(NonObjects.REFUSED)).isEmpty();
        assertThat(metadata.findController()).isEmpty();
        assertThat(metadata.isControlledBy(List.of("Job"))).isFalse();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
        {"namespace":1}                                  | namespace                  | namespace is not text
        {"name":{}}                                      | name                       | name is not text
        {"uid":7}                                        | uid                        | uid is not text
        {"labels":[]}                                    | labels                     | labels is not an object
        {"labels":{"a":1}}                               | labels                     | labels is not text
        {"annotations":{"a":[]}}                         | annotations                | annotations is not text
        {"deletionTimestamp":5}                          | deletionTimestamp          | deletionTimestamp is not text
        {"deletionTimestamp":"soon"}                     | deletionTimestamp          | deletionTimestamp is not a time
        {"deletionGracePeriodSeconds":"30"}              | deletionGracePeriodSeconds | deletionGracePeriodSeconds is not a whole number from 0 on
        {"ownerReferences":{}}                           | owners                     | ownerReferences is not an array
        {"ownerReferences":[7]}                          | owners                     | ownerReferences is not an array of objects
        {"ownerReferences":"x"}                          | controller                 | ownerReferences is not an array
        {"ownerReferences":[{"controller":"true"}]}      | controller                 | controller is not true or false
        {"ownerReferences":5}                            | kinds                      | ownerReferences is not an array
        """)
    void partOfAWrongTypeIsNamed(String json, String part, String fault) {
        var metadata = metadata(json);

        assertThatExceptionOfType(UnreadableDocumentException.class)
                .isThrownBy(() -> Objects.requireNonNull(PARTS.get(part)).accept(metadata))
                .withMessage("cannot read /jobs/a: its %s", fault);
    }

    @Test
    void metadataThatAreNotAnObjectAreNamed() {
        assertThatExceptionOfType(UnreadableDocumentException.class)
                .isThrownBy(() -> metadata("[]"))
                .withMessage("cannot read /jobs/a: its metadata is not an object");
    }

    @Test
    void deletionHasBegunWhateverItsTimeIs() {
        assertThat(metadata("{\"deletionTimestamp\":5}").terminating()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
        {"metadata":{"deletionTimestamp":"2026-01-01T00:00:00Z"}} | true
        {"metadata":{"deletionTimestamp":null}}                   | false
        {"metadata":7}                                            | false
        {}                                                        | false
        """)
    void deletionOfAnObjectIsSeenWhateverItsMetadataAre(String json, boolean terminating) {
        assertThat(ObjectMeta.isTerminating(Json.readObject("/jobs/a", Bytes.ofUtf8(json))))
                .isEqualTo(terminating);
    }

    @Test
    void controllerIsTheFirstOwnerThatControls() {
        var metadata = owned("""
            [7,{"kind":"Node","name":"n"},{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web","uid":"u","controller":true},
             {"kind":"Job","controller":true}]
            """);

        var controller = metadata.findController().orElseThrow();

        assertThat(controller.apiVersion()).isEqualTo("apps/v1");
        assertThat(controller.kind()).isEqualTo("ReplicaSet");
        assertThat(controller.name()).isEqualTo("web");
        assertThat(controller.uid()).isEqualTo("u");
        assertThat(metadata.owners(NonObjects.EMPTY))
                .extracting(OwnerReference::kind)
                .containsExactly("", "Node", "ReplicaSet", "Job");
    }

    @Test
    void fieldsOfOtherOwnersMayBeAnything() {
        var metadata = owned("""
            [{"kind":5,"name":[]},{"kind":"Job","uid":7,"controller":true},{"controller":"perhaps"}]
            """);

        var controller = metadata.findController().orElseThrow();

        assertThat(controller.kind()).isEqualTo("Job");
        assertThatExceptionOfType(UnreadableDocumentException.class)
                .isThrownBy(controller::uid)
                .withMessage("cannot read /jobs/a: its uid is not text");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
        [{"kind":"Job","controller":true}]                                   | true
        [{"kind":"CronJob","controller":true}]                               | true
        [{"kind":"Job"}]                                                     | false
        [{"kind":"Job","controller":false},{"kind":"Node","controller":true}] | false
        [7,{"kind":5,"controller":"perhaps"},{"kind":"Job","controller":true}] | true
        [7,{"kind":5,"controller":true}]                                     | false
        """)
    void kindOfTheControllerIsComparedAsFarAsItCanBeRead(String references, boolean controlled) {
        assertThat(owned(references).isControlledBy(List.of("Job", "CronJob"))).isEqualTo(controlled);
    }
}
