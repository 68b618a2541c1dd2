package io.cadastre.datastore.kubernetes;

import static io.cadastre.datastore.kubernetes.FaultyApi.answer;
import static io.cadastre.datastore.kubernetes.FaultyApi.cut;
import static io.cadastre.datastore.kubernetes.FaultyApi.hang;
import static io.cadastre.datastore.kubernetes.FaultyApi.object;
import static io.cadastre.datastore.kubernetes.FaultyApi.status;
import static io.cadastre.datastore.kubernetes.FaultyApi.turnAway;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.DatastoreException.Kind;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Watch;
import io.cadastre.datastore.Watch.Notice;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.kubernetes.FaultyApi.Asked;
import io.cadastre.datastore.kubernetes.KubernetesSettings.Access;
import io.cadastre.datastore.kubernetes.KubernetesSettings.Rate;
import io.cadastre.datastore.resource.ApiResource.Rewriting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What callers see when the server is overloaded, broken, silent, or says no.
class FaultyApiTest {

    private static final Duration SHORT = Duration.ofSeconds(1);
    private static final Duration AMPLE = Duration.ofSeconds(30);

    @TempDir
    Path directory;

    /// The first call of a JVM loads many classes; the tests of short limits are not about that.
    @BeforeAll
    static void callOnce(@TempDir Path elsewhere) throws IOException {
        try (var api = new FaultyApi(answer(200, object("a", 7)));
                var store = open(api.settings(elsewhere).withCallLimit(AMPLE))) {
            store.get("a");
        }
    }

    @Test
    void writeThatWasTurnedAwayIsSentAgainAndDoneOnce() throws Exception {
        try (var api = new FaultyApi(turnAway(429, 0), turnAway(503, 1), answer(201, object("a", 7)));
                var store = open(api, AMPLE)) {

            var commit = store.commit(List.of(create("a")));

            assertThat(commit).isEqualTo(new Commit.Done(List.of(7L)));
            assertThat(api.asked())
                    .extracting(Asked::method)
                    .containsOnly("POST")
                    .hasSize(3);
        }
    }

    @Test
    void writeThatIsAlwaysTurnedAwayHadNoEffectAndSaysSo() throws Exception {
        try (var api = new FaultyApi(turnAway(429, 0));
                var store = open(api, AMPLE)) {

            var failed = failure(() -> store.commit(List.of(create("a"))));

            assertThat(failed.kind()).isEqualTo(Kind.FAILED);
            assertThat(failed).hasMessageContainingAll("too much to do", "create", "documents");
            assertThat(api.asked()).hasSizeBetween(2, 10);
        }
    }

