package io.cadastre.wire.calico.resource;

import io.cadastre.engine.Missing;
import io.cadastre.wire.calico.CalicoKey;

/// Something that a decision about a resource must look at and that was not read.
sealed interface MissingResource extends Missing {

    record OfResource(CalicoKey key) implements MissingResource {
        @Override
        public String sentence() {
            return "%s has not been read".formatted(key.text());
        }
    }

    record OfPools() implements MissingResource {
        @Override
        public String sentence() {
            return "the pools have not been listed";
        }
    }

    record OfBlocks() implements MissingResource {
        @Override
        public String sentence() {
            return "the blocks have not been listed";
        }
    }

    record OfNeighbours() implements MissingResource {
        @Override
        public String sentence() {
            return "the ranges of other dialects have not been read";
        }
    }
}
