package io.cadastre.agent.calico;

import io.cadastre.address.Address;
import java.util.List;

/// What a request to take back the addresses of one interface came to.
sealed interface ReleaseResult {

    /// It has none any more.
    record Done(List<Address> released) implements ReleaseResult {
        public Done {
            released = List.copyOf(released);
        }
    }

    /// It may still have some.
    record Refused(String sentence) implements ReleaseResult {}
}
