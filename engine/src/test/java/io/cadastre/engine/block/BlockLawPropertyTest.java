package io.cadastre.engine.block;

import static io.cadastre.engine.block.Fixtures.address;
import static io.cadastre.engine.block.Fixtures.labels;
import static io.cadastre.engine.block.Fixtures.prefix;
import static io.cadastre.engine.block.World.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Address;
import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.engine.Decision;
import io.cadastre.engine.Survey;
import io.cadastre.engine.Unread;
import io.cadastre.engine.block.AssignRequest.Ask;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;

/// Whatever is asked, and wherever whoever decides dies, what must be true stays true, and in the end
/// everything can be taken back.
class BlockLawPropertyTest {

    private static final int SEEDS = 250;
    private static final int STEPS = 40;

    private static final List<String> HOSTS = List.of("node-a", "node-b", "host-a", "host-b");
    private static final List<String> POOLS = List.of("10.0.0.0/28", "10.0.1.0/27", "fd00::/124");

    private final List<String> log = new ArrayList<>();

    @Test
    void everyStoppingPointIsLegalAndEverythingComesBack() {
        for (int seed = 0; seed < SEEDS; seed++) {
            log.clear();
            var random = new Random(seed);
            var world = world(random);
            try {
                for (int step = 0; step < STEPS; step++) {
                    world.later(Duration.ofSeconds(random.nextInt(90)));
                    step(world, random);
                }
                takeEverythingBack(world);
            } catch (AssertionError | RuntimeException failure) {
                throw new AssertionError(
                        "seed %d%n%s".formatted(seed, String.join("\n", log)), failure);
            }
        }
    }

    private static World world(Random random) {
        var world =
                World.with(
                        pool("p", POOLS.get(0), 30).withNodeSelector("!has(far)"),
                        pool("q", POOLS.get(1), 29 + random.nextInt(4)),
                        pool("v6", POOLS.get(2), 126));
        if (random.nextInt(3) == 0) {
            world.reserve("10.0.0.4/30", "10.0.1.3/32");
        }
        return world;
    }

    private void step(World world, Random random) {
        var host = HOSTS.get(random.nextInt(HOSTS.size()));
        switch (random.nextInt(14)) {
            case 0, 1, 2, 3, 4 -> assign(world, random, host);
            case 5, 6 ->
                    enact(
                            world,
                            random,
                            BlockEngine.assignAddress(
                                    world.view(),
                                    AssignAddressRequest.of(
                                                    anyAddress(random),
                                                    host,
                                                    claimant(random),
                                                    world.now())
                                            .withMaxPerHandle(random.nextInt(3))));
            case 7, 8 ->
                    enact(
                            world,
                            random,
                            BlockReleases.releaseByHandle(
                                    world.view(), handle(random), world.now()));
            case 9 -> release(world, random);
            case 10 ->
                    enact(
                            world,
                            random,
                            BlockAffinities.releaseHost(
                                    world.view(),
                                    Owner.host(host),
                                    random.nextBoolean()
                                            ? Emptiness.REQUIRED
                                            : Emptiness.NOT_REQUIRED,
                                    world.now()));
            case 11 ->
                    enact(
                            world,
                            random,
                            random.nextBoolean()
                                    ? BlockAffinities.releasePool(
                                            world.view(), anyPool(random), world.now())
                                    : BlockAffinities.claim(
                                            world.view(),
                                            new ClaimRequest(
                                                    Prefix.containing(
                                                            address("10.0.0." + random.nextInt(16)),
                                                            29),
                                                    Owner.host(host),
                                                    world.now())));
            case 12 ->
                    enact(world, random, BlockSettings.configure(world.view(), anyConfig(random)));
            default -> {
                if (random.nextBoolean()) {
                    world.node(host, "far", "");
                } else {
                    world.node(host);
                }
                log.add("relabel " + host);
            }
        }
    }

