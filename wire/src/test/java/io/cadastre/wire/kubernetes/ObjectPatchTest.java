package io.cadastre.wire.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.kubernetes.KubeApiServer;
import io.cadastre.datastore.kubernetes.KubernetesDatastore;
import io.cadastre.datastore.kubernetes.ObjectPatch;
import io.cadastre.datastore.kubernetes.ObjectPatch.Merge;
import io.cadastre.datastore.resource.ApiResource.Rewriting;
import io.cadastre.wire.json.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// Patches of nodes on a real API server.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ObjectPatchTest {

    private KubeApiServer server;
    private KubernetesDatastore store;

    @BeforeAll
    void start(@TempDir Path folder) throws IOException, NoSuchAlgorithmException {
        server = KubeApiServer.start(folder);
        store = KubernetesDatastore.open(server.settings(), new CoreObjects(), new Random(1));
    }

    @AfterAll
    void stop() {
        if (server != null) {
            store.close();
            server.close();
        }
    }

    @Test
    void patchChangesItsFieldsAndLeavesThoseOfOthers() {
        var node = create("merged");

        var commit = store.patch(whole(node, "{\"metadata\":{\"annotations\":{\"ours\":\"1\"}}}"));

        var patched = store.get(node.key()).orElseThrow();
        assertThat(commit).isEqualTo(new Commit.Done(List.of(patched.revision())));
        assertThat(patched.value().utf8()).contains("\"ours\":\"1\"", "\"theirs\":\"1\"");
    }

    @Test
    void updateAfterAPatchNeedsTheRevisionOfThePatch() {
        var node = create("followed");
        var patched = (Commit.Done) store.patch(whole(node, "{\"metadata\":{\"labels\":{\"a\":\"1\"}}}"));

        var stale = store.commit(List.of(new Write.Update(node.key(), node.value(), node.revision())));
        var current = store.commit(List.of(
                new Write.Update(node.key(), node.value(), patched.revisions().getFirst())));

        assertThat(stale).isEqualTo(new Commit.Conflict(0, Commit.Kind.STALE));
        assertThat(current).isInstanceOf(Commit.Done.class);
    }

    @Test
    void patchAtARevisionIsStaleOnceTheObjectHasChanged() {
        var node = create("conditional");
        var patch = whole(node, "{\"metadata\":{\"labels\":{\"a\":\"1\"}}}");

        var first = store.patchAt(patch, node.revision());
        var second = store.patchAt(whole(node, "{\"spec\":{\"unschedulable\":true}}"), node.revision());

        assertThat(first).isInstanceOf(Commit.Done.class);
        assertThat(second).isEqualTo(new Commit.Conflict(0, Commit.Kind.STALE));
        assertThat(store.get(node.key()).orElseThrow().value().utf8()).doesNotContain("\"unschedulable\":true");
    }

    @Test
    void patchOfAnObjectThatDoesNotExistFindsItAbsent() {
        var patch = new ObjectPatch(CoreKeys.NODES + "never", Merge.JSON, Rewriting.WHOLE, Bytes.ofUtf8("{}"));

        var commit = store.patch(patch);

        assertThat(commit).isEqualTo(new Commit.Conflict(0, Commit.Kind.ABSENT));
    }

    @Test
    void strategicPatchesOfTheStatusMergeConditionsByTheirType() {
        var node = create("reporting");

        store.patch(condition(node, "NetworkUnavailable", "True"));
        store.patch(condition(node, "MemoryPressure", "False"));
        store.patch(condition(node, "NetworkUnavailable", "False"));

        var conditions = Json.readObject(
                        node.key(), store.get(node.key()).orElseThrow().value())
                .path("status")
                .path("conditions");
        assertThat(conditions)
                .extracting(
                        condition -> condition.path("type").asText(),
                        condition -> condition.path("status").asText())
                .containsExactlyInAnyOrder(tuple("NetworkUnavailable", "False"), tuple("MemoryPressure", "False"));
    }

    @Test
    void patchOfTheStatusChangesNothingThatTheObjectAsksFor() {
        var node = create("asking");
        var changes = Bytes.ofUtf8("{\"spec\":{\"unschedulable\":true},\"status\":{\"capacity\":{\"pods\":\"7\"}}}");

        store.patch(new ObjectPatch(node.key(), Merge.JSON, Rewriting.STATUS, changes));

        assertThat(store.get(node.key()).orElseThrow().value().utf8())
                .contains("\"pods\":\"7\"")
                .doesNotContain("\"unschedulable\":true");
    }

    @Test
    void strategicPatchAddsAndRemovesOneFinalizer() {
        var node = create("finalized");

        store.patch(strategic(node, "{\"metadata\":{\"finalizers\":[\"cadastre.test/a\"]}}"));
        store.patch(strategic(node, "{\"metadata\":{\"finalizers\":[\"cadastre.test/b\"]}}"));
        store.patch(strategic(node, "{\"metadata\":{\"$deleteFromPrimitiveList/finalizers\":[\"cadastre.test/a\"]}}"));

        assertThat(store.get(node.key()).orElseThrow().value().utf8()).contains("\"finalizers\":[\"cadastre.test/b\"]");
    }

    @Test
    void patchThatTheServerRefusesIsAFailureThatNamesTheObject() {
        var node = create("refusing");

        var failed = catchThrowableOfType(
                DatastoreException.class, () -> store.patch(whole(node, "{\"metadata\":{\"labels\":{\"a\":\"?\"}}}")));

        assertThat(failed).hasMessageContaining("patch nodes refusing");
    }

    private Document create(String name) {
        var node = Bytes.ofUtf8("{\"metadata\":{\"annotations\":{\"theirs\":\"1\"}},\"spec\":{}}");
        store.commit(List.of(new Write.Create(CoreKeys.NODES + name, node)));
        return store.get(CoreKeys.NODES + name).orElseThrow();
    }

    private static ObjectPatch whole(Document node, String changes) {
        return new ObjectPatch(node.key(), Merge.JSON, Rewriting.WHOLE, Bytes.ofUtf8(changes));
    }

    private static ObjectPatch strategic(Document node, String changes) {
        return new ObjectPatch(node.key(), Merge.STRATEGIC, Rewriting.WHOLE, Bytes.ofUtf8(changes));
    }

    private static ObjectPatch condition(Document node, String type, String status) {
        var changes = Bytes.ofUtf8(
                "{\"status\":{\"conditions\":[{\"type\":\"%s\",\"status\":\"%s\"}]}}".formatted(type, status));
        return new ObjectPatch(node.key(), Merge.STRATEGIC, Rewriting.STATUS, changes);
    }
}
