package io.cadastre.datastore.sqlite;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Journal;
import io.cadastre.datastore.Write;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/// A process that commits, several threads at once, until it is killed. Each commit creates three keys
/// under a name; the name is printed when the commit was acknowledged.
final class CrashWriter {

    static final int KEYS_PER_COMMIT = 3;

    private static final int THREADS = 4;

    private CrashWriter() {}

    /// Takes the path of the database, the prefix of all keys, and a third word if the journal is to tell of
    /// each commit.
    public static void main(String[] arguments) throws InterruptedException {
        var store = SqliteDatastore.open(SqliteSettings.of(Path.of(arguments[0])));
        for (int thread = 0; thread < THREADS; thread++) {
            var prefix = arguments[1] + thread + ".";
            boolean recording = arguments.length > 2;
            Thread.ofPlatform().start(() -> write(store, prefix, recording));
        }
    }

    /// Ends: the process is killed.
    private static void write(SqliteDatastore store, String prefix, boolean recording) {
        for (int number = 0; ; number++) {
            var name = prefix + number;
            var value = Bytes.ofUtf8(name);
            List<Write> writes = List.of(
                    new Write.Create(name + "/1", value),
                    new Write.Create(name + "/2", value),
                    new Write.Create(name + "/3", value));
            var draft = new Journal.Draft(Instant.EPOCH, value, List.of(), List.of());
            var commit = recording ? store.commit(writes, (_, _) -> List.of(draft)) : store.commit(writes);
            if (!(commit instanceof Commit.Done)) {
                throw new IllegalStateException(commit.toString());
            }
            // One write of the system, so that a line is never printed in part.
            var line = (name + "\n").getBytes(StandardCharsets.UTF_8);
            System.out.write(line, 0, line.length);
            System.out.flush();
        }
    }
}
