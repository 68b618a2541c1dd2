package io.cadastre.engine.block.release;

import io.cadastre.address.Address;
import io.cadastre.engine.MayRefuse;
import io.cadastre.engine.block.BlockRefusal;
import java.util.List;

/// What a request to release all of a handle came to.
public sealed interface HandleRelease extends MayRefuse {

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

    @Override
    default boolean refuses() {
        return this instanceof Refused;
    }
}
