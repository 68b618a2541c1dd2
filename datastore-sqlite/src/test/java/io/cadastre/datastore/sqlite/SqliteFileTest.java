package io.cadastre.datastore.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.DatastoreException.Kind;
import io.cadastre.datastore.Write;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteFileTest {

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    @Test
    void absentStoreAndItsDirectoriesAreMadeForTheirOwnerAlone() throws Exception {
        var file = directory.resolve("one/two/store.db");

        try (var store = open(file)) {
            create(store, "a");

            assertThat(permissions(file)).isEqualTo("rw-------");
            assertThat(permissions(Path.of(file + "-wal"))).isEqualTo("rw-------");
            assertThat(permissions(Path.of(file + "-shm"))).isEqualTo("rw-------");
            assertThat(permissions(Path.of(file + ".mark"))).isEqualTo("rw-------");
            assertThat(permissions(directory.resolve("one"))).isEqualTo("rwx------");
            assertThat(permissions(directory.resolve("one/two"))).isEqualTo("rwx------");
        }
    }

    @Test
    void closedStoreIsOneFileAndItsMark() throws Exception {
        var file = directory.resolve("store.db");

        try (var store = open(file)) {
            create(store, "a");
        }

        assertThat(contents()).containsOnlyKeys("store.db", "store.db.mark");
    }

    @Test
    void whatAKilledMakerLeftIsRemovedAndNothingElse() throws Exception {
        Files.createFile(directory.resolve("store.db.7001.new"));
        Files.createFile(directory.resolve("store.db.7001.new-journal"));
        Files.createFile(directory.resolve("store.db.notes.new"));
        Files.createFile(directory.resolve("ledger.db.7001.new"));

        open(directory.resolve("store.db")).close();

        assertThat(contents())
                .containsOnlyKeys("store.db", "store.db.mark", "store.db.notes.new", "ledger.db.7001.new");
    }

    @Test
    void manyWhoMakeTheStoreAtOnceFindOneStore() throws Exception {
        int makers = 8;
        var file = directory.resolve("store.db");
        try (var threads = Executors.newFixedThreadPool(makers)) {
            var together = new CyclicBarrier(makers);

            var created = threads.invokeAll(IntStream.range(0, makers)
                    .mapToObj(maker -> making(file, together, "key-" + maker))
                    .toList());

            for (var one : created) {
                assertThat(one.get()).isInstanceOf(Commit.Done.class);
            }
        }
        try (var store = open(file)) {
            assertThat(store.listAll("").documents()).hasSize(makers);
        }
        assertThat(contents()).containsOnlyKeys("store.db", "store.db.mark");
    }

    private static Callable<Commit> making(Path file, CyclicBarrier together, String key) {
        return () -> {
            together.await();
            try (var store = open(file)) {
                return store.commit(List.of(creation(key, 1)));
            }
        };
    }

    @Test
    void documentsAreThereWhenTheStoreIsOpenedAgain() {
        var file = directory.resolve("store.db");
        try (var store = open(file)) {
            create(store, "a");
        }

        try (var store = open(file)) {
            assertThat(store.get("a")).isPresent();
        }
    }

    @Test
    void nameOfTheFileMayHoldAnyCharacter() throws Exception {
        var file = directory.resolve("a b?mode=memory&c#d%20é.db");

        try (var store = open(file)) {
            create(store, "a");
        }

        var name = file.getFileName().toString();
        assertThat(contents()).containsOnlyKeys(name, name + ".mark");
    }

    @Test
    void databaseOfAnotherProgramIsRefusedAndLeftAlone() throws Exception {
        var file = directory.resolve("other.db");
        execute(file, "PRAGMA journal_mode = WAL", "CREATE TABLE t (x)", "INSERT INTO t VALUES (1)");
        var before = contents();

        var refusal = refusal(() -> open(file));

        assertThat(refusal.kind()).isEqualTo(Kind.FOREIGN);
        assertThat(refusal).hasMessageContainingAll("other.db", "another program");
        assertThat(contents()).isEqualTo(before);
    }

    @Test
    void fileThatIsNotADatabaseIsRefusedAndLeftAlone() throws Exception {
        var file = directory.resolve("notes.txt");
        Files.writeString(file, "Milk, bread, addresses.\n".repeat(100));
        var before = contents();

        var refusal = refusal(() -> open(file));

        assertThat(refusal.kind()).isEqualTo(Kind.FOREIGN);
        assertThat(refusal).hasMessageContainingAll("notes.txt", "not an SQLite file");
        assertThat(contents()).isEqualTo(before);
    }

    @Test
    void emptyFileIsRefusedAndLeftAlone() throws Exception {
        var file = directory.resolve("empty");
        Files.createFile(file);
        var before = contents();

        var refusal = refusal(() -> open(file));

        assertThat(refusal.kind()).isEqualTo(Kind.FOREIGN);
        assertThat(contents()).isEqualTo(before);
    }

    @Test
    void directoryInPlaceOfTheFileIsRefused() {
        var refusal = refusal(() -> open(directory));

        assertThat(refusal.kind()).isEqualTo(Kind.FOREIGN);
        assertThat(refusal).hasMessageContaining("not a file");
    }

    @Test
    void storeOfANewerSchemaIsRefusedAndLeftAlone() throws Exception {
        var file = directory.resolve("store.db");
        open(file).close();
        execute(file, "PRAGMA user_version = " + (Schema.VERSION + 1));
        var before = contents();

        var refusal = refusal(() -> open(file));

        assertThat(refusal.kind()).isEqualTo(Kind.FOREIGN);
        assertThat(refusal).hasMessageContainingAll("schema 3", "knows schema 2");
        assertThat(contents()).isEqualTo(before);
    }

    @Test
    void damagedStoreSaysSo() throws Exception {
        var file = directory.resolve("store.db");
        try (var store = open(file)) {
            for (int index = 0; index < 20; index++) {
                store.commit(List.of(new Write.Create("key-" + index, Bytes.of(new byte[10_000]))));
            }
        }
        overwriteAllButTheFirstPage(file);

        var refusal = refusal(() -> {
            try (var store = open(file)) {
                store.list("", 1000);
            }
        });

        assertThat(refusal.kind()).isEqualTo(Kind.CORRUPT);
        assertThat(refusal).hasMessageContainingAll("store.db", "damaged");
    }

    @Test
    void fileInPlaceOfADirectoryIsNamed() throws Exception {
        var inTheWay = directory.resolve("file");
        Files.writeString(inTheWay, "in the way");

        var refusal = refusal(() -> open(inTheWay.resolve("store.db")));
        var deeperRefusal = refusal(() -> open(inTheWay.resolve("deeper/store.db")));

        assertThat(refusal.kind()).isEqualTo(Kind.UNREACHABLE);
        assertThat(refusal).hasMessageContaining(inTheWay.toString());
        assertThat(deeperRefusal.kind()).isEqualTo(Kind.UNREACHABLE);
        assertThat(contents()).containsOnlyKeys("file");
    }

    @Test
    void directoryWithoutPermissionIsNamed() throws Exception {
        var locked = Files.createDirectory(directory.resolve("locked"));
        setPermissions(locked, "---------");

        var answer = attempt(locked.resolve("data/store.db"));

        setPermissions(locked, "rwx------");
        assertThat(answer).startsWith("UNREACHABLE no permission").contains(locked.toString());
        assertThat(locked).isEmptyDirectory();
    }

    @Test
    void storeWithoutPermissionToReadItIsNamed() throws Exception {
        var file = directory.resolve("store.db");
        open(file).close();
        setPermissions(file, "-w-------");

        var answer = attempt(file);

        assertThat(answer).startsWith("UNREACHABLE no permission").contains(file.toString());
    }

    @Test
    void readOnlyStoreIsReportedAsSuch() throws Exception {
        var file = directory.resolve("store.db");
        open(file).close();
        setPermissions(file, "r--------");

        var answer = attempt(file);

        assertThat(answer).startsWith("READ_ONLY").contains(file + " is read-only");
        assertThat(contents()).containsOnlyKeys("store.db", "store.db.mark");
    }

    @Test
    void readOnlyDirectoryIsReportedAsSuch() throws Exception {
        var inside = Files.createDirectory(directory.resolve("inside"));
        var file = inside.resolve("store.db");
        open(file).close();
        setPermissions(inside, "r-x------");

        var answer = attempt(file);
        var answerForANewOne = attempt(inside.resolve("new.db"));

        setPermissions(inside, "rwx------");
        assertThat(answer).startsWith("READ_ONLY").contains(inside + " is read-only");
        assertThat(answerForANewOne).startsWith("READ_ONLY").contains(inside + " is read-only");
    }

    @Test
    void storeInAReadOnlyDirectoryIsRead() throws Exception {
        var inside = Files.createDirectory(directory.resolve("inside"));
        var file = inside.resolve("store.db");
        try (var store = open(file)) {
            create(store, "a");
        }
        setPermissions(inside, "r-x------");

        var answer = attempt(file, "look");

        setPermissions(inside, "rwx------");
        assertThat(answer).isEqualTo("1 documents, 0 records");
    }

    @Test
    void storeThatAnotherProcessWritesIsReadFromAReadOnlyDirectory() throws Exception {
        var inside = Files.createDirectory(directory.resolve("inside"));
        var file = inside.resolve("store.db");
        try (var store = open(file)) {
            create(store, "a");
            setPermissions(inside, "r-x------");

            var answer = attempt(file, "look");

            setPermissions(inside, "rwx------");
            assertThat(answer).isEqualTo("1 documents, 0 records");
        }
    }

    @Test
    void directoryThatMayNotBeEnteredIsNotTakenForAnEmptyOne() throws Exception {
        var locked = Files.createDirectory(directory.resolve("locked"));
        setPermissions(locked, "---------");

        var answer = attempt(locked.resolve("store.db"), "look");

        setPermissions(locked, "rwx------");
        assertThat(answer).startsWith("UNREACHABLE no permission").contains(locked.toString());
    }

    @Test
    void absentStoreIsNotMadeByWhoLooks() throws Exception {
        var answer = attempt(directory.resolve("data/store.db"), "look");

        assertThat(answer).isEqualTo("absent");
        assertThat(contents()).isEmpty();
    }

    @Test
    void fullStoreSaysSoAndWritesNothingAndIsReadOn() {
        var settings = SqliteSettings.of(directory.resolve("store.db")).withFileBytesMax(1 << 20);
        try (var store = SqliteDatastore.open(settings)) {
            var refusal = refusal(() -> {
                for (int index = 0; index < 100; index++) {
                    store.commit(List.of(
                            new Write.Create("key-%02d/a".formatted(index), Bytes.of(new byte[10_000])),
                            new Write.Create("key-%02d/b".formatted(index), Bytes.of(new byte[10_000]))));
                }
            });

            assertThat(refusal.kind()).isEqualTo(Kind.FULL);
            assertThat(refusal).hasMessageContainingAll("store.db", "no room left");
            assertThat(store.listAll("").documents().size()).isPositive().isEven();
            // The store goes on: it says the same again, and takes what still fits.
            assertThat(refusal(() -> store.commit(List.of(creation("more", 100_000))))
                            .kind())
                    .isEqualTo(Kind.FULL);
            assertThat(store.commit(List.of(creation("little", 1)))).isInstanceOf(Commit.Done.class);
        }
        try (var store = SqliteDatastore.open(SqliteSettings.of(settings.file()))) {
            assertThat(store.commit(List.of(creation("more", 100_000)))).isInstanceOf(Commit.Done.class);
        }
    }

    @Test
    void settingsWithoutRoomOrTimeAreRefused() {
        var settings = SqliteSettings.of(directory.resolve("store.db"));

        assertThatThrownBy(() -> settings.withFileBytesMax(1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> settings.withLog(0, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> settings.withLog(1, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> settings.withCallLimit(Duration.ZERO)).isInstanceOf(IllegalArgumentException.class);
    }

    private static SqliteDatastore open(Path file) {
        return SqliteDatastore.open(SqliteSettings.of(file));
    }

    private static void create(SqliteDatastore store, String key) {
        assertThat(store.commit(List.of(new Write.Create(key, Bytes.ofUtf8("1")))))
                .isInstanceOf(Commit.Done.class);
    }

    private static Write creation(String key, int valueBytes) {
        return new Write.Create(key, Bytes.of(new byte[valueBytes]));
    }

    private static DatastoreException refusal(ThrowingCallable call) {
        return catchThrowableOfType(DatastoreException.class, call);
    }

    /// How opening ends for a user bound by permissions. They do not bind root, unless its
    /// capabilities are taken away.
    private static String attempt(Path file, String... how) throws IOException {
        var unprivileged = "root".equals(System.getProperty("user.name"))
                ? List.of("setpriv", "--bounding-set=-all", "--inh-caps=-all")
                : List.<String>of();
        var arguments = Stream.concat(Stream.of(file.toString()), Stream.of(how));
        try (var child = ChildJvm.start(unprivileged, OpenAttempt.class, arguments.toArray(String[]::new))) {
            return child.read();
        }
    }

    /// The files of the directory and what is in them.
    private Map<String, Bytes> contents() throws IOException {
        var contents = new TreeMap<String, Bytes>();
        try (var files = Files.list(directory)) {
            for (var file : files.toList()) {
                contents.put(file.getFileName().toString(), Bytes.of(Files.readAllBytes(file)));
            }
        }
        return contents;
    }

    static void execute(Path file, String... statements) throws SQLException {
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                var statement = connection.createStatement()) {
            for (var text : statements) {
                statement.execute(text);
            }
        }
    }

    private static void overwriteAllButTheFirstPage(Path file) throws IOException {
        int pageBytes = 4096;
        try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            var garbage = ByteBuffer.wrap("garbage!".repeat(pageBytes / 8).getBytes(StandardCharsets.UTF_8));
            for (long at = pageBytes; at < channel.size(); at += pageBytes) {
                channel.write(garbage.rewind(), at);
            }
        }
    }

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    private static void setPermissions(Path path, String permissions) throws IOException {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
    }
}
