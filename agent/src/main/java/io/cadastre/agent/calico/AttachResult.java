package io.cadastre.agent.calico;

import io.cadastre.engine.block.assign.AssignedAddress;
import java.util.List;

/// What a request for addresses of one interface came to.
sealed interface AttachResult {

    /// It has all that was asked for.
    ///
    /// @param handle what they are released by
    /// @param leases all, IPv4 first
    /// @param use whether it is alone with them
    /// @param added those of them that it did not have before
    record Granted(String handle, Use use, List<AssignedAddress> leases, List<AssignedAddress> added)
            implements AttachResult {
        public Granted {
            leases = List.copyOf(leases);
            added = List.copyOf(added);
        }
    }

    /// How addresses are used.
    enum Use {
        ALONE,
        /// Another pod uses them until a virtual machine has moved.
        SHARED
    }

    /// It was given nothing, in the words of Calico.
    record Refused(String sentence) implements AttachResult {}
}
