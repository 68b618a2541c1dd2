package io.cadastre.datastore.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.DatastoreException.Kind;
import io.cadastre.datastore.Journal;
import io.cadastre.datastore.Watch;
import io.cadastre.datastore.Write;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A store that has less than was answered, or is not where it was opened, serves nothing.
class SqliteMarkTest {

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    private Path data() {
        return directory.resolve("data");
    }

    private Path file() {
        return data().resolve("store.db");
    }

    @Test
    void storeWhoseDirectoryWasMovedServesNothingAlsoWhenANewOneIsMadeThere() throws Exception {
        try (var store = open()) {
            create(store, 1);
            Files.move(data(), directory.resolve("elsewhere"));

            var commit = refusal(() -> create(store, 2));
            var read = refusal(() -> store.get("key-1"));
            try (var other = open()) {
                create(other, 7);
            }
            var later = refusal(() -> create(store, 3));

            assertThat(commit).hasMessageContainingAll(file().toString(), "moved, removed");
            assertThat(read).hasMessageContaining("moved, removed");
            assertThat(later).hasMessageContaining("moved, removed");
        }
        try (var moved = openAt(directory.resolve("elsewhere/store.db"))) {
            assertThat(moved.listAll("").documents()).hasSize(1);
        }
    }

    @Test
    void readIsRefusedWhenTheFileWasRemovedBeforeIt() throws Exception {
        try (var store = open()) {
            create(store, 1);
            Files.delete(file());

            var refusal = refusal(() -> store.listAll(""));

            assertThat(refusal).hasMessageContainingAll(file().toString(), "moved, removed");
        }
    }

    @Test
    void journalWhoseFileWasReplacedTakesNothing() throws Exception {
        var draft = new Journal.Draft(Instant.EPOCH, Bytes.ofUtf8("x"), List.of(), List.of());
        try (var journal = SqliteJournal.open(SqliteSettings.of(file()))) {
            journal.append(_ -> List.of(draft));
            Files.copy(file(), data().resolve("copy"));
            Files.move(data().resolve("copy"), file(), StandardCopyOption.REPLACE_EXISTING);

            var refusal = refusal(() -> journal.append(_ -> List.of(draft)));

            assertThat(refusal).hasMessageContaining("moved, removed or replaced");
        }
    }

    @Test
    void olderStoreThatWasPutBackIsRefused() throws Exception {
        write(1, 5);
        Files.copy(file(), directory.resolve("backup.db"));
        write(6, 40);
        Files.copy(directory.resolve("backup.db"), file(), StandardCopyOption.REPLACE_EXISTING);

        var refusal = refusal(this::open);

        assertThat(refusal.kind()).isEqualTo(Kind.CORRUPT);
        assertThat(refusal)
                .hasMessageContainingAll(file().toString(), "revision 5", "revision 40", "cadastre ipam adopt");
    }

    @Test
    void openStoreIsRefusedAtItsNextCommitWhenAnotherPromisedMoreThanItHas() throws Exception {
        write(1, 40);
        var mark = Path.of(file() + ".mark");
        var promised = Files.readAllBytes(mark);
        Files.delete(file());
        Files.delete(mark);
        try (var store = open()) {
            create(store, 1);
            Files.write(mark, promised);

            var refusal = refusal(() -> create(store, 2));
            var read = refusal(() -> store.get("key-1"));

            assertThat(refusal).hasMessageContainingAll("another store", "revision 40");
            assertThat(read).hasMessageContaining("another store");
        }
    }

    @Test
    void absentStoreOfWhichMuchWasPromisedIsNotMadeAnew() throws Exception {
        write(1, 3);
        Files.delete(file());

        var refusal = refusal(this::open);

        assertThat(refusal).hasMessageContainingAll(file() + " is gone", "revision 3", "cadastre ipam adopt");
        assertThat(file()).doesNotExist();
    }

    @Test
    void storeOfAnotherPlaceIsRefused() throws Exception {
        write(1, 3);
        var foreign = directory.resolve("foreign/store.db");
        try (var store = openAt(foreign)) {
            for (int number = 1; number <= 9; number++) {
                create(store, number);
            }
        }
        Files.move(foreign, file(), StandardCopyOption.REPLACE_EXISTING);

        var refusal = refusal(this::open);

        assertThat(refusal.kind()).isEqualTo(Kind.FOREIGN);
        assertThat(refusal).hasMessageContainingAll("another store", "cadastre ipam adopt");
    }