    @Test
    void writeIsNotSentAgainWhenItsTimeIsOver() throws Exception {
        try (var api = new FaultyApi(turnAway(429, 60));
                var store = open(api, Duration.ofMillis(300))) {

            var failed = failure(() -> store.commit(List.of(create("a"))));

            assertThat(failed).hasMessageContaining("within 0.3 s");
            assertThat(api.asked()).hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {500, 502, 503, 504})
    void writeOnWhichTheServerFailedIsUnknownAndNotSentAgain(int code) throws Exception {
        try (var api = new FaultyApi(status(code, "InternalError", "etcd is away"));
                var store = open(api, AMPLE)) {

            var commit = store.commit(List.of(create("a")));

            assertThat(commit)
                    .isInstanceOfSatisfying(
                            Commit.Unknown.class,
                            unknown -> assertThat(unknown.reason()).contains("etcd is away"));
            assertThat(api.asked()).hasSize(1);
        }
    }

    @Test
    void writeWhoseConnectionBreaksIsUnknownAndNotSentAgain() throws Exception {
        try (var api = new FaultyApi(cut());
                var store = open(api, AMPLE)) {

            var commit = store.commit(List.of(create("a")));

            assertThat(commit).isInstanceOf(Commit.Unknown.class);
            assertThat(api.asked()).hasSize(1);
        }
    }

    @Test
    void writeThatIsNeverAnsweredIsUnknownAtTheDeadline() throws Exception {
        try (var api = new FaultyApi(hang());
                var store = open(api, SHORT)) {

            var commit = store.commit(List.of(create("a")));

            assertThat(commit)
                    .isInstanceOfSatisfying(
                            Commit.Unknown.class,
                            unknown -> assertThat(unknown.reason()).contains("within 1 s"));
            assertThat(api.asked()).hasSize(1);
        }
    }

    @Test
    void writeWhoseAnswerIsGoodAndUnreadableIsUnknown() throws Exception {
        try (var api = new FaultyApi(answer(201, "<html>welcome</html>"));
                var store = open(api, AMPLE)) {

            var commit = store.commit(List.of(create("a")));

            assertThat(commit).isInstanceOf(Commit.Unknown.class);
        }
    }

    @Test
    void tombstoneThatCannotBeBuriedIsADeletionAllTheSame() throws Exception {
        try (var api = new FaultyApi(
                        answer(200, object("a", 7)), answer(200, object("a", 8)), status(403, "Forbidden", "no"));
                var store = open(api, AMPLE)) {

            var commit = store.commit(List.of(new Write.Delete("a", 7)));

            assertThat(commit).isEqualTo(new Commit.Done(List.of(8L)));
            assertThat(api.asked()).extracting(Asked::method).containsExactly("GET", "PUT", "DELETE");
            assertThat(api.asked().get(1).body()).contains("\"deleted\":true");
            assertThat(api.asked().get(2).body()).contains("\"preconditions\":{\"uid\":\"u-1\"}");
        }
    }

    @Test
    void readIsTriedAgainAfterWhateverMayPass() throws Exception {
        try (var api = new FaultyApi(cut(), turnAway(429, 0), answer(500, "broken"), answer(200, object("a", 7)));
                var store = open(api, AMPLE)) {

            var found = store.get("a");

            assertThat(found).contains(new Document("a", Bytes.ofUtf8("1"), 7));
        }
    }

    @Test
    void readThatIsNeverAnsweredEndsAtTheDeadline() throws Exception {
        try (var api = new FaultyApi(hang());
                var store = open(api, SHORT)) {

            var failed = failure(() -> store.get("a"));

            assertThat(failed.kind()).isEqualTo(Kind.DEADLINE);
        }
    }

    @Test
    void serverThatIsNotThereIsUnreachableAndNothingWasWritten() throws Exception {
        KubernetesSettings settings;
        try (var api = new FaultyApi(hang())) {
            settings = api.settings(directory);
        }
        try (var store = open(settings.withCallLimit(AMPLE))) {

            var reading = failure(() -> store.get("a"));
            var writing = failure(() -> store.commit(List.of(create("a"))));

            assertThat(List.of(reading.kind(), writing.kind())).containsOnly(Kind.UNREACHABLE);
            assertThat(writing).hasMessageContaining("127.0.0.1");
        }
    }

    @Test
    void laterWriteThatIsRefusedMakesTheCommitUnknownSinceAnEarlierOneWasApplied() throws Exception {
        try (var api = new FaultyApi(answer(201, object("a", 7)), status(422, "Invalid", "spec.value: too long"));
                var store = open(api, AMPLE)) {

            var commit = store.commit(List.of(create("a"), create("b"), create("c")));

            assertThat(commit)
                    .isInstanceOfSatisfying(
                            Commit.Unknown.class,
                            unknown -> assertThat(unknown.reason()).contains("1 of 3 writes", "too long"));
            assertThat(api.asked()).hasSize(2);
        }
    }

    @Test
    void thirtyIndependentWritesAreUnderWayAtOnceAndNoMore() throws Exception {
        var thirty = new CountDownLatch(30);
        var underWay = new AtomicInteger();
        var underWayMax = new AtomicInteger();
        FaultyApi.Behaviour waitForTheOthers = (exchange, api) -> {
            underWayMax.accumulateAndGet(underWay.incrementAndGet(), Math::max);
            thirty.countDown();
            thirty.await();
            underWay.decrementAndGet();
            answer(201, object("a", 7)).handle(exchange, api);
        };
        try (var api = new FaultyApi(waitForTheOthers);
                var store = open(api, AMPLE)) {
            var writes = IntStream.range(0, 40)
                    .mapToObj(index -> create("a" + index))
                    .toList();

            var commits = store.commitEach(writes);

            assertThat(commits).hasSize(40).containsOnly(new Commit.Done(List.of(7L)));
            assertThat(underWayMax).hasValue(30);
        }
    }

    @Test
    void independentWritesEndEachInItsOwnWay() throws Exception {
        FaultyApi.Behaviour byName = (exchange, api) -> {
            var path = exchange.getRequestURI().getPath();
            var key = List.of("a", "b", "c").stream()
                    .filter(it -> path.endsWith(DocumentsMap.digest(it)))
                    .findFirst()
                    .orElseThrow();
            var behaviour =
                    switch (exchange.getRequestMethod() + " " + key) {
                        case "PUT a" -> answer(200, object("a", 8));
                        case "PUT b" -> cut();
                        case "PUT c" -> status(422, "Invalid", "spec.value: too long");
                        default -> answer(200, object(key, 7));
                    };
            behaviour.handle(exchange, api);
        };
        try (var api = new FaultyApi(byName);
                var store = open(api, AMPLE)) {

            var commits = store.commitEach(Stream.of("a", "b", "c")
                    .<Write>map(key -> new Write.Update(key, Bytes.ofUtf8("2"), 7))
                    .toList());

            assertThat(commits.getFirst()).isEqualTo(new Commit.Done(List.of(8L)));
            assertThat(commits.get(1)).isInstanceOf(Commit.Unknown.class);
            assertThat(commits.getLast())
                    .isInstanceOfSatisfying(
                            Commit.Unknown.class,
                            unknown -> assertThat(unknown.reason()).contains("writing c failed", "too long"));
        }
    }

    @Test
    void patchThatMeetsATombstoneFindsNothing() throws Exception {
        var tombstone = object("a", 8).replace("\"spec\":{", "\"spec\":{\"deleted\":true,");
        try (var api = new FaultyApi(answer(200, tombstone));
                var store = open(api, AMPLE)) {

            var commits = List.of(store.patch(patch()), store.patchAt(patch(), 7));

            assertThat(commits).containsOnly(new Commit.Conflict(0, Commit.Kind.ABSENT));
            assertThat(api.asked()).extracting(Asked::method).containsExactly("PATCH", "PATCH");
        }
    }

    @Test
    void patchOfAnObjectThatIsGoneFindsNothing() throws Exception {
        try (var api = new FaultyApi(status(404, "NotFound", "documents x not found"));
                var store = open(api, AMPLE)) {

            var commit = store.patch(patch());

            assertThat(commit).isEqualTo(new Commit.Conflict(0, Commit.Kind.ABSENT));
        }
    }

    @Test
    void patchWhoseAnswerIsLostIsUnknownAndNotSentAgain() throws Exception {
        for (var fault : List.of(cut(), status(500, "InternalError", "etcd is away"), answer(200, "<html>"))) {
            try (var api = new FaultyApi(fault);
                    var store = open(api, AMPLE)) {

                var commit = store.patch(patch());

                assertThat(commit).isInstanceOf(Commit.Unknown.class);
                assertThat(api.asked()).extracting(Asked::method).containsExactly("PATCH");
            }
        }
    }

    @Test
    void patchThatMayNotBeSentAnyMoreWhenItsTurnComesIsNotSent() throws Exception {
        try (var api = new FaultyApi(answer(200, object("a", 7)));
                var store = open(api.settings(directory).withRate(new Rate(4, 1)))) {
            long begun = System.nanoTime();
            store.patch(patch());

            var failed = failure(() -> store.patch(patchUntil(begun, Duration.ofMillis(150))));

            // It had to wait for a quarter of a second.
            assertThat(failed).hasMessage("over");
            assertThat(api.asked()).hasSize(1);
        }
    }

    @Test
    void patchThatWasTurnedAwayIsNotSentAgainOnceItMayNot() throws Exception {
        try (var api = new FaultyApi(turnAway(429, 1), answer(200, object("a", 7)));
                var store = open(api, AMPLE)) {

            var failed = failure(() -> store.patch(patchUntil(System.nanoTime(), Duration.ofMillis(900))));

            assertThat(failed).hasMessage("over");
            assertThat(api.asked()).hasSize(1);
        }
    }

    @Test
    void writeIsGivenUpSoonAfterTheServerIsToGiveItUp() throws Exception {
        try (var api = new FaultyApi(hang());
                var store = open(api.settings(directory).withWriteLimit(SHORT).withCallLimit(AMPLE))) {
            long begun = System.nanoTime();

            var commit = store.patch(patch());

            assertThat(commit)
                    .isInstanceOfSatisfying(
                            Commit.Unknown.class,
                            unknown -> assertThat(unknown.reason()).contains("did not answer within 1.5 s"));
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(15));
            assertThat(api.asked().getFirst().path()).endsWith("?timeout=1s");
        }
    }

