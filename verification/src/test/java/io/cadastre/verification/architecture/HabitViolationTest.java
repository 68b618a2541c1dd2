package io.cadastre.verification.architecture;

import static io.cadastre.verification.architecture.Planted.answering;
import static io.cadastre.verification.architecture.Planted.compiled;
import static io.cadastre.verification.architecture.Planted.violations;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A name, a package or a look at the clock that is against our habits is found.
class HabitViolationTest {

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "BlockImpl",
                "BlockManager",
                "BlockHelper",
                "BlockData",
                "BlockUtil",
                "BlockUtils",
                "AbstractBlock"
            })
    void nameThatSaysHowAThingIsMadeIsFound(String name) {
        var planted = compiled(folder, "package io.cadastre.registry; class %s {}".formatted(name));

        var violations = violations(Rules.NAMES_SAY_WHAT_A_THING_IS, planted);

        assertThat(violations).singleElement().asString().contains(name);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "java.time.Instant.now()",
                "java.time.InstantSource.system()",
                "java.time.Clock.systemUTC()",
                "System.currentTimeMillis()",
                "(java.util.function.Supplier<Object>) java.time.Instant::now"
            })
    void wallClockOutsideOfMainIsFound(String expression) {
        var planted = compiled(folder, answering("io.cadastre.registry", expression));

        var violations = violations(Rules.ONLY_MAIN_READS_THE_WALL_CLOCK, planted);

        assertThat(violations).isNotEmpty().allMatch(found -> found.contains("io.cadastre.registry.Planted"));
    }

    @Test
    void mainMayReadTheWallClock() {
        var planted = compiled(folder, """
            package io.cadastre.cli;
            class Main {
                java.time.InstantSource clock = java.time.InstantSource.system();
            }
            """, "package io.cadastre.cli; class Command {}");

        var violations = violations(Rules.ONLY_MAIN_READS_THE_WALL_CLOCK, planted);

        assertThat(violations).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"util", "common", "types", "helper", "manager"})
    void packageWithoutAConceptIsFound(String name) {
        var planted = compiled(folder, "package io.cadastre.registry.%s; class Planted {}".formatted(name));

        var violations = violations(Rules.PACKAGES_ARE_CONCEPTS, planted);

        assertThat(violations).singleElement().asString().contains("Planted");
    }
}
