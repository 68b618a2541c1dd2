package io.cadastre.engine.block;

import static io.cadastre.engine.block.Fixtures.NOW;
import static io.cadastre.engine.block.Fixtures.address;
import static io.cadastre.engine.block.Fixtures.labels;
import static io.cadastre.engine.block.Fixtures.prefix;
import static io.cadastre.engine.block.World.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.engine.block.AssignRequest.Ask;
import io.cadastre.engine.block.BlockChange.CreateBlock;
import io.cadastre.engine.block.BlockChange.PutAffinity;
import io.cadastre.engine.block.BlockChange.PutHandle;
import io.cadastre.engine.block.BlockChange.UpdateBlock;
import io.cadastre.engine.block.BlockReason.BlockRule;
import io.cadastre.engine.block.BlockReason.Claimed;
import io.cadastre.engine.block.BlockReason.PassedOver;
import io.cadastre.engine.block.BlockReason.Reclaimed;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.math.BigInteger;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/// Any addresses on a host.
class AssignTest {

    private static final String V6 = "fd80:24e2:f998:72d6::/120";

    @ParameterizedTest
    @DisplayName("CAL-35 to CAL-37: one address of each family, whatever the block length")
    @CsvSource({
        "192.168.1.0/24, 32, fd80:24e2:f998:72d6::/120, 128",
        "192.168.0.0/16, 20, fd80:24e2:f998:72d6::/110, 116",
        "192.168.0.0/16, 26, fd80:24e2:f998:72d6::/110, 122"
    })
    void oneAddressOfEachFamily(String v4, int v4Length, String v6, int v6Length) {
        var world = World.with(pool("v4", v4, v4Length), pool("v6", v6, v6Length));

        var assignment = world.assign(world.request("node-a").ipv4(Ask.of(1)).ipv6(Ask.of(1)));

        assertThat(assignment).isInstanceOf(Assignment.Done.class);
        assertThat(assignment.share(Family.IPV4).orElseThrow().leases()).hasSize(1);
        assertThat(assignment.share(Family.IPV6).orElseThrow().leases()).hasSize(1);
    }

    @ParameterizedTest
    @DisplayName("CAL-38 to CAL-40: a pool gives all it has, and says when it has no more")
    @CsvSource({
        "192.168.1.0/24, 256, 256, ''",
        "192.168.1.0/24, 257, 256, No IPs available in pools: [192.168.1.0/24]",
        "fd80:24e2:f998:72d6::/120, 257, 256, No IPs available in pools:"
                + " [fd80:24e2:f998:72d6::/120]"
    })
    void poolGivesAllItHas(String cidr, int asked, int given, String message) {
        var world = World.with(pool("p", cidr));
        var family = prefix(cidr).family();
        var request = world.request("node-a");

        var assignment =
                world.assign(
                        family == Family.IPV4
                                ? request.ipv4(Ask.of(asked))
                                : request.ipv6(Ask.of(asked)));

        var share = assignment.share(family).orElseThrow();
        assertThat(assignment).isInstanceOf(Assignment.Done.class);
        assertThat(share.leases()).doesNotHaveDuplicates().hasSize(given);
        assertThat(share.messages()).isEqualTo(message.isEmpty() ? List.of() : List.of(message));
        assertThat(world.view().blocks(family)).hasSize(4);
    }

    @ParameterizedTest
    @DisplayName("CAL-41, CAL-42: the limit of blocks ends the request with what it got so far")
    @CsvSource({"26, 1, 64, 1", "26, 2, 128, 2", "30, 0, 80, 20"})
    void limitEndsTheRequest(int blockLength, int limit, int given, int shown) {
        var world = World.with(pool("p", "192.168.1.0/24", blockLength));

        var assignment =
                world.assign(world.request("node-a").ipv4(Ask.of(256)).withMaxBlocksPerHost(limit));

        assertThat(assignment)
                .isInstanceOfSatisfying(
                        Assignment.Stopped.class,
                        stopped ->
                                assertThat(stopped.refusal())
                                        .isEqualTo(new BlockRefusal.BlockLimit()));
        assertThat(assignment.addresses()).hasSize(given);
        assertThat(assignment.shares().getFirst().messages())
                .containsExactly(
                        "Need to allocate an IPAM block but could not - limit of %d blocks reached for this node"
                                .formatted(shown));
    }

