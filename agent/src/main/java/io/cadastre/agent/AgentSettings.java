package io.cadastre.agent;

import java.nio.file.Path;
import java.time.Duration;

/// Where an agent listens, and how much it takes on.
///
/// @param spool where plugins leave what they could not deliver
/// @param underWayMax how many calls are served at the same time; as many beside them that start programs
/// @param waitingMax how many more of either kind may wait
/// @param readMax how long a caller may take to send its request
/// @param callMax how long a call may take; a plugin waits as long
/// @param delMax how long a DEL may take
/// @param drainPeriod how often the spool is looked at
public record AgentSettings(
        Path socket,
        Path spool,
        int underWayMax,
        int waitingMax,
        Duration readMax,
        Duration callMax,
        Duration delMax,
        Duration drainPeriod) {

    public AgentSettings {
        if (underWayMax < 1 || waitingMax < 0) {
            throw new IllegalArgumentException("an agent serves at least one call");
        }
    }

    public static AgentSettings of(Path socket, Path spool) {
        return new AgentSettings(
                socket,
                spool,
                128,
                1024,
                Duration.ofSeconds(5),
                Duration.ofSeconds(60),
                Duration.ofSeconds(30),
                Duration.ofSeconds(5));
    }

    public AgentSettings withLimits(int underWay, int waiting) {
        return new AgentSettings(socket, spool, underWay, waiting, readMax, callMax, delMax, drainPeriod);
    }

    /// With the same limit for every verb, and for sending the request.
    public AgentSettings within(Duration limit) {
        return new AgentSettings(socket, spool, underWayMax, waitingMax, limit, limit, limit, drainPeriod);
    }

    public AgentSettings drainingEvery(Duration period) {
        return new AgentSettings(socket, spool, underWayMax, waitingMax, readMax, callMax, delMax, period);
    }
}
