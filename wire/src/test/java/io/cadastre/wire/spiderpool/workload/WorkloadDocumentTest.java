package io.cadastre.wire.spiderpool.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.cadastre.datastore.Bytes;
import io.cadastre.wire.json.UnreadableDocumentException;
import io.cadastre.wire.spiderpool.workload.WorkloadDocument.Eligibility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What is read of an application.
class WorkloadDocumentTest {

    private static WorkloadDocument read(WorkloadKind kind, String json) {
        var application = kind.application(kind.keys() + "ns1/web").orElseThrow();
        return WorkloadDocument.read(kind, application, Bytes.ofUtf8(json));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        DEPLOYMENT   | {"spec":{"replicas":3}}                              | 3
        REPLICA_SET  | {"spec":{}}                                          | 0
        STATEFUL_SET | {"spec":{"replicas":2}}                              | 2
        DAEMON_SET   | {"status":{"desiredNumberScheduled":3}}              | 3
        DAEMON_SET   | {"spec":{}}                                          | 0
        JOB          | {"spec":{"completions":4,"parallelism":2}}           | 4
        JOB          | {"spec":{}}                                          | 1
        JOB          | {"spec":{"parallelism":0}}                           | 1
        CRON_JOB     | {"spec":{"jobTemplate":{"spec":{"parallelism":2}}}}  | 2
        CLONE_SET    | {"spec":{"replicas":5}}                              | 0
        """)
    @DisplayName("C91, C92: how many replicas each kind counts with")
    void c91Replicas(WorkloadKind kind, String json, long replicas) {
        assertThat(read(kind, json).replicas()).isEqualTo(replicas);
    }

    @Test
    void annotationsAreThoseOfThePods() {
        var deployment = read(WorkloadKind.DEPLOYMENT, """
            {"metadata":{"uid":"u","annotations":{"a":"own"}},"spec":{"template":{"metadata":{"annotations":{"a":"pods"}}}}}
            """);
        var cronJob = read(WorkloadKind.CRON_JOB, """
            {"spec":{"jobTemplate":{"spec":{"template":{"metadata":{"annotations":{"a":"pods"}}}}}}}
            """);

        assertThat(deployment.annotations()).containsEntry("a", "pods");
        assertThat(deployment.uid()).isEqualTo("u");
        assertThat(cronJob.annotations()).containsEntry("a", "pods");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        DEPLOYMENT  | {}                                                                              | SERVED
        DEPLOYMENT  | {"spec":{"template":{"spec":{"hostNetwork":true}}}}                             | HOST_NETWORK
        REPLICA_SET | {"metadata":{"ownerReferences":[{"kind":"Deployment","controller":true}]}}      | CONTROLLED
        REPLICA_SET | {"metadata":{"ownerReferences":[{"kind":"Rollout","controller":true}]}}         | SERVED
        REPLICA_SET | {"metadata":{"ownerReferences":[7,{"kind":5,"controller":"perhaps"}]}}           | SERVED
        JOB         | {"metadata":{"ownerReferences":[{"kind":"CronJob","controller":true}]}}         | CONTROLLED
        DEPLOYMENT  | {"metadata":{"deletionTimestamp":"2026-11-15T08:20:11Z"}}                       | LEAVING
        """)
    @DisplayName("C101: which applications are served")
    void c101Eligibility(WorkloadKind kind, String json, Eligibility eligibility) {
        assertThat(read(kind, json).eligibility()).isEqualTo(eligibility);
    }

    @Test
    void fieldOfAnotherTypeIsAnError() {
        assertThatExceptionOfType(UnreadableDocumentException.class)
                .isThrownBy(() -> read(WorkloadKind.DEPLOYMENT, "{\"spec\":{\"replicas\":\"many\"}}"))
                .withMessageContaining("replicas");
    }

    @Test
    void keyThatIsNoObjectsNamesNoApplication() {
        assertThat(WorkloadKind.JOB.application(WorkloadKind.JOB.keys() + "ns1/a/b"))
                .isEmpty();
        assertThat(WorkloadKind.JOB.application(WorkloadKind.JOB.keys() + "ns1/"))
                .isEmpty();
    }
}
