package io.cadastre.wire.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Document;
import io.cadastre.wire.json.FieldSelection;
import io.cadastre.wire.json.Fields.NonObjects;
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

/// What is read of a Pod.
class PodDocumentTest {

    private static final String KEY = "/cadastre/api/v1/pods/shop/web-0";

    /// The parts, by the names of their methods.
    private static final Map<String, Consumer<PodDocument>> PARTS = Map.ofEntries(
            Map.entry("metadata", PodDocument::metadata),
            Map.entry("nodeName", PodDocument::nodeName),
            Map.entry("hostNetwork", PodDocument::hostNetwork),
            Map.entry("serviceAccountName", PodDocument::serviceAccountName),
            Map.entry("restartPolicy", PodDocument::restartPolicy),
            Map.entry("terminationGracePeriodSeconds", PodDocument::terminationGracePeriodSeconds),
            Map.entry("containerPorts", PodDocument::containerPorts),
            Map.entry("phase", PodDocument::phase),
            Map.entry("reason", PodDocument::reason),
            Map.entry("containerEnds", PodDocument::containerEnds),
            Map.entry("podIp", PodDocument::podIp),
            Map.entry("podIps", pod -> pod.podIps(NonObjects.EMPTY)),
            Map.entry("podIps of objects only", pod -> pod.podIps(NonObjects.REFUSED)),
            Map.entry("addresses", pod -> pod.addresses(NonObjects.EMPTY)));

    private static Document document(String json) {
        return new Document(KEY, Bytes.ofUtf8(json), 7);
    }

    private static PodDocument pod(String json) {
        return PodDocument.read(document(json));
    }

