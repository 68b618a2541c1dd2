package io.cadastre.engine.demand.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.cadastre.address.Address;
import io.cadastre.engine.demand.release.ReleaseChange.Enter;
import io.cadastre.engine.demand.release.ReleaseChange.Erase;
import io.cadastre.engine.demand.release.ReleaseChange.Unassign;
import io.cadastre.engine.demand.release.ReleasePlan.Candidate;
import io.cadastre.engine.demand.release.ReleasePlan.Pass;
import io.cadastre.engine.demand.release.ReleasePlan.PlanReason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Both sides of the handshake, each by itself and together.
class HandshakeTest {

    private static final Instant NOW = Instant.parse("2026-11-19T20:00:00Z");
    private static final Address X = Address.parse("10.0.0.7");
    private static final Address Y = Address.parse("10.0.0.8");

    private static SortedMap<Address, ReleaseState> entries(ReleaseState state) {
        var entries = new TreeMap<Address, ReleaseState>();
        entries.put(X, state);
        return entries;
    }

    private static SortedSet<Address> addresses(Address... addresses) {
        return new TreeSet<>(Arrays.asList(addresses));
    }

    @ParameterizedTest
    @CsvSource({
        "MARKED,true,false,READY", "MARKED,true,true,DENIED", "MARKED,false,false,DENIED", "MARKED,false,true,DENIED",
        "READY,true,false,READY", "READY,false,true,READY", "DENIED,true,false,DENIED", "DENIED,false,false,DENIED",
        "RELEASED,true,false,RELEASED", "RELEASED,false,false,"
    })
    void ci30ci31ci32TheAgentAnswersByTheTable(ReleaseState before, boolean listed, boolean used, ReleaseState after) {
        var decision = ReleaseAnswer.decide(
                entries(before), listed ? addresses(X) : addresses(), used ? addresses(X) : addresses());

        assertThat(decision.outcome().entries().get(X)).isEqualTo(after);
        assertThat(decision.changes().isEmpty()).isEqualTo(before == after);
    }

    @Test
    void ci30AnAddressThatIsReadyIsNotGivenToAPod() {
        var ready = ReleaseAnswer.decide(entries(ReleaseState.MARKED), addresses(X), addresses());
        var denied = ReleaseAnswer.decide(entries(ReleaseState.MARKED), addresses(X), addresses(X));

        assertThat(ready.outcome().mayBeGiven(X)).isFalse();
        assertThat(ready.outcome().mayBeGiven(Y)).isTrue();
        assertThat(denied.outcome().mayBeGiven(X)).isTrue();
    }

    private static Pass pass(Instant now, SortedMap<Address, ReleaseState> entries, Address... candidates) {
        return new Pass(
                Arrays.stream(candidates)
                        .map(address -> new Candidate(address, "eni-1"))
                        .toList(),
                entries,
                addresses(X, Y),
                now);
    }

    private static ReleasePlan noted() {
        return ReleasePlan.none(ReleasePlan.DELAY)
                .decide(pass(NOW, new TreeMap<>(), X))
                .outcome();
    }

    private static ReleasePlan marked() {
        return noted().decide(pass(NOW.plusSeconds(180), new TreeMap<>(), X)).outcome();
    }

    @Test
    void anAddressIsMarkedWhenItWasTooManyForTheWholeDelay() {
        assertThat(noted().decide(pass(NOW.plusSeconds(179), new TreeMap<>(), X))
                        .changes())
                .isEmpty();
        assertThat(noted().decide(pass(NOW.plusSeconds(180), new TreeMap<>(), X))
                        .changes())
                .containsExactly(new Enter(X, ReleaseState.MARKED));
    }

    @Test
    void ci36AnExcessThatVanishesWithinTheDelayMarksNothing() {
        var vanished = noted().decide(pass(NOW.plusSeconds(60), new TreeMap<>()));
        var again = vanished.outcome().decide(pass(NOW.plusSeconds(120), new TreeMap<>(), X));

        assertThat(vanished.changes()).isEmpty();
        assertThat(vanished.because()).containsExactly(new PlanReason.NoExcess(X));
        assertThat(again.outcome()
                        .decide(pass(NOW.plusSeconds(200), new TreeMap<>(), X))
                        .changes())
                .isEmpty();
    }

    @Test
    void ci37AnAddressThatIsReadyAndNoLongerTooManyStays() {
        var decision = marked().decide(pass(NOW.plusSeconds(200), entries(ReleaseState.READY)));

        assertThat(decision.changes()).containsExactly(new Erase(X));
        assertThat(decision.outcome().noted()).isEmpty();
    }