    @Test
    @DisplayName("CAL-41: the limit counts each family by itself")
    void limitCountsEachFamilyByItself() {
        var world = World.with(pool("v4", "192.168.1.0/24"), pool("v6", V6));

        var assignment =
                world.assign(
                        world.request("node-a")
                                .ipv4(Ask.of(64))
                                .ipv6(Ask.of(256))
                                .withMaxBlocksPerHost(1));

        assertThat(assignment.share(Family.IPV4).orElseThrow().leases()).hasSize(64);
        assertThat(assignment.share(Family.IPV6).orElseThrow().leases()).hasSize(64);
    }

    @Test
    @DisplayName("CAL-42: with a limit of 256 blocks there are enough blocks of four")
    void limitOfTheRequestCountsIfNoneIsConfigured() {
        var world = World.with(pool("p", "192.168.1.0/24", 30));

        var assignment =
                world.assign(world.request("node-a").ipv4(Ask.of(256)).withMaxBlocksPerHost(256));

        assertThat(assignment.addresses()).hasSize(256);
    }

    @ParameterizedTest
    @CsvSource({"4, 2, 128", "2, 4, 128", "2, 0, 128", "0, 2, 128"})
    void smallerLimitCounts(int configured, int requested, int given) {
        var world =
                World.with(pool("p", "192.168.0.0/16"))
                        .config(
                                IpamConfig.DEFAULT
                                        .withStrictAffinity(true)
                                        .withMaxBlocksPerHost(configured));

        var assignment =
                world.assign(
                        world.request("node-a").ipv4(Ask.of(1000)).withMaxBlocksPerHost(requested));

        assertThat(assignment.addresses()).hasSize(given);
    }

    @Test
    @DisplayName("CAL-43: when nothing can be claimed, single addresses are borrowed")
    void singleAddressesAreBorrowed() {
        var world = World.with(pool("p", "10.0.0.0/25"));
        world.assign("host-a", 1);
        world.assign("host-b", 1);
        var blockOfB = world.affinities("host-b");

        var given = world.assign("host-a", 64);

        var ownerOfB = Owner.host("host-b");
        assertThat(given).hasSize(64);
        assertThat(given).filteredOn(text -> owner(world, text).equals(ownerOfB)).hasSize(1);
        assertThat(world.affinities("host-b")).isEqualTo(blockOfB).hasSize(1);
    }

    private static Owner owner(World world, String text) {
        return world.view().findBlockAround(address(text)).flatMap(Block::owner).orElseThrow();
    }

    @Test
    @DisplayName("CAL-44: with strict affinity nothing is borrowed")
    void strictAffinityForbidsBorrowing() {
        var world =
                World.with(pool("p1", "192.168.1.0/26"), pool("p2", "192.168.1.64/26"))
                        .config(IpamConfig.DEFAULT.withStrictAffinity(true));
        var first = List.of(prefix("192.168.1.0/26"));

        var assignment = world.assign(world.request("node-a").ipv4(Ask.of(256).from(first)));

        assertThat(assignment).isInstanceOf(Assignment.Done.class);
        assertThat(assignment.addresses()).hasSize(64);
        assertThat(assignment.shares().getFirst().messages())
                .containsExactly("No more free affine blocks and strict affinity enabled");
    }

