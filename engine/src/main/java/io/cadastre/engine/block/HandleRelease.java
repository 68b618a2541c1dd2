package io.cadastre.engine.block;

import io.cadastre.address.Address;

import java.util.List;

/// What a request to release all of a handle came to.
public sealed interface HandleRelease {

    /// What was released.
    List<Address> released();

    record Done(List<Address> released) implements HandleRelease {
        public Done {
            released = List.copyOf(released);
        }
    }

    /// There is no such handle, or one of its blocks cannot be changed.
    record Refused(List<Address> released, BlockRefusal refusal) implements HandleRelease {
        public Refused {
            released = List.copyOf(released);
        }
    }
}
