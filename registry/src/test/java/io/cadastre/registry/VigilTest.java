package io.cadastre.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.Watch;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.memory.MemoryDatastore;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

class VigilTest {

    private static final long AMPLE_SECONDS = 60;

    private final MemoryDatastore store = new MemoryDatastore();
    private final AtomicInteger pauses = new AtomicInteger();

    @AfterEach
    void closeStore() {
        store.close();
    }

    @Test
    void whatIsThereIsListedAndWhatComesLaterIsTold() throws Exception {
        create("a/1");
        var keeper = new Diary("a/");
        try (var _ = begin(keeper)) {
            assertThat(keeper.next()).isEqualTo("listed [a/1]");

            create("b/1");
            create("a/2");

            assertThat(keeper.next()).isEqualTo("changed [a/2]");
        }
        assertThat(keeper.rest()).isNotEmpty().containsOnly("lost");
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
        var keeper = new Diary("a/");
        keeper.listsInVain = 2;

        try (var _ = begin(keeper)) {
            assertThat(keeper.next()).isEqualTo("listed in vain");
            assertThat(keeper.next()).isEqualTo("listed in vain");
            assertThat(keeper.next()).isEqualTo("listed [a/1]");
        }
        assertThat(pauses).hasValue(0);
    }

    @Test
    void failureLosesWhatIsKnownIsToldAndIsTriedAgainAfterAPause() throws Exception {
        create("a/1");
        var keeper = new Diary("a/");
        keeper.failures = 1;

        try (var _ = begin(keeper)) {
            assertThat(keeper.next()).isEqualTo("lost");
            assertThat(keeper.next()).isEqualTo("failed: nobody answers");
            assertThat(keeper.next()).isEqualTo("listed [a/1]");
        }
        assertThat(pauses).hasValue(1);
    }

    @Test
    void watchThatMissedSomethingIsBegunWithANewList() throws Exception {
        create("a/1");
        var keeper = new Diary("a/");
        keeper.staleLists = 1;
        create("a/2");
        create("a/3");
        store.compact(store.list("", 1).revision());

        try (var _ = begin(keeper)) {
            assertThat(keeper.next()).isEqualTo("listed [a/1, a/2, a/3]");
            assertThat(keeper.next()).isEqualTo("listed [a/1, a/2, a/3]");
        }
        assertThat(pauses).hasValue(0);
    }

    @Test
    void closingAVigilThatRestsEndsIt() throws Exception {
        var keeper = new Diary("a/");
        keeper.failures = Integer.MAX_VALUE;
        var resting = new LinkedBlockingQueue<Duration>();
        var vigil =
                Vigil.begin(
                        store,
                        duration -> {
                            resting.add(duration);
                            new CountDownLatch(1).await();
                        },
                        List.of(keeper));
        assertThat(resting.poll(AMPLE_SECONDS, TimeUnit.SECONDS)).isNotNull();

        vigil.close();

        assertThat(keeper.rest()).containsExactly("lost", "failed: nobody answers", "lost");
    }

    private Vigil begin(Vigil.Keeper... keepers) {
        return Vigil.begin(store, _ -> pauses.incrementAndGet(), List.of(keepers));
    }

    private void create(String key) {
        store.commit(List.of(new Write.Create(key, Bytes.ofUtf8("1"))));
    }

    /// Writes down what it is told.
    private static final class Diary implements Vigil.Keeper {

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
                throw new DatastoreException(DatastoreException.Kind.UNREACHABLE, "nobody answers");
            }
            var listing = store.listAll(prefix);
            lines.add(
                    "listed "
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
            lines.add("changed " + changed.changes().stream().map(Watch.Change::key).toList());
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
