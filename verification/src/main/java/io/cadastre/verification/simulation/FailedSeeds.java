package io.cadastre.verification.simulation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// Seeds with which some version of the code broke a rule. Every run runs them again.
public final class FailedSeeds {

    private static final String LIST = "failed-seeds.txt";

    private FailedSeeds() {}

    public static List<Long> of(Dialect dialect) {
        return lines().stream()
                .filter(line -> line.startsWith(dialect + " "))
                .map(line -> Long.valueOf(line.substring(dialect.toString().length() + 1)))
                .toList();
    }

    private static List<String> lines() {
        try (var list = FailedSeeds.class.getResourceAsStream(LIST)) {
            if (list == null) {
                throw new IllegalStateException("there is no list " + LIST);
            }
            return new String(list.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
