package io.cadastre.wire.calico.resource;

import io.cadastre.engine.Lack;
import io.cadastre.wire.calico.CalicoKey;

/// Something that a decision about a resource must look at and that nobody has read.
sealed interface ResourceLack extends Lack {

    record OfResource(CalicoKey key) implements ResourceLack {
        @Override
        public String sentence() {
            return "%s has not been read".formatted(key.text());
        }
    }

    record OfPools() implements ResourceLack {
        @Override
        public String sentence() {
            return "the pools have not been listed";
        }
    }

    record OfBlocks() implements ResourceLack {
        @Override
        public String sentence() {
            return "the blocks have not been listed";
        }
    }

    record OfNeighbours() implements ResourceLack {
        @Override
        public String sentence() {
            return "the ranges of other dialects have not been read";
        }
    }
}
