package io.cadastre.controller.nodecidr;

import static io.cadastre.controller.nodecidr.KnownNodes.cluster;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cadastre.controller.ControllerContext;
import io.cadastre.controller.election.FencedDatastore;
import io.cadastre.controller.nodecidr.NodeIpamSettings.AllocatorType.Range;
import io.cadastre.controller.watch.KindHandler;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Watch;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.datastore.memory.MemoryJournal;
import io.cadastre.registry.Ledger;
import io.cadastre.registry.Pause;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.kubernetes.NodeObject;
import io.cadastre.wire.pages.Metric.Sample;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A controller that goes on while the etcd of its cluster is restored from a backup, so that revisions go back. What
/// lists and watches show comes from the test.
@Timeout(180)
class RestoredClusterTest {

    private static final Pause REAL = Thread::sleep;

    private final MemoryDatastore store = new MemoryDatastore();
    private final List<String> reports = new CopyOnWriteArrayList<>();
    private final List<String> patches = new CopyOnWriteArrayList<>();
    private final NodeIpam loop = new NodeIpam(
            new ControllerContext(
                    store,
                    new Ledger(new MemoryJournal()),
                    () -> Instant.EPOCH,
                    System::nanoTime,
                    new SplittableRandom(1),
                    REAL,
                    reports::add),
            new NodeIpamSettings(new Range(cluster("10.10.0.0/23")), 1),
            new Patches());
    private final KindHandler watch = loop.handlers().getFirst();

    /// Takes patches at revision 1000 and notes them.
    private final class Patches implements NodeWriter {

        @Override
        public Commit patch(String node, Bytes changes, Runnable beforeSending) {
            patches.add(node + " " + changes.utf8());
            return new Commit.Done(List.of(1000L));
        }

        @Override
        public Commit patchStatus(String node, Bytes changes, Runnable beforeSending) {
            throw new AssertionError("the status of node %s is written".formatted(node));
        }

        @Override
        public Commit writeEvent(Write write) {
            return store.commit(List.of(write));
        }

        @Override
        public Optional<String> findCidrManager(String node) {
            return Optional.empty();
        }
    }

    @BeforeEach
    void start() {
        loop.start();
    }

    @AfterEach
    void close() {
        loop.dismissed();
        loop.close();
        store.close();
    }

    private static Document node(String name, long revision, String podCidr) {
        var json = Json.emptyObject().put("apiVersion", "v1").put("kind", "Node");
        json.putObject("metadata").put("name", name).put("uid", "uid-of-" + name);
        if (!podCidr.isEmpty()) {
            json.putObject("spec").put("podCIDR", podCidr);
        }
        return new Document(NodeObject.key(name), Json.write(json), revision);
    }

    private void list(long revision, Document... nodes) {
        watch.begin();
        watch.fill(List.of(nodes));
        watch.complete(revision);
    }

    private void show(Document node) {
        watch.change(new Watch.Notice.Changed(node.revision(), List.of(new Watch.Change.Put(node))));
    }

    private void elect() {
        loop.elected(new FencedDatastore(store, () -> true, "a", System.nanoTime() - 60_000_000_000L));
    }

    private void awaitPatches(String... expected) {
        await().untilAsserted(() -> assertThat(patches).containsExactly(expected));
    }

    private List<Double> figures(String name) {
        return loop.figures().stream()
                .filter(metric -> metric.name().equals(name))
                .flatMap(metric -> metric.samples().stream())
                .map(Sample::value)
                .toList();
    }

    @Test
    void whatTheRestoredClusterShowsCountsAtOnce() {
        list(900, node("a", 800, "10.10.0.0/24"), node("b", 801, "10.10.1.0/24"));
        elect();

        watch.lost();
        list(40, node("b", 30, "10.10.1.0/24"));
        show(node("c", 41, ""));

        awaitPatches("c " + KubernetesCluster.body("10.10.0.0/24"));
        assertThat(reports)
                .contains("the Nodes went back from revision 900 to 40, as in a restored cluster: all are taken anew");
    }

    @Test
    void blockThatWasGivenAfterTheBackupIsFreeAndTheNodeGetsOneAgain() {
        list(900, node("a", 800, ""));
        elect();
        awaitPatches("a " + KubernetesCluster.body("10.10.0.0/24"));

        // So that the patch has ended when the list begins.
        await().untilAsserted(() ->
                assertThat(figures("workqueue_unfinished_work_seconds")).containsExactly(0.0));
        watch.lost();
        list(40, node("a", 30, ""));

        awaitPatches("a " + KubernetesCluster.body("10.10.0.0/24"), "a " + KubernetesCluster.body("10.10.0.0/24"));
    }
}
