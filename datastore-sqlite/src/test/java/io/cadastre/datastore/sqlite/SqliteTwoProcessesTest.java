package io.cadastre.datastore.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Watch.Change;
import io.cadastre.datastore.Watch.Notice;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteTwoProcessesTest {

    private static final Duration AMPLE = Duration.ofSeconds(60);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    @Test
    void processesSeeEachOthersWritesByWatching() throws Exception {
        int times = 50;
        try (var store = SqliteDatastore.open(settings());
                var watch = store.watch("pong/", 0);
                var neighbour = start("echo", times)) {
            assertThat(neighbour.read()).isEqualTo("watching");
            var echoes = new ArrayList<String>();

            for (int time = 0; time < times; time++) {
                OtherProcess.create(store, "ping/%02d".formatted(time), Bytes.ofUtf8("" + time));
                var notice = (Notice.Changed) watch.next(AMPLE);
                echoes.add(((Change.Put) notice.changes().getFirst())
                        .document()
                        .value()
                        .utf8());
            }

            assertThat(echoes)
                    .isEqualTo(
                            IntStream.range(0, times).mapToObj(String::valueOf).toList());
            assertThat(neighbour.read()).isEqualTo("done");
            assertThat(store.listAll("pong/").documents()).hasSize(times);
        }
    }

    @Test
    void processesThatMeetAtOneKeyLoseNoUpdate() throws Exception {
        int times = 100;
        try (var store = SqliteDatastore.open(settings())) {
            OtherProcess.create(store, "counter", Bytes.ofUtf8("0"));
            try (var one = start("count", times);
                    var other = start("count", times)) {
                OtherProcess.count(store, times);

                assertThat(one.read()).isEqualTo("done");
                assertThat(other.read()).isEqualTo("done");
            }

            assertThat(store.get("counter").orElseThrow().value()).isEqualTo(Bytes.ofUtf8("" + 3 * times));
        }
    }

    @Test
    void processesThatOpenAnAbsentStoreAtOnceMakeOne() throws Exception {
        try (var one = start("append", 1);
                var other = start("append", 1);
                var third = start("append", 1)) {
            assertThat(one.read()).isEqualTo("done");
            assertThat(other.read()).isEqualTo("done");
            assertThat(third.read()).isEqualTo("done");
        }

        try (var journal = SqliteJournal.open(settings())) {
            assertThat(journal.read(1, 10)).hasSize(3);
        }
    }

    @Test
    void processesAppendToOneJournalWithoutGapOrFork() throws Exception {
        int times = 50;
        try (var journal = SqliteJournal.open(settings());
                var neighbour = start("append", times)) {
            OtherProcess.append(journal, times);

            assertThat(neighbour.read()).isEqualTo("done");
            assertThat(journal.read(1, 1000))
                    .extracting(entry -> entry.content().utf8())
                    .isEqualTo(IntStream.range(0, 2 * times)
                            .mapToObj(number -> "after " + number)
                            .toList());
        }
    }

    private ChildJvm start(String work, int times) throws Exception {
        return ChildJvm.start(OtherProcess.class, settings().file().toString(), work, String.valueOf(times));
    }

    private SqliteSettings settings() {
        return SqliteSettings.of(directory.resolve("store.db")).withCallLimit(AMPLE);
    }
}
