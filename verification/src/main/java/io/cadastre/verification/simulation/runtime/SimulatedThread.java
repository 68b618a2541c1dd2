package io.cadastre.verification.simulation.runtime;

import java.util.SplittableRandom;

/// A thread of a simulated process.
///
/// @param choices what it draws from
public record SimulatedThread(String process, String name, SplittableRandom choices) {

    /// Its name as a part of the names of what only this thread asks about.
    public String prefix() {
        return name.replace('.', '-');
    }
}
