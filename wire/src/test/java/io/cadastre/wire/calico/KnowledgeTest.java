package io.cadastre.wire.calico;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.engine.block.Block;
import io.cadastre.engine.block.BlockLack;
import io.cadastre.engine.block.HostReserve;
import io.cadastre.engine.block.Owner;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.List;

class KnowledgeTest {

    private static final Prefix PLACE = Prefix.parse("10.0.0.0/26");

    static List<BlockLack> handles() {
        return List.of(new BlockLack.OfHandle("h"), new BlockLack.OfAllHandles());
    }

    @ParameterizedTest
    @MethodSource("handles")
    void blockThatAHandleCountsIsLookedForAgainIfItWasNotThere(BlockLack lack) {
        try (var store = new MemoryDatastore()) {
            Office.node(store, "node-a");
            Office.pool(store, "p", PLACE.toString(), 26);
            Office.on(store).assign("node-a", "h");
            var outdated = Knowledge.NONE.knowingNothingAt(new CalicoKey.OfBlock(PLACE));

            var better = outdated.reading(lack, new Reader(store));

            assertThat(better.view().findBlock(PLACE)).isPresent();
        }
    }

    static List<BlockLack> affinities() {
        return List.of(
                new BlockLack.OfAffinities(Owner.host("node-a"), Family.IPV4),
                new BlockLack.OfAffinity(Owner.host("node-a"), PLACE),
                new BlockLack.OfAllAffinities());
    }

    @ParameterizedTest
    @MethodSource("affinities")
    void blockThatIsConfirmedForAnOwnerIsLookedForAgainIfItWasAnothers(BlockLack lack) {
        try (var store = new MemoryDatastore()) {
            Office.node(store, "node-a");
            Office.pool(store, "p", PLACE.toString(), 26);
            Office.on(store).assign("node-a", "h");
            var another =
                    Block.fresh(PLACE, Owner.host("node-b"), new HostReserve.None(), Office.NOW);
            var outdated =
                    new Knowledge(Knowledge.NONE.view().knowing(another), Knowledge.NONE.entries());

            var better = outdated.reading(lack, new Reader(store));

            assertThat(better.view().findBlock(PLACE).orElseThrow().owner())
                    .contains(Owner.host("node-a"));
        }
    }

    @Test
    void blockThatNobodyLookedForIsNotRead() {
        try (var store = new MemoryDatastore()) {
            Office.node(store, "node-a");
            Office.pool(store, "p", PLACE.toString(), 26);
            Office.on(store).assign("node-a", "h");

            var knowledge = Knowledge.NONE.reading(new BlockLack.OfHandle("h"), new Reader(store));

            assertThat(knowledge.view().knowsBlock(PLACE)).isFalse();
        }
    }
}