    @Test
    void keyHasTheNamespaceAndTheName() {
        assertThat(PodDocument.key("shop", "web-0")).isEqualTo(KEY);
        assertThat(PodDocument.name(KEY, List::of)).contains(List.of("shop", "web-0"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "web-0", "/web-0", "shop/", "shop/web-0/status"})
    void otherKeysAreOfNoPod(String rest) {
        assertThat(PodDocument.name(CoreKeys.PODS + rest, List::of)).isEmpty();
    }

    @Test
    void allPartsOfAPodAreRead() {
        var pod = pod("""
            {"metadata":{"name":"web-0","uid":"u"},
             "spec":{"nodeName":"node-1","hostNetwork":true,"serviceAccountName":"seller","restartPolicy":"Never",
                     "terminationGracePeriodSeconds":5,
                     "containers":[{"ports":[{"name":"http"},{"hostPort":80}]},{},{"ports":[{"name":"dns"}]}]},
             "status":{"phase":"Failed","reason":"Evicted","podIP":"10.0.0.1","podIPs":[{"ip":"10.0.0.1"},{"ip":"fd00::1"}],
                       "containerStatuses":[{"state":{"terminated":{"finishedAt":"2026-01-01T01:00:00+01:00"}}},
                                            {"state":{"running":{}}}]}}
            """);

        assertThat(pod.metadata().uid()).isEqualTo("u");
        assertThat(pod.nodeName()).isEqualTo("node-1");
        assertThat(pod.hostNetwork()).isTrue();
        assertThat(pod.serviceAccountName()).isEqualTo("seller");
        assertThat(pod.restartPolicy()).isEqualTo("Never");
        assertThat(pod.terminationGracePeriodSeconds()).hasValue(5);
        assertThat(pod.containerPorts())
                .extracting(Objects::toString)
                .containsExactly("{\"name\":\"http\"}", "{\"hostPort\":80}", "{\"name\":\"dns\"}");
        assertThat(pod.phase()).isEqualTo("Failed");
        assertThat(pod.reason()).isEqualTo("Evicted");
        assertThat(pod.containerEnds()).containsExactly(Instant.parse("2026-01-01T00:00:00Z"));
        assertThat(pod.addresses(NonObjects.REFUSED)).containsExactly("10.0.0.1", "fd00::1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{'metadata':null,'spec':null,'status':null}",
                "{'spec':{'nodeName':null,'hostNetwork':null,'restartPolicy':null,'terminationGracePeriodSeconds':null,"
                    + "'containers':null},'status':{'phase':null,'podIP':null,'podIPs':null,'containerStatuses':null}}"
            })
    void absentPartsAreEmpty(String json) {
        var pod = pod(json.replace('\'', '"'));

        assertThat(pod.metadata().json()).isEmpty();
        assertThat(pod.nodeName()).isEmpty();
        assertThat(pod.hostNetwork()).isFalse();
        assertThat(pod.serviceAccountName()).isEmpty();
        assertThat(pod.restartPolicy()).isEqualTo("Always");
        assertThat(pod.terminationGracePeriodSeconds()).isEmpty();
        assertThat(pod.containerPorts()).isEmpty();
        assertThat(pod.phase()).isEmpty();
        assertThat(pod.reason()).isEmpty();
        assertThat(pod.ended()).isFalse();
        assertThat(pod.containerEnds()).isEmpty();
        assertThat(pod.podIp()).isEmpty();
        assertThat(pod.podIps(NonObjects.REFUSED)).isEmpty();
        assertThat(pod.addresses(NonObjects.REFUSED)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
        {"metadata":5}                                      | metadata                      | metadata is not an object
        {"spec":[]}                                         | nodeName                      | spec is not an object
        {"spec":{"nodeName":5}}                             | nodeName                      | nodeName is not text
        {"spec":{"hostNetwork":"true"}}                     | hostNetwork                   | hostNetwork is not true or false
        {"spec":{"serviceAccountName":{}}}                  | serviceAccountName            | serviceAccountName is not text
        {"spec":{"restartPolicy":1}}                        | restartPolicy                 | restartPolicy is not text
        {"spec":{"terminationGracePeriodSeconds":-1}}       | terminationGracePeriodSeconds | terminationGracePeriodSeconds is not a whole number from 0 on
        {"spec":{"containers":{}}}                          | containerPorts                | containers is not an array
        {"spec":{"containers":["a"]}}                       | containerPorts                | containers is not an array of objects
        {"spec":{"containers":[{"ports":[80]}]}}            | containerPorts                | ports is not an array of objects
        {"status":"Running"}                                | phase                         | status is not an object
        {"status":{"phase":5}}                              | phase                         | phase is not text
        {"status":{"reason":true}}                          | reason                        | reason is not text
        {"status":{"podIP":5}}                              | podIp                         | podIP is not text
        {"status":{"podIPs":"10.0.0.1"}}                    | podIps                        | podIPs is not an array
        {"status":{"podIPs":["10.0.0.1"]}}                  | podIps of objects only        | podIPs is not an array of objects
        {"status":{"podIPs":[null]}}                        | podIps of objects only        | podIPs is not an array of objects
        {"status":{"podIPs":[{"ip":5}]}}                    | podIps                        | ip is not text
        {"status":{"podIPs":[{"ip":5}]}}                    | addresses                     | ip is not text
        {"status":{"containerStatuses":[{"state":5}]}}      | containerEnds                 | state is not an object
        {"status":{"containerStatuses":[{"state":{"terminated":{"finishedAt":"late"}}}]}} | containerEnds | finishedAt is not a time
        """)
    void partOfAWrongTypeIsNamed(String json, String part, String fault) {
        var pod = pod(json);

        assertThatExceptionOfType(UnreadableDocumentException.class)
                .isThrownBy(() -> Objects.requireNonNull(PARTS.get(part)).accept(pod))
                .withMessage("cannot read %s: its %s", KEY, fault);
    }

    @Test
    void partThatIsNotAskedForMayBeAnything() {
        var pod = pod("{\"metadata\":5,\"spec\":{\"nodeName\":\"node-1\",\"containers\":7},\"status\":[]}");

        assertThat(pod.nodeName()).isEqualTo("node-1");
    }

    @Test
    void documentThatIsNotAnObjectIsUnreadable() {
        assertThatExceptionOfType(UnreadableDocumentException.class)
                .isThrownBy(() -> pod("[]"))
                .withMessage("cannot read %s: it is not a JSON object", KEY);
    }

    @Test
    void fieldsThatAreNotWantedAreNotKept() {
        var wanted = FieldSelection.of(List.of(List.of("spec", "nodeName")));

        var pod = PodDocument.read(
                document("{\"spec\":{\"nodeName\":\"node-1\",\"restartPolicy\":\"Never\"},\"status\":5}"), wanted);

        assertThat(pod.json()).hasToString("{\"spec\":{\"nodeName\":\"node-1\"}}");
        assertThat(pod.nodeName()).isEqualTo("node-1");
        assertThat(pod.phase()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"Pending,false", "Running,false", "Unknown,false", "Succeeded,true", "Failed,true"})
    void podThatSucceededOrFailedHasEnded(String phase, boolean ended) {
        assertThat(pod("{\"status\":{\"phase\":\"%s\"}}".formatted(phase)).ended())
                .isEqualTo(ended);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
        "podIP":"10.0.0.1"                                                  | 10.0.0.1
        "podIPs":[{"ip":"10.0.0.1"},{"ip":"fd00::1"}]                       | 10.0.0.1 fd00::1
        "podIP":"10.0.0.1","podIPs":[{"ip":"10.0.0.1"},{"ip":"fd00::1"}]    | 10.0.0.1 fd00::1
        "podIP":"fd00::1","podIPs":[{"ip":"10.0.0.1"},{"ip":"fd00::1"}]     | fd00::1 10.0.0.1
        "podIP":"","podIPs":[{},{"ip":""},{"ip":"10.0.0.1"}]                | 10.0.0.1
        "podIP":"10.0.0.1","podIPs":[7,"10.0.0.2",null,{"ip":"10.0.0.3"}]   | 10.0.0.1 10.0.0.3
        """)
    void addressesAreTheFirstOneAndThenAllOthers(String status, String addresses) {
        var pod = pod("{\"status\":{%s}}".formatted(status));

        assertThat(pod.addresses(NonObjects.EMPTY)).containsExactly(addresses.split(" ", -1));
    }

    @Test
    void entriesWithoutAnAddressAreCounted() {
        var pod = pod("{\"status\":{\"podIPs\":[{},7,{\"ip\":\"10.0.0.1\"}],\"containerStatuses\":[7]}}");

        assertThat(pod.podIps(NonObjects.EMPTY)).containsExactly("", "", "10.0.0.1");
        assertThat(pod.containerEnds()).isEmpty();
    }
}
