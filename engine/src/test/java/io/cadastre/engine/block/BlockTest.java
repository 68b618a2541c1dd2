package io.cadastre.engine.block;

import static io.cadastre.engine.block.Fixtures.NOW;
import static io.cadastre.engine.block.Fixtures.address;
import static io.cadastre.engine.block.Fixtures.labels;
import static io.cadastre.engine.block.Fixtures.prefix;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cadastre.engine.block.Attribute.Cooling;
import io.cadastre.engine.block.Attribute.Held;
import io.cadastre.engine.block.assign.Requester;
import io.cadastre.engine.block.release.ReleaseOption;
import io.cadastre.engine.block.release.SequenceCheck;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// The mechanics inside one block.
class BlockTest {

    private static final Owner NODE_A = Owner.host("node-a");
    private static final int NO_COOLDOWN = 0;

    private static Block fresh(String cidr) {
        return Block.fresh(prefix(cidr), NODE_A, new HostReserve.None(), NOW);
    }

    private static Block take(Block block, int count, Requester requester) {
        return block.take(count, requester, Reservations.NONE).after().written();
    }

    private static Freeing release(Block block, int cooldown, ReleaseOption... options) {
        var items = new TreeMap<Integer, ReleaseOption>();
        for (var option : options) {
            items.put(block.ordinal(address(option.address())).orElseThrow(), option);
        }
        return block.release(items, cooldown, NOW);
    }

    private static Block freed(Block block, String... addresses) {
        var options = Arrays.stream(addresses).map(ReleaseOption::of).toArray(ReleaseOption[]::new);
        return ((Freeing.Freed) release(block, NO_COOLDOWN, options)).after().written();
    }

    private static SortedMap<Integer, Long> sequences(long number, int... ordinals) {
        var map = new TreeMap<Integer, Long>();
        for (int ordinal : ordinals) {
            map.put(ordinal, number);
        }
        return map;
    }

    @Test
    @DisplayName("CAL-1: a fresh block is all free, in ascending order, and numbered by the clock")
    void freshBlockIsAllFree() {
        var block = fresh("10.0.0.0/26");

        assertThat(block.allocations()).hasSize(64).containsOnly(Block.FREE);
        assertThat(block.unallocated()).isEqualTo(IntStream.range(0, 64).toArray());
        assertThat(block.attributes()).isEmpty();
        assertThat(block.sequence()).isEqualTo(NOW.getEpochSecond() * 1_000_000_000 + NOW.getNano());
        assertThat(block.sequences()).isEmpty();
        assertThat(block.owner()).contains(NODE_A);
        assertThat(block.claimedAt()).contains(NOW.truncatedTo(ChronoUnit.SECONDS));
        assertThat(block.empty()).isTrue();
        assertThat(block.faults(NOW)).isEmpty();
    }

    @Test
    @DisplayName("CAL-2: what the host reserves is held from the start, by its handle and note")
    void hostReservesBothEnds() {
        var reserve = new HostReserve.Ends(2, 1, "test-handle", "rsvd");

        var block = Block.fresh(prefix("10.0.0.0/30"), NODE_A, reserve, NOW);
        var first = block.take(1, Requester.ANONYMOUS, Reservations.NONE);
        var second = first.after().written().take(1, Requester.ANONYMOUS, Reservations.NONE);

        assertThat(block.allocations()).containsExactly(0, 0, Block.FREE, 0);
        assertThat(block.attributes()).containsExactly(Held.by("test-handle", labels("note", "rsvd")));
        assertThat(block.sequences()).isEmpty();
        assertThat(first.addresses()).containsExactly(address("10.0.0.2"));
        assertThat(second.addresses()).isEmpty();
    }

