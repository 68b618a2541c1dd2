package io.cadastre.wire.pages;

import java.util.Optional;
import java.util.function.Supplier;

/// One thing that must be in order.
///
/// @param fault what is wrong, as a sentence; empty if nothing is
public record HealthCheck(String name, Supplier<Optional<String>> fault) {}
