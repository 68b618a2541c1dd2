package io.cadastre.engine.pool;

import java.util.List;

/// What a request for addresses came to.
public sealed interface Allocation {

    /// The pod has these, newly or as before. There may be interfaces that nobody asked for yet.
    record Allocated(List<Nic> nics) implements Allocation {
        public Allocated {
            nics = List.copyOf(nics);
        }
    }

    record Refused(PoolRefusal refusal) implements Allocation {}
}
