package io.cadastre.wire.calico;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.engine.Missing;
import io.cadastre.engine.block.Block;
import io.cadastre.engine.block.BlockItem;
import io.cadastre.engine.block.BlockListing;
import io.cadastre.engine.block.HostReserve;
import io.cadastre.engine.block.Owner;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CalicoSnapshotTest {

    private static final Prefix PLACE = Prefix.parse("10.0.0.0/26");

    static List<Missing> handles() {
        return List.of(new BlockItem.OfHandle("h"), new BlockListing.OfHandles());
    }

    @ParameterizedTest
    @MethodSource("handles")
    void blockThatAHandleCountsIsLookedForAgainIfItWasNotThere(Missing missing) {
        try (var store = new MemoryDatastore()) {
            AllocatorProcess.node(store, "node-a");
            AllocatorProcess.pool(store, "p", PLACE.toString(), 26);
            AllocatorProcess.on(store).assign("node-a", "h");
            var outdated = CalicoSnapshot.NONE.with(new CalicoKey.OfBlock(PLACE), Optional.empty());

            var better = outdated.reading(missing, new CalicoReader(store));

            assertThat(better.view().findBlock(PLACE)).isPresent();
        }
    }

    static List<Missing> affinities() {
        return List.of(
                new BlockListing.OfAffinities(Owner.host("node-a"), Family.IPV4),
                new BlockItem.OfAffinity(Owner.host("node-a"), PLACE),
                new BlockListing.OfAllAffinities());
    }

    @ParameterizedTest
    @MethodSource("affinities")
    void blockThatIsConfirmedForAnOwnerIsLookedForAgainIfItWasAnothers(Missing missing) {
        try (var store = new MemoryDatastore()) {
            AllocatorProcess.node(store, "node-a");
            AllocatorProcess.pool(store, "p", PLACE.toString(), 26);
            AllocatorProcess.on(store).assign("node-a", "h");
            var another = Block.fresh(PLACE, Owner.host("node-b"), new HostReserve.None(), AllocatorProcess.NOW);
            var outdated = new CalicoSnapshot(
                    CalicoSnapshot.NONE.view().with(BlockItem.of(another), another), CalicoSnapshot.NONE.entries());

            var better = outdated.reading(missing, new CalicoReader(store));

            assertThat(better.view().findBlock(PLACE).orElseThrow().owner()).contains(Owner.host("node-a"));
        }
    }

    @Test
    void blockThatWasNotAskedForIsNotRead() {
        try (var store = new MemoryDatastore()) {
            AllocatorProcess.node(store, "node-a");
            AllocatorProcess.pool(store, "p", PLACE.toString(), 26);
            AllocatorProcess.on(store).assign("node-a", "h");

            var snapshot = CalicoSnapshot.NONE.reading(new BlockItem.OfHandle("h"), new CalicoReader(store));

            assertThat(snapshot.view().knowsBlock(PLACE)).isFalse();
        }
    }
}
