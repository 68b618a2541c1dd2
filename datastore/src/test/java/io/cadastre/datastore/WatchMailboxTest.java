package io.cadastre.datastore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.cadastre.datastore.DatastoreException.Kind;
import io.cadastre.datastore.Watch.Notice;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class WatchMailboxTest {

    private static final Duration AMPLE = Duration.ofSeconds(60);

    private final WatchMailbox mailbox = new WatchMailbox();
    private final Messages messages = new Messages();

    @Test
    void noticesOfOneMessageAreDeliveredOneByOneInOrder() {
        messages.leave(changed(1), changed(2));
        messages.leave(changed(3));

        var told = List.of(next(AMPLE), next(AMPLE), next(AMPLE));

        assertThat(told).containsExactly(changed(1), changed(2), changed(3));
    }

    @Test
    void nothingIsReadBeforeTheEarlierNoticesAreDelivered() {
        messages.leave(changed(1), changed(2));
        messages.leave(changed(3));

        next(AMPLE);
        next(AMPLE);

        assertThat(messages.left()).isEqualTo(1);
    }

    @Test
    void messageWithoutANoticeDoesNotEndTheWait() {
        messages.leave();
        messages.leave(changed(1));

        assertThat(next(AMPLE)).isEqualTo(changed(1));
    }

    @Test
    void noticeThatHasArrivedIsDeliveredToACallerThatDoesNotWait() {
        messages.leave();
        messages.leave(changed(1));

        assertThat(next(Duration.ZERO)).isEqualTo(changed(1));
    }

    @Test
    void waitWithoutAMessageEndsAtItsLimitInWhatTheSourceSays() {
        long begun = System.nanoTime();

        var told = next(Duration.ofMillis(20));

        assertThat(told).isEqualTo(new Notice.Quiet());
        assertThat(System.nanoTime() - begun).isGreaterThanOrEqualTo(20_000_000);
    }

    @Test
    void sourceThatStopsWaitingEarlyIsAskedAgain() {
        messages.impatient = true;
        messages.leave(changed(1));

        assertThat(next(AMPLE)).isEqualTo(changed(1));
    }

    @Test
    void limitBeyondAnyLifeIsNotInThePast() {
        messages.impatient = true;
        messages.leave(changed(1));

        assertThat(next(Duration.ofNanos(Long.MAX_VALUE))).isEqualTo(changed(1));
    }

    @Test
    void endIsDeliveredAfterTheNoticesBeforeItAndAgain() {
        var end = new Notice.Compacted(7);
        messages.leave(changed(1), end);

        var told = List.of(next(AMPLE), next(AMPLE), next(Duration.ZERO));

        assertThat(told).containsExactly(changed(1), end, end);
    }

    @Test
    void failureOfTheSourceReachesTheCallerAndTheMailboxGoesOn() {
        messages.failing = true;
        messages.leave(changed(1));

        var failure = catchThrowableOfType(DatastoreException.class, () -> next(AMPLE));
        messages.failing = false;

        assertThat(failure.kind()).isEqualTo(Kind.CORRUPT);
        assertThat(next(AMPLE)).isEqualTo(changed(1));
    }

    @Test
    void closedMailboxTellsNothingThatWasRead() {
        messages.leave(changed(1), changed(2));
        next(AMPLE);

        mailbox.close();

        var failure = catchThrowableOfType(DatastoreException.class, () -> next(AMPLE));
        assertThat(failure.kind()).isEqualTo(Kind.CLOSED);
        assertThat(mailbox.isClosed()).isTrue();
    }

    @Test
    void waitEndsWhenTheMailboxIsClosedAndTheSourceIsWoken() throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var waiting = threads.submit(() -> catchThrowableOfType(DatastoreException.class, () -> next(AMPLE)));

            mailbox.close();
            messages.leave();

            var failure = waiting.get(AMPLE.toSeconds(), TimeUnit.SECONDS);
            assertThat(failure.kind()).isEqualTo(Kind.CLOSED);
        }
    }

    @Test
    void callersWhoWaitTogetherEachGetANoticeOfTheirOwn() throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var waiting = List.of(threads.submit(() -> next(AMPLE)), threads.submit(() -> next(AMPLE)));

            messages.leave(changed(1), changed(2));

            var told = new ArrayList<Notice>();
            for (var one : waiting) {
                told.add(one.get(AMPLE.toSeconds(), TimeUnit.SECONDS));
            }
            assertThat(told).containsExactlyInAnyOrder(changed(1), changed(2));
        }
    }

    private Notice next(Duration limit) {
        return mailbox.next(limit, messages);
    }

    private static Notice changed(long revision) {
        return new Notice.Changed(revision, List.of(new Watch.Change.Deleted("a", revision)));
    }

    /// Messages that a test leaves, each of some notices.
    private final class Messages implements WatchMailbox.Source {

        private final LinkedBlockingQueue<List<Notice>> queue = new LinkedBlockingQueue<>();
        private boolean impatient;
        private boolean failing;

        void leave(Notice... notices) {
            queue.add(List.of(notices));
        }

        int left() {
            return queue.size();
        }

        @Override
        public void checkOpen() {
            if (failing) {
                throw new DatastoreException(Kind.CORRUPT, "a message makes no sense");
            }
        }

        @Override
        public boolean read(long nanosMax) {
            if (impatient) {
                impatient = false;
                return false;
            }
            try {
                var message = queue.poll(Math.max(0, nanosMax), TimeUnit.NANOSECONDS);
                if (message == null) {
                    return false;
                }
                message.forEach(this::put);
                return true;
            } catch (InterruptedException interrupted) {
                throw new AssertionError(interrupted);
            }
        }

        private void put(Notice notice) {
            switch (notice) {
                case Notice.Compacted compacted -> mailbox.end(compacted);
                case Notice.Changed _, Notice.Quiet _ -> mailbox.put(notice);
            }
        }

        @Override
        public Notice quiet() {
            return new Notice.Quiet();
        }
    }
}
