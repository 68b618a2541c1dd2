package io.cadastre.engine.pool.subnet;

import static io.cadastre.engine.pool.subnet.SubnetWorld.claim;
import static io.cadastre.engine.pool.subnet.SubnetWorld.deployment;
import static io.cadastre.engine.pool.subnet.SubnetWorld.keeping;
import static io.cadastre.engine.pool.subnet.SubnetWorld.ranges;
import static io.cadastre.engine.pool.subnet.SubnetWorld.subnet;
import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Address;
import io.cadastre.engine.pool.PodRoute;
import io.cadastre.engine.pool.subnet.PoolSubnet.Counts;
import io.cadastre.engine.pool.subnet.PoolSubnet.Labelling;
import io.cadastre.engine.pool.subnet.PoolSubnet.Life;
import io.cadastre.engine.pool.subnet.SubnetOutcome.Reclaimed;
import io.cadastre.engine.pool.subnet.SubnetOutcome.Rest;
import io.cadastre.engine.pool.subnet.SubnetOutcome.Tended;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What a subnet notes of its pools, and how pools go.
class TendTest {

    private static final String UID = "5e303735-f184-4ced-873c-a5bd3f00c0de";
    private static final String POOL = "auto4-web-eth0-a5bd3";

    private final SubnetWorld world = SubnetWorld.of(subnet("s", "10.6.0.0/16", "10.6.168.101-10.6.168.110"));

    @Test
    @DisplayName("C24: pools of the same prefix are adopted, and inherit gateway and routes")
    void c24OrphansAreAdopted() {
        var route = new PodRoute("10.7.0.0/16", "10.6.0.2");
        world.put(new PoolSubnet(
                "s",
                subnet("s", "10.6.0.0/16").subnet(),
                ranges("10.6.168.101-10.6.168.110"),
                Optional.of(Address.parse("10.6.0.1")),
                List.of(route),
                Life.LIVE,
                Labelling.UNLABELLED,
                Counts.WRONG,
                new TreeMap<>(),
                ""));
        world.pool("p", "10.6.0.0/16", "10.6.168.108-10.6.168.109").pool("q", "10.7.0.0/16", "10.7.0.1");

        world.tend("s");

        var pool = world.foundPool("p");
        assertThat(pool.subnet()).isEqualTo("s");
        assertThat(pool.pool().spec().gateway()).contains(Address.parse("10.6.0.1"));
        assertThat(pool.pool().spec().routes()).containsExactly(route);
        assertThat(world.foundPool("q").subnet()).isEmpty();
        assertThat(world.preAllocated("s", "p")).isEqualTo(ranges("10.6.168.108-10.6.168.109"));
        var tended = world.foundSubnet("s");
        assertThat(tended.labelling()).isEqualTo(Labelling.LABELLED);
        assertThat(tended.counts()).isEqualTo(Counts.RIGHT);
    }

    @Test
    void whatPoolsHaveIsNotedBeforeFurtherPoolsAreTaken() {
        world.put(world.foundSubnet("s").withPreAllocation("ghost", new PreAllocation(ranges("10.6.168.101"))));
        world.pool("p", "10.6.0.0/16", "10.6.168.108").pool("q", "10.6.0.0/16", "10.6.200.1");

        var tended = world.tendOnce("s");

        assertThat(world.foundSubnet("s").preAllocations()).isEmpty();
        assertThat(tended).isEqualTo(new Tended(Rest.NOTHING, List.of("p", "q")));
        assertThat(world.foundPool("p").subnet()).isEmpty();
    }

    @Test
    void poolOfAnApplicationThatNoSubnetControlsIsNotedBeforeItIsTaken() {
        world.claim(claim("s", deployment("web"), UID, 3));
        world.put(world.foundSubnet("s").withPreAllocations(new TreeMap<>()));
        world.put(world.foundPool(POOL).controlledBy(""));

        world.tendOnce("s");

        assertThat(world.foundPool(POOL).subnet()).isEmpty();
        assertThat(world.preAllocated("s", POOL)).isEqualTo(world.addresses(POOL));
        world.tend("s");
        assertThat(world.foundPool(POOL).subnet()).isEqualTo("s");
    }

