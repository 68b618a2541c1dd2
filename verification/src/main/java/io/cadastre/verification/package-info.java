/// Simulation and benchmarks.
@NullMarked
package io.cadastre.verification;

import org.jspecify.annotations.NullMarked;
