package io.cadastre.engine.hostlocal;

import java.util.List;

/// What a request for addresses came to.
public sealed interface HostLocalAllocation {

    /// The attachment holds these.
    ///
    /// @param leases one of each range set, in their order
    record Allocated(List<LeasedAddress> leases) implements HostLocalAllocation {
        public Allocated {
            leases = List.copyOf(leases);
        }
    }

    record Refused(HostLocalRefusal refusal) implements HostLocalAllocation {}
}
