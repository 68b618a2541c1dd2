package io.cadastre.engine.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Address;
import io.cadastre.address.Range;
import io.cadastre.address.RangeSet;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PoolRecordsTest {

    private static final int STEPS = 3_000;

    @ParameterizedTest
    @ValueSource(strings = {"10.0.0.0", "255.255.255.192", "fd00::"})
    void recordsAreThoseOfAPlainMapAndRunsThoseOfARangeSet(String first) {
        var dice = new SplittableRandom(first.hashCode());
        var records = PoolRecords.NONE;
        var map = new TreeMap<Address, PoolRecord>();
        for (int step = 0; step < STEPS; step++) {
            var address = Address.parse(first).plus(dice.nextInt(64));
            if (dice.nextInt(2) == 0) {
                var record = new PoolRecord("ns/pod-" + dice.nextInt(20), "u");
                records = records.with(address, record);
                map.put(address, record);
            } else {
                records = records.without(address);
                map.remove(address);
            }

            assertThat(records.map()).isEqualTo(map);
            assertThat(records).isEqualTo(PoolRecords.of(map));
            assertThat(records.size()).isEqualTo(map.size());
            assertThat(records.characters())
                    .isEqualTo(map.entrySet().stream()
                            .mapToLong(held -> held.getKey().toString().length()
                                    + held.getValue().pod().length()
                                    + held.getValue().podUid().length())
                            .sum());
            var taken = new RangeSet(map.keySet().stream().map(Range::of).toList());
            assertThat(records.findRun(address)).isEqualTo(taken.findRange(address));
            assertThat(PoolRecords.of(map).findRun(address)).isEqualTo(taken.findRange(address));
        }
    }

    /// The first free address behind a row of records, and behind a row of exclusions, is found by as many looks
    /// whatever the size of the pool. A store that enumerated a /10 would not come to an end here within the
    /// time of a test.
    @ParameterizedTest
    @ValueSource(strings = {"10.0.0.0-10.0.0.255", "10.0.0.0-10.63.255.255", "10.0.0.0-10.255.255.255"})
    void firstFreeAddressIsFoundBehindManyRecordsInAPoolOfAnySize(String ips) {
        var pool = PoolBuilder.aPool("p", "10.0.0.0/8", ips).build();
        for (int number = 0; number < 200; number++) {
            var free = pool.firstFree(RangeSet.of(Range.parse("10.0.0.0-10.0.0.9")))
                    .orElseThrow();

            assertThat(free).isEqualTo(Address.parse("10.0.0.10").plus(number));
            pool = pool.withRecord(free, new PoolRecord("ns/pod-" + number, "u"));
        }

        assertThat(pool.held().findRun(Address.parse("10.0.0.100"))).contains(Range.parse("10.0.0.10-10.0.0.209"));
    }

    @Test
    void addressesOfBothEndsOfAFamilyAreKept() {
        var records = PoolRecords.NONE
                .with(Address.parse("255.255.255.255"), new PoolRecord("ns/a", "u"))
                .with(Address.parse("0.0.0.0"), new PoolRecord("ns/b", "u"))
                .with(Address.parse("::"), new PoolRecord("ns/c", "u"));

        assertThat(records.size()).isEqualTo(3);
        assertThat(records.findRun(Address.parse("255.255.255.255")))
                .contains(Range.of(Address.parse("255.255.255.255")));
        assertThat(records.without(Address.parse("0.0.0.0")).findRun(Address.parse("0.0.0.0")))
                .isEmpty();
    }
}
