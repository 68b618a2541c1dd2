package io.cadastre.wire.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.cadastre.address.Prefix;
import io.cadastre.address.Subdivision;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.engine.Survey;
import io.cadastre.engine.nodecidr.AddRequest;
import io.cadastre.engine.nodecidr.NodeCidrChange;
import io.cadastre.engine.nodecidr.NodeCidrConfig;
import io.cadastre.engine.nodecidr.NodeCidrEngine;
import io.cadastre.engine.nodecidr.NodeCidrHoldings;
import io.cadastre.engine.nodecidr.NodeCidrView;
import io.cadastre.engine.nodecidr.NodeEntry;
import io.cadastre.engine.nodecidr.RemoveRequest;
import io.cadastre.registry.Page;
import io.cadastre.registry.PageFullException;
import io.cadastre.wire.json.UnreadableDocumentException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeBookTest {

    private static final InstantSource CLOCK = InstantSource.fixed(Instant.parse("2026-01-02T03:04:05Z"));

    private final MemoryDatastore store = new MemoryDatastore();

    @AfterEach
    void closeStore() {
        store.close();
    }

    @Test
    void anEmptyStoreIsAnEmptyBook() {
        var page = book("10.244.0.0/16", 24).open();

        assertThat(page.view().nodes()).isEmpty();
        assertThat(page.save()).isEqualTo(new Commit.Done(List.of()));
    }

    @Test
    void anAssignmentIsOneCommitOfTheCursorsAndTheNode() {
        var page = added(book("10.244.0.0/16", 24).open(), "node-1");

        var commit = page.save();

        assertThat(commit).isInstanceOf(Commit.Done.class);
        assertThat(stored("/cadastre/node-cidr/cursors"))
                .isEqualTo(
                        "{\"kind\":\"NodeCidrCursors\",\"apiVersion\":\"cadastre.io/v1\",\"assignments\":1,\"cursors\":[{\"clusterCIDR\":\"10.244.0.0/16\",\"nodeMask\":24,\"next\":1}]}");
        assertThat(stored("/cadastre/api/v1/nodes/node-1"))
                .isEqualTo(
                        "{\"kind\":\"Node\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"node-1\",\"uid\":\"node-1.1\",\"creationTimestamp\":\"2026-01-02T03:04:05Z\"},\"spec\":{\"podCIDR\":\"10.244.0.0/24\",\"podCIDRs\":[\"10.244.0.0/24\"]}}");
    }

    @Test
    void serviceRangesAddUpAsLongAsANodeHoldsAnything() {
        added(bookWithServices("10.96.0.0/16").open(), "a").save();
        added(bookWithServices("fd00::/108").open(), "b").save();
        added(bookWithServices("10.96.0.0/12").open(), "c").save();

        assertThat(stored(NodeBook.CURSORS)).contains("\"serviceCIDRs\":[\"fd00::/108\",\"10.96.0.0/12\"]");
    }

    @Test
    void serviceRangesAreForgottenWithTheLastNode() {
        added(bookWithServices("10.96.0.0/16").open(), "a").save();
        removed(book("10.244.0.0/16", 24).open(), "a").save();
        added(book("10.244.0.0/16", 24).open(), "b").save();

        assertThat(stored(NodeBook.CURSORS)).doesNotContain("serviceCIDRs");
    }

    private NodeBook bookWithServices(String... ranges) {
        return new NodeBook(
                store,
                new NodeCidrConfig(
                        config("10.244.0.0/16", 24).clusters(),
                        Stream.of(ranges).map(Prefix::parse).toList()),
                CLOCK);
    }

    @Test
    void separateProcessesBehaveAsOneThatKeepsRunning() {
        for (var name : List.of("a", "b", "c")) {
            added(book("10.244.0.0/16", 24).open(), name).save();
        }
        removed(book("10.244.0.0/16", 24).open(), "b").save();

        added(book("10.244.0.0/16", 24).open(), "d").save();

        assertThat(NodeBook.fetchNodes(store))
                .containsExactly(
                        new NodeEntry("a", List.of("10.244.0.0/24"), false, "a.1"),
                        new NodeEntry("c", List.of("10.244.2.0/24"), false, "c.3"),
                        new NodeEntry("d", List.of("10.244.3.0/24"), false, "d.4"));
    }

    @Test
    void ofTwoWhoRaceForOneBlockOneMeetsAConflict() {
        var first = added(book("10.244.0.0/16", 24).open(), "a");
        var second = added(book("10.244.0.0/16", 24).open(), "b");

        assertThat(first.save()).isInstanceOf(Commit.Done.class);
        assertThat(second.save()).isEqualTo(new Commit.Conflict(0, Commit.Kind.EXISTS));
        assertThat(NodeBook.fetchNodes(store)).extracting(NodeEntry::name).containsExactly("a");
    }

    @Test
    void inAClusterOfOneBlockRivalsMeetAlthoughTheCursorCannotMove() {
        added(book("10.244.0.0/24", 24).open(), "first").save();
        removed(book("10.244.0.0/24", 24).open(), "first").save();
        var one = added(book("10.244.0.0/24", 24).open(), "a");
        var other = added(book("10.244.0.0/24", 24).open(), "b");

        one.save();

        assertThat(other.save()).isEqualTo(new Commit.Conflict(0, Commit.Kind.STALE));
        assertThat(stored(NodeBook.CURSORS)).contains("\"assignments\":2").contains("\"next\":0");
    }

    @Test
    void rivalsWithOtherMasksMeetAsWell() {
        var coarse = added(book("10.244.0.0/16", 22).open(), "a");
        var fine = added(book("10.244.0.0/16", 26).open(), "b");

        assertThat(coarse.save()).isInstanceOf(Commit.Done.class);
        assertThat(fine.save()).isInstanceOf(Commit.Conflict.class);
        added(book("10.244.0.0/16", 26).open(), "b").save();
        assertThat(NodeBook.fetchNodes(store)).contains(new NodeEntry("b", List.of("10.244.4.0/26"), false, "b.2"));
    }

    /// A store in which a rival gives a block between the two readings of a book.
    @Test
    void anAssignmentBetweenTheTwoReadingsIsAConflict() {
        var page = added(
                new NodeBook(
                                new RivalBetweenReadings(
                                        store,
                                        () -> added(book("10.244.0.0/16", 24).open(), "rival")
                                                .save()),
                                config("10.244.0.0/16", 24),
                                CLOCK)
                        .open(),
                "a");

        assertThat(page.save()).isInstanceOf(Commit.Conflict.class);
    }

    @Test
    void unknownFieldsSurviveAnAssignment() {
        create(
                NodeBook.NODES + "a",
                "{\"kind\":\"Node\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"a\",\"labels\":{\"z\":\"1\",\"b\":\"2\"}},\"spec\":{\"providerID\":\"x\"},\"status\":{\"n\":1e3}}");
        create(
                NodeBook.CURSORS,
                "{\"kind\":\"NodeCidrCursors\",\"apiVersion\":\"cadastre.io/v1\",\"note\":\"kept\",\"cursors\":[{\"clusterCIDR\":\"10.244.0.0/16\",\"nodeMask\":24,\"next\":5,\"owner\":\"me\"},{\"clusterCIDR\":\"fd00::/48\",\"nodeMask\":64,\"next\":9}]}");

        added(book("10.244.0.0/16", 24).open(), "a").save();

        assertThat(stored(NodeBook.NODES + "a"))
                .isEqualTo(
                        "{\"kind\":\"Node\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"a\",\"labels\":{\"z\":\"1\",\"b\":\"2\"}},\"spec\":{\"providerID\":\"x\",\"podCIDR\":\"10.244.5.0/24\",\"podCIDRs\":[\"10.244.5.0/24\"]},\"status\":{\"n\":1e3}}");
        assertThat(stored(NodeBook.CURSORS))
                .isEqualTo(
                        "{\"kind\":\"NodeCidrCursors\",\"apiVersion\":\"cadastre.io/v1\",\"note\":\"kept\",\"cursors\":[{\"clusterCIDR\":\"fd00::/48\",\"nodeMask\":64,\"next\":9},{\"clusterCIDR\":\"10.244.0.0/16\",\"nodeMask\":24,\"next\":6,\"owner\":\"me\"}],\"assignments\":1}");
    }

    @Test
    void aForeignNodeKeepsItsCidrAndNoOtherNodeGetsIt() {
        create(
                NodeBook.NODES + "foreign",
                "{\"kind\":\"Node\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"foreign\"},\"spec\":{\"podCIDR\":\"10.244.0.0/23\"}}");

        var page = added(book("10.244.0.0/16", 24).open(), "a");
        page.save();

        assertThat(NodeBook.fetchNodes(store)).contains(new NodeEntry("a", List.of("10.244.2.0/24"), false, "a.1"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "/cadastre/api/v1/nodes/a|{}|its kind is '' and not 'Node'",
                "/cadastre/api/v1/nodes/a|nonsense|it is not JSON",
                "/cadastre/api/v1/nodes/a/b|{}|'a/b' is not a node name",
                "/cadastre/node-cidr/cursors|{}|its kind is '' and not 'NodeCidrCursors'",
                "/cadastre/node-cidr/cursors|{\"kind\":\"NodeCidrCursors\",\"apiVersion\":\"cadastre.io/v9\"}|its"
                        + " apiVersion is 'cadastre.io/v9' and not 'cadastre.io/v1'",
                "/cadastre/node-cidr/cursors|{\"kind\":\"NodeCidrCursors\",\"apiVersion\":\"cadastre.io/v1\",\"cursors\":[7]}|one"
                    + " of its cursors is not an object",
                "/cadastre/node-cidr/cursors|{\"kind\":\"NodeCidrCursors\",\"apiVersion\":\"cadastre.io/v1\",\"assignments\":-1}|its"
                    + " assignments is not a whole number from 0 on",
                "/cadastre/node-cidr/cursors|{\"kind\":\"NodeCidrCursors\",\"apiVersion\":\"cadastre.io/v1\",\"cursors\":[{\"clusterCIDR\":\"x\",\"nodeMask\":24,\"next\":0}]}|'x'"
                    + " is not a CIDR",
                "/cadastre/node-cidr/cursors|{\"kind\":\"NodeCidrCursors\",\"apiVersion\":\"cadastre.io/v1\",\"cursors\":[{\"clusterCIDR\":\"10.0.0.0/16\",\"nodeMask\":24,\"next\":256}]}|10.0.0.0/16"
                    + " in parts of /24 has no part 256",
                "/cadastre/node-cidr/cursors|{\"kind\":\"NodeCidrCursors\",\"apiVersion\":\"cadastre.io/v1\",\"cursors\":[{\"clusterCIDR\":\"10.0.0.0/16\",\"nodeMask\":24,\"next\":\"1\"}]}|its"
                    + " next is not a whole number from 0 on",
                "/cadastre/node-cidr/cursors|{\"kind\":\"NodeCidrCursors\",\"apiVersion\":\"cadastre.io/v1\",\"cursors\":[{\"clusterCIDR\":\"10.0.0.0/16\",\"nodeMask\":99999999999,\"next\":1}]}|cannot"
                    + " divide 10.0.0.0/16 into /129",
            })
    void aBrokenDocumentIsReportedWithItsKey(String key, String document, String fault) {
        create(key, document);

        assertThatExceptionOfType(UnreadableDocumentException.class)
                .isThrownBy(() -> book("10.244.0.0/16", 24).open())
                .withMessageStartingWith("cannot read %s: %s".formatted(key, fault));
    }

    @Test
    void keysBesideTheNodesAreIgnored() {
        create("/cadastre/api/v1/nodesandmore", "nonsense");
        create("/cadastre/api/v1/pods/a", "nonsense");

        assertThat(book("10.244.0.0/16", 24).open().view().nodes()).isEmpty();
    }

    @Test
    void manyDecisionsOnOnePageAreOneWritePerKey() {
        Page<NodeCidrView, NodeCidrChange> page = book("10.0.0.0/8", 24).open();
        for (int i = 0; i < Datastore.WRITES_MAX - 1; i++) {
            page = added(page, "node-" + i);
        }
        var full = page;

        assertThatExceptionOfType(PageFullException.class).isThrownBy(() -> added(full, "one-more"));
        assertThat(full.save())
                .isInstanceOfSatisfying(
                        Commit.Done.class, done -> assertThat(done.revisions()).hasSize(Datastore.WRITES_MAX));
        assertThat(book("10.0.0.0/8", 24).open().view()).isEqualTo(full.view());
    }

    @Test
    void aNodeThatComesAndGoesOnOnePageLeavesOnlyTheCursorBehind() {
        var page = removed(added(book("10.244.0.0/16", 24).open(), "a"), "a");

        page.save();

        assertThat(NodeBook.fetchNodes(store)).isEmpty();
        assertThat(stored(NodeBook.CURSORS)).contains("\"next\":1");
    }

    @Test
    void aNodeThatGoesAndComesNeedsTwoPages() {
        added(book("10.244.0.0/16", 24).open(), "a").save();
        var page = removed(book("10.244.0.0/16", 24).open(), "a");

        assertThatExceptionOfType(PageFullException.class).isThrownBy(() -> added(page, "a"));
    }

    @Test
    void anInvalidNameIsNotWritten() {
        var page = book("10.244.0.0/16", 24).open();

        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> added(page, "Not_A_Name"))
                .withMessageStartingWith("'Not_A_Name' is not a node name");
    }

    @Test
    void theViewOfAPageIsTheOneReadAfterSaving() {
        for (long seed = 1; seed <= 60; seed++) {
            try (var fresh = new MemoryDatastore()) {
                var random = new Random(seed);
                var book = new NodeBook(fresh, config("10.244.0.0/20", 24), CLOCK);
                for (int round = 0; round < 4; round++) {
                    var page = randomPage(random, book.open());
                    page.save();

                    assertThat(book.open().view()).as("seed %d", seed).isEqualTo(page.view());
                }
            }
        }
    }

    /// The law for stores that apply writes one by one: wherever they stop, the world is in order.
    @Test
    void everyStoppingPointOfASaveIsLegal() {
        for (long seed = 1; seed <= 60; seed++) {
            try (var fresh = new MemoryDatastore()) {
                var random = new Random(seed);
                var book = new NodeBook(fresh, config("10.244.0.0/21", 24), CLOCK);
                for (int round = 0; round < 4; round++) {
                    var page = (NodePage) randomPage(random, book.open());
                    for (var write : page.noted().writes()) {
                        assertThat(fresh.commit(List.of(write))).isInstanceOf(Commit.Done.class);

                        assertThat(Survey.of(NodeCidrHoldings.of(book.open().view())))
                                .as("seed %d, round %d, after %s", seed, round, write)
                                .isEmpty();
                    }
                    assertThat(book.open().view()).as("seed %d", seed).isEqualTo(page.view());
                }
            }
        }
    }

    private static Page<NodeCidrView, NodeCidrChange> randomPage(
            Random random, Page<NodeCidrView, NodeCidrChange> open) {
        var page = open;
        for (int i = 0; i < 12; i++) {
            var name = "node-" + random.nextInt(12);
            try {
                page = random.nextInt(3) > 0 ? added(page, name) : removed(page, name);
            } catch (PageFullException full) {
                return page;
            }
        }
        return page;
    }

    @Test
    void writersThatRaceNeverGiveOneBlockTwice() throws InterruptedException, ExecutionException {
        int writers = 4;
        int nodesEach = 25;
        var done = new ArrayList<Future<?>>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int writer = 0; writer < writers; writer++) {
                var prefix = "writer-%d-node-".formatted(writer);
                done.add(threads.submit(() -> {
                    for (int i = 0; i < nodesEach; i++) {
                        addUntilSaved(prefix + i);
                    }
                }));
            }
        }
        for (var each : done) {
            each.get();
        }

        var nodes = NodeBook.fetchNodes(store);
        assertThat(nodes).hasSize(writers * nodesEach);
        assertThat(nodes).extracting(NodeEntry::podCidrs).doesNotHaveDuplicates();
        assertThat(stored(NodeBook.CURSORS)).contains("\"assignments\":%d,".formatted(writers * nodesEach));
    }

    private void addUntilSaved(String node) {
        // Each conflict is another's success, so there are at most as many as there are
        // assignments.
        for (int attempt = 0; attempt <= 100; attempt++) {
            if (added(book("10.244.0.0/16", 24).open(), node).save() instanceof Commit.Done) {
                return;
            }
        }
        throw new AssertionError(node + " met more conflicts than there are rivals");
    }

    private NodeBook book(String cluster, int mask) {
        return new NodeBook(store, config(cluster, mask), CLOCK);
    }

    private static NodeCidrConfig config(String cluster, int mask) {
        return new NodeCidrConfig(List.of(new Subdivision(Prefix.parse(cluster), mask)), List.of());
    }

    private static Page<NodeCidrView, NodeCidrChange> added(Page<NodeCidrView, NodeCidrChange> page, String node) {
        return page.with(NodeCidrEngine.add(page.view(), new AddRequest(node)).changes());
    }

    private static Page<NodeCidrView, NodeCidrChange> removed(Page<NodeCidrView, NodeCidrChange> page, String node) {
        return page.with(
                NodeCidrEngine.remove(page.view(), new RemoveRequest(node)).changes());
    }

    private void create(String key, String document) {
        assertThat(store.commit(List.of(new Write.Create(key, Bytes.ofUtf8(document)))))
                .isInstanceOf(Commit.Done.class);
    }

    private String stored(String key) {
        return store.get(key).map(Document::value).map(Bytes::utf8).orElse("nothing");
    }
}
