package io.cadastre.engine.pool;

import java.util.List;

/// What a request for addresses came to.
public sealed interface PoolAllocation {

    /// The pod has these, newly or as before. There may be interfaces that were not requested yet.
    record Allocated(List<Nic> nics) implements PoolAllocation {
        public Allocated {
            nics = List.copyOf(nics);
        }
    }

    record Refused(PoolRefusal refusal) implements PoolAllocation {}
}
