package io.cadastre.datastore.kubernetes;

import java.time.Duration;

/// When a connection is taken for dead, and how often new ones are made.
///
/// @param requestSilence a request that was not answered for so long makes its connection suspect
/// @param streamSilence a watch on which nothing came for so long makes its connection suspect
/// @param answer how long a probe waits; two probes are as far apart
/// @param replacementInterval the least time between two replacements of the HTTP client
record ProbeLimits(Duration requestSilence, Duration streamSilence, Duration answer, Duration replacementInterval) {

    /// The server sends a bookmark to each watch every minute. It answers a probe from memory, so a second is ample.
    static final ProbeLimits DEFAULT = new ProbeLimits(
            Duration.ofSeconds(2), Duration.ofSeconds(75), Duration.ofSeconds(1), Duration.ofSeconds(5));
}
