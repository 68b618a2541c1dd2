package io.cadastre.engine.demand;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.cadastre.address.Family;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DemandTest {

    private static final Instant NOW = Instant.parse("2026-11-19T20:00:00Z");
    private static final List<Family> BOTH = List.of(Family.IPV4, Family.IPV6);

    @ParameterizedTest
    @CsvSource({
        "0,8,8",
        "1,8,16",
        "8,8,16",
        "9,8,24",
        "16,8,24",
        "17,8,32",
        "0,16,16",
        "15,16,32",
        "17,16,48",
        "5,1,6",
        "3,0,3",
        "31,8,40"
    })
    void withPoolsTheNeedGoesUpInSteps(long base, long step, long needed) {
        assertThat(Demand.stepped(base, step)).isEqualTo(needed);
    }

    @Test
    void theSlowTwinOfTheStepsCountsThem() {
        for (int step = 1; step <= 20; step++) {
            for (int base = 0; base <= 200; base++) {
                int multiple = 0;
                while (multiple < base) {
                    multiple += step;
                }

                assertThat(Demand.stepped(base, step))
                        .as("%d by %d", base, step)
                        .isEqualTo(multiple + step);
            }
        }
    }

    @Test
    void onACloudTheNeedIsWhatIsUsedAndSomeMore() {
        assertThat(Demand.linear(7, 8)).isEqualTo(15);
        assertThatIllegalArgumentException().isThrownBy(() -> Demand.linear(-1, 8));
    }

    private static PoolNeeds needs(PendingPods pending, PoolUse... uses) {
        return new PoolNeeds(List.of(Family.IPV4), PreAllocations.of("default"), List.of(uses), pending);
    }

    @Test
    void ci40AFreshNodeNeedsEightAndSixteenOnceRouterAndHealthAreInUse() {
        assertThat(needs(PendingPods.none()).at(NOW)).containsExactly(new PoolNeed("default", 8, 0));
        assertThat(needs(PendingPods.none(), new PoolUse("default", 2, 0)).at(NOW))
                .containsExactly(new PoolNeed("default", 16, 0));
    }

    @Test
    void ci41APodThatWaitsForAPoolOfWhichTheNodeHasNothingIsCounted() {
        var pending = PendingPods.none().with("mars", Family.IPV4, "ns/p", NOW);

        assertThat(needs(pending).at(NOW)).containsExactly(new PoolNeed("default", 8, 0), new PoolNeed("mars", 1, 0));
    }

    @Test
    void ci42WithoutThePodNothingOfThePoolIsNeeded() {
        var pending = PendingPods.none().with("mars", Family.IPV4, "ns/p", NOW);

        assertThat(needs(pending.without("mars", Family.IPV4, "ns/p")).at(NOW))
                .containsExactly(new PoolNeed("default", 8, 0));
        assertThat(needs(pending).at(NOW.plus(PendingPods.COUNTED))).containsExactly(new PoolNeed("default", 8, 0));
    }

    @Test
    void aPodThatAsksAgainCountsOnceAndLonger() {
        var later = NOW.plusSeconds(200);
        var pending = PendingPods.none()
                .with("mars", Family.IPV4, "ns/p", NOW)
                .with("mars", Family.IPV4, "ns/p", later)
                .with("mars", Family.IPV6, "ns/p", NOW);

        assertThat(pending.count("mars", Family.IPV4)).isEqualTo(1);
        assertThat(pending.at(NOW.plusSeconds(301)).count("mars", Family.IPV4)).isEqualTo(1);
        assertThat(pending.at(NOW.plusSeconds(301)).count("mars", Family.IPV6)).isZero();
    }

    @Test
    void ofTooManyWaitingPodsTheOldestCountsNoMore() {
        var pending = PendingPods.none();
        for (int pod = 0; pod <= PendingPods.WAITING_MAX; pod++) {
            pending = pending.with("mars", Family.IPV4, "ns/p" + pod, NOW.plusSeconds(pod % 7));
        }

        assertThat(pending.waiting()).hasSize(PendingPods.WAITING_MAX);
        assertThat(pending.waiting()).noneMatch(one -> one.owner().equals("ns/p0"));
    }

    @Test
    void ofAFamilyThatTheNodeLacksNothingIsNeeded() {
        var both = new PoolNeeds(
                BOTH, PreAllocations.parse("a=4,b=0", "default"), List.of(new PoolUse("c", 1, 3)), PendingPods.none());

        assertThat(both.at(NOW)).containsExactly(new PoolNeed("a", 4, 4), new PoolNeed("c", 1, 3));
        assertThat(needs(PendingPods.none(), new PoolUse("c", 0, 3)).at(NOW))
                .containsExactly(new PoolNeed("default", 8, 0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "=3", "a=", "a=-1", "a=x", "a=1,a=2", "a=1,"})
    void preAllocationsThatCannotBeReadAreNamed(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> PreAllocations.parse(text, "default"));
    }

    @Test
    void preAllocationsReplaceTheDefaultWholly() {
        assertThat(PreAllocations.parse(" ", "d").count("d")).isEqualTo(8);
        assertThat(PreAllocations.parse("a=4, b=16", "d").byPool())
                .containsOnlyKeys("a", "b")
                .containsEntry("b", 16);
    }
}
