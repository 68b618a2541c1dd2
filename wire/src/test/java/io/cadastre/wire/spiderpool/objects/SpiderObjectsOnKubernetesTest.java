package io.cadastre.wire.spiderpool.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.address.Family;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.kubernetes.KubernetesDatastore;
import io.cadastre.datastore.kubernetes.ObjectPatch;
import io.cadastre.datastore.kubernetes.ObjectPatch.Merge;
import io.cadastre.datastore.resource.ApiResource.Rewriting;
import io.cadastre.engine.Decision;
import io.cadastre.engine.pool.PodKey;
import io.cadastre.engine.pool.PoolAllocation;
import io.cadastre.engine.pool.PoolReleaseRequest.PodState;
import io.cadastre.wire.book.DocumentChange;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.spiderpool.objects.SpiderObjects.Given;
import java.io.IOException;
import java.nio.file.Path;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Spiderpool's objects on a real API server, which takes a status by a write of its own and keeps an object with a
/// finalizer.
@Timeout(600)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SpiderObjectsOnKubernetesTest {

    private static final PodKey A = new PodKey("ns1", "a");
    private static final PodKey B = new PodKey("ns1", "b");
    private static final String POOL = SpiderKeys.pool("p");
    private static final String SPEC =
            "{\"subnet\":\"172.18.40.0/24\",\"ips\":[\"172.18.40.40-172.18.40.44\"],\"gateway\":\"172.18.40.1\"}";

    private SpiderServer server;
    private KubernetesDatastore store;

    @BeforeAll
    void start(@TempDir Path folder) throws IOException, NoSuchAlgorithmException {
        server = SpiderServer.start(folder);
    }

    @AfterAll
    void stop() {
        if (server != null) {
            server.close();
        }
    }

    @BeforeEach
    void open() {
        store = server.openEmpty();
    }

    @AfterEach
    void close() {
        store.close();
    }

    // ---- creating and changing ----

    @Test
    void poolThatIsCreatedAndCountedHasTheFieldsThatSpiderpoolGivesIt() {
        PoolProcess.pool(store, "p", SPEC);

        var pool = stored(POOL);

        assertThat(pool.at("/metadata/finalizers").toString()).isEqualTo("[\"spiderpool.spidernet.io\"]");
        assertThat(pool.at("/metadata/labels").toString())
                .isEqualTo("{\"ipam.spidernet.io/ippool-cidr\":\"172-18-40-0-24\"}");
        assertThat(pool.path("spec").toString())
                .isEqualTo("{\"default\":false,\"disable\":false,\"gateway\":\"172.18.40.1\",\"ipVersion\":4,"
                        + "\"ips\":[\"172.18.40.40-172.18.40.44\"],\"subnet\":\"172.18.40.0/24\"}");
        assertThat(pool.path("status").toString()).isEqualTo("{\"allocatedIPCount\":0,\"totalIPCount\":5}");
    }

    @Test
    void addOnAPoolWithoutStatusWritesTheRecordsAndTheirNumberOnly() {
        apply(SPEC);

        var given = PoolProcess.on(store).given(A, "u1", "p");

        assertThat(given).containsExactly("172.18.40.40/24");
        assertThat(stored(POOL).path("status").toString())
                .isEqualTo("{\"allocatedIPCount\":1,\"allocatedIPs\":"
                        + "\"{\\\"172.18.40.40\\\":{\\\"pod\\\":\\\"ns1/a\\\",\\\"podUid\\\":\\\"u1\\\"}}\"}");
    }

    @Test
    void changeOfAPoolInUseLeavesItsRecordsAndIsCountedAfterwards() {
        PoolProcess.pool(store, "p", SPEC);
        PoolProcess.on(store).given(A, "u1", "p");

        var changed = apply(SPEC.replace("40.44", "40.45"));
        var again = apply(SPEC.replace("40.44", "40.45"));
        var counted = enact(view -> SpiderObjects.count(view, SpiderKinds.POOL, "p"));
        var countedAgain = enact(view -> SpiderObjects.count(view, SpiderKinds.POOL, "p"));

        assertThat(List.of(changed, again, counted, countedAgain))
                .containsExactly(
                        new ObjectOutcome.Configured(),
                        new ObjectOutcome.Unchanged(),
                        new ObjectOutcome.Configured(),
                        new ObjectOutcome.Unchanged());
        assertThat(stored(POOL).at("/status/totalIPCount").toString()).isEqualTo("6");
        assertThat(PoolProcess.pool(store, "p").pool().records()).hasSize(1);
    }

    @Test
    void oneWriteOfTheStatusAndTheRestIsRefusedAndChangesNothing() {
        PoolProcess.pool(store, "p", SPEC);
        var before = store.get(POOL).orElseThrow();
        var json = stored(POOL);
        Trees.child(json, Trees.SPEC).put("disable", true);
        Trees.child(json, Trees.STATUS).put("allocatedIPCount", 3);

        var failed = catchThrowableOfType(
                DatastoreException.class,
                () -> store.commit(List.of(new Write.Update(POOL, Json.write(json), before.revision()))));

        assertThat(failed).hasMessageContaining("one after the other");
        assertThat(store.get(POOL)).contains(before);
    }

    @Test
    void creationWithAStatusIsRefusedSinceTheServerWouldDropIt() {
        var json = Json.readObject(POOL, Bytes.ofUtf8("{\"spec\":" + SPEC + ",\"status\":{\"totalIPCount\":5}}"));

        var failed = catchThrowableOfType(
                DatastoreException.class, () -> store.commit(List.of(new Write.Create(POOL, Json.write(json)))));

        assertThat(failed).hasMessageContaining("cannot have a status");
        assertThat(store.get(POOL)).isEmpty();
    }

    @Test
    void writeOfTheStatusWhoseAnswerWasLostIsFoundAppliedOnlyIfItWas() {
        PoolProcess.pool(store, "p", SPEC);
        var before = store.get(POOL).orElseThrow();
        var json = stored(POOL);
        // As another writer would order it.
        var status = json.putObject(Trees.STATUS);
        status.put("totalIPCount", 5).put("allocatedIPCount", 2);
        var write = new Write.Update(POOL, Json.write(json), before.revision());

        var early = store.findApplied(List.of(write));
        var done = store.commit(List.of(write));
        var late = store.findApplied(List.of(write));

        assertThat(early).isEmpty();
        assertThat(done).isInstanceOf(Commit.Done.class);
        assertThat(late).isPresent().contains((Commit.Done) done);
    }

    @Test
    void creationIsFoundAppliedAlthoughAControllerHasCounted() {
        var decision = SpiderObjects.create(new ObjectBook(store).open().view(), given(SPEC));
        var change = (DocumentChange.Put) decision.changes().getFirst();
        var write = new Write.Create(change.key(), change.value());
        store.commit(List.of(write));
        enact(view -> SpiderObjects.count(view, SpiderKinds.POOL, "p"));

        var applied = store.findApplied(List.of(write));

        assertThat(applied).isPresent();
    }

    // ---- deleting ----

    @Test
    void unusedPoolIsGoneOnceItIsDeleted() {
        PoolProcess.pool(store, "p", SPEC);

        var outcome = remove();

        assertThat(outcome).isEqualTo(new ObjectOutcome.Deleted());
        assertThat(store.get(POOL)).isEmpty();
    }

    @Test
    void poolInUseStaysWhenItIsDeletedAndGoesWithItsLastAddress() {
        PoolProcess.pool(store, "p", SPEC);
        var agent = PoolProcess.on(store);
        agent.given(A, "u1", "p");
        agent.given(B, "u2", "p");

        var outcome = remove();
        var again = remove();
        var refused = agent.allocate(new PodKey("ns1", "c"), "u3", "p");
        agent.release(A, "u1", new PodState.Gone());
        var kept = stored(POOL);
        agent.release(B, "u2", new PodState.Gone());

        assertThat(outcome).isEqualTo(new ObjectOutcome.Terminating(2));
        assertThat(again).isEqualTo(new ObjectOutcome.Terminating(2));
        assertThat(((PoolAllocation.Refused) refused).refusal().sentence()).contains("terminating IPPool p");
        assertThat(kept.at("/status/allocatedIPCount").toString()).isEqualTo("1");
        assertThat(store.get(POOL)).isEmpty();
        assertThat(store.listAll(SpiderKeys.ENDPOINTS).documents()).isEmpty();
    }

    @Test
    void unusedPoolThatAnotherProgramBeganToDeleteIsOnlyReleased() {
        PoolProcess.pool(store, "p", SPEC);
        deleteAsOthersDo("/apis/spiderpool.spidernet.io/v2beta1/spiderippools/p");

        var kept = store.get(POOL);
        var outcome = remove();

        assertThat(kept).isPresent();
        assertThat(outcome).isEqualTo(new ObjectOutcome.Deleted());
        assertThat(store.get(POOL)).isEmpty();
    }

    @Test
    void finalizerOfAnotherProgramKeepsThePoolAndOursIsTakenOff() {
        PoolProcess.pool(store, "p", SPEC);
        finalizers(POOL, "\"spiderpool.spidernet.io\",\"example.org/other\"");

        remove();

        assertThat(stored(POOL).at("/metadata/finalizers").toString()).isEqualTo("[\"example.org/other\"]");
    }

    @Test
    void deletionAtAnOldRevisionIsStaleAndBeginsNothing() {
        PoolProcess.pool(store, "p", SPEC);
        var old = store.get(POOL).orElseThrow();
        PoolProcess.on(store).given(A, "u1", "p");

        var commit = store.commit(List.of(new Write.Delete(POOL, old.revision())));

        assertThat(commit).isEqualTo(new Commit.Conflict(0, Commit.Kind.STALE));
        assertThat(Trees.terminating(stored(POOL))).isFalse();
    }

    @Test
    void endpointThatTheServerBeganToDeleteGoesWithTheRelease() {
        PoolProcess.pool(store, "p", SPEC);
        var agent = PoolProcess.on(store);
        agent.given(A, "u1", "p");
        deleteAsOthersDo("/apis/spiderpool.spidernet.io/v2beta1/namespaces/ns1/spiderendpoints/a");

        var kept = store.get(SpiderKeys.endpoint(A));
        agent.release(A, "u1", new PodState.Gone());

        assertThat(kept).isPresent();
        assertThat(store.get(SpiderKeys.endpoint(A))).isEmpty();
        assertThat(PoolProcess.pool(store, "p").pool().records()).isEmpty();
    }

    @Test
    void endpointOfAnEarlierPodThatIsBeingDeletedIsNotTakenOver() {
        PoolProcess.pool(store, "p", SPEC);
        var agent = PoolProcess.on(store);
        agent.given(A, "u1", "p");
        deleteAsOthersDo("/apis/spiderpool.spidernet.io/v2beta1/namespaces/ns1/spiderendpoints/a");

        agent.given(A, "u2", "p");

        var endpoint = stored(SpiderKeys.endpoint(A));
        assertThat(Trees.terminating(endpoint)).isFalse();
        assertThat(endpoint.at("/status/current/uid").asText()).isEqualTo("u2");
        assertThat(endpoint.at("/metadata/ownerReferences/0/uid").asText()).isEqualTo("u2");
    }

    // ---- words ----

    private ObjectNode stored(String key) {
        return Json.readObject(key, store.get(key).map(Document::value).orElseThrow());
    }

    private static Given given(String spec) {
        var json = Json.emptyObject();
        json.putObject(Trees.METADATA).put("name", "p");
        json.set(Trees.SPEC, Json.readObject("spec", Bytes.ofUtf8(spec)));
        return new Given(SpiderKinds.POOL, json, new UUID(0, 1), PoolProcess.NOW, List.of(Family.values()));
    }

    private ObjectOutcome apply(String spec) {
        return enact(view -> SpiderObjects.apply(view, given(spec)));
    }

    private ObjectOutcome remove() {
        return enact(view -> SpiderObjects.remove(view, SpiderKinds.POOL, "p", PoolProcess.NOW));
    }

    private ObjectOutcome enact(Function<ObjectView, Decision<DocumentChange, ObjectOutcome>> law) {
        var page = new ObjectBook(store).open();
        var decision = law.apply(page.view());
        assertThat(page.with(decision.changes()).save()).isInstanceOf(Commit.Done.class);
        return decision.outcome();
    }

    private void deleteAsOthersDo(String path) {
        try (var others = server.server().client()) {
            others.raw(path, "DELETE", null);
        }
    }

    private void finalizers(String key, String finalizers) {
        var changes = Bytes.ofUtf8("{\"metadata\":{\"finalizers\":[%s]}}".formatted(finalizers));
        assertThat(store.patch(new ObjectPatch(key, Merge.JSON, Rewriting.WHOLE, changes)))
                .isInstanceOf(Commit.Done.class);
    }
}
