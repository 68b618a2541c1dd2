package io.cadastre.engine.pool;

import static io.cadastre.engine.pool.PoolBuilder.aPool;
import static io.cadastre.engine.pool.RequestBuilder.aPod;
import static io.cadastre.engine.pool.RequestBuilder.item;
import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Address;
import io.cadastre.engine.pool.PoolAllocation.Allocated;
import io.cadastre.engine.pool.PoolReleaseRequest.PodState;
import io.cadastre.engine.pool.keep.Succession;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Many pods come and go. The map is surveyed after each change of each decision.
class PoolPropertiesTest {

    private static final int STEPS = 2000;
    private static final int PODS = 24;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void recordsAndEndpointsTellTheSame(long seed) {
        var dice = new SplittableRandom(seed);
        var cluster = PoolCluster.of(
                        aPool("a", "10.1.0.0/24", "10.1.0.8-10.1.0.15", "10.1.0.1-10.1.0.4")
                                .excluding("10.1.0.10-10.1.0.11"),
                        aPool("b", "10.2.0.0/24", "10.2.0.1-10.2.0.6"),
                        aPool("c", "fd00::/64", "fd00::1-fd00::9"))
                .reserving("10.1.0.2", "10.2.0.3");
        var uids = new int[PODS];

        for (int step = 0; step < STEPS; step++) {
            int pod = dice.nextInt(PODS);
            var key = new PodKey("default", "pod-" + pod);
            var uid = pod + "-" + uids[pod];
            switch (dice.nextInt(5)) {
                case 0, 1, 2 -> allocate(cluster, dice, aPod(key.name(), uid));
                case 3 -> {
                    cluster.release(key, "eth0", uid, new PodState.Gone());
                    uids[pod]++;
                }
                default -> cluster.forceRelease(key, uid);
            }

            assertThat(recorded(cluster)).as("seed %d, step %d", seed, step).isEqualTo(told(cluster));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void recordsAndEndpointsOfPodsThatHaveSuccessorsTellTheSame(long seed) {
        var dice = new SplittableRandom(seed);
        var cluster = PoolCluster.of(
                aPool("a", "10.1.0.0/24", "10.1.0.1-10.1.0.12"),
                aPool("b", "10.2.0.0/24", "10.2.0.1-10.2.0.6"),
                aPool("c", "fd00::/64", "fd00::1-fd00::9"));
        var uids = new int[PODS];

        for (int step = 0; step < STEPS; step++) {
            int pod = dice.nextInt(PODS);
            var succession = pod % 2 == 0 ? new Succession.SameName() : new Succession.SameMachine("vm-" + pod);
            var uid = pod + "-" + uids[pod];
            var asker = wanting(dice, aPod("pod-" + pod, uid)).leaving(succession);
            var holder = asker.request().pod().holder();
            switch (dice.nextInt(6)) {
                case 0, 1, 2 -> cluster.allocate(asker.forNic(dice.nextInt(3) == 0 ? "net1" : "eth0"));
                case 3 -> {
                    cluster.releaseToSuccessor(holder, "eth0", uid, new PodState.Leaving(uid));
                    uids[pod]++;
                }
                case 4 -> cluster.release(holder, "eth0", uid, new PodState.Gone());
                default -> cluster.forceRelease(holder, uid);
            }

            assertThat(recorded(cluster)).as("seed %d, step %d", seed, step).isEqualTo(told(cluster));
        }
    }

    private static RequestBuilder wanting(SplittableRandom dice, RequestBuilder asker) {
        return switch (dice.nextInt(4)) {
            case 0 -> asker.wanting("a", "b");
            case 1 -> asker.wanting(new PoolNames(List.of("b"), List.of("c")));
            case 2 -> asker.wantingEach(item("eth0", "a"), item("net1", "b"));
            default -> asker.wantingEach(item("", "b"), item("", "a"));
        };
    }

    private static void allocate(PoolCluster cluster, SplittableRandom dice, RequestBuilder asker) {
        var preference =
                switch (dice.nextInt(3)) {
                    case 0 -> asker.wanting("a", "b");
                    case 1 -> asker.wanting(new PoolNames(List.of("b"), List.of("c")));
                    default -> asker.wantingEach(item("eth0", "a"), item("net1", "b"));
                };
        var slow = slowChoice(cluster, preference);

        var decision = cluster.allocate(preference);

        slow.ifPresent(expected -> assertThat(
                        ((Allocated) decision.outcome()).nics().getFirst().ipv4())
                .map(NicAddress::address)
                .contains(expected));
    }

    /// What a pod of one interface must get that has nothing: found by looking at one address after the
    /// other.
    private static Optional<Address> slowChoice(PoolCluster cluster, RequestBuilder asker) {
        var preference = asker.request().preferences().pod();
        boolean plain = preference instanceof PoolPreference.Single(var names)
                && names.ipv6().isEmpty()
                && !cluster.hasEndpoint("default", asker.request().pod().key().name());
        if (!plain) {
            return Optional.empty();
        }
        return IntStream.concat(IntStream.range(0, 12), IntStream.range(20, 26))
                .mapToObj(PoolPropertiesTest::candidate)
                .filter(address -> !barred(cluster, address))
                .findFirst();
    }

    private static Address candidate(int number) {
        if (number >= 20) {
            return Address.parse("10.2.0." + (number - 19));
        }
        return Address.parse("10.1.0." + (number < 8 ? number + 8 : number - 7));
    }

    private static boolean barred(PoolCluster cluster, Address address) {
        return List.of("10.1.0.10", "10.1.0.11", "10.1.0.2", "10.2.0.3").contains(address.toString())
                || cluster.pool("a").records().containsKey(address)
                || cluster.pool("b").records().containsKey(address);
    }

    private static List<String> recorded(PoolCluster cluster) {
        return cluster.view().allPools().stream()
                .flatMap(pool -> pool.records().entrySet().stream())
                .map(record -> record.getKey() + " " + record.getValue())
                .sorted()
                .toList();
    }

    private static List<String> told(PoolCluster cluster) {
        return cluster.view().knownEndpoints().stream()
                .flatMap(endpoint -> endpoint.nics().stream()
                        .flatMap(nic -> nic.addresses().stream())
                        .map(taken -> taken.address() + " " + PoolRecord.of(endpoint.key(), endpoint.uid())))
                .sorted()
                .toList();
    }
}
