package io.cadastre.engine.pool;

import static io.cadastre.engine.pool.PoolBuilder.aPool;
import static io.cadastre.engine.pool.RequestBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cadastre.address.Address;
import io.cadastre.address.Range;
import io.cadastre.address.RangeSet;
import io.cadastre.engine.Decision;
import io.cadastre.engine.NotReadException;
import io.cadastre.engine.pool.PoolReason.LeftToRivals;
import io.cadastre.engine.pool.select.PoolRival;
import io.cadastre.engine.pool.select.PoolRival.Precedence;
import io.cadastre.engine.pool.select.RivalAddresses;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// Two pools that have addresses in common.
class RivalAddressesTest {

    private PoolView view = PoolView.UNREAD;

    /// The first pool is older than the second.
    private void pools(PoolBuilder first, PoolBuilder second) {
        var older = first.build();
        var younger = second.build();
        view = PoolView.whole(List.of(older, younger), RangeSet.EMPTY, List.of())
                .withRivals(older.name(), List.of(new PoolRival(younger.name(), Precedence.RIVAL_LAST)))
                .withRivals(younger.name(), List.of(new PoolRival(older.name(), Precedence.RIVAL_FIRST)));
    }

    private static PoolBuilder older() {
        return aPool("older", "10.6.0.0/24", "10.6.0.1-10.6.0.4");
    }

    private static PoolBuilder younger() {
        return aPool("younger", "10.6.0.0/24", "10.6.0.3-10.6.0.6");
    }

    private RivalAddresses left(String pool) {
        return RivalAddresses.of(view, view.findPool(pool).orElseThrow());
    }

    private static RangeSet set(String... ranges) {
        return new RangeSet(Arrays.stream(ranges).map(Range::parse).toList());
    }

    private Decision<PoolChange, PoolAllocation> allocate(String pod, String pool) {
        var decision =
                PoolEngine.allocate(view, aPod(pod, "u-" + pod).wanting(pool).request());
        for (var change : decision.changes()) {
            view = view.with(change);
        }
        return decision;
    }

    private static List<String> addresses(Decision<PoolChange, PoolAllocation> decision) {
        return decision.changes().stream()
                .filter(PoolChange.Take.class::isInstance)
                .map(change -> ((PoolChange.Take) change).address().toString())
                .toList();
    }

    @Test
    void youngerPoolLeavesWhatBothHaveAndSaysSo() {
        pools(older(), younger());

        var decision = allocate("a", "younger");

        assertThat(left("younger")).isEqualTo(new RivalAddresses(set("10.6.0.3-10.6.0.4"), List.of("older")));
        assertThat(left("older").addresses()).isEqualTo(RangeSet.EMPTY);
        assertThat(addresses(decision)).containsExactly("10.6.0.5");
        assertThat(decision.because()).contains(new LeftToRivals("younger", 2, List.of("older")));
    }

    @Test
    void whatAPodHasOfTheYoungerPoolIsNotGivenByTheOlder() {
        pools(older(), younger().holding("10.6.0.3", "default/x", "u-x"));

        assertThat(left("older")).isEqualTo(new RivalAddresses(set("10.6.0.3"), List.of("younger")));
        assertThat(addresses(allocate("a", "older"))).containsExactly("10.6.0.1");
        assertThat(addresses(allocate("b", "older"))).containsExactly("10.6.0.2");
        assertThat(addresses(allocate("c", "older"))).containsExactly("10.6.0.4");
        assertThat(allocate("d", "older").outcome()).isInstanceOf(PoolAllocation.Refused.class);
    }

    @Test
    void olderPoolThatIsBeingDeletedKeepsWhatPodsHaveAndNoMore() {
        pools(older().terminating().holding("10.6.0.3", "default/x", "u-x"), younger());

        assertThat(left("younger").addresses()).isEqualTo(set("10.6.0.3"));
    }

    @Test
    void ofADamagedPoolNothingIsGivenByAnother() {
        pools(older(), younger().damaged("its records cannot be read"));

        assertThat(left("older").addresses()).isEqualTo(set("10.6.0.3-10.6.0.4"));
    }

    @Test
    void rivalThatWasDeletedHasNothing() {
        pools(older(), younger());
        view = view.withPool("older", Optional.empty());

        assertThat(left("younger").addresses()).isEqualTo(RangeSet.EMPTY);
    }

    @Test
    void rivalsAreLookedForBeforeAnythingIsGiven() {
        var unread = PoolView.UNREAD.withPool("older", Optional.of(older().build()));

        assertThatThrownBy(() -> RivalAddresses.of(unread, older().build()))
                .isInstanceOf(NotReadException.class)
                .hasMessage("pools that overlap pool older have not been looked for");
        assertThatThrownBy(() -> RivalAddresses.of(
                        unread.withRivals("older", List.of(new PoolRival("younger", Precedence.RIVAL_LAST))),
                        older().build()))
                .hasMessage("pool younger has not been read");
    }

    @Test
    @DisplayName("I1: whichever pools pods ask, in any order, no address has two of them")
    void noAddressHasTwoPods() {
        for (long seed = 1; seed <= 200; seed++) {
            var chance = new Random(seed);
            pools(older(), younger());
            var given = new ArrayList<String>();
            for (int pod = 1; pod <= 12; pod++) {
                given.addAll(addresses(allocate("p" + pod, chance.nextBoolean() ? "older" : "younger")));
            }

            assertThat(new HashSet<>(given)).as("seed %d", seed).hasSameSizeAs(given);
            assertThat(view.findPool("younger").orElseThrow().records().keySet())
                    .as("seed %d", seed)
                    .doesNotContain(Address.parse("10.6.0.3"), Address.parse("10.6.0.4"));
        }
    }
}
