package io.cadastre.engine.demand;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Prefix;
import io.cadastre.engine.demand.CidrRelease.CidrReason.Needed;
import io.cadastre.engine.demand.CidrRelease.CidrStep.GiveUp;
import io.cadastre.engine.demand.CidrRelease.CidrStep.Reclaim;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CidrReleaseTest {

    private static NodeCidr cidr(int block, long used) {
        return new NodeCidr(Prefix.parse("10.0.0.%d/28".formatted(block * 16)), 14, used);
    }

    private static List<NodeCidr> cidrs(NodeCidr... cidrs) {
        return Arrays.asList(cidrs);
    }

    @Test
    void theLastCidrWithoutAPodGoesFirst() {
        var decision = CidrRelease.decide(cidrs(cidr(0, 2), cidr(1, 0), cidr(2, 0)), List.of(), 16);

        assertThat(decision.changes()).containsExactly(new GiveUp(cidr(2, 0).cidr()));
        assertThat(decision.outcome().cidrs()).containsExactly(cidr(1, 0), cidr(0, 2));
        assertThat(decision.because()).contains(new Needed(cidr(1, 0).cidr(), 12, 14));
    }

    @Test
    void ci42WhatIsNotNeededAtAllGoesWholly() {
        var decision = CidrRelease.decide(cidrs(cidr(0, 0), cidr(1, 0)), List.of(), 0);

        assertThat(decision.outcome().cidrs()).isEmpty();
        assertThat(decision.changes()).hasSize(2);
    }

    @Test
    void aCidrWithAPodStays() {
        var decision = CidrRelease.decide(cidrs(cidr(0, 1), cidr(1, 1)), List.of(), 0);

        assertThat(decision.changes()).isEmpty();
    }

    @Test
    void theNextWalkBeginsAtTheOtherEnd() {
        var held = cidrs(cidr(0, 1), cidr(1, 1), cidr(2, 1));

        var first = CidrRelease.decide(held, List.of(), 0).outcome().cidrs();

        assertThat(first).isEqualTo(held.reversed());
        assertThat(CidrRelease.decide(first, List.of(), 0).outcome().cidrs()).isEqualTo(held);
    }

    @Test
    void withTooLittleRoomTheLowestOfThoseGivenUpIsTakenBack() {
        var decision = CidrRelease.decide(cidrs(cidr(0, 10)), cidrs(cidr(3, 0), cidr(2, 0)), 24);

        assertThat(decision.changes()).containsExactly(new Reclaim(cidr(2, 0).cidr()));
        assertThat(decision.outcome().cidrs()).containsExactly(cidr(2, 0), cidr(0, 10));
    }

    @Test
    void releasingLeavesRoomEnoughAndNothingThatCouldGo() {
        for (long seed = 1; seed <= 2000; seed++) {
            var random = new Random(seed);
            var held = new ArrayList<NodeCidr>();
            for (int block = 0; block < random.nextInt(8); block++) {
                held.add(cidr(block, random.nextBoolean() ? 0 : random.nextInt(15)));
            }
            long needed = random.nextInt(60);
            long used = held.stream().mapToLong(NodeCidr::used).sum();
            long before = held.stream().mapToLong(NodeCidr::free).sum();
            long freeNeeded = Math.max(needed - used, 0);

            var kept = CidrRelease.decide(held, List.of(), needed).outcome().cidrs();

            long free = kept.stream().mapToLong(NodeCidr::free).sum();
            assertThat(free).as("seed %d", seed).isGreaterThanOrEqualTo(Math.min(before, freeNeeded));
            assertThat(kept)
                    .as("seed %d", seed)
                    .containsAll(held.stream().filter(cidr -> cidr.used() > 0).toList());
            assertThat(kept)
                    .as("seed %d", seed)
                    .noneMatch(cidr -> cidr.used() == 0 && free - cidr.free() >= freeNeeded);
        }
    }
}