    @Test
    @DisplayName("CAL-3: what Windows reserves leaves a block empty, what any other holder has does not")
    void windowsReserveLeavesTheBlockEmpty() {
        var windows = new HostReserve.Ends(3, 1, Attribute.WINDOWS_HANDLE, "windows host rsvd");
        var other = new HostReserve.Ends(2, 1, "other", "rsvd");

        var block = Block.fresh(prefix("10.0.0.0/26"), NODE_A, windows, NOW);

        assertThat(block.freeCount()).isEqualTo(60);
        assertThat(block.empty()).isTrue();
        assertThat(take(block, 1, Requester.ANONYMOUS).empty()).isFalse();
        assertThat(Block.fresh(prefix("10.0.0.0/26"), NODE_A, other, NOW).empty())
                .isFalse();
    }

    @Test
    @DisplayName("CAL-4: addresses of one request share an attribute and remember the number before")
    void addressesOfOneRequestShareAnAttribute() {
        var block = fresh("10.9.0.0/29");

        var after = take(block, 3, Requester.of("h"));

        assertThat(after.addressesOf("h"))
                .containsExactly(address("10.9.0.0"), address("10.9.0.1"), address("10.9.0.2"));
        assertThat(after.attributes()).containsExactly(Held.by("h", labels()));
        assertThat(after.unallocated()).containsExactly(3, 4, 5, 6, 7);
        assertThat(after.sequences()).isEqualTo(sequences(block.sequence(), 0, 1, 2));
        assertThat(after.sequence()).isEqualTo(block.sequence() + 1);
    }

    @Test
    @DisplayName("CAL-5: what was free longest is given first")
    void queueIsOldestFirst() {
        var block = take(fresh("10.9.0.0/29"), 3, Requester.of("h"));

        var grant = freed(freed(block, "10.9.0.1"), "10.9.0.0").take(6, Requester.of("i"), Reservations.NONE);

        assertThat(grant.addresses())
                .extracting(Object::toString)
                .containsExactly("10.9.0.3", "10.9.0.4", "10.9.0.5", "10.9.0.6", "10.9.0.7", "10.9.0.1");
        assertThat(grant.after().unallocated()).containsExactly(0);
    }

    @Test
    @DisplayName("CAL-6: what is freed together joins the queue in ascending order")
    void freedTogetherJoinsInAscendingOrder() {
        var block = take(fresh("10.9.0.0/29"), 3, Requester.of("h"));

        var after = freed(block, "10.9.0.2", "10.9.0.0", "10.9.0.1");

        assertThat(after.unallocated()).containsExactly(3, 4, 5, 6, 7, 0, 1, 2);
        assertThat(after.attributes()).isEmpty();
        assertThat(after.sequences()).isEmpty();
    }

    @Test
    @DisplayName("CAL-7: equal attributes are shared, different ones are not")
    void equalAttributesAreShared() {
        var at1 = Requester.of("h", labels("timestamp", "1"));
        var at2 = Requester.of("h", labels("timestamp", "2"));
        var block = fresh("10.9.0.0/29");

        assertThat(take(take(block, 1, at1), 1, at1).attributes()).hasSize(1);
        assertThat(take(take(block, 1, at1), 1, at2).attributes()).hasSize(2);
    }

    @Test
    void givenButEmptyAttributesAreNotShared() {
        var block = take(fresh("10.9.0.232/30"), 1, Requester.ANONYMOUS);

        var after = take(block, 1, Requester.of("", Collections.emptySortedMap()));

        assertThat(after.allocations()).containsExactly(0, 1, Block.FREE, Block.FREE);
        assertThat(after.attributes()).containsExactly(Held.by("", labels()), Held.by("", labels()));
    }

    @Test
    @DisplayName("CAL-8: attributes that remain keep their order and are renumbered")
    void remainingAttributesAreRenumbered() {
        var block = take(
                take(take(fresh("10.9.0.0/29"), 1, Requester.of("a")), 1, Requester.of("b")), 1, Requester.of("c"));

        var after = freed(block, "10.9.0.1");

        assertThat(after.attributes()).containsExactly(Held.by("a", labels()), Held.by("c", labels()));
        assertThat(after.allocations()).startsWith(0, Block.FREE, 1, Block.FREE).endsWith(Block.FREE);
    }

