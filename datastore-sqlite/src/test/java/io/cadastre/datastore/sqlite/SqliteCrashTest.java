package io.cadastre.datastore.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.datastore.Document;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Processes that write are killed at any moment, some of them while others go on writing.
class SqliteCrashTest {

    private static final int KILLS = 100;
    private static final int PROCESSES_AT_ONCE = 4;
    private static final long SEED = 20261115;

    /// A process is killed at the latest when it has had this many commits acknowledged.
    private static final int COMMITS_MAX = 40;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    @Test
    void everyAcknowledgedCommitIsThereAndNoneIsHalfThere() throws Exception {
        var file = directory.resolve("store.db");
        var acknowledged = new HashSet<String>();

        try (var threads = Executors.newFixedThreadPool(PROCESSES_AT_ONCE)) {
            var kills = new ArrayList<Future<Set<String>>>();
            for (int kill = 0; kill < KILLS; kill++) {
                int number = kill;
                kills.add(threads.submit(() -> writeAndKill(file, number)));
            }
            for (var kill : kills) {
                acknowledged.addAll(kill.get());
            }
        }

        assertThat(acknowledged).as("seed %d", SEED).hasSizeGreaterThan(KILLS);
        check(file, "", acknowledged);
    }

    /// Answers the commits that were acknowledged before the kill, after a look that they are there.
    private static Set<String> writeAndKill(Path file, int number) throws Exception {
        var prefix = "%03d.".formatted(number);
        int commits = new Random(SEED + number).nextInt(1, COMMITS_MAX);
        var acknowledged = new HashSet<String>();
        try (var child = ChildJvm.start(CrashWriter.class, file.toString(), prefix)) {
            for (int count = 0; count < commits; count++) {
                acknowledged.add(child.read());
            }
            child.kill();
            acknowledged.addAll(child.readAll());
        }
        check(file, prefix, acknowledged);
        return acknowledged;
    }

    private static void check(Path file, String prefix, Set<String> acknowledged) {
        try (var store = SqliteDatastore.open(SqliteSettings.of(file))) {
            var keysOfCommits = store.listAll(prefix).documents().stream()
                    .collect(Collectors.groupingBy(SqliteCrashTest::commitOf, Collectors.counting()));

            assertThat(keysOfCommits.keySet()).as("seed %d", SEED).containsAll(acknowledged);
            assertThat(keysOfCommits.values()).as("seed %d", SEED).containsOnly((long) CrashWriter.KEYS_PER_COMMIT);
        }
    }

    private static String commitOf(Document document) {
        assertThat(document.key()).startsWith(document.value().utf8() + "/");
        return document.value().utf8();
    }
}
