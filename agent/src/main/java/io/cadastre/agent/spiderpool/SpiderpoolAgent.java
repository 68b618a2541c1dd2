package io.cadastre.agent.spiderpool;

import io.cadastre.wire.spiderpool.IpamAddArgs;
import io.cadastre.wire.spiderpool.IpamAddResponse;
import io.cadastre.wire.spiderpool.IpamBatchDelArgs;
import io.cadastre.wire.spiderpool.IpamDelArgs;
import io.cadastre.wire.spiderpool.PodIdentity;
import io.cadastre.wire.spiderpool.WorkloadEndpoint;

import java.util.Optional;

/// Whoever keeps the addresses of pods as Spiderpool's agent does. All of it may be asked twice.
///
/// Every method throws a [SpiderpoolAgentException] where it cannot do what it is asked.
public interface SpiderpoolAgent {

    /// Returns if it can be asked for addresses now.
    void checkHealth();

    /// The addresses of the pod for the interface, and perhaps for others of its interfaces. A pod that
    /// has some gets the same again.
    IpamAddResponse allocate(IpamAddArgs args);

    /// Takes back what the pod has, unless it is to keep it.
    void release(IpamDelArgs args);

    /// Takes back what the pod has, also while it lives: its addresses are of no use.
    void releaseAll(IpamBatchDelArgs args);

    /// What the pod of this name has, if anything.
    Optional<WorkloadEndpoint> findEndpoint(PodIdentity pod);
}
