package io.cadastre.address;

import java.util.Random;
import java.util.function.Consumer;
import org.opentest4j.AssertionFailedError;

/// Many cases of one property, each from a seed of its own, so that a failure can be run alone.
final class Cases {

    private Cases() {}

    /// Runs the property on `count` seeds from 1 on; a failure names its seed.
    static void run(int count, Consumer<Chance> property) {
        for (long seed = 1; seed <= count; seed++) {
            run(seed, property);
        }
    }

    private static void run(long seed, Consumer<Chance> property) {
        try {
            property.accept(new Chance(new Random(seed)));
        } catch (AssertionError | RuntimeException failure) {
            throw new AssertionFailedError("seed %d: %s".formatted(seed, failure), failure);
        }
    }
}
