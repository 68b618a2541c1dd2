package io.cadastre.datastore.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.DatastoreException.Kind;
import io.cadastre.datastore.Watch.Notice;
import io.cadastre.datastore.Write;
import io.grpc.MethodDescriptor.MethodType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// What etcd keeps, and what happens where it or we have a limit.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EtcdLimitsTest {

    private static final Duration AMPLE = Duration.ofSeconds(60);
    private static final Bytes LARGEST = Bytes.of(new byte[Datastore.VALUE_BYTES_MAX]);

    private EtcdProcess etcd;
    private EtcdDatastore store;

    @BeforeAll
    void start(@TempDir Path directory) throws IOException {
        etcd = EtcdProcess.start(directory);
        store = EtcdDatastore.open(etcd.settings().withCallLimit(AMPLE));
    }

    @AfterAll
    void stop() {
        if (store != null) {
            store.close();
            etcd.close();
        }
    }

    @BeforeEach
    void wipe() throws IOException {
        etcd.wipe();
    }

    @Test
    void etcdHoldsKeyAndValueAsTheyAre() throws IOException {
        var value = new byte[256];
        for (int index = 0; index < value.length; index++) {
            value[index] = (byte) index;
        }

        store.commit(List.of(new Write.Create("/calico/é", Bytes.of(value))));

        var shown = etcd.etcdctl("get", "/calico/", "--prefix", "--write-out=json");
        assertThat(shown)
                .contains("\"count\":1")
                .contains("\"key\":\"%s\"".formatted(base64("/calico/é".getBytes(StandardCharsets.UTF_8))))
                .contains("\"value\":\"%s\"".formatted(base64(value)));
    }

    @Test
    void whatOthersWroteIsRead() throws IOException {
        etcd.etcdctl("put", "a", "by etcdctl");

        var found = store.get("a").orElseThrow();

        assertThat(found.value()).isEqualTo(Bytes.ofUtf8("by etcdctl"));
        assertThat(store.commit(List.of(new Write.Delete("a", found.revision()))))
                .isInstanceOf(Commit.Done.class);
    }

    @Test
    void keyThatIsNotTextIsNamedAndRefused() {
        putRaw(new byte[] {'a', '/', (byte) 0xff});

        var failure = catchThrowableOfType(DatastoreException.class, () -> store.list("a/", 10));

        assertThat(failure.kind()).isEqualTo(Kind.FOREIGN);
        assertThat(failure).hasMessageContaining("0x612fff");
    }

    @Test
    void commitThatEtcdFindsTooLargeHasNoEffect() {
        // etcd takes 1.5 MiB; its gRPC server half a MiB more, and then says so in other words.
        for (int count : List.of(2, 4)) {
            var writes = new ArrayList<Write>();
            for (int index = 0; index < count; index++) {
                writes.add(new Write.Create("a/" + index, LARGEST));
            }

            var failure = catchThrowableOfType(DatastoreException.class, () -> store.commit(writes));

            assertThat(failure.kind()).isEqualTo(Kind.FAILED);
            assertThat(failure).hasMessageContaining(etcd.endpoint().toString()).hasMessageContaining("bytes");
            assertThat(store.list("a/", 10).documents()).isEmpty();
        }
    }

    @Test
    void watchThatMayHaveMissedADeletionMustListAgain() throws IOException {
        var created = (Commit.Done) store.commit(List.of(new Write.Create("a", Bytes.ofUtf8("1"))));
        long creation = created.revisions().getFirst();
        var deleted = (Commit.Done) store.commit(List.of(new Write.Delete("a", creation)));
        long deletion = deleted.revisions().getFirst();

        // etcd lets a watch begin at the deletion, and does not tell it.
        etcd.etcdctl("compact", "--physical=true", Long.toString(deletion));

        try (var watch = store.watch("a", creation)) {
            assertThat(watch.next(AMPLE)).isEqualTo(new Notice.Compacted(deletion));
        }
    }

    @Test
    void compactedPageTellsTheOldestRevision() throws IOException {
        store.commit(List.of(new Write.Create("a/1", LARGEST), new Write.Create("a/2", Bytes.ofUtf8("1"))));
        var cursor = store.list("a/", 1).next().orElseThrow();
        var last = (Commit.Done) store.commit(List.of(new Write.Create("b", Bytes.ofUtf8("1"))));
        long newest = last.revisions().getFirst();

        etcd.etcdctl("compact", Long.toString(newest));

        var failure = catchThrowableOfType(DatastoreException.class, () -> store.list(cursor, 1));
        assertThat(failure.kind()).isEqualTo(Kind.COMPACTED);
        assertThat(failure).hasMessageContaining("oldest revision is " + newest);
    }

    /// The transaction that crosses the quota is applied and yet answered as if it were not, so 128
    /// are sent at once.
    @Test
    void commitsToAFullStoreReportTrueOutcomes(@TempDir Path directory) throws Exception {
        var value = Bytes.of(new byte[Datastore.VALUE_BYTES_MAX / 4]);
        try (var small = EtcdProcess.start(directory, "--quota-backend-bytes=" + (8 << 20));
                var full = EtcdDatastore.open(small.settings().withCallLimit(AMPLE));
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var outcomes = new TreeMap<String, Future<Commit>>();
            for (int index = 0; index < 128; index++) {
                var key = "a/" + index;
                outcomes.put(key, threads.submit(() -> full.commit(List.of(new Write.Create(key, value)))));
            }

            for (var outcome : outcomes.entrySet()) {
                checkTrue(full, outcome.getKey(), outcome.getValue());
            }
            var later = new AtomicInteger();
            await().atMost(AMPLE).until(() -> {
                var key = "b/" + later.incrementAndGet();
                var create = List.<Write>of(new Write.Create(key, value));
                return checkTrue(full, key, threads.submit(() -> full.commit(create)));
            });
        }
    }

    /// Compares the outcome of a creation with the store. Returns whether it was refused.
    private static boolean checkTrue(Datastore store, String key, Future<Commit> outcome) throws Exception {
        try {
            var told = outcome.get(AMPLE.toSeconds(), TimeUnit.SECONDS);
            assertThat(told).isNotInstanceOf(Commit.Conflict.class);
            assertThat(told instanceof Commit.Unknown || store.get(key).isPresent())
                    .isTrue();
            return false;
        } catch (ExecutionException failed) {
            assertThat(failed.getCause())
                    .isInstanceOfSatisfying(
                            DatastoreException.class,
                            failure -> assertThat(failure.kind()).isEqualTo(Kind.FULL))
                    .hasMessageContaining("space quota");
            assertThat(store.get(key)).as(key).isEmpty();
            return true;
        }
    }

    private void putRaw(byte[] key) {
        var put = Rpc.procedure("etcdserverpb.KV/Put", MethodType.UNARY);
        try (var client = new EtcdClient(etcd.settings(), List.of(etcd.endpoint()))) {
            var request = new ProtoWriter().bytes(1, key).bytes(2, new byte[] {1});
            client.read(put, request, client.deadline());
        }
    }

    private static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }
}
