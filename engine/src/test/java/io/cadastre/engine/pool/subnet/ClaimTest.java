package io.cadastre.engine.pool.subnet;

import static io.cadastre.engine.pool.subnet.SubnetWorld.claim;
import static io.cadastre.engine.pool.subnet.SubnetWorld.deployment;
import static io.cadastre.engine.pool.subnet.SubnetWorld.keeping;
import static io.cadastre.engine.pool.subnet.SubnetWorld.ranges;
import static io.cadastre.engine.pool.subnet.SubnetWorld.subnet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cadastre.address.Family;
import io.cadastre.engine.pool.subnet.SubnetOutcome.Ready;
import io.cadastre.engine.pool.subnet.SubnetOutcome.Refused;
import io.cadastre.engine.pool.subnet.SubnetRefusal.Retry;
import java.math.BigInteger;
import java.util.OptionalLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The pool of an application: made, grown, shrunk, inherited.
class ClaimTest {

    private static final String UID = "5e303735-f184-4ced-873c-a5bd3f00c0de";
    private static final String LATER_UID = "5e303735-f184-4ced-873c-bbbbbb00c0de";
    private static final String POOL = "auto4-web-eth0-a5bd3";

    private final SubnetWorld world = SubnetWorld.of(subnet("s", "10.6.0.0/16", "10.6.168.101-10.6.168.110"));

    @Test
    @DisplayName("C85: a pool of the lowest addresses, named for the application, its interface and its uid")
    void c85PoolHasTheLowestAddresses() {
        var outcome = world.claim(claim("s", deployment("web"), UID, 3));

        assertThat(outcome).isEqualTo(new Ready(POOL, ranges("10.6.168.101-10.6.168.103")));
        var pool = world.foundPool(POOL);
        assertThat(pool.subnet()).isEqualTo("s");
        assertThat(pool.pool().spec().affinity().pods().orElseThrow().matchLabels())
                .containsEntry("ipam.spidernet.io/app-api-group", "apps")
                .containsEntry("ipam.spidernet.io/app-api-version", "v1")
                .containsEntry("ipam.spidernet.io/app-kind", "Deployment")
                .containsEntry("ipam.spidernet.io/app-namespace", "default")
                .containsEntry("ipam.spidernet.io/app-name", "web")
                .hasSize(5);
        assertThat(world.allocated("s")).isEqualTo(3);
        assertThat(world.entry("s", POOL).application()).isEqualTo("apps_v1_Deployment_default_web");
    }

    @Test
    @DisplayName("C86: a pool grows by the lowest free addresses, past those that others have or that are reserved")
    void c86PoolGrows() {
        world.claim(claim("s", deployment("web"), UID, 3));
        world.claim(claim("s", deployment("shop"), LATER_UID, 1));
        world.reserving("10.6.168.105");

        world.claim(claim("s", deployment("web"), UID, 5));

        assertThat(world.addresses(POOL)).isEqualTo(ranges("10.6.168.101-10.6.168.103", "10.6.168.106-10.6.168.107"));
        assertThat(world.preAllocated("s", POOL)).isEqualTo(world.addresses(POOL));
    }

    @Test
    @DisplayName("C87: what is asked for already is not written again")
    void c87SameNumberChangesNothing() {
        world.claim(claim("s", deployment("web"), UID, 5));

        var decision = SubnetEngine.claim(world.view(), claim("s", deployment("web"), UID, 5));

        assertThat(decision.changes()).isEmpty();
        assertThat(decision.because()).contains(new SubnetReason.Suited(POOL));
    }

    @Test
    void shrinkingDropsTheLowestThatNoPodHas() {
        world.claim(claim("s", deployment("web"), UID, 5));
        world.held(POOL, "10.6.168.101", "10.6.168.104");

        world.claim(claim("s", deployment("web"), UID, 3));

        assertThat(world.addresses(POOL)).isEqualTo(ranges("10.6.168.101", "10.6.168.104-10.6.168.105"));
        assertThat(world.preAllocated("s", POOL)).isEqualTo(world.addresses(POOL));
    }

    @Test
    void poolWhosePodsHaveTooMuchShrinksLater() {
        world.claim(claim("s", deployment("web"), UID, 4));
        world.held(POOL, "10.6.168.101", "10.6.168.102", "10.6.168.104");

        var outcome = world.claim(claim("s", deployment("web"), UID, 2));

        assertThat(outcome).isEqualTo(new Refused(new SubnetRefusal.CannotShrink(POOL)));
        assertThat(((Refused) outcome).refusal().retry()).isEqualTo(Retry.SOON);
        assertThat(((Refused) outcome).refusal().sentence())
                .isEqualTo("failed to scale down IPPool " + POOL + " IPs: IPPool available free IPs are not enough");
        assertThat(world.addresses(POOL)).isEqualTo(ranges("10.6.168.101-10.6.168.104"));
    }

