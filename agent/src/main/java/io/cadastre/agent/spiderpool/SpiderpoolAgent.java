package io.cadastre.agent.spiderpool;

import io.cadastre.address.Address;
import io.cadastre.wire.spiderpool.IpamAddArgs;
import io.cadastre.wire.spiderpool.IpamAddResponse;
import io.cadastre.wire.spiderpool.IpamBatchDelArgs;
import io.cadastre.wire.spiderpool.IpamDelArgs;
import io.cadastre.wire.spiderpool.PodIdentity;
import io.cadastre.wire.spiderpool.WorkloadEndpoint;
import java.util.Optional;

/// A component that manages the addresses of pods as Spiderpool's agent does. Every request may be
/// repeated.
///
/// Every method throws a [SpiderpoolAgentException] if it cannot do what is asked.
public interface SpiderpoolAgent {

    /// Returns if it can be asked for addresses now.
    void checkHealth();

    /// The addresses of the pod for the interface, and perhaps for others of its interfaces. A pod that
    /// has some gets the same again.
    IpamAddResponse allocate(IpamAddArgs args);

    /// Takes back what the pod has, unless the pod is to keep it. An agent that refuses is not asked again:
    /// it is expected to take care of it. An agent that cannot do it now, but may later, must throw as
    /// unreachable.
    void release(IpamDelArgs args);

    /// Records that another host has an address of the pod, before all of them are given back, so that the
    /// pod is not given the same again at once. Spiderpool's API has no call for it, so an agent may ignore
    /// it.
    default void noteConflict(PodIdentity pod, Address address) {}

    /// Takes back what the pod has, also while it lives: its addresses are of no use.
    void releaseAll(IpamBatchDelArgs args);

    /// What the pod of this name has, if anything.
    Optional<WorkloadEndpoint> findEndpoint(PodIdentity pod);
}
