package io.cadastre.engine.block;

import static io.cadastre.engine.block.Fixtures.NOW;
import static io.cadastre.engine.block.Fixtures.address;
import static io.cadastre.engine.block.Fixtures.labels;
import static io.cadastre.engine.block.Fixtures.prefix;
import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.engine.block.Attribute.Cooling;
import io.cadastre.engine.block.Attribute.Held;
import io.cadastre.engine.block.assign.Requester;
import io.cadastre.engine.block.index.BlockSnapshot;
import io.cadastre.engine.block.release.ReleaseOption;
import io.cadastre.engine.block.release.SequenceCheck;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// The mechanics of a block, packed and fast, agree with a slow and obvious twin.
class BlockPropertyTest {

    private static final int SEEDS = 400;
    private static final int STEPS = 60;

    /// A block in its simplest form: who has which address, and a queue.
    private static final class Twin {

        private final SortedMap<Integer, Attribute> taken = new TreeMap<>();
        private final SortedMap<Integer, Long> sequences = new TreeMap<>();
        private final List<Integer> queue = new ArrayList<>();
        private long sequence;

        Twin(Block fresh) {
            for (int ordinal : fresh.unallocated()) {
                queue.add(ordinal);
            }
            sequence = fresh.sequence();
        }

        List<Integer> take(int count, Requester requester, Block block, Reservations reservations) {
            var given = new ArrayList<Integer>();
            for (int ordinal : List.copyOf(queue)) {
                if (given.size() < count && !reservations.contains(block.address(ordinal))) {
                    given.add(ordinal);
                    take(ordinal, requester);
                }
            }
            return given;
        }

        void take(int ordinal, Requester requester) {
            queue.removeIf(free -> free == ordinal);
            taken.put(ordinal, requester.attribute());
            sequences.put(ordinal, sequence);
        }

        void cool(int ordinal, Instant now) {
            taken.put(ordinal, new Cooling(now.truncatedTo(ChronoUnit.SECONDS)));
        }

        void normalise(int cooldown, Instant now) {
            for (var entry : new TreeMap<>(taken).entrySet()) {
                if (entry.getValue() instanceof Cooling cooling
                        && (cooldown <= 0 || cooling.releasedAt().isBefore(now.minusSeconds(cooldown)))) {
                    taken.remove(entry.getKey());
                    sequences.remove(entry.getKey());
                    queue.add(entry.getKey());
                }
            }
        }
    }

    @Test
    void packedBlockAgreesWithItsTwin() {
        for (int seed = 0; seed < SEEDS; seed++) {
            play(seed);
        }
    }

    private static void play(int seed) {
        var random = new Random(seed);
        int length = 32 - random.nextInt(5);
        var block = Block.fresh(prefix("10.0.0.0/" + length), Owner.host("a"), new HostReserve.None(), NOW);
        var twin = new Twin(block);
        var now = NOW;
        int cooldown = random.nextBoolean() ? 0 : 30;
        var reservations = random.nextBoolean() ? Reservations.NONE : Reservations.of(List.of(prefix("10.0.0.2/31")));
        for (int step = 0; step < STEPS; step++) {
            now = now.plusSeconds(random.nextInt(20));
            block = block.normalised(cooldown, now);
            twin.normalise(cooldown, now);
            var requester = Requester.of("h" + random.nextInt(3), labels("t", "" + random.nextInt(2)));
            switch (random.nextInt(4)) {
                case 0 -> {
                    int count = 1 + random.nextInt(4);
                    var expected = twin.take(count, requester, block, reservations);
                    var grant = block.take(count, requester, reservations);
                    assertThat(grant.addresses())
                            .isEqualTo(expected.stream().map(block::address).toList());
                    block = grant.after();
                }
                case 1 -> {
                    int ordinal = random.nextInt(block.size());
                    if (block.attribute(ordinal).isEmpty()) {
                        block = block.take(ordinal, requester);
                        twin.take(ordinal, requester);
                    }
                }
                case 2 -> block = release(block, twin, random, cooldown, now);
                default -> {
                    var handle = "h" + random.nextInt(3);
                    block = block.releaseByHandle(handle, new SequenceCheck.Any(), cooldown, now)
                            .after();
                    for (var entry : new TreeMap<>(twin.taken).entrySet()) {
                        if (entry.getValue() instanceof Held held
                                && held.handle().equals(handle)) {
                            twin.cool(entry.getKey(), now);
                        }
                    }
                    twin.normalise(cooldown, now);
                }
            }
            block = block.written();
            twin.sequence++;
            compare(seed, block, twin, now);
        }
    }

