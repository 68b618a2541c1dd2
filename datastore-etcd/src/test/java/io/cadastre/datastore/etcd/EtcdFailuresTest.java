package io.cadastre.datastore.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class EtcdFailuresTest {

    private static final EtcdEndpoint ENDPOINT = EtcdEndpoint.parse("https://etcd.test:2379");
    private static final Duration LIMIT = Duration.ofSeconds(5);

    /// What gRPC makes of a connection that was cut below it.
    private static final Status CUT =
            Status.UNKNOWN.withDescription("channel closed").withCause(new ClosedChannelException());

    @Test
    void readOnAConnectionThatWasCutMayPassLater() {
        assertThat(EtcdFailures.mayPass(CUT)).isTrue();
        assertThat(EtcdFailures.sentence(new EtcdReply.Ended(CUT, ENDPOINT), LIMIT))
                .isEqualTo("the connection to etcd at https://etcd.test:2379 broke before the answer" + " came");
    }

    @Test
    void commitOnAConnectionThatWasCutIsNotTakenForRefused() {
        assertThat(EtcdFailures.certainlyNotApplied(CUT)).isFalse();
    }

    static Stream<Status> wordless() {
        return Stream.of(
                Status.INTERNAL,
                Status.UNAVAILABLE.withCause(new ClosedChannelException()),
                Status.UNAVAILABLE.withCause(new IllegalStateException()),
                Status.UNAVAILABLE.withCause(new SSLException((String) null)));
    }

    @ParameterizedTest
    @MethodSource("wordless")
    void failureWithoutAMessageIsNotPrintedAsNull(Status status) {
        assertThat(EtcdFailures.whyUnsent(status, LIMIT)).isNotBlank().doesNotContain("null");
        assertThat(EtcdFailures.sentence(new EtcdReply.Ended(status, ENDPOINT), LIMIT))
                .doesNotContain("null");
    }
}
