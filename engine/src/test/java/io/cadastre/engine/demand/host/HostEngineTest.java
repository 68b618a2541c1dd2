package io.cadastre.engine.demand.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.cadastre.address.Address;
import io.cadastre.address.Prefix;
import io.cadastre.engine.Holding;
import io.cadastre.engine.Survey;
import io.cadastre.engine.demand.host.HostChange.Assign;
import io.cadastre.engine.demand.host.HostOutcome.Given;
import io.cadastre.engine.demand.host.HostOutcome.Refused;
import io.cadastre.engine.demand.host.HostRange.Ends;
import io.cadastre.engine.demand.host.HostReason.NotGiven;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HostEngineTest {

    private static HostView view(String cidr) {
        return HostView.of(HostRange.of(Prefix.parse(cidr)), new TreeMap<>());
    }

    private static HostView excluding(String cidr, String address) {
        var excluded = new TreeMap<Address, String>();
        excluded.put(Address.parse(address), "node-ip");
        return HostView.of(HostRange.of(Prefix.parse(cidr)), excluded);
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.0/24,254,10.0.0.1,10.0.0.254",
        "10.0.0.0/30,2,10.0.0.1,10.0.0.2",
        "10.0.0.0/31,2,10.0.0.0,10.0.0.1",
        "10.0.0.7/32,1,10.0.0.7,10.0.0.7",
        "10.0.0.0/8,16777214,10.0.0.1,10.255.255.254",
        "fd00::/64,65534,fd00::1,fd00::fffe",
        "fd00::/112,65534,fd00::1,fd00::fffe",
        "fd00::/120,254,fd00::1,fd00::fe",
        "fd00::/127,2,fd00::,fd00::1",
        "fd00::7/128,1,fd00::7,fd00::7",
        "4000::/2,65534,4000::1,4000::fffe"
    })
    void aRangeLeavesOutItsEndsUnlessItHasNothingElse(String cidr, long size, String first, String last) {
        var range = HostRange.of(Prefix.parse(cidr));

        assertThat(range.size()).isEqualTo(size);
        assertThat(range.address(0)).hasToString(first);
        assertThat(range.address(size - 1)).hasToString(last);
        assertThat(range.contains(Address.parse(last))).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"0.0.0.0/0", "128.0.0.0/1", "::/0", "8000::/1"})
    void aRangeOfHalfAFamilyGivesNothing(String cidr) {
        assertThat(HostRange.of(Prefix.parse(cidr)).size()).isZero();
        assertThat(HostEngine.next(view(cidr), "a/b", new Random(1)).outcome()).isInstanceOf(Refused.class);
    }

    @ParameterizedTest
    @CsvSource({"NEITHER,2", "FIRST,3", "LAST,3", "BOTH,4"})
    void aPoolMayAllowTheEnds(Ends ends, long size) {
        assertThat(new HostRange(Prefix.parse("10.0.0.0/30"), ends).size()).isEqualTo(size);
        assertThat(new HostRange(Prefix.parse("10.0.0.0/31"), ends).size()).isEqualTo(2);
        assertThat(Ends.of(ends == Ends.FIRST || ends == Ends.BOTH, ends == Ends.LAST || ends == Ends.BOTH))
                .isEqualTo(ends);
    }

    @Test
    void ci20ASmallRangeGivesSixAddressesAndTheSeventhIsRefused() {
        var view = view("10.0.0.0/29");
        var chance = new Random(1);
        var given = new TreeSet<Address>();
        for (var owner : List.of("router", "health", "ns/a", "ns/b", "ns/c", "ns/d")) {
            var decision = HostEngine.next(view, owner, chance);
            given.add(((Given) decision.outcome()).address());
            view = view.with(decision.changes().getFirst());
        }

        var seventh = HostEngine.next(view, "ns/e", chance);

        assertThat(given).hasSize(6);
        assertThat(((Refused) seventh.outcome()).fault().sentence()).isEqualTo("range is full");
        assertThat(view.status()).isEqualTo("6/6 allocated from 10.0.0.0/29");
    }

    @Test
    void ci21AnAddressBeyondTheRangeIsRefused() {
        var decision = HostEngine.take(view("10.0.0.0/24"), Address.parse("10.0.0.255"), "ns/a");

        assertThat(((Refused) decision.outcome()).fault().sentence())
                .isEqualTo("provided IP is not in the valid range. The range of valid IPs is 10.0.0.0/24");
    }

    @Test
    void ci22OfALongIpv6PrefixTheFirstAddressesAreGiven() {
        var view = view("fd00::/96");
        for (long number = 0; number < view.range().size(); number++) {
            view = view.with(new Assign(view.range().address(number), "ns/p" + number));
        }

        assertThat(view.given()).hasSize(65_534);
        assertThat(HostEngine.next(view, "ns/more", new Random(1)).outcome()).isInstanceOf(Refused.class);
    }

    @Test
    void aTakenAddressIsRefusedAndMayBeGivenAtOnceWhenItIsFree() {
        var address = Address.parse("10.0.0.9");
        var taken = view("10.0.0.0/24").with(new Assign(address, "ns/a"));

        var refused = HostEngine.take(taken, address, "ns/b");
        var freed = taken.with(HostEngine.free(taken, address).changes().getFirst());

        assertThat(((Refused) refused.outcome()).fault().sentence()).isEqualTo("provided IP is already allocated");
        assertThat(HostEngine.take(freed, address, "ns/b").outcome()).isEqualTo(new Given(address));
    }

    @Test
    void anAddressOfTheNodeIsRefusedAndADrawOfItIsRepeated() {
        var view = excluding("10.0.0.0/30", "10.0.0.1");

        var asked = HostEngine.take(view, Address.parse("10.0.0.1"), "ns/a");
        var drawn = HostEngine.next(view, "ns/a", new Random(3) {
            @Override
            public long nextLong(long bound) {
                return 0;
            }
        });

        assertThat(((Refused) asked.outcome()).fault().sentence())
                .isEqualTo("IP 10.0.0.1 is excluded, owned by node-ip");
        assertThat(drawn.changes())
                .containsExactly(
                        new Assign(Address.parse("10.0.0.1"), "ns/a (excluded)"),
                        new Assign(Address.parse("10.0.0.2"), "ns/a"));
        assertThat(drawn.outcome()).isEqualTo(new Given(Address.parse("10.0.0.2")));
    }

    @Test
    void givingBackWhatHasNoOwnerChangesNothing() {
        var address = Address.parse("192.168.0.1");

        var decision = HostEngine.free(view("10.0.0.0/24"), address);

        assertThat(decision.changes()).isEmpty();
        assertThat(decision.because()).containsExactly(new NotGiven(address));
    }

    @Test
    void aTinyRangeReportsNoCapacity() {
        var view = view("10.0.0.0/31")
                .with(new Assign(Address.parse("10.0.0.0"), "a"))
                .with(new Assign(Address.parse("10.0.0.1"), "b"));

        assertThat(view.status()).isEqualTo("2/0 allocated from 10.0.0.0/31");
        assertThat(HostRange.of(Prefix.parse("fd00::/64")).reported()).hasToString("18446744073709551614");
    }

    @Test
    void aChangeThatDoesNotFollowIsABug() {
        var view = view("10.0.0.0/30").with(new Assign(Address.parse("10.0.0.1"), "a"));

        assertThatIllegalStateException().isThrownBy(() -> view.with(new Assign(Address.parse("10.0.0.1"), "b")));
        assertThatIllegalStateException()
                .isThrownBy(() -> view.with(new HostChange.Free(Address.parse("10.0.0.2"), "b")));
    }

    @Test
    void theSurveyAcceptsTheMapAfterEachChangeAndAPlainSetAgrees() {
        for (long seed = 1; seed <= 200; seed++) {
            var random = new Random(seed);
            var view = excluding("10.0.0.0/27", "10.0.0.5");
            var twin = new TreeMap<Address, String>();
            for (int step = 0; step < 120; step++) {
                var owner = "ns/p" + step;
                var decision =
                        switch (random.nextInt(3)) {
                            case 0 -> HostEngine.next(view, owner, random);
                            case 1 -> HostEngine.take(view, Address.ipv4(0x0a000000 + random.nextInt(34)), owner);
                            default -> HostEngine.free(view, Address.ipv4(0x0a000000 + random.nextInt(34)));
                        };
                for (var change : decision.changes()) {
                    view = view.with(change);
                    switch (change) {
                        case Assign(var address, var who) ->
                            assertThat(twin.put(address, who))
                                    .as("seed %d", seed)
                                    .isNull();
                        case HostChange.Free(var address, var who) ->
                            assertThat(twin.remove(address)).as("seed %d", seed).isEqualTo(who);
                    }
                }
                var holdings = new ArrayList<>(HostHoldings.of("n1", view));
                holdings.add(new Holding(
                        Prefix.parse("10.0.0.0/8").range(), Holding.Level.POOL, "cluster", Holding.State.HELD));

                assertThat(Survey.of(holdings))
                        .as("seed %d, step %d", seed, step)
                        .isEmpty();
                assertThat(view.given()).as("seed %d", seed).hasSize(twin.size());
                assertThat(twin)
                        .as("seed %d", seed)
                        .doesNotContainKeys(
                                Address.parse("10.0.0.0"), Address.parse("10.0.0.31"), Address.parse("10.0.0.32"));
            }
        }
    }
}
