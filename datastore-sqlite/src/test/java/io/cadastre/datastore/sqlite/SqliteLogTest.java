package io.cadastre.datastore.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.CompactedException;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Listing;
import io.cadastre.datastore.Watch.Notice;
import io.cadastre.datastore.Write;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteLogTest {

    /// Nothing that is awaited takes this long.
    private static final Duration AMPLE = Duration.ofMinutes(1);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    @Test
    void revisionsBeyondTheBoundAreForgotten() {
        var settings = settings().withLog(100, 1 << 30);
        try (var store = SqliteDatastore.open(settings)) {
            var document = create(store, 1);
            var first = document;
            for (int count = 0; count < 500; count++) {
                document = update(store, document, 1);
            }

            assertForgotten(store, first.revision());
            assertForgotten(store, document.revision() - 300);
            assertRemembered(store, document.revision() - 50);
            assertThat(store.get("key")).contains(document);
        }
    }

    @Test
    void bytesBeyondTheBoundAreForgottenAndTheirRoomIsUsedAgain() throws Exception {
        var settings = settings().withLog(1_000_000, 1 << 20);
        int valueBytes = 100_000;
        try (var store = SqliteDatastore.open(settings)) {
            var document = create(store, valueBytes);
            var first = document;
            for (int count = 0; count < 150; count++) {
                document = update(store, document, valueBytes);
            }

            assertForgotten(store, first.revision());
            assertForgotten(store, document.revision() - 30);
            assertRemembered(store, document.revision() - 3);
        }
        assertThat(Files.size(settings.file())).isLessThan(8 << 20);
    }

    @Test
    void logThatHoldsNothingStillKnowsTheRevision() {
        try (var store = SqliteDatastore.open(settings())) {
            var document = update(store, create(store, 1), 1);
            store.compact(document.revision());
        }

        try (var store = SqliteDatastore.open(settings())) {
            long revision = store.list("", 1).revision();
            var document = store.get("key").orElseThrow();
            var next = update(store, document, 1);

            assertThat(revision).isEqualTo(document.revision());
            assertThat(next.revision()).isEqualTo(revision + 1);
            assertForgotten(store, revision - 1);
            assertRemembered(store, revision);
        }
    }

    @Test
    void watchThatLagsFarBehindReceivesEveryChange() {
        try (var store = SqliteDatastore.open(settings())) {
            var document = create(store, 1);
            for (int count = 0; count < 700; count++) {
                document = update(store, document, count % 7);
            }

            try (var watch = store.watch("", 0)) {
                for (long revision = 1; revision <= document.revision(); revision++) {
                    var notice = (Notice.Changed) watch.next(Duration.ZERO);
                    assertThat(notice.revision()).isEqualTo(revision);
                }
                assertThat(watch.next(Duration.ZERO)).isEqualTo(new Notice.Quiet());
            }
        }
    }

    @Test
    void watchThatHadNothingToTellOutlivesTheLog() {
        var settings = settings().withLog(100, 1 << 30);
        try (var store = SqliteDatastore.open(settings);
                var watch = store.watch("other", 0)) {
            var document = create(store, 1);
            for (int count = 0; count < 500; count++) {
                document = update(store, document, 1);
                assertThat(watch.next(Duration.ZERO)).isEqualTo(new Notice.Quiet());
            }
            var told = store.commit(List.of(new Write.Create("other", value(1))));

            var notice = watch.next(AMPLE);

            assertThat(notice)
                    .isInstanceOfSatisfying(
                            Notice.Changed.class,
                            changed ->
                                    assertThat(((Commit.Done) told).revisions()).containsExactly(changed.revision()));
        }
    }

    @Test
    void watchReceivesEveryChangeThatTwoStoresOfOneFileCommitByTurns() {
        try (var one = SqliteDatastore.open(settings());
                var other = SqliteDatastore.open(settings());
                var watch = one.watch("key", 0);
                var bystander = one.watch("other", 0)) {
            var document = create(one, 1);
            for (int count = 0; count < 100; count++) {
                document = update(count % 3 == 0 ? other : one, document, count % 7);
            }
            other.commit(List.of(new Write.Create("other", value(1))));

            for (long revision = 1; revision <= document.revision(); revision++) {
                assertThat(((Notice.Changed) watch.next(AMPLE)).revision()).isEqualTo(revision);
            }
            assertThat(((Notice.Changed) bystander.next(AMPLE)).revision()).isEqualTo(document.revision() + 1);
        }
    }

    @Test
    void changesLargerThanAChunkAreDeliveredWhole() {
        try (var store = SqliteDatastore.open(settings())) {
            var keys = List.of("a", "b", "c", "d");
            var created = (Commit.Done) store.commit(keys.stream()
                    .<Write>map(key -> new Write.Create(key, value(1 << 20)))
                    .toList());
            long revision = created.revisions().getFirst();
            var updated = store.commit(keys.stream()
                    .<Write>map(key -> new Write.Update(key, value(1), revision))
                    .toList());
            assertThat(updated).isInstanceOf(Commit.Done.class);

            try (var watch = store.watch("", 0)) {
                var creation = (Notice.Changed) watch.next(Duration.ZERO);
                var update = (Notice.Changed) watch.next(Duration.ZERO);
                assertThat(creation.changes()).hasSize(4);
                assertThat(update.changes()).hasSize(4);
            }
            var listing = store.list(new Listing.Cursor("", "a", revision), 10);
            assertThat(listing.documents())
                    .extracting(document -> document.value().size())
                    .containsExactly(1 << 20, 1 << 20, 1 << 20);
        }
    }

    @Test
    void pageOfGreatDocumentsEndsEarlyAndGoesOn() {
        try (var store = SqliteDatastore.open(settings())) {
            for (int index = 0; index < 20; index++) {
                store.commit(List.of(new Write.Create("key-%02d".formatted(index), value(1 << 20))));
            }

            var page = store.list("key-", 1000);

            assertThat(page.documents()).hasSize(16);
            assertThat(store.list(page.next().orElseThrow(), 1000).documents()).hasSize(4);
        }
    }

    private static void assertForgotten(Datastore store, long revision) {
        assertThatThrownBy(() -> store.list(new Listing.Cursor("", "a", revision), 1))
                .isInstanceOf(CompactedException.class);
        try (var watch = store.watch("", revision)) {
            assertThat(watch.next(Duration.ZERO)).isInstanceOf(Notice.Compacted.class);
        }
    }

    private static void assertRemembered(Datastore store, long revision) {
        assertThat(store.list(new Listing.Cursor("", "a", revision), 1).documents())
                .extracting(Document::revision)
                .containsExactly(revision);
        try (var watch = store.watch("", revision)) {
            var notice = (Notice.Changed) watch.next(Duration.ZERO);
            assertThat(notice.revision()).isEqualTo(revision + 1);
        }
    }

    private static Document create(Datastore store, int valueBytes) {
        var value = value(valueBytes);
        var done = (Commit.Done) store.commit(List.of(new Write.Create("key", value)));
        return new Document("key", value, done.revisions().getFirst());
    }

    private static Document update(Datastore store, Document document, int valueBytes) {
        var value = value(valueBytes);
        var write = new Write.Update("key", value, document.revision());
        var done = (Commit.Done) store.commit(List.of(write));
        return new Document("key", value, done.revisions().getFirst());
    }

    private static Bytes value(int size) {
        return Bytes.of(new byte[size]);
    }

    private SqliteSettings settings() {
        return SqliteSettings.of(directory.resolve("store.db"));
    }
}
