package io.cadastre.engine.block.release;

import io.cadastre.engine.block.OwnerUpdate.Expectation;
import io.cadastre.engine.block.assign.AttachmentId;
import java.time.Instant;
import java.util.List;
import java.util.SortedMap;

/// A request to take back the addresses of one interface.
public sealed interface DetachRequest {

    AttachmentId id();

    /// The handles by which the container may have been given addresses.
    List<String> handles();

    Instant now();

    record OfContainer(AttachmentId id, List<String> handles, Instant now) implements DetachRequest {
        public OfContainer {
            handles = List.copyOf(handles);
        }
    }

    /// A virtual machine ran in the container. Its addresses forget the interface and stay the machine's, which may
    /// start again in another container, unless the machine is being deleted and no other container has them.
    ///
    /// @param machine the machine's handle
    /// @param pod that the interface is of, for addresses that do not record for which interface they are
    /// @param forGood whether the machine will not come back
    record OfMachine(
            AttachmentId id, List<String> handles, String machine, Expectation.Pod pod, boolean forGood, Instant now)
            implements DetachRequest {

        public OfMachine {
            handles = List.copyOf(handles);
        }

        boolean isOwner(SortedMap<String, String> owner) {
            return AttachmentId.find(owner)
                    .map(id::equals)
                    .orElseGet(() -> !pod.name().isEmpty() && pod.holds(owner));
        }
    }
}
