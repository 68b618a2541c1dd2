package io.cadastre.datastore.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.DatastoreException.Kind;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.TcpProxy;
import io.cadastre.datastore.Watch.Change;
import io.cadastre.datastore.Watch.Notice;
import io.cadastre.datastore.Write;
import io.grpc.Deadline;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// Commits that arrive while others are under way, and so share a transaction.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EtcdGroupTest {

    private static final Duration AMPLE = Duration.ofSeconds(60);

    private EtcdProcess etcd;
    private EtcdDatastore store;

    @BeforeAll
    void start(@TempDir Path directory) throws IOException {
        etcd = EtcdProcess.start(directory);
        store = openAt(etcd.endpoint());
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
        store.get("connected");
    }

    @Test
    void commitsThatWaitedTogetherShareARevisionAndOneNotice() throws Exception {
        try (var watch = store.watch("a/", store.list("", 1).revision())) {
            etcd.freeze();
            var callers = WaitingCommits.behind("blocker/", store::commit);
            callers.join(create("a/1"));
            callers.join(create("a/2"), create("a/3"));
            callers.join(create("a/4"));

            etcd.proceed();

            var revisions = callers.revisions();
            assertThat(new HashSet<>(revisions)).hasSize(1);
            var notice = (Notice.Changed) watch.next(AMPLE);
            assertThat(notice.revision()).isEqualTo(revisions.getFirst());
            assertThat(notice.changes()).extracting(Change::key).containsExactlyInAnyOrder("a/1", "a/2", "a/3", "a/4");
        }
    }

    @Test
    void conflictInAGroupDoesNotAffectTheOtherCommits() throws Exception {
        var standing = put("a/standing");
        var doomed = put("a/doomed");
        var wrong = new Write.Update("a/standing", Bytes.ofUtf8("2"), standing.revision() - 1);
        etcd.freeze();
        var callers = WaitingCommits.behind("blocker/", store::commit);
        callers.join(create("a/1"));
        callers.join(create("a/2"), wrong, create("a/3"));
        callers.join(new Write.Delete("a/doomed", doomed.revision()));
        callers.join(new Write.Update("a/absent", Bytes.ofUtf8("2"), 1));
        callers.join(create("a/4"));

        etcd.proceed();

        var outcomes = callers.outcomes();
        assertThat(outcomes.get(1)).isEqualTo(new Commit.Conflict(1, Commit.Kind.STALE));
        assertThat(outcomes.get(3)).isEqualTo(new Commit.Conflict(0, Commit.Kind.ABSENT));
        // The same revision: they were in one group, with the two in conflict between them.
        assertThat(outcomes.get(0)).isInstanceOf(Commit.Done.class);
        assertThat(List.of(outcomes.get(2), outcomes.get(4))).containsOnly(outcomes.get(0));
        assertThat(store.list("a/", 10).documents())
                .extracting(Document::key)
                .containsExactly("a/1", "a/4", "a/standing");
        assertThat(store.get("a/standing")).contains(standing);
    }

    @Test
    void groupOfNothingButConflictsChangesNothing() throws Exception {
        var standing = put("a");
        etcd.freeze();
        var callers = WaitingCommits.behind("blocker/", store::commit);
        callers.join(create("a"), create("b"));
        callers.join(new Write.Delete("c", 1));

        etcd.proceed();

        assertThat(callers.outcomes())
                .containsExactly(
                        new Commit.Conflict(0, Commit.Kind.EXISTS), new Commit.Conflict(0, Commit.Kind.ABSENT));
        assertThat(store.get("a")).contains(standing);
        assertThat(store.get("b")).isEmpty();
    }

    @Test
    void commitsOfOneKeyAreNotGroupedAndStayInOrder() throws Exception {
        etcd.freeze();
        var callers = WaitingCommits.behind("blocker/", store::commit);
        callers.join(create("k"));
        callers.join(create("other"));
        // If it went before the one ahead of it, its first write would meet the conflict.
        callers.join(create("l"), create("k"));
        // If it went before the one ahead of it, that one would meet a conflict at its first write.
        callers.join(create("l"));

        etcd.proceed();

        var outcomes = callers.outcomes();
        assertThat(outcomes.get(0)).isInstanceOf(Commit.Done.class).isEqualTo(outcomes.get(1));
        assertThat(outcomes.get(2)).isEqualTo(new Commit.Conflict(1, Commit.Kind.EXISTS));
        assertThat(outcomes.get(3))
                .isInstanceOfSatisfying(
                        Commit.Done.class,
                        done -> assertThat(done.revisions().getFirst()).isGreaterThan(revision(outcomes.get(0))));
    }

    @Test
    void commitOfAKeyThatIsUnderWayWaitsForItsEnd() throws Exception {
        etcd.freeze();
        var callers = WaitingCommits.behind("blocker/", store::commit);
        callers.join(create("blocker/0"), create("a"));
        callers.join(create("b"));

        etcd.proceed();

        var outcomes = callers.outcomes();
        assertThat(outcomes.get(0)).isEqualTo(new Commit.Conflict(0, Commit.Kind.EXISTS));
        assertThat(outcomes.get(1)).isInstanceOf(Commit.Done.class);
    }

    @Test
    void groupHasAsManyOperationsAsEtcdTakesAndNoMore() throws Exception {
        etcd.freeze();
        var callers = WaitingCommits.behind("blocker/", store::commit);
        for (int index = 0; index < 100; index++) {
            callers.join(create("a/" + index));
        }

        etcd.proceed();

        // Each key is named twice, and the longest commit has one write.
        int commitsMax = (CommitGroup.OPERATIONS_MAX - 1) / 2;
        assertThat(sizes(callers.revisions())).contains(commitsMax).allMatch(size -> size <= commitsMax);
    }

    @Test
    void commitOfManyWritesGoesAloneAndDelaysTheOthersBriefly() throws Exception {
        var many =
                IntStream.range(0, 128).mapToObj(index -> create("m/" + index)).toArray(Write[]::new);
        etcd.freeze();
        var callers = WaitingCommits.behind("blocker/", store::commit);
        callers.join(create("a/1"));
        callers.join(create("a/2"));
        callers.join(many);
        callers.join(create("a/3"));
        callers.join(create("a/4"));

        etcd.proceed();

        var revisions = callers.revisions();
        assertThat(revisions.get(0)).isEqualTo(revisions.get(1));
        assertThat(revisions.subList(0, 2)).doesNotContain(revisions.get(2));
        assertThat(revisions.subList(3, 5)).doesNotContain(revisions.get(2));
    }

    @Test
    void groupStaysWithinItsBytes() throws Exception {
        int valueBytes = 100 << 10;
        var value = Bytes.of(new byte[valueBytes]);
        etcd.freeze();
        var callers = WaitingCommits.behind("blocker/", store::commit);
        for (int index = 0; index < 20; index++) {
            callers.join(new Write.Create("a/" + index, value));
        }

        etcd.proceed();

        int commitsMax = CommitGroup.BYTES_MAX / valueBytes;
        assertThat(sizes(callers.revisions())).contains(commitsMax).allMatch(size -> size <= commitsMax);
    }

    @Test
    void groupThatEtcdFindsTooLargeIsSentOneByOne(@TempDir Path directory) throws Exception {
        var value = Bytes.of(new byte[1024]);
        try (var small = EtcdProcess.start(directory, "--max-request-bytes=4096");
                var tight = openAt(small.endpoint())) {
            tight.get("connected");
            small.freeze();
            var callers = WaitingCommits.behind("blocker/", tight::commit);
            for (int index = 0; index < 8; index++) {
                callers.join(new Write.Create("a/" + index, value));
            }
            callers.join(new Write.Create("b", Bytes.of(new byte[8192])));

            small.proceed();

            var outcomes = callers.outcomes();
            assertThat(outcomes.subList(0, 8))
                    .hasOnlyElementsOfType(Commit.Done.class)
                    .doesNotHaveDuplicates();
            assertThat(outcomes.get(8))
                    .isInstanceOfSatisfying(
                            DatastoreException.class,
                            failure -> assertThat(failure).hasMessageContaining("bytes"));
        }
    }

    @Test
    void groupThatEtcdHasNoSpaceForIsRefusedButForItsDeletions(@TempDir Path directory) throws Exception {
        var large = Bytes.of(new byte[Datastore.VALUE_BYTES_MAX]);
        try (var small = EtcdProcess.start(directory, "--quota-backend-bytes=" + (4 << 20));
                var full = openAt(small.endpoint())) {
            var first = full.commit(List.of(new Write.Create("large", large)));
            var number = new AtomicInteger();
            await().atMost(AMPLE).until(() -> refused(full, "large/" + number.incrementAndGet(), large));
            small.freeze();
            var callers = WaitingCommits.behind("blocker/", full::commit);
            callers.join(create("a/1"));
            callers.join(new Write.Delete("large", revision(first)));
            callers.join(create("a/2"), create("a/3"));

            small.proceed();

            var outcomes = callers.outcomes();
            assertThat(List.of(outcomes.get(0), outcomes.get(2)))
                    .allSatisfy(outcome -> checkFailed(outcome, Kind.FULL));
            assertThat(outcomes.get(1)).isInstanceOf(Commit.Done.class);
            assertThat(full.list("a/", 10).documents()).isEmpty();
        }
    }

    private static boolean refused(Datastore store, String key, Bytes value) {
        try {
            store.commit(List.of(new Write.Create(key, value)));
            return false;
        } catch (DatastoreException full) {
            return full.kind() == Kind.FULL;
        }
    }

    @Test
    void lostAnswerOfAGroupIsUnknownToAllWhenAllHappened() throws Exception {
        var told = lose(TcpProxy.Plan.SWALLOW_ANSWERS);

        assertThat(told).hasSize(3).hasOnlyElementsOfType(Commit.Unknown.class);
        assertThat(store.list("lost/", 10).documents()).hasSize(3);
    }

    @Test
    void lostAnswerOfAGroupIsUnknownToAllWhenNoneHappened() throws Exception {
        var told = lose(TcpProxy.Plan.SWALLOW_REQUESTS);

        assertThat(told).hasSize(3).hasOnlyElementsOfType(Commit.Unknown.class);
        assertThat(store.list("lost/", 10).documents()).isEmpty();
    }

    private List<Object> lose(TcpProxy.Plan plan) throws Exception {
        try (var proxy = new TcpProxy(etcd.clientPort());
                var behindProxy = openAt(EtcdProcess.endpointAt(proxy.port()))) {
            behindProxy.get("connected");
            etcd.freeze();
            var callers = WaitingCommits.behind("blocker/", behindProxy::commit);
            callers.join(create("lost/1"));
            callers.join(create("lost/2"));
            callers.join(create("lost/3"));
            proxy.planFrom("lost/", plan);
            etcd.proceed();
            await().atMost(AMPLE)
                    .until(() -> plan == TcpProxy.Plan.SWALLOW_REQUESTS
                            ? proxy.hasSwallowed("lost/3")
                            : store.get("lost/3").isPresent());
            proxy.plan(TcpProxy.Plan.PASS);
            proxy.cut();
            return callers.outcomes();
        }
    }

    @Test
    void callerWhoseTimeIsUpLearnsWhetherItsCommitWasSent() throws Exception {
        try (var client = new EtcdClient(etcd.settings(), List.of(etcd.endpoint()))) {
            var queue = new CommitQueue(client);
            client.read(Rpc.RANGE, Requests.get("connected"), client.deadline());
            etcd.freeze();
            // The places are free after a while, with etcd still frozen: the group is sent then.
            var callers = WaitingCommits.behind("blocker/", within(queue, 3));
            callers.join(within(queue, 1), create("a/unsent"));
            callers.join(within(queue, 6), create("a/impatient"));
            callers.join(within(queue, 60), create("a/patient"));
            await().atMost(AMPLE).until(() -> callers.ended(1));

            etcd.proceed();

            var outcomes = callers.outcomes();
            checkFailed(outcomes.get(0), Kind.DEADLINE);
            assertThat(outcomes.get(1)).isInstanceOf(Commit.Unknown.class);
            assertThat(outcomes.get(2)).isInstanceOf(Commit.Done.class);
            assertThat(store.list("a/", 10).documents())
                    .extracting(Document::revision)
                    .containsExactly(revision(outcomes.get(2)), revision(outcomes.get(2)));
            assertThat(store.commit(List.of(create("a/unsent")))).isInstanceOf(Commit.Done.class);
        }
    }

    @Test
    void closingEndsTheCommitsThatWaitAsNeverSent() throws Exception {
        var closing = openAt(etcd.endpoint());
        closing.get("connected");
        etcd.freeze();
        var callers = WaitingCommits.behind("blocker/", closing::commit);
        for (int index = 0; index < 100; index++) {
            callers.join(create("a/" + index));
        }

        closing.close();

        var outcomes = callers.outcomes();
        etcd.proceed();
        assertThat(outcomes).hasSize(100).allSatisfy(outcome -> checkFailed(outcome, Kind.CLOSED));
        assertThat(store.list("a/", 10).documents()).isEmpty();
    }

    private static Function<List<Write>, Commit> within(CommitQueue queue, long seconds) {
        return writes -> queue.commit(writes, Deadline.after(seconds, TimeUnit.SECONDS));
    }

    private static void checkFailed(Object outcome, Kind kind) {
        assertThat(outcome)
                .isInstanceOfSatisfying(
                        DatastoreException.class,
                        failure -> assertThat(failure.kind()).isEqualTo(kind));
    }

    /// How many commits each of the revisions has.
    private static List<Integer> sizes(List<Long> revisions) {
        return new ArrayList<>(revisions.stream()
                .collect(Collectors.toMap(Function.identity(), _ -> 1, Integer::sum))
                .values());
    }

    private static long revision(Object outcome) {
        return ((Commit.Done) outcome).revisions().getFirst();
    }

    private Document put(String key) {
        var done = store.commit(List.of(create(key)));
        return new Document(key, Bytes.ofUtf8("1"), revision(done));
    }

    private static Write create(String key) {
        return new Write.Create(key, Bytes.ofUtf8("1"));
    }

    private static EtcdDatastore openAt(EtcdEndpoint endpoint) {
        return EtcdDatastore.open(EtcdSettings.of(List.of(endpoint)).withCallLimit(AMPLE));
    }
}