    @Test
    @DisplayName("CAL-9: a released address cools, and is free at the tail once it is cold")
    void releasedAddressCools() {
        var block = take(fresh("10.9.0.0/29"), 1, Requester.of("h"));

        var cooling = ((Freeing.Freed) release(block, 60, ReleaseOption.of("10.9.0.0")))
                .after()
                .written();
        var again = (Freeing.Freed) release(cooling, 60, ReleaseOption.of("10.9.0.0"));
        var seconds = NOW.truncatedTo(ChronoUnit.SECONDS);

        assertThat(cooling.attribute(0)).contains(new Cooling(seconds));
        assertThat(cooling.freeCount()).isEqualTo(7);
        assertThat(cooling.empty()).isFalse();
        assertThat(cooling.sequenceOf(0)).isEqualTo(block.sequence());
        assertThat(again.free()).containsExactly(address("10.9.0.0"));
        assertThat(again.taken()).isEmpty();
        assertThatThrownBy(() -> cooling.take(0, Requester.ANONYMOUS)).isInstanceOf(IllegalStateException.class);
        assertThat(cooling.normalised(60, seconds.plusSeconds(60))).isSameAs(cooling);
        assertThat(cooling.normalised(60, seconds.plusSeconds(61)).unallocated())
                .containsExactly(1, 2, 3, 4, 5, 6, 7, 0);
    }

    @Test
    @DisplayName("CAL-10: a reserved address is passed over and keeps its place")
    void reservedAddressKeepsItsPlace() {
        var reservations = Reservations.of(List.of(prefix("10.9.0.0/31")));

        var grant = fresh("10.9.0.0/29").take(2, Requester.ANONYMOUS, reservations);

        assertThat(grant.addresses()).containsExactly(address("10.9.0.2"), address("10.9.0.3"));
        assertThat(grant.after().unallocated()).containsExactly(0, 1, 4, 5, 6, 7);
    }

    @Test
    @DisplayName("CAL-11: what is reserved does not count as free")
    void reservedIsNotFree() {
        var block = fresh("100.64.0.0/24");
        for (int ordinal : new int[] {10, 20, 210, 220}) {
            block = block.take(ordinal, Requester.ANONYMOUS).written();
        }

        assertThat(block.free(Reservations.of(List.of(prefix("100.64.0.128/25")))))
                .isEqualTo(126);
        assertThat(block.free(Reservations.of(List.of(prefix("100.64.0.0/24")))))
                .isZero();
        assertThat(block.free(Reservations.NONE)).isEqualTo(252);
    }

    @Test
    @DisplayName("CAL-12: what an old migration wrote behind a handle does not count")
    void handleEndsAtTheCarriageReturn() {
        var block = Block.stored(prefix("10.9.0.0/30"))
                .allocations(0, -1, -1, -1)
                .unallocated(1, 2, 3)
                .attributes(List.of(Held.by("abc\r\neth0", labels())))
                .build();

        assertThat(block.addressesOf("abc")).containsExactly(address("10.9.0.0"));
        assertThat(release(block, NO_COOLDOWN, ReleaseOption.of("10.9.0.0").withHandle("abc")))
                .isInstanceOfSatisfying(
                        Freeing.Freed.class, freed -> assertThat(freed.counts()).containsEntry("abc", 1));
    }

    @Test
    @DisplayName("CAL-13: the sequence number is compared before anything else")
    void sequenceNumberIsComparedFirst() {
        var block = fresh("10.9.0.0/29");
        var free = ReleaseOption.of("10.9.0.0");

        assertThat(release(block, NO_COOLDOWN, free.withSequence(7)))
                .isEqualTo(new Freeing.BadSequence(address("10.9.0.0"), new SequenceCheck.Exactly(7), 0));
        for (var option : List.of(free, free.withSequence(0))) {
            assertThat(release(block, NO_COOLDOWN, option))
                    .isInstanceOfSatisfying(
                            Freeing.Freed.class,
                            freed -> assertThat(freed.free()).containsExactly(address("10.9.0.0")));
        }
    }

