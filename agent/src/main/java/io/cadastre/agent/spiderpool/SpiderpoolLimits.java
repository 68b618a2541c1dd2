package io.cadastre.agent.spiderpool;

import io.cadastre.linux.probe.ProbeTiming;
import java.time.Duration;

/// How long the plugin waits.
///
/// @param addMax how long an agent may take for all that an ADD asks of it
/// @param delMax how long an agent may take for all that any other call asks of it
/// @param probes how conflicts of addresses are probed
public record SpiderpoolLimits(Duration addMax, Duration delMax, ProbeTiming probes) {

    /// As long as Spiderpool's plugin waits for its agent.
    private static final Duration AGENT_MAX = Duration.ofSeconds(100);

    /// The limits where calls may take so long.
    public static SpiderpoolLimits within(Duration callMax, Duration delMax) {
        return new SpiderpoolLimits(
                callMax.compareTo(AGENT_MAX) < 0 ? callMax : AGENT_MAX, delMax, ProbeTiming.DEFAULT);
    }
}
