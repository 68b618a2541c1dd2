package io.cadastre.datastore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class KeysTest {

    /// Code points on both sides of every border of UTF-8 and UTF-16.
    private static final int[] BORDERS = {1, 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xffff, 0x10000, 0x10ffff};

    @Test
    void orderIsThatOfTheUtf8Bytes() {
        var random = new Random(1);
        for (int turn = 0; turn < 10_000; turn++) {
            var one = randomText(random);
            var other = randomText(random);

            int order = Keys.ORDER.compare(one, other);

            int expected = Arrays.compareUnsigned(
                    one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
            assertThat(Integer.signum(order)).isEqualTo(Integer.signum(expected));
        }
    }

    @Test
    void sizeIsThatOfTheUtf8Bytes() {
        var random = new Random(2);
        for (int turn = 0; turn < 1000; turn++) {
            var text = randomText(random);

            int bytes = Keys.utf8Bytes(text);

            assertThat(bytes).isEqualTo(text.getBytes(StandardCharsets.UTF_8).length);
        }
    }

    @Test
    void halfASurrogatePairHasNoSize() {
        for (var text : new String[] {"a\ud800", "a\udc00", "\ud800a", "\udc00\ud800"}) {
            assertThatThrownBy(() -> Keys.utf8Bytes(text)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    private static String randomText(Random random) {
        var text = new StringBuilder();
        for (int length = random.nextInt(5); length > 0; length--) {
            text.appendCodePoint(BORDERS[random.nextInt(BORDERS.length)]);
        }
        return text.toString();
    }
}
