package io.cadastre.datastore.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.DatastoreException.Kind;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Watch;
import io.cadastre.datastore.Watch.Change;
import io.cadastre.datastore.Watch.Notice;
import io.cadastre.datastore.Write;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// What callers see of a real server over HTTP/2 whose connection dies in silence, and of one that is slow.
class DeadConnectionTest {

    /// A store that waits for a dead connection fails these tests by this limit.
    private static final Duration AMPLE = Duration.ofSeconds(60);

    private static final Duration AGES = Duration.ofHours(1);

    private static final Duration SILENCE = ProbeLimits.DEFAULT.requestSilence();
    private static final Duration ANSWER = ProbeLimits.DEFAULT.answer();

    private static final ProbeLimits WITHOUT_PROBES = new ProbeLimits(AGES, AGES, ANSWER, AGES);
    private static final ProbeLimits ONE_REPLACEMENT = new ProbeLimits(SILENCE, AGES, ANSWER, AGES);
    private static final ProbeLimits QUICK = new ProbeLimits(Duration.ofMillis(500), AGES, ANSWER, Duration.ZERO);

    /// A server whose etcd hangs needs longer than any test to find its health.
    @RegisterExtension
    static final SharedApiServer API = new SharedApiServer("--etcd-healthcheck-timeout=60s");

    private final CountedTransports transports = new CountedTransports();
    private DyingProxy proxy;
    private KubernetesDatastore direct;

    @BeforeEach
    void startProxy() throws IOException {
        proxy = new DyingProxy(API.server().port());
        direct = API.open(AMPLE);
    }

    @AfterEach
    void stopProxy() throws IOException {
        direct.close();
        proxy.close();
    }

    @Test
    void callsAtOnceShareOneConnection() throws Exception {
        try (var store = open(AMPLE, WITHOUT_PROBES)) {
            store.get("a");

            atOnce(30, () -> store.get("a"));

            assertThat(proxy.opened()).isEqualTo(1);
        }
    }

    @Test
    void moreWritesAtOnceThanAConnectionTakesAreAllDone() throws Exception {
        try (var store = open(AMPLE, WITHOUT_PROBES)) {
            store.get("a");

            var commits = atOnce(IntStream.range(0, 300)
                    .<Callable<Commit>>mapToObj(index -> () -> store.commit(List.of(create("a/" + index))))
                    .toList());

            assertThat(commits).hasSize(300).hasOnlyElementsOfType(Commit.Done.class);
            assertThat(proxy.opened()).isEqualTo(1);
        }
    }

    @Test
    void readOnADeadConnectionIsAnsweredOnANewOne() throws Exception {
        try (var store = open(AMPLE, ONE_REPLACEMENT)) {
            var written = put(direct, "a");
            store.get("a");

            proxy.kill();
            var found = store.get("a");

            assertThat(found).contains(written);
            assertThat(transports.made()).isEqualTo(2);
        }
    }

    @Test
    void writeOnADeadConnectionIsUnknownAndTheNextIsDone() throws Exception {
        try (var store = open(AMPLE, ONE_REPLACEMENT)) {
            store.get("a");

            proxy.kill();
            var lost = store.commit(List.of(create("a")));
            var next = store.commit(List.of(create("b")));

            assertThat(lost)
                    .isInstanceOfSatisfying(
                            Commit.Unknown.class,
                            unknown -> assertThat(unknown.reason()).contains("was given up", "probe within 1 s"));
            assertThat(next).isInstanceOf(Commit.Done.class);
            assertThat(direct.get("a")).isEmpty();
        }
    }

    @Test
    void manyCallsOnADeadConnectionReplaceTheClientOnce() throws Exception {
        try (var store = open(AMPLE, ONE_REPLACEMENT)) {
            var written = put(direct, "a");
            store.get("a");

            proxy.kill();
            var answers = atOnce(60, () -> store.get("a"));

            assertThat(answers).hasSize(60).containsOnly(Optional.of(written));
            assertThat(transports.made()).isEqualTo(2);
        }
    }

    @Test
    void callsThatEndBeforeTheirConnectionIsSuspectHaveItProbedAllTheSame() throws Exception {
        try (var hasty = open(Duration.ofSeconds(3), new ProbeLimits(AGES, AGES, ANSWER, Duration.ZERO))) {
            hasty.get("a");

            proxy.kill();
            var failed = catchThrowableOfType(DatastoreException.class, () -> hasty.get("a"));
            await().atMost(AMPLE).until(() -> transports.made() == 2);

            assertThat(failed.kind()).isEqualTo(Kind.DEADLINE);
            await().atMost(AMPLE).ignoreExceptions().until(() -> hasty.get("a").isEmpty());
        }
    }

    @Test
    void clientIsNotReplacedAgainWithinTheInterval() throws Exception {
        var limit = Duration.ofSeconds(10);
        try (var store = open(limit, ONE_REPLACEMENT)) {
            store.get("a");
            proxy.kill();
            store.get("a");

            proxy.kill();
            var failed = catchThrowableOfType(DatastoreException.class, () -> store.get("a"));

            assertThat(failed.kind()).isEqualTo(Kind.DEADLINE);
            assertThat(transports.made()).isEqualTo(2);
        }
    }

