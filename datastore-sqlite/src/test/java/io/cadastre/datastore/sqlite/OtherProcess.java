package io.cadastre.datastore.sqlite;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Journal;
import io.cadastre.datastore.Watch.Change;
import io.cadastre.datastore.Watch.Notice;
import io.cadastre.datastore.Write;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// Another process at work on the same file.
final class OtherProcess {

    private static final Duration AMPLE = Duration.ofSeconds(60);

    private OtherProcess() {}

    /// Takes the path of the database, what to do (`echo`, `count` or `append`) and how often.
    public static void main(String[] arguments) {
        var settings = SqliteSettings.of(Path.of(arguments[0])).withCallLimit(AMPLE);
        int times = Integer.parseInt(arguments[2]);
        switch (arguments[1]) {
            case "echo" -> {
                try (var store = SqliteDatastore.open(settings)) {
                    echo(store, times);
                }
            }
            case "count" -> {
                try (var store = SqliteDatastore.open(settings)) {
                    count(store, times);
                }
            }
            case "append" -> {
                try (var journal = SqliteJournal.open(settings)) {
                    append(journal, times);
                }
            }
            default -> throw new IllegalArgumentException(arguments[1]);
        }
        System.out.println("done");
    }

    /// Answers each document under `ping/` with one under `pong/`.
    static void echo(Datastore store, int times) {
        try (var watch = store.watch("ping/", 0)) {
            System.out.println("watching");
            for (int time = 0; time < times; time++) {
                var notice = (Notice.Changed) watch.next(AMPLE);
                var ping = ((Change.Put) notice.changes().getFirst()).document();
                create(store, ping.key().replace("ping/", "pong/"), ping.value());
            }
        }
    }

    static void create(Datastore store, String key, Bytes value) {
        var commit = store.commit(List.of(new Write.Create(key, value)));
        if (!(commit instanceof Commit.Done)) {
            throw new IllegalStateException(commit.toString());
        }
    }

    /// Increments the document `counter` this many times.
    static void count(Datastore store, int times) {
        int done = 0;
        // Ends: whenever an increment is refused, someone else's was done.
        while (done < times) {
            var counter = store.get("counter").orElseThrow();
            int next = Integer.parseInt(counter.value().utf8()) + 1;
            var write = new Write.Update("counter", Bytes.ofUtf8("" + next), counter.revision());
            if (store.commit(List.of(write)) instanceof Commit.Done) {
                done++;
            }
        }
    }

    /// Appends records that each name the number of the one before.
    static void append(Journal journal, int times) {
        for (int time = 0; time < times; time++) {
            journal.append(last -> List.of(new Journal.Draft(
                    Instant.EPOCH,
                    Bytes.ofUtf8("after " + last.map(Journal.Entry::number).orElse(0L)),
                    List.of(),
                    List.of())));
        }
    }
}
