package io.cadastre.agent.spiderpool;

import io.cadastre.address.Address;
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

    /// Takes back what the pod has, unless it is to keep it. Who refuses it is not asked again: he is
    /// taken to see to it by himself. Who cannot do it now, but may later, is to be unreachable.
    void release(IpamDelArgs args);

    /// Hears that another host has an address of the pod, before all of them are given back, so that the pod
    /// is not given the same again at once. Spiderpool's API has no word for it, so it need not do anything.
    default void noteConflict(PodIdentity pod, Address address) {}

    /// Takes back what the pod has, also while it lives: its addresses are of no use.
    void releaseAll(IpamBatchDelArgs args);

    /// What the pod of this name has, if anything.
    Optional<WorkloadEndpoint> findEndpoint(PodIdentity pod);
}