    /// One that may be sent for a while from then on.
    private static ObjectPatch patchUntil(long begun, Duration limit) {
        var one = patch();
        return new ObjectPatch(one.key(), one.merge(), one.rewriting(), one.changes(), () -> {
            if (System.nanoTime() - begun >= limit.toNanos()) {
                throw new DatastoreException(Kind.DENIED, "over");
            }
        });
    }

    /// What was seen of the object is of the revision before, so the next update is refused and not a lie.
    @Test
    void updateAfterAPatchWhoseAnswerWasLostCarriesTheRevisionThatItsCallerKnows() throws Exception {
        try (var api = new FaultyApi(
                        answer(201, object("a", 7)),
                        cut(),
                        status(409, "Conflict", "the object has been modified"),
                        answer(200, object("a", 8)));
                var store = open(api, AMPLE)) {
            store.commit(List.of(create("a")));
            store.patch(patch());

            var commit = store.commit(List.of(new Write.Update("a", Bytes.ofUtf8("2"), 7)));

            assertThat(commit).isEqualTo(new Commit.Conflict(0, Commit.Kind.STALE));
            assertThat(api.asked()).extracting(Asked::method).containsExactly("POST", "PATCH", "PUT", "GET");
            assertThat(api.asked().get(2).body()).contains("\"resourceVersion\":\"7\"");
        }
    }

