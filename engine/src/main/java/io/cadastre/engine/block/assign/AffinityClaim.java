package io.cadastre.engine.block.assign;

import io.cadastre.address.Prefix;
import io.cadastre.engine.MayRefuse;
import io.cadastre.engine.block.BlockRefusal;
import java.util.List;

/// What a claim of blocks came to.
public sealed interface AffinityClaim extends MayRefuse {

    /// Each block was claimed or is another's.
    record Claimed(List<Prefix> claimed, List<Prefix> failed) implements AffinityClaim {
        public Claimed {
            claimed = List.copyOf(claimed);
            failed = List.copyOf(failed);
        }
    }

    record Refused(BlockRefusal refusal) implements AffinityClaim {}

    @Override
    default boolean refuses() {
        return !(this instanceof Claimed(var _, var failed) && failed.isEmpty());
    }
}