    @Test
    @DisplayName("CAL-14: an IPv6 block counts its addresses from its first")
    void ordinalsOfAnIpv6Block() {
        var block = fresh("fd80:24e2:f998:72d6::80/122");

        assertThat(block.address(63)).isEqualTo(address("fd80:24e2:f998:72d6::bf"));
        assertThat(block.ordinal(address("fd80:24e2:f998:72d6::bf"))).hasValue(63);
        assertThat(block.ordinal(address("fd80:24e2:f998:72d6::c0"))).isEmpty();
    }

    @Test
    @DisplayName("CAL-15: a handle finds its addresses in all attributes that name it")
    void handleFindsItsAddresses() {
        var block = fresh("10.9.0.0/26");
        block = block.take(3, Requester.of("singleton")).written();
        block = block.take(10, Requester.of("tens")).written();
        block = block.take(20, Requester.of("tens")).written();
        block = block.take(33, Requester.of("thirties", labels("a", "1"))).written();
        block = block.take(34, Requester.of("thirties", labels("a", "2"))).written();

        assertThat(block.ordinalsOf("unknown")).isEmpty();
        assertThat(block.ordinalsOf("singleton")).containsExactly(3);
        assertThat(block.ordinalsOf("tens")).containsExactly(10, 20);
        assertThat(block.ordinalsOf("thirties")).containsExactly(33, 34);
    }

    @Test
    @DisplayName("CAL-16: attributes that nothing points to vanish")
    void unreferencedAttributesVanish() {
        var block = Block.stored(prefix("10.9.0.0/30"))
                .allocations(2, Block.FREE, Block.FREE, Block.FREE)
                .unallocated(1, 2, 3)
                .attributes(List.of(Held.by("gone", labels()), Held.by("gone", labels()), Held.by("here", labels())))
                .build();

        var after = block.normalised(NO_COOLDOWN, NOW);

        assertThat(after.attributes()).containsExactly(Held.by("here", labels()));
        assertThat(after.allocations()).containsExactly(0, Block.FREE, Block.FREE, Block.FREE);
    }

    @Test
    @DisplayName("CAL-73: a release on another sequence number or handle changes nothing")
    void releaseIsRefusedOnAnotherNumberOrHandle() {
        var block = Block.stored(prefix("192.168.0.0/30"))
                .allocations(-1, 0, -1, -1)
                .unallocated(0, 2, 3)
                .attributes(List.of(Held.by("real", labels())))
                .sequences(sequences(0, 1))
                .build();
        var option = ReleaseOption.of("192.168.0.1");

        assertThat(release(block, NO_COOLDOWN, option.withSequence(1))).isInstanceOf(Freeing.BadSequence.class);
        assertThat(release(block, NO_COOLDOWN, option.withHandle("fakehandle")))
                .isEqualTo(new Freeing.BadHandle(address("192.168.0.1"), "fakehandle", "real"));
        assertThat(release(block, NO_COOLDOWN, option.withSequence(0))).isInstanceOf(Freeing.Freed.class);
    }

    @Test
    @DisplayName("golden bytes 4: what remains keeps its order, what cools comes last")
    void coolingAttributeComesLast() {
        long sequence = fresh("10.9.0.232/30").sequence();
        var block = take(fresh("10.9.0.232/30"), 1, Requester.of("k8s-pod-network.c0ffee"));
        block = take(block, 1, Requester.ANONYMOUS);
        block = take(block, 1, Requester.of("", Collections.emptySortedMap()));

        var cooling = ((Freeing.Freed) release(block, 60, ReleaseOption.of("10.9.0.233")))
                .after()
                .written();

        assertThat(cooling.allocations()).containsExactly(0, 2, 1, Block.FREE);
        assertThat(cooling.unallocated()).containsExactly(3);
        assertThat(cooling.sequence()).isEqualTo(sequence + 4);
        assertThat(cooling.sequences())
                .containsEntry(0, sequence)
                .containsEntry(1, sequence + 3)
                .containsEntry(2, sequence + 2);

        // The cooldown is no more: what cooled is free at the next use, before what is freed then.
        var second = freed(cooling.normalised(NO_COOLDOWN, NOW), "10.9.0.234");
        var last = second.releaseByHandle("k8s-pod-network.c0ffee", new SequenceCheck.Any(), NO_COOLDOWN, NOW);

        assertThat(last.after().written().unallocated()).containsExactly(3, 1, 2, 0);
        assertThat(last.after().written().sequence()).isEqualTo(sequence + 6);
    }