    private static ObjectPatch patch() {
        return new ObjectPatch("a", ObjectPatch.Merge.JSON, Rewriting.WHOLE, Bytes.ofUtf8("{\"spec\":{\"size\":2}}"));
    }

    @Test
    void deniedCallNamesTheVerbAndTheResource() throws Exception {
        try (var api = new FaultyApi(status(403, "Forbidden", "no such role"));
                var store = open(api, AMPLE)) {

            var writing = failure(() -> store.commit(List.of(create("a"))));
            var reading = failure(() -> store.get("a"));
            var listing = failure(() -> store.list("", 1));
            var watching = failure(() -> store.watch("", 1).next(AMPLE));

            assertThat(List.of(writing.kind(), reading.kind(), listing.kind(), watching.kind()))
                    .containsOnly(Kind.DENIED);
            assertThat(writing).hasMessageContaining("create documents.cadastre.test n/");
            assertThat(reading).hasMessageContaining("get documents.cadastre.test n/");
            assertThat(listing).hasMessageContaining("list documents.cadastre.test in namespace n");
            assertThat(watching).hasMessageContaining("watch documents.cadastre.test");
            assertThat(writing).hasMessageContaining("no such role");
        }
    }

    @Test
    void refusedDocumentSaysWhatTheServerSaid() throws Exception {
        try (var api = new FaultyApi(status(422, "Invalid", "spec.cidr: must not be empty"));
                var store = open(api, AMPLE)) {

            var failed = failure(() -> store.commit(List.of(create("a"))));

            assertThat(failed.kind()).isEqualTo(Kind.FAILED);
            assertThat(failed).hasMessageContainingAll("create", "spec.cidr: must not be empty");
            assertThat(api.asked()).hasSize(1);
        }
    }