    @Test
    @DisplayName("C26: an entry of a pool made by hand that does not exist disappears")
    void c26UnknownEntryDisappears() {
        world.put(world.foundSubnet("s").withPreAllocation("ghost", new PreAllocation(ranges("10.6.168.101"))));

        world.tend("s");

        assertThat(world.foundSubnet("s").preAllocations()).isEmpty();
    }

    @Test
    void promiseToAnApplicationStaysWhileEitherExists() {
        world.living(deployment("web"), UID).interrupted(claim("s", deployment("web"), UID, 3), 1);

        world.tend("s");
        assertThat(world.allocated("s")).isEqualTo(3);

        world.gone(deployment("web"));
        world.tend("s");
        assertThat(world.allocated("s")).isZero();
    }

    @Test
    void promiseToAnEarlierApplicationOfTheNameIsDropped() {
        world.interrupted(claim("s", deployment("web"), UID, 3), 1);

        world.living(deployment("web"), "5e303735-f184-4ced-873c-bbbbbb00c0de");
        world.tend("s");

        assertThat(world.allocated("s")).isZero();
    }

    @Test
    void entryThatNamesNoApplicationIsDropped() {
        world.put(world.foundSubnet("s").withPreAllocation("x", new PreAllocation(ranges("10.6.168.101"), "a_b_c")));

        world.tend("s");

        assertThat(world.foundSubnet("s").preAllocations()).isEmpty();
    }

    @Test
    void statusThatWasLostIsWrittenAgainFromThePools() {
        world.claim(claim("s", deployment("web"), UID, 3));
        world.put(world.foundSubnet("s").withPreAllocations(new TreeMap<>()));

        world.tend("s");

        assertThat(world.preAllocated("s", POOL)).isEqualTo(ranges("10.6.168.101-10.6.168.103"));
        assertThat(world.entry("s", POOL).application()).isEqualTo("apps_v1_Deployment_default_web");
    }

    @Test
    @DisplayName("C90: the pool of a deleted application goes with its last address, and the subnet has all back")
    void c90PoolGoesWithItsLastAddress() {
        world.claim(claim("s", deployment("web"), UID, 3));
        world.held(POOL, "10.6.168.101");

        assertThat(world.reclaim(deployment("web"), UID)).isEqualTo(new Reclaimed(List.of(POOL)));
        world.tend("s");
        assertThat(world.foundPool(POOL).pool().terminating()).isTrue();
        assertThat(world.allocated("s")).isEqualTo(3);

        // The agent removes the pool with the last release.
        var pools = new TreeMap<>(world.view().pools());
        pools.remove(POOL);
        var after = SubnetWorld.of(world.foundSubnet("s"));
        pools.values().forEach(after::put);
        after.tend("s");
        assertThat(after.foundSubnet("s").preAllocations()).isEmpty();
    }

    @Test
    void poolThatIsKeptStaysWhenItsApplicationGoes() {
        world.claim(keeping(claim("s", deployment("web"), UID, 3)));

        assertThat(world.reclaim(deployment("web"), UID)).isEqualTo(new Reclaimed(List.of()));
        assertThat(world.reclaimUnused(POOL)).isEqualTo(new Reclaimed(List.of()));
        world.tend("s");

        assertThat(world.allocated("s")).isEqualTo(3);
    }

    @Test
    void unusedPoolOfAnEarlierApplicationIsReclaimed() {
        world.claim(claim("s", deployment("web"), UID, 3));

        world.living(deployment("web"), UID);
        assertThat(world.reclaimUnused(POOL)).isEqualTo(new Reclaimed(List.of()));
        world.living(deployment("web"), "another");
        world.held(POOL, "10.6.168.101");
        assertThat(world.reclaimUnused(POOL)).isEqualTo(new Reclaimed(List.of()));
        world.held(POOL);
        assertThat(world.reclaimUnused(POOL)).isEqualTo(new Reclaimed(List.of(POOL)));
    }

