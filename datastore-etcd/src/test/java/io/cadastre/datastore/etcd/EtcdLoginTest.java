package io.cadastre.datastore.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.DatastoreException.Kind;
import io.cadastre.datastore.Watch.Notice;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.etcd.EtcdSettings.Login;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// An etcd that asks for a user and a password. Alice may read and write what is under `a/`.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EtcdLoginTest {

    private static final Duration AMPLE = Duration.ofSeconds(60);
    private static final Login ALICE = new Login.Password("alice", "wonderland");

    private EtcdProcess etcd;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        etcd = EtcdProcess.start(directory);
        assertThatAPasswordDoesNoHarmWhereNoneIsAskedFor();
        etcd.etcdctl("user", "add", "root:secret");
        etcd.etcdctl("user", "grant-role", "root", "root");
        etcd.etcdctl("user", "add", "alice:wonderland");
        etcd.etcdctl("role", "add", "of-a");
        etcd.etcdctl("role", "grant-permission", "of-a", "--prefix=true", "readwrite", "a/");
        etcd.etcdctl("user", "grant-role", "alice", "of-a");
        etcd.etcdctl("auth", "enable");
    }

    @AfterAll
    void stop() {
        if (etcd != null) {
            etcd.close();
        }
    }

    private void assertThatAPasswordDoesNoHarmWhereNoneIsAskedFor() {
        try (var store = open(ALICE)) {
            assertThat(store.get("a/none")).isEmpty();
        }
    }

    @Test
    void userReadsWritesAndWatchesItsOwnKeys() {
        try (var store = open(ALICE);
                var watch = store.watch("a/", store.list("a/", 1).revision())) {

            var commit = store.commit(List.of(create("a/1")));

            long revision = ((Commit.Done) commit).revisions().getFirst();
            assertThat(store.get("a/1").orElseThrow().revision()).isEqualTo(revision);
            assertThat(((Notice.Changed) watch.next(AMPLE)).revision()).isEqualTo(revision);
        }
    }

    @Test
    void userIsDeniedTheKeysOfOthers() {
        try (var store = open(ALICE);
                var watch = store.watch("b/", 0)) {
            assertDenied(() -> store.get("b/1"));
            assertDenied(() -> store.list("", 10));
            assertDenied(() -> store.commit(List.of(create("b/1"))));
            assertDenied(() -> store.commit(List.of(create("a/2"), create("b/1"))));
            assertDenied(() -> watch.next(AMPLE));
            assertThat(store.get("a/2")).isEmpty();
        }
    }

    @Test
    void userWhoIsDeniedLearnsWhichRightIsMissing() {
        try (var store = open(ALICE);
                var watch = store.watch("b/", 0)) {
            assertThat(assertDenied(() -> store.get("b/1"))).hasMessageContaining("read b/1;");
            assertThat(assertDenied(() -> store.list("b/", 10)))
                    .hasMessageContaining("read all keys that begin with 'b/';");
            assertThat(assertDenied(() -> store.commit(List.of(create("a/2"), create("b/1")))))
                    .hasMessageContaining("read and write a/2, b/1;");
            assertThat(assertDenied(() -> watch.next(AMPLE))).hasMessageContaining("'b/'");
        }
    }

    @Test
    void userIsDeniedTheKeysOfOthersInAGroupAndTheOtherCommitsAreServed() throws Exception {
        try (var store = open(ALICE)) {
            store.get("a/connected");
            etcd.freeze();
            var callers = WaitingCommits.behind("a/blocker-", store::commit);
            callers.join(create("a/7"));
            callers.join(create("b/7"));
            callers.join(new Write.Delete("b/8", 1));
            callers.join(create("a/8"));

            etcd.proceed();

            var outcomes = callers.outcomes();
            assertThat(List.of(outcomes.get(0), outcomes.get(3))).hasOnlyElementsOfType(Commit.Done.class);
            assertThat(outcomes.subList(1, 3)).allSatisfy(EtcdLoginTest::checkDenied);
            assertThat(asRoot("get", "b/", "--prefix")).isEmpty();
        }
    }

    @Test
    void anonymousUserIsDeniedInAGroup() throws Exception {
        try (var store = open(new Login.Anonymous())) {
            assertDenied(() -> store.get("a/1"));
            etcd.freeze();
            var callers = WaitingCommits.behind("a/stranger-", store::commit);
            callers.join(create("a/stranger/1"));
            callers.join(create("a/stranger/2"));

            etcd.proceed();

            assertThat(callers.outcomes()).hasSize(2).allSatisfy(EtcdLoginTest::checkDenied);
            assertThat(asRoot("get", "a/stranger", "--prefix")).isEmpty();
        }
    }

    @Test
    void wrongPasswordIsDeniedAndNotRepeated() {
        try (var store = open(new Login.Password("alice", "looking-glass"))) {

            var reading = assertDenied(() -> store.get("a/1"));
            var writing = assertDenied(() -> store.commit(List.of(create("a/3"))));

            assertThat(reading)
                    .hasMessageContaining("alice")
                    .hasMessageContaining(etcd.endpoint().toString())
                    .hasMessageNotContaining("looking-glass");
            assertThat(writing).hasMessageNotContaining("looking-glass");
        }
    }

    @Test
    void anonymousUserIsDenied() {
        try (var store = open(new Login.Anonymous());
                var watch = store.watch("a/", 0)) {
            assertThat(assertDenied(() -> store.get("a/1"))).hasMessageContaining("user name");
            assertDenied(() -> store.commit(List.of(create("a/4"))));
            assertDenied(() -> watch.next(AMPLE));
        }
    }

    @Test
    void tokenThatEtcdForgotInARestartIsReplaced() throws Exception {
        try (var store = open(ALICE);
                var watch = store.watch("a/", store.list("a/", 1).revision())) {
            store.commit(List.of(create("a/5")));
            watch.next(AMPLE);

            etcd.restart();

            var commit = store.commit(List.of(create("a/6")));
            assertThat(commit).isInstanceOf(Commit.Done.class);
            assertThat(watch.next(AMPLE)).isInstanceOf(Notice.Changed.class);
        }
    }

    private EtcdDatastore open(Login login) {
        return EtcdDatastore.open(etcd.settings().withLogin(login).withCallLimit(AMPLE));
    }

    private String asRoot(String... words) throws IOException {
        var all = new ArrayList<>(List.of("--user=root:secret"));
        all.addAll(List.of(words));
        return etcd.etcdctl(all.toArray(String[]::new));
    }

    private static void checkDenied(Object outcome) {
        assertThat(outcome)
                .isInstanceOfSatisfying(
                        DatastoreException.class,
                        failure -> assertThat(failure.kind()).isEqualTo(Kind.DENIED));
    }

    private static DatastoreException assertDenied(ThrowingCallable call) {
        var failure = catchThrowableOfType(DatastoreException.class, call);
        assertThat(failure).isNotNull();
        assertThat(failure.kind()).as(failure.getMessage()).isEqualTo(Kind.DENIED);
        return failure;
    }

    private static Write create(String key) {
        return new Write.Create(key, Bytes.ofUtf8("1"));
    }
}
