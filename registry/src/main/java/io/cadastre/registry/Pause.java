package io.cadastre.registry;

import java.time.Duration;

/// How a thread waits. Real time outside, simulated time in the simulator.
@FunctionalInterface
public interface Pause {

    void pause(Duration duration) throws InterruptedException;
}