    @Test
    void attributeOfOneAddressChangesWithoutTheOthersThatSharedIt() {
        var block = take(fresh("10.9.0.0/30"), 2, Requester.of("vm", labels("pod", "a")));

        var after = block.withAttribute(1, Held.by("vm", labels("pod", "b")));

        assertThat(after.attribute(0)).contains(Held.by("vm", labels("pod", "a")));
        assertThat(after.attribute(1)).contains(Held.by("vm", labels("pod", "b")));
    }

    @Test
    @DisplayName("CAL-121: each of the seven faults is reported in Calico's words")
    void faultsAreReported() {
        var held = List.<Attribute>of(Held.by("h", labels()));
        var later = new Cooling(NOW.plusSeconds(5));
        var small = Block.stored(prefix("10.9.0.0/30"));

        assertThat(small.allocations(7, -1, -1, -1).unallocated(1, 2, 3).build().faults(NOW))
                .containsExactly("allocation 0 indexes a nonexistent attribute 7");
        assertThat(Block.stored(prefix("10.9.0.0/30"))
                        .unallocated(0, 1, 2, 3)
                        .attributes(held)
                        .build()
                        .faults(NOW))
                .containsExactly("attribute index 0 exists but is not indexed by an allocation");
        assertThat(Block.stored(prefix("10.9.0.0/30"))
                        .allocations(0, -1, -1, -1)
                        .unallocated(1, 2, 3)
                        .attributes(List.of(later))
                        .build()
                        .faults(NOW))
                .containsExactly("attribute index 0 has releasedAt in the future, suggesting clock skew");
        assertThat(Block.stored(prefix("10.9.0.0/30"))
                        .unallocated(0, 1, 2, 4)
                        .build()
                        .faults(NOW))
                .containsExactly("ordinal 4 appears in the Unallocated array but is out of the block");
        assertThat(Block.stored(prefix("10.9.0.0/30"))
                        .unallocated(0, 1, 2, 2)
                        .build()
                        .faults(NOW))
                .containsExactly("ordinal 2 appears more than once in Unallocated array");
        assertThat(Block.stored(prefix("10.9.0.0/30"))
                        .allocations(0, -1, -1, -1)
                        .unallocated(0, 1, 2)
                        .attributes(held)
                        .build()
                        .faults(NOW))
                .containsExactly("ordinal 0 is allocated but appears in Unallocated");
        assertThat(Block.stored(prefix("10.9.0.0/30"))
                        .allocations(0, -1, -1, -1)
                        .unallocated(2, 3)
                        .attributes(held)
                        .build()
                        .faults(NOW))
                .containsExactly("expected 4 addresses in this block, but Unallocated (2) + Allocated (1) =" + " 3");
    }

    @Test
    void damagedBlockRefusesToBeChanged() {
        var wrongIndex = Block.stored(prefix("10.9.0.0/30"))
                .allocations(7, -1, -1, -1)
                .unallocated(1, 2, 3)
                .build();
        var wrongLength = Block.stored(prefix("10.9.0.0/30"))
                .allocations(-1, -1)
                .unallocated(0, 1)
                .build();

        for (var block : List.of(wrongIndex, wrongLength)) {
            assertThat(block.damaged()).isTrue();
            assertThatThrownBy(() -> block.take(1, Requester.ANONYMOUS, Reservations.NONE))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("block 10.9.0.0/30 is damaged and must not be changed");
        }
    }
}
