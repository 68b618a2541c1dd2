package io.cadastre.engine.block.assign;

import io.cadastre.address.Prefix;
import io.cadastre.engine.MayRefuse;
import io.cadastre.engine.block.BlockRefusal;
import java.util.List;

/// What a request for blocks came to.
public sealed interface EnsuredBlocks extends MayRefuse {

    /// The blocks there are, IPv4 first.
    List<Prefix> blocks();

    /// There is a block in every family asked for.
    record Ensured(List<Prefix> blocks) implements EnsuredBlocks {
        public Ensured {
            blocks = List.copyOf(blocks);
        }
    }

    /// There is none in the next family.
    record Refused(List<Prefix> blocks, BlockRefusal refusal) implements EnsuredBlocks {
        public Refused {
            blocks = List.copyOf(blocks);
        }
    }

    @Override
    default boolean refuses() {
        return this instanceof Refused;
    }
}