    @Test
    @DisplayName("CAL-45: pools that were asked for serve in the order of the request")
    void requestedPoolsServeInOrder() {
        var world = World.with(pool("a", "10.1.0.0/24"), pool("b", "10.2.0.0/24"));
        var requested = List.of(prefix("10.2.0.0/24"), prefix("10.1.0.0/24"));

        var assignment = world.assign(world.request("node-a").ipv4(Ask.of(1).from(requested)));

        assertThat(prefix("10.2.0.0/24").contains(assignment.addresses().getFirst())).isTrue();
    }

    @Test
    @DisplayName("CAL-46: an IPv6 pool in the IPv4 list is refused, and the other way round")
    void mixedFamiliesAreRefused() {
        var world = World.with(pool("v4", "10.0.0.0/24"), pool("v6", V6));

        var v4 = world.assign(world.request("node-a").ipv4(Ask.of(1).from(List.of(prefix(V6)))));
        var v6 =
                world.assign(
                        world.request("node-a")
                                .ipv6(Ask.of(1).from(List.of(prefix("10.0.0.0/24")))));

        assertThat(refusal(v4))
                .isEqualTo("provided IPv4 IPPools list contains one or more IPv6 IPPools");
        assertThat(refusal(v6))
                .isEqualTo("provided IPv6 IPPools list contains one or more IPv4 IPPools");
    }

    private static String refusal(Assignment assignment) {
        assertThat(assignment.shares()).allSatisfy(s -> assertThat(s.leases()).isEmpty());
        return ((Assignment.Stopped) assignment).refusal().sentence();
    }

    @Test
    @DisplayName("CAL-47: without a use nothing is given")
    void useMustBeStated() {
        var world = World.with(pool("p", "10.0.0.0/24"));

        var decision =
                BlockEngine.assign(
                        world.view(),
                        AssignRequest.on("node-a", Use.UNSTATED, NOW).ipv4(Ask.of(1)));

        assertThat(refusal(decision.outcome()))
                .isEqualTo("must specify the intended use when assigning an IP");
        assertThat(decision.changes()).isEmpty();
    }

    @Test
    @DisplayName("CAL-48: a node that is not there gets nothing and nothing is written")
    void missingNodeGetsNothing() {
        var world = World.with(pool("p", "10.0.0.0/24"));

        var decision = BlockEngine.assign(world.view(), world.request("nobody").ipv4(Ask.of(1)));

        assertThat(refusal(decision.outcome()))
                .isEqualTo("resource does not exist: Node(nobody) with error: <nil>");
        assertThat(decision.changes()).isEmpty();
    }

