package io.cadastre.verification.benchmarks;

import io.cadastre.registry.Pause;
import java.time.InstantSource;
import java.util.random.RandomGenerator;

/// The time and chance of a measurement.
public record BenchContext(InstantSource clock, RandomGenerator dice, Pause pause) {}
