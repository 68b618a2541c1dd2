package io.cadastre.agent.calico;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Address;
import io.cadastre.address.Family;
import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.datastore.memory.MemoryJournal;
import io.cadastre.engine.Because;
import io.cadastre.engine.Decision;
import io.cadastre.engine.block.BlockChange;
import io.cadastre.engine.block.BlockChange.UpdateBlock;
import io.cadastre.engine.block.BlockEngine;
import io.cadastre.engine.block.BlockView;
import io.cadastre.engine.block.assign.AddressOwner;
import io.cadastre.engine.block.assign.AttachRequest;
import io.cadastre.engine.block.assign.AttachRequest.Wanted;
import io.cadastre.engine.block.assign.AttachResult;
import io.cadastre.engine.block.assign.AttachmentId;
import io.cadastre.registry.Ledger;
import io.cadastre.registry.Registrar;
import io.cadastre.registry.Request;
import io.cadastre.wire.calico.CalicoBook;
import java.time.InstantSource;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// An ADD whose first commit was not answered, and which is then refused.
class AttachRequestTest {

    private final MemoryDatastore store = new MemoryDatastore();
    private final CalicoIpamNode node = CalicoIpamNode.on(store).withNode("node-1");
    private final Registrar<BlockView, BlockChange> registrar = new Registrar<>(
            new CalicoBook(store, InstantSource.fixed(CalicoIpamNode.NOW)),
            new Ledger(new MemoryJournal()),
            Registrar.Limits.DEFAULT,
            InstantSource.fixed(CalicoIpamNode.NOW),
            new SplittableRandom(1),
            _ -> {});

    @BeforeEach
    void fillBlock() {
        node.withPool("p", "10.0.0.0/24", 26);
        node.pod("other").add();
    }

    @AfterEach
    void close() {
        node.close();
        store.close();
    }

    private static AttachRequest request(Wanted wanted) {
        return new AttachRequest(
                new AddressOwner.Container(new AttachmentId("net", "c1", "eth0")),
                "node-1",
                wanted,
                Collections.emptySortedMap(),
                Collections.emptySortedMap(),
                0,
                CalicoIpamNode.NOW,
                List.of());
    }

    private Decision<BlockChange, AttachResult> decided(
            AttachRequest request, List<Decision<BlockChange, AttachResult>> lost) {
        return registrar.explain(new Request<BlockView, BlockChange, AttachResult>(
                "add", (view, _) -> BlockEngine.attach(view, request.after(lost))));
    }

    private static void requireBarred(
            Decision<BlockChange, AttachResult> lost, Decision<BlockChange, AttachResult> refusal) {
        assertThat(lost.outcome()).isInstanceOf(AttachResult.Granted.class);
        assertThat(refusal.outcome()).isInstanceOf(AttachResult.Refused.class);
        assertThat(refusal.changes())
                .singleElement()
                .isInstanceOfSatisfying(
                        UpdateBlock.class,
                        rewritten -> assertThat(rewritten.after().freeCount())
                                .isEqualTo(rewritten.seen().freeCount()));
    }

    @Test
    void refusalBarsTheAttempt() {
        var request = request(new Wanted.Any(List.of(Family.IPV4), List.of(), List.of()));
        var lost = decided(request, List.of());
        node.withPool("p", "10.0.0.0/24", 26, ",\"disabled\":true");

        var refusal = decided(request, List.of(lost));

        requireBarred(lost, refusal);
    }

    @Test
    void refusalOfOneAddressBarsTheAttempt() {
        node.giveBeside("10.0.0.202", "beside");
        var request = request(new Wanted.One(Address.parse("10.0.0.200")));
        var lost = decided(request, List.of());
        node.withPool("p", "10.0.0.0/24", 26, ",\"disabled\":true");

        var refusal = decided(request, List.of(lost));

        requireBarred(lost, refusal);
    }

    @Test
    void attemptToWhichTheRegistrarAddedReasonsIsBarredToo() {
        var request = request(new Wanted.Any(List.of(Family.IPV4), List.of(), List.of()));
        var lost = decided(request, List.of());
        node.withPool("p", "10.0.0.0/24", 26, ",\"disabled\":true");
        Because remark = () -> "two dialects share this range";

        var refusal = decided(request, List.of(lost.withRemarks(List.of(remark))));

        requireBarred(lost, refusal);
    }
}