    @Test
    void nothingAskedForIsNothingGiven() {
        var world = World.with(pool("p", "10.0.0.0/24"));

        assertThat(world.assign(world.request("node-a"))).isEqualTo(new Assignment.Done(List.of()));
        assertThatThrownBy(() -> Ask.of(-1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("cannot assign -1 addresses");
        assertThatThrownBy(() -> Claimant.of("a/b"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a handle must not contain a slash: 'a/b'");
    }

    @Test
    @DisplayName("CAL-49: blocks of a pool that was replaced are not used any more")
    void blocksOfARemovedPoolAreNotUsed() {
        var world = World.with(pool("old", "10.0.0.0/24"));
        world.assign("host-a", 1);
        world.pools(pool("new", "20.0.0.0/24"));

        var given =
                Stream.concat(
                                world.assign("host-a", 2).stream(),
                                world.assign("host-b", 2).stream())
                        .toList();

        assertThat(given).hasSize(4).allMatch(text -> text.startsWith("20.0.0."));
        assertThat(world.affinities("host-a")).contains("10.0.0.0/26 confirmed");
    }

    @Test
    @DisplayName("CAL-50: where a host begins depends on its name")
    void startDependsOnTheName() {
        var world = World.with(pool("p", "10.0.0.0/24"));

        assertThat(world.assign("host-a", 1)).containsExactly("10.0.0.0");
        assertThat(world.assign("host-b", 1)).containsExactly("10.0.0.128");
    }

    @Test
    @DisplayName("CAL-51: a host fills its block before it claims the next")
    void blockIsFilledBeforeTheNextIsClaimed() {
        var world = World.with(pool("p", "10.0.0.0/24"));

        var given = world.assign("node-a", 65);

        assertThat(given.subList(0, 64))
                .allMatch(text -> prefix("10.0.0.128/26").contains(address(text)));
        assertThat(given.getLast()).isEqualTo("10.0.0.192");
    }

    @ParameterizedTest
    @DisplayName("CAL-52: every block of a pool is claimed once")
    @CsvSource({
        "10.10.0.0/24, 26, 4",
        "10.10.0.0/16, 20, 16",
        "10.10.0.0/24, 32, 256",
        "fd80:24e2:f998:72d6::/120, 122, 4",
        "fd80:24e2:f998:72d6::/114, 116, 4",
        "fd80:24e2:f998:72d6::/120, 128, 256"
    })
    void everyBlockIsClaimedOnce(String cidr, int blockLength, int count) {
        var world = World.with(pool("p", cidr, blockLength));
        var family = prefix(cidr).family();
        int size = 1 << (family.bits() - blockLength);
        var ask = Ask.of(size);

        for (int block = 0; block < count; block++) {
            var request = world.request("node-a").withMaxBlocksPerHost(1000);
            world.assign(family == Family.IPV4 ? request.ipv4(ask) : request.ipv6(ask));
        }

        assertThat(world.view().blocks(family))
                .hasSize(count)
                .allMatch(block -> prefix(cidr).contains(block.cidr()) && block.freeCount() == 0);
    }

    @ParameterizedTest
    @DisplayName("CAL-53: an affine block that is all reserved is passed over")
    @CsvSource({"192.168.1.0/26, 192.168.1.0/26", "192.168.1.0/27, 192.168.1.32/27"})
    void reservedAffineBlockIsPassedOver(String one, String other) {
        var world = World.with(pool("p", "192.168.1.0/24"));
        for (var cidr : List.of("192.168.1.0/26", "192.168.1.64/26")) {
            world.enact(
                    BlockAffinities.claim(
                            world.view(),
                            new ClaimRequest(prefix(cidr), Owner.host("node-a"), world.now())));
        }
        world.reserve(one, other);

        var decision = BlockEngine.assign(world.view(), world.request("node-a").ipv4(Ask.of(1)));

        assertThat(decision.outcome().addresses()).containsExactly(address("192.168.1.64"));
        assertThat(decision.because())
                .contains(new PassedOver(prefix("192.168.1.0/26"), BlockRule.WHOLLY_RESERVED));
    }

    @Test
    void placesThatAreAllReservedAreNotClaimed() {
        var world = World.with(pool("p", "10.0.0.0/24")).reserve("10.0.0.128/26", "10.0.0.192/26");

        assertThat(world.assign("node-a", 1)).containsExactly("10.0.0.0");
    }

    @Test
    @DisplayName("CAL-55: without a handle there is no handle document")
    void noHandleNoDocument() {
        var world = World.with(pool("p", "10.0.0.0/24"));

        world.assign("node-a", 3);

        assertThat(world.view().handles()).isEmpty();
    }

    @Test
    @DisplayName("CAL-56: a handle counts what was given, not what was asked for")
    void handleCountsWhatWasGiven() {
        var world = World.with(pool("p", "10.0.0.0/24", 31));

        world.assign("node-a", 3, "h");

        assertThat(world.view().findHandle("h").orElseThrow().total(Family.IPV4)).isEqualTo(3);
    }

    @Test
    @DisplayName("CAL-57: without automatic blocks only claimed ones serve")
    void withoutAutomaticBlocksOnlyClaimedOnesServe() {
        var world =
                World.with(pool("p", "10.0.0.0/24"))
                        .config(
                                IpamConfig.DEFAULT
                                        .withStrictAffinity(true)
                                        .withAutoAllocateBlocks(false));

        var before = world.assign(world.request("node-a").ipv4(Ask.of(1)));
        world.enact(
                BlockAffinities.claim(
                        world.view(),
                        new ClaimRequest(
                                prefix("10.0.0.0/26"), Owner.host("node-a"), world.now())));
        var after = world.assign(world.request("node-a").ipv4(Ask.of(65)));

        assertThat(refusal(before)).isEqualTo("failed to find or claim a block");
        assertThat(after.addresses()).hasSize(64);
        assertThat(((Assignment.Stopped) after).refusal().sentence())
                .isEqualTo("failed to find or claim a block");
    }

    @Test
    @DisplayName("CAL-58: a shortfall says how much is missing and why")
    void shortfallSaysWhy() {
        var lease = new Lease(address("10.0.0.1"), prefix("10.0.0.0/26"));
        var none = new HostReserve.None();
        var windows = new HostReserve.Ends(3, 1, "w", "n");

        assertThat(share(1, none, List.of(lease)).shortfall()).isEmpty();
        assertThat(share(2, none, List.of(lease), "strict").shortfall())
                .contains("Assigned 1 out of 2 requested IPv4 addresses; strict");
        assertThat(share(2, none, List.of(), "a", "b", "a").shortfall())
                .contains("Assigned 0 out of 2 requested IPv4 addresses; a; b");
        assertThat(share(2, windows, List.of(), "a").shortfall())
                .contains("Assigned 0 out of 2 requested IPv4 addresses; a; HostReservedAttr: w");
    }

    private static Assignment.Share share(
            int requested, HostReserve reserve, List<Lease> leases, String... messages) {
        return new Assignment.Share(Family.IPV4, requested, reserve, leases, List.of(messages));
    }

    @Test
    @DisplayName("CAL-59: a host can ask for a block without an address")
    void blockCanBeEnsured() {
        var world = World.with(pool("p1", "10.1.0.0/24"), pool("v6", V6));
        var windows = new HostReserve.Ends(3, 1, Attribute.WINDOWS_HANDLE, "windows host rsvd");
        var v4 = new EnsureRequest("node-a", Ask.of(0).reserving(windows), Ask.NOTHING, NOW);
        var unknown =
                new EnsureRequest(
                        "node-a",
                        Ask.of(0).reserving(windows).from(List.of(prefix("10.7.0.0/24"))),
                        Ask.NOTHING,
                        NOW);
        var v6 =
                new EnsureRequest(
                        "node-a",
                        Ask.NOTHING,
                        Ask.of(0).reserving(windows).from(List.of(prefix(V6))),
                        NOW);

        var first = world.enact(BlockEngine.ensureBlock(world.view(), v4));
        var second = world.enact(BlockEngine.ensureBlock(world.view(), v4));
        var third = world.enact(BlockEngine.ensureBlock(world.view(), unknown));
        var fourth = world.enact(BlockEngine.ensureBlock(world.view(), v6));

        assertThat(first.blocks()).hasSize(1).allMatch(prefix("10.1.0.0/24")::contains);
        assertThat(second).isEqualTo(first);
        assertThat(((BlockEnsurance.Refused) third).refusal().sentence())
                .isEqualTo("the given pool (10.7.0.0/24) does not exist, or is not enabled");
        assertThat(fourth.blocks()).hasSize(1).allMatch(prefix(V6)::contains);
        assertThat(world.block(first.blocks().getFirst().toString()).freeCount()).isEqualTo(60);
    }

    @Test
    @DisplayName("CAL-60: affine blocks serve in order, then a new one is claimed, up to the limit")
    void affineBlocksServeInOrder() {
        var reserve = new HostReserve.Ends(2, 1, "r", "n");
        var world = World.with(pool("p", "10.0.0.0/24", 30));
        for (var cidr : List.of("10.0.0.0/30", "10.0.0.4/30")) {
            var owner = Owner.host("node-a");
            world.block(Block.fresh(prefix(cidr), owner, reserve, NOW));
            world.affinity(new Affinity(owner, prefix(cidr), Affinity.State.CONFIRMED));
        }
        var one = world.request("node-a").ipv4(Ask.of(1).reserving(reserve));

        var given =
                Stream.of(
                                world.assign(one),
                                world.assign(one),
                                world.assign(one),
                                world.assign(one.withMaxBlocksPerHost(3)))
                        .map(World::texts)
                        .toList();

        assertThat(given.get(0)).containsExactly("10.0.0.2");
        assertThat(given.get(1)).containsExactly("10.0.0.6");
        assertThat(given.get(2)).hasSize(1);
        assertThat(given.get(3)).isEmpty();
        assertThat(world.affinities("node-a")).hasSize(3);
    }

    @Test
    void firstAddressIsWrittenInTheLegalOrder() {
        var world = World.with(pool("p", "10.9.0.0/24", 30));
        var request =
                world.request("node-a")
                        .ipv4(Ask.of(1))
                        .by(Claimant.of("k8s-pod-network.c0ffee", labels("pod", "web-0")));

        var decision = BlockEngine.assign(world.view(), request);

        var cidr = prefix("10.9.0.232/30");
        assertThat(decision.changes())
                .extracting(Object::getClass)
                .containsExactly(
                        PutAffinity.class,
                        CreateBlock.class,
                        PutAffinity.class,
                        PutHandle.class,
                        UpdateBlock.class);
        assertThat(decision.outcome().shares().getFirst().leases())
                .extracting(Lease::toString)
                .containsExactly("10.9.0.232/30");
        var last = (UpdateBlock) decision.changes().getLast();
        assertThat(last.after().sequence()).isEqualTo(last.seen().sequence() + 1);
        assertThat(last.after().sequenceOf(0)).isEqualTo(last.seen().sequence());
        assertThat(decision.because()).contains(new Claimed(cidr, "p", cidr, BigInteger.ZERO));
    }

    @Test
    void grantAndReturnAreReadOffTheBlocks() {
        var world = World.with(pool("p", "10.9.0.0/24", 30));

        var decision =
                BlockEngine.assign(
                        world.view(), world.request("node-a").ipv4(Ask.of(1)).by(Claimant.of("h")));

        var granted = decision.changes().stream().flatMap(c -> c.granted().stream()).toList();
        assertThat(granted)
                .extracting(holding -> holding.level() + " " + holding.holder())
                .containsExactly("NODE host:node-a", "ENDPOINT handle/h");
        assertThat(decision.changes()).flatExtracting(BlockChange::returned).isEmpty();
    }

    @Test
    void emptyBlockOfAnotherIsReclaimedAfterAMinute() {
        var world = World.with(pool("p", "10.0.0.0/26"));
        world.assign("node-b", 1, "h");
        world.releaseByHandle("h");
        world.config(IpamConfig.DEFAULT.withStrictAffinity(true));

        var tooSoon = world.later(Duration.ofSeconds(58)).assign("node-a", 1);
        world.later(Duration.ofSeconds(3));
        var decision = BlockEngine.assign(world.view(), world.request("node-a").ipv4(Ask.of(1)));
        world.enact(decision);

        assertThat(tooSoon).isEmpty();
        assertThat(decision.outcome().addresses()).containsExactly(address("10.0.0.0"));
        assertThat(decision.because())
                .contains(new Reclaimed(prefix("10.0.0.0/26"), "host:node-b"));
        assertThat(world.affinities("node-b")).isEmpty();
        assertThat(world.affinities("node-a")).containsExactly("10.0.0.0/26 confirmed");
    }

    @Test
    void emptyBlockOfNobodyIsReclaimed() {
        var world =
                World.with(pool("p", "10.0.0.0/26"))
                        .config(IpamConfig.DEFAULT.withStrictAffinity(true));
        world.block(
                Block.stored(prefix("10.0.0.0/26"))
                        .unallocated(java.util.stream.IntStream.range(0, 64).toArray())
                        .build());

        assertThat(world.assign("node-a", 1)).containsExactly("10.0.0.0");
    }

    @Test
    void blockThatAnOwnerForgotIsFoundAgain() {
        var world = World.with(pool("p", "10.0.0.0/24"));
        var owner = Owner.host("node-a");
        world.block(Block.fresh(prefix("10.0.0.192/26"), owner, new HostReserve.None(), NOW));
        world.block(
                Block.fresh(prefix("10.0.0.128/26"), Owner.host("b"), new HostReserve.None(), NOW));

        assertThat(world.assign("node-a", 1)).containsExactly("10.0.0.192");
        assertThat(world.affinities("node-a")).containsExactly("10.0.0.192/26 confirmed");
    }

    @Test
    void damagedBlockIsPassedOver() {
        var world = World.with(pool("p", "10.0.0.0/25"));
        var owner = Owner.host("node-a");
        var cidr = prefix("10.0.0.0/26");
        world.look(
                world.view()
                        .knowing(new Affinity(owner, cidr, Affinity.State.CONFIRMED))
                        .knowing(
                                Block.stored(cidr)
                                        .owner(owner)
                                        .allocations(5)
                                        .unallocated(0, 1)
                                        .build()));

        var decision = BlockEngine.assign(world.view(), world.request("node-a").ipv4(Ask.of(1)));

        assertThat(decision.outcome().addresses()).containsExactly(address("10.0.0.64"));
        assertThat(decision.because()).contains(new PassedOver(cidr, BlockRule.DAMAGED));
    }

    @Test
    void blockOfAnotherLengthIsNotOverlapped() {
        var world = World.with(pool("p", "10.0.0.0/24"));
        world.block(
                Block.fresh(prefix("10.0.0.128/25"), Owner.host("b"), new HostReserve.None(), NOW));

        assertThat(world.assign("node-a", 1)).containsExactly("10.0.0.0");
    }

    @Test
    void handleThatMayHaveOneGetsItAgain() {
        var world = World.with(pool("p", "10.0.0.0/24"));
        var request =
                world.request("node-a").ipv4(Ask.of(1)).by(Claimant.of("vm")).withMaxPerHandle(1);
        var first = world.assign(request);

        var decision = BlockEngine.assign(world.view(), request);

        assertThat(decision.outcome().addresses()).isEqualTo(first.addresses());
        assertThat(decision.outcome().shares().getFirst().leases())
                .extracting(Lease::toString)
                .containsExactly("10.0.0.128/32");
        assertThat(decision.changes()).isEmpty();
    }

    @Test
    void handleThatCountsTooManyIsMendedBeforeItIsRefused() {
        var world = World.with(pool("p", "10.0.0.0/24"));
        world.assign("node-a", 1, "other");
        world.handle(Handle.empty("vm").withCount(prefix("10.0.0.128/26"), 1));

        var given =
                world.assign(
                        world.request("node-a")
                                .ipv4(Ask.of(1))
                                .by(Claimant.of("vm"))
                                .withMaxPerHandle(1));

        assertThat(World.texts(given)).containsExactly("10.0.0.129");
        assertThat(world.view().findHandle("vm").orElseThrow().total(Family.IPV4)).isEqualTo(1);
    }

    @Test
    void capIsRefusedInCalicosWords() {
        var world = World.with(pool("p", "10.0.0.0/24"));
        world.assign("node-a", 1, "vm");

        var assignment =
                world.assign(
                        world.request("node-a")
                                .ipv4(Ask.of(2))
                                .by(Claimant.of("vm"))
                                .withMaxPerHandle(1));

        assertThat(refusal(assignment))
                .isEqualTo(
                        "handle vm has 1 IPs allocated but requires 2 (concurrent operation in"
                                + " progress)");
    }

    @Test
    void requestThatWasServedWithoutAnAnswerIsServedOnce() {
        var world = World.with(pool("p", "10.0.0.0/24"));
        var request = world.request("node-a").ipv4(Ask.of(2)).by(Claimant.of("h"));
        var lost = BlockEngine.assign(world.view(), request);
        world.enact(lost);

        var again = BlockEngine.assign(world.view(), request.after(List.of(lost)));

        assertThat(again.outcome()).isEqualTo(lost.outcome());
        assertThat(again.changes()).isEmpty();
    }

    @Test
    void requestThatWasNotServedCountsItsHandleOnce() {
        var world = World.with(pool("p", "10.0.0.0/24"));
        var request = world.request("node-a").ipv4(Ask.of(2)).by(Claimant.of("h"));
        var lost = BlockEngine.assign(world.view(), request);
        world.enactFirst(4, lost);

        var again = world.assign(request.after(List.of(lost)));

        assertThat(again.addresses()).hasSize(2);
        assertThat(world.view().findHandle("h").orElseThrow().total(Family.IPV4)).isEqualTo(2);
    }

    @Test
    void nextFreeBlockIsFoundAmongManyFullOnes() {
        var world = World.with(pool("a", "10.0.0.0/16"), pool("b", "10.1.0.0/16"));
        var view = world.view();
        var full = new java.util.ArrayList<Block>();
        for (Prefix cidr : BlockGenerator.of("other", prefix("10.0.0.0/16"), 26, NOW)) {
            full.add(
                    Block.fresh(cidr, Owner.host("other"), new HostReserve.None(), NOW)
                            .take(64, Claimant.NOBODY, Reservations.NONE)
                            .after());
        }
        world.look(view.knowingBlocks(Family.IPV4, full));

        var decision = BlockEngine.assign(world.view(), world.request("node-a").ipv4(Ask.of(1)));

        assertThat(full).hasSize(1024);
        assertThat(prefix("10.1.0.0/16").contains(decision.outcome().addresses().getFirst()))
                .isTrue();
    }

    @Test
    void handleIsWrittenWithTheBlockEvenIfAnEarlierAttemptCountedEnough() {
        var world = World.with(pool("p", "10.0.0.0/24"));
        var request = world.request("node-a").ipv4(Ask.of(1)).by(Claimant.of("h"));
        var lost = BlockEngine.assign(world.view(), request);
        int untilCounted = lost.changes().size() - 1;
        world.enactFirst(untilCounted, lost);

        var again = BlockEngine.assign(world.view(), request.after(List.of(lost)));

        var counted = world.view().findHandle("h").orElseThrow();
        assertThat(again.changes()).contains(new BlockChange.PutHandle(counted));
    }

    @ParameterizedTest
    @CsvSource({"3, 3, 0", "4, 0, 1", "40, 0, 1"})
    void fewFullBlocksAreNamedAndOfManyItIsSaidHowManyThereAre(int full, int named, int counted) {
        var world = World.with(pool("p", "192.168.0.0/16", 30));
        world.assign(world.request("node-a").ipv4(Ask.of(4 * full)).withMaxBlocksPerHost(100));

        var decision =
                BlockEngine.assign(
                        world.view(),
                        world.request("node-a").ipv4(Ask.of(1)).withMaxBlocksPerHost(100));

        assertThat(decision.outcome().addresses()).hasSize(1);
        assertThat(decision.because())
                .filteredOn(BlockReason.PassedOver.class::isInstance)
                .hasSize(named);
        assertThat(decision.because())
                .filteredOn(BlockReason.PassedOverFull.class::isInstance)
                .hasSize(counted)
                .allSatisfy(
                        reason ->
                                assertThat(reason.sentence())
                                        .isEqualTo(
                                                "passed over %d blocks of host:node-a: they are full"
                                                        .formatted(full)));
    }
}
