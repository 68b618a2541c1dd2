package io.cadastre.controller.nodecidr;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Prefix;
import io.cadastre.controller.ControllerContext;
import io.cadastre.controller.ManualTime;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.ForwardingJournal;
import io.cadastre.datastore.Journal;
import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.datastore.memory.MemoryJournal;
import io.cadastre.registry.Ledger;
import io.cadastre.registry.Pause;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class NodeCidrHistoryTest {

    private static final Pause REAL = Thread::sleep;
    private static final List<Prefix> BLOCK = List.of(Prefix.parse("10.10.0.0/24"));

    private final ManualTime time = new ManualTime();
    private final MemoryDatastore store = new MemoryDatastore();
    private final BusyJournal journal = new BusyJournal();
    private final Ledger ledger = new Ledger(journal);
    private final List<String> reports = new ArrayList<>();
    private final ControllerContext context =
            new ControllerContext(store, ledger, time, time, new SplittableRandom(1), REAL, reports::add);

    /// Does not answer questions while it is busy.
    private static final class BusyJournal implements ForwardingJournal {

        private final MemoryJournal kept = new MemoryJournal();
        private boolean busy;

        @Override
        public Journal journal() {
            return kept;
        }

        @Override
        public <T> T look(Function<Look, T> work) {
            if (busy) {
                throw new DatastoreException(DatastoreException.Kind.FAILED, "the ledger is busy");
            }
            return kept.look(work);
        }
    }

    @AfterEach
    void close() {
        store.close();
    }

    private List<String> holders(Prefix block) {
        return ledger.holders(block.first(), time.instant(), Ledger.Writers.OTHERS_TOO).periods().stream()
                .map(period -> period.holding().toString())
                .toList();
    }

    private static List<Prefix> block(int number) {
        return List.of(Prefix.parse("10.%d.%d.0/24".formatted(20 + number / 256, number % 256)));
    }

    @Test
    void whatWaitsBehindHundredsOfKnownNodesIsWrittenAtTheEnd() {
        var before = new NodeCidrHistory(context);
        for (int number = 0; number < 600; number++) {
            before.seen("n" + number, block(number), 7);
        }
        before.finish();

        var history = new NodeCidrHistory(context);
        for (int number = 0; number < 600; number++) {
            history.seen("n" + number, block(number), 7);
        }
        history.given("a", BLOCK, 8, List.of());
        history.finish();

        assertThat(holders(block(599).getFirst())).hasSize(1);
        assertThat(holders(BLOCK.getFirst())).hasSize(1);
        assertThat(reports).isEmpty();
    }

    @Test
    void whatTheLedgerIsTooBusyForWaits() throws InterruptedException {
        var history = new NodeCidrHistory(context);
        history.given("a", BLOCK, 7, List.of());
        history.turn();
        journal.busy = true;
        history.gone("a", BLOCK);
        history.turn();
        history.seen("b", BLOCK, 9);
        history.turn();
        journal.busy = false;

        history.finish();

        assertThat(reports).containsExactly("cannot record node CIDRs: the ledger is busy");
        assertThat(holders(BLOCK.getFirst())).singleElement().asString().contains("b");
    }
}
