package io.cadastre.engine.block;

import static io.cadastre.engine.block.BlockCluster.pool;
import static io.cadastre.engine.block.Fixtures.address;
import static io.cadastre.engine.block.Fixtures.labels;
import static io.cadastre.engine.block.Fixtures.prefix;
import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Address;
import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.engine.Decision;
import io.cadastre.engine.Missing;
import io.cadastre.engine.NotReadException;
import io.cadastre.engine.Survey;
import io.cadastre.engine.block.assign.AssignAddressRequest;
import io.cadastre.engine.block.assign.AssignRequest;
import io.cadastre.engine.block.assign.AssignRequest.Ask;
import io.cadastre.engine.block.assign.Assignment;
import io.cadastre.engine.block.assign.ClaimRequest;
import io.cadastre.engine.block.assign.Requester;
import io.cadastre.engine.block.index.BlockSnapshot;
import io.cadastre.engine.block.release.ReleaseCondition;
import io.cadastre.engine.block.release.ReleaseOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/// Whatever is asked, and wherever a process dies, what must be true stays true, and in the end
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
            var cluster = cluster(random);
            try {
                for (int step = 0; step < STEPS; step++) {
                    cluster.later(Duration.ofSeconds(random.nextInt(90)));
                    step(cluster, random);
                }
                takeEverythingBack(cluster);
            } catch (AssertionError | RuntimeException failure) {
                throw new AssertionError("seed %d%n%s".formatted(seed, String.join("\n", log)), failure);
            }
        }
    }

    private static BlockCluster cluster(Random random) {
        var cluster = BlockCluster.with(
                pool("p", POOLS.get(0), 30).withNodeSelector("!has(far)"),
                pool("q", POOLS.get(1), 29 + random.nextInt(4)),
                pool("v6", POOLS.get(2), 126));
        if (random.nextInt(3) == 0) {
            cluster.reserve("10.0.0.4/30", "10.0.1.3/32");
        }
        return cluster;
    }

    private void step(BlockCluster cluster, Random random) {
        var host = HOSTS.get(random.nextInt(HOSTS.size()));
        switch (random.nextInt(14)) {
            case 0, 1, 2, 3, 4 -> assign(cluster, random, host);
            case 5, 6 ->
                enact(
                        cluster,
                        random,
                        BlockEngine.assignAddress(
                                cluster.view(),
                                AssignAddressRequest.of(anyAddress(random), host, requester(random), cluster.now())
                                        .withMaxPerHandle(random.nextInt(3))));
            case 7, 8 ->
                enact(
                        cluster,
                        random,
                        BlockEngine.releaseByHandle(cluster.view(), handle(random), Attempts.first(cluster.now())));
            case 9 -> release(cluster, random);
            case 10 ->
                enact(
                        cluster,
                        random,
                        BlockEngine.releaseHost(
                                cluster.view(),
                                Owner.host(host),
                                random.nextBoolean() ? ReleaseCondition.REQUIRED : ReleaseCondition.NOT_REQUIRED,
                                Attempts.first(cluster.now())));
            case 11 ->
                enact(
                        cluster,
                        random,
                        random.nextBoolean()
                                ? BlockEngine.releasePool(
                                        cluster.view(), anyPool(random), Attempts.first(cluster.now()))
                                : BlockEngine.claimAffinity(
                                        cluster.view(),
                                        new ClaimRequest(
                                                Prefix.containing(address("10.0.0." + random.nextInt(16)), 29),
                                                Owner.host(host),
                                                cluster.now())));
            case 12 -> enact(cluster, random, BlockSettings.configure(cluster.view(), anyConfig(random)));
            default -> {
                if (random.nextBoolean()) {
                    cluster.node(host, "far", "");
                } else {
                    cluster.node(host);
                }
                log.add("relabel " + host);
            }
        }
    }

    private void assign(BlockCluster cluster, Random random, String host) {
        var request = AssignRequest.on(host, AddressUse.WORKLOAD, cluster.now())
                .by(requester(random))
                .ipv4(Ask.of(random.nextInt(12)))
                .ipv6(Ask.of(random.nextInt(3)))
                .withMaxBlocksPerHost(random.nextInt(4))
                .withMaxPerHandle(random.nextInt(3) == 0 ? 1 + random.nextInt(4) : 0);
        var decision = BlockEngine.assign(cluster.view(), request);
        assertThat(BlockSurvey.ofAssignment(cluster.view(), request, decision)).isEmpty();
        enact(cluster, random, decision);
    }

    /// Applies a decision, now and then only the first part of it.
    private void enact(BlockCluster cluster, Random random, Decision<BlockChange, ?> decision) {
        decision.changes().forEach(change -> log.add(change.sentence()));
        log.add("=> " + decision.outcome());
        int size = decision.changes().size();
        if (size > 0 && random.nextInt(3) == 0) {
            int stop = random.nextInt(size + 1);
            log.add("died after %d of %d".formatted(stop, size));
            cluster.enactFirst(stop, decision);
        } else {
            cluster.enact(decision);
        }
        assertThat(Survey.of(BlockHoldings.of(cluster.view()))).isEmpty();
    }

    private void release(BlockCluster cluster, Random random) {
        var options = new ArrayList<ReleaseOption>();
        for (int index = 0; index <= random.nextInt(4); index++) {
            var option = ReleaseOption.of(anyAddress(random).toString());
            if (random.nextInt(3) == 0) {
                option = option.withHandle(handle(random));
            }
            options.add(option);
        }
        var stale = ReleaseOption.of(options.getFirst().address()).withSequence(1);
        var refused = BlockEngine.release(cluster.view(), List.of(stale), Attempts.first(cluster.now()));
        assertThat(refused.changes()).as("a release with an old number").isEmpty();
        enact(cluster, random, BlockEngine.release(cluster.view(), options, Attempts.first(cluster.now())));
    }

    private static Requester requester(Random random) {
        return random.nextInt(5) == 0
                ? Requester.ANONYMOUS
                : Requester.of(handle(random), labels("t", "" + random.nextInt(2)));
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
    private static void takeEverythingBack(BlockCluster cluster) {
        cluster.config(IpamConfig.DEFAULT);
        for (var handle : cluster.view().handles()) {
            cluster.releaseByHandle(handle.id());
        }
        for (var family : Family.values()) {
            for (var block : cluster.view().blocks(family)) {
                for (int ordinal = 0; ordinal < block.size(); ordinal++) {
                    cluster.release(ReleaseOption.of(block.address(ordinal).toString()));
                }
            }
        }
        for (var host : HOSTS) {
            cluster.enact(BlockEngine.releaseHost(
                    cluster.view(), Owner.host(host), ReleaseCondition.REQUIRED, Attempts.first(cluster.now())));
        }
        for (var family : Family.values()) {
            for (var block : cluster.view().blocks(family)) {
                cluster.enact(BlockEngine.thaw(cluster.view(), block.cidr(), cluster.now()));
            }
        }
        assertThat(cluster.view().handles()).isEmpty();
        assertThat(cluster.view().affinities()).isEmpty();
        for (var family : Family.values()) {
            assertThat(cluster.view().blocks(family))
                    .allMatch(block -> block.empty() && block.freeCount() == block.size());
        }
    }

    @Test
    void decisionOnAViewThatReadsOnDemandIsLegalToo() {
        for (int seed = 0; seed < SEEDS; seed++) {
            log.clear();
            var random = new Random(seed);
            var cluster = cluster(random);
            for (int step = 0; step < STEPS; step++) {
                step(cluster, random);
            }
            var request = AssignRequest.on("node-a", AddressUse.WORKLOAD, cluster.now())
                    .by(Requester.of("late"))
                    .ipv4(Ask.of(3));

            var decision = decideOnDemand(cluster, request);
            var everything = BlockEngine.assign(cluster.view(), request);
            cluster.enact(decision);

            assertThat(decision.outcome().addresses())
                    .as("seed %d", seed)
                    .hasSameSizeAs(everything.outcome().addresses());
        }
    }

    /// Decides on what has been read, reads what is lacking, and decides again; a block that is created
    /// although it is there is read as well.
    private static Decision<BlockChange, Assignment> decideOnDemand(BlockCluster cluster, AssignRequest request) {
        var known = BlockSnapshot.notRead();
        var allMissing = new TreeSet<String>();
        while (true) {
            try {
                var decision = BlockEngine.assign(known, request);
                var unseen = conflict(cluster, decision);
                if (unseen.isEmpty()) {
                    return decision;
                }
                for (var cidr : unseen) {
                    known = known.with(new BlockItem.OfBlock(cidr), cluster.block(cidr.toString()));
                }
            } catch (NotReadException notRead) {
                assertThat(allMissing.add(notRead.getMessage()))
                        .as(notRead.getMessage())
                        .isTrue();
                known = read(known, cluster.view(), notRead.missing());
            }
        }
    }

    private static List<Prefix> conflict(BlockCluster cluster, Decision<BlockChange, Assignment> decision) {
        var dropped = new TreeSet<Prefix>();
        var conflicts = new ArrayList<Prefix>();
        for (var change : decision.changes()) {
            if (change instanceof BlockChange.DropBlock drop) {
                dropped.add(drop.seen().cidr());
            }
            if (change instanceof BlockChange.CreateBlock create
                    && !dropped.contains(create.after().cidr())
                    && cluster.view().findBlock(create.after().cidr()).isPresent()) {
                conflicts.add(create.after().cidr());
            }
        }
        return conflicts;
    }

    private static BlockSnapshot read(BlockSnapshot known, BlockSnapshot all, Missing missing) {
        return switch (missing) {
            case BlockItem.OfConfig item -> known.with(item, all.config());
            case BlockItem.OfNode item -> read(known, item, all.findNode(item.name()));
            case BlockItem.OfAffinity item -> read(known, item, all.findAffinity(item.owner(), item.cidr()));
            case BlockItem.OfBlock item -> read(known, item, all.findBlock(item.cidr()));
            case BlockItem.OfHandle item -> read(known, item, all.findHandle(item.id()));
            case BlockItem.OfHostRecord item ->
                read(known, item, all.hasHostRecord(item.host()) ? Optional.of(item) : Optional.empty());
            case BlockListing.OfPools listing -> readAll(known, listing, BlockItem::of, all.pools());
            case BlockListing.OfReservations listing ->
                known.withNone(listing).with(new BlockItem.OfReservation("all"), all.reservations());
            case BlockListing.OfAffinities listing ->
                readAll(known, listing, BlockItem::of, all.affinitiesOf(listing.owner(), listing.family()));
            case BlockListing.OfAllAffinities listing -> readAll(known, listing, BlockItem::of, all.affinities());
            case BlockListing.OfBlocks listing -> readAll(known, listing, BlockItem::of, all.blocks(listing.family()));
            case BlockListing.OfHandles listing -> readAll(known, listing, BlockItem::of, all.handles());
            default -> throw new AssertionError(missing.sentence());
        };
    }

    private static <V> BlockSnapshot read(BlockSnapshot known, BlockItem<V> item, Optional<V> found) {
        return found.isPresent() ? known.with(item, found.get()) : known.without(item);
    }

    private static <V> BlockSnapshot readAll(
            BlockSnapshot known, BlockListing listing, Function<V, BlockItem<V>> item, List<V> found) {
        var more = known.withNone(listing);
        for (var value : found) {
            more = more.with(item.apply(value), value);
        }
        return more;
    }
}
