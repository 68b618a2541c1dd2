package io.cadastre.agent.hostlocal;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Address;
import io.cadastre.address.Range;
import io.cadastre.agent.AgentHome;
import io.cadastre.datastore.ForwardingJournal;
import io.cadastre.datastore.Journal;
import io.cadastre.datastore.memory.MemoryJournal;
import io.cadastre.registry.Ledger;
import io.cadastre.wire.cni.CniCode;
import io.cadastre.wire.cni.CniVerb;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What host-local records in the ledger.
class FolderLedgerTest {

    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

    @TempDir
    private Path dataDir;

    private final FailingJournal journal = new FailingJournal();
    private final Ledger ledger = new Ledger(journal);

    private HostLocalNode node() {
        return new HostLocalNode(
                dataDir, new HostLocal(HostLocalNode.LOCK_MAX, ledger, InstantSource.fixed(NOW), AgentHome.of("a")));
    }

    private static String config(HostLocalNode node) {
        return node.config("1.1.0", "\"ranges\": [[{\"subnet\": \"10.1.2.0/24\"}]]");
    }

    private List<Ledger.Entry> entries() {
        return ledger.read(1, 100).stream().map(Ledger.Recorded::entry).toList();
    }

    /// A journal whose disk may be full.
    private static final class FailingJournal implements ForwardingJournal {

        private final MemoryJournal journal = new MemoryJournal();
        private boolean full;
        private boolean refusing;

        @Override
        public Journal journal() {
            return journal;
        }

        @Override
        public void append(Function<Optional<Entry>, List<Draft>> next) {
            if (full) {
                throw new IllegalStateException("the disk is full");
            }
            if (refusing) {
                throw new IllegalArgumentException("no record like this");
            }
            journal.append(next);
        }
    }

    @Test
    void addAndDelAreOneEntryEach() {
        var node = node();
        node.add("c1", config(node));
        node.del("c1", config(node));

        assertThat(entries())
                .extracting(Ledger.Entry::request)
                .containsExactly("cni add net/c1/eth0 by host-local", "cni del net/c1/eth0 by host-local");
        assertThat(entries().getFirst().at()).isEqualTo(NOW);
        assertThat(entries().getFirst().granted()).singleElement().satisfies(holding -> {
            assertThat(holding.range()).isEqualTo(Range.of(Address.parse("10.1.2.2")));
            assertThat(holding.holder()).isEqualTo("container/c1/eth0");
        });
        assertThat(entries().getFirst().because()).isNotEmpty();
        assertThat(entries().getLast().returned())
                .isEqualTo(entries().getFirst().granted());
    }

    @Test
    void operationsThatChangeNothingAreNotRecorded() {
        var node = node();
        node.add("c1", config(node));

        node.refusal(CniVerb.ADD, "c1", config(node));
        node.succeed(CniVerb.CHECK, "c1", config(node));
        node.del("never-seen", config(node));

        assertThat(entries()).hasSize(1);
    }

    @Test
    void addThatCannotBeRecordedFailsAndLeavesNothing() throws IOException {
        var node = node();
        journal.full = true;

        var failure = node.refusal(CniVerb.ADD, "c1", config(node));

        assertThat(failure.is(CniCode.TRY_AGAIN_LATER)).isTrue();
        assertThat(failure.msg()).isEqualTo("the ledger cannot be written");
        assertThat(node.names()).doesNotContain("10.1.2.2");
    }

    @Test
    void nothingIsDoneWhileSomethingIsOwed() throws IOException {
        var node = node();
        node.add("c1", config(node));
        journal.full = true;
        node.refusal(CniVerb.DEL, "c1", config(node));

        node.refusal(CniVerb.ADD, "c2", config(node));

        assertThat(node.names()).doesNotContain("10.1.2.2", "10.1.2.3");
        journal.full = false;
        node.add("c3", config(node));
        assertThat(entries())
                .extracting(Ledger.Entry::request)
                .containsExactly(
                        "cni add net/c1/eth0 by host-local",
                        "cni del net/c1/eth0 by host-local",
                        "cni add net/c3/eth0 by host-local");
    }

    @Test
    void whatTheLedgerCanNeverTakeIsNotOwed() throws IOException {
        var node = node();
        journal.refusing = true;

        var failure = node.refusal(CniVerb.ADD, "c1", config(node));

        assertThat(failure.is(CniCode.INTERNAL)).isTrue();
        assertThat(node.names()).doesNotContain("10.1.2.2");
        journal.refusing = false;
        node.add("c2", config(node));
        node.succeed(CniVerb.STATUS, "", config(node));
        assertThat(entries()).hasSize(1);
    }

    @Test
    void idThatTheLedgerCannotNameIsRefusedBeforeAnythingIsDone() throws IOException {
        var node = node();
        node.add("c1", config(node));

        var failure = node.refusal(CniVerb.ADD, "x".repeat(1100), config(node));

        assertThat(failure.is(CniCode.INVALID_ENVIRONMENT)).isTrue();
        assertThat(failure.msg())
                .isEqualTo("CNI_CONTAINERID has 1100 characters; the ledger names holders of at most" + " 960");
        assertThat(node.names()).doesNotContain("10.1.2.3");
        node.del("x".repeat(1100), config(node));
        node.succeed(CniVerb.STATUS, "", config(node));
        assertThat(node.given("c2", config(node))).containsExactly("10.1.2.3");
        assertThat(entries()).hasSize(2);
    }
}
