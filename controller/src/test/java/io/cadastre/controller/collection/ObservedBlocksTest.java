package io.cadastre.controller.collection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cadastre.address.Address;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.ForwardingJournal;
import io.cadastre.datastore.Journal;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.datastore.memory.MemoryJournal;
import io.cadastre.engine.block.Attempts;
import io.cadastre.engine.block.BlockChange;
import io.cadastre.engine.block.BlockEngine;
import io.cadastre.engine.block.BlockView;
import io.cadastre.engine.block.assign.AssignAddressRequest;
import io.cadastre.engine.block.assign.Requester;
import io.cadastre.registry.HoldingPeriod;
import io.cadastre.registry.Ledger;
import io.cadastre.registry.Registrar;
import io.cadastre.registry.Request;
import io.cadastre.wire.calico.CalicoBook;
import io.cadastre.wire.calico.CalicoKey;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What others do is in the ledger of who watches.
class ObservedBlocksTest {

    private static final Instant NOON = Instant.parse("2026-11-16T12:00:00Z");
    private static final Address ADDRESS = Address.parse("10.0.0.7");

    private final MemoryDatastore store = new MemoryDatastore();
    private final UnsteadyJournal journal = new UnsteadyJournal();
    private final Ledger ledger = new Ledger(journal);
    private final Registrar<BlockView, BlockChange> other = registrar(new Ledger(new MemoryJournal()));
    private final ClusterState state = new ClusterState(ClusterSource.CALICO_ALONE, _ -> {});
    private final ObservedBlocks observed = new ObservedBlocks(ledger);

    private Registrar<BlockView, BlockChange> registrar(Ledger recorder) {
        return new Registrar<>(
                new CalicoBook(store, () -> NOON),
                recorder,
                Registrar.Limits.DEFAULT,
                () -> NOON,
                new SplittableRandom(1),
                _ -> {});
    }

    @BeforeEach
    void makePool() {
        store.commit(List.of(new Write.Create(new CalicoKey.OfPool("p").text(), Bytes.ofUtf8("""
            {"kind":"IPPool","apiVersion":"projectcalico.org/v3",\
            "metadata":{"name":"p"},"spec":{"cidr":"10.0.0.0/24",\
            "blockSize":28}}\
            """))));
    }

    @AfterEach
    void close() {
        store.close();
    }

    private static void give(Registrar<BlockView, BlockChange> registrar) {
        var attributes = new TreeMap<>(Map.of("pod", "web-0", "namespace", "shop"));
        var request = AssignAddressRequest.of(ADDRESS, "a", Requester.of("h", attributes), NOON);
        registrar.enact(new Request<>("give", view -> BlockEngine.assignAddress(view, request)));
    }

    private static void takeBack(Registrar<BlockView, BlockChange> registrar) {
        registrar.enact(new Request<>("take", view -> BlockEngine.releaseByHandle(view, "h", Attempts.first(NOON))));
    }

    private boolean look(int seconds) {
        for (var subject : ClusterSource.CALICO_ALONE.followed()) {
            state.begin(subject);
            state.fill(subject, store.listAll(subject.prefix()).documents());
            state.complete(subject);
        }
        return observed.look(state.snapshot().orElseThrow().view(), NOON.plusSeconds(seconds));
    }

    private List<HoldingPeriod> periodsOfPod() {
        return ledger.periodsOfPod("shop", "web-0", Ledger.Writers.OTHERS_TOO).periods();
    }

    @Test
    void tenureOfAnotherProcessBeginsAndEndsAsItIsSeen() {
        give(other);
        assertThat(look(10)).isTrue();
        takeBack(other);
        assertThat(look(20)).isTrue();

        assertThat(periodsOfPod()).singleElement().satisfies(period -> {
            assertThat(period.from()).isEqualTo(NOON.plusSeconds(10));
            assertThat(period.until()).contains(NOON.plusSeconds(20));
            assertThat(period.request()).isEqualTo("observed block 10.0.0.0/28");
        });
        assertThat(ledger.periodsOfNode("a", Ledger.Writers.OTHERS_TOO).periods())
                .isNotEmpty();
    }

    @Test
    void whatCouldNotBeRecordedIsRecordedByTheNextLook() {
        give(other);
        journal.failing = true;
        assertThatThrownBy(() -> look(10)).isInstanceOf(DatastoreException.class);
        journal.failing = false;
        look(20);
        takeBack(other);
        journal.failing = true;
        assertThatThrownBy(() -> look(30)).isInstanceOf(DatastoreException.class);
        journal.failing = false;
        look(40);

        assertThat(periodsOfPod()).singleElement().satisfies(period -> {
            assertThat(period.from()).isEqualTo(NOON.plusSeconds(20));
            assertThat(period.until()).contains(NOON.plusSeconds(40));
        });
    }

    @Test
    void endOfABlockThatIsGoneIsRecordedByTheNextLookIfItCouldNotBeBefore() {
        give(other);
        look(10);
        var block = store.listAll("/calico/ipam/v2/assignment/").documents().getFirst();
        store.commit(List.of(new Write.Delete(block.key(), block.revision())));
        journal.failing = true;
        assertThatThrownBy(() -> look(20)).isInstanceOf(DatastoreException.class);
        journal.failing = false;
        look(30);

        assertThat(periodsOfPod())
                .singleElement()
                .satisfies(period -> assertThat(period.until()).contains(NOON.plusSeconds(30)));
    }

    @Test
    void whatThisProcessRecordsItselfIsNotRecordedAgain() {
        var own = registrar(ledger);
        give(own);
        look(10);
        takeBack(own);
        look(20);

        assertThat(ledger.read(1, 10))
                .extracting(recorded -> recorded.entry().request())
                .containsExactly("give", "take");
    }

    @Test
    void processThatStartsAgainRecordsNothingTwice() {
        give(other);
        look(10);
        long before = ledger.read(1, 10).size();

        new ObservedBlocks(ledger).look(state.snapshot().orElseThrow().view(), NOON.plusSeconds(30));

        assertThat(before).isEqualTo(1);
        assertThat(ledger.read(1, 10)).hasSize(1);
    }

    /// A journal that cannot be written at times.
    private static final class UnsteadyJournal implements ForwardingJournal {

        private final MemoryJournal kept = new MemoryJournal();
        private boolean failing;

        @Override
        public Journal journal() {
            return kept;
        }

        @Override
        public void append(Function<Optional<Entry>, List<Draft>> next) {
            if (failing) {
                throw new DatastoreException(DatastoreException.Kind.FAILED, "the disk is full");
            }
            kept.append(next);
        }
    }
}