    @Test
    void anAddressThatTheNodeUsesIsForgotten() {
        var decision = marked().decide(pass(NOW.plusSeconds(200), entries(ReleaseState.DENIED), X));

        assertThat(decision.changes()).containsExactly(new Erase(X));
        assertThat(decision.because()).containsExactly(new PlanReason.Denied(X));
        assertThat(decision.outcome().noted()).isEmpty();
    }

    @Test
    void anAddressOfAnotherInterfaceStartsAnew() {
        var elsewhere =
                new Pass(List.of(new Candidate(X, "eni-2")), new TreeMap<>(), addresses(X), NOW.plusSeconds(180));

        assertThat(noted().decide(elsewhere).changes()).isEmpty();
    }

    @Test
    void anAddressThatIsReadyIsHandedBackUntilTheCloudHasIt() {
        var ready = pass(NOW.plusSeconds(200), entries(ReleaseState.READY), X);

        var first = marked().decide(ready);
        var again = first.outcome().decide(ready);
        var released = again.outcome().released(X);

        assertThat(first.changes()).containsExactly(new Unassign(X, "eni-1"));
        assertThat(again.changes()).containsExactly(new Unassign(X, "eni-1"));
        assertThatIllegalStateException().isThrownBy(() -> released.released(X));
    }

    @Test
    void aReleasedAddressIsForgottenWhenTheAgentHasDeletedTheEntryOrTheAddressIsBack() {
        var released = marked().released(X);
        var gone = new Pass(List.of(), entries(ReleaseState.RELEASED), addresses(Y), NOW.plusSeconds(300));
        var done = new Pass(List.of(), new TreeMap<>(), addresses(Y), NOW.plusSeconds(300));
        var back = new Pass(List.of(), entries(ReleaseState.RELEASED), addresses(X, Y), NOW.plusSeconds(300));

        assertThat(released.decide(gone).outcome().noted()).containsOnlyKeys(X);
        assertThat(released.decide(done).outcome().noted()).isEmpty();
        assertThat(released.decide(back).changes()).containsExactly(new Erase(X));
        assertThat(released.decide(back).because()).containsExactly(new PlanReason.Back(X));
    }

    @Test
    void aMarkThatWasLostIsWrittenAgainAndOneThatIsNotRememberedIsErased() {
        assertThat(marked().decide(pass(NOW.plusSeconds(200), new TreeMap<>(), X))
                        .changes())
                .containsExactly(new Enter(X, ReleaseState.MARKED));
        assertThat(ReleasePlan.none(ReleasePlan.DELAY)
                        .decide(pass(NOW, entries(ReleaseState.MARKED)))
                        .changes())
                .containsExactly(new Erase(X));
    }

    /// An agent that gives and takes back by chance, and an operator that knows nothing of it but the entries.
    @Test
    void noAddressIsHandedBackWhileAPodHasIt() {
        int handedBackInAll = 0;
        for (long seed = 1; seed <= 300; seed++) {
            var random = new Random(seed);
            var plan = ReleasePlan.none(ReleasePlan.DELAY);
            var entries = new TreeMap<Address, ReleaseState>();
            var listed = addresses();
            var used = addresses();
            for (int last = 1; last <= 8; last++) {
                listed.add(Address.parse("10.0.0." + last));
            }
            int handedBack = 0;
            for (int step = 0; step < 200; step++) {
                var now = NOW.plusSeconds(step * 30L);
                var answer = ReleaseAnswer.decide(entries, listed, used).outcome();
                entries = new TreeMap<>(answer.entries());
                for (var address : new ArrayList<>(listed)) {
                    if (random.nextInt(6) == 0 && !used.remove(address) && answer.mayBeGiven(address)) {
                        used.add(address);
                    }
                }
                if (random.nextInt(3) > 0) {
                    continue;
                }
                var candidates = listed.stream()
                        .filter(_ -> random.nextInt(10) > 0)
                        .map(address -> new Candidate(address, "eni-1"))
                        .toList();
                var decision = plan.decide(new Pass(candidates, entries, listed, now));
                plan = decision.outcome();
                for (var change : decision.changes()) {
                    switch (change) {
                        case Enter(var address, var state) -> entries.put(address, state);
                        case Erase(var address) -> entries.remove(address);
                        case Unassign(var address, var _) -> {
                            assertThat(used).as("seed %d, step %d", seed, step).doesNotContain(address);
                            listed.remove(address);
                            entries.put(address, ReleaseState.RELEASED);
                            plan = plan.released(address);
                            handedBack++;
                        }
                    }
                }
            }
            assertThat(handedBack + listed.size()).as("seed %d", seed).isEqualTo(8);
            handedBackInAll += handedBack;
        }
        assertThat(handedBackInAll).isPositive();
    }
}