    @Test
    void copyThatWentItsOwnWayIsRefusedByItsLedger() throws Exception {
        append("both");
        Files.copy(file(), directory.resolve("copy.db"));
        append("only here");
        Files.copy(Path.of(file() + ".mark"), directory.resolve("mark"));
        Files.move(directory.resolve("copy.db"), file(), StandardCopyOption.REPLACE_EXISTING);
        Files.delete(Path.of(file() + ".mark"));
        append("only there");
        append("and there");
        Files.move(directory.resolve("mark"), Path.of(file() + ".mark"), StandardCopyOption.REPLACE_EXISTING);

        var refusal = refusal(() -> SqliteJournal.open(SqliteSettings.of(file())));

        assertThat(refusal).hasMessageContainingAll("another ledger entry 2", "its own way");
    }

    @Test
    void holeInTheWriteAheadLogIsNoticed() throws Exception {
        try (var child = ChildJvm.start(CrashWriter.class, file().toString(), "p")) {
            for (int acknowledged = 0; acknowledged < 40; acknowledged++) {
                child.read();
            }
            child.kill();
            child.readAll();
        }
        var log = Path.of(file() + "-wal");
        try (var bytes = new RandomAccessFile(log.toFile(), "rw")) {
            // <https://www.sqlite.org/walformat.html>: the head of a frame in the middle.
            int headBytes = 32;
            int frameBytes = 24 + 4096;
            long frames = (bytes.length() - headBytes) / frameBytes;
            bytes.seek(headBytes + frames / 2 * frameBytes);
            bytes.write(new byte[24]);
        }
        Files.deleteIfExists(Path.of(file() + "-shm"));

        var refusal = refusal(this::open);

        assertThat(refusal.kind()).isEqualTo(Kind.CORRUPT);
        assertThat(refusal).hasMessageContainingAll("was promised", "cadastre ipam adopt");
    }

    @Test
    void storeOfTheFirstSchemaGetsAnIdentityAndAMark() throws Exception {
        write(1, 3);
        Files.delete(Path.of(file() + ".mark"));
        SqliteFileTest.execute(file(), "DROP TABLE identity", "PRAGMA user_version = 1");

        try (var store = open()) {
            assertThat(store.listAll("").documents()).hasSize(3);
        }

        assertThat(new MarkFile(file()).read())
                .hasValueSatisfying(mark -> assertThat(mark.revision()).isEqualTo(3));
    }

    @Test
    void markTellsOfEveryAnswerOfEveryoneAndStaysSmall() throws Exception {
        int writers = 4;
        int commits = 60;
        open().close();
        try (var threads = Executors.newFixedThreadPool(writers)) {
            var late = new ArrayList<Callable<Boolean>>();
            for (int writer = 0; writer < writers; writer++) {
                int begin = writer * 1000;
                late.add(() -> isMarkedAtEachAnswer(begin, commits));
            }

            for (var one : threads.invokeAll(late)) {
                assertThat(one.get()).isTrue();
            }
        }
        assertThat(Files.size(Path.of(file() + ".mark"))).isLessThan(8192);
    }

    private boolean isMarkedAtEachAnswer(int begin, int commits) throws IOException {
        try (var store = open()) {
            for (int number = begin; number < begin + commits; number++) {
                var done = (Commit.Done) store.commit(List.of(creation(number)));
                var mark = new MarkFile(file()).read().orElseThrow();
                if (mark.revision() < done.revisions().getFirst()) {
                    return false;
                }
            }
            return true;
        }
    }

    @Test
    void halfWrittenMarkIsNotBelievedAndTheOthersAre() throws Exception {
        write(1, 3);
        var mark = Path.of(file() + ".mark");
        try (var bytes = new RandomAccessFile(mark.toFile(), "rw")) {
            bytes.seek(bytes.length());
            bytes.write(new byte[200]);
        }

        write(4, 5);

        assertThat(new MarkFile(file()).read())
                .hasValueSatisfying(promised -> assertThat(promised.revision()).isEqualTo(5));
    }

    @Test
    void acceptedStoreIsOpenedAsItIs() throws Exception {
        write(1, 3);
        Files.delete(file());

        SqliteDatastore.accept(SqliteSettings.of(file()));

        write(1, 1);
        try (var store = open()) {
            assertThat(store.listAll("").documents()).hasSize(1);
        }
    }