    private void assign(World world, Random random, String host) {
        var request =
                AssignRequest.on(host, Use.WORKLOAD, world.now())
                        .by(claimant(random))
                        .ipv4(Ask.of(random.nextInt(12)))
                        .ipv6(Ask.of(random.nextInt(3)))
                        .withMaxBlocksPerHost(random.nextInt(4))
                        .withMaxPerHandle(random.nextInt(3) == 0 ? 1 + random.nextInt(4) : 0);
        var decision = BlockEngine.assign(world.view(), request);
        assertThat(BlockSurvey.ofAssignment(world.view(), request, decision)).isEmpty();
        enact(world, random, decision);
    }

    /// Applies a decision, now and then only the first part of it.
    private void enact(World world, Random random, Decision<BlockChange, ?> decision) {
        decision.changes().forEach(change -> log.add(change.sentence()));
        log.add("=> " + decision.outcome());
        int size = decision.changes().size();
        if (size > 0 && random.nextInt(3) == 0) {
            int stop = random.nextInt(size + 1);
            log.add("died after %d of %d".formatted(stop, size));
            world.enactFirst(stop, decision);
        } else {
            world.enact(decision);
        }
        assertThat(Survey.of(BlockHoldings.of(world.view()))).isEmpty();
    }

    private void release(World world, Random random) {
        var options = new ArrayList<ReleaseOption>();
        for (int index = 0; index <= random.nextInt(4); index++) {
            var option = ReleaseOption.of(anyAddress(random).toString());
            if (random.nextInt(3) == 0) {
                option = option.withHandle(handle(random));
            }
            options.add(option);
        }
        var stale = ReleaseOption.of(options.getFirst().address()).withSequence(1);
        var refused = BlockReleases.release(world.view(), List.of(stale), world.now());
        assertThat(refused.changes()).as("a release with an old number").isEmpty();
        enact(world, random, BlockReleases.release(world.view(), options, world.now()));
    }

    private static Claimant claimant(Random random) {
        return random.nextInt(5) == 0
                ? Claimant.NOBODY
                : Claimant.of(handle(random), labels("t", "" + random.nextInt(2)));
    }

    private static String handle(Random random) {
        return "h" + random.nextInt(6);
    }

    private static Address anyAddress(Random random) {
        var cidr = anyPool(random);
        return cidr.first().plus(random.nextInt(cidr.size().intValueExact()));
    }

    private static Prefix anyPool(Random random) {
        return prefix(POOLS.get(random.nextInt(POOLS.size())));
    }

    private static IpamConfig anyConfig(Random random) {
        return new IpamConfig(
                random.nextBoolean(),
                random.nextInt(4) > 0,
                random.nextInt(3),
                IpamConfig.Persistence.UNSET,
                random.nextInt(3) * 30);
    }

    /// Whatever was left half done, the holders give back, the hosts go, and nothing is left.
    private static void takeEverythingBack(World world) {
        world.config(IpamConfig.DEFAULT);
        for (var handle : world.view().handles()) {
            world.releaseByHandle(handle.id());
        }
        for (var family : Family.values()) {
            for (var block : world.view().blocks(family)) {
                for (int ordinal = 0; ordinal < block.size(); ordinal++) {
                    world.release(ReleaseOption.of(block.address(ordinal).toString()));
                }
            }
        }
        for (var host : HOSTS) {
            world.enact(
                    BlockAffinities.releaseHost(
                            world.view(), Owner.host(host), Emptiness.REQUIRED, world.now()));
        }
        for (var family : Family.values()) {
            for (var block : world.view().blocks(family)) {
                world.enact(BlockCollector.thaw(world.view(), block.cidr(), world.now()));
            }
        }
        assertThat(world.view().handles()).isEmpty();
        assertThat(world.view().affinities()).isEmpty();
        for (var family : Family.values()) {
            assertThat(world.view().blocks(family))
                    .allMatch(block -> block.empty() && block.freeCount() == block.size());
        }
    }

