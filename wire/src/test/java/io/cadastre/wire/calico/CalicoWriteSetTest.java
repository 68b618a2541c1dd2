package io.cadastre.wire.calico;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.cadastre.address.Prefix;
import io.cadastre.datastore.Write;
import io.cadastre.engine.block.Affinity;
import io.cadastre.engine.block.Affinity.State;
import io.cadastre.engine.block.Block;
import io.cadastre.engine.block.BlockChange;
import io.cadastre.engine.block.BlockChange.CreateBlock;
import io.cadastre.engine.block.BlockChange.DropAffinity;
import io.cadastre.engine.block.BlockChange.DropBlock;
import io.cadastre.engine.block.BlockChange.DropHandle;
import io.cadastre.engine.block.BlockChange.PutAffinity;
import io.cadastre.engine.block.BlockChange.PutHandle;
import io.cadastre.engine.block.BlockChange.UpdateBlock;
import io.cadastre.engine.block.Handle;
import io.cadastre.engine.block.HostReserve;
import io.cadastre.engine.block.Owner;
import io.cadastre.registry.PageFullException;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CalicoWriteSetTest {

    private static final Prefix CIDR = Prefix.parse("10.0.0.0/30");
    private static final Owner OWNER = Owner.host("node-a");
    private static final Block FRESH = Block.fresh(CIDR, OWNER, new HostReserve.None(), AllocatorProcess.NOW);
    private static final Handle HANDLE = Handle.empty("h").withCount(CIDR, 1);

    @Test
    void aClaimBecomesOneWritePerDocumentWithItsLastState() {
        var net = net(
                CalicoSnapshot.NONE,
                new PutAffinity(Affinity.pending(OWNER, CIDR)),
                new CreateBlock(FRESH),
                new PutAffinity(new Affinity(OWNER, CIDR, State.CONFIRMED)),
                new PutHandle(HANDLE),
                new UpdateBlock(FRESH, FRESH.written()));

        assertThat(writes(net))
                .containsExactly(
                        new Write.Create(
                                "/calico/ipam/v2/host/node-a/ipv4/block/10.0.0.0-30",
                                AffinityDocument.create(new Affinity(OWNER, CIDR, State.CONFIRMED))
                                        .encode()),
                        new Write.Create(
                                "/calico/ipam/v2/handle/h",
                                HandleDocument.create(HANDLE).encode()),
                        new Write.Create(
                                "/calico/ipam/v2/assignment/ipv4/block/10.0.0.0-30",
                                BlockDocument.create(FRESH.written()).encode()));
    }

    @Test
    void whatComesAndGoesIsNotWritten() {
        var net = net(CalicoSnapshot.NONE, new PutHandle(HANDLE), new DropHandle("h"));

        assertThat(writes(net)).isEmpty();
        assertThat(net.writes(new CalicoKey.OfHandle("h"))).isFalse();
    }

    @Test
    void missingDocumentsAreNotDeleted() {
        var net = net(CalicoSnapshot.NONE, new DropAffinity(OWNER, CIDR), new DropHandle("h"));

        assertThat(writes(net)).isEmpty();
    }

    @Test
    void aBlockThatIsDeletedAndCreatedAgainIsUpdated() {
        var theirs = Block.fresh(CIDR, Owner.host("node-b"), new HostReserve.None(), AllocatorProcess.NOW);
        var known = knowing(theirs);

        var net = net(known, new DropBlock(theirs), new CreateBlock(FRESH));

        assertThat(writes(net))
                .containsExactly(new Write.Update(
                        "/calico/ipam/v2/assignment/ipv4/block/10.0.0.0-30",
                        BlockDocument.create(FRESH).encode(),
                        7));
    }

    /// Otherwise the write of a rival in between would be overwritten.
    @Test
    void aWriteRestsOnTheRevisionThatItWasDecidedOn() {
        var decided = net(knowing(FRESH), new UpdateBlock(FRESH, FRESH.written()));
        var readAgain = CalicoSnapshot.NONE.with(List.of(new StoredDocument(
                new CalicoKey.OfBlock(CIDR),
                BlockDocument.create(FRESH.written().written()),
                9)));

        var further = decided.with(
                List.of(new UpdateBlock(FRESH.written(), FRESH.written().written())), readAgain);

        assertThat(writes(further))
                .singleElement()
                .isInstanceOfSatisfying(
                        Write.Update.class,
                        update -> assertThat(update.revision()).isEqualTo(7));
    }

    @Test
    void aChangeOfWhatWasNotReadIsABug() {
        assertThatIllegalStateException()
                .isThrownBy(() -> net(CalicoSnapshot.NONE, new UpdateBlock(FRESH, FRESH.written())));
        assertThatIllegalStateException()
                .isThrownBy(() -> net(knowing(FRESH.written()), new UpdateBlock(FRESH, FRESH.written())));
        assertThatIllegalStateException().isThrownBy(() -> net(knowing(FRESH), new CreateBlock(FRESH)));
        assertThatIllegalStateException().isThrownBy(() -> net(knowing(FRESH.written()), new DropBlock(FRESH)));
    }

    @Test
    void aCommitHasABound() {
        var many = IntStream.range(0, 129)
                .<BlockChange>mapToObj(index -> new PutHandle(Handle.empty("h" + index)))
                .toList();

        var most = CalicoWriteSet.NONE.with(many.subList(0, 128), CalicoSnapshot.NONE);

        assertThat(writes(most)).hasSize(128);
        assertThatExceptionOfType(PageFullException.class)
                .isThrownBy(() -> most.with(many.subList(128, 129), CalicoSnapshot.NONE))
                .withMessage("129 writes do not fit into one commit of at most 128");
    }

    private static CalicoSnapshot knowing(Block block) {
        return CalicoSnapshot.NONE.with(
                List.of(new StoredDocument(new CalicoKey.OfBlock(block.cidr()), BlockDocument.create(block), 7)));
    }

    private static CalicoWriteSet net(CalicoSnapshot snapshot, BlockChange... changes) {
        return CalicoWriteSet.NONE.with(List.of(changes), snapshot);
    }

    private static List<Write> writes(CalicoWriteSet net) {
        return net.writes().stream().map(CalicoWriteSet.KeyedWrite::write).toList();
    }
}