    @Test
    void namespaceThatDoesNotExistIsNamed() throws Exception {
        try (var api = new FaultyApi(status(404, "NotFound", "namespaces x not found"));
                var store = open(api, AMPLE)) {

            var failed = failure(() -> store.commit(List.of(create("a"))));

            assertThat(failed.kind()).isEqualTo(Kind.FAILED);
            assertThat(failed).hasMessageContaining("the namespace x does not exist; create it first");
        }
    }

    @Test
    void resourceThatIsNotInstalledIsNotTakenForAnEmptyStore() throws Exception {
        try (var api = new FaultyApi(answer(404, "404 page not found\n"));
                var store = open(api, AMPLE)) {

            var reading = failure(() -> store.get("a"));
            var listing = failure(() -> store.listAll(""));
            var writing = failure(() -> store.commit(List.of(create("a"))));

            assertThat(List.of(reading, listing, writing))
                    .allSatisfy(failed -> assertThat(failed)
                            .hasMessageContaining("does not know documents.cadastre.test in" + " version v1")
                            .extracting("kind")
                            .isEqualTo(Kind.NOT_INSTALLED));
        }
    }

    @Test
    void tokenThatWasRenewedInItsFileIsUsed() throws Exception {
        var token = Files.writeString(directory.resolve("token"), "first\n");
        try (var api = new FaultyApi(
                        answer(200, object("a", 7)),
                        status(401, "Unauthorized", "Unauthorized"),
                        answer(200, object("a", 8)));
                var store = open(api.settings(directory, "tokenFile: token").withCallLimit(AMPLE))) {
            store.get("a");

            Files.writeString(token, "second\n");
            var found = store.get("a");

            assertThat(found.orElseThrow().revision()).isEqualTo(8);
            assertThat(api.asked())
                    .extracting(Asked::token)
                    .containsExactly("Bearer first", "Bearer second", "Bearer second");
        }
    }

    @Test
    void podUsesTheTokenThatItsFileHasNow() throws Exception {
        var token = Files.writeString(directory.resolve("token"), "first");
        var authority = Files.createFile(directory.resolve("ca.crt"));
        try (var api = new FaultyApi(answer(200, object("a", 7)));
                var store = open(KubernetesSettings.of(new Access.InCluster(api.url(), token, authority)))) {
            store.get("a");
            Files.writeString(token, "second");

            store.get("a");
            Files.delete(token);
            store.get("a");

            assertThat(api.asked())
                    .extracting(Asked::token)
                    .containsExactly("Bearer first", "Bearer second", "Bearer second");
        }
    }

    @Test
    void requestsBeyondTheBurstWaitForTheirTurn() throws Exception {
        try (var api = new FaultyApi(answer(200, object("a", 7)));
                var store = open(api.settings(directory).withRate(new Rate(20, 2)))) {
            long begun = System.nanoTime();

            for (int call = 0; call < 6; call++) {
                store.get("a");
            }

            // Two at once, and four at intervals of 50 ms.
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThanOrEqualTo(Duration.ofMillis(195));
        }
    }

    @Test
    void callThatWouldWaitForItsTurnBeyondItsDeadlineIsNotSent() throws Exception {
        try (var api = new FaultyApi(answer(201, object("a", 7)));
                var store =
                        open(api.settings(directory).withRate(new Rate(1, 1)).withCallLimit(SHORT));
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            // The eighth would have to wait for seven seconds.
            var calls = new LinkedHashMap<String, Future<Commit>>();
            for (int call = 0; call < 8; call++) {
                var key = "a/" + call;
                calls.put(key, threads.submit(() -> store.commit(List.of(create(key)))));
            }

            var refused = new HashSet<String>();
            for (var call : calls.entrySet()) {
                try {
                    call.getValue().get(AMPLE.toSeconds(), TimeUnit.SECONDS);
                } catch (ExecutionException failed) {
                    refused.add(call.getKey());
                    assertThat(failed)
                            .cause()
                            .isInstanceOfSatisfying(
                                    DatastoreException.class,
                                    why -> assertThat(why.kind()).isEqualTo(Kind.DEADLINE));
                }
            }

            assertThat(refused).isNotEmpty();
            assertThat(api.asked())
                    .isNotEmpty()
                    .extracting(Asked::body)
                    .noneMatch(body -> refused.stream().anyMatch(body::contains));
        }
    }

