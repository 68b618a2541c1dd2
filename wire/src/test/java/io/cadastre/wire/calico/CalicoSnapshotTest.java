package io.cadastre.wire.calico;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.engine.block.Block;
import io.cadastre.engine.block.HostReserve;
import io.cadastre.engine.block.MissingBlockItem;
import io.cadastre.engine.block.Owner;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CalicoSnapshotTest {

    private static final Prefix PLACE = Prefix.parse("10.0.0.0/26");

    static List<MissingBlockItem> handles() {
        return List.of(new MissingBlockItem.OfHandle("h"), new MissingBlockItem.OfAllHandles());
    }

    @ParameterizedTest
    @MethodSource("handles")
    void blockThatAHandleCountsIsLookedForAgainIfItWasNotThere(MissingBlockItem missing) {
        try (var store = new MemoryDatastore()) {
            AllocatorProcess.node(store, "node-a");
            AllocatorProcess.pool(store, "p", PLACE.toString(), 26);
            AllocatorProcess.on(store).assign("node-a", "h");
            var outdated = CalicoSnapshot.NONE.knowingNothingAt(new CalicoKey.OfBlock(PLACE));

            var better = outdated.reading(missing, new CalicoReader(store));

            assertThat(better.view().findBlock(PLACE)).isPresent();
        }
    }

    static List<MissingBlockItem> affinities() {
        return List.of(
                new MissingBlockItem.OfAffinities(Owner.host("node-a"), Family.IPV4),
                new MissingBlockItem.OfAffinity(Owner.host("node-a"), PLACE),
                new MissingBlockItem.OfAllAffinities());
    }

    @ParameterizedTest
    @MethodSource("affinities")
    void blockThatIsConfirmedForAnOwnerIsLookedForAgainIfItWasAnothers(MissingBlockItem missing) {
        try (var store = new MemoryDatastore()) {
            AllocatorProcess.node(store, "node-a");
            AllocatorProcess.pool(store, "p", PLACE.toString(), 26);
            AllocatorProcess.on(store).assign("node-a", "h");
            var another = Block.fresh(PLACE, Owner.host("node-b"), new HostReserve.None(), AllocatorProcess.NOW);
            var outdated =
                    new CalicoSnapshot(CalicoSnapshot.NONE.view().knowing(another), CalicoSnapshot.NONE.entries());

            var better = outdated.reading(missing, new CalicoReader(store));

            assertThat(better.view().findBlock(PLACE).orElseThrow().owner()).contains(Owner.host("node-a"));
        }
    }

    @Test
    void blockThatNobodyLookedForIsNotRead() {
        try (var store = new MemoryDatastore()) {
            AllocatorProcess.node(store, "node-a");
            AllocatorProcess.pool(store, "p", PLACE.toString(), 26);
            AllocatorProcess.on(store).assign("node-a", "h");

            var snapshot = CalicoSnapshot.NONE.reading(new MissingBlockItem.OfHandle("h"), new CalicoReader(store));

            assertThat(snapshot.view().knowsBlock(PLACE)).isFalse();
        }
    }
}
