package io.cadastre.engine.block.release;

import io.cadastre.address.Prefix;
import io.cadastre.engine.MayRefuse;
import io.cadastre.engine.block.BlockRefusal;
import java.util.List;

/// What a request to give up blocks came to.
public sealed interface AffinityRelease extends MayRefuse {

    /// The blocks that were given up.
    List<Prefix> released();

    /// What could be given up was.
    record Done(List<Prefix> released) implements AffinityRelease {
        public Done {
            released = List.copyOf(released);
        }
    }

    /// Some block was not given up.
    record Stopped(List<Prefix> released, BlockRefusal refusal) implements AffinityRelease {
        public Stopped {
            released = List.copyOf(released);
        }
    }

    @Override
    default boolean refuses() {
        return this instanceof Stopped;
    }
}
