package io.cadastre.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.Watch;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.memory.MemoryDatastore;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ReflectorTest {

    private static final long AMPLE_SECONDS = 60;

    private final MemoryDatastore store = new MemoryDatastore();
    private final AtomicInteger pauses = new AtomicInteger();

    @AfterEach
    void closeStore() {
        store.close();
    }

    @Test
    void storedDocumentsAreListedAndLaterChangesReported() throws Exception {
        create("a/1");
        var handler = new Diary("a/");
        try (var _ = begin(handler)) {
            assertThat(handler.next()).isEqualTo("listed [a/1]");

            create("b/1");
            create("a/2");

            assertThat(handler.next()).isEqualTo("changed [a/2]");
        }
        assertThat(handler.rest()).isNotEmpty().containsOnly("lost");
    }

    @Test
    void everyPrefixHasItsOwnKeeper() throws Exception {
        create("a/1");
        create("b/1");
        var one = new Diary("a/");
        var other = new Diary("b/");

        try (var _ = begin(one, other)) {
            assertThat(one.next()).isEqualTo("listed [a/1]");
            assertThat(other.next()).isEqualTo("listed [b/1]");
        }
    }

    @Test
    void listThatMustBeginAgainBeginsAtOnce() throws Exception {
        create("a/1");
        var handler = new Diary("a/");
        handler.listsInVain = 2;

        try (var _ = begin(handler)) {
            assertThat(handler.next()).isEqualTo("listed in vain");
            assertThat(handler.next()).isEqualTo("listed in vain");
            assertThat(handler.next()).isEqualTo("listed [a/1]");
        }
        assertThat(pauses).hasValue(0);
    }

    @Test
    void failureLosesTheSnapshotIsReportedAndRetriedAfterAPause() throws Exception {
        create("a/1");
        var handler = new Diary("a/");
        handler.failures = 1;

        try (var _ = begin(handler)) {
            assertThat(handler.next()).isEqualTo("lost");
            assertThat(handler.next()).isEqualTo("failed: no server answers");
            assertThat(handler.next()).isEqualTo("listed [a/1]");
        }
        assertThat(pauses).hasValue(1);
    }

    @Test
    void watchThatMissedSomethingIsBegunWithANewList() throws Exception {
        create("a/1");
        var handler = new Diary("a/");
        handler.staleLists = 1;
        create("a/2");
        create("a/3");
        store.compact(store.list("", 1).revision());

        try (var _ = begin(handler)) {
            assertThat(handler.next()).isEqualTo("listed [a/1, a/2, a/3]");
            assertThat(handler.next()).isEqualTo("listed [a/1, a/2, a/3]");
        }
        assertThat(pauses).hasValue(0);
    }

    @Test
    void closingAVigilThatRestsEndsIt() throws Exception {
        var handler = new Diary("a/");
        handler.failures = Integer.MAX_VALUE;
        var resting = new LinkedBlockingQueue<Duration>();
        var reflector = Reflector.begin(
                store,
                duration -> {
                    resting.add(duration);
                    new CountDownLatch(1).await();
                },
                List.of(handler));
        assertThat(resting.poll(AMPLE_SECONDS, TimeUnit.SECONDS)).isNotNull();

        reflector.close();

        assertThat(handler.rest()).containsExactly("lost", "failed: no server answers", "lost");
    }

    private Reflector begin(Reflector.WatchHandler... handlers) {
        return Reflector.begin(store, _ -> pauses.incrementAndGet(), List.of(handlers));
    }

    private void create(String key) {
        store.commit(List.of(new Write.Create(key, Bytes.ofUtf8("1"))));
    }

    /// Writes down what is reported to it.
    private static final class Diary implements Reflector.WatchHandler {

        private final String prefix;
        private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
        private int listsInVain;
        private int failures;
        private int staleLists;

        Diary(String prefix) {
            this.prefix = prefix;
        }

        String next() throws InterruptedException {
            return String.valueOf(lines.poll(AMPLE_SECONDS, TimeUnit.SECONDS));
        }

        List<String> rest() {
            return List.copyOf(lines);
        }

        @Override
        public String name() {
            return "diary-" + prefix;
        }

        @Override
        public String prefix() {
            return prefix;
        }

        @Override
        public OptionalLong list(Datastore store) {
            if (listsInVain > 0) {
                listsInVain--;
                lines.add("listed in vain");
                return OptionalLong.empty();
            }
            if (failures > 0) {
                failures--;
                throw new DatastoreException(DatastoreException.Kind.UNREACHABLE, "no server answers");
            }
            var listing = store.listAll(prefix);
            lines.add("listed "
                    + listing.documents().stream()
                            .map(document -> document.key())
                            .toList());
            if (staleLists > 0) {
                staleLists--;
                return OptionalLong.of(1);
            }
            return OptionalLong.of(listing.revision());
        }

        @Override
        public void change(Watch.Notice.Changed changed) {
            lines.add("changed "
                    + changed.changes().stream().map(Watch.Change::key).toList());
        }

        @Override
        public void lost() {
            lines.add("lost");
        }

        @Override
        public void failed(DatastoreException failure) {
            lines.add("failed: " + failure.getMessage());
        }
    }
}
