/// Benchmarks: what the project promises about speed, measured.
@NullMarked
package io.cadastre.verification.benchmarks;

import org.jspecify.annotations.NullMarked;