    @Test
    void updateCarriesTheRevisionAndWhatWasInTheObject() throws Exception {
        var current = object("a", 7).replace("\"spec\":{", "\"spec\":{\"big\":1772360430000000007,");
        try (var api = new FaultyApi(answer(200, current), answer(200, object("a", 9)));
                var store = open(api, AMPLE)) {

            var commit = store.commit(List.of(new Write.Update("a", Bytes.ofUtf8("2"), 7)));

            assertThat(commit).isEqualTo(new Commit.Done(List.of(9L)));
            assertThat(api.asked()).extracting(Asked::method).containsExactly("GET", "PUT");
            assertThat(api.asked().getLast().body())
                    .contains("\"resourceVersion\":\"7\"", "\"uid\":\"u-1\"", "1772360430000000007");
        }
    }

    @Test
    void updateOfWhatWasJustWrittenNeedsNoReading() throws Exception {
        try (var api = new FaultyApi(answer(201, object("a", 7)), answer(200, object("a", 9)));
                var store = open(api, AMPLE)) {
            store.commit(List.of(create("a")));

            var commit = store.commit(List.of(new Write.Update("a", Bytes.ofUtf8("2"), 7)));

            assertThat(commit).isEqualTo(new Commit.Done(List.of(9L)));
            assertThat(api.asked()).extracting(Asked::method).containsExactly("POST", "PUT");
        }
    }

    @Test
    void scanAsksForEachPageOnceAndPassesItOnAsItComes() throws Exception {
        var passedOn = new ArrayList<List<Document>>();
        try (var api = new FaultyApi(
                        answer(200, page("second", object("b", 2))),
                        answer(200, page("third", object("a", 3))),
                        answer(200, page("", object("c", 1))));
                var store = open(api, AMPLE)) {

            long revision = store.scan("", passedOn::add);

            assertThat(revision).isEqualTo(9);
            assertThat(passedOn)
                    .containsExactly(
                            List.of(new Document("b", Bytes.ofUtf8("1"), 2)),
                            List.of(new Document("a", Bytes.ofUtf8("1"), 3)),
                            List.of(new Document("c", Bytes.ofUtf8("1"), 1)));
            assertThat(api.asked())
                    .extracting(asked -> asked.path().replaceFirst(".*/documents", ""))
                    .containsExactly("?limit=500", "?limit=500&continue=second", "?limit=500&continue=third");
        }
    }

    private static String page(String next, String object) {
        return "{\"metadata\":{\"resourceVersion\":\"9\",\"continue\":\"%s\"},\"items\":[%s]}".formatted(next, object);
    }

    @Test
    void watchGoesOnFromTheLastBookmarkWhenTheServerEndsIt() throws Exception {
        var bookmark = """
            {"type":"BOOKMARK","object":{"kind":"Document","metadata":{"resourceVersion":"40"}}}
            """;
        var event = "{\"type\":\"ADDED\",\"object\":%s}\n".formatted(object("a", 41));
        try (var api = new FaultyApi(answer(200, bookmark), answer(200, event), hang());
                var store = open(api, AMPLE);
                var watch = store.watch("", 5)) {

            var notice = watch.next(AMPLE);

            assertThat(notice).isInstanceOf(Notice.Changed.class);
            assertThat(((Notice.Changed) notice).revision()).isEqualTo(41);
            assertThat(api.asked().get(0).path()).contains("resourceVersion=5", "allowWatchBookmarks=true");
            assertThat(api.asked().get(1).path()).contains("resourceVersion=40");
        }
    }

