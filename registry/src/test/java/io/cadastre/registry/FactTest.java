package io.cadastre.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Address;
import io.cadastre.address.Prefix;
import io.cadastre.address.Subdivision;
import io.cadastre.datastore.memory.MemoryJournal;
import io.cadastre.engine.Because;
import io.cadastre.engine.block.Affinity;
import io.cadastre.engine.block.BlockReason;
import io.cadastre.engine.block.assign.AssignedAddress;
import io.cadastre.engine.hostlocal.FolderEntry;
import io.cadastre.engine.hostlocal.HostLocalAttachment;
import io.cadastre.engine.hostlocal.HostLocalReason;
import io.cadastre.engine.nodecidr.CidrSet;
import io.cadastre.engine.nodecidr.NodeCidrReason;
import io.cadastre.engine.pool.PodKey;
import io.cadastre.engine.pool.PoolReason;
import io.cadastre.engine.pool.PoolRelease;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FactTest {

    private static final Prefix BLOCK = Prefix.parse("10.0.0.0/26");
    private static final Address ADDRESS = Address.parse("10.0.0.7");
    private static final Subdivision CLUSTER = new Subdivision(Prefix.parse("10.0.0.0/16"), 24);

    /// One of every shape of components that reasons have.
    private static final List<Because> REASONS = List.of(
            new BlockReason.TookFrom(BLOCK, "host:a", 1),
            new BlockReason.PassedOver(BLOCK, BlockReason.BlockRule.FULL),
            new BlockReason.Claimed(BLOCK, "p", BLOCK, BigInteger.TEN.pow(20)),
            new BlockReason.Resumed(BLOCK, Affinity.State.PENDING),
            new BlockReason.GivenBefore(new AssignedAddress(ADDRESS, BLOCK)),
            new BlockReason.Cold(BLOCK, 3, Duration.ofSeconds(90)),
            new BlockReason.Released(ADDRESS, ""),
            new HostLocalReason.NamesAttachment(new FolderEntry("10.0.0.7", "c1\r\neth0")),
            new HostLocalReason.HoldsNothing(new HostLocalAttachment("c1", "eth0")),
            new NodeCidrReason.AlreadyHolds("a", List.of("10.0.0.0/24", "fd00::/64")),
            new NodeCidrReason.ServiceRangeTakes(BLOCK, CLUSTER, new CidrSet.Reach.Blocks(0, 3)),
            new PoolReason.ToldBy("the annotation", List.of("p", "q"), "eth0"),
            new PoolReason.NothingReleased(new PodKey("ns", "x"), PoolRelease.Why.POD_LIVES));

    @Test
    void reasonIsKeptAsItsRuleAndItsValues() {
        var fact = Fact.of(new BlockReason.PassedOver(BLOCK, BlockReason.BlockRule.FULL));

        var values = new LinkedHashMap<String, Fact>();
        values.put("block", Fact.text("10.0.0.0/26"));
        values.put("rule", Fact.text("FULL"));
        assertThat(fact).isEqualTo(new Fact.Ruled("block.BlockReason.PassedOver", values));
    }

    @Test
    void sentenceOfAReasonIsTheSameWhenItIsRead() {
        var ledger = new Ledger(new MemoryJournal());
        ledger.append(List.of(new Ledger.Entry(
                Instant.EPOCH,
                "ask",
                Fact.text("answer"),
                1,
                1,
                List.of(),
                List.of(),
                REASONS.stream().map(Fact::of).toList())));

        var read = ledger.read(1, 1).getFirst().entry().because();

        assertThat(read).allMatch(fact -> fact instanceof Fact.Ruled);
        assertThat(read)
                .extracting(Fact::words)
                .isEqualTo(REASONS.stream().map(Because::sentence).toList());
    }

    @Test
    void ruleOfANewerProgramIsShownWithItsValues() {
        var values = new LinkedHashMap<String, Fact>();
        values.put("block", Fact.text("10.0.0.0/26"));
        values.put("phase", Fact.text("NEW_MOON"));

        assertThat(new Fact.Ruled("block.BlockReason.Postponed", values).words())
                .isEqualTo("Postponed[block=10.0.0.0/26, phase=NEW_MOON]");
        assertThat(new Fact.Ruled("block.BlockReason.PassedOver", values).words())
                .isEqualTo("PassedOver[block=10.0.0.0/26, phase=NEW_MOON]");
    }

    @Test
    void reasonThatOnlyItsModuleKnowsIsKeptAsItsSentence() {
        record Own(int count) implements Because {
            @Override
            public String sentence() {
                return "counted " + count;
            }
        }

        assertThat(Fact.of(new Own(3))).isEqualTo(Fact.text("counted 3"));
    }

    private record Given(Optional<Address> address, List<Integer> numbers) {}

    @Test
    void outcomeIsKeptAsItsParts() {
        assertThat(Fact.of(new Given(Optional.of(ADDRESS), List.of(1, 2))).words())
                .isEqualTo("Given[address=[10.0.0.7], numbers=[1, 2]]");
    }
}
