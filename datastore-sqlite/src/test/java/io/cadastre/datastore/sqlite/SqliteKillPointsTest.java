package io.cadastre.datastore.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.Journal;
import io.cadastre.datastore.Write;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a process leaves on the disk that is killed between two steps of opening a store, of a commit and its
/// mark, and of cutting records off: the next one opens it, with all that was answered, and goes on.
class SqliteKillPointsTest {

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    private Path file() {
        return directory.resolve("store.db");
    }

    private Path mark() {
        return directory.resolve("store.db.mark");
    }

    @Test
    void makingTheStoreBeforeItHasItsName() throws Exception {
        write("a");
        Files.move(file(), directory.resolve("store.db.123.new"));
        Files.delete(mark());

        write("b");

        assertThat(keys()).containsExactly("b");
        assertThat(directory.resolve("store.db.123.new")).doesNotExist();
    }

    @Test
    void makingTheStoreWhenItHasBothNames() throws Exception {
        open().close();
        Files.delete(mark());
        Files.createLink(directory.resolve("store.db.123.new"), file());

        write("a");

        assertThat(keys()).containsExactly("a");
    }

    @Test
    void makingTheMarkBeforeAnythingIsInIt() throws Exception {
        write("a");
        Files.write(mark(), new byte[0]);

        write("b");

        assertThat(keys()).containsExactly("a", "b");
        assertThat(marked()).isEqualTo(2);
    }

    @Test
    void aCommitBeforeItsMark() throws Exception {
        write("a");
        write("b");
        dropLastMark();

        write("c");

        assertThat(keys()).containsExactly("a", "b", "c");
        assertThat(marked()).isEqualTo(3);
    }

    @Test
    void beginningTheMarksAnewBeforeTheRestIsCutOff() throws Exception {
        IntStream.rangeClosed(1, 5).forEach(number -> write("k" + number));
        var greatest = Files.readAllBytes(mark());
        try (var bytes = new RandomAccessFile(mark().toFile(), "rw")) {
            bytes.write(greatest, greatest.length - HighWaterMark.ENCODED_BYTES, HighWaterMark.ENCODED_BYTES);
        }

        write("k6");

        assertThat(keys()).hasSize(6);
        assertThat(marked()).isEqualTo(6);
    }

    /// However much an adoption has written, it is not done before the store is accepted.
    @Test
    void adoptingAStoreBeforeItIsAccepted() throws Exception {
        record("a");
        Files.copy(file(), directory.resolve("backup"));
        record("b");
        Files.move(directory.resolve("backup"), file(), StandardCopyOption.REPLACE_EXISTING);
        for (var key : List.of("c", "d", "e")) {
            try (var adopted = SqliteDatastore.openToAdopt(SqliteSettings.of(file()))) {
                record(adopted, key);
            }
        }

        var refused = catchThrowableOfType(DatastoreException.class, () -> record("f"));
        SqliteDatastore.accept(SqliteSettings.of(file()));
        record("f");

        assertThat(refused).hasMessageContaining("another ledger entry 2");
        assertThat(keys()).containsExactly("a", "c", "d", "e", "f");
    }

    private void record(String key) {
        try (var store = open()) {
            record(store, key);
        }
    }

    private static void record(SqliteDatastore store, String key) {
        var commit = store.commit(List.of(new Write.Create(key, Bytes.ofUtf8(key))), (_, _) -> List.of(draft(key)));
        assertThat(commit).isInstanceOf(Commit.Done.class);
    }

    @Test
    void cuttingAllRecordsOffBeforeTheMark() throws Exception {
        IntStream.rangeClosed(1, 5).forEach(this::append);
        cut(5, 1);
        dropLastMark();

        append(7);

        assertThat(numbers()).containsExactly(5L, 6L, 7L);
    }

    @Test
    void cuttingRecordsOffWithSeveralInTheirPlaceBeforeTheMark() throws Exception {
        IntStream.rangeClosed(1, 5).forEach(this::append);
        cut(5, 3);
        dropLastMark();

        append(7);

        assertThat(numbers()).containsExactly(3L, 4L, 5L, 6L, 7L);
    }

    @Test
    void cuttingRecordsOffBeforeItIsCommitted() throws Exception {
        IntStream.rangeClosed(1, 5).forEach(this::append);
        IllegalArgumentException refused;
        try (var journal = SqliteJournal.open(SqliteSettings.of(file()))) {
            // The mark is loosened by then: more are to stand in the place than there were.
            refused = catchThrowableOfType(
                    IllegalArgumentException.class, () -> journal.cut(_ -> Optional.of(cutOf(5, 6))));
        }

        append(6);

        assertThat(refused).isNotNull();
        assertThat(numbers()).containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
    }

    @Test
    void cuttingRecordsOffWhileTheMarkOfAnotherIsLate() throws Exception {
        IntStream.rangeClosed(1, 5).forEach(this::append);
        var all = Files.readAllBytes(mark());
        cut(5, 1);
        dropLastMark();
        try (var bytes = new RandomAccessFile(mark().toFile(), "rw")) {
            bytes.seek(bytes.length());
            bytes.write(all, all.length - HighWaterMark.ENCODED_BYTES, HighWaterMark.ENCODED_BYTES);
        }

        append(7);

        assertThat(numbers()).containsExactly(5L, 6L, 7L);
    }

    /// As if the process had been killed before it wrote its last mark.
    private void dropLastMark() throws IOException {
        try (var bytes = new RandomAccessFile(mark().toFile(), "rw")) {
            bytes.setLength(bytes.length() - HighWaterMark.ENCODED_BYTES);
        }
    }

    private long marked() throws IOException {
        return new MarkFile(file()).read().orElseThrow().revision();
    }

    private void append(int number) {
        try (var journal = SqliteJournal.open(SqliteSettings.of(file()))) {
            journal.append(_ -> List.of(draft("entry " + number)));
        }
    }

    /// Cuts off the records up to this one, and appends one that tells of it.
    private void cut(long last, int instead) {
        try (var journal = SqliteJournal.open(SqliteSettings.of(file()))) {
            journal.cut(_ -> Optional.of(cutOf(last, instead)));
        }
    }

    private static Journal.Cut cutOf(long last, int instead) {
        return new Journal.Cut(
                last,
                IntStream.range(0, instead)
                        .mapToObj(part -> draft("cut " + part))
                        .toList(),
                List.of(draft("told")));
    }

    private static Journal.Draft draft(String content) {
        return new Journal.Draft(Instant.EPOCH, Bytes.ofUtf8(content), List.of(), List.of());
    }

    private List<Long> numbers() {
        try (var journal = SqliteJournal.open(SqliteSettings.of(file()))) {
            return journal.read(1, 100).stream().map(Journal.Entry::number).toList();
        }
    }

    private List<String> keys() {
        try (var store = open()) {
            return store.listAll("").documents().stream()
                    .map(found -> found.key())
                    .toList();
        }
    }

    private void write(String key) {
        try (var store = open()) {
            create(store, key);
        }
    }

    private SqliteDatastore open() {
        return SqliteDatastore.open(SqliteSettings.of(file()));
    }

    private static void create(SqliteDatastore store, String key) {
        assertThat(store.commit(List.of(new Write.Create(key, Bytes.ofUtf8(key)))))
                .isInstanceOf(Commit.Done.class);
    }
}