    @Test
    @DisplayName("C93: too few free addresses make no pool")
    void c93TooFewFreeAddresses() {
        world.claim(claim("s", deployment("big"), LATER_UID, 8));

        var outcome = world.claim(claim("s", deployment("web"), UID, 3));

        assertThat(outcome)
                .isEqualTo(new Refused(new SubnetRefusal.Insufficient(BigInteger.valueOf(3), BigInteger.TWO)));
        assertThat(((Refused) outcome).refusal().sentence())
                .isEqualTo("insufficient subnet FreeIPs, required '3' but only left '2'");
        assertThat(world.view().pools()).doesNotContainKey(POOL);
        assertThat(world.allocated("s")).isEqualTo(8);
    }

    @Test
    @DisplayName("C88: a pool that is kept serves the next application of its name, whose uid it takes")
    void c88KeptPoolIsInherited() {
        world.claim(keeping(claim("s", deployment("web"), UID, 3)));
        world.reclaim(deployment("web"), UID);

        var outcome = world.claim(keeping(claim("s", deployment("web"), LATER_UID, 4)));

        assertThat(outcome).isEqualTo(new Ready(POOL, ranges("10.6.168.101-10.6.168.104")));
        assertThat(world.foundPool(POOL).purpose().orElseThrow().uid()).isEqualTo(LATER_UID);
    }

    @Test
    @DisplayName("C89: an application of another kind gets a pool of its own")
    void c89OtherKindIsAnotherApplication() {
        world.claim(keeping(claim("s", deployment("web"), UID, 3)));

        var outcome = world.claim(
                keeping(claim("s", new OwnerApplication("apps/v1", "StatefulSet", "default", "web"), LATER_UID, 2)));

        assertThat(outcome).isEqualTo(new Ready("auto4-web-eth0-bbbbb", ranges("10.6.168.104-10.6.168.105")));
    }

    @Test
    void poolOfAnEarlierApplicationThatIsReclaimedIsPassedOver() {
        world.claim(claim("s", deployment("web"), UID, 3));

        var decision = SubnetEngine.claim(world.view(), claim("s", deployment("web"), LATER_UID, 3));

        assertThat(decision.outcome())
                .isEqualTo(new Ready("auto4-web-eth0-bbbbb", ranges("10.6.168.104-10.6.168.106")));
        assertThat(decision.because()).contains(new SubnetReason.LeftToReclaim(POOL, UID));
    }

    @Test
    void preAllocationOfAnInterruptedClaimIsUsed() {
        world.interrupted(claim("s", deployment("web"), UID, 3), 1);
        world.claim(claim("s", deployment("shop"), LATER_UID, 2));

        var outcome = world.claim(claim("s", deployment("web"), UID, 3));

        assertThat(outcome).isEqualTo(new Ready(POOL, ranges("10.6.168.101-10.6.168.103")));
    }

    @Test
    void addressTakenDuringAnInterruptedShrinkingStaysWithThePool() {
        world.claim(claim("s", deployment("web"), UID, 4));
        world.interrupted(claim("s", deployment("web"), UID, 2), 1);
        world.held(POOL, "10.6.168.101");
        world.claim(claim("s", deployment("shop"), LATER_UID, 2));

        var decision = SubnetEngine.claim(world.view(), claim("s", deployment("web"), UID, 2));
        world.claim(claim("s", deployment("web"), UID, 2));

        assertThat(decision.because()).contains(new SubnetReason.Repaired(POOL));
        assertThat(world.addresses(POOL).size()).isEqualTo(2);
        assertThat(world.addresses(POOL).contains(io.cadastre.address.Address.parse("10.6.168.101")))
                .isTrue();
        assertThat(world.addresses("auto4-shop-eth0-bbbbb")).isEqualTo(ranges("10.6.168.105-10.6.168.106"));
    }

    @Test
    void subnetThatIsMissingLeavingOrOfTheOtherFamilyIsRefusedByName() {
        world.put(subnet("t", "10.7.0.0/16", "10.7.0.1").terminated());
        world.put(subnet("six", "fd00::/64", "fd00::1-fd00::9"));

        assertThat(refusal("nowhere").sentence())
                .contains("SpiderSubnet nowhere")
                .contains("not found");
        assertThat(refusal("nowhere").retry()).isEqualTo(Retry.LATER);
        assertThat(refusal("t")).isEqualTo(new SubnetRefusal.Terminating("t"));
        assertThat(refusal("t").retry()).isEqualTo(Retry.WITH_OTHER_INPUT);
        assertThat(refusal("six")).isEqualTo(new SubnetRefusal.OtherFamily("six", Family.IPV4));
    }

