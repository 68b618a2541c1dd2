package io.cadastre.wire.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.kubernetes.KubeApiServer;
import io.cadastre.datastore.kubernetes.KubernetesDatastore;
import java.io.IOException;
import java.nio.file.Path;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// Writes whose answer was lost, on a real API server, which fills in fields, leaves out those that are empty
/// and has an order of its own.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ServerFilledFieldsTest {

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
    void creationIsFoundAppliedAlthoughTheServerFilledInAndReorderedFields() {
        var wanted = new Write.Create(key("created"), namespace("{\"b\":\"2\",\"a\":\"1\"}"));
        var done = store.commit(List.of(wanted));

        var applied = store.findApplied(List.of(wanted));

        assertThat(store.get(wanted.key()).orElseThrow().value()).isNotEqualTo(wanted.value());
        assertThat(applied).isPresent().contains((Commit.Done) done);
    }

    @Test
    void creationIsNotFoundAppliedWhereAnotherSaysMore() {
        var ours = new Write.Create(key("other"), namespace("{\"a\":\"1\"}"));
        store.commit(List.of(new Write.Create(ours.key(), namespace("{\"a\":\"1\",\"b\":\"2\"}"))));

        var applied = store.findApplied(List.of(ours));

        assertThat(applied).isEmpty();
    }

    @Test
    void updateThatTakesAFieldAwayIsFoundAppliedOnlyWhenTheFieldIsGone() {
        var created = create("shrinking", "{\"a\":\"1\",\"b\":\"2\"}");
        var ours = new Write.Update(created.key(), namespace("{\"a\":\"1\"}"), created.revision());
        store.commit(
                List.of(new Write.Update(created.key(), namespace("{\"a\":\"1\",\"b\":\"3\"}"), created.revision())));

        var before = store.findApplied(List.of(ours));
        var rewritten = store.get(created.key()).orElseThrow();
        store.commit(List.of(new Write.Update(created.key(), ours.value(), rewritten.revision())));
        var after = store.findApplied(List.of(ours));

        assertThat(before).isEmpty();
        assertThat(after).isPresent();
    }

    @Test
    void lookingWhetherAWriteWasAppliedWritesNothing() {
        var created = create("untouched", "{\"a\":\"1\"}");

        store.holds(created, namespace("{\"a\":\"2\"}"));

        assertThat(store.get(created.key())).isEqualTo(Optional.of(created));
    }

    private Document create(String name, String labels) {
        store.commit(List.of(new Write.Create(key(name), namespace(labels))));
        return store.get(key(name)).orElseThrow();
    }

    private static String key(String name) {
        return CoreKeys.NAMESPACES + name;
    }

    private static Bytes namespace(String labels) {
        return Bytes.ofUtf8("""
            {"spec":{},"metadata":{"annotations":{},"labels":%s}}
            """.formatted(labels));
    }
}