    @Test
    void decisionOnAViewThatReadsOnDemandIsLegalToo() {
        for (int seed = 0; seed < SEEDS; seed++) {
            log.clear();
            var random = new Random(seed);
            var world = world(random);
            for (int step = 0; step < STEPS; step++) {
                step(world, random);
            }
            var request =
                    AssignRequest.on("node-a", Use.WORKLOAD, world.now())
                            .by(Claimant.of("late"))
                            .ipv4(Ask.of(3));

            var decision = decideOnDemand(world, request);
            var everything = BlockEngine.assign(world.view(), request);
            world.enact(decision);

            assertThat(decision.outcome().addresses())
                    .as("seed %d", seed)
                    .hasSameSizeAs(everything.outcome().addresses());
        }
    }

    /// Decides on what has been read, reads what is lacking, and decides again; a block that is created
    /// although it is there is read as well.
    private static Decision<BlockChange, Assignment> decideOnDemand(
            World world, AssignRequest request) {
        var known = KnownBlocks.unread();
        var lacks = new TreeSet<String>();
        while (true) {
            try {
                var decision = BlockEngine.assign(known, request);
                var unseen = conflict(world, decision);
                if (unseen.isEmpty()) {
                    return decision;
                }
                for (var cidr : unseen) {
                    known = known.knowing(world.block(cidr.toString()));
                }
            } catch (Unread unread) {
                assertThat(lacks.add(unread.getMessage())).as(unread.getMessage()).isTrue();
                known = read(known, world.view(), (BlockLack) unread.lack());
            }
        }
    }

    private static List<Prefix> conflict(World world, Decision<BlockChange, Assignment> decision) {
        var dropped = new TreeSet<Prefix>();
        var conflicts = new ArrayList<Prefix>();
        for (var change : decision.changes()) {
            if (change instanceof BlockChange.DropBlock drop) {
                dropped.add(drop.seen().cidr());
            }
            if (change instanceof BlockChange.CreateBlock create
                    && !dropped.contains(create.after().cidr())
                    && world.view().findBlock(create.after().cidr()).isPresent()) {
                conflicts.add(create.after().cidr());
            }
        }
        return conflicts;
    }

    private static KnownBlocks read(KnownBlocks known, KnownBlocks all, BlockLack lack) {
        return switch (lack) {
            case BlockLack.OfConfig _ -> known.knowing(all.config());
            case BlockLack.OfPools _ -> known.knowingPools(all.pools());
            case BlockLack.OfReservations _ -> known.knowing(all.reservations());
            case BlockLack.OfNode(var name) ->
                    all.findNode(name)
                            .map(known::knowing)
                            .orElseGet(() -> known.knowingNoNode(name));
            case BlockLack.OfAffinities(var owner, var family) ->
                    known.knowingAffinities(owner, family, all.affinitiesOf(owner, family));
            case BlockLack.OfAffinity(var owner, var cidr) ->
                    all.findAffinity(owner, cidr)
                            .map(known::knowing)
                            .orElseGet(() -> known.knowingNoAffinity(owner, cidr));
            case BlockLack.OfAllAffinities _ -> known.knowingAllAffinities(all.affinities());
            case BlockLack.OfBlock(var cidr) ->
                    all.findBlock(cidr)
                            .map(known::knowing)
                            .orElseGet(() -> known.knowingNoBlock(cidr));
            case BlockLack.OfAllBlocks(var family) ->
                    known.knowingBlocks(family, all.blocks(family));
            case BlockLack.OfHandle(var id) ->
                    all.findHandle(id)
                            .map(known::knowing)
                            .orElseGet(() -> known.knowingNoHandle(id));
            case BlockLack.OfAllHandles _ -> known.knowingAllHandles(all.handles());
            case BlockLack.OfHostRecord(var host) ->
                    all.hasHostRecord(host)
                            ? known.knowingHostRecord(host)
                            : known.knowingNoHostRecord(host);
        };
    }
}
