package io.cadastre.datastore.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.DatastoreException.Kind;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Load;
import io.cadastre.datastore.Watch;
import io.cadastre.datastore.Watch.Change;
import io.cadastre.datastore.Watch.Notice;
import io.cadastre.datastore.Write;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// What callers see while the API server is killed, hangs or comes back. It runs as in a cluster, with
/// its cache of recent changes.
class KubernetesFaultTest {

    private static final Duration AMPLE = Duration.ofSeconds(60);

    /// A server that is coming back does not know its users or kinds yet.
    private static final Set<Kind> WHILE_AWAY = EnumSet.of(Kind.UNREACHABLE, Kind.DEADLINE, Kind.DENIED, Kind.FAILED);

    @RegisterExtension
    static final SharedApiServer API = new SharedApiServer();

    @Test
    void restartUnderLoadLosesNoAcknowledgedCommit() throws Exception {
        try (var store = API.open(Duration.ofSeconds(5));
                var load = new Load(store, 8, WHILE_AWAY)) {
            load.awaitProgress(20);

            API.server().restart();

            load.awaitProgress(20);
            load.stopAndCheck(store);
        }
    }

    @Test
    void commitsToAServerThatHangsAreUnknownAndNeverFailures() throws Exception {
        try (var store = API.open(Duration.ofSeconds(1));
                var load = new Load(store, 8, WHILE_AWAY)) {
            load.awaitProgress(20);

            API.server().freeze();
            try {
                load.awaitUnknown(8);
            } finally {
                API.server().proceed();
            }

            load.awaitProgress(20);
            load.stopAndCheck(store);
        }
    }

    @Test
    void callsThatWereUnderWayWhenTheServerHungAreUnknown() throws Exception {
        try (var store = API.open(Duration.ofSeconds(3));
                var patient = API.open(AMPLE);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var commits = new ArrayList<Future<Commit>>();
            // Each has its connection already, so that the request is sent.
            for (int caller = 0; caller < 16; caller++) {
                var key = "a/" + caller;
                commits.add(threads.submit(() -> store.commit(List.of(create(key)))));
            }
            for (var commit : commits) {
                commit.get(AMPLE.toSeconds(), TimeUnit.SECONDS);
            }

            API.server().freeze();
            Commit told;
            try {
                told = store.commit(List.of(create("b")));
            } finally {
                API.server().proceed();
            }

            assertThat(told).isInstanceOf(Commit.Unknown.class);
            assertThat(patient.list("a/", 100).documents()).hasSize(16);
        }
    }

    @Test
    void watchGoesOnAcrossAHangWithoutGapOrRepeat() throws Exception {
        try (var store = API.open(AMPLE);
                var watch = store.watch("a/", store.list("", 1).revision())) {
            var written = new ArrayList<Document>();
            var told = new ArrayList<Document>();
            written.add(put(store, "a/1"));
            told.add(next(watch));

            API.server().freeze();
            try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
                var writing = threads.submit(() -> put(store, "a/2"));
                API.server().proceed();
                written.add(writing.get(AMPLE.toSeconds(), TimeUnit.SECONDS));
            }
            written.add(put(store, "a/3"));

            told.add(next(watch));
            told.add(next(watch));
            assertThat(told).isEqualTo(written);
            assertThat(watch.next(Duration.ZERO)).isEqualTo(new Notice.Quiet());
        }
    }

    @Test
    void watchAcrossARestartGoesOnOrSaysThatItMissedSomething() throws Exception {
        try (var store = API.open(AMPLE);
                var watch = store.watch("a/", store.list("", 1).revision())) {
            var first = put(store, "a/1");
            assertThat(next(watch)).isEqualTo(first);

            API.server().restart();
            var second = put(store, "a/2");
            var notice = watch.next(AMPLE);

            // A server that has just started knows the changes since its start, and says so.
            if (notice instanceof Notice.Compacted(var oldest)) {
                assertThat(oldest).isGreaterThan(first.revision());
                assertThat(store.list("a/", 10).documents()).containsExactly(first, second);
            } else {
                assertThat(notice).isEqualTo(new Notice.Changed(second.revision(), List.of(new Change.Put(second))));
            }
        }
    }

    @Test
    void watchSaysThatTheServerIsAwayAndGoesOnWhenItIsBack() throws Exception {
        try (var hasty = API.open(Duration.ofMillis(500));
                var watch = hasty.watch("a/", hasty.list("", 1).revision())) {
            watch.next(Duration.ZERO);

            API.server().kill();
            try {
                var said = catchThrowableOfType(DatastoreException.class, () -> watch.next(Duration.ofSeconds(2)));
                assertThat(said.kind()).isEqualTo(Kind.UNREACHABLE);
                assertThat(said)
                        .hasMessageContaining("127.0.0.1:" + API.server().port());
            } finally {
                API.server().restart();
            }

            var notice = watch.next(Duration.ofSeconds(10));
            assertThat(notice).isInstanceOfAny(Notice.Quiet.class, Notice.Compacted.class);
        }
    }

    private static Write create(String key) {
        return new Write.Create(key, Bytes.ofUtf8("1"));
    }

    private static Document put(KubernetesDatastore store, String key) {
        var done = (Commit.Done) store.commit(List.of(create(key)));
        return new Document(key, Bytes.ofUtf8("1"), done.revisions().getFirst());
    }

    private static Document next(Watch watch) {
        var notice = (Notice.Changed) watch.next(AMPLE);
        return ((Change.Put) notice.changes().getFirst()).document();
    }
}
