package io.cadastre.engine.block.release;

import io.cadastre.address.Address;
import io.cadastre.engine.MayRefuse;
import io.cadastre.engine.block.BlockRefusal;
import java.util.List;

/// What a request to release addresses came to.
public sealed interface Release extends MayRefuse {

    /// The addresses that were not held.
    List<Address> unallocated();

    /// The options whose block could be processed, also those for addresses that were not held.
    List<ReleaseOption> released();

    record Done(List<Address> unallocated, List<ReleaseOption> released) implements Release {
        public Done {
            unallocated = List.copyOf(unallocated);
            released = List.copyOf(released);
        }
    }

    /// The addresses of some block could not be released; this is about the first such block.
    record Stopped(List<Address> unallocated, List<ReleaseOption> released, BlockRefusal refusal) implements Release {
        public Stopped {
            unallocated = List.copyOf(unallocated);
            released = List.copyOf(released);
        }
    }

    @Override
    default boolean refuses() {
        return this instanceof Stopped || !unallocated().isEmpty();
    }
}
