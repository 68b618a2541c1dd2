package io.cadastre.engine.block;

import io.cadastre.address.Address;
import io.cadastre.engine.MayRefuse;
import java.util.List;

/// What a request to change the owners of addresses came to.
public sealed interface OwnerChange extends MayRefuse {

    /// The addresses whose owners are now as asked for.
    List<Address> changed();

    record Done(List<Address> changed) implements OwnerChange {
        public Done {
            changed = List.copyOf(changed);
        }
    }

    record Refused(List<Address> changed, BlockRefusal refusal) implements OwnerChange {
        public Refused {
            changed = List.copyOf(changed);
        }
    }

    @Override
    default boolean refuses() {
        return this instanceof Refused;
    }
}