    private static Block release(Block block, Twin twin, Random random, int cooldown, Instant now) {
        var items = new TreeMap<Integer, ReleaseOption>();
        for (int index = 0; index <= random.nextInt(3); index++) {
            int ordinal = random.nextInt(block.size());
            var option = ReleaseOption.of(block.address(ordinal).toString());
            if (random.nextInt(4) == 0) {
                option = option.withHandle("h" + random.nextInt(3));
            }
            if (random.nextInt(4) == 0) {
                option = option.withSequence(block.sequenceOf(ordinal) - random.nextInt(2));
            }
            items.put(ordinal, option);
        }
        boolean allowed = items.entrySet().stream().allMatch(item -> {
            var held = twin.taken.get(item.getKey());
            boolean number = item.getValue().sequence().accepts(twin.sequences.getOrDefault(item.getKey(), 0L));
            boolean handle = !(held instanceof Held by)
                    || item.getValue().handle().isEmpty()
                    || by.handle().equals(item.getValue().handle());
            return number && handle;
        });
        var result = block.release(items, cooldown, now);
        assertThat(result instanceof Freeing.Freed).isEqualTo(allowed);
        if (!(result instanceof Freeing.Freed freed)) {
            return block;
        }
        for (int ordinal : items.keySet()) {
            if (twin.taken.get(ordinal) instanceof Held) {
                twin.cool(ordinal, now);
                twin.sequences.put(ordinal, twin.sequence);
            }
        }
        twin.normalise(cooldown, now);
        return freed.after();
    }

    private static void compare(int seed, Block block, Twin twin, Instant now) {
        assertThat(block.faults(now)).as("seed %d", seed).isEmpty();
        assertThat(block.unallocated())
                .as("seed %d", seed)
                .isEqualTo(twin.queue.stream().mapToInt(Integer::intValue).toArray());
        for (int ordinal = 0; ordinal < block.size(); ordinal++) {
            assertThat(block.attribute(ordinal))
                    .as("seed %d ordinal %d", seed, ordinal)
                    .isEqualTo(Optional.ofNullable(twin.taken.get(ordinal)));
        }
        assertThat(block.sequences()).as("seed %d", seed).isEqualTo(twin.sequences);
        assertThat(block.empty()).isEqualTo(twin.taken.isEmpty());
    }

    @Test
    void firstGapAgreesWithAWalk() {
        for (int seed = 0; seed < SEEDS; seed++) {
            var random = new Random(seed);
            var pool = BlockCluster.pool("p", "10.0.0.0/24", 28);
            var known = BlockSnapshot.empty();
            for (int index = 0; index < random.nextInt(20); index++) {
                int length = random.nextInt(8) == 0 ? 27 + 2 * random.nextInt(2) : 28;
                var cidr = Prefix.containing(address("10.0.0." + random.nextInt(256)), length);
                known = known.with(
                        new BlockItem.OfBlock(cidr), Block.fresh(cidr, Owner.host("a"), new HostReserve.None(), NOW));
                if (random.nextInt(5) == 0) {
                    known = known.without(new BlockItem.OfBlock(cidr));
                }
            }
            int from = random.nextInt(16);
            int to = from + random.nextInt(16 - from);

            var found = known.findUnclaimed(pool, address("10.0.0." + from * 16), address("10.0.0." + to * 16));

            Optional<Prefix> expected = Optional.empty();
            for (int place = from; place <= to && expected.isEmpty(); place++) {
                var cidr = prefix("10.0.0.%d/28".formatted(place * 16));
                if (known.blocks(Family.IPV4).stream()
                        .noneMatch(block -> block.cidr().overlaps(cidr))) {
                    expected = Optional.of(cidr);
                }
            }
            assertThat(found).as("seed %d", seed).isEqualTo(expected);
        }
    }
}
