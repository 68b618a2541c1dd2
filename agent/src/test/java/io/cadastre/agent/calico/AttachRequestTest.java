package io.cadastre.agent.calico;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.datastore.memory.MemoryJournal;
import io.cadastre.engine.Because;
import io.cadastre.engine.Decision;
import io.cadastre.engine.block.BlockChange;
import io.cadastre.engine.block.BlockChange.UpdateBlock;
import io.cadastre.engine.block.BlockView;
import io.cadastre.registry.Ledger;
import io.cadastre.registry.Registrar;
import io.cadastre.registry.Request;
import io.cadastre.wire.calico.CalicoBook;
import io.cadastre.wire.cni.CalicoIpamConfig;
import io.cadastre.wire.cni.NetworkConfig;
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

    private static AttachRequest request(String args) {
        var config = NetworkConfig.read(Bytes.ofUtf8("""
            {"cniVersion": "1.1.0", "name": "net", "type": "bridge", "ipam": {"type": "calico-ipam"}}\
            """));
        return new AttachRequest(
                new AddressOwner.Container(new AttachmentId("net", "c1", "eth0")),
                "node-1",
                CalicoIpamConfig.read(config, args),
                Collections.emptySortedMap(),
                "",
                CalicoIpamNode.NOW);
    }

    private Decision<BlockChange, AttachResult> decided(
            AttachRequest request, List<Decision<BlockChange, AttachResult>> lost) {
        return registrar.explain(
                new Request<BlockView, BlockChange, AttachResult>("add", (view, _) -> request.decide(view, lost)));
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
        var request = request("");
        var lost = decided(request, List.of());
        node.withPool("p", "10.0.0.0/24", 26, ",\"disabled\":true");

        var refusal = decided(request, List.of(lost));

        requireBarred(lost, refusal);
    }

    @Test
    void refusalOfOneAddressBarsTheAttempt() {
        node.giveBeside("10.0.0.202", "beside");
        var request = request("IP=10.0.0.200");
        var lost = decided(request, List.of());
        node.withPool("p", "10.0.0.0/24", 26, ",\"disabled\":true");

        var refusal = decided(request, List.of(lost));

        requireBarred(lost, refusal);
    }

    @Test
    void attemptToWhichTheRegistrarAddedReasonsIsBarredToo() {
        var request = request("");
        var lost = decided(request, List.of());
        node.withPool("p", "10.0.0.0/24", 26, ",\"disabled\":true");
        Because remark = () -> "two dialects share this range";

        var refusal = decided(request, List.of(lost.withRemarks(List.of(remark))));

        requireBarred(lost, refusal);
    }
}
