package io.cadastre.datastore.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.DatastoreException.Kind;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Watch;
import io.cadastre.datastore.Watch.Change;
import io.cadastre.datastore.Watch.Notice;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.resource.ApiResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.io.IOException;
import java.nio.file.Path;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// What becomes of objects: tombstones, fields of others, writes one after another, and several
/// collections. The API server is as it is in a cluster, with its cache of recent changes.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KubernetesObjectsTest {

    private static final Duration AMPLE = Duration.ofSeconds(60);

    private KubeApiServer server;
    private KubernetesClient others;
    private DocumentsMap map;
    private KubernetesDatastore store;

    @BeforeAll
    void start(@TempDir Path directory) throws IOException, NoSuchAlgorithmException {
        server = KubeApiServer.start(directory);
        others = server.client();
    }

    @AfterAll
    void stop() {
        if (server != null) {
            others.close();
            server.close();
        }
    }

    @BeforeEach
    void begin() {
        map = new DocumentsMap(server.freshNamespace(), true);
        store = server.open(map, AMPLE);
    }

    @AfterEach
    void end() {
        store.close();
    }

    @Test
    void writesBeforeAConflictStayAppliedAndThoseAfterItAreNotTried() {
        put("b", "here before");

        var commit = store.commit(List.of(create("a"), create("b"), create("c")));

        assertThat(commit).isEqualTo(new Commit.Conflict(1, Commit.Kind.EXISTS));
        assertThat(store.get("a")).isPresent();
        assertThat(store.get("b").orElseThrow().value()).isEqualTo(bytes("here before"));
        assertThat(store.get("c")).isEmpty();
    }

    @Test
    void keyWithoutAPlaceRefusesTheWholeCommit() {
        var failed = catchThrowableOfType(
                DatastoreException.class, () -> store.commit(List.of(create("a"), create("nowhere/b"))));

        assertThat(failed).hasMessageContaining("'nowhere/b'");
        assertThat(store.get("a")).isEmpty();
        assertThat(store.get("nowhere/b")).isEmpty();
    }

    @Test
    void numbersAndFieldsOfOthersSurviveAnUpdate() {
        var document = put("a", "1");
        meddle(DocumentsMap.DOCUMENTS, "a", """
            {"metadata":{"labels":{"owner":"stranger"},"annotations":{"note":"<kept>"}},
            "spec":{"sequence":1772360430000000007,"huge":12345678901234567890}}
            """);
        var meddled = store.get("a").orElseThrow();

        var commit = store.commit(List.of(new Write.Update("a", bytes("2"), meddled.revision())));

        assertThat(meddled.revision()).isGreaterThan(document.revision());
        assertThat(commit).isInstanceOf(Commit.Done.class);
        assertThat(raw(DocumentsMap.DOCUMENTS, "a"))
                .contains("\"owner\":\"stranger\"", "1772360430000000007", "\"note\":\"\\u003ckept\\u003e\"");
        assertThat(store.get("a").orElseThrow().value()).isEqualTo(bytes("2"));
    }

    @Test
    void updateAfterTheChangeOfAnotherIsStaleEvenIfTheObjectWasJustSeen() {
        var document = put("a", "1");
        meddle(DocumentsMap.DOCUMENTS, "a", "{\"metadata\":{\"labels\":{\"x\":\"y\"}}}");

        var commit = store.commit(List.of(new Write.Update("a", bytes("2"), document.revision())));

        assertThat(commit).isEqualTo(new Commit.Conflict(0, Commit.Kind.STALE));
    }

    @Test
    void updateOfADeletedObjectFindsItAbsent() {
        var document = put("a", "1");
        others.raw(path(DocumentsMap.DOCUMENTS, "a"), "DELETE", null);

        var commit = store.commit(List.of(new Write.Update("a", bytes("2"), document.revision())));

        assertThat(commit).isEqualTo(new Commit.Conflict(0, Commit.Kind.ABSENT));
    }

    @Test
    void updateThatChangesNothingKeepsItsRevision() {
        var document = put("a", "1");

        var commit = store.commit(List.of(new Write.Update("a", bytes("1"), document.revision())));

        assertThat(commit).isEqualTo(new Commit.Done(List.of(document.revision())));
    }

    @Test
    void deletionLeavesNoObject() {
        var document = put("a", "1");

        var commit = store.commit(List.of(new Write.Delete("a", document.revision())));

        assertThat(commit).isInstanceOf(Commit.Done.class);
        assertThat(exists(DocumentsMap.DOCUMENTS, "a")).isFalse();
    }

    @Test
    void getThatMeetsATombstoneFindsNothingAndBuriesIt() {
        put("a", "1");
        meddle(DocumentsMap.DOCUMENTS, "a", "{\"spec\":{\"deleted\":true}}");

        var found = store.get("a");

        assertThat(found).isEmpty();
        assertThat(exists(DocumentsMap.DOCUMENTS, "a")).isFalse();
    }

    @Test
    void listLeavesTombstonesOut() {
        put("a", "1");
        var other = put("b", "1");
        meddle(DocumentsMap.DOCUMENTS, "a", "{\"spec\":{\"deleted\":true}}");

        var listing = store.list("", 10);

        assertThat(listing.documents()).containsExactly(other);
    }

    @Test
    void createThatMeetsATombstoneBuriesItAndCreates() {
        put("a", "1");
        meddle(DocumentsMap.DOCUMENTS, "a", "{\"spec\":{\"deleted\":true}}");

        var commit = store.commit(List.of(new Write.Create("a", bytes("2"))));

        assertThat(commit).isInstanceOf(Commit.Done.class);
        assertThat(store.get("a").orElseThrow().value()).isEqualTo(bytes("2"));
    }

    @Test
    void updateAndDeleteThatMeetATombstoneFindNothing() {
        var one = put("a", "1");
        var other = put("b", "1");
        meddle(DocumentsMap.DOCUMENTS, "a", "{\"spec\":{\"deleted\":true}}");
        meddle(DocumentsMap.DOCUMENTS, "b", "{\"spec\":{\"deleted\":true}}");

        var update = store.commit(List.of(new Write.Update("a", bytes("2"), one.revision())));
        var delete = store.commit(List.of(new Write.Delete("b", other.revision())));

        assertThat(List.of(update, delete)).containsOnly(new Commit.Conflict(0, Commit.Kind.ABSENT));
    }

    @Test
    void tombstoneIsReportedAsADeletionOnceAndItsBurialIsNot() {
        var document = put("a", "1");
        try (var watch = store.watch("a", document.revision())) {

            var deletion = delete(document);
            var again = put("a", "2");

            assertThat(watch.next(AMPLE))
                    .isEqualTo(new Notice.Changed(deletion, List.of(new Change.Deleted("a", deletion))));
            assertThat(watch.next(AMPLE))
                    .isEqualTo(new Notice.Changed(again.revision(), List.of(new Change.Put(again))));
        }
    }

    @Test
    void objectWithoutTombstonesIsDeletedIfItIsAsItWasRead() {
        var stale = put("note/a", "1");
        var current = replace(stale, "2");

        var tooLate = store.commit(List.of(new Write.Delete("note/a", stale.revision())));
        var inTime = store.commit(List.of(new Write.Delete("note/a", current.revision())));
        var again = store.commit(List.of(new Write.Delete("note/a", current.revision())));

        assertThat(tooLate).isEqualTo(new Commit.Conflict(0, Commit.Kind.STALE));
        assertThat(inTime)
                .isInstanceOfSatisfying(
                        Commit.Done.class,
                        done -> assertThat(done.revisions().getFirst()).isGreaterThan(current.revision()));
        assertThat(again).isEqualTo(new Commit.Conflict(0, Commit.Kind.ABSENT));
        assertThat(exists(DocumentsMap.NOTES, "note/a")).isFalse();
    }

    @Test
    void objectWithoutTombstonesThatExistsIsNotCreatedAgain() {
        put("note/a", "1");

        var commit = store.commit(List.of(create("note/a")));

        assertThat(commit).isEqualTo(new Commit.Conflict(0, Commit.Kind.EXISTS));
    }

    @Test
    void listOfSeveralCollectionsIsInTheOrderOfKeysAndOfOneRevision() {
        var first = put("m", "1");
        var second = put("note/a", "1");
        var third = put("z", "1");

        var page = store.list("", 2);
        replace(second, "2");
        put("note/b", "1");
        delete(third);
        var rest = store.list(page.next().orElseThrow(), 10);

        assertThat(page.documents()).containsExactly(first, second);
        assertThat(rest.documents()).containsExactly(third);
        assertThat(rest.revision()).isEqualTo(page.revision());
    }

    @Test
    void watchOfSeveralCollectionsTellsAllAndMayBeResumedWithoutAGap() {
        long after = store.list("", 1).revision();
        var written = List.of(put("a", "1"), put("note/a", "1"), put("b", "1"), put("note/b", "1"));

        var reported = new ArrayList<Document>();
        long resumeAt = after;
        try (var watch = store.watch("", after)) {
            while (reported.size() < written.size()) {
                var notice = next(watch);
                assertThat(notice.revision()).isBetween(resumeAt, revisionOf(notice));
                resumeAt = notice.revision();
                reported.add(documentOf(notice));
            }
        }
        var later = put("note/c", "1");
        var reportedLater = new ArrayList<Document>();
        try (var watch = store.watch("", resumeAt)) {
            while (!reportedLater.contains(later)) {
                reportedLater.add(documentOf(next(watch)));
            }
        }

        assertThat(reported).containsExactlyInAnyOrderElementsOf(written);
        // In each collection, in order.
        assertThat(reported)
                .filteredOn(document -> document.key().startsWith("note/"))
                .containsExactly(written.get(1), written.get(3));
        assertThat(reportedLater).contains(later);
    }

    @Test
    void labelSelectorNarrowsReadsAndWatches() {
        put("team/red/a", "1");
        long after = store.list("", 1).revision();
        var other = put("team/blue/a", "1");
        var wanted = put("team/red/b", "1");

        var listing = store.list("team/red/", 10);

        assertThat(listing.documents()).extracting(Document::key).containsExactly("team/red/a", "team/red/b");
        assertThat(store.list("team/blue/", 10).documents()).containsExactly(other);
        try (var watch = store.watch("team/red/", after)) {
            assertThat(documentOf(next(watch))).isEqualTo(wanted);
        }
    }

    @Test
    void listOfManyObjectsIsReadInPages() {
        createMany("p/", 600);

        var listing = store.listAll("p/");

        assertThat(listing.documents()).hasSize(600).isSortedAccordingTo(Comparator.comparing(Document::key));
    }

    @Test
    void scanPassesOnAPageBeforeTheNextIsReadAndAllAreOfOneRevision() {
        createMany("p/", 600);
        var sizes = new ArrayList<Integer>();

        long revision = store.scan("p/", page -> {
            sizes.add(page.size());
            put("p/later-" + sizes.size(), "1");
        });

        assertThat(sizes).containsExactly(500, 100);
        assertThat(store.get("p/later-1").orElseThrow().revision()).isGreaterThan(revision);
    }

    @Test
    void listGivesThePagesOfALargeCollectionInTheOrderOfKeys() {
        createMany("p/", 600);

        var first = store.list("p/", 250);
        var second = store.list(first.next().orElseThrow(), 250);
        var third = store.list(second.next().orElseThrow(), 250);

        var all = Stream.of(first, second, third)
                .flatMap(page -> page.documents().stream())
                .map(Document::key)
                .toList();
        assertThat(all)
                .isEqualTo(IntStream.range(0, 600).mapToObj("p/%04d"::formatted).toList());
        assertThat(third.next()).isEmpty();
    }

    @Test
    void refusalOfAUserNamesTheMissingRight() {
        try (var denied = KubernetesDatastore.open(server.settingsOfUnprivilegedUser(), map, new Random(1))) {

            var writing = catchThrowableOfType(DatastoreException.class, () -> denied.commit(List.of(create("a"))));
            var watching = catchThrowableOfType(
                    DatastoreException.class, () -> denied.watch("a", 1).next(AMPLE));

            assertThat(List.of(writing.kind(), watching.kind())).containsOnly(Kind.DENIED);
            assertThat(writing).hasMessageContaining("create documents.cadastre.test");
            assertThat(watching).hasMessageContaining("watch documents.cadastre.test");
        }
    }

    private void createMany(String prefix, int count) {
        for (int base = 0; base < count; base += Datastore.WRITES_MAX) {
            store.commit(IntStream.range(base, Math.min(count, base + Datastore.WRITES_MAX))
                    .mapToObj(index -> create(prefix + "%04d".formatted(index)))
                    .toList());
        }
    }

    private static Write create(String key) {
        return new Write.Create(key, bytes("1"));
    }

    private Document put(String key, String value) {
        return new Document(key, bytes(value), commit(store, new Write.Create(key, bytes(value))));
    }

    private Document replace(Document document, String value) {
        var write = new Write.Update(document.key(), bytes(value), document.revision());
        return new Document(document.key(), bytes(value), commit(store, write));
    }

    private long delete(Document document) {
        return commit(store, new Write.Delete(document.key(), document.revision()));
    }

    private static long commit(Datastore store, Write write) {
        return ((Commit.Done) store.commit(List.of(write))).revisions().getFirst();
    }

    private static Notice.Changed next(Watch watch) {
        return (Notice.Changed) watch.next(AMPLE);
    }

    private static Document documentOf(Notice.Changed notice) {
        return ((Change.Put) notice.changes().getFirst()).document();
    }

    private static long revisionOf(Notice.Changed notice) {
        return documentOf(notice).revision();
    }

    private static Bytes bytes(String text) {
        return Bytes.ofUtf8(text);
    }

    private String path(ApiResource resource, String key) {
        return "/apis/%s/%s/namespaces/%s/%s/%s"
                .formatted(
                        resource.group(),
                        resource.version(),
                        map.namespace(),
                        resource.plural(),
                        DocumentsMap.digest(key));
    }

    private String raw(ApiResource resource, String key) {
        return others.raw(path(resource, key));
    }

    private boolean exists(ApiResource resource, String key) {
        return raw(resource, key) != null;
    }

    /// What another client does to an object.
    private void meddle(ApiResource resource, String key, String mergePatch) {
        var context = new ResourceDefinitionContext.Builder()
                .withGroup(resource.group())
                .withVersion(resource.version())
                .withPlural(resource.plural())
                .withNamespaced(true)
                .build();
        others.genericKubernetesResources(context)
                .inNamespace(map.namespace())
                .withName(DocumentsMap.digest(key))
                .patch(PatchContext.of(PatchType.JSON_MERGE), mergePatch);
    }
}
