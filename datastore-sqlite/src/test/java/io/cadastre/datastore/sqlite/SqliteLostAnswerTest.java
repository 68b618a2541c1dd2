package io.cadastre.datastore.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.LostAnswerContract;
import io.cadastre.datastore.Write;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/// An embedded store loses an answer in two ways: its caller stops waiting while the commit is being
/// written, or the disk fails under the commit. Both happen here for real.
@Isolated("the disk fails for the whole process")
class SqliteLostAnswerTest extends LostAnswerContract {

    private static final int ATTEMPTS_MAX = 20;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    @Override
    protected Datastore open(Duration callLimit) {
        return SqliteDatastore.open(SqliteSettings.of(file()).withCallLimit(callLimit));
    }

    @Override
    protected Lost lose(Effect effect) throws Exception {
        var store = openStore();
        return switch (effect) {
            case APPLIED -> stopWaiting(store);
            case NOT_APPLIED -> failUnderTheCommit(store, writes("failed", 2, 1));
        };
    }

    @Test
    void storeWhoseDiskFailedServesNothingUntilItIsOpenedAgain() throws Exception {
        var store = openStore();
        store.commit(List.of(new Write.Create("before", Bytes.ofUtf8("1"))));

        failUnderTheCommit(store, writes("failed", 2, 1));

        assertFailed(() -> store.get("before"));
        assertFailed(() -> store.list("", 1));
        assertFailed(() -> store.watch("", 0).next(Duration.ZERO));
        assertFailed(() -> store.commit(writes("after", 1, 1)));
        store.close();
        assertThat(openStore().get("before")).isPresent();
    }

    /// Interrupts a caller whose commit another one leads, as soon as the commit is seen to be written. One
    /// of this size takes long enough for that; should one be quicker, the next is tried.
    private Lost stopWaiting(Datastore store) throws Exception {
        for (int attempt = 1; ; attempt++) {
            var led = writes("attempt-" + attempt, 64, Datastore.VALUE_BYTES_MAX);
            var leading = writes("leading-" + attempt, 1, 1);
            var commit = new FutureTask<Commit>(() -> store.commit(led));
            try (var rival = DriverManager.getConnection("jdbc:sqlite:" + file());
                    var statement = rival.createStatement()) {
                // Nothing is written until both wait, the small one first.
                statement.execute("BEGIN IMMEDIATE");
                start(new FutureTask<>(() -> store.commit(leading)));
                var caller = start(commit);
                long sizeBefore = walSize();
                statement.execute("ROLLBACK");
                await().pollInterval(Duration.ofMillis(1)).until(() -> commit.isDone() || walSize() > sizeBefore);

                caller.interrupt();
            }
            var told = commit.get(60, TimeUnit.SECONDS);
            if (told instanceof Commit.Unknown || attempt == ATTEMPTS_MAX) {
                return new Lost(led, told);
            }
        }
    }

    /// Starts a caller and waits until it waits.
    private static Thread start(FutureTask<Commit> commit) {
        var caller = Thread.ofPlatform().start(commit);
        await().pollInterval(Duration.ofMillis(1)).until(() -> caller.getState() == Thread.State.TIMED_WAITING);
        return caller;
    }

    /// Forbids this process to write beyond the present end of the write-ahead log, so that the system
    /// refuses the write of the commit itself.
    private Lost failUnderTheCommit(Datastore store, List<Write> writes) throws Exception {
        store.commit(writes("prelude", 1, 1));
        limitFileSize(String.valueOf(walSize()));
        try {
            return new Lost(writes, store.commit(writes));
        } finally {
            limitFileSize("unlimited");
        }
    }

    private static void limitFileSize(String limit) throws Exception {
        var process = new ProcessBuilder(
                        "prlimit", "--pid=" + ProcessHandle.current().pid(), "--fsize=" + limit + ":")
                .inheritIO()
                .start();
        assertThat(process.waitFor()).isZero();
    }

    private long walSize() {
        try {
            var wal = Path.of(file() + "-wal");
            return Files.exists(wal) ? Files.size(wal) : 0;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static List<Write> writes(String prefix, int count, int valueBytes) {
        return IntStream.range(0, count)
                .<Write>mapToObj(index -> new Write.Create(prefix + "/" + index, Bytes.of(new byte[valueBytes])))
                .toList();
    }

    private static void assertFailed(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        DatastoreException.class,
                        thrown -> assertThat(thrown.kind()).isEqualTo(DatastoreException.Kind.FAILED));
    }

    private Path file() {
        return directory.resolve("store.db");
    }
}