    @Test
    void noticeIsOfTheRevisionThatEveryCollectionHasReached() throws Exception {
        var event = "{\"type\":\"ADDED\",\"object\":%s}\n".formatted(object("a", 41));
        FaultyApi.Behaviour notesAreSilent =
                (exchange, api) -> (exchange.getRequestURI().getPath().endsWith("/notes") ? hang() : answer(200, event))
                        .handle(exchange, api);
        try (var api = new FaultyApi(notesAreSilent);
                var store =
                        KubernetesDatastore.open(api.settings(directory), new DocumentsMap("n", true), new Random(1));
                var watch = store.watch("", 5)) {

            var notice = watch.next(AMPLE);

            var document = new Document("a", Bytes.ofUtf8("1"), 41);
            assertThat(notice).isEqualTo(new Notice.Changed(5, List.of(new Watch.Change.Put(document))));
        }
    }

    @Test
    void watchThatMeetsWhatItCannotReadSaysSoAndPassesNothingOver() throws Exception {
        var broken = "{\"type\":\"ADDED\",\"object\":{\"metadata\":{}}}\n";
        var event = "{\"type\":\"ADDED\",\"object\":%s}\n";
        try (var api = new FaultyApi(
                        answer(200, event.formatted(object("a", 41)) + broken),
                        answer(200, event.formatted(object("b", 42))),
                        hang());
                var store = open(api, AMPLE);
                var watch = store.watch("", 5)) {

            var unreadable = failure(() -> watch.next(AMPLE));
            var reported = List.of(watch.next(AMPLE), watch.next(AMPLE));

            assertThat(unreadable.kind()).isEqualTo(Kind.CORRUPT);
            assertThat(reported)
                    .extracting(notice -> ((Notice.Changed) notice).revision())
                    .containsExactly(41L, 42L);
            assertThat(api.asked().get(1).path()).contains("resourceVersion=41");
        }
    }

    @Test
    void watchOfAForgottenRevisionIsOver() throws Exception {
        var gone = """
            {"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","reason":"Expired","message":"too old resource version: 5 (90)","code":410}}
            """;
        try (var api = new FaultyApi(answer(200, gone));
                var store = open(api, AMPLE);
                var watch = store.watch("", 5)) {

            var notices = List.of(watch.next(AMPLE), watch.next(AMPLE));

            assertThat(notices).containsOnly(new Notice.Compacted(91));
            assertThat(api.asked()).hasSize(1);
        }
    }

    @Test
    void watchOfAForgottenRevisionIsOverAlsoIfTheServerSaysSoAtOnce() throws Exception {
        try (var api = new FaultyApi(status(410, "Expired", "too old"));
                var store = open(api, AMPLE);
                var watch = store.watch("", 5)) {

            var notice = watch.next(AMPLE);

            assertThat(notice).isEqualTo(new Notice.Compacted(6));
        }
    }

    @Test
    void contextThatIsNotInTheConfigurationIsNamed() throws Exception {
        try (var api = new FaultyApi(hang())) {
            api.settings(directory);
            var file = directory.resolve("kubeconfig");

            var failed = failure(() -> open(KubernetesSettings.of(new Access.Kubeconfig(file, "production"))));

            assertThat(failed).hasMessageContainingAll("production", "kubeconfig");
        }
    }

    @Test
    void otherContextLeadsElsewhere() throws Exception {
        try (var api = new FaultyApi(answer(200, object("a", 7)))) {
            api.settings(directory);
            var file = directory.resolve("kubeconfig");
            try (var store = open(KubernetesSettings.of(new Access.Kubeconfig(file, "elsewhere")))) {

                var failed = failure(() -> store.get("a"));

                assertThat(failed.kind()).isEqualTo(Kind.UNREACHABLE);
                assertThat(failed).hasMessageContaining("http://127.0.0.1:1/");
            }
        }
    }

    private KubernetesDatastore open(FaultyApi api, Duration limit) throws IOException {
        return open(api.settings(directory).withCallLimit(limit));
    }

    private static KubernetesDatastore open(KubernetesSettings settings) {
        return KubernetesDatastore.open(settings, DocumentsMap.in("n"), new Random(1));
    }

    private static Write create(String key) {
        return new Write.Create(key, Bytes.ofUtf8("1"));
    }

    private static DatastoreException failure(ThrowingCallable call) {
        return catchThrowableOfType(DatastoreException.class, call);
    }
}
