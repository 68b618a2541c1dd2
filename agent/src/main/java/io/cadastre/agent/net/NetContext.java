package io.cadastre.agent.net;

import io.cadastre.agent.KeyedLock;
import io.cadastre.registry.Pause;
import java.time.Duration;

/// All that a call is served with.
///
/// @param turns of workloads: two sandboxes of one pod have the same link on the host and the same endpoint
/// @param kernelMax how long a DEL waits for the kernel
record NetContext(
        Host host,
        AddPreconditions preconditions,
        EndpointRecords records,
        PodLookup pods,
        Delegates delegates,
        KeyedLock turns,
        Duration kernelMax,
        Pause pause) {}
