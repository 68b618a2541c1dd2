package io.cadastre.engine.block;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.engine.block.index.Fnv1;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class Fnv1Test {

    @ParameterizedTest
    @CsvSource({
        "'', 2166136261",
        "host-a, 1258779341",
        "host-b, 1258779342",
        "node-a, 568266999",
        "node-b, 568266996",
        "node1, 3957252814",
        "node-1, 568266919",
        "test-host, 1779102516",
        "testHost, 2118914743",
        "load-balancer, 4270604816",
        "worker-0.example.com, 3600338325",
    })
    void hostsHaveTheHashesOfGo(String host, long hash) {
        assertThat(Fnv1.hash(host)).isEqualTo(hash);
    }

    @Test
    void hashIsThatOfTheUtf8Bytes() {
        for (long seed = 0; seed < 10_000; seed++) {
            var text = text(new Random(seed));

            assertThat(Fnv1.hash(text)).as("seed %d", seed).isEqualTo(hashOfBytes(text.getBytes(UTF_8)));
        }
    }

    @Test
    void halfASurrogatePairCountsAsTheReplacementCharacter() {
        assertThat(Fnv1.hash("a\ud83db")).isEqualTo(Fnv1.hash("a\ufffdb"));
        assertThat(Fnv1.hash("\ude00")).isEqualTo(Fnv1.hash("\ufffd"));
    }

    private static long hashOfBytes(byte[] bytes) {
        long hash = 2166136261L;
        for (byte value : bytes) {
            hash = hash * 16777619 % (1L << 32) ^ Byte.toUnsignedLong(value);
        }
        return hash;
    }

    /// Characters of one to four bytes each, and no half pairs.
    private static String text(Random random) {
        return random.ints(random.nextInt(8), 0, Character.MAX_CODE_POINT + 1)
                .map(codePoint -> codePoint >>> random.nextInt(21))
                .filter(codePoint -> codePoint < 0xd800 || codePoint > 0xdfff)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}
