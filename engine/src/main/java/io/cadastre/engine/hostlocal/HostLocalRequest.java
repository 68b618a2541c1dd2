package io.cadastre.engine.hostlocal;

import io.cadastre.address.Address;
import java.util.List;

/// An attachment asks for an address of each range set.
///
/// @param requested addresses that are asked for by name; of several in one set the first one counts
public record HostLocalRequest(HostLocalAttachment attachment, List<RangeGroup> groups, List<Address> requested) {

    public HostLocalRequest {
        groups = List.copyOf(groups);
        requested = requested.stream().distinct().toList();
    }
}
