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
/// virtual threads, each waiting for its answer. SQLite is driven in two ways. *Alone* is one thread
/// in a plain JDBC loop that reads the revision and updates the row, N of them in one transaction: the
/// most that could be had, since no caller has to be awaited or answered. *Rivals* are N threads with a
/// connection each, every update a transaction of its own: what N writers get from SQLite by
/// themselves. All sync once per transaction; the repetitions alternate, and the median of each is
/// printed.
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
        System.out.printf(
                "%8s %12s %12s %8s %12s %8s%n", "writers", "store/s", "alone/s", "ratio", "rivals/s", "ratio");
        try (var store = SqliteDatastore.open(SqliteSettings.of(directory.resolve("store.db")));
                var raw = new Raw(directory.resolve("raw.db"))) {
            var load = new Load(store);
            for (int writers : WRITERS) {
                var ofStore = new double[repetitions];
                var ofRaw = new double[repetitions];
                var ofRivals = new double[repetitions];
                // The first round warms up and is not counted.
                for (int round = -1; round < repetitions; round++) {
                    double rawRate = raw.measure(writers, seconds);
                    double storeRate = load.measure(writers, seconds);
                    double rivalRate = raw.measureRivals(writers, seconds);
                    if (round >= 0) {
                        ofStore[round] = storeRate;
                        ofRaw[round] = rawRate;
                        ofRivals[round] = rivalRate;
                    }
                }
                System.out.printf(
                        "%8d %12.0f %12.0f %7.0f%% %12.0f %7.0f%%%n",
                        writers,
                        median(ofStore),
                        median(ofRaw),
                        100 * median(ofStore) / median(ofRaw),
                        median(ofRivals),
                        100 * median(ofStore) / median(ofRivals));
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
                var writes = IntStream.range(0, 100)
                        .<Write>mapToObj(index -> new Write.Create(key(first + index), Bytes.of(value(random))))
                        .toList();
                var done = (Commit.Done) store.commit(writes);
                for (int index = 0; index < 100; index++) {
                    revisions[base + index] = done.revisions().get(index);
                }
            }
        }

        double measure(int writers, double seconds) throws Exception {
            long begin = System.nanoTime();
            long end = begin + (long) (seconds * 1e9);
            long commits = 0;
            try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
                var counts = new ArrayList<Future<Long>>();
                for (int writer = 0; writer < writers; writer++) {
                    int number = writer;
                    counts.add(threads.submit(() -> write(new Share(number, writers), end)));
                }
                for (var count : counts) {
                    commits += count.get();
                }
            }
            return commits / ((System.nanoTime() - begin) / 1e9);
        }

        private long write(Share share, long end) {
            var random = new Random(share.writer());
            var value = Bytes.of(value(random));
            long count = 0;
            while (System.nanoTime() < end) {
                int index = share.choose(random);
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

        private static final int LOCK_WAIT_MILLIS = 60_000;

        private final Path file;
        private final Connection connection;
        private final long[] revisions = new long[KEYS];

        Raw(Path file) throws SQLException {
            this.file = file;
            this.connection = connect();
            var random = new Random(1);
            try (var statement = connection.createStatement()) {
                statement.execute("PRAGMA journal_mode = WAL");
                statement.execute("CREATE TABLE document (key BLOB PRIMARY KEY, revision INTEGER NOT NULL,"
                        + " value BLOB NOT NULL)");
                statement.execute("BEGIN IMMEDIATE");
            }
            try (var insert = connection.prepareStatement("INSERT INTO document VALUES (?, 0, ?)");
                    var commit = connection.prepareStatement("COMMIT")) {
                for (int index = 0; index < KEYS; index++) {
                    insert.setBytes(1, key(index).getBytes(StandardCharsets.UTF_8));
                    insert.setBytes(2, value(random));
                    insert.executeUpdate();
                }
                commit.execute();
            }
        }

        private Connection connect() throws SQLException {
            var connected = DriverManager.getConnection("jdbc:sqlite:" + file);
            try (var statement = connected.createStatement()) {
                statement.execute("PRAGMA synchronous = FULL");
                statement.execute("PRAGMA busy_timeout = " + LOCK_WAIT_MILLIS);
            }
            return connected;
        }

        double measure(int commitsPerTransaction, double seconds) throws SQLException {
            long begin = System.nanoTime();
            long end = begin + (long) (seconds * 1e9);
            long commits = write(connection, commitsPerTransaction, new Share(0, 1), end);
            return commits / ((System.nanoTime() - begin) / 1e9);
        }

        double measureRivals(int writers, double seconds) throws Exception {
            var connections = new ArrayList<Connection>();
            try (var threads =
                    Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory())) {
                for (int writer = 0; writer < writers; writer++) {
                    connections.add(connect());
                }
                long begin = System.nanoTime();
                long end = begin + (long) (seconds * 1e9);
                var counts = new ArrayList<Future<Long>>();
                for (int writer = 0; writer < writers; writer++) {
                    var own = connections.get(writer);
                    var share = new Share(writer, writers);
                    counts.add(threads.submit(() -> write(own, 1, share, end)));
                }
                long commits = 0;
                for (var count : counts) {
                    commits += count.get();
                }
                return commits / ((System.nanoTime() - begin) / 1e9);
            } finally {
                for (var opened : connections) {
                    opened.close();
                }
            }
        }

        private long write(Connection own, int commitsPerTransaction, Share share, long end) throws SQLException {
            var random = new Random(share.writer());
            var value = value(random);
            long commits = 0;
            try (var begin = own.prepareStatement("BEGIN IMMEDIATE");
                    var commit = own.prepareStatement("COMMIT");
                    var read = own.prepareStatement("SELECT revision FROM document WHERE key = ?");
                    var update = own.prepareStatement("UPDATE document SET value = ?, revision = ? WHERE key = ?")) {
                while (System.nanoTime() < end) {
                    begin.execute();
                    for (int index = 0; index < commitsPerTransaction; index++) {
                        int chosen = share.choose(random);
                        var key = key(chosen).getBytes(StandardCharsets.UTF_8);
                        read.setBytes(1, key);
                        try (var rows = read.executeQuery()) {
                            if (!rows.next() || rows.getLong(1) != revisions[chosen]) {
                                throw new AssertionError(key(chosen));
                            }
                        }
                        revisions[chosen]++;
                        update.setBytes(1, value);
                        update.setLong(2, revisions[chosen]);
                        update.setBytes(3, key);
                        update.executeUpdate();
                    }
                    commit.execute();
                    commits += commitsPerTransaction;
                }
            }
            return commits;
        }

        @Override
        public void close() throws SQLException {
            connection.close();
        }
    }

    /// The keys of one writer among several, so that no commit is wasted on a conflict.
    private record Share(int writer, int writers) {

        int choose(Random random) {
            return random.nextInt(KEYS / writers) * writers + writer;
        }
    }
}