    private SubnetRefusal refusal(String subnet) {
        return ((Refused) world.claim(claim(subnet, deployment("web"), UID, 1))).refusal();
    }

    @Test
    void subnetOfALiveApplicationCannotChange() {
        world.put(subnet("t", "10.7.0.0/16", "10.7.0.1-10.7.0.9"));
        world.claim(claim("s", deployment("web"), UID, 3));

        assertThat(refusal("t")).isEqualTo(new SubnetRefusal.NameTaken(POOL));
        assertThat(world.allocated("t")).isZero();
    }

    @Test
    void subnetThatWasCreatedAnewWithAnotherPrefixIsRefused() {
        world.claim(claim("s", deployment("web"), UID, 3));
        world.put(subnet("s", "10.7.0.0/16", "10.7.0.1-10.7.0.9"));

        assertThat(refusal("s")).isInstanceOf(SubnetRefusal.SubnetChanged.class);
    }

    @Test
    void nameThatNoLabelCanHaveIsRefused() {
        var outcome = world.claim(claim("s", deployment("w".repeat(64)), UID, 1));

        assertThat(outcome).isEqualTo(new Refused(new SubnetRefusal.NameTooLong(deployment("w".repeat(64)), 64)));
    }

    @Test
    void hugeSubnetIsNeverEnumerated() {
        world.put(subnet("six", "fd00::/16", "fd00::10-fd00:ffff:ffff:ffff:ffff:ffff:ffff:ffff"));

        var outcome = world.claim(new SubnetClaim(
                "six",
                deployment("web"),
                UID,
                "eth0",
                Family.IPV6,
                Integer.MAX_VALUE,
                "2147483647",
                ReclaimPolicy.RECLAIM));

        assertThat(outcome).isEqualTo(new Ready("auto6-web-eth0-a5bd3", ranges("fd00::10-fd00::8000:e")));
    }

    @ParameterizedTest
    @CsvSource({"5, 2, 0, 5", "+1, 2, 0, 3", "5+3, 2, 0, 5", "+0, 3, 9, 3", "0, 7, 0, 0"})
    void numberIsFixedOrFollowsTheReplicas(String text, long replicas, int redundancy, long count) {
        assertThat(AddressNumber.parse(text).count(replicas, redundancy)).isEqualTo(count);
    }

    @Test
    void numberThatIsNotWrittenIsThatOfTheCluster() {
        assertThat(new AddressNumber.Unset().count(2, 3)).isEqualTo(5);
        assertThat(new AddressNumber.Unset().text(3)).isEqualTo("+3");
    }

    @ParameterizedTest
    @CsvSource({"a, invalid input 'a'", "++5, invalid input '++5'", "-1, value must equal or greater than 0"})
    void numberThatIsNoneIsAnError(String text, String words) {
        assertThatThrownBy(() -> AddressNumber.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(words);
    }

    @Test
    @DisplayName("C91: a Job counts its completions, else its parallelism, and one at least")
    void c91ReplicasOfAJob() {
        assertThat(ReplicaCount.ofJob(OptionalLong.of(4), OptionalLong.of(2))).isEqualTo(4);
        assertThat(ReplicaCount.ofJob(OptionalLong.empty(), OptionalLong.of(2))).isEqualTo(2);
        assertThat(ReplicaCount.ofJob(OptionalLong.empty(), OptionalLong.empty()))
                .isEqualTo(1);
        assertThat(ReplicaCount.ofJob(OptionalLong.empty(), OptionalLong.of(0))).isEqualTo(1);
        assertThat(ReplicaCount.of(OptionalLong.empty())).isZero();
    }

    @Test
    void longNameOfAnApplicationIsCut() {
        var name = AutoPoolName.of(Family.IPV6, "W".repeat(300), "net1", UID);

        assertThat(name).hasSize(253).startsWith("auto6-www").endsWith("w-net1-a5bd3");
    }

    @Test
    @DisplayName("SG-16 to SG-19: the text of an application")
    void sg16TextOfAnApplication() {
        assertThat(OwnerApplication.parse("apps_v1_Deployment_default_web")).contains(deployment("web"));
        assertThat(OwnerApplication.parse("v1_Pod_default_web"))
                .contains(new OwnerApplication("v1", "Pod", "default", "web"));
        assertThat(OwnerApplication.parse("a_b_c")).isEmpty();
        assertThat(OwnerApplication.parse("a_b_c_d_e_f")).isEmpty();
        assertThat(deployment("web").text()).isEqualTo("apps_v1_Deployment_default_web");
        assertThat(new OwnerApplication("v1", "Pod", "default", "web").text()).isEqualTo("v1_Pod_default_web");
    }
}
