package io.cadastre.engine.block.assign;

import java.util.List;

/// The result of a request for the addresses of one interface.
public sealed interface AttachResult {

    /// The interface has all that was asked for.
    ///
    /// @param handle that releases them
    /// @param use whether it is alone with them
    /// @param leases all, IPv4 first
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

    /// The interface got nothing, in the words of Calico.
    record Refused(String sentence) implements AttachResult {}
}
