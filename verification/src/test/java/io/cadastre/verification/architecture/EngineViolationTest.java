package io.cadastre.verification.architecture;

import static io.cadastre.verification.architecture.Planted.answering;
import static io.cadastre.verification.architecture.Planted.compiled;
import static io.cadastre.verification.architecture.Planted.declaring;
import static io.cadastre.verification.architecture.Planted.knowing;
import static io.cadastre.verification.architecture.Planted.violations;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// An engine that knows another, or whose answer is not the same each time, is found.
class EngineViolationTest {

    @TempDir
    Path folder;

    @Test
    void engineThatKnowsAnotherEngineIsFound() {
        var planted = compiled(
                folder,
                declaring("io.cadastre.engine.pool.Pool"),
                knowing("io.cadastre.engine.block", "io.cadastre.engine.pool.Pool"));

        var violations = violations(Rules.ENGINES_ARE_STRANGERS, planted);

        assertThat(violations).singleElement().asString().contains("io.cadastre.engine.block.Planted");
    }

    @Test
    void sharedWordThatKnowsAnEngineIsFound() {
        var planted = compiled(
                folder,
                declaring("io.cadastre.engine.pool.Pool"),
                knowing("io.cadastre.engine", "io.cadastre.engine.pool.Pool"));

        var violations = violations(Rules.WHAT_ENGINES_SHARE_KNOWS_NO_ENGINE, planted);

        assertThat(violations).singleElement().asString().contains("io.cadastre.engine.Planted");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "java.time.Instant.now()",
                "java.time.LocalDate.now()",
                "java.time.Clock.systemUTC()",
                "System.currentTimeMillis()",
                "System.nanoTime()",
                "new java.util.Date()",
                "(java.util.function.Supplier<Object>) java.time.Instant::now",
                "(java.util.function.Function<java.time.InstantSource, Object>) source ->" + " source.instant()"
            })
    void engineThatReadsAClockIsFound(String expression) {
        var planted = compiled(folder, answering("io.cadastre.engine.block", expression));

        var violations = violations(Rules.ENGINES_READ_NO_CLOCK, planted);

        assertThat(violations).isNotEmpty().allMatch(found -> found.contains("io.cadastre.engine.block.Planted"));
    }

    @Test
    void engineMayBeGivenAnInstant() {
        var planted = compiled(folder, """
            package io.cadastre.engine.block;
            class Planted {
                boolean over(java.time.Instant now, java.time.Instant end) {
                    return now.plusSeconds(1).isAfter(end);
                }
            }
            """);

        var violations = violations(Rules.ENGINES_READ_NO_CLOCK, planted);

        assertThat(violations).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Math.random()",
                "java.util.concurrent.ThreadLocalRandom.current()",
                "new java.util.Random()",
                "new java.util.SplittableRandom(1)",
                "java.util.UUID.randomUUID()",
                "java.util.random.RandomGenerator.getDefault()",
                "(java.util.function.Supplier<Object>) java.util.Random::new"
            })
    void engineThatRollsDiceIsFound(String expression) {
        var planted = compiled(folder, answering("io.cadastre.engine.block", expression));

        var violations = violations(Rules.ENGINES_ROLL_NO_DICE, planted);

        assertThat(violations).isNotEmpty().allMatch(found -> found.contains("io.cadastre.engine.block.Planted"));
    }

    @Test
    void engineMayBeGivenAGenerator() {
        var planted = compiled(folder, """
            package io.cadastre.engine.block;
            class Planted {
                int choose(java.util.random.RandomGenerator chance, int count) {
                    return chance.nextInt(count);
                }
            }
            """);

        var violations = violations(Rules.ENGINES_ROLL_NO_DICE, planted);

        assertThat(violations).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "java.util.Set.of(1, 2)",
                "java.util.Set.copyOf(java.util.List.of(1))",
                "java.util.Map.of(1, 2)",
                "java.util.Map.copyOf(new java.util.TreeMap<>())",
                "java.util.Map.ofEntries()",
                "new java.util.HashSet<>()",
                "new java.util.HashMap<>()",
                "java.util.stream.Stream.of(1).collect(java.util.stream.Collectors.toSet())"
            })
    void engineThatIteratesInAnyOrderIsFound(String expression) {
        var planted = compiled(folder, answering("io.cadastre.engine.block", expression));

        var violations = violations(Rules.ENGINES_ITERATE_IN_ONE_ORDER, planted);

        assertThat(violations).isNotEmpty().allMatch(found -> found.contains("io.cadastre.engine.block.Planted"));
    }

    @Test
    void engineMayUseListsAndSortedMaps() {
        var planted = compiled(folder, """
            package io.cadastre.engine.block;
            class Planted {
                java.util.Map<String, Integer> free = new java.util.TreeMap<>();
                java.util.List<Integer> order = java.util.List.of(1, 2);
                java.util.Set<Integer> kept = new java.util.LinkedHashSet<>(order);
            }
            """);

        var violations = violations(Rules.ENGINES_ITERATE_IN_ONE_ORDER, planted);

        assertThat(violations).isEmpty();
    }
}