    @Test
    void revisionsThatWerePromisedAreMissingUnlessACopyOfTheStoreHasThem() throws Exception {
        write(1, 3);
        var older = Files.readAllBytes(file());
        write(4, 5);
        var newer = Files.copy(file(), directory.resolve("newer.db"));
        Files.write(file(), older);
        var another = directory.resolve("another.db");
        try (var store = openAt(another)) {
            for (int number = 1; number <= 9; number++) {
                create(store, number);
            }
        }

        assertThat(missing(List.of(another)))
                .contains(new MissingRecords(new MissingRecords.Reach(0, 3), new MissingRecords.Reach(0, 5), false));
        assertThat(missing(List.of(another, newer))).isEmpty();
    }

    @Test
    void recordsThatWerePromisedAreMissingAlsoIfOthersHaveTheirNumbers() throws Exception {
        append("one");
        var older = Files.readAllBytes(file());
        append("two");
        Files.write(file(), older);

        var before = missing(List.of());
        try (var journal = SqliteJournal.openToAdopt(SqliteSettings.of(file()))) {
            journal.append(_ -> List.of(draft("another two")));
        }
        var after = missing(List.of());

        assertThat(before)
                .contains(new MissingRecords(new MissingRecords.Reach(1, 0), new MissingRecords.Reach(2, 0), false));
        assertThat(after)
                .contains(new MissingRecords(new MissingRecords.Reach(0, 0), new MissingRecords.Reach(2, 0), true));
    }

    @Test
    void revisionsOfAnAdoptedStoreGoOnAfterThoseOfItsFormerJournal() throws Exception {
        write(1, 2);
        var ledger = data().resolve("ledger.db");
        try (var journal = SqliteJournal.open(SqliteSettings.of(ledger))) {
            journal.append(_ -> List.of(draft("one")));
        }
        for (var database : List.of(file(), ledger)) {
            makeOld(database);
            Files.delete(Path.of(database + ".mark"));
        }
        var former = new FormerJournal(ledger, _ -> 40);

        try (var adopted = SqliteDatastore.openToAdopt(SqliteSettings.of(file()), former)) {
            create(adopted, 3);
            var refusal = refusal(this::open);

            assertThat(refusal).hasMessageContainingAll("begun and not finished", "cadastre ipam adopt");
            assertThat(adopted.get("key-3").orElseThrow().revision()).isEqualTo(41);
            try (var watch = adopted.watch("key-", 1)) {
                assertThat(List.of(revisionOf(watch), revisionOf(watch))).containsExactly(2L, 41L);
            }
        }
        SqliteDatastore.accept(SqliteSettings.of(file()), former);
        try (var store = open()) {
            assertThat(store.journal().orElseThrow().read(1, 9)).hasSize(1);
        }
        assertThat(ledger).doesNotExist();
    }

    private static long revisionOf(Watch watch) {
        return ((Watch.Notice.Changed) watch.next(Duration.ofSeconds(5))).revision();
    }

    private static void makeOld(Path database) throws SQLException {
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + database);
                var statement = connection.createStatement()) {
            statement.execute("DROP TABLE identity");
            statement.execute("PRAGMA user_version = 1");
        }
    }

    private Optional<MissingRecords> missing(List<Path> others) {
        return SqliteDatastore.findMissing(SqliteSettings.of(file()), others, _ -> 0);
    }

    private static Journal.Draft draft(String content) {
        return new Journal.Draft(Instant.EPOCH, Bytes.ofUtf8(content), List.of(), List.of());
    }

    private void write(int first, int last) {
        try (var store = open()) {
            for (int number = first; number <= last; number++) {
                create(store, number);
            }
        }
    }

    private void append(String content) {
        try (var journal = SqliteJournal.open(SqliteSettings.of(file()))) {
            journal.append(_ -> List.of(draft(content)));
        }
    }

    private SqliteDatastore open() {
        return openAt(file());
    }

    private static SqliteDatastore openAt(Path file) {
        return SqliteDatastore.open(SqliteSettings.of(file));
    }

    private static void create(SqliteDatastore store, int number) {
        assertThat(store.commit(List.of(creation(number)))).isInstanceOf(Commit.Done.class);
    }

    private static Write creation(int number) {
        return new Write.Create("key-" + number, Bytes.ofUtf8("1"));
    }

    private static DatastoreException refusal(ThrowingCallable call) {
        return catchThrowableOfType(DatastoreException.class, call);
    }
}