    @Test
    void applicationOfAKindThatCannotBeLookedForKeepsItsPool() {
        world.claim(claim("s", deployment("web"), UID, 3));

        var seen = world.view().withApplication(deployment("web"), new ApplicationState.Unknown());

        assertThat(SubnetEngine.reclaimUnused(seen, POOL).changes()).isEmpty();
    }

    @Test
    void subnetThatIsDeletedGoesAfterItsPools() {
        world.pool("p", "10.6.0.0/16", "10.6.168.108");
        world.claim(claim("s", deployment("web"), UID, 3));
        world.tend("s");
        world.held("p", "10.6.168.108");
        world.put(world.foundSubnet("s").terminated());

        world.tend("s");
        assertThat(world.view().pools()).containsOnlyKeys("p");
        assertThat(world.foundPool("p").pool().terminating()).isTrue();
        assertThat(world.foundSubnet("s").preAllocations()).containsOnlyKeys("p");

        var alone = SubnetWorld.of(world.foundSubnet("s"));
        alone.tend("s");
        assertThat(alone.view().subnets()).isEmpty();
    }

    /// Applications come, grow, shrink and go, pods take and give back, and processes stop between any two writes. The
    /// map is checked after each change; at the end nothing is left.
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    @DisplayName(
            "C102: the pre-allocations of a subnet are disjoint and inside it after each change, and all goes back")
    void c102PreAllocationsAreDisjointAfterEachChange(long seed) {
        var dice = new SplittableRandom(seed);
        var uids = new int[5];
        world.reserving("10.6.168.104");
        world.pool("manual", "10.6.0.0/16", "10.6.168.109");
        for (int step = 0; step < 1500; step++) {
            int number = dice.nextInt(uids.length);
            var application = deployment("app" + number);
            var uid = "0-%d%d".formatted(number, uids[number]);
            switch (dice.nextInt(6)) {
                case 0, 1 -> {
                    world.living(application, uid);
                    world.interrupted(claim("s", application, uid, dice.nextInt(5)), dice.nextInt(4));
                }
                case 2 -> hold(dice);
                case 3 -> {
                    world.gone(application);
                    world.reclaim(application, uid);
                    uids[number]++;
                }
                case 4 ->
                    world.view().pools().keySet().stream()
                            .skip(dice.nextInt(world.view().pools().size()))
                            .findFirst()
                            .ifPresent(world::reclaimUnused);
                default -> world.tend("s");
            }
        }

        for (var pool : List.copyOf(world.view().pools().keySet())) {
            world.held(pool);
        }
        for (int number = 0; number < uids.length; number++) {
            world.gone(deployment("app" + number));
        }
        for (var pool : List.copyOf(world.view().pools().keySet())) {
            dropLeaving(pool);
            world.reclaimUnused(pool);
        }
        world.tend("s");
        assertThat(world.view().pools()).as("seed %d", seed).containsOnlyKeys("manual");
        assertThat(world.foundSubnet("s").preAllocations()).as("seed %d", seed).containsOnlyKeys("manual");
    }

    /// Pods have any part of a pool. A pool that is leaving goes when they have nothing.
    private void hold(SplittableRandom dice) {
        var names = new ArrayList<>(world.view().pools().keySet());
        var name = names.get(dice.nextInt(names.size()));
        var held = world.addresses(name)
                .addresses()
                .filter(_ -> dice.nextBoolean())
                .map(Address::toString)
                .toArray(String[]::new);
        world.held(name, held);
        dropLeaving(name);
    }

    private void dropLeaving(String name) {
        var pool = world.foundPool(name).pool();
        if (pool.terminating() && pool.records().isEmpty()) {
            world.written(
                    _ -> new io.cadastre.engine.Decision<>(
                            new Reclaimed(List.of(name)), List.of(new SubnetChange.DeletePool(name)), List.of()),
                    1);
        }
    }
}
