package io.cadastre.engine.block.release;

import io.cadastre.address.Address;
import java.util.List;

/// The result of a request to take back the addresses of one interface.
public sealed interface DetachResult {

    /// The interface has none any more.
    record Done(List<Address> released) implements DetachResult {
        public Done {
            released = List.copyOf(released);
        }
    }

    /// The interface may still have some.
    record Refused(String sentence) implements DetachResult {}
}
