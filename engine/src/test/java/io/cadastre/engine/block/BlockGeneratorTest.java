package io.cadastre.engine.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cadastre.address.Address;
import io.cadastre.address.Prefix;
import io.cadastre.address.Subdivision;
import io.cadastre.engine.block.index.BlockGenerator;
import io.cadastre.engine.block.index.Fnv1;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class BlockGeneratorTest {

    private static final Instant NOW = Instant.parse("2026-03-01T10:20:30.123456789Z");

    static List<BlockGeneratorVector> vectors() {
        return BlockGeneratorVector.all();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("vectors")
    void hostStartsWhereCalicoStarts(BlockGeneratorVector vector) {
        var generator = BlockGenerator.of(vector.host(), vector.pool(), vector.blockLength(), NOW);

        assertThat(Fnv1.hash(vector.host())).isEqualTo(vector.hash());
        assertThat(generator.count()).isEqualTo(vector.count());
        assertThat(generator.start()).isEqualTo(vector.start());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("vectors")
    void blocksComeInCalicosOrder(BlockGeneratorVector vector) {
        var generator = BlockGenerator.of(vector.host(), vector.pool(), vector.blockLength(), NOW);

        var walked = first(vector.blocks().size(), generator);

        assertThat(walked).isEqualTo(vector.blocks());
        assertThat(IntStream.range(0, vector.blocks().size())
                        .mapToObj(step -> generator.block(BigInteger.valueOf(step))))
                .isEqualTo(vector.blocks());
    }

    @Test
    void everyVectorIsThere() {
        assertThat(vectors().stream().map(BlockGeneratorVector::id))
                .isEqualTo(IntStream.rangeClosed(1, 264)
                        .mapToObj("BG-%03d"::formatted)
                        .toList());
    }

    @ParameterizedTest
    @CsvSource({
        "host-a, 10.0.0.0/24, 26, 0, 10.0.0.0/26",
        "host-b, 10.0.0.0/24, 26, 2, 10.0.0.128/26",
        "node-a, 10.0.0.0/24, 26, 2, 10.0.0.128/26",
        "node-b, 10.0.0.0/24, 26, 1, 10.0.0.64/26",
        "node-a, 10.244.0.0/16, 26, 698, 10.244.174.128/26",
        "node-b, 10.244.0.0/16, 26, 873, 10.244.218.64/26",
        "node1, 10.244.0.0/16, 26, 666, 10.244.166.128/26",
        "node-1, 192.168.0.0/16, 26, 338, 192.168.84.128/26",
        "test-host, 192.168.1.0/24, 26, 2, 192.168.1.128/26",
        "testHost, 10.10.0.0/16, 20, 7, 10.10.112.0/20",
        "load-balancer, 10.9.0.0/24, 30, 1, 10.9.0.4/30",
        "worker-0.example.com, 10.128.0.0/14, 24, 54, 10.128.54.0/24",
        "node-a, 10.0.0.0/8, 29, 1424058, 10.173.213.208/29",
        "node-a, fd80:24e2:f998:72d6::/120, 122, 2, fd80:24e2:f998:72d6::80/122",
        "node-a, fd5f:abcd:64::/48, 122, 8048964676600792667650," + " fd5f:abcd:64:6d15:74ba:80e:4835:8080/122",
    })
    void firstBlockFollowsFromTheNameOfTheHost(
            String host, String pool, int blockLength, BigInteger start, String block) {
        var generator = BlockGenerator.of(host, Prefix.parse(pool), blockLength, NOW);

        assertThat(generator.start()).isEqualTo(start);
        assertThat(generator.block(BigInteger.ZERO)).isEqualTo(Prefix.parse(block));
    }

    @Test
    void walkGoesRoundOnceAndMeetsEveryBlock() {
        var pool = Prefix.parse("10.0.0.0/8");
        var subdivision = new Subdivision(pool, 20);
        long start = 4000;
        var generator = new BlockGenerator(pool, 20, BigInteger.valueOf(start));

        var walked = new ArrayList<Prefix>();
        generator.forEach(walked::add);

        assertThat(walked)
                .isEqualTo(LongStream.concat(LongStream.range(start, 4096), LongStream.range(0, start))
                        .mapToObj(subdivision::part)
                        .toList());
    }

    @ParameterizedTest
    @CsvSource({
        "0.0.0.0/0, 1, 1, 128.0.0.0/1 0.0.0.0/1",
        "255.255.255.0/24, 25, 1, 255.255.255.128/25 255.255.255.0/25",
        "::/0, 1, 0, ::/1 8000::/1",
        "ffff:ffff:ffff:ffff:ffff:ffff:ffff:fffe/127, 128, 1,"
                + " ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff/128"
                + " ffff:ffff:ffff:ffff:ffff:ffff:ffff:fffe/128",
        "0.0.0.0/0, 0, 0, 0.0.0.0/0",
        "10.0.0.1/32, 32, 0, 10.0.0.1/32",
    })
    void walkEndsAtTheEdgesOfTheFamily(String pool, int blockLength, int start, String blocks) {
        var generator = new BlockGenerator(Prefix.parse(pool), blockLength, BigInteger.valueOf(start));

        assertThat(generator)
                .containsExactlyElementsOf(
                        Arrays.stream(blocks.split(" ")).map(Prefix::parse).toList());
    }

    @Test
    void walkThatIsOverGivesNothing() {
        var walk = new BlockGenerator(Prefix.parse("10.0.0.0/26"), 26, BigInteger.ZERO).iterator();
        walk.next();

        assertThat(walk.hasNext()).isFalse();
        assertThatThrownBy(walk::next).isInstanceOf(NoSuchElementException.class);
    }

    @Test
    void poolSmallerThanABlockHasNone() {
        var generator = BlockGenerator.of("node-a", Prefix.parse("10.0.0.0/27"), 26, NOW);

        assertThat(generator).isEmpty();
        assertThat(generator.count()).isZero();
        assertThatThrownBy(() -> generator.block(BigInteger.ZERO))
                .isInstanceOf(IndexOutOfBoundsException.class)
                .hasMessage("10.0.0.0/27 has 0 blocks of /26, so none after 0 others");
    }

    @Test
    void walkCrossesTheBorderOf64BitsAndTheEndOfTheLargestPool() {
        var half = BigInteger.ONE.shiftLeft(64);
        var largest = Prefix.parse("::/0");

        var atTheBorder = new BlockGenerator(largest, 128, half.subtract(BigInteger.ONE));
        var atTheEnd = new BlockGenerator(largest, 128, half.multiply(half).subtract(BigInteger.ONE));

        assertThat(first(2, atTheBorder))
                .containsExactly(Prefix.parse("::ffff:ffff:ffff:ffff/128"), Prefix.parse("0:0:0:1::/128"));
        assertThat(first(2, atTheEnd))
                .containsExactly(Prefix.parse("ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff/128"), Prefix.parse("::/128"));
        assertThat(atTheBorder.block(half)).isEqualTo(Prefix.parse("::1:ffff:ffff:ffff:ffff/128"));
        assertThat(atTheEnd.count()).isEqualTo(half.multiply(half));
    }

    @Test
    void walkAndNumberedBlocksAgree() {
        for (long seed = 0; seed < 500; seed++) {
            var random = new Random(seed);
            int blockLength = random.nextInt(129);
            var address = Address.ipv6(random.nextLong(), random.nextLong());
            var pool = Prefix.containing(address, random.nextInt(blockLength + 1));
            var count = BigInteger.ONE.shiftLeft(blockLength - pool.length());
            var generator = new BlockGenerator(pool, blockLength, new BigInteger(128, random).mod(count));

            var walked = first(20, generator);

            assertThat(walked)
                    .as("seed %d", seed)
                    .hasSize(count.min(BigInteger.valueOf(20)).intValue());
            for (int step = 0; step < walked.size(); step++) {
                assertThat(generator.block(BigInteger.valueOf(step)))
                        .as("seed %d", seed)
                        .isEqualTo(walked.get(step));
            }
        }
    }

    /// The numbers that Go 1.26 draws below powers of two, with this seed.
    @ParameterizedTest(name = "2^{0} blocks, seed {1}")
    @CsvSource({
        "0, 1, 0",
        "0, 568266999, 0",
        "0, 1772360430123456789, 0",
        "0, -5, 0",
        "1, 1, 0",
        "1, 568266999, 1",
        "1, 1772360430123456789, 0",
        "1, -5, 1",
        "32, 1, 2596996162",
        "32, 568266999, 2193285066",
        "32, 1772360430123456789, 2810612212",
        "32, -5, 2235049402",
        "58, 1, 55507876462658626",
        "58, 568266999, 251070522519304890",
        "58, 1772360430123456789, 97501975630659880",
        "58, -5, 208788080613181865",
        "63, 1, 8074401587186932622",
        "63, 568266999, 4862756540946692794",
        "63, 1772360430123456789, 8999827540446850268",
        "63, -5, 8855699365164534185",
        "64, 1, 17349330445565363266",
        "64, 568266999, 6184260463428163074",
        "64, 1772360430123456789, 9172020594630625780",
        "64, -5, 5531747085813556666",
        "65, 1, 23997588154260586128",
        "65, 568266999, 23309500614656244410",
        "65, 1772360430123456789, 9172020594630625780",
        "65, -5, 18549729395250901358",
        "96, 1, 52651871899448163524133192770",
        "96, 568266999, 22145640117711535223324333570",
        "96, 1772360430123456789, 64898055633589148069383390119",
        "96, -5, 79124873088426334737725731182",
        "127, 1, 148946419627191546799699632787588580418",
        "127, 568266999, 149346660713644415429737021678460189370",
        "127, 1772360430123456789, 44333889856257156204934665100602018292",
        "127, -5, 137266378771093460801597622381345032617",
        "128, 1, 148946419627191546799699632787588580418",
        "128, 568266999, 149346660713644415429737021678460189370",
        "128, 1772360430123456789, 208301661151150742289562552348341742812",
        "128, -5, 137266378771093460801597622381345032617",
    })
    void startIsTheNumberThatGoDraws(int bits, long seed, BigInteger drawn) {
        var pool = Prefix.containing(Address.parse("fd00::"), 128 - bits);

        var generator = BlockGenerator.of(seed, pool, 128);

        assertThat(generator.start()).isEqualTo(drawn);
    }

    @Test
    void singleAddressesStartWhereTheTimeSays() {
        var pool = Prefix.parse("10.0.0.0/16");

        var now = BlockGenerator.of("node-a", pool, 32, NOW);
        var nowElsewhere = BlockGenerator.of("node-b", pool, 32, NOW);
        var later = BlockGenerator.of("node-a", pool, 32, NOW.plusNanos(1));

        assertThat(now).isEqualTo(BlockGenerator.of(1772360430123456789L, pool, 32));
        assertThat(nowElsewhere).isEqualTo(now);
        assertThat(later).isEqualTo(BlockGenerator.of(1772360430123456790L, pool, 32));
        assertThat(later.start()).isNotEqualTo(now.start());
    }

    @Test
    void timeDoesNotMatterToLargerBlocks() {
        var pool = Prefix.parse("fd00::/64");

        var now = BlockGenerator.of("node-a", pool, 127, NOW);
        var later = BlockGenerator.of("node-a", pool, 127, NOW.plusSeconds(1));

        assertThat(later).isEqualTo(now);
    }

    @Test
    void impossibleStartsAndSizesAreRefused() {
        var pool = Prefix.parse("10.0.0.0/24");

        assertThatThrownBy(() -> new BlockGenerator(pool, 26, BigInteger.valueOf(4)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("10.0.0.0/24 has no /26 block 4");
        assertThatThrownBy(() -> new BlockGenerator(pool, 26, BigInteger.valueOf(-1)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new BlockGenerator(pool, 23, BigInteger.ONE))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> BlockGenerator.of("node-a", pool, 33, NOW))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("10.0.0.0/24 cannot have blocks of /33");
        assertThatThrownBy(() -> BlockGenerator.of("node-a", pool, -1, NOW))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new BlockGenerator(pool, 26, BigInteger.ZERO).block(BigInteger.valueOf(4)))
                .isInstanceOf(IndexOutOfBoundsException.class);
    }

    private static List<Prefix> first(int countMax, BlockGenerator generator) {
        var blocks = new ArrayList<Prefix>();
        var walk = generator.iterator();
        while (blocks.size() < countMax && walk.hasNext()) {
            blocks.add(walk.next());
        }
        return blocks;
    }
}