    @Test
    void clientsThatWereReplacedLeaveNoConnectionOpen() throws Exception {
        try (var store = open(AMPLE, QUICK);
                var watch = store.watch("", store.list("", 1).revision())) {
            for (int death = 0; death < 5; death++) {
                watch.next(Duration.ZERO);
                proxy.kill();
                store.get("a");
            }

            assertThat(transports.made()).isGreaterThanOrEqualTo(6);
            await().atMost(AMPLE).until(() -> proxy.open() == 1);
        }
        await().atMost(AMPLE).until(() -> proxy.open() == 0);
    }

    @Test
    void watchGoesOnWhenACallFindsItsConnectionDead() throws Exception {
        try (var store = open(AMPLE, ONE_REPLACEMENT);
                var watch = store.watch("a/", direct.list("", 1).revision())) {
            var written = new ArrayList<Document>();
            var reported = new ArrayList<Document>();
            written.add(put(direct, "a/1"));
            reported.add(next(watch));

            proxy.kill();
            written.add(put(direct, "a/2"));
            assertThat(store.get("a/2")).contains(written.getLast());
            reported.add(next(watch));
            written.add(put(store, "a/3"));
            reported.add(next(watch));

            assertThat(reported).isEqualTo(written);
            assertThat(watch.next(Duration.ZERO)).isEqualTo(new Notice.Quiet());
            assertThat(transports.made()).isEqualTo(2);
        }
    }

    @Test
    void watchThatIsSilentForLongHasItsConnectionProbedAndGoesOn() throws Exception {
        try (var store = open(AMPLE, new ProbeLimits(AGES, Duration.ofMillis(300), ANSWER, AGES));
                var watch = store.watch("a/", direct.list("", 1).revision())) {
            var first = put(direct, "a/1");
            assertThat(next(watch)).isEqualTo(first);

            proxy.kill();
            var second = put(direct, "a/2");

            assertThat(next(watch)).isEqualTo(second);
            assertThat(transports.made()).isEqualTo(2);
        }
    }

    /// The JDK keeps 16 MiB of a stream that are not taken, and 32 MiB of a connection.
    @Test
    void watchesThatAreNotReadDoNotStopCalls() throws Exception {
        try (var store = open(AMPLE, WITHOUT_PROBES)) {
            long revision = store.list("", 1).revision();
            var watches = IntStream.range(0, 3)
                    .mapToObj(_ -> store.watch("a/", revision))
                    .toList();
            watches.forEach(watch -> watch.next(Duration.ZERO));
            var written = new ArrayList<Document>();
            for (int index = 0; index < 18; index++) {
                written.add(put(direct, "a/" + index, Bytes.ofUtf8("x".repeat(1 << 20))));
            }

            // As much again as a connection takes, so that the watches have their share.
            for (int call = 0; call < 30; call++) {
                assertThat(store.get("a/17")).contains(written.getLast());
            }
            var commit = store.commit(List.of(create("b")));

            assertThat(commit).isInstanceOf(Commit.Done.class);
            for (var watch : watches) {
                for (var document : written) {
                    assertThat(next(watch)).isEqualTo(document);
                }
            }
            assertThat(transports.made()).isEqualTo(1);
            assertThat(proxy.opened()).isEqualTo(1);
        }
    }

    @Test
    void slowServerKeepsItsConnection() throws Exception {
        var limits = new ProbeLimits(Duration.ofMillis(500), AGES, Duration.ofSeconds(5), Duration.ZERO);
        try (var store = open(AMPLE, limits)) {
            store.get("a");

            API.server().freezeStore();
            List<Commit> commits;
            try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
                var writing = List.of(
                        threads.submit(() -> store.commit(List.of(create("a")))),
                        threads.submit(() -> store.commit(List.of(create("b")))));
                try (var hasty = API.open(Duration.ofSeconds(8))) {
                    assertThat(hasty.commit(List.of(create("c")))).isInstanceOf(Commit.Unknown.class);
                } finally {
                    API.server().proceedStore();
                }
                commits = ended(writing);
            }

            assertThat(commits).hasOnlyElementsOfType(Commit.Done.class);
            assertThat(transports.made()).isEqualTo(1);
            assertThat(proxy.opened()).isEqualTo(1);
        }
    }

    private KubernetesDatastore open(Duration callLimit, ProbeLimits limits) {
        var settings = API.server().settingsThrough(proxy.port()).withCallLimit(callLimit);
        return transports.open(settings, API.map(), limits);
    }

    private static <R> List<R> atOnce(int count, Callable<R> call) throws Exception {
        return atOnce(IntStream.range(0, count).mapToObj(_ -> call).toList());
    }

    private static <R> List<R> atOnce(List<Callable<R>> calls) throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            return ended(calls.stream().map(threads::submit).toList());
        }
    }

    private static <R> List<R> ended(List<Future<R>> calls) throws Exception {
        var answers = new ArrayList<R>();
        for (var call : calls) {
            answers.add(call.get(2 * AMPLE.toSeconds(), TimeUnit.SECONDS));
        }
        return answers;
    }

    private static Write create(String key) {
        return new Write.Create(key, Bytes.ofUtf8("1"));
    }

    private static Document put(KubernetesDatastore store, String key) {
        return put(store, key, Bytes.ofUtf8("1"));
    }

    private static Document put(KubernetesDatastore store, String key, Bytes value) {
        var done = (Commit.Done) store.commit(List.of(new Write.Create(key, value)));
        return new Document(key, value, done.revisions().getFirst());
    }

    private static Document next(Watch watch) {
        var notice = (Notice.Changed) watch.next(AMPLE);
        return ((Change.Put) notice.changes().getFirst()).document();
    }
}
