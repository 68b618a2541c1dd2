package io.cadastre.engine.block.selector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.cadastre.engine.block.selector.Selector.All;
import io.cadastre.engine.block.selector.Selector.And;
import io.cadastre.engine.block.selector.Selector.Comparison;
import io.cadastre.engine.block.selector.Selector.Global;
import io.cadastre.engine.block.selector.Selector.Has;
import io.cadastre.engine.block.selector.Selector.In;
import io.cadastre.engine.block.selector.Selector.Not;
import io.cadastre.engine.block.selector.Selector.NotIn;
import io.cadastre.engine.block.selector.Selector.Operator;
import io.cadastre.engine.block.selector.Selector.Or;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Holds for selectors and texts that a seed makes up.
class SelectorPropertyTest {

    private static final int SELECTORS = 2_000;
    private static final int TEXTS = 30_000;

    private static final List<String> LABELS =
            List.of("a", "b", "in", "not", "has", "all", "contains", "starts", "k8s.io/x_y-z");

    private static final List<String> VALUES =
            List.of("", "a", "b", "ab", "'", "\"", "ba\"b", "\n\t ", "\u00e9", "\ue000", "\ud83d\ude00");

    private static final List<String> SCRAPS = List.of(
            "(",
            ")",
            "{",
            "}",
            ",",
            "==",
            "!=",
            "=",
            "!",
            "&&",
            "&",
            "||",
            "|",
            "\"",
            "'",
            " ",
            "\t",
            "\n",
            "contains",
            "starts",
            "with",
            "ends",
            "not",
            "in",
            "has(",
            "all(",
            "global(",
            "all()",
            "a",
            "-",
            "\u00e9",
            "\ud83d",
            "\0",
            "%");

    @Test
    void canonicalTextReadsAsTheSameSelector() {
        for (long seed = 0; seed < SELECTORS; seed++) {
            var selector = withoutDoubleNegation(any(new Random(seed), 4));

            var reread = Selector.parse(selector.canonical());

            assertThat(reread).as("seed %d", seed).isEqualTo(selector);
            assertThat(reread.canonical()).as("seed %d", seed).isEqualTo(selector.canonical());
        }
    }

    @Test
    void canonicalTextMatchesTheSameLabelsEvenAfterDoubleNegation() {
        for (long seed = 0; seed < SELECTORS; seed++) {
            var random = new Random(seed);
            var selector = any(random, 5);
            var reread = Selector.parse(selector.canonical());

            for (int round = 0; round < 10; round++) {
                var labels = labels(random);

                assertThat(reread.matches(labels))
                        .as("seed %d: %s on %s", seed, selector.canonical(), labels)
                        .isEqualTo(selector.matches(labels));
            }
        }
    }

    @Test
    void negationTurnsEveryAnswer() {
        for (long seed = 0; seed < SELECTORS; seed++) {
            var random = new Random(seed);
            var selector = any(random, 3);
            var labels = labels(random);

            assertThat(new Not(selector).matches(labels)).as("seed %d", seed).isNotEqualTo(selector.matches(labels));
        }
    }

    @Test
    void chainsAgreeWithTheirOperands() {
        for (long seed = 0; seed < SELECTORS; seed++) {
            var random = new Random(seed);
            var operands = operands(random, 3);
            var labels = labels(random);

            assertThat(new And(operands).matches(labels))
                    .as("seed %d", seed)
                    .isEqualTo(operands.stream().allMatch(operand -> operand.matches(labels)));
            assertThat(new Or(operands).matches(labels))
                    .as("seed %d", seed)
                    .isEqualTo(operands.stream().anyMatch(operand -> operand.matches(labels)));
        }
    }

    @Test
    void anyTextIsASelectorOrASyntaxError() {
        var vectors = SelectorVector.all();
        int readable = 0;
        for (long seed = 0; seed < TEXTS; seed++) {
            var random = new Random(seed);
            var text = mutated(oneOf(random, vectors).text(), random);
            if (readable(text, seed)) {
                readable++;
            }
        }

        assertThat(readable).isBetween(TEXTS / 100, TEXTS - TEXTS / 100);
    }

    private static boolean readable(String text, long seed) {
        try {
            return switch (SelectorText.of(text)) {
                case SelectorText.Parsed(var _, var selector) -> {
                    var canonical = selector.canonical();
                    Selector.parse(canonical);
                    yield true;
                }
                case SelectorText.TooMuch(var _, var bound) -> {
                    assertThat(bound).as("seed %d", seed).isNotBlank();
                    yield false;
                }
                case SelectorText.Malformed(var _, var error) -> {
                    assertThat(error).as("seed %d", seed).isNotBlank();
                    yield false;
                }
            };
        } catch (RuntimeException | StackOverflowError e) {
            return fail("seed %d: %s".formatted(seed, text), e);
        }
    }

    private static String mutated(String original, Random random) {
        var text = new StringBuilder(original);
        int changes = 1 + random.nextInt(4);
        for (int change = 0; change < changes; change++) {
            int position = random.nextInt(text.length() + 1);
            switch (random.nextInt(4)) {
                case 0 -> text.insert(position, oneOf(random, SCRAPS));
                case 1 -> text.insert(position, (char) random.nextInt(0x10000));
                case 2 -> text.delete(position, Math.min(text.length(), position + 3));
                default -> text.append(text.substring(position));
            }
        }
        return text.toString();
    }

    /// The selector as its canonical text reads: what is negated twice is not negated.
    private static Selector withoutDoubleNegation(Selector selector) {
        return switch (selector) {
            case Not(Not(var operand)) -> withoutDoubleNegation(operand);
            case Not(var operand) -> new Not(withoutDoubleNegation(operand));
            case And(var operands) ->
                new And(operands.stream()
                        .map(SelectorPropertyTest::withoutDoubleNegation)
                        .toList());
            case Or(var operands) ->
                new Or(operands.stream()
                        .map(SelectorPropertyTest::withoutDoubleNegation)
                        .toList());
            case All _, Global _, Has _, Comparison _, In _, NotIn _ -> selector;
        };
    }

    private static Selector any(Random random, int depth) {
        return switch (random.nextInt(depth == 0 ? 6 : 9)) {
            case 0 -> new All();
            case 1 -> new Global();
            case 2 -> new Has(oneOf(random, LABELS));
            case 3 ->
                new Comparison(oneOf(random, LABELS), oneOf(random, List.of(Operator.values())), oneOf(random, VALUES));
            case 4 -> new In(oneOf(random, LABELS), values(random));
            case 5 -> new NotIn(oneOf(random, LABELS), values(random));
            case 6 -> new Not(any(random, depth - 1));
            case 7 -> new And(operands(random, depth - 1));
            default -> new Or(operands(random, depth - 1));
        };
    }

    private static List<Selector> operands(Random random, int depth) {
        return Stream.generate(() -> any(random, depth))
                .limit(2 + random.nextInt(3))
                .toList();
    }

    private static List<String> values(Random random) {
        return Stream.generate(() -> oneOf(random, VALUES))
                .limit(random.nextInt(5))
                .toList();
    }

    private static Map<String, String> labels(Random random) {
        var labels = new TreeMap<String, String>();
        for (int label = random.nextInt(6); label > 0; label--) {
            labels.put(oneOf(random, LABELS), oneOf(random, VALUES));
        }
        return labels;
    }

    private static <T> T oneOf(Random random, List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }
}
