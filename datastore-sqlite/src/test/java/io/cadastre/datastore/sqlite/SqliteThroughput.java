package io.cadastre.datastore.sqlite;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Write;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/// Measures durable commits per second through the store beside SQLite itself, in one run.
///
/// Work: compare-and-set of one of ten thousand keys with a value of 1 KiB. The store is asked by N
/// virtual threads, each waiting for its answer. SQLite is driven by one thread in a plain JDBC loop
/// that reads the revision and updates the row, N of them in one transaction. Both sync once per
/// transaction; the repetitions alternate, and the median of each is told.
final class SqliteThroughput {

    private static final int KEYS = 10_000;
    private static final int VALUE_BYTES = 1024;
    private static final int[] WRITERS = {1, 8, 64, 512};

    private SqliteThroughput() {}

    /// Takes the directory to work in, the seconds of each measurement and the number of repetitions.
    public static void main(String[] arguments) throws Exception {
        var directory = Files.createTempDirectory(Path.of(arguments[0]), "throughput");
        double seconds = Double.parseDouble(arguments[1]);
        int repetitions = Integer.parseInt(arguments[2]);
        System.out.printf("%8s %12s %12s %8s%n", "writers", "store/s", "raw/s", "ratio");
        try (var store = SqliteDatastore.open(SqliteSettings.of(directory.resolve("store.db")));
                var raw = new Raw(directory.resolve("raw.db"))) {
            var load = new Load(store);
            for (int writers : WRITERS) {
                var ofStore = new double[repetitions];
                var ofRaw = new double[repetitions];
                // The first round warms up and is not counted.
                for (int round = -1; round < repetitions; round++) {
                    double rawRate = raw.measure(writers, seconds);
                    double storeRate = load.measure(writers, seconds);
                    if (round >= 0) {
                        ofStore[round] = storeRate;
                        ofRaw[round] = rawRate;
                    }
                }
                System.out.printf(
                        "%8d %12.0f %12.0f %7.0f%%%n",
                        writers,
                        median(ofStore),
                        median(ofRaw),
                        100 * median(ofStore) / median(ofRaw));
            }
        } finally {
            delete(directory);
        }
    }

    private static double median(double[] values) {
        Arrays.sort(values);
        return values[values.length / 2];
    }

    private static void delete(Path directory) throws IOException {
        try (var files = Files.walk(directory)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private static String key(int index) {
        return "/throughput/key-%05d".formatted(index);
    }

    private static byte[] value(Random random) {
        var value = new byte[VALUE_BYTES];
        random.nextBytes(value);
        return value;
    }

    /// Writers that ask the store.
    private static final class Load {

        private final SqliteDatastore store;
        private final long[] revisions = new long[KEYS];

        Load(SqliteDatastore store) {
            this.store = store;
            var random = new Random(1);
            for (int base = 0; base < KEYS; base += 100) {
                int first = base;
                var writes =
                        IntStream.range(0, 100)
                                .<Write>mapToObj(
                                        index ->
                                                new Write.Create(
                                                        key(first + index),
                                                        Bytes.of(value(random))))
                                .toList();
                var done = (Commit.Done) store.commit(writes);
                for (int index = 0; index < 100; index++) {
                    revisions[base + index] = done.revisions().get(index);
                }
            }
        }

        /// Each writer has keys of its own, so that no commit is wasted on a conflict.
        double measure(int writers, double seconds) throws Exception {
            long begin = System.nanoTime();
            long end = begin + (long) (seconds * 1e9);
            long commits = 0;
            try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
                var counts = new ArrayList<Future<Long>>();
                for (int writer = 0; writer < writers; writer++) {
                    int number = writer;
                    counts.add(threads.submit(() -> write(number, writers, end)));
                }
                for (var count : counts) {
                    commits += count.get();
                }
            }
            return commits / ((System.nanoTime() - begin) / 1e9);
        }

        private long write(int writer, int writers, long end) {
            var random = new Random(writer);
            var value = Bytes.of(value(random));
            long count = 0;
            while (System.nanoTime() < end) {
                int index = random.nextInt(KEYS / writers) * writers + writer;
                var update = new Write.Update(key(index), value, revisions[index]);
                var done = (Commit.Done) store.commit(List.of(update));
                revisions[index] = done.revisions().getFirst();
                count++;
            }
            return count;
        }
    }

    /// SQLite without anything around it.
    private static final class Raw implements AutoCloseable {

        private final Connection connection;
        private final long[] revisions = new long[KEYS];
        private final Random random = new Random(1);
        private long revision;

        Raw(Path file) throws SQLException {
            connection = DriverManager.getConnection("jdbc:sqlite:" + file);
            try (var statement = connection.createStatement()) {
                statement.execute("PRAGMA journal_mode = WAL");
                statement.execute("PRAGMA synchronous = FULL");
                statement.execute(
                        "CREATE TABLE document (key BLOB PRIMARY KEY, revision INTEGER NOT NULL,"
                                + " value BLOB NOT NULL)");
            }
            connection.setAutoCommit(false);
            try (var insert =
                    connection.prepareStatement("INSERT INTO document VALUES (?, 0, ?)")) {
                for (int index = 0; index < KEYS; index++) {
                    insert.setBytes(1, key(index).getBytes(StandardCharsets.UTF_8));
                    insert.setBytes(2, value(random));
                    insert.executeUpdate();
                }
            }
            connection.commit();
        }

        double measure(int commitsPerTransaction, double seconds) throws SQLException {
            long begin = System.nanoTime();
            long end = begin + (long) (seconds * 1e9);
            long commits = 0;
            try (var read =
                            connection.prepareStatement(
                                    "SELECT revision FROM document WHERE key = ?");
                    var update =
                            connection.prepareStatement(
                                    "UPDATE document SET value = ?, revision = ? WHERE key = ?")) {
                var value = value(random);
                while (System.nanoTime() < end) {
                    for (int index = 0; index < commitsPerTransaction; index++) {
                        int chosen = random.nextInt(KEYS);
                        var key = key(chosen).getBytes(StandardCharsets.UTF_8);
                        read.setBytes(1, key);
                        try (var rows = read.executeQuery()) {
                            if (!rows.next() || rows.getLong(1) != revisions[chosen]) {
                                throw new AssertionError(key(chosen));
                            }
                        }
                        revision++;
                        update.setBytes(1, value);
                        update.setLong(2, revision);
                        update.setBytes(3, key);
                        update.executeUpdate();
                        revisions[chosen] = revision;
                    }
                    connection.commit();
                    commits += commitsPerTransaction;
                }
            }
            return commits / ((System.nanoTime() - begin) / 1e9);
        }

        @Override
        public void close() throws SQLException {
            connection.close();
        }
    }
}
