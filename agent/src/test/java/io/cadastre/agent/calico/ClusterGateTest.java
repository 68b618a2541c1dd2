package io.cadastre.agent.calico;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.ForwardingDatastore;
import io.cadastre.datastore.Listing;
import io.cadastre.datastore.Watch;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.wire.calico.CalicoKey;
import io.cadastre.wire.cni.CniCode;
import io.cadastre.wire.cni.CniException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// What a cluster that is being migrated allows.
class ClusterGateTest {

    /// A store whose watches report nothing, as one whose connection died in silence.
    private record SilentStore(MemoryDatastore store, MemoryDatastore other, CountDownLatch watched)
            implements ForwardingDatastore {

        @Override
        public Watch watch(String prefix, long after) {
            watched.countDown();
            return other.watch(prefix, 0);
        }
    }

    /// A cluster that has no kinds of Calico.
    private record OtherCluster(MemoryDatastore store) implements ForwardingDatastore {

        @Override
        public Optional<Document> get(String key) {
            throw new DatastoreException(DatastoreException.Kind.NOT_INSTALLED, "there is no such kind");
        }

        @Override
        public Listing list(String prefix, int limit) {
            throw new DatastoreException(DatastoreException.Kind.NOT_INSTALLED, "there is no such kind");
        }
    }

    @Test
    void clusterWithoutTheKindIsOpenAndIsNotAskedForItEverySecond() throws Exception {
        var pauses = new ArrayBlockingQueue<Duration>(10);
        try (var store = new MemoryDatastore();
                var gate = ClusterGate.begin(new OtherCluster(store), duration -> {
                    pauses.put(duration);
                    new CountDownLatch(1).await();
                })) {

            assertThatCode(gate::requireOpen).doesNotThrowAnyException();
            assertThatCode(gate::requireOpenNow).doesNotThrowAnyException();

            assertThat(pauses.poll(30, TimeUnit.SECONDS)).isEqualTo(Duration.ofMinutes(1));
        }
    }

    private static void shut(Datastore store) {
        var closed = Bytes.ofUtf8("""
            {"kind":"ClusterInformation","apiVersion":"projectcalico.org/v3",\
            "metadata":{"name":"default"},"spec":{"datastoreReady":false}}\
            """);
        assertThat(store.commit(List.of(new Write.Create(new CalicoKey.OfClusterInformation().text(), closed))))
                .isInstanceOf(Commit.Done.class);
    }

    @Test
    void callerThatNeedsTheStateOfThisMomentIsNotAnsweredByASilentWatch() throws Exception {
        try (var store = new MemoryDatastore();
                var other = new MemoryDatastore()) {
            var silent = new SilentStore(store, other, new CountDownLatch(1));
            try (var gate = ClusterGate.begin(
                    silent, duration -> new CountDownLatch(1).await(duration.toNanos(), TimeUnit.NANOSECONDS))) {
                assertThat(silent.watched().await(30, TimeUnit.SECONDS)).isTrue();
                shut(store);

                var refused = catchThrowableOfType(CniException.class, gate::requireOpenNow);

                assertThat(refused.error().is(CniCode.TRY_AGAIN_LATER)).isTrue();
                assertThatCode(gate::requireOpen).as("what the watch knows").doesNotThrowAnyException();
            }
        }
    }
}
