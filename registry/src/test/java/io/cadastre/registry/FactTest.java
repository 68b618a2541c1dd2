package io.cadastre.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Address;
import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.address.Subdivision;
import io.cadastre.datastore.memory.MemoryJournal;
import io.cadastre.engine.Because;
import io.cadastre.engine.Outcome;
import io.cadastre.engine.block.Affinity;
import io.cadastre.engine.block.BlockReason;
import io.cadastre.engine.block.assign.AssignedAddress;
import io.cadastre.engine.hostlocal.FolderEntry;
import io.cadastre.engine.hostlocal.HostLocalAttachment;
import io.cadastre.engine.hostlocal.HostLocalReason;
import io.cadastre.engine.nodecidr.CidrSet;
import io.cadastre.engine.nodecidr.NodeCidrReason;
import io.cadastre.engine.pool.Nic;
import io.cadastre.engine.pool.Nic.GatewayUse;
import io.cadastre.engine.pool.NicAddress;
import io.cadastre.engine.pool.PodKey;
import io.cadastre.engine.pool.PodRoute;
import io.cadastre.engine.pool.PoolAllocation;
import io.cadastre.engine.pool.PoolFault;
import io.cadastre.engine.pool.PoolReason;
import io.cadastre.engine.pool.PoolRefusal;
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

    private static final Nic NIC = new Nic(
            "eth0",
            Optional.of(new NicAddress(ADDRESS, 24, "p", Optional.of(Address.parse("10.0.0.1")))),
            Optional.of(new NicAddress(Address.parse("fd00::7"), 64, "q", Optional.empty())),
            Optional.of(GatewayUse.DEFAULT_ROUTE),
            List.of(new PodRoute("10.7.0.0/16", "10.0.0.2")));

    @Test
    void outcomeOfAPoolIsKeptAsItsPartsAndReadAsASentence() {
        var allocated = new PoolAllocation.Allocated(List.of(NIC));

        var fact = Fact.of(allocated);

        assertThat(fact)
                .isInstanceOfSatisfying(
                        Fact.Ruled.class, ruled -> assertThat(ruled.rule()).isEqualTo("pool.PoolAllocation.Allocated"));
        assertThat(fact.words())
                .isEqualTo(allocated.sentence())
                .isEqualTo("NIC eth0 has 10.0.0.7/24 of pool p and fd00::7/64 of pool q");
    }

    @Test
    void everyRefusalOfAPoolIsReadAsASentence() {
        var fault = new PoolFault("p", PoolFault.Rule.USED_OUT, "all IP addresses used out");
        var key = new PodKey("ns", "x");
        var outcomes = List.<Outcome>of(
                new PoolAllocation.Refused(new PoolRefusal.UsedOut(Family.IPV4, "eth0", List.of("p"), List.of(fault))),
                new PoolAllocation.Refused(new PoolRefusal.NoRules()),
                new PoolAllocation.Refused(new PoolRefusal.InNoPool(ADDRESS)),
                new PoolAllocation.Refused(new PoolRefusal.DeadPod(key)),
                new PoolRelease.Refused(new PoolRefusal.Damaged(fault)),
                new PoolRelease.Kept(PoolRelease.Why.NO_ENDPOINT),
                new PoolRelease.Released(List.of(ADDRESS)),
                new PoolRelease.Released(List.of()));

        assertThat(outcomes)
                .allSatisfy(outcome -> assertThat(Fact.of(outcome)).isInstanceOf(Fact.Ruled.class))
                .extracting(outcome -> Fact.of(outcome).words())
                .isEqualTo(outcomes.stream().map(Outcome::sentence).toList())
                .contains(
                        "refused: failed to allocate IP addresses in standard mode: failed to allocate any IPv4 IP"
                                + " address to NIC eth0 from IPPools [p]: all IP addresses used out",
                        "nothing is released: the pod has no endpoint",
                        "released 10.0.0.7");
    }

    @Test
    void outcomeThatOnlyItsModuleKnowsIsKeptAsItsSentence() {
        record Own(int count) implements Outcome {
            @Override
            public String sentence() {
                return "counted " + count;
            }
        }

        assertThat(Fact.of(new Own(3))).isEqualTo(Fact.text("counted 3"));
    }
}
