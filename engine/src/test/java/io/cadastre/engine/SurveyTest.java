package io.cadastre.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Address;
import io.cadastre.address.Prefix;
import io.cadastre.address.Range;
import io.cadastre.engine.Holding.Level;
import io.cadastre.engine.Holding.State;
import io.cadastre.engine.Survey.Violation.Outside;
import io.cadastre.engine.Survey.Violation.TwoHolders;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SurveyTest {

    private static final List<Level> LEVELS = List.of(Level.POOL, Level.NODE, Level.ENDPOINT);

    @Test
    void nestedAndDisjointHoldingsAreInOrder() {
        var holdings = List.of(
                pool("cluster", "10.0.0.0/16"),
                node("a", "10.0.0.0/24"),
                node("b", "10.0.1.0/24"),
                endpoint("a/pod", "10.0.0.7/32"),
                endpoint("b/pod", "10.0.1.7/32"));

        var violations = Survey.of(holdings);

        assertThat(violations).isEmpty();
    }

    @Test
    void anEndpointMayLieInAPoolWithoutNodes() {
        var holdings = List.of(pool("pool", "fd00::/64"), endpoint("pod", "fd00::5/128"));

        var violations = Survey.of(holdings);

        assertThat(violations).isEmpty();
    }

    @Test
    void twoHoldersOfOneAddressAreFound() {
        var first = endpoint("pod-1", "10.0.0.7/32");
        var second = endpoint("pod-2", "10.0.0.7/32");

        var violations = Survey.of(List.of(pool("pool", "10.0.0.0/24"), second, first));

        assertThat(violations).containsExactly(new TwoHolders(first, second));
        assertThat(violations.getFirst().sentence())
                .isEqualTo("10.0.0.7-10.0.0.7 of pod-2 overlaps 10.0.0.7-10.0.0.7 of pod-1");
    }

    @Test
    void siblingsThatNestAreFound() {
        var big = node("a", "10.0.0.0/22");
        var small = node("b", "10.0.1.0/24");

        var violations = Survey.of(List.of(pool("cluster", "10.0.0.0/16"), small, big));

        assertThat(violations).containsExactly(new TwoHolders(big, small));
    }

    @Test
    void oneHolderMayHoldARangeTwice() {
        var holdings = List.of(
                pool("cluster", "10.0.0.0/16"),
                node("a", "10.0.0.0/24"),
                node("a", "10.0.0.0/24"),
                node("a", "10.0.0.128/25"));

        var violations = Survey.of(holdings);

        assertThat(violations).isEmpty();
    }

    @Test
    void aRivalHiddenBehindALongRangeOfTheSameHolderIsFound() {
        var rival = node("b", "10.0.0.0/23");
        var hidden = node("a", "10.0.1.0/24");

        var violations = Survey.of(List.of(pool("cluster", "10.0.0.0/8"), node("a", "10.0.0.0/16"), rival, hidden));

        assertThat(violations).contains(new TwoHolders(rival, hidden));
    }

    @Test
    void aReservedRangeMayNotBeHeldByAnother() {
        var reserved = new Holding(Prefix.parse("10.0.0.0/20").range(), Level.NODE, "service", State.RESERVED);
        var held = node("a", "10.0.3.0/24");

        var violations = Survey.of(List.of(pool("cluster", "10.0.0.0/16"), reserved, held));

        assertThat(violations).containsExactly(new TwoHolders(reserved, held));
    }

    @Test
    void aPartOutsideOfEveryWholeIsFound() {
        var foreign = node("a", "172.16.0.0/24");
        var tooBig = node("b", "10.0.0.0/8");

        var violations = Survey.of(List.of(pool("cluster", "10.0.0.0/16"), foreign, tooBig));

        assertThat(violations).containsExactly(new Outside(tooBig), new Outside(foreign));
    }

    @Test
    void familiesDoNotOverlap() {
        var holdings =
                List.of(pool("v4", "0.0.0.0/0"), pool("v6", "::/0"), node("a", "255.255.255.0/24"), node("b", "::/64"));

        var violations = Survey.of(holdings);

        assertThat(violations).isEmpty();
    }

    /// The sweep reports a holding at most once, the twin compares all pairs: they must agree on which
    /// holdings lie outside, and on whether anything is held twice.
    @Test
    void aTwinThatComparesAllPairsAgrees() {
        for (long seed = 1; seed <= 3000; seed++) {
            var holdings = randomHoldings(new Random(seed));

            var violations = Survey.of(holdings);

            assertThat(violations.stream().filter(Outside.class::isInstance).count())
                    .as("seed %d: parts outside", seed)
                    .isEqualTo(holdings.stream()
                            .filter(part -> outside(part, holdings))
                            .count());
            assertThat(violations.stream().anyMatch(TwoHolders.class::isInstance))
                    .as("seed %d: held twice", seed)
                    .isEqualTo(holdings.stream().anyMatch(one -> rivals(one, holdings)));
        }
    }

    private static boolean outside(Holding part, List<Holding> holdings) {
        return part.level() != Level.POOL
                && holdings.stream()
                        .noneMatch(whole -> whole.level().compareTo(part.level()) < 0
                                && whole.range().contains(part.range()));
    }

    private static boolean rivals(Holding one, List<Holding> holdings) {
        return holdings.stream()
                .anyMatch(other -> other.level() == one.level()
                        && !other.holder().equals(one.holder())
                        && other.range().overlaps(one.range()));
    }

    private static List<Holding> randomHoldings(Random random) {
        var holdings = new ArrayList<Holding>();
        int count = random.nextInt(12);
        for (int i = 0; i < count; i++) {
            int first = random.nextInt(24);
            int last = first + random.nextInt(6);
            holdings.add(new Holding(
                    new Range(Address.ipv4(first), Address.ipv4(last)),
                    LEVELS.get(random.nextInt(LEVELS.size())),
                    "holder-" + random.nextInt(3),
                    State.HELD));
        }
        return holdings;
    }

    private static Holding pool(String holder, String prefix) {
        return new Holding(Prefix.parse(prefix).range(), Level.POOL, holder, State.HELD);
    }

    private static Holding node(String holder, String prefix) {
        return new Holding(Prefix.parse(prefix).range(), Level.NODE, holder, State.HELD);
    }

    private static Holding endpoint(String holder, String prefix) {
        return new Holding(Prefix.parse(prefix).range(), Level.ENDPOINT, holder, State.HELD);
    }
}
