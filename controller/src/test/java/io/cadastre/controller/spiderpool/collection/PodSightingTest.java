package io.cadastre.controller.spiderpool.collection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.cadastre.address.Address;
import io.cadastre.controller.spiderpool.collection.PodSighting.Owner;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Document;
import io.cadastre.engine.pool.PodKey;
import io.cadastre.engine.pool.collect.ObservedPod.Deletion;
import io.cadastre.engine.pool.collect.ObservedPod.End;
import io.cadastre.engine.pool.collect.ObservedPod.Phase;
import io.cadastre.engine.pool.collect.ObservedPod.Reported;
import io.cadastre.wire.json.UnreadableDocumentException;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What the collection sees of a Pod.
class PodSightingTest {

    private static final PodKey WEB = new PodKey("shop", "web-0");

    private static PodSighting read(String json) {
        return PodSighting.read(WEB, new Document("/cadastre/api/v1/pods/shop/web-0", Bytes.ofUtf8(json), 7));
    }

    @Test
    void podIsSeenAsItsDocumentShowsIt() {
        var pod = read("""
            {"metadata":{"uid":"u","labels":5,"deletionTimestamp":"2026-01-01T00:00:30Z","deletionGracePeriodSeconds":10,
               "ownerReferences":[7,{"kind":5},
                 {"apiVersion":"kubevirt.io/v1","kind":"VirtualMachineInstance","name":"db","uid":5,"controller":true}]},
             "spec":{"nodeName":"node-1","restartPolicy":5,"terminationGracePeriodSeconds":20},
             "status":{"phase":"Running","reason":5,"podIP":"10.0.0.1",
               "podIPs":[7,{"ip":"10.0.0.1"},{"ip":"fd00:0::1"},{"ip":"nonsense"}],
               "containerStatuses":[7,{"state":{"terminated":{"finishedAt":"2026-01-01T00:00:02Z"}}},
                 {"state":{"terminated":{"finishedAt":"2026-01-01T00:00:01Z"}}},{"state":{"running":{}}}]}}
            """);

        assertThat(pod.revision()).isEqualTo(7);
        assertThat(pod.uid()).isEqualTo("u");
        assertThat(pod.phase()).isEqualTo(Phase.RUNNING);
        assertThat(pod.deletion())
                .isEqualTo(new Deletion.Begun(Instant.parse("2026-01-01T00:00:30Z"), Duration.ofSeconds(10)));
        assertThat(pod.end()).isEqualTo(new End.At(Instant.parse("2026-01-01T00:00:02Z"), Duration.ofSeconds(20)));
        assertThat(pod.reported()).isEqualTo(Reported.OWN);
        assertThat(pod.addresses()).containsExactly(Address.parse("10.0.0.1"), Address.parse("fd00::1"));
        assertThat(pod.owner()).isEqualTo(new Owner("kubevirt.io/v1", "VirtualMachineInstance", "db"));
        assertThat(pod.machine()).contains(new PodKey("shop", "db"));
        assertThat(pod.node()).isEqualTo("node-1");
    }

    @Test
    void podThatSaysNothingIsPendingAndOfNothing() {
        var pod = read("{}");

        assertThat(pod.uid()).isEmpty();
        assertThat(pod.phase()).isEqualTo(Phase.PENDING);
        assertThat(pod.deletion()).isEqualTo(new Deletion.NotBegun());
        assertThat(pod.end()).isEqualTo(new End.Unknown());
        assertThat(pod.reported()).isEqualTo(Reported.NONE);
        assertThat(pod.addresses()).isEmpty();
        assertThat(pod.owner()).isEqualTo(new Owner("", "", ""));
        assertThat(pod.machine()).isEmpty();
    }

    @Test
    void graceIsThatOfThePodWhereItsDeletionHasNone() {
        var own = read("{\"metadata\":{\"deletionTimestamp\":\"2026-01-01T00:00:30Z\"},"
                + "\"spec\":{\"terminationGracePeriodSeconds\":20}}");
        var neither = read("{\"metadata\":{\"deletionTimestamp\":\"2026-01-01T00:00:30Z\"}}");

        var end = Instant.parse("2026-01-01T00:00:30Z");
        assertThat(own.deletion()).isEqualTo(new Deletion.Begun(end, Duration.ofSeconds(20)));
        assertThat(neither.deletion()).isEqualTo(new Deletion.Begun(end, Duration.ofSeconds(30)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
        {"spec":{"hostNetwork":true},"status":{"podIP":"10.0.0.1"}} | OF_NODE
        {"status":{"podIP":"10.0.0.1"}}                             | OWN
        {"status":{"podIPs":[{"ip":"10.0.0.1"}]}}                   | OWN
        {"status":{"podIPs":[{}]}}                                  | OWN
        {"status":{"podIPs":[7]}}                                   | OWN
        {"status":{"podIP":"","podIPs":[]}}                         | NONE
        """)
    void podReportsAddressesIfItListsAny(String json, Reported reported) {
        assertThat(read(json).reported()).isEqualTo(reported);
    }

    @ParameterizedTest
    @CsvSource({
        "Pending,PENDING",
        "Running,RUNNING",
        "Succeeded,ENDED",
        "Failed,ENDED",
        "Unknown,UNKNOWN",
        "Strange,UNKNOWN"
    })
    void phaseIsThatOfTheStatus(String phase, Phase seen) {
        assertThat(read("{\"status\":{\"phase\":\"%s\"}}".formatted(phase)).phase())
                .isEqualTo(seen);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
        {"metadata":5}                                                  | metadata is not an object
        {"spec":5}                                                      | spec is not an object
        {"status":5}                                                    | status is not an object
        {"metadata":{"uid":7}}                                          | uid is not text
        {"metadata":{"deletionTimestamp":5}}                            | deletionTimestamp is not text
        {"metadata":{"deletionTimestamp":"soon"}}                       | deletionTimestamp is not a time
        {"metadata":{"ownerReferences":5}}                              | ownerReferences is not an array
        {"metadata":{"ownerReferences":[{"controller":1}]}}             | controller is not true or false
        {"spec":{"hostNetwork":1}}                                      | hostNetwork is not true or false
        {"spec":{"terminationGracePeriodSeconds":-1}}                   | terminationGracePeriodSeconds is not a whole number from 0 on
        {"status":{"podIPs":{}}}                                        | podIPs is not an array
        {"status":{"podIPs":[{"ip":1}]}}                                | ip is not text
        {"status":{"containerStatuses":[{"state":{"terminated":{"finishedAt":"late"}}}]}} | finishedAt is not a time
        """)
    void wrongPartIsNamed(String json, String fault) {
        assertThatExceptionOfType(UnreadableDocumentException.class)
                .isThrownBy(() -> read(json))
                .withMessage("cannot read /cadastre/api/v1/pods/shop/web-0: its %s", fault);
    }
}
