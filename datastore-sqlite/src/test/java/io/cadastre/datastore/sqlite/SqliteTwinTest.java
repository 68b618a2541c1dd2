package io.cadastre.datastore.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Listing;
import io.cadastre.datastore.Watch.Notice;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.memory.MemoryDatastore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The store in memory is the slow and obvious twin: asked the same, both say the same.
class SqliteTwinTest {

    private static final int COMMITS = 800;
    private static final List<String> KEYS =
            List.of("a", "a/", "a/1", "a/2", "a/é", "a/😀", "ab", "ab/1", "b", "c/1", "c/2", "c/～");
    private static final List<String> PREFIXES = List.of("", "a", "a/", "ab", "c/", "d");

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    @Test
    void bothTellTheSameHistory() {
        var random = new Random(20261115);
        try (var memory = new MemoryDatastore();
                var sqlite = SqliteDatastore.open(SqliteSettings.of(directory.resolve("store.db")))) {
            for (int commit = 0; commit < COMMITS; commit++) {
                var writes = randomWrites(memory, random);

                assertThat(sqlite.commit(writes)).isEqualTo(memory.commit(writes));
            }

            for (int turn = 0; turn < 60; turn++) {
                var prefix = PREFIXES.get(random.nextInt(PREFIXES.size()));
                long revision = random.nextLong(memory.list("", 1).revision() + 1);
                assertThat(told(sqlite, prefix, revision))
                        .as("changes of '%s' after %d", prefix, revision)
                        .isEqualTo(told(memory, prefix, revision));
                assertThat(listed(sqlite, prefix, revision, random.nextInt(1, 5)))
                        .as("documents of '%s' at %d", prefix, revision)
                        .isEqualTo(listed(memory, prefix, revision, 100));
            }
        }
    }

    @Test
    void bothForgetTheSame() {
        var random = new Random(20261116);
        try (var memory = new MemoryDatastore();
                var sqlite = SqliteDatastore.open(SqliteSettings.of(directory.resolve("store.db")))) {
            for (int commit = 0; commit < 300; commit++) {
                var writes = randomWrites(memory, random);
                assertThat(sqlite.commit(writes)).isEqualTo(memory.commit(writes));
                if (random.nextInt(20) == 0) {
                    long revision = random.nextLong(memory.list("", 1).revision() + 1);
                    memory.compact(revision);
                    sqlite.compact(revision);
                }
                long after = random.nextLong(memory.list("", 1).revision() + 1);

                assertThat(told(sqlite, "a", after)).isEqualTo(told(memory, "a", after));
            }
        }
    }

    /// Mostly right beliefs, some wrong ones.
    private static List<Write> randomWrites(Datastore store, Random random) {
        var keys = new ArrayList<>(KEYS);
        var writes = new ArrayList<Write>();
        for (int count = random.nextInt(1, 4); count > 0; count--) {
            var key = keys.remove(random.nextInt(keys.size()));
            var value = Bytes.ofUtf8("value " + random.nextInt(1000));
            long believed = store.get(key).map(Document::revision).orElse(0L);
            if (random.nextInt(20) == 0) {
                believed += random.nextInt(3);
            }
            writes.add(
                    believed == 0
                            ? new Write.Create(key, value)
                            : random.nextInt(3) == 0
                                    ? new Write.Delete(key, believed)
                                    : new Write.Update(key, value, believed));
        }
        return writes;
    }

    private static List<Notice> told(Datastore store, String prefix, long after) {
        var notices = new ArrayList<Notice>();
        try (var watch = store.watch(prefix, after)) {
            do {
                notices.add(watch.next(Duration.ZERO));
            } while (notices.getLast() instanceof Notice.Changed);
        }
        return notices;
    }

    /// All pages but what lies before the first key, which no cursor can stand at.
    private static List<Document> listed(Datastore store, String prefix, long revision, int limit) {
        var first = prefix.isEmpty() ? "\u0001" : prefix;
        var page = store.list(new Listing.Cursor(prefix, first, revision), limit);
        var documents = new ArrayList<>(page.documents());
        while (page.next().isPresent()) {
            page = store.list(page.next().get(), limit);
            documents.addAll(page.documents());
        }
        return documents;
    }
}
